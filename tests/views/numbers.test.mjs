// Numbers as they are printed, and what the pictures compute themselves.

import assert from "node:assert/strict";
import { test } from "node:test";

import { css, signedColor, signedGrey } from "../../nmtcore/views/kit/color.js";
import { anySize, lowered, significant, sum } from "../../nmtcore/views/kit/notation.js";
import { number, probabilityText } from "../../nmtcore/views/kit/number.js";
import { csvOf } from "../../nmtcore/views/kit/paper.js";
import { ended } from "../../nmtcore/views/kit/sheet.js";
import { entropy, gradient, softmax } from "../../nmtcore/views/walkthrough/softmax.js";

test("a number has a minus sign, and zero has none", () => {
  assert.equal(number(-2.071), "\u22122.07");
  assert.equal(number(-0.004), "0.00");
  assert.equal(number(-0.004, 3), "\u22120.004");
  assert.equal(number(12.5, 0), "13");
});

test("numbers that are all zero have the neutral colour", () => {
  const look = { line: [220, 220, 220] };
  assert.equal(css(signedColor(look, 0, 0)), css(look.line));
  assert.equal(css(signedColor(look, -2, 2)), "rgb(178,24,43)");
});

test("a grey tells the sign of a number, drawn so or made of its colour", () => {
  const [screen, grey] = [false, true].map((grey) => ({ line: [247, 247, 247], grey }));
  const shades = [-1, -0.5, 0, 0.5, 1].map((value) => signedColor(grey, value, 1)[0]);
  assert.deepEqual(shades, [25, 75, 125, 175, 225]);
  const made = [-1, -0.5, 0, 0.5, 1].map((value) => signedGrey(signedColor(screen, value, 1))[0]);
  made.forEach((shade, n) => assert.ok(Math.abs(shade - shades[n]) < 0.5, `${shade} for ${shades[n]}`));
});

test("small and large numbers get a power of ten", () => {
  assert.equal(anySize(0.0031), "3.1·10⁻³");
  assert.equal(anySize(-490000000), "\u22124.9·10⁸");
  assert.equal(anySize(123.456), "123.5");
  assert.equal(anySize(0), "0.00");
  assert.equal(lowered(-10), "₋₁₀");
});

test("significant digits are as many as are asked for", () => {
  assert.equal(significant(0.0459), "0.04590");
  assert.equal(significant(12.413), "12.41");
  assert.equal(significant(85313), "8.531·10⁴");
  assert.equal(significant(0.000123456, 6), "1.23456·10⁻⁴");
});

test("a sum has one sign between two terms", () => {
  assert.equal(sum([number(1.5), number(-2), number(3)]), "1.50 \u2212 2.00 + 3.00");
});

test("softmax is exp over its sum, whatever the size of the scores", () => {
  const scores = [2, -1, 0.5];
  for (const temperature of [0.5, 1, 16]) {
    const raised = scores.map((score) => Math.exp(score / temperature));
    const total = raised.reduce((a, b) => a + b);
    softmax(scores, temperature).forEach((weight, i) => assert.ok(Math.abs(weight - raised[i] / total) < 1e-12));
  }
  assert.deepEqual(softmax([1000, 0, -1000]), [1, 0, 0]);
});

test("the gradient is that of softmax, by differences", () => {
  const [scores, step] = [[0.3, -1.2, 2, 0.1], 1e-6];
  const slopes = gradient(softmax(scores));
  scores.forEach((_, k) => {
    const [up, down] = [1, -1].map((way) => softmax(scores.map((s, i) => (i === k ? s + way * step : s))));
    up.forEach((value, i) => assert.ok(Math.abs(slopes[i][k] - (value - down[i]) / (2 * step)) < 1e-8));
  });
});

test("entropy is in bits", () => {
  assert.equal(entropy([0.25, 0.25, 0.25, 0.25]), 2);
  assert.equal(entropy([0, 1, 0]), 0);
});

test("a cell that a spreadsheet would take for a formula is a text", () => {
  const cells = ["=1+1", "+cmd", "-x", "@SUM(A1)", "\tx", "\rx", "-", '=HYPERLINK("a,b")'];
  const found = cells.map((cell) => csvOf([[cell]]));
  assert.deepEqual(found.slice(0, 5), ["'=1+1", "'+cmd", "'-x", "'@SUM(A1)", "'\tx"]);
  assert.deepEqual(found.slice(5), ['"\'\rx"', "'-", '"\'=HYPERLINK(""a,b"")"']);
  assert.equal(csvOf([[-1.5, "-1.5", "+2e-3", "a-b", "", "\u2581="]]), "-1.5,-1.5,+2e-3,a-b,,\u2581=");
});

test("a cell of a CSV is quoted where it must be", () => {
  const rows = [
    ["a", 'say "no"'],
    ["x, y", "two\nlines"],
  ];
  assert.equal(csvOf(rows), 'a,"say ""no"""\r\n"x, y","two\nlines"');
});

test("a title that ends with a mark of its own gets no second one", () => {
  assert.deepEqual(["Rain", "It rains.", "下雨了。"].map(ended), ["Rain.", "It rains.", "下雨了。"]);
});

test("a probability that two digits would call zero is said to be small", () => {
  assert.deepEqual([1, 0.006, 0.0049, 1e-9, 0].map(probabilityText), ["1.00", "0.01", "<0.01", "<0.01", "0.00"]);
});
