// @ts-check
// Projection: the page's picture fills the window, enlarged, and the rest of the page is hidden, not removed. Beside it
// a pinned picture, in a frame: the app once more, at the address that was pinned, projected as well.

import { button, el, filledText, focused, set } from "../../nmtcore/views/kit/dom.js";
import { readParameter, writeLink } from "../../nmtcore/views/kit/link_state.js";
import { mounted } from "../../nmtcore/views/kit/mount.js";
import { announce } from "../../nmtcore/views/kit/projection.js";
import { tellPresence } from "./presence.js";

const LOOK = 250; // ms between two checks of the picture's height, since it is redrawn
const HEAD = 34; // px of the line above a picture, in a window of a projector's height
const AIR = 14; // px around it
const [WIDE, TALL] = [1060, 600]; // px of a picture before it is enlarged; NARROW if it is no wider than high
const NARROW = 500;
const MOST = 4;
const TURN = 0.8; // share of the window's height that a next-page key scrolls a picture
const PROJECTOR = 720; // px
const QUIET = 2500; // ms after which the exit button is hidden again, if there is a pointer
const TYPED = "input, textarea, select, [contenteditable]";
const KEY = "p";
const KEYED = "st-key-"; // Streamlit's prefix before the key of a container
const FIGURES = `[class*="${KEYED}figure-"]`;

