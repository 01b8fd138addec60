// @ts-check
// The first click selects the sentence, to type over it; the next click places the caret.
// On a phone the box for the sentence has as many lines as the sentence: a text area in the place of Streamlit's text
// input, which has one. Text typed there goes into the input as if typed in it.

const PHONE = "(max-width: 640px)"; // as in look.css
const LEAST_TYPE = 13; // px

/** @type {WeakMap<Element, () => void>} the function that closes it, by the box's container */
const open = new WeakMap();

/** @param {{parentElement: any}} call */
export default function ({ parentElement }) {
  const home = (parentElement.host ?? parentElement).closest(".st-key-sentence");
  open.get(home)?.();
  const come = ({ target }) => {
    if (!target.matches("input, textarea") || document.activeElement === target) return;
    const select = () => target.selectionStart === target.selectionEnd && target.select(); // unless dragged
    target.addEventListener("click", select, { once: true });
  };
  /** @type {Element | null} */
  let input = null;
  let shrink = () => {};
  const follow = () => {
    const box = home.querySelector(".st-key-text input");
    if (box === input) return;
    shrink();
    const place = home.querySelector(".st-key-text");
    const parts = box ? [grow(place, box), fitType(place, box)] : [];
    [input, shrink] = [box, () => parts.forEach((part) => part())];
  };
  const changes = new MutationObserver(follow); // the input can come later, or be replaced
  const close = () => {
    changes.disconnect();
    shrink();
    home.removeEventListener("pointerdown", come);
    if (open.get(home) === close) open.delete(home);
  };
  open.set(home, close);
  home.addEventListener("pointerdown", come);
  changes.observe(home, { childList: true, subtree: true });
  follow();
  return close;
}

/** @param {Element} place @param {HTMLInputElement} input */
function grow(place, input) {
  const area = document.createElement("textarea");
  area.rows = 1;
  area.enterKeyHint = "go";
  area.placeholder = input.placeholder;
  area.setAttribute("aria-label", input.getAttribute("aria-label") ?? "");
  const fit = () => {
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight + area.offsetHeight - area.clientHeight}px`;
  };
  const follow = () => {
    if (document.activeElement !== area) area.value = input.value;
    fit();
  };
  const phone = matchMedia(PHONE);
  const show = () => {
    if (!phone.matches) return area.remove();
    place.append(area);
    follow();
  };
  const lines = new MutationObserver(follow); // React keeps the attribute equal to the value
  const events = /** @type {[string, (event: any) => void][]} */ ([
    ["input", fit],
    ["blur", () => send(area, input)],
    ["keydown", onKey],
  ]);

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    event.stopPropagation(); // letters are shortcuts of the page
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    send(area, input);
  }

  for (const [name, act] of events) area.addEventListener(name, act);
  lines.observe(input, { attributeFilter: ["value"] });
  phone.addEventListener("change", show);
  const width = new ResizeObserver(fit);
  width.observe(place);
  document.fonts.ready.then(fit);
  show();
  return () => {
    lines.disconnect();
    width.disconnect();
    phone.removeEventListener("change", show);
    area.remove();
  };
}

// Type in which the sentence is seen whole, down to the least that is read; the style of the page says the largest.
/** @param {HTMLElement} place @param {HTMLInputElement} input */
function fitType(place, input) {
  const fit = () => {
    place.style.removeProperty("--text-size");
    if (!input.clientWidth || input.scrollWidth <= input.clientWidth) return;
    const { fontSize, paddingLeft, paddingRight } = getComputedStyle(input);
    const air = parseFloat(paddingLeft) + parseFloat(paddingRight);
    const size = (parseFloat(fontSize) * (input.clientWidth - air)) / (input.scrollWidth - air);
    place.style.setProperty("--text-size", `${Math.max(LEAST_TYPE, Math.floor(10 * size) / 10)}px`);
  };
  const changes = new MutationObserver(fit); // as above
  changes.observe(input, { attributeFilter: ["value"] });
  input.addEventListener("input", fit);
  const width = new ResizeObserver(fit);
  width.observe(place);
  document.fonts.ready.then(fit);
  return () => {
    changes.disconnect();
    width.disconnect();
    input.removeEventListener("input", fit);
  };
}

/** @param {HTMLTextAreaElement} area @param {HTMLInputElement} input */
function send(area, input) {
  const text = area.value.replace(/\s*\n\s*/g, " ");
  if (text === input.value) return;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, text);
  input.dispatchEvent(new Event("input", { bubbles: true }));
  requestAnimationFrame(() => input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })));
}
