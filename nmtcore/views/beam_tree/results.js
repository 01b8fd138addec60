// @ts-check
// The results: the winner beside greedy and whatever else is compared, word by word; the n-best list; one
// step's candidates as bars and as a table.

import { makeMeter } from "../kit/bars.js";
import { table } from "../kit/data_table.js";
import { FACTOR, SUMMAND } from "./card.js";
import { css, titleColor } from "../kit/color.js";
import { button, el, fill, filledText } from "../kit/dom.js";
import { rich } from "../kit/notation.js";
import { number } from "../kit/number.js";
import { nameAt } from "../kit/piece.js";
import { wordDiff } from "../live/diff.js";
import { USUAL } from "./tools.js";
import { byRank, continuations, ending, freePlaces, lengthPenalty, nameOf, overtaken } from "./record.js";
import { pathTo, phrase, scoreOf, wasChosen } from "./record.js";

const cells = (tag, texts, attributes = {}) => texts.map((text) => el(tag, attributes, text));

// One row for the winner and one for each other line, with differing words set off, and remarks on these lines; apart
// from it the verdict: where the line that the winner is compared with leaves its path. below() makes rows and remarks.
export function drawLines({ data, record, ranked, penalties, words, look }, goTo) {
  const winner = ranked[0];
  if (!winner) return { verdict: [], below: () => [] };
  const path = pathTo(record, winner.node);
  // The others are the best for the server's penalties: it is asked again once a slider rests.
  const now = ["alpha", "beta"].every((name) => Math.abs(penalties[name] - data.penalties[name]) < 1e-4);
  const lines = record.lines.filter((l) => now || l.kind === "greedy");
  const reference = lines.find((l) => l.kind === "before") ?? lines.find((l) => l.kind === "greedy");
  return { verdict: reference ? [parting(reference)] : [], below };

  function below() {
    const others = lines.map((line) => {
      const color = line.kind === "greedy" ? titleColor(look, look.greedy) : look.muted;
      return lineRow(line.name, line.kind, differences(line)[1], line.nodes.at(-1), color);
    });
    const segments = reference ? differences(reference)[0] : [[winner.text, false]];
    const rows = el("tbody", {}, lineRow(data.name, "winner", segments, winner.node, null), ...others);
    const compared = el("table", { class: "lines", "aria-label": words.lines }, rows);
    return [compared, ...lines.flatMap((line) => [...(line === reference ? [] : [parting(line)]), ...passing(line)])];
  }

  // The word diff of the winner and a line, made once: of a long text it takes a while.
  function differences({ text, diffs }) {
    if (!diffs.has(winner.text)) diffs.set(winner.text, wordDiff(winner.text, text));
    return diffs.get(winner.text);
  }

  function lineRow(name, kind, segments, sums, color) {
    const title = el("th", { scope: "row" }, name);
    if (color) title.style.color = css(color);
    const parts = segments.map(([part, differs]) => (differs ? el("mark", {}, part) : part));
    const numbers = [
      filledText(words.log_p_is, { value: number(sums.total, SUMMAND) }),
      filledText(words.score, { value: number(scoreOf(sums, penalties)) }),
      filledText(words.length_is, { value: sums.step }),
    ];
    const text = el("td", { class: "text" }, ...parts);
    return el("tr", { "data-line": kind }, title, text, ...cells("td", numbers, { class: "number" }));
  }

  // Where a line leaves the winner's path; -1 if it does not.
  function leaves(line) {
    const at = line.nodes.findIndex(({ token }, i) => token !== path[i]?.token);
    return path[at] ? at : -1;
  }

  function note(kind, ...parts) {
    return el("p", { class: "parting", "data-line": kind }, ...parts);
  }

  // That, and the final scores.
  function parting(line) {
    const [at, kind] = [leaves(line), line.kind];
    if (at < 0) return note(kind, words[`${kind}_same`]);
    const gap = winner.node.total - line.nodes.at(-1).total;
    const values = {
      step: at + 1,
      ours: nameOf(record, path[at]),
      theirs: nameAt(line.nodes.map(({ token }) => token), at),
      p: number(path[at].log_probability),
      q: number(line.nodes[at].log_probability),
      gap: number(Math.abs(gap)),
    };
    const gone = line.path.map((id) => record.nodes[id]).find((n) => !wasChosen(n)); // where the beam dropped it
    const outcome = gap >= 0 ? "lower" : kind === "greedy" && gone ? "lost" : "higher";
    const sentence = fill(words[`${kind}_${outcome}`], { ...values, gone: gone?.step }, ["ours", "theirs"]);
    const link = button(() => goTo(at + 1), {}, filledText(words.go_to, values));
    return note(kind, ...sentence, " ", link);
  }

  // Where greedy's prefix loses the first place, and where the beam drops it.
  function passing(line) {
    if (line.kind !== "greedy" || leaves(line) < 0) return [];
    const overtaking = overtaken(record, line);
    if (!overtaking) return [note(line.kind, words.greedy_leads)];
    const { at, best, gone } = overtaking;
    if (!best) return [];
    const prefix = (node) => ending(phrase(pathTo(record, node))) || words.empty;
    const sums = { p: number(best.total), q: number(at.total) };
    const values = { step: at.step, best: prefix(best), theirs: prefix(at), ...sums };
    const end = { gone: gone?.step, rank: gone?.rank, free: gone && freePlaces(record, gone.step) };
    const after = !gone ? words.greedy_stays : gone.rank && !data.grid ? words.greedy_gone : words.greedy_gone_far;
    const link = button(() => goTo(at.step), {}, filledText(words.go_to, values));
    const sentence = fill(words.greedy_overtaken, values, ["best", "theirs"]);
    return [note(line.kind, ...sentence, " ", ...fill(after, end), " ", link)];
  }
}