export default mounted((parent, _, host) => {
  const style = el("style");
  const leave = button(() => go(""), { class: "projection-leave" }, "×");
  const [about, keys] = [el("span"), el("span", { class: "projection-keys" })];
  const caption = el("p", { class: "projection-caption" }, about, keys);
  const pinned = el("div", { class: "projection-pinned", hidden: true });
  const ground = el("div", { class: "projection-ground" }); // above whatever stays visible
  const more = el("div", { class: "projection-more", "aria-hidden": "true" }, "\u25be");
  const root = el("div", { class: "projection" }, style, ground, caption, pinned, more, leave);
  parent.append(root);
  tellPresence("projection");

  let data = null;
  let mode = ""; // "on", "beside" a pinned picture, or nothing
  let opened = false; // whether the address has been read
  let at = ""; // the key of the picture; empty for the first that the page names
  let zoom = 1;
  const heights = new WeakMap(); // see heightMade
  let told = ""; // the size that the picture was told
  let high = 0; // consecutive checks at which it was too high
  let title = ""; // the size for which its zoom was found
  let looking = 0;
  let quiet = 0;
  const framed = window.parent !== window; // in the frame beside another picture
  const events = {
    "project-picture": () => project(),
    "pin-picture": pin,
    "beside-picture": () => go("beside"),
    "unpin-picture": () => host.ask("pin", "none"),
    "leave-projection": () => go(""),
  };
  const listening = new AbortController();
  const { signal } = listening;
  for (const [name, act] of Object.entries(events)) document.addEventListener(name, act, { signal });
  document.addEventListener("keydown", onKey, { signal });
  document.addEventListener("keydown", onEscape, { signal, capture: true });
  document.addEventListener("pointermove", showWayOut, { signal });
  window.addEventListener("resize", resize, { signal });

  return {
    update(now) {
      data = now;
      set(leave, { "aria-label": data.words.leave, title: data.words.leave });
      if (!opened) mode = readParameter(data.link.mode) ?? "";
      if (!opened) at = readParameter(data.link.picture) ?? "";
      opened = true;
      if (mode === "beside" && !data.pin) mode = "on";
      if (!mode) open();
      if (title !== data.title) zoom = 0;
      title = data.title;
      show();
    },
    close() {
      clearInterval(looking);
      clearTimeout(quiet);
      listening.abort();
      root.remove();
      tellPresence("projection");
      tell("");
    },
  };

  function go(to) {
    mode = to === "beside" && !data.pin ? "on" : to;
    zoom = 0;
    if (!mode) focused()?.blur(); // the key that leaves would put a frame around the picture that was clicked
    show();
  }

  // The address of what is on the screen, as the browser has it: a pick or a step may not be known to the server.
  function pin() {
    host.ask("pin", location.search);
  }

  // The page's pictures from top to bottom, [key, node]: those it names, and every figure outside them.
  /** @returns {[string, Element][]} */
  function pictures() {
    const named = data.keys.map((key) => document.querySelector(`.st-key-${CSS.escape(key)}`)).filter(Boolean);
    const figures = [...document.querySelectorAll(FIGURES)].filter((node) => !named.some((one) => one.contains(node)));
    const all = [...named, ...figures].filter((node) => node.getClientRects().length);
    const inOrder = all.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    return inOrder.map((node) => [[...node.classList].find((name) => name.startsWith(KEYED)).slice(KEYED.length), node]);
  }

  // The projected picture: the link's, else the first that the page names.
  function picture() {
    const all = pictures();
    const first = data.keys.find((key) => all.some(([other]) => other === key));
    return all.find(([key]) => key === at) ?? all.find(([key]) => key === first) ?? all[0];
  }

  // The most visible picture, which somebody is looking at.
  function project() {
    const seen = ([, node]) => {
      const { top, bottom } = node.getBoundingClientRect();
      return Math.max(0, Math.min(bottom, window.innerHeight) - Math.max(top, 0));
    };
    const all = pictures();
    const most = Math.max(0, ...all.map(seen));
    at = all.find((one) => most > 0 && seen(one) > 0.9 * most)?.[0] ?? "";
    go("on");
  }

  function show() {
    clearInterval(looking);
    looking = 0;
    writeUrl();
    showPinned();
    if (mode) {
      looking = setInterval(fit, LOOK);
      fit();
    } else lay(null);
  }

  function resize() {
    zoom = 0;
    if (mode) fit();
  }

  // As large as the window allows; smaller if the picture would have to scroll, but never smaller than on its page.
  function fit() {
    const [key, node] = picture() ?? [];
    showCaption();
    if (!node) return lay(null);
    const charts = [...node.querySelectorAll('[data-testid="stVegaLiteChart"]')];
    if (!zoom && charts.some(isUndrawn)) return undefined;
    const box = boxOf();
    const asked = (name) => parseFloat(getComputedStyle(node).getPropertyValue(name)) || 0; // by the picture's own style
    set(more, { "data-seen": node.scrollTop + node.clientHeight < node.scrollHeight - AIR });
    high = told && node.scrollHeight > node.clientHeight + 1 ? high + 1 : 0;
    if (!zoom) {
      high = 0;
      const least = box.width < 1.3 * box.height ? NARROW : asked("--projected-least-width") || WIDE;
      const own = node.matches(FIGURES) ? heightMade(node) : 0;
      const wide = Math.max(NARROW, asked("--least-width"));
      const tall = own || asked("--projected-least-height") || TALL;
      zoom = Math.max(1, Math.min(MOST, box.width / (own ? wide + 2 * AIR : least), box.height / tall));
    } else if (high > 1 && shrinks(key)) { // not at the first look: it may not have been drawn anew yet
      high = 0;
      const share = node.clientHeight / node.scrollHeight;
      const written = asked("--projected-least-width") > 0; // whose lines become fewer, too
      zoom = Math.max(1, zoom * (written ? Math.sqrt(share) : share));
    }
    return lay(key, box);
  }

  // px that a figure was made high, which it shows until it fills the window.
  function heightMade(/** @type {Element} */ node) {
    if (getComputedStyle(node).position !== "fixed") heights.set(node, node.scrollHeight);
    return heights.get(node) ?? 0;
  }

  // Whether a picture that is too high is made smaller until it is whole.
  function shrinks(key) {
    return told && zoom > 1 && !data.scrolled.includes(key);
  }

  // px of the screen that the picture takes.
  function boxOf() {
    const [width, height] = [window.innerWidth, window.innerHeight];
    const across = mode === "beside" && width >= height;
    const left = across ? width / 2 : 0;
    const head = Math.round(HEAD * Math.max(1, Math.min(MOST, height / PROJECTOR)));
    const above = mode === "beside" && !across ? height / 2 : 0;
    return { left, above, head, width: width - left, height: height - above - head };
  }

  function lay(key, box = null) {
    set(root, { "data-on": key ? mode : null }); // without a picture the page stays visible
    if (!key) {
      style.textContent = "";
      return tell("");
    }
    const scale = "currentCSSZoom" in Element.prototype ? zoom : 1;
    const px = (value) => `${(value / scale).toFixed(2)}px`;
    const picked = `.st-key-${CSS.escape(key)}`;
    const rule = `
      [data-testid="stApp"] > *, [data-testid="stSidebar"] *,
      [data-testid="stElementContainer"]:not(${picked}, ${picked} *, :has(> * .projection, > * .tour)) * {
        visibility: hidden !important;
      }
      [data-testid="stApp"] :is([data-testid="stMain"], [data-testid="stMainBlockContainer"]) { overflow: hidden; }
      ${picked} {
        visibility: visible !important; position: fixed !important; z-index: 99; box-sizing: border-box;
        left: ${px(box.left)}; top: ${px(box.above + box.head)}; width: ${px(box.width)} !important; height: ${px(box.height)};
        max-width: none !important; padding: 0 ${px(AIR)} ${px(AIR)}; overflow: auto; zoom: ${scale};
        scrollbar-gutter: stable; /* a scroll bar that comes and goes would redraw the picture for ever */
        --projected-height: ${box.height - AIR};
      }
      ${picked} [class*="${KEYED}save-"] { display: none; }
      /* Streamlit makes a Vega chart or a table as wide as this in px of the screen, and those are enlarged. */
      ${picked} [data-testid="stFullScreenFrame"]:has([data-testid="stVegaLiteChart"], [data-testid="stDataFrame"]) {
        width: calc(100% / ${scale}) !important;
      }
      .projection { --left: ${box.left}px; --top: ${box.above}px; --head: ${box.head}px; }`;
    if (style.textContent !== rule) style.textContent = rule;
    open();
    return tell([zoom, ...Object.values(box)].join());
  }

  // Show the page, which was hidden until this picture came (pages/server/projected_opening.py).
  function open() {
    document.documentElement.toggleAttribute("data-opened", true);
  }

  // A picture redraws itself when its size changes.
  function tell(now) {
    if (now === told) return;
    told = now;
    announce(Boolean(now));
  }

  // The page and sentence, or what a figure shows, with the page's remarks: a remark about a link must not be lost.
  function showCaption() {
    const said = [...document.querySelectorAll('[class*="st-key-said"]')].map((node) => node.textContent.trim());
    const all = pictures();
    const place = all.findIndex(([key]) => key === picture()?.[0]) + 1;
    const which = all.length > 1 && place ? filledText(data.words.which, { place, count: all.length }) : "";
    const title = picture()?.[1].getAttribute("data-title") ?? data.title;
    const text = [title, which, ...said].filter(Boolean).join(" · ");
    if (about.textContent !== text) about.textContent = text;
    const { steps, next, leave_key } = data.words;
    const help = [isStepped(picture()?.[1]) && steps, place < all.length && mode === "on" && next, leave_key];
    const told = help.filter(Boolean).join(" · ");
    if (keys.textContent !== told) keys.textContent = told;
  }

  // Whether a chart is still to come; a hidden figure gets none.
  function isUndrawn(/** @type {Element} */ chart) {
    return chart.getClientRects().length > 0 && !chart.querySelector("svg.marks, canvas");
  }

  // Whether arrow keys step through a picture, which then has a player, hidden now.
  function isStepped(/** @type {Element | undefined} */ node) {
    return [...(node?.querySelectorAll("div") ?? [])].some((part) => part.shadowRoot?.querySelector(".player"));
  }

  function showPinned() {
    pinned.hidden = mode !== "beside";
    const address = mode === "beside" ? new URL(data.pin.address, location.href).href : "";
    const shown = pinned.firstElementChild;
    if (shown?.getAttribute("src") === address) return;
    pinned.replaceChildren(...(address ? [el("iframe", { src: address, title: data.pin.title })] : []));
  }

  function showWayOut() {
    if (!mode) return;
    leave.classList.add("seen");
    clearTimeout(quiet);
    quiet = setTimeout(() => leave.classList.remove("seen"), QUIET);
  }

  function onKey(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const turn = mode && { PageDown: TURN, PageUp: -TURN }[event.key];
    if (turn) return turnOver(event, turn);
    if (event.key !== KEY || event.composedPath()[0].closest?.(TYPED)) return undefined;
    return mode ? end(event) : (event.preventDefault(), project());
  }

  // Leaves at once, as the caption says: before a picture that would let go of what is picked in it.
  function onEscape(event) {
    if (event.key !== "Escape" || !mode || document.querySelector(".tour-bar:popover-open")) return;
    event.stopPropagation();
    end(event);
  }

  // Page turning, with the keys of presenters too: a picture that stays higher than the window scrolls on, and then comes
  // the next picture, of the next section after the last one.
  function turnOver(event, turn) {
    const [key, node] = picture() ?? [];
    if (!node) return undefined;
    event.preventDefault();
    const left = turn > 0 ? node.scrollHeight - node.clientHeight - node.scrollTop : node.scrollTop;
    if (left > AIR && !shrinks(key)) return node.scrollBy({ top: turn * node.clientHeight });
    if (mode !== "on") return undefined;
    const all = pictures();
    const by = Math.sign(turn);
    const next = all[all.findIndex(([other]) => other === key) + by] ?? nextSection(by);
    if (!next) return undefined;
    [at] = next;
    lay(null);
    return go(mode);
  }

  // Opens the next section that has a picture, at its first one, or the previous section, at its last.
  function nextSection(by) {
    /** @type {NodeListOf<HTMLElement>} */
    const sections = document.querySelectorAll(".st-key-section .switch button");
    const now = [...sections].findIndex((section) => section.getAttribute("aria-pressed") === "true");
    for (let i = now + by; now >= 0 && sections[i]; i += by) {
      sections[i].click();
      const found = pictures();
      if (found.length) return by > 0 ? found[0] : found.at(-1);
    }
    sections[now]?.click();
    return null;
  }

  // Both pictures leave together: the page around a frame leaves.
  function end(event) {
    event.preventDefault();
    if (framed) window.parent.document.dispatchEvent(new CustomEvent("leave-projection"));
    else go("");
  }

  function writeUrl() {
    if (data && opened) writeLink(data.link, { mode: mode || null, picture: (mode && at) || null });
  }
});
