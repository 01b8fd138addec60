// Saving a figure that Streamlit drew: what is on the screen as SVG or PNG with its title above, its numbers as CSV.

const MARGIN = 24;
const SIZE = 16; // px of the title

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".figure-save");
  const name = root.querySelector("span");
  name.textContent = data.words.save;
  root.setAttribute("aria-label", `${data.words.save}: ${data.title}`);
  for (const button of root.querySelectorAll("button")) {
    button.onclick = () => saveAs(button.dataset.kind, data);
  }
  fillTable(parentElement.querySelector("table"), data);
}

async function saveAs(kind, data) {
  if (kind === "csv") return save(data, kind, new Blob(["\ufeff", data.csv], { type: "text/csv" }));
  const picture = compose(data);
  if (!picture) return;
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(picture)}`;
  const svg = new Blob([text], { type: "image/svg+xml" });
  save(data, kind, kind === "svg" ? svg : await rasterized(svg, picture));
}

const hostOf = (data) => document.querySelector(`.st-key-${data.host}`);

// Plotly draws in several layers of one size, Vega in one; each is copied to its place.
function compose(data) {
  const host = hostOf(data);
  const layers = [...host.querySelectorAll("svg.main-svg, svg.marks")];
  if (!layers.length) return null;
  const boxes = layers.map((layer) => layer.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const width = Math.max(...boxes.map((box) => box.right)) - left;
  const height = Math.max(...boxes.map((box) => box.bottom)) - top;
  const style = getComputedStyle(host);
  const root = node("svg", { xmlns: "http://www.w3.org/2000/svg", "font-family": style.fontFamily });
  const paper = getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor;
  root.append(node("rect", { width: "100%", height: "100%", fill: paper }));
  const lines = wrapped(data.title, width, style.fontFamily);
  lines.forEach((line, i) => {
    const text = node("text", { x: MARGIN, y: MARGIN + SIZE * (0.8 + 1.35 * i), "font-size": SIZE, fill: style.color });
    text.textContent = line;
    root.append(text);
  });
  const below = MARGIN + lines.length * SIZE * 1.35 + 10;
  layers.forEach((layer, i) => {
    const copy = layer.cloneNode(true);
    copy.removeAttribute("class");
    copy.setAttribute("x", MARGIN + boxes[i].left - left);
    copy.setAttribute("y", below + boxes[i].top - top);
    copy.style.background = "none";
    keepWidths(layer, copy);
    root.append(copy);
  });
  const size = { width: Math.ceil(width + 2 * MARGIN), height: Math.ceil(below + height + MARGIN) };
  for (const [key, value] of Object.entries(size)) root.setAttribute(key, value);
  return root;
}

// A picture has no web fonts: its letters are fitted to the widths that they have on the page.
function keepWidths(layer, copy) {
  const lengths = [...layer.querySelectorAll("text")].map((text) => (text.children.length ? 0 : text.getComputedTextLength()));
  copy.querySelectorAll("text").forEach((text, i) => {
    if (!lengths[i]) return;
    text.setAttribute("textLength", lengths[i].toFixed(1));
    text.setAttribute("lengthAdjust", "spacingAndGlyphs");
  });
}

function node(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function wrapped(title, width, font) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${SIZE}px ${font}`;
  const lines = [];
  for (const word of title.split(/(?<=\s)|(?<=\p{Script=Han})/u)) {
    const last = lines.length - 1;
    if (last >= 0 && pen.measureText(lines[last] + word.trimEnd()).width <= 0.8 * width) lines[last] += word;
    else lines.push(word);
  }
  return lines;
}

async function rasterized(svg, picture, scale = 2) {
  const url = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = picture.getAttribute("width") * scale;
    canvas.height = picture.getAttribute("height") * scale;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}

function save(data, kind, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${(data.title.match(/[\p{L}\p{N}]+/gu) ?? ["figure"]).join("-").slice(0, 60)}.${kind}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// The same numbers for screen readers.
function fillTable(table, data) {
  table.replaceChildren();
  table.createCaption().textContent = data.title;
  for (const [i, row] of data.rows.entries()) {
    const line = table.insertRow();
    for (const value of row) {
      const cell = document.createElement(i ? "td" : "th");
      cell.textContent = value;
      line.append(cell);
    }
  }
}
