// @ts-check
// Shared by every saved picture and table: words in lines, rows of numbers, and the file itself.

import { svg } from "./dom.js";
import { measure } from "./layout.js";

// Lines of at most `room` px, since SVG has no paragraphs; Chinese breaks between any two characters.
function wrapped(text, room, size, font) {
  const lines = [];
  for (const word of text.split(/(?<=\s)|(?<=\p{Script=Han})/u)) {
    const last = lines.length - 1;
    if (last >= 0 && measure(lines[last] + word.trimEnd(), size, font) <= room) lines[last] += word;
    else lines.push(word);
  }
  return lines;
}

// Appends `text` in lines to `root`, the first line's foot at `y`; returns their number. marks: {from, to, draw} for
// a marked range of letters in the text; draw(x1, x2, y): the line below it.
export function paragraph(root, text, { x, y, room, size, leading, font, marks = [], ...look }) {
  const lines = wrapped(text, room, size, font);
  let start = 0;
  lines.forEach((line, i) => {
    const [shown, foot] = [line.trimEnd(), y + i * leading];
    const at = (letter) => x + measure(shown.slice(0, Math.max(0, letter - start)), size, font);
    const here = marks.filter(({ from, to }) => from < start + shown.length && to > start);
    root.append(svg("text", { x, y: foot, "font-size": size, ...look }, shown));
    root.append(...here.map(({ from, to, draw }) => draw(at(from), at(to), foot + 3)));
    start += line.length;
  });
  return lines.length;
}

// A copy of a drawing at (x, y).
export function copyOf(node, x, y) {
  const copy = node.cloneNode(true);
  copy.setAttribute("x", x);
  copy.setAttribute("y", y);
  copy.removeAttribute("class");
  copy.style.background = "none"; // the sheet has its own
  return copy;
}

export function sized(root, width, height) {
  for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` }))
    root.setAttribute(name, value);
  return root;
}

export const saveTable = (heading, csv) => saveFile(heading, "csv", new Blob(["\ufeff", csv], { type: "text/csv" }));

// RFC 4180. A cell that a spreadsheet would take for a formula (CSV injection) gets an apostrophe first, as text does
// there; a number is not a formula, however it is written. As csv_cell in nmtcore/files.py.
export const csvOf = (rows) => rows.map((row) => row.map((value) => quoted(asText(value))).join(",")).join("\r\n");
const asText = (value) => (/^[=+\-@\t\r]/.test(String(value)) && Number.isNaN(Number(value)) ? `'${value}` : String(value));
const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

// Named after its contents: letters and digits of any script, joined by hyphens.
export function saveFile(heading, kind, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${(heading.match(/[\p{L}\p{N}]+/gu) ?? ["attention"]).join("-").slice(0, 60)}.${kind}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
