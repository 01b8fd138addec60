// @ts-check
// Shows one of several figures that are on the page already and hides the others, without the server.

import { button, el, set } from "../../nmtcore/views/kit/dom.js";
import { mounted } from "../../nmtcore/views/kit/mount.js";

export default mounted((parent, _, host) => {
  const node = el("div", { class: "switch", role: "group" });
  const hiding = el("style"); // a rule and not an attribute: a figure may come later, or be drawn anew
  parent.append(node, hiding);
  let data = null;
  return {
    update(next) {
      data = next;
      const suffixes = Object.keys(data.names);
      set(node, { "aria-label": data.label });
      const buttons = suffixes.map((suffix) => button(() => choose(suffix), { "data-choice": suffix }, data.names[suffix]));
      if (node.textContent !== Object.values(data.names).join("")) node.replaceChildren(...buttons);
      show();
    },
    follow: show,
    close() {
      node.remove();
      hiding.remove();
    },
  };

  function choose(suffix) {
    host.set({ choice: suffix });
    show();
  }

  function show() {
    const chosen = host.get().choice ?? Object.keys(data.names)[0];
    const others = Object.keys(data.names).filter((name) => name !== chosen);
    // Hide its wrapper too, which would leave a gap.
    const hidden = others.map((name) => `[data-testid="stLayoutWrapper"]:has(> .st-key-${data.key}-${name})`);
    hiding.textContent = `${hidden.join(", ")} { display: none; }`;
    for (const made of node.children) set(made, { "aria-pressed": String(made.dataset.choice === chosen) });
  }
});
