// @ts-check
// A lesson in the browser: draws each figure from the data inside it, and moves between sections by keys.

/** @param {string} view @param {(call: any) => void} draw */
function drawFigures(view, draw) {
  const style = document.querySelector(`style[data-view="${view}"]`)?.textContent ?? "";
  for (const figure of document.querySelectorAll(`figure[data-view="${view}"]`)) {
    const place = /** @type {HTMLElement} */ (figure.querySelector("div"));
    const root = place.attachShadow({ mode: "open" }); // as in the app, where no picture's style reaches another's
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
    const parentElement = document.createElement("div");
    root.append(parentElement);
    const data = JSON.parse(figure.querySelector(":scope > script:not(.question)")?.textContent ?? "{}");
    draw({ parentElement, data });
    const form = figure.querySelector("form");
    if (form) listen(form, (picture) => draw({ parentElement, data: { ...picture, opens_with: unset(data.opens_with) } }));
  }
}

/** A picture's state at its defaults. @param {Record<string, any>} state */
const unset = (state) => Object.fromEntries(Object.entries(state).map(([use, value]) => [use, Array.isArray(value) ? [] : null]));

/**
 * The model inside this page translates typed text, in a worker made from the page's own text.
 * @param {HTMLFormElement} form
 * @param {(picture: any) => void} show
 */
function listen(form, show) {
  const question = JSON.parse(form.parentElement?.querySelector("script.question")?.textContent ?? "{}");
  const { says, pair } = question.settings;
  const output = /** @type {HTMLOutputElement} */ (form.querySelector("output"));
  const written = (/** @type {string} */ id) => document.getElementById(id)?.textContent ?? "";
  /** @type {Worker | null} */
  let worker = null;
  let asked = 0; // the number of the last question

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    worker ??= started();
    output.textContent = says.working;
    worker.postMessage({ ...question, id: ++asked, text: form.querySelector("input")?.value });
  });

  function started() {
    const address = URL.createObjectURL(new Blob([written("worker")], { type: "text/javascript" }));
    const made = new Worker(address);
    const [{ weights, vocabulary }] = Object.values(pair.models);
    const files = [weights.file, vocabulary.file, pair.simplified].filter(Boolean);
    for (const file of files) made.postMessage({ given: file, base64: written(file) });
    let notes = /** @type {string[]} */ ([]);
    made.addEventListener("message", ({ data: said }) => {
      if (said.id !== asked) return;
      if (said.notes) notes = said.notes;
      if (said.picture) show(said.picture);
      if (said.done) output.textContent = notes.join(" ");
    });
    made.addEventListener("error", ({ message }) => (output.textContent = says.failed.replace("{reason}", message)));
    return made;
  }
}
Object.assign(globalThis, { drawFigures });

/** @param {number} by */
function go(by) {
  const sections = [...document.querySelectorAll("section")];
  const here = sections.filter((section) => section.getBoundingClientRect().top < 2).length - 1; // -1 above the first
  sections[Math.min(Math.max(here + by, 0), sections.length - 1)]?.scrollIntoView();
}

function answers() {
  const all = [...document.querySelectorAll("details")];
  const open = all.some((one) => !one.open);
  for (const one of all) one.open = open;
}

/** @type {Record<string, () => void>} */
const KEYS = { n: () => go(1), p: () => go(-1), a: answers };

document.addEventListener("keydown", (event) => {
  const { target } = event;
  const inPicture = target instanceof Element && target.closest("figure"); // which may use these keys itself
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || inPicture) return;
  KEYS[event.key]?.();
});
