// @ts-check
// The answers of the Transformer page: its heads, one layer, and a padded batch.

import { filledText } from "../kit/dom.js";
import { headVectors, headsData, readHead } from "../heads/data.js";
import { headParts, runLayers, withoutEachHead } from "../live/layers.js";
import { paddedBatch } from "../live/padding.js";
import { idsOf } from "../live/recorder.js";
import { Tensor } from "../live/tensor.js";
import { EOS } from "../live/vocabulary.js";
import { masksData } from "../masks/data.js";
import { residualStreamData } from "../residual_stream/data.js";
import { decode, forcedTo, only, signed } from "./decoded.js";

/**
 * @typedef {import("./decoded.js").Context} Context
 * @typedef {import("../live/recorder.js").Trace} Trace
 * @typedef {import("../live/checkpoint.js").Checkpoint} Checkpoint
 * @typedef {import("../heads/state.js").Head} Head
 */

const KINDS = ["cross", "encoder", "decoder"]; // in the order of the table
const SHARES = [0.5, 1.5]; // shares of the typed sentence's pieces, for the others in its batch
/** @type {WeakMap<Trace, number[]>} log P of the translation without one head after another */
const scored = new WeakMap();

/** The pane that the address asks for. @param {Context} context */
export async function* transformerPage(context) {
  yield* { layer: layerPane, batch: batchPane }[context.asked.pane ?? ""]?.(context) ?? headsPane(context);
}

/** All heads, those that are off, and the vectors of one cell. @param {Context} context */
async function* headsPane(context) {
  const answer = await only(context);
  if (!answer) return;
  const { checkpoint, trace, title, hue, head, names } = answer;
  const { asked, says, words, note } = context;
  const opening = { kind: "cross", layer: head?.[0] ?? 0, head: head?.[1] ?? 0 };
  const read = (/** @type {string} */ code, /** @type {string} */ wrong) => {
    const there = readHead(code, trace);
    if (code && !there) note(filledText(wrong, { name: code.slice(0, 40) }));
    return there;
  };
  const chosen = read(asked.head ?? "", says.no_head) ?? opening;
  const { off, heads_off } = headsOff(context, trace);
  const after = off.length ? decode(context, checkpoint, trace.model, { heads_off }) : null;
  const run = asked.run === "before" ? "before" : "after";
  const vectors = asked.pane === "cell" || /^[01]\.t\d{1,3}s\d{1,3}$/.test(asked.pick ?? "");
  const single = chosen.layer !== null && chosen.head !== null;
  if (asked.pane === "compare") yield* scoreHeads(context, checkpoint, trace);
  const changes = scored.get(trace) ?? [];
  yield headsData(trace, {
    ...{ chosen, opening, off, after, hue, words, names, run, model: title },
    cell: vectors && single ? cellOf(checkpoint, after && run === "after" ? after : trace, /** @type {any} */ (chosen)) : null,
    changes: changes.length === countOf(trace) ? changes.map((score) => score - trace.log_probability) : null,
    pane: "grid",
    panes: context.fixed.panes,
    note: context.fixed.note,
    rescored: after && rescored(context, checkpoint, trace, heads_off),
  });
}

/** The old translation's log P without some heads. @param {Context} context @param {Checkpoint} checkpoint @param {Trace} trace @param {[string, number, number][]} heads_off */
const rescored = (context, checkpoint, trace, heads_off) =>
  decode({ ...context, beam: 1 }, checkpoint, trace.model, { heads_off, forced: forcedTo(idsOf(trace)) }, trace.steps.length).log_probability;

/** The heads that the address switches off, with a note for each that this model lacks. @param {Context} context @param {Trace} trace */
function headsOff({ asked, says, note }, trace) {
  const codes = [...new Set((asked.off ?? "").split("_").filter(Boolean))].sort();
  const off = codes.flatMap((code) => {
    const place = readHead(code, trace);
    if (place && place.layer !== null && place.head !== null) return [place];
    note(filledText(says.no_off, { name: code.slice(0, 40) }));
    return [];
  });
  return { off, heads_off: off.map(({ kind, layer, head }) => /** @type {[string, number, number]} */ ([kind, layer, head])) };
}

/** How many heads there are. @param {Trace} trace */
const countOf = ({ attention }) => attention.reduce((sum, { layers, heads }) => sum + layers * heads, 0);

/** The score of the translation without each head; yields undefined now and then. @param {Context} context @param {Checkpoint} checkpoint @param {Trace} trace */
async function* scoreHeads({ says, progress }, checkpoint, trace) {
  if (scored.get(trace)?.length === countOf(trace)) return;
  /** @type {number[]} */
  const scores = [];
  for (const kind of KINDS) {
    for (const score of withoutEachHead(checkpoint, trace, kind)) {
      scores.push(score);
      progress(`${says.scoring} ${scores.length} / ${countOf(trace)}`);
      yield null;
    }
  }
  scored.set(trace, scores);
}

