// @ts-check
// Links to pages of the app, with the parameters of the address that go along, as they are when a link is followed.

import { openPage, readAddress } from "../../nmtcore/views/kit/address.js";
import { el } from "../../nmtcore/views/kit/dom.js";
import { mounted } from "../../nmtcore/views/kit/mount.js";

/** @typedef {{address: string, says: string, asked: Record<string, string>, current: boolean}} Link */

const BOX = ".st-key-text :is(input, textarea)"; // of the sentence
const SENT = 150; // ms
let typed = ""; // in it, last: who follows a link before the page has run takes it along

export default mounted((parent) => {
  /** @type {Set<string>} paths of the pages that the links lead to */
  let pages = new Set();
  const follow = (/** @type {MouseEvent} */ event) => stay(event, pages);
  document.addEventListener("click", follow);
  document.addEventListener("input", keepTyped);
  return {
    update,
    close() {
      document.removeEventListener("click", follow);
      document.removeEventListener("input", keepTyped);
    },
  };

  /** @param {{links: Link[], carried: string[], look: string}} data */
  function update({ links, carried, look }) {
    const place = parent.querySelector(".page-links");
    place.className = `page-links ${look}`;
    if (look === "column") place.setAttribute("role", "navigation");
    place.replaceChildren(
      ...links.map(({ address, says, asked, current }) => {
        const link = el("a", current ? { "aria-current": "page" } : {}, says);
        const lead = () => link.setAttribute("href", whole(address, carried, asked));
        lead();
        for (const before of ["pointerenter", "focus", "click"]) link.addEventListener(before, lead);
        return link;
      }),
    );
    pages = new Set(links.map(({ address }) => new URL(address, location.href).pathname));
  }
});

// Whether the box has a sentence that the page has not run with yet.
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

/**
 * Follow a link to one of these pages, whoever drew it, without loading the app again.
 * @param {MouseEvent} event @param {Set<string>} pages their paths
 */
function stay(event, pages) {
  const elsewhere = event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
  if (event.defaultPrevented || elsewhere || !(link instanceof HTMLAnchorElement)) return;
  if (link.target || link.origin !== location.origin || !pages.has(link.pathname)) return;
  event.preventDefault();
  if (link.hasAttribute("aria-current")) return; // the page is there, with what has been changed on it
  const { href } = link;
  // A box that this click has left sends what was typed after it, as Streamlit wants: a run of the page that would be left.
  if (unsent()) setTimeout(() => openPage(href), SENT);
  else openPage(href);
}
