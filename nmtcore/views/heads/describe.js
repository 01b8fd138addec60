// @ts-check
// Heads in words: their names, titles, roles and captions, and the rows of the table of all heads.

import { filledText } from "../kit/dom.js";
import { four } from "../kit/number.js";
import { codeOf } from "./state.js";
import { makeColumns } from "./statistics.js";

/**
 * @typedef {import("./state.js").Head} Head
 * @typedef {import("./statistics.js").Column} Column
 * @typedef {import("../kit/records.js").HeadsRecord} HeadsRecord
 * @typedef {Column & {name: string, hint: string}} NamedColumn
 * @typedef {HeadsRecord & {columns: NamedColumn[], later: Column[], rows(): ReturnType<typeof rowsOf>}} Described columns of
 *   the table, with its rows once they are needed; later: the statistics without the heads that are off
 * @typedef {Record<string, [string, string]>} Names the roles of heads, by code, with their shares
 */

/** The record of the heads with their statistics. @param {HeadsRecord} record @param {Record<string, any>} words @returns {Described} */
export function described(record, words) {
  const columns = makeColumns(record.maps, record.agreement).map((column) => {
    const [name, hint] = words.statistics[column.id];
    return { ...column, name, hint };
  });
  /** @type {ReturnType<typeof rowsOf> | null} */
  let rows = null;
  return { ...record, columns, later: makeColumns(record.after ?? {}), rows: () => (rows ??= rowsOf(record, columns, words)) };
}

/** @param {string} text @param {{layer: number | null, head: number | null}} head */
const numbered = (text, { layer, head }) => filledText(text, { layer: (layer ?? 0) + 1, head: (head ?? 0) + 1 });

/** The name of a head in a sentence. @param {Head} head @param {Record<string, any>} words */
export const nameOf = (head, words) => numbered(words.names[head.kind], head);

/** The heading above an enlarged head, with its role if it has one. @param {Head} place @param {Names} names @param {Record<string, any>} words */
export function titleOf(place, names, words) {
  const { layer, head } = place;
  const mean = layer === null ? (head === null ? "_mean_of_all" : "_mean_of_layers") : head === null ? "_mean_of_heads" : "";
  const title = numbered(words[`title${mean}`], place);
  const [role, share] = names[codeOf(place)] ?? [];
  return role ? filledText(words.named, { head: title, name: words.roles[role][0], share }) : title;
}

/** What a head looks at, in one word. @param {Head} head @param {Names} names @param {Record<string, any>} words */
export const roleOf = (head, names, words) => words.roles[names[codeOf(head)]?.[0]]?.[1] ?? "";

/** The statistics of a head as a secondary line of text. @param {Head} head @param {Column[]} columns @param {Record<string, any>} words */
export function captionOf(head, columns, words) {
  const of = (/** @type {string} */ id) => columns.find((column) => column.id === id)?.of(head) ?? null;
  const percent = (/** @type {string} */ id) => `${Math.round(100 * of(id))}%`;
  const items = [
    filledText(words.caption_entropy, { value: of("entropy").toFixed(1) }),
    filledText(words.caption_marker[head.kind], { share: percent("marker") }),
  ];
  if (head.kind !== "cross") items.push(filledText(words.caption_distance[head.kind], { count: of("distance").toFixed(1) }));
  if (of("occlusion") !== null) items.push(filledText(words.caption_occlusion, { share: percent("occlusion") }));
  return items;
}

/**
 * Every single head, kind by kind, layer by layer, as a row of the table.
 * @param {HeadsRecord} record
 * @param {Column[]} columns
 * @param {Record<string, any>} words
 */
export function rowsOf({ maps, names }, columns, words) {
  return Object.entries(maps).flatMap(([kind, { layers, heads }]) =>
    Array.from({ length: layers * heads }, (_, i) => {
      const place = { kind, layer: Math.floor(i / heads), head: i % heads };
      return {
        ...place,
        name: codeOf(place),
        title: [numbered(words.short_names[kind], place), roleOf(place, names, words)].filter(Boolean).join(" · "),
        switch: filledText(words.switch, { head: nameOf(place, words) }),
        statistics: columns.map((column) => column.of(place)).map((value) => (value === null ? null : four(value))),
      };
    }),
  );
}
