// @ts-check
// One instance a place on the page: a host calls again, with the same parent, when data or theme change.
// What a call returns closes the instance, unless a later call has taken it over: Streamlit calls twice in a row where
// new data came while it still loaded the script, and only then closes the first of the two.

import { BROUGHT } from "./address.js";
import { readSlice, sliceTexts, writeLink } from "./link_state.js";
import { REDRAW, SAVE_PAGE, savePage, template } from "./page_file.js";
import { EVENT, projected } from "./projection.js";

/**
 * What a picture may ask of the place that it is drawn in: a page of Streamlit, a notebook, an HTML file.
 * @typedef {object} Host
 * @property {() => Record<string, any>} get this picture's part of the state, by what it uses each field for; null for
 *   what nobody has chosen. Empty where the host has no state.
 * @property {(values: Record<string, string | number | null>, run?: boolean) => boolean} set gives fields new values; the
 *   page runs for those that it must act upon, unless `run` is false: a slider that still moves. Whether it runs
 * @property {boolean} answers whether somebody answers; what nobody can answer is hidden
 * @property {(name: string, value: unknown) => void} ask asks once
 */

/**
 * What Streamlit calls the default export with; other hosts give the first two alone.
 * @template Data
 * @typedef {object} Call
 * @property {HTMLElement | ShadowRoot} parentElement
 * @property {Data | Uint8Array} data as the `data` of the picture's folder returned it, or its JSON
 * @property {Host["ask"]} [setTriggerValue]
 * @property {(values: Record<string, string | number | null>) => void} [onSet] hears what the picture sets, of a host
 *   without an address, such as a notebook
 */

/**
 * What a picture is to those who draw it. follow: goes where its parameters in the address say, which have changed; forget:
 * update() then draws all anew, even if nothing has changed.
 * @template Data
 * @typedef {{update(data: Data): void, follow?(): void, forget?(): void, close(): void}} Instance
 */

/**
 * @template Data
 * @param {(parent: HTMLElement | ShadowRoot, data: Data, host: Host) => Instance<Data>} make
 */
export function mounted(make) {
  const instances = new WeakMap();
  /** @param {Call<Data>} call */
  return ({ parentElement, data: sent, setTriggerValue, onSet }) => {
    const data = sent instanceof Uint8Array ? /** @type {Data} */ (JSON.parse(new TextDecoder().decode(sent))) : sent;
    const known = instances.get(parentElement) ?? { host: {} };
    Object.assign(known.host, { answers: Boolean(setTriggerValue), ask: setTriggerValue ?? (() => {}) });
    known.host.get = () => known.data.opens_with ?? readSlice(known.data.link);
    known.host.set = (values, run = true) => {
      const { link } = known.data;
      onSet?.(values);
      const runs = writeLink(link, values) && run;
      if (runs) known.host.ask("state", sliceTexts(link));
      return runs;
    };
    known.data = data;
    template.address = known.data?.page ?? "";
    known.instance ??= make(parentElement, data, known.host);
    instances.set(parentElement, known);
    const dress = () => parentElement.querySelector(".view")?.classList.toggle("projected", projected());
    dress();
    known.instance.update(data);
    if (!known.project) {
      known.project = () => {
        dress();
        known.instance.update(known.data); // it has another size, or other parts
      };
      known.redraw = () => {
        known.instance.forget?.();
        known.project();
      };
      known.follow = ({ detail: names }) => {
        const own = Object.values(known.data.link ?? {});
        if (own.some(({ name }) => names.includes(name))) known.instance.follow?.();
      };
      known.savePage = () => savePage(known.data, known.host.get(), /** @type {HTMLElement} */ (parentElement.querySelector(".view")));
      parentElement.addEventListener?.(SAVE_PAGE, known.savePage);
      parentElement.addEventListener?.(REDRAW, known.redraw);
      document.addEventListener(EVENT, known.project);
      document.addEventListener(BROUGHT, known.follow);
    }
    const close = () => {
      if (instances.get(parentElement)?.close !== close) return;
      parentElement.removeEventListener?.(SAVE_PAGE, known.savePage);
      parentElement.removeEventListener?.(REDRAW, known.redraw);
      document.removeEventListener(EVENT, known.project);
      document.removeEventListener(BROUGHT, known.follow);
      known.instance.close();
      instances.delete(parentElement);
    };
    known.close = close;
    return close;
  };
}
