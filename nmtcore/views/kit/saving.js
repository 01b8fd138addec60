// @ts-check
// The quiet line that saves a picture: SVG, PNG, and its numbers as CSV.

import { el } from "./dom.js";
import { csvOf, savePicture, saveTable } from "./paper.js";
import { composeSheet } from "./sheet.js";

const KINDS = ["svg", "png", "csv"];

// save(kind) is told which; name: of the picture, where a page has several.
export function makeSaveButtons(words, save, name = "") {
  const buttons = KINDS.map((kind) => {
    const label = `${words.save} ${kind.toUpperCase()}${name && `: ${name}`}`;
    const button = el(
      "button",
      { type: "button", class: "save", "data-kind": kind, "aria-label": label },
      kind.toUpperCase(),
    );
    button.addEventListener("click", () => save(kind));
    return button;
  });
  return el("span", { class: "saving" }, el("span", {}, words.save), ...buttons);
}

// picture(): a sheet (see sheet.js), with `file` where the file's name says more than its heading; csv(): rows.
export function makeSaving(words, name, picture, csv) {
  return makeSaveButtons(words, saveAs, name);

  function saveAs(kind) {
    const shown = picture();
    if (kind === "csv") return saveTable(shown.heading, csvOf(csv()));
    return savePicture(shown.file ?? shown.heading, kind, composeSheet(shown));
  }
}
