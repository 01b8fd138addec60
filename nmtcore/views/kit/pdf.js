// @ts-check
// PDF of a drawing: its shapes as paths, one page of their size. Letters have already become paths (outline.js); those
// of other scripts, and pictures in a drawing, are images in it.

import { parse } from "./color.js";
import { canvasOf, emptyCanvas } from "./pixels.js";

const POINTS = 72 / 25.4; // in a mm
const DOTS = 12; // of an image, in a px of the drawing
const HATCHED = ".9 .9 .9"; // colours that replace hatching
const FIRST_IMAGE = 6; // its number among the objects of the file
const SHAPES = "path, rect, line, circle, ellipse, polyline, polygon, image, text";

/**
 * @param {SVGSVGElement} root in the document
 * @param {number} millimetres wide
 * @param {string} title
 */
export async function pdfOf(root, millimetres, title) {
  const { width, height } = root.viewBox.baseVal;
  const scale = (millimetres * POINTS) / width;
  /** @type {[string, string]} */
  const page = [short(width * scale), short(height * scale)];
  const made = { text: `${numbers(scale, 0, 0, -scale, 0, height * scale)} cm\n`, states: new Map(), images: [] };
  const inverse = root.getScreenCTM()?.inverse();
  for (const shape of root.querySelectorAll(SHAPES))
    if (!shape.closest("defs, clipPath, pattern")) await draw(/** @type {any} */ (shape), inverse, made);
  return file(page, made, title);
}

async function draw(shape, inverse, made) {
  const look = getComputedStyle(shape);
  if (look.visibility === "hidden" || !shape.getClientRects().length) return;
  const opacity = opacityOf(shape);
  if (!opacity) return;
  const fill = paint(look.fill, opacity * Number(look.fillOpacity));
  const stroke = parseFloat(look.strokeWidth) ? paint(look.stroke, opacity * Number(look.strokeOpacity)) : null;
  const parts = [...clips(shape, inverse), `${matrix(matrixOf(shape, inverse))} cm`];
  if (shape.tagName === "text") parts.push(await image(shape, letters(shape, look), made, Uint8Array.from(parse(look.fill))));
  else if (shape.tagName === "image") parts.push(await image(shape, await canvasOf(shape.href.baseVal), made));
  else {
    const path = curves(shape);
    if (!path || !(fill || stroke)) return;
    const filled = look.fillRule === "evenodd" ? "f*" : "f";
    parts.push(...looks(fill, stroke, look, made));
    if (fill && stroke && look.paintOrder.startsWith("stroke")) parts.push(path, "S", path, filled);
    else parts.push(path, fill && stroke ? "B" : fill ? filled : "S");
  }
  made.text += `q\n${parts.join("\n")}\nQ\n`;
}

function looks(fill, stroke, look, made) {
  const parts = [];
  const alpha = `${short(fill?.alpha ?? 1)} ${short(stroke?.alpha ?? 1)}`;
  if (alpha !== "1 1") {
    if (!made.states.has(alpha)) made.states.set(alpha, `G${made.states.size}`);
    parts.push(`/${made.states.get(alpha)} gs`);
  }
  if (fill) parts.push(`${fill.rgb} rg`);
  if (stroke) {
    const dashes = look.strokeDasharray === "none" ? "" : look.strokeDasharray.replaceAll(/px|,/g, " ");
    const cap = { butt: 0, round: 1, square: 2 }[look.strokeLinecap] ?? 0;
    const join = { miter: 0, round: 1, bevel: 2 }[look.strokeLinejoin] ?? 0;
    parts.push(`${stroke.rgb} RG ${short(parseFloat(look.strokeWidth))} w ${cap} J ${join} j [${dashes}] 0 d`);
  }
  return parts;
}

