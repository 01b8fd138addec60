// @ts-check
// One instance per place on the page: a host calls again, with the same parent, when data or theme change.
// A call returns a function that closes the instance, unless a later call has taken it over: Streamlit calls twice if
// new data arrive while it is loading the script, and only then closes the first of the two.

import { BROUGHT } from "./address.js";
import { readSlice, sliceTexts, writeLink } from "./link_state.js";
import { REDRAW, SAVE_PAGE, savePage, template } from "./page_file.js";
import { EVENT, projected } from "./projection.js";

/**
 * A picture's interface to the place that it is drawn in: a Streamlit page, a notebook, an HTML file.
 * @typedef {object} Host
 * @property {() => Record<string, any>} get this picture's part of the state, by use; null for
 *   values that nobody has chosen. Empty if the host has no state.
 * @property {(values: Record<string, string | number | object | null>, run?: boolean) => boolean} set gives fields new values; the
 *   page runs for those that it must act on, unless `run` is false: a slider that still moves. Whether it runs
 * @property {boolean} answers whether somebody answers; otherwise questions are hidden
 * @property {(name: string, value: unknown) => void} ask asks once
 */

/**
 * The arguments with which Streamlit calls the default export; other hosts give only the first two.
 * @template Data
 * @typedef {object} Call
 * @property {HTMLElement | ShadowRoot} parentElement
 * @property {Data | Uint8Array} data as the `data` of the picture's folder returned it, or its JSON
 * @property {Host["ask"]} [setTriggerValue]
 * @property {(values: Record<string, string | number | null>) => void} [onSet] hears what the picture sets, on a host
 *   without an address, such as a notebook
 */

/**
 * A picture's interface to its host. follow: goes where its changed parameters in the address say; forget:
 * update() then redraws everything, even if nothing has changed.
 * @template Data
 * @typedef {{update(data: Data): void, follow?(): void, forget?(): void, close(): void}} Instance
 */

/**
 * @template Data
 * @param {(parent: HTMLElement | ShadowRoot, data: Data, host: Host) => Instance<Data>} make
 */
export function mounted(make) {
  const instances = new WeakMap();
  /** @param {Call<Data>} call */
  return ({ parentElement, data: sent, setTriggerValue, onSet }) => {
    const data = sent instanceof Uint8Array ? /** @type {Data} */ (JSON.parse(new TextDecoder().decode(sent))) : sent;
    const known = instances.get(parentElement) ?? { host: {} };
    Object.assign(known.host, { answers: Boolean(setTriggerValue), ask: setTriggerValue ?? (() => {}) });
    known.host.get = () => known.data.opens_with ?? readSlice(known.data.link);
    known.host.set = (values, run = true) => {
      const { link } = known.data;
      onSet?.(values);
      const runs = writeLink(link, values) && run;
      if (runs) known.host.ask("state", sliceTexts(link));
      return runs;
    };
    known.data = data;
    template.address = known.data?.page ?? "";
    known.instance ??= make(parentElement, data, known.host);
    instances.set(parentElement, known);
    const dress = () => parentElement.querySelector(".view")?.classList.toggle("projected", projected());
    dress();
    known.instance.update(data);
    if (!known.ending) {
      known.ending = new AbortController();
      const { signal } = known.ending;
      const project = () => {
        dress();
        known.instance.update(known.data); // its size or its parts have changed
      };
      const redraw = () => {
        known.instance.forget?.();
        project();
      };
      const follow = (/** @type {any} */ { detail: names }) => {
        const own = Object.values(known.data.link ?? {});
        if (own.some(({ name }) => names.includes(name))) known.instance.follow?.();
      };
      const view = () => /** @type {HTMLElement} */ (parentElement.querySelector(".view"));
      parentElement.addEventListener?.(SAVE_PAGE, () => savePage(known.data, known.host.get(), view()), { signal });
      parentElement.addEventListener?.(REDRAW, redraw, { signal });
      document.addEventListener(EVENT, project, { signal });
      document.addEventListener(BROUGHT, follow, { signal });
    }
    const close = () => {
      if (instances.get(parentElement)?.close !== close) return;
      known.ending.abort();
      known.instance.close();
      instances.delete(parentElement);
    };
    known.close = close;
    return close;
  };
}
