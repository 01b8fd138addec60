// @ts-check
// Links from a piece in a picture to its nearest pieces, in the section "words as vectors" of a page.

import { button, el, filledText } from "./dom.js";
import { quote } from "./notation.js";
import { askToScroll } from "./scroll.js";

const PARAMETER = "vectors"; // key for the address of the page with the section

/**
 * A piece of an axis as the address of the section has it, `s3` or `t0`; null for `<sos>`, which is in no sentence.
 * @param {"cross" | "encoder" | "decoder"} kind of attention
 * @param {"source" | "target"} axis the keys, or the queries
 * @param {number} index
 */
export function codeOf(kind, axis, index) {
  if (kind === "encoder" || (kind === "cross" && axis === "source")) return `s${index}`;
  if (kind === "cross") return `t${index}`;
  return index ? `t${index - 1}` : null; // the decoder reads <sos> first
}

/**
 * A piece of the vocabulary as the address has it, `t.4711`: it need not be in a sentence.
 * @param {"source" | "target"} side whose embedding table has it
 * @param {number} id
 */
export const rowCode = (side, id) => `${side[0]}.${id}`;

/**
 * One link per piece; none if nobody answers and no other page is named.
 * @param {[string, string | null][]} pieces their names, as the picture has them, each with its code
 * @param {Record<string, any>} words of the picture
 * @param {import("./mount.js").Host} host is asked for the section of this page
 * @param {string} [address] of another page that has it
 * @returns {HTMLElement[]}
 */
export function neighborLinks(pieces, words, host, address = "") {
  if (!words.neighbors || (!address && !host.answers)) return []; // if there is no such section, there are no words for it
  const named = new Map(pieces.flatMap(([name, code]) => (code ? [[code, name]] : [])));
  return [...named].map(([code, name]) => {
    const text = filledText(words.neighbors, { piece: quote(name) });
    if (address) return el("a", { class: "neighbors", href: `${address}&${PARAMETER}=${code}` }, text);
    return button(() => askNeighbors(host, code), { class: "neighbors" }, text);
  });
}

/**
 * Opens the section of this page with a piece, and scrolls there.
 * @param {import("./mount.js").Host} host
 * @param {string} code
 */
export function askNeighbors(host, code) {
  host.set({ [PARAMETER]: code });
  askToScroll();
}
