// @ts-check
// Typed text made fit for a model, with a sentence about each change, as in nmtcore/text/source.py and pages/common/text.py do.

import { filledText } from "../kit/dom.js";
import { PlainError } from "./checkpoint.js";
import { normalize, removeInvisible } from "./normalization.js";

const TAG = /<[A-Za-z/!?][^<>]*>/;
const EMOJI = /[\u2600-\u27bf\u2b00-\u2bff\u{1f000}-\u{1faff}][\ufe0e\ufe0f]?/gu;
const LETTER = /\p{L}/u;
const WORD = /[\p{L}\p{N}]/u;
const SCRIPTS = /** @type {Record<string, RegExp>} */ ({ LATIN: /\p{Script=Latin}/u, CJK: /\p{Script=Han}/u });

/**
 * @typedef {{code: string, name: string, scripts: string[]}} Language
 * @typedef {{characters: number, pieces: number}} Limits
 * @typedef {{phrases: Record<string, string>, characters: Record<string, string>}} Table of simplified characters
 */

/**
 * The text as models read it, sentences about what was done to it, and the emoji set apart. Throws PlainError for a text that no model accepts.
 * @param {string} typed
 * @param {Language} language
 * @param {Limits} limits
 * @param {Record<string, any>} says the messages
 * @param {Table | null} [table]
 */
export function clean(typed, language, limits, says, table = null) {
  const [visible, removed] = removeInvisible(typed);
  const simplified = table ? simplify(visible, table) : visible;
  const [text, emoji] = setApart(simplified);
  if (!text) throw new PlainError(removed ? says.invisible : says.empty);
  refuseLong(text, limits, says);
  const notes = [
    removed === 1 && filledText(says.removed, { count: removed }),
    removed > 1 && filledText(says.removed_several, { count: removed }),
    emoji && filledText(says.emoji, { emoji }),
    simplified !== visible && filledText(says.simplified, { text }),
    TAG.test(text) && says.tags,
    text.includes("▁") && says.mark,
    !LETTER.test(text) && says.no_words,
    otherScript(text, language) && filledText(says.script, { language: language.name }),
  ];
  return { text, notes: /** @type {string[]} */ (notes.filter(Boolean)), emoji };
}

/** The text without its emoji, and the emoji; a text of emoji alone stays as it is. @param {string} text */
function setApart(text) {
  const words = text.replace(EMOJI, " ").split(/\s+/).filter(Boolean).join(" ");
  const emoji = (text.match(EMOJI) ?? []).join("");
  return emoji && WORD.test(words) ? [words, emoji] : [text, ""];
}

/** @param {string} text @param {Limits} limits @param {Record<string, any>} says */
function refuseLong(text, limits, says) {
  const characters = [...normalize(text)].length;
  if (characters > limits.characters) throw new PlainError(counted(says.characters, characters, limits.characters));
}

/** A sentence with numbers as Python's `{count:,}` writes them. @param {string} sentence @param {number} count @param {number} limit */
export const counted = (sentence, count, limit) =>
  filledText(sentence.replaceAll(":,}", "}"), { count: grouped(count), limit: grouped(limit) });
const grouped = (/** @type {number} */ number) => number.toLocaleString("en-US");

/** Whether fewer than half of the letters are in the language's script. @param {string} text @param {Language} language */
function otherScript(text, { scripts }) {
  const letters = [...text].filter((c) => /\p{L}/u.test(c));
  if (!scripts.length || !letters.length) return false;
  const own = letters.filter((c) => scripts.some((script) => SCRIPTS[script]?.test(c)));
  return 2 * own.length < letters.length;
}

/**
 * Mandarin in simplified characters, by OpenCC's tables: the longest phrases first, then characters; twice, since one
 * character has a second step.
 * @param {string} text
 * @param {Table} table
 */
function simplify(text, table) {
  const once = (/** @type {string} */ text) => convert([...text], table).join("");
  return once(once(text));
}

/** @param {string[]} characters @param {Table} table */
function convert(characters, { phrases, characters: single }) {
  const longest = Math.max(0, ...Object.keys(phrases).map((phrase) => [...phrase].length));
  for (let length = Math.min(longest, characters.length); length > 1; length--) {
    for (let start = 0; start + length <= characters.length; start++) {
      const phrase = characters.slice(start, start + length).join("");
      if (!Object.hasOwn(phrases, phrase)) continue;
      const [before, after] = [characters.slice(0, start), characters.slice(start + length)];
      const table = { phrases, characters: single };
      return [...convert(before, table), phrases[phrase], ...convert(after, table)];
    }
  }
  return characters.map((c) => (Object.hasOwn(single, c) ? single[c] : c));
}
