// @ts-check
// The page's address: the only module that writes it, and the form of a pick and a view's switches in it.
// A component of version 2 lives in the app's own document, so history.replaceState reaches its address. Streamlit does
// not follow it: its runs see the address as the page was opened, and pages/common/address.py keeps what changed since.

const LINKS = /^(top|least)(\d{1,3})$/;

// Everything as pieces, matrices with their values; ribbons show the strongest links, up to 70% of each word's weight.
export const VIEW = { words: false, hide: false, values: true, as: "matrix", rule: "top", percent: 70 };

export function writePick(pick) {
  if (!pick) return null;
  const part = (letter, number) => (number === null ? "" : `${letter}${number}`);
  return `${pick.panel}.${part("t", pick.target)}${pick.word ? "w" : ""}${part("s", pick.source)}`;
}

// parts: the codes of the view in the address.
export function readView(parts) {
  const on = new Set(parts);
  const links = parts.map((part) => LINKS.exec(part)).find((match) => match && Number(match[2]) <= 100);
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

// Opens another page of the app in this tab: as if the browser went back to its address, which Streamlit follows.
export function openPage(href) {
  history.pushState(null, "", href);
  window.dispatchEvent(new PopStateEvent("popstate"));
}

export const BROUGHT = "address-brought"; // event of the document; detail: the names of the parameters

// Moves the page's pictures to a place, as a link would. values: by the names of their parameters.
export function bring(values) {
  const names = Object.keys(values).filter((name) => values[name] !== readAddress(name));
  if (!names.length) return;
  writeAddress(values);
  document.dispatchEvent(new CustomEvent(BROUGHT, { detail: names }));
}
