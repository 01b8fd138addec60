// @ts-check
// Mask-predict: the rounds, one below another, beside a word-by-word decode, played together.

import { css, parse, readLook, setColors, titleColor } from "../kit/color.js";
import { el, fill, filledText } from "../kit/dom.js";
import { number } from "../kit/number.js";
import { picture } from "../kit/picture.js";
import { makePlayer, stepByKeys } from "../kit/player.js";
import { makeSaving } from "../kit/saving.js";
import { drawRows } from "./rows.js";

export default picture("mask-predict", ({ root, width }) => {
  let data = null;
  let step = 0; // of the player, from 1: a round, and a word of the decode beside it
  let shown = null;
  const forgetKeys = stepByKeys(root, (by) => shown?.player.move(step + by));

  return {
    read(sent) {
      const of = ({ text, rounds, beside }) => JSON.stringify([text, rounds.length, beside?.text]);
      const same = data && of(data) === of(sent);
      data = sent;
      if (!same) step = last();
    },
    draw,
    close() {
      shown?.player.stop();
      forgetKeys();
    },
  };

  function last() {
    return Math.max(data.rounds.length, data.beside?.steps.length ?? 0);
  }

  function draw() {
    const { words, rounds, beside } = data;
    const look = readLook(root);
    setColors(root, look);
    shown?.player.stop();
    const room = width.now();
    const names = rounds.map((_, i) => filledText(words.round, { round: i + 1 }));
    const own = drawRows(rounds, names, parse(data.hue), look, room, point);
    const other = beside && drawRows([beside.steps], [words.beside], parse(beside.hue), look, room, pointBeside);
    const detail = el("p", { class: "detail", "aria-live": "polite" }, words.legend);
    const player = makePlayer(words, go);
    shown = { look, own, other, detail, player };
    const parts = [heading(data, took()), own.node, detail];
    if (beside && other) parts.push(heading(beside, tookBeside()), other.node);
    const tried = data.lengths.map(([length, mean]) => filledText(words.length, { length, mean: number(mean) }));
    parts.push(el("p", { class: "tried" }, filledText(words.lengths, { lengths: tried.join(", ") })));
    const saving = makeSaving(words, words.figure, sheet, table);
    root.replaceChildren(el("div", { class: "controls" }, player.node, saving), ...parts);
    show();
  }

  function heading({ title, hue, text }, took) {
    const name = el("b", {}, title);
    name.style.color = css(titleColor(readLook(root), parse(hue)));
    return el("p", { class: "head" }, name, " ", el("span", { class: "text" }, text), " ", el("small", {}, took));
  }

  function go(to) {
    step = to;
    show();
  }

  function show() {
    const { words, rounds, beside } = data;
    const values = { round: Math.min(step, rounds.length), rounds: rounds.length };
    shown.own.show((row) => row < step);
    const both = beside && { ...values, word: Math.min(step, beside.steps.length), count: beside.steps.length };
    shown.other?.show((_, place) => place < step);
    const text = both ? fill(words.at_both, both) : fill(words.at, values);
    shown.player.show({ step, last: last(), text });
  }

  // The sentence about the word that is pointed at; otherwise the legend.
  function point(row, place) {
    const { words, rounds } = data;
    if (row === null) return say(words.legend);
    const { word, p, since, masked } = rounds[row][place];
    const values = { round: row + 1, place: place + 1, word, probability: number(p), since };
    const sentence = filledText(since === row + 1 ? words.written : words.kept, values);
    say(masked ? `${sentence} ${words.masked_next}` : sentence);
  }

  function pointBeside(row, place) {
    if (row === null) return say(data.words.legend);
    const { word, p } = data.beside.steps[place];
    say(filledText(data.words.step, { place: place + 1, word, probability: number(p) }));
  }

  function say(sentence) {
    shown.detail.textContent = sentence;
  }

  /** The number of rounds, and how long they took if measured. */
  function took() {
    const { words, rounds, milliseconds } = data;
    if (milliseconds === null) return filledText(words.untimed, { rounds: rounds.length });
    return filledText(words.took, { rounds: rounds.length, milliseconds: number(milliseconds, 0) });
  }

  /** The same for the other model's steps. */
  function tookBeside() {
    const { words, beside } = data;
    const count = beside.steps.length;
    if (beside.milliseconds === null) return filledText(words.untimed_beside, { count });
    return filledText(words.took_beside, { count, milliseconds: number(beside.milliseconds, 0) });
  }

  function sheet() {
    const { look, own, other } = shown;
    const { words, beside } = data;
    const lines = [data.sentence, `${data.title}: ${data.text} (${took()})`, words.legend];
    const parts = [{ node: own.node, x: 0, y: 0 }];
    if (beside && other) {
      lines.push(`${beside.title}: ${beside.text} (${tookBeside()})`);
      parts.push({ node: other.node, x: 0, y: Number(own.node.getAttribute("height")) + 16 });
    }
    return { heading: data.title, lines, look, parts };
  }

  function table() {
    const rows = data.rounds.flatMap((places, row) =>
      places.map(({ word, p, since, masked }, place) => [row + 1, place + 1, word, p, since === row + 1, masked]),
    );
    return [["round", "place", "word", "probability", "written", "masked next"], ...rows];
  }
});
