// @ts-check
// A page of the static site: the host of one picture. The question is in the address, as in the app; answers that a server
// gives there come from the worker, and the opening picture from a file that was made with the page.

import { readAddress, writeAddress } from "../kit/address.js";
import { button, el, filledText } from "../kit/dom.js";
import { segment } from "../kit/segment.js";
import { makeControls } from "./controls.js";

/**
 * @typedef {{name: string, label: string, source: {code: string, name: string, scripts: string[]},
 *   examples: {name: string, text: string}[], sentences: string[], clauses: {offered: string[], joint: string, stop: string}, models: Record<string, any>, simplified: string}} Pair
 * @typedef {{
 *   page: string, view: string, first: number, models: string[], choose: "" | "one" | "several", link: Record<string, any>,
 *   forget: string[], panes: Record<string, {view: string, link: Record<string, any>, words: Record<string, any>, most: number}>,
 *   choices: {parameter: string, label: string, options: Record<string, string>, usual: string}[], longer: boolean, orders: number[][][],
 *   pairs: Record<string, Pair>, limits: Record<string, any>, says: Record<string, any>, opening: Record<string, string>,
 *   beam: number,
 * }} Settings
 * @typedef {{pair: string, text: string, beam: number, models: string[], asked: Record<string, string | null>}} Question
 */

const MOST_BEAM = 20;
const MOST_MODELS = 4;
const CLAUSES = 3; // on offer at a time

/** @type {Settings} */
const settings = JSON.parse(find("settings").textContent ?? "");
const { says } = settings;
const place = find("picture");
/** @type {HTMLLinkElement[]} of the pictures of this page: that of the drawn one is used */
const styles = Array.from(document.querySelectorAll("link[data-view]"));
let worker = null;
let asked = 0; // the number of the last question
/** @type {any} the opening picture, whose words are those of every picture of its kind */
let opening = null;
/** @type {ReturnType<typeof makeControls>} */
let controls;
let view = ""; // the folder of the drawn picture
let close = () => {};
let drawn = Promise.resolve(); // resolves once the last picture is drawn

start().catch((error) => note(filledText(says.failed, { reason: String(error?.message ?? error) })));

async function start() {
  controls = makeControls(settings, question, (changes) => {
    writeAddress(changes);
    controls.show();
    answer();
  });
  find("question").replaceWith(controls.node);
  [opening] = await Promise.all([openingOf(question().pair), moduleOf(settings.view)]);
  leadOn();
  const now = question();
  if (isOpening(now)) {
    await show(opening);
    await idle();
    if (!asked) ask({ ...now, only: "load" }); // the weights, for the first typed sentence, if there has been none
  } else answer();
  window.addEventListener("popstate", () => {
    controls.show();
    answer();
  });
  if ("serviceWorker" in navigator) {
    navigator.serviceWorker.register(new URL("./service-worker.js", document.baseURI)).catch(() => {}); // a private window
  }
}

/** The question in the address. @returns {Question} */
function question() {
  const pair = settings.pairs[readAddress("pair") ?? ""] ? String(readAddress("pair")) : Object.keys(settings.pairs)[0];
  const { examples, models } = settings.pairs[pair];
  const width = readAddress("beam") ?? "";
  const beam = /^\d{1,2}$/.test(width) && Number(width) >= 1 && Number(width) <= MOST_BEAM ? Number(width) : settings.beam;
  const there = settings.models.filter((name) => models[name]);
  const named = settings.choose === "one" ? [readAddress("model") ?? ""] : settings.choose ? (readAddress("models") ?? "").split("~") : [];
  const wanted = named.filter((name) => models[name]).slice(0, MOST_MODELS);
  const chosen = wanted.length ? Object.keys(models).filter((name) => wanted.includes(name)) : there;
  const text = readAddress("text") ?? examples[Math.min(settings.first, examples.length - 1)].text;
  const texts = parameters().map(([use, { name }]) => [use, readAddress(name)]);
  return { pair, text, beam, models: chosen, asked: Object.fromEntries(texts) };
}

