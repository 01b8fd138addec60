// @ts-check
// The page's address without the server, and what a pick and the switches of a view look like in it.
// A component of version 2 lives in the app's own document, so history.replaceState reaches its address. Streamlit does
// not follow it: what its runs see is the address as the page was opened, and as Python and bound widgets wrote it since.

const LINKS = /^(top|least)(\d{1,3})$/;

// Everything as pieces, matrices with their values; ribbons show the strongest links, up to 70% of each word's weight.
export const VIEW = { words: false, hide: false, values: true, as: "matrix", rule: "top", percent: 70 };

export function writePick(pick) {
  if (!pick) return null;
  const part = (letter, number) => (number === null ? "" : `${letter}${number}`);
  return `${pick.panel}.${part("t", pick.target)}${part("s", pick.source)}`;
}

// parts: the codes of the view in the address.
export function readView(parts) {
  const on = new Set(parts);
  const links = parts.map((part) => LINKS.exec(part)).find((found) => found && Number(found[2]) <= 100);
  return {
    words: on.has("words"),
    hide: on.has("hide"),
    values: !on.has("plain"),
    as: ["ribbons", "both"].find((name) => on.has(name)) ?? VIEW.as,
    rule: links?.[1] ?? VIEW.rule,
    percent: links ? Number(links[2]) : VIEW.percent,
  };
}

export function writeView(view) {
  const links = view.rule !== VIEW.rule || view.percent !== VIEW.percent;
  const on = [
    view.words && "words",
    view.hide && "hide",
    !view.values && "plain",
    view.as !== VIEW.as && view.as,
    links && `${view.rule}${view.percent}`,
  ].filter(Boolean);
  return on.length ? on.join(".") : null;
}

export const readAddress = (name) => new URLSearchParams(location.search).get(name);

export function writeAddress(values) {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(values)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  if (url.href === location.href) return;
  try {
    history.replaceState(history.state, "", url);
  } catch {
    // A browser may refuse when a key is held down (Safari: 100 changes in 30 s); the next pick writes it again.
  }
}

export const BROUGHT = "address-brought"; // event of the document; detail: the names of the parameters
const BRINGING = "data-bringing"; // attribute of the body meanwhile; a picture's script has this module for itself

// Brings the pictures of the page to a place, as a link would. values: by the names of their parameters.
export function bring(values) {
  const names = Object.keys(values).filter((name) => values[name] !== readAddress(name));
  if (!names.length) return;
  document.body.toggleAttribute(BRINGING, true);
  writeAddress(values);
  document.body.toggleAttribute(BRINGING, false);
  document.dispatchEvent(new CustomEvent(BROUGHT, { detail: names }));
}

// Streamlit may write the address from its own copy, without our part: `write` puts it back, on this page only.
// others: parameters of pictures that stand in this place at other times, which find them again as they left them.
// Returns what ends this.
export function keepAddress(write, others = []) {
  const pathname = location.pathname;
  const kept = Object.fromEntries(others.map((name) => [name, readAddress(name)]));
  const restore = (event) => {
    if (event.navigationType === "traverse" || location.pathname !== pathname) return;
    if (document.body.hasAttribute(BRINGING)) return; // it is not where this picture is yet
    writeAddress(kept);
    write();
  };
  window.navigation?.addEventListener("currententrychange", restore);
  return () => window.navigation?.removeEventListener("currententrychange", restore);
}