function paint(color, alpha) {
  if (color.startsWith("url")) return { rgb: HATCHED, alpha }; // of a pattern
  const [r, g, b, own = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
  if (color === "none" || !(alpha * own > 0) || b === undefined) return null;
  return { rgb: [r, g, b].map((value) => short(value / 255)).join(" "), alpha: alpha * own };
}

function opacityOf(node) {
  let opacity = 1;
  for (let at = node; at instanceof SVGElement; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
  return opacity;
}

// The clip paths of the shape and the groups around it.
function clips(shape, inverse) {
  const parts = [];
  for (let at = shape; at?.ownerSVGElement; at = at.parentElement) {
    const id = /url\("?#(.+?)"?\)/.exec(at.getAttribute("clip-path") ?? "")?.[1];
    const inner = id ? shape.getRootNode().querySelector(`#${CSS.escape(id)}`)?.firstElementChild : null;
    const path = inner && curves(inner);
    if (!path) continue;
    const to = matrixOf(at, inverse);
    parts.push(`${matrix(to)} cm ${path} W n`, `${matrix(to.inverse())} cm`);
  }
  return parts;
}

const matrixOf = (shape, inverse) => inverse.multiply(shape.getScreenCTM());

const STEP = 0.4; // px along an arc, which PDF has no curve for

// A shape's commands as PDF has them: move, line, Bézier curve of two handles, close. Others are followed by steps.
function curves(shape) {
  const d = pathOf(shape);
  if (/[aAsStT]/.test(d)) return followed(shape);
  const parts = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  for (const [, command, text] of d.matchAll(/([a-df-z])([^a-df-z]*)/gi)) {
    const values = (text.match(/-?(?:\d*\.)?\d+(?:e-?\d+)?/gi) ?? []).map(Number);
    const kind = command.toUpperCase();
    const size = { M: 2, L: 2, H: 1, V: 1, C: 6, Q: 4 }[kind] ?? 0;
    if (kind === "Z") {
      [x, y] = [startX, startY];
      parts.push("h");
    }
    for (let at = 0; size && at + size <= values.length; at += size) {
      const [dx, dy] = command === kind ? [0, 0] : [x, y];
      const own = values.slice(at, at + size);
      const points = kind === "H" ? [own[0] + dx, y] : kind === "V" ? [x, own[0] + dy] : own.map((value, i) => value + (i % 2 ? dy : dx));
      const moves = kind === "M" && at === 0;
      const bent = kind === "Q" ? raised(x, y, points) : points;
      [x, y] = points.slice(-2);
      if (moves) [startX, startY] = [x, y];
      parts.push(`${numbers(...bent)} ${moves ? "m" : bent.length === 6 ? "c" : "l"}`);
    }
  }
  return parts.join("\n");
}

// A quadratic curve as a cubic one.
const raised = (x, y, [qx, qy, toX, toY]) =>
  [x + (2 / 3) * (qx - x), y + (2 / 3) * (qy - y), toX + (2 / 3) * (qx - toX), toY + (2 / 3) * (qy - toY), toX, toY];

function followed(path) {
  const length = path.getTotalLength();
  const count = Math.max(2, Math.ceil(length / STEP));
  const points = Array.from({ length: count + 1 }, (_, i) => path.getPointAtLength((length * i) / count));
  const line = points.map(({ x, y }, i) => `${numbers(x, y)} ${i ? "l" : "m"}`);
  return [...line, ...(/z\s*$/i.test(path.getAttribute("d")) ? ["h"] : [])].join("\n");
}

// A shape as SVG writes a path.
function pathOf(shape) {
  const [x1, y1, x2, y2, x, y, width, height, cx, cy, r, rx, ry] = SIZES.map((name) => shape[name]?.baseVal.value ?? 0);
  switch (shape.tagName) {
    case "path":
      return shape.getAttribute("d") ?? "";
    case "line":
      return `M${x1} ${y1}L${x2} ${y2}`;
    case "rect":
      return width > 0 && height > 0 ? rounded(x, y, width, height, Math.min(rx, width / 2), Math.min(rx, height / 2)) : "";
    case "circle":
      return rounded(cx - r, cy - r, 2 * r, 2 * r, r, r);
    case "ellipse":
      return rounded(cx - rx, cy - ry, 2 * rx, 2 * ry, rx, ry);
    default: {
      const points = [...shape.points].map((point) => `${point.x} ${point.y}`);
      return `M${points.join("L")}${shape.tagName === "polygon" ? "z" : ""}`;
    }
  }
}

const SIZES = ["x1", "y1", "x2", "y2", "x", "y", "width", "height", "cx", "cy", "r", "rx", "ry"];
const ARC = 0.5523; // of a radius: where a Bézier curve's handles make a quarter of a circle

function rounded(x, y, width, height, rx, ry) {
  if (!rx) return `M${x} ${y}h${width}v${height}h${-width}z`;
  const [h, v] = [rx * ARC, ry * ARC];
  return [
    `M${x + rx} ${y}h${width - 2 * rx}c${h} 0 ${rx} ${ry - v} ${rx} ${ry}`,
    `v${height - 2 * ry}c0 ${v} ${h - rx} ${ry} ${-rx} ${ry}`,
    `h${2 * rx - width}c${-h} 0 ${-rx} ${v - ry} ${-rx} ${-ry}`,
    `v${2 * ry - height}c0 ${-v} ${rx - h} ${-ry} ${rx} ${-ry}z`,
  ].join("");
}

// Letters without outlines here, in black.
function letters(text, look) {
  const { x, y, width, height } = text.getBBox();
  const canvas = emptyCanvas(width * DOTS, height * DOTS);
  const pen = canvas.getContext("2d");
  pen.scale(DOTS, DOTS);
  pen.font = `${look.fontWeight} ${look.fontSize} ${look.fontFamily}`;
  pen.fillText(text.textContent, text.getStartPositionOfChar(0).x - x, text.getStartPositionOfChar(0).y - y);
  return canvas;
}

// A canvas at the place of a shape: its colours, or this one alone, and how much they cover of what is behind it.
async function image(shape, canvas, made, color = null) {
  const { x, y, width, height } = shape.getBBox();
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const channels = (/** @type {(i: number) => boolean} */ kept) => data.filter((_, i) => kept(i % 4));
  const covers = await hold(made, canvas, "/DeviceGray", channels((i) => i === 3));
  const colors = `/DeviceRGB /SMask ${covers} 0 R`;
  const number = color ? await hold(made, { width: 1, height: 1 }, colors, color) : await hold(made, canvas, colors, channels((i) => i < 3));
  return `${numbers(width, 0, 0, -height, x, y + height)} cm /I${number} Do`;
}

// The number of a new image among the objects of the file.
async function hold({ images }, { width, height }, space, bytes) {
  const head = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace ${space}`;
  return FIRST_IMAGE - 1 + images.push({ head, bytes: await deflated(bytes) });
}

// Objects one after another, and where each begins, as PDF 1.4 has it.
async function file([width, height], { text, states, images }, title) {
  const alpha = [...states].map(([key, name]) => `/${name} << /ca ${key.split(" ")[0]} /CA ${key.split(" ")[1]} >>`).join(" ");
  const names = images.map((_, i) => `/I${FIRST_IMAGE + i} ${FIRST_IMAGE + i} 0 R`).join(" ");
  const utf16 = `\ufeff${title}`.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
  const objects = [
    { head: "/Type /Catalog /Pages 2 0 R" },
    { head: "/Type /Pages /Kids [3 0 R] /Count 1" },
    {
      head: `/Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R
        /Resources << /ExtGState << ${alpha} >> /XObject << ${names} >> >>`,
    },
    { head: "", bytes: await deflated(new TextEncoder().encode(text)) },
    { head: `/Title <${utf16.join("")}> /Creator (Alignment Lab)` },
    ...images,
  ];
  /** @type {BlobPart[]} */
  const parts = ["%PDF-1.4\n"];
  const sizeNow = () => new Blob(parts).size;
  const starts = objects.map(({ head, bytes }, i) => {
    const start = sizeNow();
    const stream = bytes ? [` /Filter /FlateDecode /Length ${bytes.length} >>\nstream\n`, bytes, "\nendstream"] : [" >>"];
    parts.push(`${i + 1} 0 obj << ${head}`, ...stream, "\nendobj\n");
    return start;
  });
  const table = starts.map((start) => `${String(start).padStart(10, "0")} 00000 n \n`).join("");
  const count = objects.length + 1;
  const end = `trailer << /Size ${count} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${sizeNow()}\n%%EOF\n`;
  return new Blob([...parts, `xref\n0 ${count}\n0000000000 65535 f \n${table}${end}`], { type: "application/pdf" });
}

async function deflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const short = (value) => String(Number(value.toFixed(4)));
const numbers = (...values) => values.map(short).join(" ");
const matrix = ({ a, b, c, d, e, f }) => numbers(a, b, c, d, e, f);
