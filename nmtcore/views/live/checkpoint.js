// @ts-check
// Checkpoints: the same three files that `nmtcore.models.checkpoint` reads. Weights are safetensors in float16, or in
// int8 with one scale a row; damaged files are refused with a sentence.

import { filledText } from "../kit/dom.js";
import { PointerGenerator } from "./pointer.js";
import { Recurrent } from "./recurrent.js";
import { Tensor } from "./tensor.js";
import { Transformer } from "./transformer.js";
import { Vocabulary } from "./vocabulary.js";

const FORMAT = 2; // the newest version read: with int8 weights
const SCALE = ".scale"; // suffix of the tensor that holds another tensor's scales

/** An error shown to people: a model that cannot be read, or a text that no model accepts. */
export class PlainError extends Error {
  name = "PlainError";
}

/**
 * @typedef {{model: Recurrent | Transformer, vocabulary: Vocabulary, architecture: string, config: Record<string, any>}} Checkpoint
 */

/**
 * A model ready to translate.
 * @param {Record<string, any>} settings what config.json holds
 * @param {ArrayBuffer} weights model.safetensors
 * @param {ArrayBuffer} pieces vocab.model
 * @param {(sentence: string) => string} [says] translates a sentence of this file
 * @returns {Checkpoint}
 */
export function readCheckpoint(settings, weights, pieces, says = (sentence) => sentence) {
  if (typeof settings?.format !== "number" || !settings.config) throw new PlainError(says("The settings of this model are damaged."));
  if (settings.format > FORMAT) throw new PlainError(says("This model was saved by a newer version of the program."));
  const { architecture, config } = settings;
  const Model = settings.class === "TransformerConfig" ? Transformer : config.copying ? PointerGenerator : Recurrent;
  const other = settings.class === `${Model.family}Config` ? unknownSetting(config, Model.runs) : settings.class;
  if (other) throw new PlainError(filledText(says("This model needs the app: a browser does not run {setting}."), { setting: other }));
  const vocabulary = new Vocabulary(new Uint8Array(pieces));
  if (vocabulary.pieces.length !== config.vocab_size) throw new PlainError(says("The vocabulary does not belong to this model."));
  const tensors = readWeights(weights, says);
  try {
    return { model: new Model(config, tensors), vocabulary, architecture, config };
  } catch (error) {
    if (error instanceof TypeError) throw new PlainError(says("The weights of this model do not fit its settings."));
    throw error;
  }
}

/**
 * The first setting outside the table of what a model runs, as in config.json; or nothing.
 * @param {Record<string, any>} config
 * @param {import("./recurrent.js").Runs} runs
 */
function unknownSetting(config, runs) {
  const other = Object.entries(config).find(([name, value]) => name in runs ? runs[name] && !runs[name].includes(value) : true);
  return other && other.join(": ");
}

/**
 * The tensors of a safetensors file, as float32.
 * @param {ArrayBuffer} file
 * @param {(sentence: string) => string} [says]
 * @returns {Map<string, Tensor>}
 */
export function readWeights(file, says = (sentence) => sentence) {
  const damaged = () => new PlainError(says("The weights of this model are damaged or incomplete."));
  if (file.byteLength < 8) throw damaged();
  const length = Number(new DataView(file).getBigUint64(0, true));
  if (8 + length > file.byteLength) throw damaged();
  let header;
  try {
    header = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 8, length)));
  } catch {
    throw damaged();
  }
  delete header.__metadata__;
  const stored = (/** @type {string} */ name) => {
    const { data_offsets: [from, to] } = header[name];
    if (8 + length + to > file.byteLength) throw damaged();
    return file.slice(8 + length + from, 8 + length + to); // a copy, which is aligned
  };
  const tensors = new Map();
  for (const [name, { dtype, shape }] of Object.entries(header)) {
    if (name.endsWith(SCALE)) continue;
    const data = stored(name);
    if (dtype === "I8") {
      if (!header[name + SCALE]) throw damaged();
      tensors.set(name, dequantise(new Int8Array(data), shape, halves(new Uint16Array(stored(name + SCALE)))));
    } else if (dtype === "F16") {
      tensors.set(name, new Tensor(shape, halves(new Uint16Array(data))));
    } else if (dtype === "F32") {
      tensors.set(name, new Tensor(shape, new Float32Array(data)));
    } else throw damaged();
  }
  for (const { data } of tensors.values()) if (!Number.isFinite(data[0] + data[data.length - 1])) throw damaged();
  return tensors;
}

/**
 * Dequantise: int8 levels times their rows' scales, rounded to float16, as float32.
 * @param {Int8Array} levels
 * @param {number[]} shape
 * @param {Float32Array} scales one a row
 */
export function dequantise(levels, shape, scales) {
  const tensor = new Tensor(shape);
  const { data, width } = tensor;
  for (let row = 0, i = 0; row < scales.length; row++) {
    for (const end = i + width; i < end; i++) data[i] = levels[i] * scales[row]; // exact in float32: 7 + 11 bits
  }
  const bits = new Uint32Array(data.buffer); // to 10 bits after the binary point, half to even
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] + 0xfff + ((bits[i] >>> 13) & 1)) & ~0x1fff;
  return tensor;
}

/** float16 numbers as float32. @param {Uint16Array} stored */
export function halves(stored) {
  const values = new Float32Array(stored.length);
  for (let i = 0; i < stored.length; i++) {
    const [exponent, fraction] = [(stored[i] >>> 10) & 31, stored[i] & 1023];
    const magnitude =
      exponent === 31 ? (fraction ? NaN : Infinity)
      : exponent ? (1 + fraction / 1024) * POWERS[exponent]
      : (fraction / 1024) * POWERS[1];
    values[i] = stored[i] >>> 15 ? -magnitude : magnitude;
  }
  return values;
}
const POWERS = Float64Array.from({ length: 32 }, (_, exponent) => 2 ** (exponent - 15));
