// @ts-check
// Brings the address to what the server has changed, each change once, by its number; and tells a server that has
// forgotten this tab where it was.

import { bring } from "../../nmtcore/views/kit/address.js";

const KNOWN = Symbol.for("alignment-lab address"); // on the window: what the server has said so far

/**
 * @typedef {{session: string, number: number, changes: Record<string, [string | null, number]>}} Data
 * @param {{data: Data, setTriggerValue: (name: string, value: unknown) => void}} call
 */
export default function ({ data: { session, number, changes }, setTriggerValue }) {
  const window_ = /** @type {any} */ (window);
  const known = window_[KNOWN];
  const path = location.pathname;
  window_[KNOWN] = { session, number, path };
  if (known && known.session !== session) {
    if (known.path === path) setTriggerValue("reopened", location.search);
    return;
  }
  const fresh = Object.entries(changes).filter(([, [, at]]) => at > (known?.number ?? 0));
  bring(Object.fromEntries(fresh.map(([name, [text]]) => [name, text])));
}
