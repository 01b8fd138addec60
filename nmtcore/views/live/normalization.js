// @ts-check
// Text normalization: how every text is cleaned before it is cut into pieces, as nmtcore/text/normalization.py does it.

export const SPACE = "\u2581"; // how sentencepiece writes the space before a word
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/u; // control, format (zero-width), surrogate and private characters
const ALIKE = /** @type {Record<string, string>} */ ({ [SPACE]: "_", "\u2019": "'", "\u02bc": "'" });
const EMOJI_PARTS = /[\ufe0e\ufe0f\u20e3]/gu; // variation selectors: they only change the look of the character before
const BLANKS = "\x1c\x1d\x1e\x1f\x85"; // count as spaces in Python, but not in JavaScript; U+FEFF is the reverse

const isSpace = (/** @type {string} */ c) => BLANKS.includes(c) || (c !== "\ufeff" && /\s/u.test(c));
const isInvisible = (/** @type {string} */ c) => INVISIBLE.test(c);

/** `text` in NFKC, without invisible characters, which no vocabulary can hold. @param {string} text */
export function normalize(text) {
  const alike = [...text.replace(EMOJI_PARTS, "")].map((c) => ALIKE[c] ?? c).join("");
  const composed = [...alike.normalize("NFKC")].map((c) => (c === SPACE ? "_" : c));
  return composed.filter((c) => isSpace(c) || !isInvisible(c)).map((c) => (isSpace(c) ? " " : c)).join("");
}

/**
 * `text` in NFC with single spaces and without invisible characters, and the number removed.
 * @param {string} text
 * @returns {[string, number]}
 */
export function removeInvisible(text) {
  const spaced = [...singleSpaces(text.replace(EMOJI_PARTS, "")).normalize("NFC")];
  const visible = spaced.filter((c) => !isInvisible(c));
  return [singleSpaces(visible.join("")), spaced.length - visible.length];
}

/** @param {string} text split where Python splits */
const singleSpaces = (text) =>
  [...text]
    .map((c) => (isSpace(c) ? " " : c))
    .join("")
    .split(" ")
    .filter(Boolean)
    .join(" ");
