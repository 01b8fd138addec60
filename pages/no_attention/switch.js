// @ts-check
// Shows one of several figures that are on the page already and hides the others, without the server.

import { el, set } from "../../nmtcore/views/kit/dom.js";
import { readParameter, writeLink } from "../../nmtcore/views/kit/link_state.js";
import { mounted } from "../../nmtcore/views/kit/mount.js";

export default mounted((parent) => {
  const node = el("div", { class: "switch", role: "group" });
  const hiding = el("style"); // a rule and not an attribute: a figure may come later, or be drawn anew
  parent.append(node, hiding);
  let data = null;
  let chosen = null;
  return {
    update(next) {
      data = next;
      const suffixes = Object.keys(data.names);
      chosen ??= readParameter(data.link.choice) ?? suffixes[0];
      set(node, { "aria-label": data.label });
      const buttons = suffixes.map((suffix) => {
        const button = el("button", { type: "button", "data-choice": suffix }, data.names[suffix]);
        button.addEventListener("click", () => choose(suffix));
        return button;
      });
      if (node.textContent !== Object.values(data.names).join("")) node.replaceChildren(...buttons);
      choose(chosen);
    },
    close() {
      node.remove();
      hiding.remove();
    },
  };

  function choose(suffix) {
    chosen = suffix;
    const others = Object.keys(data.names).filter((name) => name !== chosen);
    hiding.textContent = `${others.map((name) => `.st-key-${data.key}-${name}`).join(", ")} { display: none; }`;
    for (const button of node.children) set(button, { "aria-pressed": String(button.dataset.choice === chosen) });
    writeUrl();
  }

  function writeUrl() {
    if (data) writeLink(data.link, { choice: chosen });
  }
});
