// @ts-check
// PDF of a drawing: its shapes as paths, one page of their size. Letters have already become paths (outline.js); those
// of other scripts, and pictures in a drawing, are images in it.

const POINTS = 72 / 25.4; // in a mm
const DOTS = 12; // of an image, in a px of the drawing
const HATCHED = ".9 .9 .9"; // colours that replace hatching
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
  const made = { text: `${matrix([scale, 0, 0, -scale, 0, height * scale])} cm\n`, states: new Map(), images: [] };
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
  if (shape.tagName === "text") parts.push(await letters(shape, look, fill ?? paint("rgb(0,0,0)", 1), made));
  else if (shape.tagName === "image") parts.push(await picture(shape, made));
  else {
    const path = pathOf(shape);
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
  const root = shape.getRootNode();
  const parts = [];
  for (let at = shape; at?.ownerSVGElement; at = at.parentElement) {
    const id = /url\("?#(.+?)"?\)/.exec(at.getAttribute("clip-path") ?? "")?.[1];
    const inner = id ? root.querySelector(`#${CSS.escape(id)}`)?.firstElementChild : null;
    const path = inner && pathOf(inner);
    if (!path) continue;
    const to = matrixOf(at, inverse);
    const back = new DOMMatrix(to).inverse();
    parts.push(`${matrix(to)} cm ${path} W n`, `${matrix([back.a, back.b, back.c, back.d, back.e, back.f])} cm`);
  }
  return parts;
}

function matrixOf(shape, inverse) {
  const { a, b, c, d, e, f } = inverse.multiply(shape.getScreenCTM());
  return [a, b, c, d, e, f];
}

const STEP = 0.4; // px along an arc, which PDF has no curve for

// The commands of a path as PDF has them: move, line, Bézier curve of two handles, close. Others are followed by steps.
function curves(path) {
  const d = path.getAttribute("d") ?? "";
  if (/[aAsStT]/.test(d)) return followed(path);
  const parts = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  for (const [, command, numbers] of d.matchAll(/([a-z])([^a-z]*)/gi)) {
    const values = (numbers.match(/-?(?:\d*\.)?\d+(?:e-?\d+)?/gi) ?? []).map(Number);
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
      parts.push(`${bent.map(short).join(" ")} ${moves ? "m" : bent.length === 6 ? "c" : "l"}`);
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
  const line = points.map(({ x, y }, i) => `${short(x)} ${short(y)} ${i ? "l" : "m"}`);
  return [...line, ...(/z\s*$/i.test(path.getAttribute("d")) ? ["h"] : [])].join("\n");
}

function pathOf(shape) {
  const { tagName } = shape;
  const number = (name) => shape[name].baseVal.value;
  if (tagName === "path") return curves(shape);
  if (tagName === "line") return `${["x1", "y1"].map(number).map(short).join(" ")} m ${["x2", "y2"].map(number).map(short).join(" ")} l`;
  if (tagName === "rect") {
    const [x, y, width, height, r] = ["x", "y", "width", "height", "rx"].map(number);
    if (!(width > 0 && height > 0)) return "";
    if (!r) return `${[x, y, width, height].map(short).join(" ")} re`;
    return rounded(x, y, width, height, Math.min(r, width / 2, height / 2));
  }
  if (tagName === "circle") return rounded(...boxOf(number("cx"), number("cy"), number("r"), number("r")));
  if (tagName === "ellipse") return ellipse(number("cx"), number("cy"), number("rx"), number("ry"));
  const points = [...shape.points].map(({ x, y }, i) => `${short(x)} ${short(y)} ${i ? "l" : "m"}`);
  return [...points, ...(tagName === "polygon" ? ["h"] : [])].join("\n");
}

/** @returns {[number, number, number, number, number]} */
const boxOf = (x, y, rx, ry) => [x - rx, y - ry, 2 * rx, 2 * ry, rx];

const ARC = 0.5523; // of a radius: where a Bézier curve's handles make a quarter of a circle

function rounded(x, y, width, height, r) {
  const [right, foot, k] = [x + width, y + height, r * (1 - ARC)];
  const line = (...values) => values.map(short).join(" ");
  return [
    `${line(x + r, y)} m ${line(right - r, y)} l ${line(right - k, y, right, y + k, right, y + r)} c`,
    `${line(right, foot - r)} l ${line(right, foot - k, right - k, foot, right - r, foot)} c`,
    `${line(x + r, foot)} l ${line(x + k, foot, x, foot - k, x, foot - r)} c`,
    `${line(x, y + r)} l ${line(x, y + k, x + k, y, x + r, y)} c h`,
  ].join("\n");
}

function ellipse(x, y, rx, ry) {
  const line = (...values) => values.map(short).join(" ");
  const [h, v] = [rx * ARC, ry * ARC];
  return [
    `${line(x + rx, y)} m ${line(x + rx, y + v, x + h, y + ry, x, y + ry)} c ${line(x - h, y + ry, x - rx, y + v, x - rx, y)} c`,
    `${line(x - rx, y - v, x - h, y - ry, x, y - ry)} c ${line(x + h, y - ry, x + rx, y - v, x + rx, y)} c h`,
  ].join("\n");
}

// Letters without outlines here, as a mask filled with their colour.
async function letters(text, look, fill, made) {
  const { x, y, width, height } = text.getBBox();
  const canvas = canvasOf(width, height);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.scale(DOTS, DOTS);
  pen.font = `${look.fontWeight} ${look.fontSize} ${look.fontFamily}`;
  pen.fillText(text.textContent, text.getStartPositionOfChar(0).x - x, text.getStartPositionOfChar(0).y - y);
  const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
  const across = Math.ceil(canvas.width / 8);
  const bits = new Uint8Array(across * canvas.height).fill(255); // 0 is painted
  for (let i = 0; i < data.length / 4; i += 1)
    if (data[4 * i + 3] > 127) bits[Math.floor(i / canvas.width) * across + ((i % canvas.width) >> 3)] &= ~(128 >> (i % canvas.width % 8));
  const name = held(made, canvas, "/ImageMask true /BitsPerComponent 1", await deflated(bits));
  return `${fill.rgb} rg ${matrix([width, 0, 0, -height, x, y + height])} cm ${name} Do`;
}

async function picture(shape, made) {
  const { x, y, width, height } = shape.getBBox();
  const image = new Image();
  image.src = shape.href.baseVal;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.naturalWidth, height: image.naturalHeight });
  const pen = canvas.getContext("2d");
  pen.fillStyle = "white";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
  const bytes = data.filter((_, i) => i % 4 < 3);
  const name = held(made, canvas, "/ColorSpace /DeviceRGB /BitsPerComponent 8", await deflated(new Uint8Array(bytes)));
  return `${matrix([width, 0, 0, -height, x, y + height])} cm ${name} Do`;
}

