// @ts-check
// The subword vocabulary: text to pieces and ids, by the unigram model of a sentencepiece file (Kudo 2018), and back.
// Normalization comes first (normalization.js): the files have none of their own. nmtcore/text/vocabulary.py does the same;
// the sentencepiece library does there what is written out here.

import { SPACE, normalize } from "./normalization.js";

export const PAD = 0;
export const UNK = 1;
export const SOS = 2;
export const EOS = 3;
export const SPECIAL = ["<pad>", "<unk>", "<sos>", "<eos>"];
const UNKNOWN_TEXT = "\u2047"; // what a generated <unk> looks like in text
export const CONTINUED = "\u22ef"; // shown for the further bytes of a character
const UNKNOWN_PENALTY = 10; // below the least score of a piece: the score of an unknown character
const BYTE = /^<0x([0-9A-F]{2})>$/;
const [NORMAL, BYTES] = [1, 6]; // types of a piece in the file

/** @typedef {{ids: number[], pieces: string[]}} Subwords the id of each piece, and the piece as it is shown */

export class Vocabulary {
  /** @param {Uint8Array} file a sentencepiece model */
  constructor(file) {
    const read = readPieces(file);
    /** @type {string[]} */
    this.pieces = read.map(({ piece }) => piece);
    /** @type {Map<string, {id: number, score: number}>} what can be found in a text */
    this.known = new Map();
    this.longest = 1; // characters of a piece
    this.unknownScore = Math.min(...read.filter(({ type }) => type === NORMAL).map(({ score }) => score)) - UNKNOWN_PENALTY;
    /** @type {Map<number, number>} the ids of the bytes */
    this.bytes = new Map();
    read.forEach(({ piece, score, type }, id) => {
      if (type === BYTES) this.bytes.set(parseInt(piece.slice(3, 5), 16), id);
      if (type !== NORMAL) return;
      this.known.set(piece, { id, score });
      this.longest = Math.max(this.longest, [...piece].length);
    });
  }

  /**
   * Cut a text into subwords, without `<eos>`: the likeliest segmentation (Viterbi).
   * @param {string} text
   * @returns {Subwords}
   */
  cut(text) {
    const spaced = normalize(text).split(" ").filter(Boolean).join(SPACE);
    if (!spaced) return { ids: [], pieces: [] };
    const characters = [...(SPACE + spaced)];
    /** @type {number[]} */
    const ids = [];
    /** @type {string[]} */
    const names = [];
    for (const { id, text } of this.viterbi(characters)) {
      if (id === UNK && this.bytes.size) {
        const codes = [...new TextEncoder().encode(text)];
        ids.push(...codes.map((code) => this.bytes.get(code)));
        names.push(...codes.map((code) => this.pieces[this.bytes.get(code)]));
      } else {
        ids.push(id);
        names.push(id === UNK ? text.replaceAll(SPACE, " ").trim() || text : this.pieces[id]);
      }
    }
    return { ids, pieces: readableBytes(names) };
  }

  /**
   * The best segmentation: for every position the best last piece and its score. Unknown characters in a row are one piece.
   * @param {string[]} characters
   */
  viterbi(characters) {
    const score = new Float32Array(characters.length + 1).fill(-Infinity); // float32, as in the library: ties are its ties
    /** @type {{id: number, start: number}[]} */
    const last = [];
    score[0] = 0;
    for (let start = 0; start < characters.length; start++) {
      let [text, single] = ["", false];
      for (let end = start + 1; end <= Math.min(characters.length, start + this.longest); end++) {
        text += characters[end - 1];
        const piece = this.known.get(text);
        if (!piece) continue;
        single ||= end === start + 1;
        const total = Math.fround(score[start] + piece.score);
        if (total > score[end]) [score[end], last[end]] = [total, { id: piece.id, start }];
      }
      const total = Math.fround(score[start] + this.unknownScore);
      if (!single && total > score[start + 1]) [score[start + 1], last[start + 1]] = [total, { id: UNK, start }];
    }
    const parts = [];
    for (let end = characters.length; end > 0; end = last[end].start) {
      const { id, start } = last[end];
      const text = characters.slice(start, end).join("");
      if (id === UNK && parts[0]?.id === UNK) parts[0].text = text + parts[0].text;
      else parts.unshift({ id, text });
    }
    return parts;
  }

  /** The pieces with these ids, as they are shown. @param {number[]} ids */
  tokens(ids) {
    return readableBytes(ids.map((id) => this.pieces[id]));
  }

  /**
   * Detokenise: the text of generated ids; special ids are left out, but `<unk>` is shown as \u2047.
   * @param {number[]} ids
   */
  decode(ids) {
    let text = "";
    /** @type {number[]} */
    let codes = [];
    const flush = () => {
      text += new TextDecoder().decode(Uint8Array.from(codes)); // invalid bytes become U+FFFD
      codes = [];
    };
    for (const id of ids.filter((id) => ![PAD, SOS, EOS].includes(id))) {
      const code = BYTE.exec(this.pieces[id]);
      if (code) {
        codes.push(parseInt(code[1], 16));
        continue;
      }
      flush();
      text += id === UNK ? UNKNOWN_TEXT : this.pieces[id];
    }
    flush();
    return text.replaceAll(SPACE, " ").trim();
  }
}

/**
 * Byte pieces such as <0xC3><0xA9> as their character, followed by CONTINUED for each further byte.
 * @param {string[]} pieces bytes that form no character stay as they are
 */
function readableBytes(pieces) {
  const shown = [...pieces];
  let start = 0;
  while (start < shown.length) {
    let end = start;
    let character = null;
    while (character === null && end < pieces.length && BYTE.test(pieces[end]) && end - start < 4) {
      end++;
      character = utf8(pieces.slice(start, end).map((piece) => parseInt(piece.slice(3, 5), 16)));
    }
    if (character === null) start++;
    else {
      shown.splice(start, end - start, character, ...Array(end - start - 1).fill(CONTINUED));
      start = end;
    }
  }
  return shown;
}

/** @param {number[]} codes */
function utf8(codes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(codes));
  } catch {
    return null;
  }
}

/**
 * The pieces of a sentencepiece file, a protocol buffer: field 1 of the model is a piece, whose fields are its text,
 * its score and its type.
 * @param {Uint8Array} file
 */
function readPieces(file) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const entries = [];
  for (const { field, from, to } of fields(view, 0, file.length)) {
    if (field !== 1) continue;
    const entry = { piece: "", score: 0, type: NORMAL };
    for (const part of fields(view, from, to)) {
      if (part.field === 1) entry.piece = new TextDecoder().decode(file.subarray(part.from, part.to));
      if (part.field === 2) entry.score = view.getFloat32(part.from, true);
      if (part.field === 3) entry.type = part.value;
    }
    entries.push(entry);
  }
  return entries;
}

/**
 * @param {DataView} view
 * @param {number} at
 * @param {number} end
 * @returns {Generator<{field: number, from: number, to: number, value: number}>}
 */
function* fields(view, at, end) {
  const varint = () => {
    let [value, shift] = [0, 1];
    for (;;) {
      const byte = view.getUint8(at++);
      value += (byte & 127) * shift;
      if (byte < 128) return value;
      shift *= 128;
    }
  };
  while (at < end) {
    const tag = varint();
    const wire = tag & 7;
    const value = wire === 0 ? varint() : 0;
    const size = wire === 2 ? varint() : wire === 5 ? 4 : wire === 1 ? 8 : 0;
    yield { field: tag >>> 3, from: at, to: at + size, value };
    at += size;
  }
}
