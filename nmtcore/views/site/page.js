// @ts-check
// A page of the static site: the host of one picture. The question stands in the address, as in the app; what a server
// answers there comes from the worker, and the opening picture from a file that was made with the page.

import { readAddress, writeAddress } from "../kit/address.js";
import { el, filledText } from "../kit/dom.js";
import { makeControls } from "./controls.js";

/**
 * @typedef {{name: string, label: string, source: {code: string, name: string, scripts: string[]},
 *   examples: {name: string, text: string}[], models: Record<string, any>, simplified: string}} Pair
 * @typedef {{
 *   page: string, view: string, first: number, models: string[], choose: "" | "one" | "several", link: Record<string, any>,
 *   forget: string[],
 *   pairs: Record<string, Pair>, limits: Record<string, any>, says: Record<string, any>, opening: Record<string, string>,
 *   beam: number,
 * }} Settings
 * @typedef {{pair: string, text: string, beam: number, models: string[], asked: Record<string, string | null>}} Question
 */

const MOST_BEAM = 20;
const MOST_MODELS = 4;

/** @type {Settings} */
const settings = JSON.parse(find("settings").textContent ?? "");
const { says } = settings;
const place = find("picture");
let worker = null;
let asked = 0; // the number of the last question
/** @type {any} what the picture was drawn with, and its words */
let data = null;
/** @type {(call: any) => void} */
let draw = () => {};

start().catch((error) => note(filledText(says.failed, { reason: String(error?.message ?? error) })));

async function start() {
  const controls = makeControls(settings, question, (changes) => {
    writeAddress(changes);
    controls.show();
    answer();
  });
  find("question").replaceWith(controls.node);
  const [module, opening] = await Promise.all([
    import(new URL(`./views/${settings.view}.js`, document.baseURI).href),
    fetch(new URL(settings.opening[question().pair], document.baseURI)).then((response) => response.json()),
  ]);
  draw = module.default;
  data = opening;
  leadOn();
  const now = question();
  if (isOpening(now)) {
    show(opening);
    await idle();
    if (!asked) ask({ ...now, only: "load" }); // the weights, for the first sentence that is typed, if none has been
  } else answer();
  window.addEventListener("popstate", () => {
    controls.show();
    answer();
  });
  if ("serviceWorker" in navigator) {
    navigator.serviceWorker.register(new URL("./service-worker.js", document.baseURI)).catch(() => {}); // a private window
  }
}

/** What the address asks. @returns {Question} */
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
  const texts = Object.entries(settings.link).map(([use, { name }]) => [use, readAddress(name)]);
  return { pair, text, beam, models: chosen, asked: Object.fromEntries(texts) };
}

/** Whether the picture that was made with the page answers it. @param {Question} now */
function isOpening({ pair, text, beam, models, asked: texts }) {
  const { examples, models: all } = settings.pairs[pair];
  const usual = settings.models.filter((name) => all[name]);
  const run = Object.entries(settings.link).some(([use, { runs }]) => runs && texts[use]);
  const same = text === examples[Math.min(settings.first, examples.length - 1)].text && beam === settings.beam;
  return same && !run && models.join() === usual.join();
}

/** The other pages are asked the same. */
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
  if (!data) return; // `start` answers what the address asks by then
  if (!isOpening(now)) return ask(now);
  asked++;
  note();
  data = await fetch(new URL(settings.opening[now.pair], document.baseURI)).then((response) => response.json());
  show(data);
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
  const fixed = { formulas: data.formulas, code: data.numpy?.code, colors: data.colors, panes: data.heads?.panes }; // the same for every sentence
  worker.postMessage({ ...now, id: asked, words: data.words, fixed, settings: forWorker(now.pair) });
}

/** @param {string} pair */
const forWorker = (pair) => ({
  page: settings.page,
  pair: settings.pairs[pair],
  limits: settings.limits,
  says,
  base: document.baseURI,
});

/** What the worker says about the last question: notes, a picture, that it has ended, or how far a model has come. */
function hear(/** @type {any} */ { id, notes, picture, done, loading }) {
  if (id !== asked) return;
  if (loading) progress(filledText(says.loading, loading));
  if (notes) note(...notes);
  if (picture) show(picture);
  if (done) {
    progress("");
    document.body.classList.remove("waiting");
  }
}

/** @param {any} picture */
function show(picture) {
  data = picture;
  const link = Object.entries(settings.link).map(([use, parameter]) => [
    use,
    parameter.runs ? { ...parameter, now: readAddress(parameter.name) } : parameter,
  ]);
  place.hidden = false;
  // A picture asks for an answer by `setTriggerValue`; its place in the address it has written itself.
  draw({ parentElement: place, data: { ...picture, link: Object.fromEntries(link) }, setTriggerValue: () => answer(), setStateValue: () => {} });
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

