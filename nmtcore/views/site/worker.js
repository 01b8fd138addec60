// @ts-check
// The worker of a page: loads models, answers questions with the data of a picture, and never keeps the page waiting.

import { PlainError, readCheckpoint } from "../live/checkpoint.js";
import { clean, counted } from "../live/clean.js";
import { bytes } from "../kit/binary.js";
import { filledText } from "../kit/dom.js";
import { ANSWERS } from "./answers.js";

/**
 * @typedef {import("./page.js").Question & {id: number, only?: string, sparing: boolean, words: Record<string, any>, fixed: Record<string, any>,
 *   settings: {page: string, pair: import("./page.js").Pair, limits: any, says: Record<string, any>, base: string}}} Asked
 */

const KEPT = "alignment-lab-models"; // the browser's cache of weights; file names contain a hash of the content

let last = 0; // the number of the last question asked
let answered = 0; // of the last one answered
/** @type {Map<string, Promise<import("../live/checkpoint.js").Checkpoint>>} */
const loaded = new Map();
/** @type {Map<string, Promise<any>>} */
const tables = new Map();

/** @type {Map<string, ArrayBuffer>} files that a page has in itself, by their names */
const given = new Map();

addEventListener("message", async ({ data: asked }) => {
  if (asked.given) return void given.set(asked.given, bytes(asked.base64));
  last = asked.id;
  const { says } = asked.settings;
  try {
    if (asked.only) for (const name of asked.models) await load(name, asked).catch(() => null);
    else await answer(asked);
  } catch (error) {
    const plain = error instanceof PlainError ? error.message : filledText(says.failed, { reason: String(error) });
    say(asked, { notes: [plain] });
  }
  answered = asked.id;
  say(asked, { done: true });
});

const say = (/** @type {Asked} */ { id }, /** @type {Record<string, any>} */ message) => postMessage({ id, ...message });

/** @param {Asked} asked */
async function answer(asked) {
  const { page, pair, limits, says, base } = asked.settings;
  if (pair.simplified && !tables.has(pair.simplified)) {
    tables.set(pair.simplified, tableOf(pair.simplified, base));
  }
  const table = pair.simplified ? await tables.get(pair.simplified) : null;
  const { text, notes, emoji } = clean(asked.text, pair.source, limits, says, table);
  say(asked, { notes });
  forget(asked);
  const failed = /** @type {string[]} */ ([]);
  const models = asked.models.map((name) => ({ name, title: pair.models[name].title, hue: pair.models[name].hue, head: pair.models[name].head, names: pair.models[name].names }));
  const context = {
    text,
    emoji,
    models,
    beam: asked.beam,
    asked: asked.asked,
    words: asked.words,
    fixed: asked.fixed,
    pair: asked.pair,
    limits,
    sentences: pair.sentences,
    progress: (/** @type {string} */ working) => say(asked, { working }),
    note: (/** @type {string} */ sentence) => {
      if (!notes.includes(sentence)) notes.push(sentence);
      say(asked, { notes });
    },
    says,
    /** The model of this name, or null and a note if it cannot be loaded. @param {string} name */
    load: async (name) => {
      try {
        const checkpoint = await load(name, asked);
        const pieces = checkpoint.vocabulary.cut(text).ids.length;
        if (pieces > limits.pieces) throw new PlainError(counted(says.pieces, pieces, limits.pieces));
        return checkpoint;
      } catch (error) {
        if (!(error instanceof PlainError)) throw error;
        failed.push(name);
        context.note(error.message);
        return null;
      }
    },
  };
  for await (const picture of ANSWERS[page](context)) {
    await new Promise((done) => setTimeout(done)); // a newer question may have come
    if (asked.id !== last) return;
    if (picture) say(asked, { picture });
  }
}

/** The table of simplified characters, from the page or from the host. @param {string} file @param {string} base */
async function tableOf(file, base) {
  const content = given.get(file);
  return content ? JSON.parse(new TextDecoder().decode(content)) : (await fetch(new URL(file, base))).json();
}

/** Drop another pair's models. @param {Asked} asked */
function forget(asked) {
  const needed = asked.models.map((name) => asked.settings.pair.models[name].weights.file);
  for (const file of loaded.keys()) if (!needed.includes(file)) loaded.delete(file);
}

/** @param {string} name @param {Asked} asked */
function load(name, asked) {
  const { pair, says, base } = asked.settings;
  const { title, settings, weights, vocabulary } = pair.models[name];
  if (asked.sparing) for (const file of loaded.keys()) if (file !== weights.file) loaded.delete(file);
  if (!loaded.has(weights.file)) {
    const fetched = async () => {
      const heard = (/** @type {number} */ count) => {
        if (answered === last) return; // nobody waits for it any more
        const [done, total] = [count, weights.bytes].map((bytes) => (bytes / 1e6).toFixed(1));
        say({ ...asked, id: last }, { loading: { model: title, loaded: done, total } });
      };
      const [tensors, pieces] = await Promise.all([
        given.get(weights.file) ?? fetchKept(new URL(weights.file, base), weights.bytes, title, says, heard),
        given.get(vocabulary.file) ?? fetchKept(new URL(vocabulary.file, base), vocabulary.bytes, title, says, () => {}),
      ]);
      try {
        return readCheckpoint(settings, tensors, pieces, (sentence) => filledText(says.broken, { model: title, reason: says.damaged[sentence] ?? sentence }));
      } catch (error) {
        if (error instanceof PlainError) throw error;
        throw new PlainError(filledText(says.broken, { model: title, reason: says.damaged["The weights of this model are damaged or incomplete."] }), { cause: error });
      }
    };
    loaded.set(weights.file, fetched());
    loaded.get(weights.file)?.catch(() => loaded.delete(weights.file)); // it is fetched again on the next request
  }
  return /** @type {Promise<import("../live/checkpoint.js").Checkpoint>} */ (loaded.get(weights.file));
}

/**
 * Weights: fetched once, with progress, and kept in the browser's cache. If there is none, as in some private windows,
 * they are fetched again with each page.
 * @param {URL} address
 * @param {number} bytes that the file has
 * @param {string} model its title
 * @param {Record<string, any>} says the messages
 * @param {(bytes: number) => void} heard how many have arrived
 * @returns {Promise<ArrayBuffer>}
 */
async function fetchKept(address, bytes, model, says, heard) {
  const open = async () => caches.open(KEPT); // async, since `caches` itself may throw
  const cache = await open().catch(() => null);
  const kept = await cache?.match(address).catch(() => undefined);
  if (kept) {
    const content = await kept.arrayBuffer();
    if (content.byteLength === bytes) return content;
  }
  const file = address.pathname.split("/").pop();
  let response;
  try {
    response = await fetch(address);
  } catch {
    throw new PlainError(filledText(says.offline, { model }));
  }
  if (!response.ok || !response.body) throw new PlainError(filledText(says.missing, { model, file }));
  const content = new Uint8Array(bytes);
  let count = 0;
  try {
    for (const reader = response.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      if (count + value.length <= bytes) content.set(value, count);
      count += value.length;
      heard(count);
    }
  } catch {
    count = -1; // the connection broke off
  }
  if (count !== bytes) throw new PlainError(filledText(says.short, { model, file }));
  await cache?.put(address, new Response(content, { headers: { "Content-Type": "application/octet-stream" } })).catch(() => {});
  return content.buffer;
}
