// @ts-check
// The answer of each page: from the models' records to the data of its picture, step by step as models finish.

import { filledText } from "../kit/dom.js";
import { panel, waitingPanel } from "../alignment/data.js";
import { beamData } from "../beam_tree/data.js";
import { contextVectorData } from "../context_vector/data.js";
import { wordDiff } from "../live/diff.js";
import { idsOf } from "../live/recorder.js";
import { joinPieces } from "../kit/piece.js";
import { rotationData } from "../rotation/data.js";
import { decode, forcedTo, line, only } from "./decoded.js";
import { verdictOf } from "./instead.js";
import { transformerPage } from "./transformer.js";
import { checksum, walkthroughData } from "../walkthrough/data.js";

/** @typedef {import("./decoded.js").Context} Context */

/** Several models side by side. @param {Context} context */
async function* translatePage(context) {
  const { text, models, words } = context;
  const picture = { words, sentence: text, height: 560, compact: false, play: true, verdict: null };
  /** @type {any[]} */
  let panels = models.map(waitingPanel);
  const columns = [];
  for (const model of models) {
    const checkpoint = await context.load(model.name);
    const asked = new URLSearchParams({ pair: context.pair, text, beam: String(context.beam), model: model.name });
    const shown = { ...model, search: `beam.html?${asked}` };
    const trace = checkpoint && decode(context, checkpoint, `${context.pair}/${model.name}`);
    const made = trace && panel(trace, shown, words);
    if (trace) columns.push({ ...model, trace });
    if (made && context.emoji) {
      made.translation += ` ${context.emoji}`;
      made.parts.push([` ${context.emoji}`, null]);
    }
    panels = panels.flatMap((waiting) => (waiting.title !== model.title ? [waiting] : made ? [made] : []));
    if (panels.length) yield { ...picture, panels };
  }
  const verdict = await verdictOf(context, columns);
  if (verdict) yield { ...picture, panels, verdict };
}

/** The walkthrough of attention, with the override of one step that the address asks for. @param {Context} context */
async function* attentionPage(context) {
  const answer = await only(context);
  if (!answer) return;
  const { checkpoint, trace, hue } = answer;
  const [name, words] = [trace.model, context.words];
  const mark = checksum(name, context.pair, trace.source_text, trace.decoding.beam);
  const shown = { id: mark, mark, name, hue, fixed: context.fixed, override: null, words };
  const asked = /^(\d{1,4})\.(?:s(\d{1,4})|all)\.([0-9a-f]{4})$/.exec(context.asked.override ?? "");
  if (!asked || asked[3] !== mark) return yield walkthroughData(trace, checkpoint, shown);
  const [S, T] = [trace.source.length, trace.target.length];
  const [step, at] = [Number(asked[1]) - 1, asked[2] ? Number(asked[2]) - 1 : null];
  if (step < 0 || step >= T || (at ?? 0) < 0 || (at ?? 0) >= S) {
    context.note(filledText(context.says.bent_beyond, { word: step + 1, words: T, pieces: S }));
    return yield walkthroughData(trace, checkpoint, shown);
  }
  const row = trace.source.map((_, i) => (at === null ? 1 / S : Number(i === at)));
  const forced = forcedTo(idsOf(trace).slice(0, step));
  const bent = decode(context, checkpoint, name, { attention: [[step, row]], forced });
  const [before, after] = wordDiff(trace.text, bent.text);
  const code = `${asked[1]}.${asked[2] ? `s${asked[2]}` : "all"}`;
  yield walkthroughData(bent, checkpoint, { ...shown, id: `${mark}.${code}`, override: { code, step, at, before, after } });
}

/** The one vector of a model without attention. @param {Context} context */
async function* contextPage(context) {
  const answer = await only(context);
  if (!answer) return;
  const picture = contextVectorData(answer.trace, answer.checkpoint, { model: answer.title, hue: answer.hue, words: context.words });
  const lines = [line(context, answer.title, answer.hue, answer.trace)];
  yield { ...picture, translations: [...lines] };
  for (const { name, title, hue } of context.models.slice(1)) {
    const checkpoint = await context.load(name);
    if (checkpoint) lines.push(line(context, title, hue, decode(context, checkpoint, `${context.pair}/${name}`)));
  }
  yield { ...picture, translations: [...lines] };
}

