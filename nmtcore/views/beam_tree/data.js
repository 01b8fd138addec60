// @ts-check
// Beam search as plain data, made in the browser: what beam_tree/data.py and search.py make of records on a server.

import { wordDiff } from "../live/diff.js";
import { lengthPenalty, path } from "../live/recorder.js";

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
  const score = (/** @type {BeamNode} */ { total, step, coverage }) => total / lengthPenalty(step, alpha) + beta * coverage;
  return ends.sort((a, b) => score(b) - score(a));
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
  const tree = grown(trace);
  const drawn = lines.map((line) => {
    const nodes = path(line.trace.beam, ranked(line.trace, line.alpha, line.beta)[0]);
    const last = nodes[nodes.length - 1];
    return {
      kind: line.kind,
      name: line.name,
      text: text(nodes),
      path: line.kind === "candidate" ? [] : tree.graft(nodes),
      tokens: nodes.map(({ token }) => token),
      log_probabilities: nodes.map(({ log_probability }) => log_probability),
      total: last.total,
      coverage: last.coverage,
      length: nodes.length,
      diffs: Object.fromEntries(ends.map((end) => [end.id, wordDiff(end.text, text(nodes))])),
    };
  });
  const attention = trace.attention.some(({ kind }) => kind === "cross");
  return {
    width,
    attention,
    grid: false,
    nodes: tree.columns(),
    ends: ends.sort((a, b) => a.id - b.id),
    lines: drawn,
    stamp: JSON.stringify([trace.model, trace.source_text, width, trace.intervention]),
    sentence: trace.source_text,
    model,
    name,
    whatifs,
    penalties: { alpha: 0.6, beta: 0 },
    defaults: { alpha: 0.6, beta: 0 },
    step: 0,
    whole: false,
    mode: "step",
    branch,
    colors,
    words,
  };
}

/** The nodes of a search, to which the paths of other searches can be added. @param {Trace} trace */
function grown({ beam }) {
  /** @type {{parent: number, node: BeamNode, fate: string}[]} */
  const nodes = beam.map((node) => ({ parent: node.parent, node, fate: fateOf(node) }));
  const children = new Map(beam.map(({ parent, token_id, id }) => [`${parent}.${token_id}`, id]));
  return { graft, columns };

  /** The ids of a path's nodes; missing ones are added at the end. @param {BeamNode[]} added */
  function graft(added) {
    let at = 0;
    return added.map((node) => {
      const key = `${at}.${node.token_id}`;
      if (!children.has(key)) {
        children.set(key, nodes.length);
        nodes.push({ parent: at, node, fate: "beside" });
      }
      at = children.get(key);
      return at;
    });
  }

  function columns() {
    const column = (/** @type {keyof BeamNode} */ name) => nodes.map(({ node }) => node[name]);
    const plain = ["step", "token", "token_id", "log_probability", "total", "coverage"];
    return {
      parent: nodes.map(({ parent }) => parent),
      ...Object.fromEntries(plain.map((name) => [name, column(/** @type {keyof BeamNode} */ (name))])),
      rank: nodes.map(({ node, fate }) => (fate === "beside" ? 0 : node.rank)),
      fate: nodes.map(({ fate }) => fate),
    };
  }
}

/** The node's fate, whoever wins. @param {BeamNode} node */
const fateOf = ({ fate, token }) => (fate !== "winner" ? fate : token === "<eos>" ? "finished" : "kept");
