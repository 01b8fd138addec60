// @ts-check
// Brings the address to what the server has changed, each change once, by its number; and tells a server that has
// forgotten this tab where it was. It asks for a run as soon as the page is connected again, since a server that knows no
// widget yet would lose somebody's first entry.

import { bring } from "../../nmtcore/views/kit/address.js";

const KNOWN = Symbol.for("alignment-lab address"); // on the window: what the server has said so far
const APP = '[data-testid="stApp"]';
const STATE = "data-test-connection-state";

/** Call a function whenever the page is connected again. @param {Element} app @param {() => void} then */
function onReconnect(app, then) {
  let lost = false;
  new MutationObserver(() => {
    const connected = app.getAttribute(STATE) === "CONNECTED";
    if (connected && lost) then();
    lost = !connected;
  }).observe(app, { attributeFilter: [STATE] });
}

/**
 * @typedef {{session: string, number: number, changes: Record<string, [string | null, number]>, whole: boolean}} Data
 * whole: whether this bar belongs to the page, not to a fragment, which would run alone.
 * @param {{data: Data, setTriggerValue: (name: string, value: unknown) => void}} call
 */
export default function ({ data: { session, number, changes, whole }, setTriggerValue }) {
  const window_ = /** @type {any} */ (window);
  const known = window_[KNOWN];
  const path = location.pathname;
  const app = document.querySelector(APP);
  if (!known && app) onReconnect(app, () => window_[KNOWN].ask?.());
  window_[KNOWN] = { session, number, path, ask: whole ? () => setTriggerValue("reconnected", true) : known?.ask };
  if (known && known.session !== session) {
    if (known.path === path) setTriggerValue("reopened", location.search);
    return;
  }
  const fresh = Object.entries(changes).filter(([, [, at]]) => at > (known?.number ?? 0));
  bring(Object.fromEntries(fresh.map(([name, [text]]) => [name, text])));
}
