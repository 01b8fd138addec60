// @ts-check
// What each page answers: from records of the models to the data of its picture, step by step as models finish.

import { filledText } from "../kit/dom.js";
import { panel, waitingPanel } from "../alignment/data.js";
import { beamData } from "../beam_tree/data.js";
import { headsData, numbered, readHead } from "../heads/data.js";
import { contextVectorData } from "../context_vector/data.js";
import { wordDiff } from "../live/diff.js";
import { translate } from "../live/decode.js";
import { joinPieces } from "../kit/piece.js";
import { rotationData } from "../rotation/data.js";
import { checksum, walkthroughData } from "../walkthrough/data.js";

/**
 * @typedef {{
 *   text: string, models: {name: string, title: string, hue: any, head: [number, number] | null}[], beam: number,
 *   asked: Record<string, string | null>, words: Record<string, any>, budget: import("../live/decode.js").Budget,
 *   says: Record<string, any>, note: (sentence: string) => void, pair: string, fixed: Record<string, any>,
 *   load: (name: string) => Promise<import("../live/checkpoint.js").Checkpoint | null>,
 * }} Context
 */

const MOST = 8; // decodes that are remembered: a pick that needs more of one does not search again
/** @type {Map<string, import("../live/recorder.js").Trace>} */
const decoded = new Map();

/**
 * A decode, and a note where its beam had to be narrowed.
 * @param {Context} context
 * @param {import("../live/checkpoint.js").Checkpoint} checkpoint
 * @param {string} name
 * @param {import("../live/recurrent.js").Intervention} [intervention]
 */
function decode({ text, beam, budget, says, note }, checkpoint, name, intervention = {}) {
  const key = JSON.stringify([name, text, beam, intervention]);
  const trace = decoded.get(key) ?? translate(checkpoint, text, { beam }, intervention, { name, budget });
  decoded.delete(key); // and in again, as the latest
  decoded.set(key, trace);
  if (decoded.size > MOST) decoded.delete(decoded.keys().next().value);
  if (trace.decoding.beam < beam) {
    note(filledText(says.narrowed, { pieces: trace.source.length - 1, asked: beam, width: trace.decoding.beam }));
  }
  return trace;
}

/** Several models side by side. @param {Context} context */
async function* translatePage(context) {
  const { text, models, words } = context;
  /** @type {any[]} */
  let panels = models.map(waitingPanel);
  for (const model of models) {
    const checkpoint = await context.load(model.name);
    const asked = new URLSearchParams({ pair: context.pair, text, beam: String(context.beam), model: model.name });
    const shown = { ...model, search: `beam.html?${asked}` };
    const made = checkpoint && panel(decode(context, checkpoint, `${context.pair}/${model.name}`), shown, words);
    panels = panels.flatMap((waiting) => (waiting.title !== model.title ? [waiting] : made ? [made] : []));
    if (panels.length) yield { panels, words, sentence: text, height: 560, compact: false, play: true };
  }
}

/** The one model of a page; nothing where it cannot be loaded. @param {Context} context */
async function only(context) {
  const [model] = context.models;
  const checkpoint = await context.load(model.name);
  return checkpoint && { ...model, checkpoint, trace: decode(context, checkpoint, `${context.pair}/${model.name}`) };
}

/** The walkthrough of attention, with the override of one step that the address asks for. @param {Context} context */
async function* attentionPage(context) {
  const found = await only(context);
  if (!found) return;
  const { checkpoint, trace, hue } = found;
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
  const forced = trace.steps.slice(0, step).map(({ id }, j) => /** @type {[number, number]} */ ([j, id]));
  const bent = decode(context, checkpoint, name, { attention: [[step, row]], forced });
  const [before, after] = wordDiff(trace.text, bent.text);
  const code = `${asked[1]}.${asked[2] ? `s${asked[2]}` : "all"}`;
  yield walkthroughData(bent, checkpoint, { ...shown, id: `${mark}.${code}`, override: { code, step, at, before, after } });
}

/** The one vector of a model without attention. @param {Context} context */
async function* contextPage(context) {
  const found = await only(context);
  if (found) yield contextVectorData(found.trace, found.checkpoint, { model: found.title, hue: found.hue, words: context.words });
}

