// @ts-check
// The quiet line that saves a picture: SVG, PNG, its numbers as CSV and, where the host can, a page of its own.

import { el } from "./dom.js";
import { SAVE_PAGE, template } from "./page_file.js";
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
  if (template.address) buttons.push(pageButton(words));
  return el("span", { class: "saving" }, el("span", {}, words.save), ...buttons);
}

function pageButton(words) {
  const button = el(
    "button",
    { type: "button", class: "save", "data-kind": "html", "aria-label": `${words.save} HTML` },
    "HTML",
  );
  button.addEventListener("click", () =>
    button.dispatchEvent(new CustomEvent(SAVE_PAGE, { bubbles: true, composed: true })),
  );
  return button;
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
