// Files of a model in the browser: how stored numbers are read, and what damaged files are refused with.

import assert from "node:assert/strict";
import { test } from "node:test";

import { dequantise, halves, readCheckpoint, readWeights } from "../../nmtcore/views/live/checkpoint.js";

// A safetensors file of tensors {name: [dtype, shape, bytes]}.
function file(tensors) {
  let at = 0;
  const header = {};
  for (const [name, [dtype, shape, bytes]] of Object.entries(tensors)) {
    header[name] = { dtype, shape, data_offsets: [at, at + bytes.length] };
    at += bytes.length;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const all = new Uint8Array(8 + text.length + at);
  new DataView(all.buffer).setBigUint64(0, BigInt(text.length), true);
  all.set(text, 8);
  let place = 8 + text.length;
  for (const [, , bytes] of Object.values(tensors)) {
    all.set(bytes, place);
    place += bytes.length;
  }
  return all.buffer;
}

const bytesOf = (array) => new Uint8Array(array.buffer);
const ROWS = bytesOf(Int8Array.of(-127, 0, 1, 64, 3, 127));
const SCALES = bytesOf(Uint16Array.of(0x3c01, 0x0400)); // 1.0009765625 and 2^-14

test("float16 is read to the last number", () => {
  const found = halves(Uint16Array.of(0x3c00, 0xc000, 0x0001, 0x8400, 0x7bff, 0x7c00));
  assert.deepEqual([...found], [1, -2, 2 ** -24, -(2 ** -14), 65504, Infinity]);
});

test("int8 rows have a scale each, and are rounded to float16, half to even", () => {
  const { data } = dequantise(Int8Array.of(-127, 0, 1, 64, 3, 127), [2, 3], halves(Uint16Array.of(0x3c01, 0x0400)));
  assert.deepEqual([...data], [-127.125, 0, 1.0009765625, 64 * 2 ** -14, 3 * 2 ** -14, 127 * 2 ** -14]);
  const [tie, above] = dequantise(Int8Array.of(5, 3), [2, 1], halves(Uint16Array.of(0x3c01, 0x3c03))).data;
  assert.deepEqual([tie, above], [5.00390625, 3.0078125]);
});

test("a file that ends early, or is none, is refused", () => {
  const whole = file({ w: ["I8", [2, 3], ROWS], "w.scale": ["F16", [2, 1], SCALES], b: ["F16", [2], SCALES] });
  assert.deepEqual([...readWeights(whole).keys()], ["w", "b"]);
  for (const length of [0, 7, 20, whole.byteLength - 1]) {
    assert.throws(() => readWeights(whole.slice(0, length)), { name: "PlainError", message: /damaged or incomplete/ });
  }
  for (const other of [file({ w: ["I8", [2, 3], ROWS] }), file({ w: ["U64", [1], SCALES] }), new ArrayBuffer(64)]) {
    assert.throws(() => readWeights(other), { name: "PlainError" });
  }
  const endless = file({ w: ["F16", [2], bytesOf(Uint16Array.of(0x3c00, 0x7c00))] });
  assert.throws(() => readWeights(endless), { name: "PlainError" });
});

test("settings of a newer program, and files of two models, are refused", () => {
  const nothing = new ArrayBuffer(0);
  assert.throws(() => readCheckpoint({ format: 3, config: {} }, nothing, nothing), { message: /newer version/ });
  assert.throws(() => readCheckpoint({}, nothing, nothing), { message: /settings of this model are damaged/ });
  const config = { vocab_size: 7 };
  assert.throws(() => readCheckpoint({ format: 2, class: "RecurrentConfig", config }, nothing, nothing), { message: /does not belong/ });
});

test("settings that are not run here are refused by name", () => {
  const nothing = new ArrayBuffer(0);
  const refused = (kind, config) => {
    let said = "";
    const settings = { format: 2, class: kind, config };
    assert.throws(() => readCheckpoint(settings, nothing, nothing), (error) => (said = error.message) && error.name === "PlainError");
    return said;
  };
  const others = {
    TransformerConfig: [
      { activation: "swish" },
      { sinusoids: "halves" },
      { sinusoids: "marian" },
      { output_bias: true },
      { tied_output: true },
      { concatenate_positions: true },
      { positions: "relative" },
      { positions: "none" },
      { norm: "sandwich" },
      { gated: true },
    ],
    RecurrentConfig: [
      { input_feeding: true },
      { locality: "monotonic" },
      { locality: "predictive" },
      { merge: "sum" },
      { cell: "sru" },
      { attention: "sparse" },
      { context: "default" },
      { residual: true },
    ],
  };
  for (const [kind, configs] of Object.entries(others)) {
    for (const config of configs) {
      const [[name, value]] = Object.entries(config);
      assert.equal(refused(kind, config), `This model needs the app: a browser does not run ${name}: ${value}.`);
    }
  }
  for (const kind of ["DeepRecurrentConfig", "ConvolutionalConfig", "MaskPredictConfig"]) {
    assert.equal(refused(kind, {}), `This model needs the app: a browser does not run ${kind}.`);
  }
});
