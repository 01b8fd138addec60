// @ts-check
// Letters and numbers as a textbook sets them, from a markup of <sub> and <sup> alone.

import { el, svg } from "./dom.js";
import { MINUS, number } from "./number.js";

const NAMES = /(exp|LN|Mask|tanh|softmax|log|min|diag|var|sin|cos|[A-Za-z\u03b1-\u03c9][\u0303\u20d6\u20d7]?)/;

// A formula as nodes: single letters in italics, names of functions upright.
export const rich = (markup) =>
  parts(markup).map(({ tag, text }) => el(tag ?? "span", {}, ...text.split(NAMES).filter(Boolean).map(letter)));

const letter = (text) => (/^[A-Za-z\u03b1-\u03c9][\u0303\u20d6\u20d7]?$/.test(text) ? el("i", {}, text) : text);

// The same as plain text.
export const plain = (markup) => markup.replace(/<sub>(.*?)<\/sub>/g, "_$1").replace(/<sup>(.*?)<\/sup>/g, "^$1");

// The same for a <text> of SVG, which has no <sub>.
export function svgRich(markup, size) {
  let fall = 0;
  return parts(markup).map(({ tag, text }) => {
    const to = tag === "sub" ? size * 0.25 : tag === "sup" ? -size * 0.35 : 0;
    const node = svg("tspan", { dy: to - fall, "font-size": tag ? size * 0.75 : size }, text);
    if (!tag && /^[^\d(=]+$/.test(text)) node.setAttribute("font-style", "italic");
    fall = to;
    return node;
  });
}

function parts(markup) {
  const matches = [...markup.matchAll(/<(sub|sup)>(.*?)<\/\1>|([^<]+)/g)];
  return matches.map(([, tag, inner, text]) => ({ tag, text: inner ?? text }));
}

// For numbers of any size: 0.0031, 12.4, 4.9·10⁸.
export function anySize(value) {
  const size = Math.abs(value);
  if (size === 0 || (size >= 0.01 && size < 1e5)) return number(value, size >= 1000 ? 0 : size >= 100 ? 1 : 2);
  const power = Math.floor(Math.log10(size));
  return `${number(value / 10 ** power, 1)}\u00b710${raised(power)}`;
}

// Significant digits, four for a quotient that a reader recomputes to three: 0.04590, 12.41, 1.317·10⁵.
export function significant(value, count = 4) {
  const power = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  if (power >= -2 && power < count) return number(value, count - 1 - power);
  return `${number(value / 10 ** power, count - 1)}\u00b710${raised(power)}`;
}

const digits = (value, zero) => [...String(Math.abs(value))].map((d) => zero[Number(d)]).join("");
export const lowered = (value) => (value < 0 ? "\u208b" : "") + digits(value, "₀₁₂₃₄₅₆₇₈₉");
const raised = (value) => (value < 0 ? "\u207b" : "") + digits(value, "⁰¹²³⁴⁵⁶⁷⁸⁹");

export const vector = (values, digitsEach = 2) => `(${values.map((v) => number(v, digitsEach)).join(", ")}, …)`;

// A sum as people write it: a minus sign in place of "+ −".
export const sum = (terms) =>
  terms.map((t, i) => (i && !t.startsWith(MINUS) ? `+ ${t}` : t.replace(MINUS, i ? `${MINUS} ` : MINUS))).join(" ");

export const quote = (word) => `\u201c${word}\u201d`;
