// @ts-check
// An explanation of this step: a sentence, the formula, and the formula with this step's numbers.

import { el, fill } from "../kit/dom.js";
import { lowered, plain, quote, rich, significant, sum, vector } from "../kit/notation.js";
import { number } from "../kit/number.js";
import { sentenceName } from "../kit/piece.js";
import { PARTS } from "../kit/place.js";
import { largest, softmax } from "./softmax.js";

export function makeExplain(data, labels) {
  const says = el("p", { class: "says" });
  const formula = el("p", { class: "formula" });
  const nodes = [says, formula].map((part) => el("div", { class: "explain" }, part));
  return { says: nodes[0], formula: nodes[1], text: () => `${says.textContent}${formula.textContent}`, show, fit, lines };

  // Room for the longest text of each, so that stepping moves nothing below.
  function fit() {
    const long = data.said.map((word, j) => [word.length, j]).sort((a, b) => b[0] - a[0]);
    const words = [...new Set([0, ...long.slice(0, 3).map(([, j]) => j), ...long.slice(0, 2).map(([, j]) => j + 1)])];
    const source = largest(labels.map((l) => l.label.length));
    const most = nodes.map(() => 0);
    for (const word of words.filter((j) => j < data.said.length)) {
      for (let part = 0; part < PARTS; part += 1) {
        show({ word, part }, source);
        nodes.forEach((node, k) => (most[k] = Math.max(most[k], node.offsetHeight)));
      }
    }
    nodes.forEach((node, k) => (node.style.minHeight = `${most[k]}px`));
  }

  function show({ word: j, part }, i) {
    const bent = data.own(j) !== null;
    const weights = data.weights[j];
    const own = data.own(j) ?? weights;
    const top = largest(weights);
    const values = {
      ...{ j: j + 1, S: data.states.length, D: data.size, query: `s${lowered(data.asksBefore ? j : j + 1)}` },
      ...{ state: `s${lowered(j + 1)}`, context: `C${lowered(j + 1)}` },
      last: quote(data.inputs[j]),
      word: quote(part === 5 ? data.said[j] : sentenceName(labels[top])),
      weight: number(weights[top]),
      p: number(data.probabilities[j]),
      own: number(Math.max(...own)),
      top: quote(sentenceName(labels[largest(own)])),
    };
    const texts = data.words.says;
    const text = part === 2 && bent ? texts[data.override.at === null ? "even" : "bent"] : texts.steps[part];
    says.replaceChildren(el("b", {}, data.words.names[part]), " ", ...fill(text, values));
    const numbers = el("span", { class: "numbers" }, ...inNumbers(j, part, i, bent));
    formula.replaceChildren(el("span", { class: "letters" }, ...rich(data.formulas[part])), " ", numbers);
  }

  // For a saved picture.
  function lines({ part }) {
    return [says.textContent, `${plain(data.formulas[part])}    ${formula.querySelector(".numbers").textContent}`];
  }

  function inNumbers(j, part, i, bent) {
    const name = quote(sentenceName(labels[i]));
    const [b, a] = [data.scores[j][i], data.weights[j][i]];
    const state = data.states[i];
    const about = (...nodes) => [el("span", { class: "about" }, name), " ", ...nodes];
    if (part === 0)
      return [
        `${data.plain("query", j)} = ${vector(data.query[j].slice(0, 3))}   `,
        ...about(`h${lowered(i + 1)} = ${vector(state.slice(0, 3))}`),
      ];
    if (part === 1) return about(`β = ${products(j, i)} = `, el("b", {}, number(b)));
    if (part === 2) {
      if (bent) return about("α := ", el("b", {}, number(a)));
      const total = data.scores[j].reduce((t, v) => t + Math.exp(v), 0);
      if (!Number.isFinite(total)) return about("α = ", el("b", {}, number(softmax(data.scores[j])[i])));
      return about(`α = exp(${number(b, 4)}) / ${significant(total)} = `, el("b", {}, number(a)));
    }
    const strong = (values) => el("b", {}, vector(values.slice(0, 3)));
    if (part === 3) return about(`${number(a, 4)} · ${vector(state.slice(0, 3), 3)} = `, strong(state.map((v) => a * v)));
    if (part === 4) {
      const first = [...data.weights[j].entries()].sort(([, x], [, y]) => y - x).slice(0, 2);
      const terms = first.map(([k, w]) => `${number(w)}\u00b7${bracketed(data.states[k][0])}`);
      return [`${data.plain("context", j)} = ( ${sum(terms)} + …, … ) = `, strong(data.context[j])];
    }
    const p = data.probabilities[j];
    const total = data.normalizers[j];
    const [output, word, logit] = [data.plain("output", j), quote(data.said[j]), Math.log(p) + total];
    return [
      `${output} = ${vector(data.output[j].slice(0, 3))},   e(${word}) \u00b7 ${output} + b = ${number(logit, 4)},   `,
      `P(${word}) = ${significant(Math.exp(logit))} / ${significant(Math.exp(total))} = `,
      el("b", {}, significant(p, 3)),
      `,  log P = ${number(Math.log(p))}`,
    ];
  }

  // The first two of the D products whose sum is a score.
  function products(j, i) {
    const { left, right, v, divide } = data.terms;
    const additive = (k) => `${number(v[k])}\u00b7tanh(${number(left[j][k] + right[i][k])})`;
    const term = v ? additive : (k) => `${number(left[j][k])}\u00b7${bracketed(right[i][k])}`;
    const text = `${sum([term(0), term(1)])} + …`;
    return divide === 1 ? text : `(${text}) / ${number(divide, divide % 1 ? 2 : 0)}`;
  }
}

const bracketed = (value) => (value < 0 ? `(${number(value)})` : number(value));
