// The pick and the switches in the page's address, without the server: `pick=1.t4s2`, `pick-view=words.hide`.
// A component of version 2 lives in the app's own document, so history.replaceState reaches its address, and
// Streamlit sends the address along with the next run that has another cause.

const PICK = /^(\d{1,2})\.(?=[ts])(?:t(\d{1,3}))?(?:s(\d{1,3}))?$/;

export function readPick(text) {
  const found = PICK.exec(text ?? "");
  if (!found) return null;
  const number = (part) => (part === undefined ? null : Number(part));
  return { panel: Number(found[1]), target: number(found[2]), source: number(found[3]) };
}

export function writePick(pick) {
  if (!pick) return null;
  const part = (letter, number) => (number === null ? "" : `${letter}${number}`);
  return `${pick.panel}.${part("t", pick.target)}${part("s", pick.source)}`;
}

export function readView(text, defaults) {
  const on = new Set((text ?? "").split("."));
  if (!text) return { ...defaults };
  return { words: on.has("words"), hide: on.has("hide"), values: !on.has("plain") };
}

export function writeView(view) {
  const on = [view.words && "words", view.hide && "hide", !view.values && "plain"].filter(Boolean);
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
