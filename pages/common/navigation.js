// @ts-check
// Links to pages of the app, with the address parameters that go along, read when a link is followed.

import { openPage, readAddress } from "../../nmtcore/views/kit/address.js";
import { el } from "../../nmtcore/views/kit/dom.js";

/** @typedef {{address: string, says: string, asked: Record<string, string>, current: boolean}} Link */

const BOX = ".st-key-text :is(input, textarea)"; // of the sentence
const SENT = 150; // ms
const pages = new Set(); // paths of the pages that links lead to
let typed = ""; // last text in the box, carried along if a link is followed before the page has run

// One listener for all lists of links: a browser keeps this module as it goes from page to page.
document.addEventListener("click", stay);
document.addEventListener("input", keepTyped);

/** @param {{parentElement: any, data: {links: Link[], carried: string[], look: string}}} call */
export default function ({ parentElement, data: { links, carried, look } }) {
  const place = parentElement.querySelector(".page-links");
  place.className = `page-links ${look}`;
  if (look === "column") place.setAttribute("role", "navigation");
  place.replaceChildren(
    ...links.map(({ address, says, asked, current }) => {
      const link = el("a", current ? { "aria-current": "page" } : {}, says);
      const lead = () => link.setAttribute("href", whole(address, carried, asked));
      lead();
      for (const before of ["pointerenter", "focus", "click"]) link.addEventListener(before, lead);
      pages.add(new URL(address, location.href).pathname);
      return link;
    }),
  );
}

// Whether the box holds a sentence that the page has not run with yet.
function unsent() {
  const box = /** @type {HTMLInputElement | null} */ (document.querySelector(BOX));
  return Boolean(typed) && box?.value === typed && readAddress("text") !== typed;
}

/** @param {Event} event */
function keepTyped({ target }) {
  if (target instanceof Element && target.matches(BOX)) typed = /** @type {HTMLInputElement} */ (target).value;
}

/** A page's address with the parameters that go along. @param {string} address @param {string[]} carried @param {Record<string, string>} asked */
function whole(address, carried, asked) {
  const now = new URLSearchParams(location.search);
  const there = carried.filter((name) => now.has(name)).map((name) => [name, now.get(name)]);
  if (carried.includes("text") && unsent()) there.push(["text", typed]);
  const query = new URLSearchParams({ ...Object.fromEntries(there), ...asked }).toString();
  return query ? `${address}?${query}` : address;
}

/** The first box below a place, which whoever followed a link there will type into. @param {Element} place */
function boxAfter(place) {
  const boxes = document.querySelectorAll("input");
  return [...boxes].find((box) => place.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING);
}

/**
 * Follow a link to a page, or to a place on this one, without loading the app again. To a place it only scrolls: with a
 * hash in the address Streamlit would run the page again, at times with the address that it was opened at.
 * @param {MouseEvent} event
 */
function stay(event) {
  const elsewhere = event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
  if (event.defaultPrevented || elsewhere || !(link instanceof HTMLAnchorElement)) return;
  const place = link.pathname === location.pathname && document.getElementById(link.hash.slice(1));
  if (place) {
    event.preventDefault();
    place.scrollIntoView();
    (boxAfter(place) ?? place).focus({ preventScroll: true });
    return;
  }
  if (link.target || link.hash || link.origin !== location.origin || !pages.has(link.pathname)) return;
  event.preventDefault();
  if (link.hasAttribute("aria-current")) return; // the page is there, with the changes made on it
  const { href } = link;
  // A box that this click has left sends what was typed after it, as Streamlit wants: a run of the page that would be left.
  if (unsent()) setTimeout(() => openPage(href), SENT);
  else openPage(href);
}
