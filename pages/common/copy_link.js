// @ts-check
// A button that copies the page's address and says for a moment whether it could.

import { copyText } from "../../nmtcore/views/kit/clipboard.js";
import { el } from "../../nmtcore/views/kit/dom.js";

const SAID = 2000; // ms

export default function ({ parentElement, data, setTriggerValue }) {
  const button = parentElement.querySelector("button") ?? el("button", { type: "button" });
  button.textContent = data.copy; // before it is on the page: screen readers would announce a button without a label
  parentElement.append(button);
  button.onclick = async () => {
    const { href, pathname, search } = location;
    const done = await copyText(data.origin ? new URL(pathname + search, data.origin).href : href);
    button.textContent = done ? data.copied : data.failed;
    setTimeout(() => (button.textContent = data.copy), SAID);
    setTriggerValue(done ? "copied" : "failed", href);
  };
}
