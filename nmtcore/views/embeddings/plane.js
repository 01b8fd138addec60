// @ts-check
// One point per piece on the first two principal components, with its name if there is room; both axes have one
// scale. The shape of a point tells which sentence its piece is in; the picked one has a ring.

import { css, mix, parse } from "../kit/color.js";
import { drawing, filledText, svg } from "../kit/dom.js";
import { measure } from "../kit/layout.js";
import { number } from "../kit/number.js";
import { namePlaces } from "./places.js";

const [HEAD, FOOT, SIDE] = [32, 28, 26]; // px of the legend, and of the words beside the axes
const MARGIN = 34; // px from the outermost points to the words
const [LOW, HIGH, RATIO] = [430, 600, 0.55]; // px of its height, bounds and share of the width
const SIZE = 14;
// Of a point in the source, in the translation, in both and in neither.
const SHAPES = [
  (ink) => svg("circle", { r: 5.5, fill: ink }),
  (ink) => svg("path", { d: "M0-6.5L6.5 0L0 6.5L-6.5 0Z", fill: "none", stroke: ink, "stroke-width": 2 }),
  (ink) => svg("rect", { x: -5, y: -5, width: 10, height: 10, fill: ink }),
  (ink) => svg("path", { d: "M-6-2H-2V-6H2V-2H6V2H2V6H-2V2H-6Z", fill: ink }),
];

// picked: the number of a row of the table, which need not be on the plane.
export function drawPlane(data, plane, picked, title, look, width) {
  const { words } = data;
  const ink = css(parse(data.hue));
  const height = Math.round(Math.max(LOW, Math.min(HIGH, RATIO * width)));
  const frame = { left: SIDE, right: width, top: HEAD, bottom: height - FOOT };
  const place = onScreen(plane.points, frame);
  const points = plane.points.map(place);
  const now = plane.ids.indexOf(picked);
  const widths = plane.names.map((name) => measure(name, SIZE, look.font));
  const places = namePlaces(points, widths, now, frame);
  const [zeroX, zeroY] = place([0, 0]);
  const line = { stroke: css(mix(look.background, look.text, 0.2)) };
  const text = (at, words_, more = {}) => svg("text", { "font-size": SIZE - 1, fill: css(look.text), ...at, ...more }, words_);
  const axis = (n) => filledText(words.axes[n], { share: percent(plane.shares[n]) });
  const middle = { x: (SIDE + width) / 2, y: (HEAD + height - FOOT) / 2 };
  return drawing(
    width,
    height,
    { "font-family": look.font, role: "img", "aria-label": `${title}: ${plane.names.join(", ")}` },
    ...legend(),
    svg("path", { d: `M${SIDE} ${zeroY}H${width}M${zeroX} ${HEAD}V${height - FOOT}`, ...line }),
    text({ x: middle.x, y: height - 8, "text-anchor": "middle" }, axis(0)),
    text({ transform: `translate(14 ${middle.y}) rotate(-90)`, "text-anchor": "middle" }, axis(1)),
    ...(now < 0 ? [] : [ring(points[now])]),
    ...plane.ids.map(drawPoint),
  );

  function drawPoint(id, n) {
    const [x, y] = points[n];
    const bold = n === now ? { "font-weight": 700 } : {};
    const at = places[n];
    const named = at && text({ x: at[0], y: at[1] + SIZE * 0.35 }, plane.names[n], { "text-anchor": "middle", "font-size": SIZE, ...bold });
    const shape = SHAPES[plane.groups[n]](ink);
    shape.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    const [first, second] = plane.points[n];
    const title_ = svg("title", {}, `${plane.names[n]}: ${number(first, 3)}, ${number(second, 3)}`);
    return svg("g", { "data-id": id, "data-group": plane.groups[n] }, title_, shape, ...(named ? [named] : []));
  }

  function ring([x, y]) {
    return svg("circle", { class: "ring", cx: x, cy: y, r: 11, fill: "none", stroke: css(look.text), "stroke-width": 2 });
  }

  // The legend of the groups that occur.
  function legend() {
    let x = SIDE + 8;
    return [...new Set(plane.groups)].sort().flatMap((group) => {
      const shape = SHAPES[group](ink);
      shape.setAttribute("transform", `translate(${x} 14)`);
      const name = text({ x: x + 14, y: 14 + SIZE * 0.35 }, words.groups[group]);
      x += 14 + measure(words.groups[group], SIZE, look.font) + 24;
      return [shape, name];
    });
  }
}

export const percent = (share) => `${Math.round(100 * share)}%`;

// From the plane to the picture, the second component upwards.
function onScreen(points, { left, right, top, bottom }) {
  const [low, high] = [Math.min, Math.max].map((most) => [0, 1].map((n) => most(...points.map((point) => point[n]))));
  const room = [right - left - 2 * MARGIN, bottom - top - 2 * MARGIN];
  const scale = Math.min(...room.map((px, n) => px / (high[n] - low[n] || 1)));
  const middle = [(left + right) / 2, (top + bottom) / 2];
  return ([x, y]) => [
    middle[0] + (x - (low[0] + high[0]) / 2) * scale,
    middle[1] - (y - (low[1] + high[1]) / 2) * scale,
  ];
}
