// One instance a place on the page: Streamlit calls again, with the same parent, when data or theme change.

// make(parent, data) returns {update(data, {setStateValue, setTriggerValue}), close()}; the result is what Streamlit calls.
export function mounted(make) {
  const instances = new WeakMap();
  return ({ parentElement, data, ...tell }) => {
    if (!instances.has(parentElement)) instances.set(parentElement, make(parentElement, data));
    const instance = instances.get(parentElement);
    instance.update(data, tell);
    return () => {
      instance.close();
      instances.delete(parentElement);
    };
  };
}
