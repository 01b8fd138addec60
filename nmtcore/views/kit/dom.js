// @ts-check
// Elements made without markup: token text only ever enters the page through textContent.

const SVG = "http://www.w3.org/2000/svg";

export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(node, attributes, children) {
  set(node, attributes);
  for (const child of children) node.append(child); // a string becomes a text node, never HTML
  return node;
}

export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) node.removeAttribute(name);
    else node.setAttribute(name, value === true ? "" : value);
  }
}

/** A drawing of this size in px, which are also its own units. */
export function drawing(width, height, { class: name = null, ...more }, ...children) {
  return svg("svg", { class: name, width, height, viewBox: `0 0 ${width} ${height}`, ...more }, ...children);
}

export function button(act, attributes, ...children) {
  const node = el("button", { type: "button", ...attributes }, ...children);
  node.addEventListener("click", act);
  return node;
}

// The focused element of the page, in whatever shadow root it is.
export function focused() {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return /** @type {HTMLElement | null} */ (node);
}

// A translated sentence with named placeholders, as nodes; names in `strong` are set in bold.
export function fill(template, values, strong = []) {
  return template
    .split(/(\{\w+\})/)
    .filter((part) => part)
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (!name || !(name in values)) return document.createTextNode(part);
      const text = String(values[name]);
      return strong.includes(name) ? el("b", {}, text) : document.createTextNode(text);
    });
}

export function filledText(template, values) {
  return template.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// A sentence with nodes in place of its names.
export function filledNodes(template, nodes) {
  return template.split(/\{(\w+)\}/).map((text, n) => (n % 2 ? nodes[text] : text));
}
