// @ts-check
// The enlarged head as alignment panels: which part of the record is shown, and how.

import { captionOf, titleOf } from "./describe.js";
import { filledText } from "../kit/dom.js";
import { hasArrived, sentenceOf, textsOf } from "./effect.js";
import { number } from "../kit/number.js";
import { nameAt } from "../kit/piece.js";
import { weightsOf } from "./maps.js";
import { codeOf, codeParts } from "./state.js";

/**
 * @typedef {import("./describe.js").Described} Heads
 * @typedef {import("./state.js").State} State
 * @typedef {import("./state.js").Place} Place
 */

/**
 * The attention shown: with heads off the new translation's, once it has arrived, or the old one's.
 * @param {Heads} data
 * @param {State} state
 */
export const shownMaps = (data, { off, run }) => (off.size && run === "after" && data.after ? data.after : data.maps);

/**
 * The heads that were off when the shown attention was made: averages exclude them.
 * @param {Heads} data
 * @param {State} state
 */
export function placesOff(data, state) {
  if (shownMaps(data, state) === data.maps) return [];
  return data.effect.off.map(codeParts).filter(({ kind }) => kind === state.kind);
}

// Whether it is an average that includes heads that are off.
const isPartial = (data, state, { layer, head }) =>
  (layer === null || head === null) &&
  placesOff(data, state).some((off) => (layer ?? off.layer) === off.layer && (head ?? off.head) === off.head);

/**
 * The title says when a head is off, or when an average covers only those that are on.
 * @param {string} title
 * @param {Heads} data
 * @param {State} state
 * @param {Record<string, any>} words
 * @param {Place} place
 */
export function titled(title, data, state, words, place) {
  const isOff = placesOff(data, state).some(({ layer, head }) => layer === place.layer && head === place.head);
  const says = isOff ? words.title_off : isPartial(data, state, place) && words.title_on;
  return says ? filledText(says, { head: title }) : title;
}

/** The previewed or chosen head. @param {State} state @returns {Place} */
export const shownPlace = ({ preview, layer, head }) => preview ?? { layer, head };

/**
 * The vectors of a head in the shown run; null if they are not there.
 * @param {Heads} data
 * @param {State} state
 * @param {Place} place
 */
export function vectorsOf(data, state, place) {
  const shown = shownMaps(data, state) === data.maps ? "before" : "after";
  return data.vectors?.name === codeOf({ kind: state.kind, ...place }) && data.vectors.run === shown ? data.vectors : null;
}

/**
 * The shown head as a matrix, as ribbons, or as both. norms: the lengths of what arrives through it, in place of its
 * weights; table: what its CSV is, unless it is its weights; step: of the decode that is played.
 * @param {Heads} data
 * @param {State} state
 * @param {Record<string, any>} words
 * @param {{as: string, norms: {most: number, shares: number[][]} | null, table: (() => any[][]) | null, step(): number | null}} shown
 */
export function headPanels(data, state, words, { as, norms, table, step }) {
  const { kind } = state;
  const map = shownMaps(data, state)[kind];
  const place = shownPlace(state);
  const head = { kind, ...place };
  const title = titleOf(head, data.names, words);
  const [name] = words.kinds[kind];
  const columns = map === data.maps[kind] ? data.columns : data.later;
  const caption = isPartial(data, state, place) ? [] : captionOf(head, columns, words); // its numbers are for all heads
  const panel = {
    title: titled(title, data, state, words, place),
    among: name,
    caption: norms ? [filledText(words.by_norm_caption, { most: number(norms.most) })] : caption,
    hue: data.hue,
    source: map.keys,
    target: map.queries,
    source_words: map.key_words,
    target_words: map.query_words,
    weights: norms?.shares ?? weightsOf(map, place.layer, place.head, placesOff(data, state)),
    unnormalized: Boolean(norms),
    looks: norms ? words.arrives : null,
    kind,
    neighbors: map === data.maps[kind] ? data.neighbors : null, // the page has the vectors of the first translation
    played: kind !== "encoder",
    vector: null,
    translation: "",
    saved: () => ({
      title: titled(filledText(words.saved, { model: data.model, kind: name, head: title }), data, state, words, place),
      notes: savedNotes(data, state, words, map, step()),
    }),
    table,
  };
  const shown = as === "both" ? ["matrix", "ribbons"] : [as];
  return shown.map((way) => ({ ...panel, as: way, twin: shown.length > 1 }));
}

// The lines below the sentence in a saved figure: the played step, the heads that are off and the effect.
/** @param {Heads} data @param {State} state @param {Record<string, any>} words @param {import("../kit/records.js").HeadMap} map @param {number | null} step */
function savedNotes(data, { kind, off }, words, map, step) {
  const count = map.queries.length;
  const whose = off.size ? words[`run_${map === data.maps[kind] ? "before" : "after"}_hint`] : null;
  const played =
    kind !== "encoder" && step && step < count && filledText(words.step, { step, count, word: nameAt(map.queries, step - 1, map.query_words) });
  const { effect } = data;
  const texts = textsOf(effect, words).map(({ label, parts }) => `${label} ${parts.map(([text]) => text).join("")}`);
  const known = off.size && hasArrived(effect, off);
  const after = known ? [[sentenceOf(effect, words), effect.why].filter(Boolean).join(" "), ...texts] : [];
  return [played, ...after, whose].filter(Boolean);
}