/** All heads, those that are off, and the vectors of one cell. @param {Context} context */
async function* headsPage(context) {
  const found = await only(context);
  if (!found) return;
  const { checkpoint, trace, title, hue, head } = found;
  const { asked, says, words, note } = context;
  const opening = { kind: "cross", layer: head?.[0] ?? 0, head: head?.[1] ?? 0 };
  const read = (/** @type {string} */ code, /** @type {string} */ wrong) => {
    const there = readHead(code, trace);
    if (code && !there) note(filledText(wrong, { name: code.slice(0, 40) }));
    return there;
  };
  const chosen = read(asked.head ?? "", says.no_head) ?? opening;
  const codes = [...new Set((asked.off ?? "").split("_").filter(Boolean))].sort();
  const off = codes.map((code) => read(code, says.no_off)).filter((place) => place && place.layer !== null && place.head !== null);
  const heads_off = off.map(({ kind, layer, head }) => /** @type {[string, number, number]} */ ([kind, layer, head]));
  const after = off.length ? decode(context, checkpoint, trace.model, { heads_off }) : null;
  const cell = /^[01]\.t\d{1,3}s\d{1,3}$/.test(asked.pick ?? "");
  yield headsData(trace, {
    ...{ chosen, opening, off, after, hue, words, model: title, run: asked.run === "before" ? "before" : "after" },
    vectors: asked.pane === "cell" || cell,
    pane: "grid",
    panes: context.fixed.panes,
    effect: after ? effectOf(context, checkpoint, trace, after, off, heads_off) : ordinary(trace, says),
  });
}

const signed = (/** @type {number} */ value) => value.toFixed(2).replace("-", "\u2212");

/** @param {import("../live/recorder.js").Trace} trace @param {Record<string, any>} says @returns {import("../heads/data.js").Effect} */
const ordinary = (trace, says) => ({
  sentence: filledText(says.all_on, { value: signed(trace.log_probability) }),
  texts: [[says.translation, [[trace.text || says.nothing, false]]]],
});

/**
 * What became of the translation without some heads, and of the old one's log P.
 * @param {Context} context
 * @param {import("../live/checkpoint.js").Checkpoint} checkpoint
 * @param {import("../live/recorder.js").Trace} trace
 * @param {import("../live/recorder.js").Trace} after
 * @param {import("../heads/statistics.js").Head[]} off
 * @param {[string, number, number][]} heads_off
 * @returns {import("../heads/data.js").Effect}
 */
function effectOf({ text, says, words }, checkpoint, trace, after, off, heads_off) {
  const forced = trace.steps.map(({ id }, j) => /** @type {[number, number]} */ ([j, id]));
  const same = translate(checkpoint, text, { max_length: forced.length }, { heads_off, forced });
  const names = off.map((head) => numbered(words.names[head.kind], head)).join(", ");
  const values = {
    heads: off.length <= 2 ? names : filledText(says.heads, { count: off.length }),
    before: signed(trace.log_probability),
    after: signed(same.log_probability),
    new: signed(after.log_probability),
  };
  /** @type {[string, boolean][]} */
  const whole = [[trace.text || says.nothing, false]];
  if (after.text === trace.text) return { sentence: filledText(says.heads_same, values), texts: [[says.before_and_after, whole]] };
  const [, changed] = wordDiff(trace.text, after.text);
  const texts = /** @type {[string, [string, boolean][]][]} */ ([[says.before_label, whole], [says.after_label, changed.length ? changed : [[says.nothing, true]]]]);
  return { sentence: filledText(says.heads_changed, values), texts };
}

/** The tree of the search, under what-ifs, with greedy search laid over it. @param {Context} context */
async function* beamPage(context) {
  const found = await only(context);
  if (!found) return;
  const { checkpoint, trace, title, hue } = found;
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
  const forced = (/** @type {number[]} */ ids) => ids.map((id, j) => /** @type {[number, number]} */ ([j, id]));
  const change = whatifs.length ? { forced: forced(prefix), forbidden } : {};
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
    const there = decode(context, checkpoint, trace.model, { ...change, forced: forced(candidate) });
    lines.push({ kind: "candidate", name: says.candidate, trace: there, ...penalties });
  }
  const colors = { hue, ...context.fixed.colors };
  const width = searched.decoding.beam;
  yield beamData(searched, vocabulary, { model: title, name: name(width), lines, whatifs, branch, colors, words });
}

/** Positional encodings of the sentence. @param {Context} context */
async function* positionsPage(context) {
  const [{ name, hue }] = context.models;
  const checkpoint = await context.load(name);
  if (!checkpoint) return;
  const pieces = [...checkpoint.vocabulary.cut(context.text).pieces, "<eos>"];
  const D = checkpoint.config.width;
  yield rotationData(pieces, D, { title: filledText(context.says.turn, { D }), hue, words: context.words });
}

/** @type {Record<string, (context: Context) => AsyncGenerator<any>>} */
export const ANSWERS = {
  index: translatePage,
  no_attention: contextPage,
  additive: attentionPage,
  dot: attentionPage,
  transformer: headsPage,
  positions: positionsPage,
  beam: beamPage,
};
