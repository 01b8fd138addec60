// @ts-check
// Weights: fetched once, with progress, and kept in the browser's cache. If there is none, as in some private windows,
// they are fetched again with each page.

import { filledText } from "../kit/dom.js";
import { PlainError } from "../live/checkpoint.js";

const KEPT = "alignment-lab-models"; // the cache; file names contain a hash of the content

/**
 * @param {URL} address
 * @param {number} bytes that the file has
 * @param {string} model its title
 * @param {Record<string, any>} says the messages
 * @param {(bytes: number) => void} heard how many have arrived
 * @returns {Promise<ArrayBuffer>}
 */
export async function fetchKept(address, bytes, model, says, heard) {
  const cache = await opened();
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

/** The cache, or null if the browser provides none. */
async function opened() {
  try {
    return await caches.open(KEPT);
  } catch {
    return null;
  }
}
