// @ts-check
// What the dot page adds below the stepper, at the same word: other scores of the same states, the softmax's
// temperature with its gradient, and why the scores are divided by the root of d.

import { makeComparison } from "./compare.js";
import { el, fill, filledText } from "../kit/dom.js";
import { quote } from "../kit/notation.js";
import { drawRoot } from "./root.js";
import { makeSaving } from "../kit/saving.js";
import { ended } from "../kit/sheet.js";
import { makeTemperature } from "./temperature.js";

// tau: the temperature to begin with. changed(tau): it has another now.
export function makeLab(data, labels, look, width, tau, changed) {
  const words = data.words.lab;
  let place = { word: 0, part: 0 };
  const compare = makeComparison(data, labels, look, width);
  const temperature = makeTemperature(data, labels, look, width, tau, changed);
  const root = data.lab.root && drawRoot(data, look, width);
  // names(): what the figure is of; the first of them is in its file's name too.
  const saved = (part, title, names, lines, rows) => {
    const picture = () => {
      const [first, ...rest] = names();
      const heading = `${ended(title)} ${ended(first)}`;
      return { heading, lines: [...rest, ...lines()], look, parts: [{ node: part, x: 0, y: 0 }] };
    };
    return makeSaving(data.words, title, picture, rows);
  };
  const section = (title, saving, ...nodes) => {
    const heading = el("h3", { "aria-level": 2 }, title);
    return { heading, node: el("section", {}, el("div", { class: "top-line" }, heading, saving), ...nodes) };
  };
  const scores = section(
    words.compare,
    saved(compare.svg, words.compare, here, compare.lines, compare.rows),
    compare.node,
  );
  const heat = section(
    words.temperature,
    saved(temperature.svg, words.temperature, here, temperature.lines, temperature.rows),
    temperature.node,
  );
  const why =
    root &&
    section(
      words.root,
      saved(
        root.svg,
        words.root,
        () => [data.title],
        () => [],
        root.rows,
      ),
      root.node,
    );
  const about = el("p", { class: "about-word" });
  const node = el("div", { class: "lab" }, about, scores.node, heat.node, ...(why ? [why.node] : []));
  return { node, show };

  function here() {
    const { word, part } = place;
    const values = { j: word + 1, T: data.said.length, word: quote(data.said[word]), k: part + 1 };
    return [filledText(data.words.where, values), data.title];
  }

  function show(now) {
    place = now;
    const { word } = place;
    about.replaceChildren(...fill(words.about, { j: word + 1, word: quote(data.said[word]) }, ["word"]));
    compare.show(word);
    temperature.show(word);
  }
}