// The n-best list, for these penalties.
export function drawRanking({ data, ranked, penalties, words, changes }, point) {
  const attention = data.attention;
  const extra = { class: "number extra" }; // left out if there is no room
  const rows = ranked.map(({ node, text, score }, i) => {
    const terms = [
      number(lengthPenalty(node.step, penalties.alpha), FACTOR),
      ...(attention ? [number(penalties.beta * node.coverage, SUMMAND)] : []),
    ];
    const name = button(() => point(node, true), {}, text || words.empty);
    const row = el(
      "tr",
      { "data-end": node.id },
      el("td", { class: "number" }, String(i + 1)),
      el("td", { class: "text" }, name),
      ...cells("td", [number(node.total, SUMMAND), String(node.step)], { class: "number" }),
      ...cells("td", terms, extra),
      el("td", { class: "number" }, number(score)),
    );
    row.addEventListener("pointerenter", () => point(node, false));
    row.addEventListener("pointerleave", () => point(null, false));
    return row;
  });
  const col = { scope: "col" };
  const head = el("tr", {}, ...cells("th", ["#", words.translation, words.log_p, words.length], col));
  head.append(...cells("th", attention ? ["lp", "cp"] : ["lp"], { ...col, ...extra }), el("th", col, words.score_head));
  const formula = attention ? words.formula : words.formula_plain;
  return [
    el("h3", { "aria-level": 2 }, ranked[0]?.node.token === "<eos>" ? words.ranking : words.ranking_limit),
    el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows)),
    el("p", { class: "changes" }, ["alpha", ...(attention ? ["beta"] : [])].map((name) => turning(name)).join(" ")),
    el("p", { class: "formula letters" }, ...rich(formula)),
    el("p", { class: "quiet" }, words.ranking_note),
  ];

  function turning(name) {
    const places = changes[name];
    const sign = { alpha: "α", beta: "β" }[name];
    const side = penalties[name] < places[0] ? "above" : "below";
    const key = { 0: "changes_never", 1: `changes_${side}` }[places.length] ?? "changes";
    return filledText(words[key], { sign, values: places.map((at) => number(at)).join(", "), most: USUAL });
  }
}

// The likeliest next tokens of one hypothesis, with their probabilities.
export function drawBars(parent, { record, ranked, words, look }, pick) {
  const best = new Set(pathTo(record, ranked[0]?.node).map((n) => n.id));
  const before = ending(phrase(pathTo(record, parent)));
  const title = before ? fill(words.bars, { prefix: before }, ["prefix"]) : [words.bars_first];
  const list = continuations(parent, 10).map((node) => {
    const p = Math.exp(node.log_probability);
    const other = node.lines.has("greedy") ? look.greedy : wasChosen(node) ? look.hue : look.pruned;
    const bar = makeMeter(Math.max(0.005, p), { color: best.has(node.id) ? look.text : other });
    const parts = [el("span", { class: "token" }, nameOf(record, node)), bar.node];
    parts.push(el("span", { class: "number" }, p < 0.001 ? "< 0.001" : p.toFixed(3)));
    return button(() => pick(node), { class: "row", "data-bar": node.id, "data-fate": node.fate }, ...parts);
  });
  const rest = 1 - continuations(parent, 10).reduce((sum, n) => sum + Math.exp(n.log_probability), 0);
  const note = el("p", { class: "quiet" }, filledText(words.bars_rest, { share: number(Math.max(0, rest), 3) }));
  return [el("h3", { "aria-level": 2 }, ...title), el("div", { class: "bars" }, ...list), ...(list.length ? [note] : [])];
}

// Every candidate of a step, as a table.
export function drawCandidates(step, { record, words, penalties, data }) {
  const heads = [words.rank, words.token, words.after, "log p", words.log_p, words.score_head, words.fate];
  const rows = record.steps[step]
    .filter((n) => n.fate !== "beside")
    .sort(byRank)
    .map((n) => {
      const after = phrase(pathTo(record, record.nodes[n.parent])) || "<sos>";
      const numbers = [n.log_probability, n.total, scoreOf(n, penalties)].map((value) => number(value));
      return [n.rank ? String(n.rank) : "", nameOf(record, n), after, ...numbers, words[`fate_${n.fate}`]];
    });
  return table(filledText(words.candidates_caption, { step, model: data.model }), heads, rows);
}

// Every candidate of the search.
export function candidateRows(record, penalties) {
  const names = ["id", "parent", "step", "token", "hypothesis", "log p", "log P", "coverage"];
  const rows = record.nodes.map((n) => [
    ...[n.id, n.parent, n.step, nameOf(record, n), phrase(pathTo(record, n)), n.log_probability, n.total, n.coverage],
    ...[lengthPenalty(n.step, penalties.alpha), penalties.beta * n.coverage, scoreOf(n, penalties), n.rank, n.fate],
  ]);
  return [[...names, "lp", "cp", "score", "rank", "fate"], ...rows];
}
