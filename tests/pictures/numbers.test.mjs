// Who works a number out finds it beside what it was made of: the arithmetic that pictures write down.

import assert from "node:assert/strict";
import { test } from "node:test";

import { draw, record } from "./stage.mjs";

const NUMBER = "[(]?(\u2212?\\d+\\.?\\d*)[)]?";
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";
const plain = (/** @type {string} */ text) => // 3.39·10⁻⁵ as 3.39e-5
  text.replace("\u2212", "-").replace("\u00b710", "e").replace(/[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (letter) => "0123456789-"[RAISED.indexOf(letter)]);
// "<0.01" is read as the middle of what it may be.
const read = (/** @type {string} */ text) => (text[0] === "<" ? Number(text.slice(1)) / 2 : Number(plain(text)));
const said = (picture, selector) => picture.root.querySelector(selector).textContent.replace(/\s+/g, " ");
const all = (node, selector) => [...node.querySelectorAll(selector)];
const near = (found, wanted, most, says = "") => assert.ok(Math.abs(found - wanted) <= most, `${says} ${found} ${wanted}`);
const numbers = (text, pattern) => {
  const found = new RegExp(pattern).exec(text);
  assert.ok(found, `${pattern} in ${text}`);
  return found.slice(1).map(read);
};

for (const name of ["walkthrough", "walkthrough-dot"]) {
  test(`${name}: a probability is the quotient before it, and its logarithm stands behind it`, async () => {
    const picture = await draw(await record(name), "?decoder-step=2.6");
    const text = said(picture, ".explain .numbers");
    const [top, bottom, share, log] = numbers(text, `= ${NUMBER} / ${NUMBER} = ${NUMBER} ?, +log P = ${NUMBER}`);
    near(top / bottom, share, 6e-4);
    near(Math.log(share), log, 0.008);
  });

  test(`${name}: a weighted state is the weight times the state`, async () => {
    const text = said(await draw(await record(name), "?decoder-step=2.4"), ".explain .numbers");
    const [weight, ...values] = [...text.matchAll(/\u2212?\d+\.\d+/g)].map(([number]) => read(number));
    assert.equal(values.length, 6);
    for (let i = 0; i < 3; i += 1) near(weight * values[i], values[i + 3], 0.006);
  });

  test(`${name}: NumPy gives the same scores and weights, and the weights add up to one`, async () => {
    const picture = await draw(await record(name), "?decoder-step=3.3");
    await picture.act("open .proofs details");
    const rows = all(picture.root.querySelector(".proofs table"), "tbody tr").map((row) => all(row, "td, th"));
    const cells = rows.map((row) => row.slice(-4).map((cell) => read(cell.textContent)));
    for (const [score, again, weight, repeated] of cells.slice(0, -1)) {
      near(score, again, 2e-5);
      near(weight, repeated, 2e-5);
    }
    near(cells.at(-1)[2], 1, 1e-4);
  });
}

test("a GRU's new state is what z lets through of both", async () => {
  const picture = await draw(await record("context_vector"), "?decoder-step=2");
  const text = said(picture, ".gates .number");
  const [z, n, again, old, next] = [...text.matchAll(/\u2212?\d\.\d+/g)].map(([number]) => read(number));
  assert.equal(z, again);
  near((1 - z) * n + z * old, next, 0.0052);
});

test("an LSTM's cell and state are their products", async () => {
  const picture = await draw(await record("gates_by_layer"), "?lstm=3&lstm-step=2");
  const [f, c, i, g, cell, o, again, state] = numbers(
    said(picture, ".number"),
    `${NUMBER} · ${NUMBER} \\+ ${NUMBER} · ${NUMBER} = ${NUMBER}, ${NUMBER} · tanh\\(${NUMBER}\\) = ${NUMBER}`,
  );
  near(f * c + i * g, again, 3e-4);
  near(cell, again, 0.0051);
  near(o * Math.tanh(again), state, 0.0053);
});

test("the rotation times a position is the position k further, on the circle too", async () => {
  const picture = await draw(await record("rotation"), "?i=1&position=2&k=3");
  const line = all(picture.root, ".equation .line").at(-1);
  const [a, b, c, d, sine, cosine, ...after] = all(line, ".matrix > span").map((cell) => read(cell.textContent));
  near(a * sine + c * cosine, after[0], 7e-4);
  near(b * sine + d * cosine, after[1], 7e-4);
  const omega = 10000 ** (-2 / 8);
  near(sine, Math.sin(2 * omega), 6e-4);
  near(after[0], Math.sin(5 * omega), 6e-4);
  const size = Number(picture.root.querySelector(".circle").getAttribute("width"));
  const ends = all(picture.root, ".circle circle[r='6.5']").map((end) => ["cx", "cy"].map((at) => Number(end.getAttribute(at))));
  for (const [n, [x, y]] of ends.entries()) {
    near((x - size / 2) / (0.36 * size), [cosine, after[1]][n], 1e-3);
    near((size / 2 - y) / (0.36 * size), [sine, after[0]][n], 1e-3);
  }
});

test("softmax of the scores in the cells gives the weights without masks", async () => {
  const picture = await draw(await record("masks"), "?head=encoder.1.1&batch-row=2", 1600);
  const tables = all(picture.root, ".unseen table");
  const weights = all(tables[4], "tbody tr").map((row) => all(row, "td").slice(1).map((cell) => read(cell.textContent)));
  const scores = all(picture.root, "figure.scores .body g[font-size] text").map((text) => read(text.textContent));
  assert.equal(scores.length, weights.length * weights[0].length, "also where a mask hides them");
  for (const line of weights) {
    const powers = scores.splice(0, line.length).map(Math.exp);
    const sum = powers.reduce((one, other) => one + other);
    powers.forEach((power, n) => near(power / sum, line[n], 0.06));
  }
});

test("the weights of a cell are the softmax of its scaled products, and those of the map", async () => {
  const picture = await draw(await record("heads-cell"));
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await picture.act(`key ${key} [data-panel="0"]`);
  const s = all(picture.root, ".cell tbody tr").findIndex((row) => row.hasAttribute("aria-current"));
  const rows = all(picture.root, ".cell tbody tr").map((row) => all(row, "td").slice(0, 4).map((cell) => read(cell.textContent)));
  const sum = rows.reduce((one, [, , power]) => one + power, 0);
  const [power, total, told] = numbers(said(picture, ".said .formula:not(.letters)"), "= (\\S+) / (\\S+) = (\\S+)");
  near(power / total, told, 0.0055);
  near(total / sum, 1, 0.01); // three digits of each
  const drawn = Object.fromEntries(
    all(picture.root, "[data-cell^='1,']").map((cell) => [cell.dataset.cell, read(cell.nextSibling?.textContent || "0")]),
  );
  rows.forEach(([product, scaled, power, weight], n) => {
    near(product / Math.sqrt(8), scaled, 0.0075);
    near(power / Math.exp(scaled), 1, 0.011);
    near(power / sum, weight, 0.011);
    near(weight, drawn[`1,${n}`] || 0, 0.0051);
  });
  const values = (letter) => all(picture.root, `.cell rect[data-letter="${letter}"]`).map((cell) => Number(cell.dataset.value));
  near(values("q\u2218k").reduce((one, other) => one + other), rows[s][0], 0.006);
});

test("the score of a candidate is its probability over the length penalty, less the coverage penalty", async () => {
  const picture = await draw(await record("beam_tree"), "?search-step=3&alpha=0.625&beta=0.5");
  await picture.act('point .frame [data-step="3"] [data-fate="kept"]');
  const text = said(picture, ".card");
  near(read(picture.root.querySelector(".card dt sup").textContent), 0.625, 0);
  const [log, lp, cp, score] = numbers(text, `= ${NUMBER} / ${NUMBER} [\u2212+-] ${NUMBER} = ${NUMBER}`);
  near(lp, (8 / 6) ** 0.625, 5e-5);
  assert.ok(text.includes("cp = 0.50"), text);
  assert.ok(Math.min(Math.abs(log / lp - cp - score), Math.abs(log / lp + cp - score)) < 0.006);
});