/** The parameters of all pictures; those of a pane with its name before their use. @returns {[string, any][]} */
function parameters() {
  const panes = Object.entries(settings.panes);
  const own = panes.flatMap(([pane, { link }]) => Object.entries(link).map(([use, parameter]) => [`${pane}.${use}`, parameter]));
  return /** @type {[string, any][]} */ ([...Object.entries(settings.link), ...own]);
}

/** @param {string} pair */
async function openingOf(pair) {
  return (await fetch(new URL(settings.opening[pair], document.baseURI))).json();
}

/** @param {string} folder of a picture */
function moduleOf(folder) {
  return import(new URL(`./views/${folder}.js`, document.baseURI).href);
}

/** Once the style of a picture is there, used or not. @param {string} folder */
async function styleOf(folder) {
  const style = styles.find(({ dataset }) => dataset.view === folder);
  if (style && !style.sheet) await new Promise((done) => ["load", "error"].forEach((end) => style.addEventListener(end, done)));
}

/** Whether the page's opening picture answers it. @param {Question} now */
function isOpening({ pair, text, beam, models, asked: texts }) {
  const { examples, models: all } = settings.pairs[pair];
  const usual = settings.models.filter((name) => all[name]);
  const run = parameters().some(([use, { runs }]) => runs && texts[use]);
  const same = text === examples[Math.min(settings.first, examples.length - 1)].text && beam === settings.beam;
  return same && !run && models.join() === usual.join();
}

/** Links to the other pages carry the same question. */
function leadOn() {
  const kept = ["pair", "text", "beam"].map((name) => [name, readAddress(name)]).filter(([, value]) => value !== null);
  for (const link of document.querySelectorAll("nav a")) {
    const [page] = (link.getAttribute("href") ?? "").split("?");
    link.setAttribute("href", kept.length ? `${page}?${new URLSearchParams(Object.fromEntries(kept))}` : page);
  }
}

async function answer() {
  const now = question();
  leadOn();
  if (!opening) return; // `start` answers the question that the address has by then
  if (!isOpening(now)) return ask(now);
  asked++;
  note();
  const number = asked;
  const picture = await openingOf(now.pair);
  if (number === asked) await show(picture);
}

/** @param {Question & {only?: string}} now */
function ask(now) {
  if (!worker) {
    worker = new Worker(new URL("./worker.js", document.baseURI), { type: "module" });
    worker.addEventListener("message", ({ data: message }) => hear(message));
    worker.addEventListener("error", (event) => note(filledText(says.failed, { reason: event.message ?? "worker" })));
  }
  asked++;
  document.body.classList.toggle("waiting", !now.only);
  if (!now.only) progress(says.working);
  const { formulas, numpy, colors, heads } = opening;
  const { panes: own, orders } = settings;
  const fixed = { formulas, code: numpy?.code, colors, panes: heads?.panes, note: heads?.note, own, orders }; // the same for every sentence
  const sparing = matchMedia("(max-width: 600px)").matches; // one model in memory at a time
  worker.postMessage({ ...now, id: asked, sparing, words: opening.words, fixed, settings: forWorker(now.pair) });
}

/** @param {string} pair */
function forWorker(pair) {
  const { page, limits, pairs } = settings;
  return { page, pair: pairs[pair], limits, says, base: document.baseURI };
}

/** The worker's messages about the last question: notes, a picture, its end, or a model's loading progress. */
function hear(/** @type {any} */ { id, notes, picture, done, loading, working }) {
  if (id !== asked) return;
  if (working) progress(working);
  if (loading) progress(filledText(says.loading, loading));
  if (notes) note(...notes);
  if (picture) drawn = show(picture);
  if (!done) return;
  drawn.finally(() => {
    if (id !== asked) return;
    progress("");
    document.body.classList.remove("waiting");
  });
}