const canvasOf = (width, height) =>
  Object.assign(document.createElement("canvas"), { width: Math.ceil(width * DOTS) || 1, height: Math.ceil(height * DOTS) || 1 });

function held(made, { width, height }, what, bytes) {
  made.images.push({ head: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${what}`, bytes });
  return `/I${made.images.length - 1}`;
}

// Objects one after another, and where each begins, as PDF 1.4 has it.
async function file([width, height], { text, states, images }, title) {
  const alpha = [...states].map(([key, name]) => `/${name} << /ca ${key.split(" ")[0]} /CA ${key.split(" ")[1]} >>`).join(" ");
  const names = images.map((_, i) => `/I${i} ${6 + i} 0 R`).join(" ");
  const utf16 = [...`\ufeff${title}`].flatMap((letter) => letter.split("")).map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
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
  const parts = [];
  const starts = [];
  let length = 0;
  const write = (part) => {
    const bytes = typeof part === "string" ? new TextEncoder().encode(part) : part;
    parts.push(bytes);
    length += bytes.length;
  };
  write("%PDF-1.4\n");
  objects.forEach(({ head, bytes }, i) => {
    starts.push(length);
    write(`${i + 1} 0 obj << ${head}`);
    if (bytes) {
      write(` /Filter /FlateDecode /Length ${bytes.length} >>\nstream\n`);
      write(bytes);
      write("\nendstream");
    } else write(" >>");
    write("\nendobj\n");
  });
  const table = starts.map((start) => `${String(start).padStart(10, "0")} 00000 n \n`).join("");
  const count = objects.length + 1;
  write(`xref\n0 ${count}\n0000000000 65535 f \n${table}trailer << /Size ${count} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${length}\n%%EOF\n`);
  return new Blob(parts, { type: "application/pdf" });
}

async function deflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const short = (value) => String(Number(value.toFixed(4)));
const matrix = (values) => values.map(short).join(" ");
