// @ts-check
// A button that opens and closes a section. A press means what the button said, however late the server hears of it.

export default function ({ parentElement, data, setTriggerValue }) {
  const button = parentElement.querySelector("button");
  button.textContent = data.says;
  button.setAttribute("aria-expanded", String(data.open));
  button.onclick = () => setTriggerValue("asked", data.asks);
}