/** @param {any} picture its `view` is a pane's, if not the page's own */
async function show(picture) {
  const number = asked;
  const folder = picture.view ?? settings.view;
  const [{ default: draw }] = await Promise.all([moduleOf(folder), styleOf(folder)]);
  if (number !== asked) return; // there is a newer question
  const [pane, { link: declared }] = Object.entries(settings.panes).find(([, own]) => own.view === picture.view) ?? ["", settings];
  const told = (/** @type {any} */ parameter) => (parameter.runs ? { ...parameter, now: readAddress(parameter.name) } : parameter);
  const link = Object.entries(declared).map(([use, parameter]) => [use, told(parameter)]);
  if (folder !== view) close();
  view = folder;
  for (const style of styles) style.media = style.dataset.view === folder ? "all" : "not all";
  place.hidden = false;
  find("panes").replaceChildren(...(pane ? [paneTabs(pane)] : settings.choices.map(choiceRow)), ...(settings.longer ? clauses() : []));
  find("lines").replaceChildren(...(picture.translations ?? []).map(lineOf));
  // A picture asks for an answer by `setTriggerValue`; it has written its place in the address itself.
  close = draw({ parentElement: place, data: { ...picture, link: Object.fromEntries(link), page: `views/${folder}.txt` }, setTriggerValue: () => answer(), setStateValue: () => {} });
}

/** The tabs of a pane outside the page's own picture, which has its own. @param {string} pane */
function paneTabs(pane) {
  const { words, heads } = opening;
  const tabs = segment(heads.panes, (name) => [words[`pane_${name}`]], (name) => {
    writeAddress({ pane: name === heads.panes[0] ? null : name });
    answer();
  }, words.panes);
  tabs.mark(pane);
  return tabs.node;
}

/** Buttons, one of them pressed. @param {Settings["choices"][0]} choice */
function choiceRow({ parameter, label, options, usual }) {
  const choose = (/** @type {string} */ value) => {
    writeAddress({ [parameter]: value === usual ? null : value });
    answer();
  };
  const buttons = segment(Object.keys(options), (value) => [options[value]], choose, label);
  buttons.mark(readAddress(parameter) ?? usual);
  return el("span", { class: "named" }, el("small", {}, label), buttons.node);
}

/** Buttons that add a clause to the sentence, or take it away. A pressed one keeps its place: none moves under the pointer. */
function clauses() {
  const { pair, text } = question();
  const { offered, joint, stop } = settings.pairs[pair].clauses;
  const added = (/** @type {string} */ clause) => text.includes(joint + clause);
  const longer = (/** @type {string} */ clause) => text.replace(/[\s.!?…。！？]+$/, "") + joint + clause + stop;
  const toggled = (/** @type {string} */ clause) => (added(clause) ? text.replace(joint + clause, "") : longer(clause));
  const buttons = offered.slice(0, CLAUSES + offered.filter(added).length).map((clause) =>
    button(() => controls.set({ text: toggled(clause) }), { "aria-pressed": String(added(clause)) }, `+ ${clause}`),
  );
  return buttons.length ? [el("small", {}, says.longer), " ", ...buttons] : [];
}

/** A translation over the picture. @param {{title: string, hue: string, text: string, note: string}} line */
function lineOf({ title, hue, text, note: remark }) {
  const node = el("div", {}, el("b", {}, title), el("p", {}, text), el("small", {}, remark));
  node.style.borderColor = hue;
  return node;
}

/** @param {...string} sentences */
function note(...sentences) {
  find("notes").replaceChildren(...sentences.map((sentence) => el("p", {}, sentence)));
}

/** @param {string} sentence */
function progress(sentence) {
  find("progress").textContent = sentence;
}

/** @param {string} id */
function find(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

const idle = () => new Promise((done) => ("requestIdleCallback" in window ? requestIdleCallback(done, { timeout: 500 }) : setTimeout(done, 50)));