/** The vectors before a head's q, k and v and after its values. @param {Checkpoint} checkpoint @param {Trace} trace @param {{kind: string, layer: number, head: number}} place */
function cellOf({ model }, trace, place) {
  const { kind, layer } = place;
  const transformer = /** @type {import("../live/transformer.js").Transformer} */ (model);
  const { stages } = runLayers(transformer, trace)[kind === "encoder" ? "encoder" : "decoder"];
  const part = kind === "cross" ? "cross" : "attention";
  const { read } = stages.find((stage) => stage.layer === layer && stage.part === part);
  const { shape, data } = trace.inner.states; // (1, S, D)
  const keys = kind === "cross" ? new Tensor(shape.slice(1), data) : read;
  return { queries: read, keys, ...headParts(transformer, trace, place, headVectors(trace.inner, place)[2]) };
}

/** The path of every piece through the layers, with parts of them off. @param {Context} context */
async function* layerPane(context) {
  const answer = await only(context);
  if (!answer) return;
  const { checkpoint, trace, title, hue } = answer;
  const { asked, says, note, fixed } = context;
  const { words } = fixed.own.layer;
  const counts = { encoder: checkpoint.config.encoder_layers, decoder: checkpoint.config.decoder_layers };
  const { heads_off } = headsOff(context, trace);
  const parts_off = [...new Set((asked["layer.off"] ?? "").split("_").filter(Boolean))].sort().flatMap((code) => {
    const [, stack, layer, part] = /^(encoder|decoder)\.([1-9]\d{0,2})\.(attention|cross|feedforward|residual|norm)$/.exec(code) ?? [];
    if (stack && Number(layer) <= counts[stack] && (stack === "decoder" || part !== "cross")) return [/** @type {[string, number, string]} */ ([stack, Number(layer) - 1, part])];
    note(filledText(says.no_part, { name: code.slice(0, 40) }));
    return [];
  });
  const off = { ...(parts_off.length && { parts_off }), ...(heads_off.length && { heads_off }) };
  const changed = parts_off.length || heads_off.length;
  const same = changed ? decode({ ...context, beam: 1 }, checkpoint, trace.model, { ...off, forced: forcedTo(idsOf(trace)) }, trace.steps.length) : trace;
  const effect = changed ? beforeAndAfter(says, words, trace, same, decode(context, checkpoint, trace.model, off), parts_off, heads_off.length) : [];
  yield { view: "residual_stream", ...residualStreamData(same, checkpoint, { model: title, hue, effect, words }) };
}

/**
 * The translation with everything on, and with parts off: each with a title, the text and a remark.
 * @param {Record<string, any>} says
 * @param {Record<string, any>} words
 * @param {Trace} trace
 * @param {Trace} same the first, scored by the model with the parts off
 * @param {Trace} after
 * @param {[string, number, string][]} off
 * @param {number} heads
 */
function beforeAndAfter(says, words, trace, same, after, off, heads) {
  const logP = (/** @type {Trace} */ { log_probability }) => filledText(says.log_p, { value: signed(log_probability) });
  const unfinished = (/** @type {Trace} */ { finished }) => (finished ? [] : [says.unfinished]);
  const names = off.map(([stack, layer, part]) => filledText(says[`part_${stack}`], { layers: layer + 1, part: words.parts[part] }));
  if (heads) names.push(filledText(says.heads, { count: heads }));
  const forced = filledText(says.forced_off, { value: logP(same) });
  return [
    [says.before_title, trace.text || says.nothing, [logP(trace), forced, ...unfinished(trace)].join(" · ")],
    [
      filledText(says.after_without, { parts: names.join(", ") }),
      after.text || says.nothing,
      [logP(after), ...unfinished(after), ...(after.text ? [] : [says.no_word])].join(" · "),
    ],
  ];
}

/** The typed sentence, a shorter and a longer one as one batch. @param {Context} context */
async function* batchPane(context) {
  const answer = await only(context);
  if (!answer) return;
  const { checkpoint, trace, hue } = answer;
  const { says, note, fixed } = context;
  const { words, most } = fixed.own.batch;
  const longest = Math.max(trace.source.length, trace.target.length);
  if (longest > most) return note(filledText(says.batch_long, { most, count: longest }));
  const length = (/** @type {string} */ sentence) => checkpoint.vocabulary.cut(sentence).ids.length;
  let left = context.sentences.filter((one) => one !== trace.source_text);
  const others = SHARES.map((share) => {
    const wanted = share * length(trace.source_text);
    const nearest = left.reduce((best, one) => (Math.abs(length(one) - wanted) < Math.abs(length(best) - wanted) ? one : best));
    const after = left.slice(left.indexOf(nearest) + 1);
    left = after.length ? after : left.filter((one) => one !== nearest);
    return nearest;
  });
  others.sort((a, b) => length(a) - length(b));
  const traces = [trace, ...others.map((text) => decode({ ...context, text, beam: 1 }, checkpoint, trace.model))];
  const ended = (/** @type {number[]} */ ids) => (ids[ids.length - 1] === EOS ? ids : [...ids, EOS]);
  const batch = paddedBatch(/** @type {any} */ (checkpoint.model), traces.map(({ source_ids }) => source_ids), traces.map((trace) => ended(idsOf(trace))));
  yield { view: "masks", ...masksData(batch, checkpoint, { model: trace.model, hue, sentences: traces.map(({ source_text }) => source_text), words }) };
}
