// @ts-check
// Beam search as plain data, made in the browser: what beam_tree/data.py makes of records on a server.

import { path } from "../live/recorder.js";
import { FIELDS, scoreOf } from "./record.js";

/**
 * @typedef {import("../live/recorder.js").Trace} Trace
 * @typedef {import("../live/recorder.js").BeamNode} BeamNode
 * @typedef {{kind: string, name: string, trace: Trace, alpha: number, beta: number}} Line another result of the sentence
 */

/** The finished hypotheses, best first; those at the length limit if none has ended. @param {Trace} trace @param {number} alpha @param {number} beta */
export function ranked({ beam }, alpha, beta) {
  const last = Math.max(0, ...beam.map(({ step }) => step));
  const done = beam.filter(({ token, fate }) => token === "<eos>" && ["finished", "winner"].includes(fate));
  const ends = done.length ? done : beam.filter(({ step, fate }) => step === last && ["kept", "winner"].includes(fate));
  return ends.sort((a, b) => scoreOf(b, { alpha, beta }) - scoreOf(a, { alpha, beta }));
}

/**
 * @param {Trace} trace
 * @param {import("../live/vocabulary.js").Vocabulary} vocabulary
 * @param {{model: string, name: string, lines: Line[], whatifs: {code: string, text: string}[], branch: number, colors: any,
 *   words: Record<string, any>}} shown
 */
export function beamData(trace, vocabulary, { model, name, lines, whatifs, branch, colors, words }) {
  const { alpha, beta, beam: width } = trace.decoding;
  const text = (/** @type {BeamNode[]} */ nodes) => vocabulary.decode(nodes.map(({ token_id }) => token_id));
  const ends = ranked(trace, alpha, beta).map((end) => ({ id: end.id, text: text(path(trace.beam, end)) }));
  const drawn = lines.map((line) => {
    const nodes = path(line.trace.beam, ranked(line.trace, line.alpha, line.beta)[0]);
    return { kind: line.kind, name: line.name, text: text(nodes), nodes: columns(nodes) };
  });
  const attention = trace.attention.some(({ kind }) => kind === "cross");
  return {
    width,
    attention,
    grid: false,
    nodes: columns(trace.beam),
    ends: ends.sort((a, b) => a.id - b.id),
    lines: drawn,
    stamp: JSON.stringify([trace.model, trace.source_text, width, trace.intervention]),
    sentence: trace.source_text,
    model,
    name,
    whatifs,
    penalties: { alpha: 0.6, beta: 0 },
    defaults: { alpha: 0.6, beta: 0 },
    branch,
    colors,
    words,
  };
}

/** One list for each field. @param {BeamNode[]} nodes */
const columns = (nodes) =>
  Object.fromEntries(FIELDS.map((name) => [name, nodes.map((node) => (name === "fate" ? fateOf(node) : node[name]))]));

/** The node's fate, whoever wins. @param {BeamNode} node */
const fateOf = ({ fate, token }) => (fate !== "winner" ? fate : token === "<eos>" ? "finished" : "kept");
