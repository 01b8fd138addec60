// Answers questions with the models in JavaScript. Reads one JSON on stdin, {folder, cut, decode}: a model folder, texts
// to cut into pieces, and questions {text, beam, intervention}; writes {cut, traces, seconds, loading} on stdout.

import { readFileSync } from "node:fs";

import { readCheckpoint } from "../../../nmtcore/views/live/checkpoint.js";
import { translate } from "../../../nmtcore/views/live/decode.js";

const { folder, cut = [], decode = [] } = JSON.parse(readFileSync(0, "utf-8"));
const read = (name) => {
  const bytes = readFileSync(`${folder}/${name}`);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
};
// As `Trace.to_json` writes it, but arrays are bytes: as text they would take half of the time.
const packed = ({ shape, data }) => ({
  shape,
  bytes: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64"),
});
const toJson = (trace) => ({
  format: 1,
  ...trace,
  attention: trace.attention.map((map) => ({ ...map, weights: packed(map.weights) })),
  inner: Object.fromEntries(Object.entries(trace.inner).map(([name, array]) => [name, packed(array)])),
});
const began = performance.now();
const checkpoint = readCheckpoint(JSON.parse(readFileSync(`${folder}/config.json`, "utf-8")), read("model.safetensors"), read("vocab.model"));
const loading = (performance.now() - began) / 1000;
const traces = decode.map(({ text, beam, intervention }) => toJson(translate(checkpoint, text, { beam }, intervention)));
process.stdout.write(JSON.stringify({ cut: cut.map((text) => checkpoint.vocabulary.cut(text)), traces, loading }));
