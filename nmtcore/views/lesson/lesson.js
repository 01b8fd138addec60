// @ts-check
// A lesson in the browser: draws each figure from the data that stands in it, and goes from section to section by keys.

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
    draw({ parentElement, data: JSON.parse(figure.querySelector("script")?.textContent ?? "{}") });
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
  const inPicture = target instanceof Element && target.closest("figure"); // which may have keys of its own
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || inPicture) return;
  KEYS[event.key]?.();
});