/** The tree of the search, under what-ifs, with greedy search laid over it. @param {Context} context */
async function* beamPage(context) {
  const answer = await only(context);
  if (!answer) return;
  const { checkpoint, trace, title, hue } = answer;
  const { asked, says, words, note, beam } = context;
  const { vocabulary } = checkpoint;
  const name = (/** @type {number} */ width) => (width === 1 ? says.greedy : filledText(says.beam, { width }));
  const text = (/** @type {number[]} */ ids) => joinPieces(vocabulary.tokens(ids)) || "␣";
  const known = (/** @type {number[]} */ ids) => ids.every((id) => id < vocabulary.pieces.length && id > 2);
  /** @type {{code: string, text: string}[]} */
  const whatifs = [];
  /** @type {number[]} */
  let prefix = [];
  /** @type {[number, number][]} */
  let forbidden = [];
  let branch = 0;
  for (const code of (asked.whatif ?? "").split("~").filter(Boolean)) {
    const [on, not] = [/^on\.(\d{1,7}(?:-\d{1,7})*)$/.exec(code), /^not\.(\d{1,4})\.(\d{1,7})$/.exec(code)];
    const ids = on ? on[1].split("-").map(Number) : not ? [Number(not[2])] : [];
    if (!ids.length || !known(ids) || (not && Number(not[1]) < 1)) {
      note(filledText(/^(has|letters)\./.test(code) ? says.whatif_app : says.whatif_wrong, { code }));
      continue;
    }
    if (on) {
      prefix = ids;
      forbidden = forbidden.filter(([step, token]) => prefix[step] !== token);
      branch = ids.length;
    } else {
      const step = Number(not?.[1]) - 1;
      if (prefix[step] === ids[0]) prefix = prefix.slice(0, step);
      forbidden.push([step, ids[0]]);
      branch = step + 1;
    }
    whatifs.push({ code, text: filledText(on ? says.whatif_on : says.whatif_not, { prefix: text(ids), token: text(ids), step: branch }) });
  }
  const change = whatifs.length ? { forced: forcedTo(prefix), forbidden } : {};
  const searched = whatifs.length ? decode(context, checkpoint, trace.model, change) : trace;
  const penalty = (/** @type {"alpha" | "beta"} */ name, /** @type {number} */ usual) => (asked[name] ? Number(asked[name]) || 0 : usual);
  const penalties = { alpha: penalty("alpha", 0.6), beta: penalty("beta", 0) };
  const lines = [];
  if (beam > 1) {
    const greedy = decode({ ...context, beam: 1 }, checkpoint, trace.model, change);
    lines.push({ kind: "greedy", name: says.greedy, trace: greedy, alpha: 0.6, beta: 0 });
  }
  if (whatifs.length) lines.push({ kind: "before", name: says.before, trace, ...penalties });
  const candidate = (asked.compare ?? "").split("-").filter(Boolean).map(Number);
  if (candidate.length && known(candidate)) {
    const there = decode(context, checkpoint, trace.model, { ...change, forced: forcedTo(candidate) });
    lines.push({ kind: "candidate", name: says.candidate, trace: there, ...penalties });
  }
  const colors = { ...context.fixed.colors, hue };
  const width = searched.decoding.beam;
  yield beamData(searched, vocabulary, { model: title, name: name(width), lines, whatifs, branch, colors, words });
}

/** Positional encodings of the sentence, and its translation without them and in another order. @param {Context} context */
async function* positionsPage(context) {
  const [{ name, hue }] = context.models;
  const checkpoint = await context.load(name);
  if (!checkpoint) return;
  const { asked, says, fixed } = context;
  const cut = checkpoint.vocabulary.cut(context.text);
  const D = checkpoint.config.width;
  const picture = rotationData([...cut.pieces, "<eos>"], D, { title: filledText(says.turn, { D }), hue, words: context.words });
  const order = orderOf(asked, cut.ids.length, fixed.orders);
  if (!order) context.note(filledText(says.no_order, { most: fixed.orders.length - 1, count: cut.ids.length }));
  const removed = ["target", "both"].includes(asked.removed ?? "") ? String(asked.removed) : "source";
  const change = /** @type {import("../live/recurrent.js").Intervention} */ ({
    ...(removed !== "target" && { positions: "dropped" }),
    ...(removed !== "source" && { target_positions: "dropped" }),
  });
  const lines = [];
  for (const [names, intervention] of /** @type {const} */ ([[["in_order", "shuffled"], {}], [[`in_order_${removed}`, `shuffled_${removed}`], change]])) {
    const kept = decode(context, checkpoint, name, intervention);
    lines.push(line(context, says[names[0]], hue, kept));
    if (order) {
      const shuffled = { ids: order.map((i) => cut.ids[i]), pieces: order.map((i) => cut.pieces[i]) };
      const moved = decode(context, checkpoint, name, intervention, 0, shuffled);
      lines.push(line(context, says[names[1]], hue, moved, joinPieces(shuffled.pieces), ...(moved.text === kept.text ? [says.same] : [])));
    }
    yield { ...picture, translations: [...lines] };
  }
}

/**
 * An order of `count` pieces: one on offer, or one's own, for which the address names the pieces that
 * come first. Null if there is none for this many pieces.
 * @param {Record<string, string | null>} asked
 * @param {number} count
 * @param {number[][][]} orders by the number of pieces
 * @returns {number[] | null}
 */
function orderOf({ shuffle, order }, count, orders) {
  if (shuffle === "0") {
    const named = new Set((order ?? "").split(".").map((code) => Number(code) - 1).filter((i) => i >= 0 && i < count));
    return [...named, ...Array.from({ length: count }, (_, i) => i).filter((i) => !named.has(i))];
  }
  return orders[count]?.[/^[1-5]$/.test(shuffle ?? "") ? Number(shuffle) - 1 : 1] ?? null;
}

/** @type {Record<string, (context: Context) => AsyncGenerator<any>>} */
export const ANSWERS = {
  index: translatePage,
  no_attention: contextPage,
  additive: attentionPage,
  dot: attentionPage,
  transformer: transformerPage,
  positions: positionsPage,
  beam: beamPage,
};
