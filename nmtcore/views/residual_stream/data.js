// @ts-check
// The residual stream as plain data, made in the browser: what residual_stream/data.py makes of records on a server.

import { inBase64 } from "../kit/binary.js";
import { logitLens, runLayers } from "../live/layers.js";
import { decoderInputs } from "../live/recorder.js";
import { Tensor, add, dot } from "../live/tensor.js";
import { four } from "../kit/number.js";
import { nameAt, pieceName, vocabularyName } from "../kit/piece.js";
import { wordOf } from "../live/words.js";

const SHOWN = 16; // numbers of each vector
const FULL = 32767; // the 16-bit number that stands for the largest of a vector
const COLUMNS = 13; // columns of the logit lens; for a deeper model, layers only
const SWITCHES = { encoder: ["attention", "feedforward", "residual", "norm"], decoder: ["attention", "cross", "feedforward", "residual", "norm"] };

const lengthOf = (/** @type {Float32Array} */ row) => Math.sqrt(dot(row, row));
const named = (/** @type {string[]} */ pieces) => pieces.map((_, i) => nameAt(pieces, i, wordOf(pieces)));

/**
 * @param {import("../live/recorder.js").Trace} trace with the parts of layers that are off
 * @param {import("../live/checkpoint.js").Checkpoint} checkpoint
 * @param {{model: string, hue: string, effect: string[][], words: Record<string, any>}} shown
 */
export function residualStreamData(trace, checkpoint, { model, hue, effect, words }) {
  const { config } = checkpoint;
  const transformer = /** @type {import("../live/transformer.js").Transformer} */ (checkpoint.model);
  const layers = runLayers(transformer, trace);
  const inputs = ["<sos>", ...trace.target].slice(0, trace.target.length);
  const long = trace.target.slice(0, -1).map((piece) => [...pieceName(piece)].length);
  const side = (/** @type {"encoder" | "decoder"} */ stack) => {
    const { start, stages } = layers[stack];
    const lens = [{ part: "embedding", layer: 0, stream: start }, ...stages.map((stage) => ({ ...stage, layer: stage.layer + 1 }))];
    const ids = stack === "encoder" ? trace.source_ids : decoderInputs(trace.steps);
    const embedding = transformer.embed(ids, stack === "encoder" || config.tied ? "embed.weight" : "embed_target.weight", null);
    return {
      stack,
      names: named(stack === "encoder" ? trace.source : trace.target),
      reads: named(stack === "encoder" ? trace.source : inputs),
      predicts: stack === "encoder" ? null : named(trace.target),
      switches: SWITCHES[stack],
      layers: Array.from({ length: stages[stages.length - 1].layer + 1 }, (_, i) => layerRows(layers[stack], i, stack, trace, config, embedding)),
      lens: lens.map(({ part, layer, stream }) => ({
        part,
        layer,
        says: logitLens(transformer, stream, stack).map((said) =>
          said.map(({ id, value }) => [vocabularyName(checkpoint.vocabulary.pieces[id]), id, Number(value.toPrecision(4))]),
        ),
      })),
      columns: lens.flatMap(({ part }, n) => (lens.length <= COLUMNS || part === "embedding" || part === "feedforward" ? [n] : [])),
    };
  };
  return {
    model,
    sentence: trace.source_text,
    hue,
    norm: config.norm,
    heads: config.heads,
    width: config.width,
    count: Math.min(SHOWN, config.width),
    opens: `t${Math.max(0, long.indexOf(Math.max(...long)))}`,
    off: (trace.intervention.parts_off ?? []).map(([stack, layer, part]) => `${stack}.${layer + 1}.${part}`),
    effect,
    stacks: { s: side("encoder"), t: side("decoder") },
    words,
  };
}

/**
 * The vectors of one layer, in the order of computation. says: the column of the logit lens that reads a stream.
 * @param {import("../live/layers.js").Layers} run
 * @param {number} index
 * @param {"encoder" | "decoder"} stack
 * @param {import("../live/recorder.js").Trace} trace
 * @param {Record<string, any>} config
 * @param {Tensor} embedding
 */
function layerRows({ start, stages }, index, stack, { intervention }, config, embedding) {
  const place = add(start, embedding.map((value) => -value));
  /** @type {import("./record.js").Row[]} */
  const rows = index ? [] : [rowOf(config.scale_embedding ? "scaled" : "embedding", embedding, { times: "" }), rowOf("place", place, { times: "" })];
  const first = stages.findIndex(({ layer }) => layer === index);
  const own = stages.filter(({ layer }) => layer === index);
  rows.push(rowOf("stream", own[0].before, { says: first }));
  const off = (intervention.parts_off ?? []).filter(([s, i]) => s === stack && i === index).map(([, , part]) => part);
  const [alone, unnormed, pre] = [off.includes("residual"), off.includes("norm"), config.norm === "pre"];
  own.forEach((stage, n) => {
    const { part, before, added } = stage;
    const fed = part === "feedforward";
    if (pre) rows.push(rowOf(unnormed ? "unnormed" : "read", stage.read));
    rows.push(fed ? innerLayer(stage.inner) : rowOf("contexts", stage.inner, { note: "joined" }));
    const note = off.includes(part) ? "off" : fed ? "made_of_inner" : "made_of_contexts";
    const shares = Array.from({ length: added.rows }, (_, t) => {
      const share = lengthOf(added.row(t)) && lengthOf(added.row(t)) / lengthOf(before.row(t));
      return Number.isFinite(share) ? four(share) : null;
    });
    rows.push({ ...rowOf(alone ? "alone" : "added", added, { part, units: fed ? stage.inner.width : null, note }), shares });
    if (!pre && !alone) rows.push(rowOf("total", stage.total));
    rows.push(rowOf(pre || unnormed ? "stream" : "normed", stage.stream, { says: first + n + 1 }));
  });
  return rows;
}

/** The largest units of the inner layer of a feed-forward network. @param {Tensor} inner */
function innerLayer(inner) {
  const rows = Array.from({ length: inner.rows }, (_, t) => inner.row(t));
  const top = Tensor.of(rows.map((row) => row.slice().sort().reverse().subarray(0, SHOWN)));
  const active = rows.map((row) => row.reduce((count, value) => count + Number(value > 0), 0));
  return { ...rowOf("inner", top, { note: "active", active, units: inner.width }), norms: rows.map((row) => four(lengthOf(row))) };
}

/**
 * Vectors of all pieces, (T, D): the first numbers in 16 bits, the largest of each; and their lengths.
 * @param {string} name
 * @param {Tensor} vectors
 * @param {Record<string, any>} [more]
 */
function rowOf(name, vectors, more = {}) {
  const [T, count] = [vectors.rows, Math.min(SHOWN, vectors.width)];
  const rows = Array.from({ length: T }, (_, t) => vectors.row(t));
  const largest = rows.map((row) => row.subarray(0, count).reduce((most, value) => Math.max(most, Math.abs(value)), 0));
  const values = new Int16Array(T * count);
  rows.forEach((row, t) => {
    for (let i = 0; i < count; i++) values[t * count + i] = Math.round((row[i] / (largest[t] || 1)) * FULL);
  });
  return { name, values: inBase64(values), largest: largest.map(four), norms: rows.map((row) => four(lengthOf(row))), ...more };
}
