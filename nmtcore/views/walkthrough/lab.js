// @ts-check
// Added by the dot page below the stepper, at the same word: other scores of the same states, the softmax's
// temperature with its gradient, and why the scores are divided by the root of d.

import { makeComparison } from "./compare.js";
import { el, fill, filledText } from "../kit/dom.js";
import { quote } from "../kit/notation.js";
import { drawRoot } from "./root.js";
import { makeSaving } from "../kit/saving.js";
import { ended } from "../kit/sheet.js";
import { makeTemperature } from "./temperature.js";

// tau: the temperature to begin with. changed(tau): called with a new one.
export function makeLab(data, labels, look, width, tau, changed) {
  const { words } = data.lab;
  let place = { word: 0, part: 0 };
  const compare = makeComparison(data, labels, look, width);
  const temperature = makeTemperature(data, labels, look, width, tau, changed);
  const root = data.lab.root && drawRoot(data, look, width);
  const sections = [section(words.compare, compare), section(words.temperature, temperature)];
  if (root) sections.push(section(words.root, { ...root, lines: () => [] }, () => [data.title]));
  const about = el("p", { class: "about-word" });
  const node = el("div", { class: "lab" }, about, ...sections);
  return { node, show };

  // A figure under its title. names(): what it shows; the first is in its file's name too.
  function section(title, { node, svg, lines, rows, signed = false }, names = here) {
    const picture = () => {
      const [first, ...rest] = names();
      const heading = `${ended(title)} ${ended(first)}`;
      return { heading, lines: [...rest, ...lines()], look, signed, parts: [{ node: svg, x: 0, y: 0 }] };
    };
    const top = el("div", { class: "top-line" }, el("h3", { "aria-level": 2 }, title));
    top.append(makeSaving(data.words, title, picture, rows));
    return el("section", {}, top, node);
  }

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
