// @ts-check
// A guided tour: a bar at the bottom of the window says one sentence per step, and a frame surrounds its subject.
// Both are in the top layer of the page. The pictures are moved to what a sentence names, such as a step or a head, by
// their parameters in the address; they go back to where the reader had them with the next step, or the tour's end.

import { bring, readAddress } from "../../nmtcore/views/kit/address.js";
import { button, el, filledText, focused, set } from "../../nmtcore/views/kit/dom.js";
import { asked, readParameter, writeLink } from "../../nmtcore/views/kit/link_state.js";
import { mounted } from "../../nmtcore/views/kit/mount.js";
import { tellPresence } from "./presence.js";

const LOOK = 250; // ms between two checks of where a part of the page is: pictures are redrawn
const HEAD = 56; // px at the top of the window that the app's own bar may cover
const AIR = 10; // px between the bar and what it points at
const EDGE = 4; // px from what is framed to its frame

export default mounted((parent) => {
  const frame = el("div", { class: "tour-frame", popover: "manual" });
  const says = el("p", { class: "tour-says", "aria-live": "polite" });
  const count = el("span", { class: "tour-count" });
  const back = button(() => go(step - 1), { class: "tour-back" });
  const next = button(() => go(step + 1), { class: "tour-next" });
  const leave = button(end, { class: "tour-leave" });
  const buttons = el("div", { class: "tour-buttons" }, count, back, next, leave);
  const bar = el("div", { class: "tour-bar", role: "region", popover: "manual" }, says, buttons);
  const room = el("style"); // below the page's end, so that its last part can be seen above the bar
  const root = el("div", { class: "tour" }, frame, bar, room);
  parent.append(root);
  tellPresence("tour");

  let data = null;
  let step = 0; // from 1; 0 if nobody is on the tour
  let opened = false; // whether the address has been read
  let told = ""; // the step that the pictures were moved to
  let brought = {}; // the parameters set for that: {name: {was, now}}, texts of the address or null
  let target = []; // the elements that are framed
  let revealed = false; // whether it has been scrolled into view for this step
  let remark = ""; // the remark about a link that asks for the impossible
  let before = null; // the element focused before the tour
  let timer = 0;
  document.addEventListener("guided-tour", begin);
  document.addEventListener("keydown", onKey);
  for (const name of ["scroll", "resize"]) window.addEventListener(name, place, { capture: true, passive: true });

  return {
    update(now) {
      data = now;
      const { words } = data;
      set(bar, { "aria-label": words.tour });
      [back.textContent, next.textContent, leave.textContent] = [words.back, words.next, words.leave];
      if (!opened) open();
      step = Math.min(step, data.steps.length);
      if (told !== spoken()) bringPictures();
      show();
    },
    close() {
      clearInterval(timer);
      document.removeEventListener("guided-tour", begin);
      document.removeEventListener("keydown", onKey);
      for (const name of ["scroll", "resize"]) window.removeEventListener(name, place, { capture: true });
      root.remove();
      tellPresence("tour");
    },
  };

  function open() {
    opened = true;
    const text = asked(data.link.step);
    if (text === null) return;
    const linked = readParameter(data.link.step);
    step = linked ?? 1;
    if (linked === null)
      remark = filledText(data.words.ignored, { step: text.slice(0, 20), count: data.steps.length });
    // A link to this step contains the pictures' positions too, but not where they were before.
    const names = Object.keys(shows());
    if (!names.some((name) => readAddress(name) !== null)) return;
    told = spoken();
    const before = (name) => (data.own.includes(name) ? readAddress(name) : null);
    brought = Object.fromEntries(names.map((name) => [name, { was: before(name), now: readAddress(name) }]));
  }

  function shows() {
    return step ? data.steps[step - 1].shows : {};
  }

  function spoken() {
    return step ? JSON.stringify(data.steps[step - 1]) : "";
  }

  // Move to this step's subject; undo the previous step's moves, unless the reader has moved them since.
  function bringPictures() {
    told = spoken();
    [target, revealed] = [[], false];
    const here = Object.entries(brought).every(([name, { now }]) => readAddress(name) === now);
    const back = here ? Object.fromEntries(Object.entries(brought).map(([name, { was }]) => [name, was])) : {};
    const places = Object.keys(shows()).map((name) => [name, name in back ? back[name] : readAddress(name)]);
    bring({ ...back, ...shows() });
    brought = Object.fromEntries(places.map(([name, was]) => [name, { was, now: readAddress(name) }]));
  }

  function begin() {
    before = focused();
    go(1);
    next.focus({ preventScroll: true });
  }

  function end() {
    if (bar.contains(document.activeElement)) before?.focus?.({ preventScroll: true });
    go(0);
  }

  function go(to) {
    const hadKeys = bar.contains(document.activeElement);
    step = to;
    remark = "";
    bringPictures();
    show();
    // A button that disappears passes the focus to the one beside it.
    if (hadKeys && step && !bar.contains(document.activeElement)) (next.hidden ? leave : next).focus();
  }

  function show() {
    clearInterval(timer);
    timer = 0;
    writeUrl();
    if (!step) {
      room.textContent = "";
      for (const node of [frame, bar]) if (node.matches(":popover-open")) node.hidePopover();
      return;
    }
    const said = [remark, data.steps[step - 1].says].filter(Boolean).join(" ");
    if (says.textContent !== said) says.textContent = said;
    count.textContent = filledText(data.words.count, { step, count: data.steps.length });
    back.hidden = step === 1;
    next.hidden = step === data.steps.length;
    if (!bar.matches(":popover-open")) bar.showPopover();
    const rule = `padding-bottom: ${Math.ceil(bar.offsetHeight) + 6 * AIR}px !important`;
    room.textContent = `[data-testid="stMainBlockContainer"] { ${rule}; }`;
    place();
    timer = setInterval(place, LOOK);
  }

  // Put the frame where its target is now. A target that appears later, as a picture may, is scrolled into view then.
  function place() {
    if (!step) return;
    if (!target.length || !target.every(isSeen)) target = find(data.steps[step - 1].targets);
    if (target.length && !revealed) reveal();
    const box = target.length && around(target);
    const bottom = box && Math.min(box.bottom + EDGE, bar.getBoundingClientRect().top - 2);
    if (!box || bottom - box.top < 2 * EDGE) {
      if (frame.matches(":popover-open")) frame.hidePopover();
      return;
    }
    const top = Math.max(2, box.top - EDGE);
    const left = Math.max(2, box.left - EDGE);
    const right = Math.min(document.documentElement.clientWidth - 2, box.right + EDGE);
    const size = { left, top, width: right - left, height: bottom - top };
    for (const [name, value] of Object.entries(size)) frame.style[name] = `${value}px`;
    if (!frame.matches(":popover-open")) frame.showPopover();
  }

  // Scroll the target between the app's bar and ours, at once: as much of it as fits there, from its top.
  function reveal() {
    revealed = true;
    // Scroll containers inside the page are scrolled too.
    for (const node of target) {
      node.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    }
    const box = around(target);
    const [top, bottom] = [HEAD, bar.getBoundingClientRect().top - AIR];
    if (box.top >= top && box.bottom <= bottom) return;
    const fits = box.height <= bottom - top;
    const by = fits ? (box.top + box.bottom - top - bottom) / 2 : box.top - top;
    document.querySelector('[data-testid="stMain"]')?.scrollBy({ top: by, behavior: "instant" });
  }

  function onKey(event) {
    if (!step || event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    end();
  }

  function writeUrl() {
    if (data) writeLink(data.link, { step: step || null });
  }
});

// All visible elements of the first visible target; nothing if none is visible.
/** @param {{key: string, part: string}[]} targets as `Target.to_json` in tour.py makes them */
function find(targets) {
  for (const { key, part } of targets) {
    const hosts = [...document.querySelectorAll(`.st-key-${CSS.escape(key)}`)];
    const nodes = hosts.flatMap((host) => (part ? within(host, part) : [host])).filter(isSeen);
    if (nodes.length) return nodes;
  }
  return [];
}

/** The box around some elements, in the window. @param {Element[]} nodes at least one */
function around(nodes) {
  const boxes = nodes.map((node) => node.getBoundingClientRect());
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))];
  return new DOMRect(left, top, right - left, bottom - top);
}

/** @param {Element} node */
function isSeen(node) {
  const { width, height } = node.getBoundingClientRect();
  return width > 0 && height > 0 && node.isConnected && node.checkVisibility({ visibilityProperty: true });
}

// The elements that a selector names within an element, in the shadow roots below it too, where pictures live.
/** @param {Element | ShadowRoot} root @param {string} selector @returns {Element[]} */
function within(root, selector) {
  const nodes = [...root.querySelectorAll(selector)];
  for (const node of root.querySelectorAll("*")) {
    if (node.shadowRoot) nodes.push(...within(node.shadowRoot, selector));
  }
  return nodes;
}
