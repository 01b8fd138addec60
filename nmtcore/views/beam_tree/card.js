// @ts-check
// A candidate's score and fate, beside it: while it is pointed at, and with actions once it is picked.

import { button, el, filledText } from "../kit/dom.js";
import { number } from "../kit/number.js";
import { ending, freePlaces, lengthPenalty, nameOf, pathTo, phrase, scoreOf, wasChosen } from "./record.js";

// Decimals of log P and cp, and of lp: a score has two.
export const SUMMAND = 3;
export const FACTOR = 4;

const plus = (value, digits = 2) => (value < 0 ? `\u2212 ${number(-value, digits)}` : `+ ${number(value, digits)}`);

// α or β: two decimals, or as many as a link gives.
const penalty = (value) => number(value, Math.abs(value - Number(value.toFixed(2))) < 1e-9 ? 2 : 4);

// The card's node. `on` has the actions to offer and the links to the token's nearest pieces, or is null while the
// candidate is only pointed at.
export function makeCard(node, context, on) {
  const { record, words, penalties, attention } = context;
  const token = nameOf(record, node);
  const step = el("span", { class: "quiet" }, filledText(words.step, { step: node.step }));
  const title = el("p", { class: "card-title" }, el("span", { class: "token" }, token), step);
  const lines = arithmetic(node, record, penalties, attention);
  const sums = el("dl", {}, ...lines.flatMap(([name, value]) => [el("dt", {}, ...[name].flat()), el("dd", {}, value)]));
  const why = el("p", { class: "why" }, reason(node, context));
  const said = { role: on ? "dialog" : "tooltip", "aria-label": filledText(words.card, { token, step: node.step }) };
  const card = el("div", { class: "card", ...said }, title, sums, why);
  if (!on) return card;
  const forbid = button(on.forbid, {}, filledText(words.forbid, { token, step: node.step }));
  const buttons = [
    button(on.decodeOn, {}, filledText(words.decode_on, { token })),
    ...(node.fate === "forbidden" ? [] : [forbid]),
    button(on.compare, {}, words.compare),
  ];
  card.append(el("div", { class: "actions" }, ...buttons, ...on.neighbors));
  return card;
}

// Lines of arithmetic, in the notation of Wu et al. 2016: the sides before and after the equals sign.
export function arithmetic(node, record, penalties, attention) {
  const { alpha, beta } = penalties;
  const parent = record.nodes[node.parent];
  const token = nameOf(record, node);
  const given = ending(phrase(pathTo(record, parent)), 26) || "<sos>";
  const lp = lengthPenalty(node.step, alpha);
  const cp = beta * node.coverage;
  // The terms of a sum or quotient have more digits than its result, so that readers can recompute it.
  const p = `p = ${Math.exp(node.log_probability).toPrecision(2)}`;
  const summands = parent.step ? `= ${number(parent.total, SUMMAND)} ${plus(node.log_probability, SUMMAND)} ` : "";
  const quotient = `${number(node.total, SUMMAND)} / ${number(lp, FACTOR)}`;
  const coverage = [`cp = ${penalty(beta)} · (${number(node.coverage, SUMMAND)})`, `= ${number(cp)}`];
  const [name, sum] = attention ? ["score = log P / lp + cp", ` ${plus(cp, SUMMAND)}`] : ["score = log P / lp", ""];
  return [
    [`log p(${token} | ${given})`, `= ${number(node.log_probability, SUMMAND)},  ${p}`],
    ["log P", `${summands}= ${number(node.total)}`],
    [[`lp = ((5 + ${node.step}) / 6)`, el("sup", {}, penalty(alpha))], `= ${number(lp, FACTOR)}`],
    ...(attention ? [coverage] : []),
    [name, `= ${quotient}${sum} = ${number(scoreOf(node, penalties))}`],
  ];
}

// The candidate that a constraint requires in this one's place, perhaps itself: all others are forbidden there.
function requiredBeside({ parent, fate }, { nodes }) {
  const beside = fate === "beside" ? [] : (nodes[parent]?.children ?? []).filter((child) => child.fate !== "beside");
  const allowed = beside.filter((child) => child.fate !== "forbidden");
  return beside.length > 1 && allowed.length === 1 ? allowed[0] : null;
}

// Why this candidate was continued or not, in whole sentences.
export function reason(node, { data, record, words, ranked }) {
  const free = freePlaces(record, node.step);
  const values = { rank: node.rank, free, width: record.width };
  const place = ranked.findIndex((end) => end.node === node) + 1;
  const required = requiredBeside(node, record);
  if (required === node) return words.why_required;
  if (node.fate === "forbidden") return required ? filledText(words.why_not_required, { token: nameOf(record, required) }) : words.why_forbidden;
  if (node.fate === "beside") return node.lines.has("greedy") ? words.why_greedy : words.why_before;
  if (place && node.token !== "<eos>") return filledText(words.why_limit, { place, ends: ranked.length });
  if (place)
    return filledText(place === 1 ? words.why_winner : words.why_finished, { ...values, place, ends: ranked.length });
  // Grid beam search has places for each number of constraint tokens met, so a candidate of lower rank can stay.
  const grid = (text, other) => (data.grid ? text : other);
  if (!wasChosen(node)) {
    const pruned = free < record.width ? words.why_pruned_places : words.why_pruned;
    return filledText(grid(words.why_pruned_grid, pruned), values);
  }
  const goes = node.children.some(wasChosen) || node.step === record.last;
  const kept = grid(words.why_kept_grid, words.why_kept);
  return filledText(goes ? kept : words.why_dead, { ...values, next: node.step + 1 });
}
