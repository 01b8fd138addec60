// What a page of the static site answers, under Node: reads one JSON on stdin, {page, models, text, beam, addresses, words},
// with the folder, title, hue and head of each model; writes for each address the last picture, and the notes, on stdout.

import { readFileSync } from "node:fs";

import { ANSWERS } from "../../../nmtcore/views/site/answers.js";
import { readCheckpoint } from "../../../nmtcore/views/live/checkpoint.js";

const { page, folders, addresses, ...context } = JSON.parse(readFileSync(0, "utf-8"));
const buffer = (path) => {
  const bytes = readFileSync(path);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
};
const loaded = {};
const load = (name) => (loaded[name] ??= read(folders[name]));
const read = (folder) => {
  const settings = JSON.parse(readFileSync(`${folder}/config.json`, "utf-8"));
  return readCheckpoint(settings, buffer(`${folder}/model.safetensors`), buffer(`${folder}/vocab.model`));
};
const answers = [];
for (const asked of addresses) {
  const notes = [];
  let picture = null;
  for await (const step of ANSWERS[page]({ ...context, asked, load, progress: () => {}, note: (sentence) => notes.push(sentence) })) picture = step ?? picture;
  answers.push({ picture, notes });
}
process.stdout.write(JSON.stringify(answers));
