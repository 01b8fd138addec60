// @ts-check
// Another word: what a model writes after a candidate that it did not take, or after an expected word, or the expected
// translation; and whether search or the model errs. As pages/translate/instead.py answers in the app.

import { filledText } from "../kit/dom.js";
import { PlainError } from "../live/checkpoint.js";
import { clean } from "../live/clean.js";
import { wordDiff } from "../live/diff.js";
import { idsOf, lengthPenalty } from "../live/recorder.js";
import { limitOf } from "../live/search.js";
import { EOS, UNK } from "../live/vocabulary.js";
import { groupPieces, wordLabel } from "../live/words.js";
import { decode, forcedTo, signed } from "./decoded.js";

/**
 * @typedef {import("./decoded.js").Context} Context
 * @typedef {import("../live/recorder.js").Trace} Trace
 * @typedef {import("../live/checkpoint.js").Checkpoint} Checkpoint
 * @typedef {{ids: number[], start: number, typed: string, whole: boolean}} Another the prefix that search must write, whose
 *   steps from `start` on are not the model's own; typed: the expected text, empty for a candidate; whole: a whole translation
 */

const ANY_SCRIPT = { code: "", name: "", scripts: [] };

/**
 * The verdict that the address asks for; null if it asks for none, or for one that is not there.
 * @param {Context} context
 * @param {{name: string, title: string, trace: Trace}[]} columns the models side by side
 * @returns {Promise<import("../kit/records.js").VerdictRecord | null>}
 */
export async function verdictOf(context, columns) {
  const { says, note, asked: address } = context;
  const asked = address.instead ?? "";
  if (!asked) return null;
  const [, number, piece, token] = /^(\d)\.(\d{1,3})\.(\d{1,7}|=.{1,400})$/.exec(asked) ?? [];
  const [column, step] = [columns[Number(number)], Number(piece)];
  const checkpoint = column && step < column.trace.steps.length ? await context.load(column.name) : null;
  const known = token?.startsWith("=") || Number(token) < (checkpoint?.vocabulary.pieces.length ?? 0);
  if (!checkpoint || !known) {
    note(says.instead_wrong);
    return null;
  }
  const { title, trace: own } = column;
  const nothing = { asked, title: "", parts: [], notes: "", says: [] };
  try {
    const put = another(context, checkpoint, own, step, token);
    const other = decode(context, checkpoint, own.model, { forced: forcedTo(put.ids) });
    const said = [...beside(says, put, own, other), blame(says, own, other)];
    if (put.whole) return { ...nothing, says: said }; // the translation would be there twice
    const notes = [filledText(says.log_p, { value: signed(other.log_probability) }), ...(other.finished ? [] : [says.unfinished])];
    return { asked, title: filledText(says.then_writes, { model: title }), parts: wordDiff(own.text, other.text)[1], notes: notes.join(" · "), says: said };
  } catch (error) {
    if (!(error instanceof PlainError)) throw error;
    return { ...nothing, says: [error.message] };
  }
}

/**
 * @param {Context} context
 * @param {Checkpoint} checkpoint
 * @param {Trace} own
 * @param {number} step
 * @param {string} asked the id of a piece for this step, or after `=` a word in place of this step's, or a whole translation
 * @returns {Another}
 */
function another({ says, limits }, checkpoint, own, step, asked) {
  const ids = idsOf(own);
  if (!asked.startsWith("=")) return { ids: [...ids.slice(0, step), Number(asked)], start: step, typed: "", whole: false };
  const typed = asked.slice(1).trim();
  const whole = typed.split(/\s+/).length > 1;
  const start = whole ? 0 : wordAt(own, step)[0];
  if (!typed) throw new PlainError(says.no_truth);
  const cut = checkpoint.vocabulary.cut(clean(typed, ANY_SCRIPT, { ...limits, characters: Infinity }, says).text);
  const room = limitOf(own.decoding, own.source.length) - 1 - start;
  const most = Math.min(room, limits.pieces, checkpoint.model.maxLength - 1);
  if (cut.ids.length > most) throw new PlainError(filledText(says.long_truth, { count: cut.ids.length, most }));
  const unknown = cut.ids.indexOf(UNK);
  if (unknown >= 0) throw new PlainError(filledText(says.unknown_truth, { piece: cut.pieces[unknown] }));
  return { ids: [...ids.slice(0, start), ...cut.ids, ...(whole ? [EOS] : [])], start, typed, whole };
}

/** log P of the typed text and of the model's own in its place; nothing for a candidate. @param {Record<string, any>} says @param {Another} put @param {Trace} own @param {Trace} other */
function beside(says, { ids, start, typed, whole }, own, other) {
  if (!typed) return [];
  const group = whole ? own.steps.map((_, i) => i) : wordAt(own, start);
  const sum = (/** @type {{log_probability: number}[]} */ steps) => signed(steps.reduce((all, { log_probability: p }) => all + p, 0));
  const values = { own_p: sum(group.map((i) => own.steps[i])), typed_p: sum(other.steps.slice(start, ids.length)), typed, own: wordLabel(own.target, group) };
  return [filledText(whole ? says.truth_p : says.word_p, values)];
}

/** The steps that wrote this step's word. @param {Trace} trace @param {number} step */
const wordAt = ({ target }, step) => groupPieces(target).find((group) => group.includes(step)) ?? [step];

/** Whether search or the model is to blame, if the other translation is the better one. @param {Record<string, any>} says @param {Trace} own @param {Trace} other */
function blame(says, own, other) {
  if (idsOf(other).join() === idsOf(own).join()) return says.own_truth;
  // the score that ranks finished translations
  const score = (/** @type {Trace} */ { log_probability, steps, decoding }) => log_probability / lengthPenalty(steps.length, decoding.alpha);
  const said = score(other) > score(own) ? says.blame_search : says.blame_model;
  return filledText(said, { other: signed(score(other)), own: signed(score(own)) });
}
