// @ts-check
// Masks of a padded batch as plain data, made in the browser: what masks/data.py makes on a server.

import { inBase64 } from "../kit/binary.js";
import { wordOf } from "../live/words.js";

/**
 * @param {import("../live/padding.js").PaddedBatch} batch
 * @param {import("../live/checkpoint.js").Checkpoint} checkpoint
 * @param {{model: string, hue: string, sentences: string[], words: Record<string, any>}} shown
 */
export function masksData({ sources, inputs, lengths, scores }, { vocabulary }, { model, hue, sentences, words }) {
  const pieces = (/** @type {number[][]} */ rows) => rows.map((ids) => ids.map((id) => vocabulary.pieces[id]));
  const [sourcePieces, inputPieces] = [pieces(sources), pieces(inputs)];
  const longest = Math.max(...lengths.inputs);
  return {
    model,
    hue,
    sentence: sentences[0],
    sentences,
    sources: sourcePieces,
    inputs: inputPieces,
    source_words: sourcePieces.map(wordOf),
    input_words: inputPieces.map(wordOf),
    lengths,
    opens: Math.max(0, lengths.inputs.findIndex((length) => length < longest)), // the first whose padding mask hides something
    kinds: Object.fromEntries(
      ["cross", "encoder", "decoder"].map((kind) => [kind, { ...scores[kind], scores: inBase64(scores[kind].scores) }]),
    ),
    words,
  };
}
