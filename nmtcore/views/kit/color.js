// @ts-check
// Colours: the theme as the host hands it over, and weights as shades between its background and a hue.

/**
 * @typedef {number[]} RGB red, green and blue, from 0 to 255
 * @typedef {{background: RGB, text: RGB, muted: RGB, line: RGB, grid: RGB, font: string, grey?: boolean}} Look colours and
 *   letters; grey: for a picture without other colours
 */

const NEGATIVE = [178, 24, 43]; // #B2182B
const POSITIVE = [33, 102, 172]; // #2166AC
const [DARK, LIGHTER] = [[25, 25, 25], [225, 225, 225]]; // the same in a picture without colours, where no hue tells the sign

const LIGHT = { background: [255, 255, 255], text: [31, 36, 48] };

let paper = ""; // "light" or "grey" while a picture is drawn to be saved

/** @param {"" | "light" | "grey"} colors of the pictures that are drawn from now on; "": the theme's */
export const drawFor = (colors) => {
  paper = colors;
};

/** The theme in force at `host`. @param {Element} host @returns {Look} */
export function readLook(host) {
  const probe = document.createElement("span");
  host.append(probe);
  const read = (name, fallback) => {
    probe.style.color = fallback;
    probe.style.color = `var(${name}, ${fallback})`;
    return parse(getComputedStyle(probe).color);
  };
  const { background, text } = paper
    ? LIGHT
    : { background: read("--st-background-color", "#fff"), text: read("--st-text-color", "#1f2430") };
  const font = getComputedStyle(host).fontFamily || "sans-serif";
  probe.remove();
  const shade = (share) => mix(background, text, share);
  const muted = quietColor({ background, text });
  return { background, text, font, grey: paper === "grey", muted, line: shade(0.13), grid: shade(0.07) };
}

/**
 * The colours that a picture's stylesheet uses: quiet words, thin lines, and its one hue if it has one.
 * @param {HTMLElement} root
 * @param {Look} look
 * @param {RGB} [hue]
 */
export function setColors(root, look, hue) {
  const colors = { muted: look.muted, line: look.line, ...(hue && { hue }) };
  for (const [name, color] of Object.entries(colors)) root.style.setProperty(`--${name}`, css(color));
}

export function parse(color) {
  if (color.startsWith("#")) return [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16));
  const numbers = color.match(/[\d.]+/g).map(Number);
  return color.startsWith("color(") ? numbers.slice(0, 3).map((v) => v * 255) : numbers.slice(0, 3);
}

export const mix = (from, to, share) => from.map((v, i) => v + (to[i] - v) * Math.min(1, Math.max(0, share)));

export const quietColor = ({ background, text }) => mix(background, text, 0.66);

export const css = (rgb) => `rgb(${rgb.map(Math.round).join(",")})`;

export const weightColor = (look, hue, weight) => mix(look.background, look.grey ? look.text : hue, weight);

// Signed values: red below zero, blue above, the background's neutral at zero; in greys from dark to light, since one grey
// must not stand for a number and its opposite. `limit` is full colour. All may be zero, as for a head that is off.
export function signedColor(look, value, limit) {
  const share = value / limit || 0;
  if (look.grey) return mix(DARK, LIGHTER, (1 + share) / 2);
  return mix(look.line, value < 0 ? NEGATIVE : POSITIVE, Math.abs(share));
}

/** The grey of such a colour. @param {RGB} rgb */
export function signedGrey([r, , b]) {
  const share = (b - r) / (b < r ? NEGATIVE[0] - NEGATIVE[2] : POSITIVE[2] - POSITIVE[0]);
  return mix(DARK, LIGHTER, (1 + share) / 2);
}

/** A colour as a grey as light as it is. @param {RGB} rgb */
export const greyOf = ([r, g, b]) => Array(3).fill(0.299 * r + 0.587 * g + 0.114 * b);

// The theme's text or background colour, whichever is legible on `rgb`.
export const inkOn = (look, rgb) =>
  contrast(rgb, look.text) >= contrast(rgb, look.background) ? look.text : look.background;

// The hue, moved towards the text colour just far enough for words to be legible on a projector (WCAG: 4.5 to 1).
export const titleColor = (look, hue) => contrasted(look, look.grey ? look.text : hue, 4.5);

// The same for lines and frames (3 to 1).
export const lineColor = (look, hue) => contrasted(look, hue, 3);

function contrasted(look, hue, least) {
  let share = 0;
  while (share < 1 && contrast(mix(hue, look.text, share), look.background) < least) share += 0.05;
  return mix(hue, look.text, share);
}

/** The contrast ratio of two colours, from 1 to 21, as WCAG defines it. @param {RGB} a @param {RGB} b */
export function contrast(a, b) {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

function luminance(rgb) {
  const [r, g, b] = rgb.map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
