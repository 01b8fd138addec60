// @ts-check
// Scrolls to its place when somebody asks for neighbours, and again when the part below has been drawn. Beside
// links to another page's section it records that one was followed.

import { ASKED, askToScroll, takeScroll } from "../../nmtcore/views/kit/scroll.js";

const DRAWN = 600; // ms

/** @param {{parentElement: any, data: {links: boolean}}} call */
export default function ({ parentElement, data }) {
  if (data.links) return listen("click", onClick);
  const place = parentElement.host ?? parentElement;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const scroll = () => place.scrollIntoView({ block: "start", behavior: still ? "instant" : "smooth" });
  let again = 0;
  const answer = () => {
    if (!takeScroll()) return;
    scroll();
    again = window.setTimeout(scroll, DRAWN);
  };
  answer();
  const end = listen(ASKED, answer);
  return () => {
    end();
    clearTimeout(again);
  };
}

/** @param {Event} event */
function onClick(event) {
  if (event.composedPath().some((node) => node instanceof HTMLAnchorElement && node.search.includes("vectors="))) askToScroll();
}

/** @param {string} event @param {(event: Event) => void} act */
function listen(event, act) {
  document.addEventListener(event, act);
  return () => document.removeEventListener(event, act);
}
