// @ts-check
// Link state in the browser: query parameters, as declared by the page along with a picture's data, under
// `link`, by their use in the picture. A host without an address sends none: then nothing is read or written.
// link_state.py is the same in Python; parameters at their defaults are left out of the address.

import { readAddress, writeAddress } from "./address.js";

/**
 * @typedef {{
 *   name: string, kind: "whole" | "number" | "choice" | "text" | "pattern" | "codes", default?: any,
 *   low?: number, high?: number, options?: string[],
 *   pattern?: string, groups?: string[], item?: string, separator?: string, runs?: boolean, now?: string | null,
 * }} Parameter
 * @typedef {Record<string, Parameter>} Link
 */

/** @type {Record<Parameter["kind"], (parameter: any, text: string) => any>} */
const PARSERS = {
  whole: ({ low, high }, text) => within(/^\d{1,9}$/.test(text) ? Number(text) : NaN, low, high),
  number: ({ low, high, pattern }, text) => within(whole(pattern).test(text) ? Number(text) : NaN, low, high),
  choice: ({ options }, text) => (options.includes(text) ? text : null),
  text: (_, text) => text,
  pattern: ({ pattern, groups }, text) => {
    const match = whole(pattern).exec(text);
    const named = (/** @type {string} */ name, /** @type {number} */ i) => [name, number(match?.[i + 1])];
    return match && Object.fromEntries(groups.map(named));
  },
  codes: ({ item, separator }, text) => text.split(separator).filter((code) => whole(item).test(code)),
};

/**
 * The value of a text; null if it is invalid. For a pattern, the numbers of its groups by name, null if absent; of
 * several codes, the valid ones.
 * @param {Parameter} parameter
 * @param {string} text
 */
export const parse = (parameter, text) => PARSERS[parameter.kind](parameter, text);

/**
 * The text in the address; null if there is none.
 * @param {Parameter | undefined} parameter
 */
export const asked = (parameter) => (parameter ? readAddress(parameter.name) : null);

/** The value in the address; null if there is no valid one. @param {Parameter | undefined} parameter */
export function readParameter(parameter) {
  const text = asked(parameter);
  return parameter && text !== null ? parse(parameter, text) : null;
}

/**
 * A picture's part of the state, as the address has it: a value or null by use; a list of codes may be empty.
 * @param {Link | undefined} link
 */
export function readSlice(link = {}) {
  const value = (/** @type {Parameter} */ parameter) => readParameter(parameter) ?? (parameter.kind === "codes" ? [] : null);
  return Object.fromEntries(Object.entries(link).map(([use, parameter]) => [use, value(parameter)]));
}

/** The same as texts, for the page. @param {Link | undefined} link */
export const sliceTexts = (link = {}) =>
  Object.fromEntries(Object.entries(link).map(([use, parameter]) => [use, asked(parameter)]));

/**
 * Writes values by use; null and defaults are removed.
 * @param {Link | undefined} link
 * @param {Record<string, string | number | null>} values
 * @returns {boolean} whether the page must run: it acts on one of them, and either that has changed now, or the page
 *   was drawn before it changed. The values it was drawn with are not enough: a part of the page may have run since.
 */
export function writeLink(link, values) {
  const known = Object.entries(values).filter(([use]) => link?.[use]);
  const before = known.map(([use]) => asked(link?.[use]));
  writeAddress(Object.fromEntries(known.map(([use, value]) => [link?.[use].name, textOf(value, link?.[use].default)])));
  return known.some(([use], i) => {
    const [parameter, now] = [link?.[use], asked(link?.[use])];
    return parameter?.runs && (now !== before[i] || now !== (parameter.now ?? null));
  });
}

const textOf = (/** @type {any} */ value, /** @type {any} */ usual) =>
  value === null || value === usual ? null : String(value);
const within = (/** @type {number} */ value, /** @type {number} */ low, /** @type {number} */ high) =>
  value >= low && value <= high ? value : null;
const whole = (/** @type {string} */ pattern) => new RegExp(`^(?:${pattern})$`);
const number = (/** @type {string | undefined} */ text) =>
  text === undefined ? null : /^\d+$/.test(text) ? Number(text) : text;
