// What holds of every picture, whatever it shows: over all records in records/.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { draw, pass, record, saved, text } from "./stage.mjs";

const NAMES = JSON.parse(await readFile(new URL("records.json", import.meta.url), "utf8"));
// What is announced to screen readers is about the last act, and so no part of what a link reopens.
const shown = (root) => {
  const copy = root.cloneNode(true);
  copy.querySelectorAll(".unseen[aria-live]").forEach((node) => node.replaceChildren());
  return text(copy).join("\n").replace(/(known|masked)-\d+/g, "$1"); // ids tell the pictures of one page apart
};
const PLAYER = ".player:not(.gates .player)";
const OPEN = { gates_by_layer: "?lstm=1" }; // a picture that the page draws where the address asks for it alone
const WRONG = ["", "99999", "-1", "0.0.0", "<b>", "s".repeat(5000)];

for (const name of NAMES) {
  test(`${name}: data that come once more change nothing, and a closed picture hears no key`, async () => {
    const picture = await draw(await record(name));
    const before = shown(picture.root);
    await picture.again();
    assert.equal(shown(picture.root), before);
    picture.close();
    picture.close();
    const left = [shown(picture.root), picture.address()];
    await picture.act("key ArrowRight");
    assert.deepEqual([shown(picture.root), picture.address()], left);
  });

  test(`${name}: an address that asks for what cannot be draws a picture and asks nobody`, async () => {
    const { view, data } = await record(name);
    const names = Object.values(data.link ?? {}).map((parameter) => parameter.name);
    for (let turn = 0; turn < WRONG.length; turn += 2) {
      const query = new URLSearchParams(names.map((parameter, n) => [parameter, WRONG[(n + turn) % WRONG.length]]));
      const picture = await draw({ view, data }, `?${query}`);
      assert.ok(picture.root.textContent.length > 20, String(query));
      assert.deepEqual(picture.asked, [], String(query));
      picture.close();
    }
  });

  test(`${name}: text that looks like markup stays text`, async () => {
    const picture = await draw(hostile(await record(name)));
    const made = picture.root.querySelectorAll("img, script, iframe");
    assert.equal(made.length, 0);
    assert.ok(picture.root.textContent.includes("<img"), "it is not on the page at all");
    picture.close();
  });

  test(`${name}: what is saved is a file with a name, a drawing that can be read and a table without formulas`, async () => {
    const picture = await draw(hostile(await record(name), "=1+"));
    const sheets = [...picture.root.querySelectorAll(".saving details")];
    for (const sheet of sheets) {
      sheet.open = true;
      sheet.dispatchEvent(new Event("toggle"));
    }
    const buttons = [...picture.root.querySelectorAll('.save:is([data-kind="svg"], [data-kind="csv"])')];
    assert.ok(sheets.length && buttons.length === 2 * sheets.length);
    for (const button of buttons) {
      saved.length = 0;
      button.click();
      await pass(100);
      const [{ name: file, blob }] = saved;
      assert.match(file, /^[\p{L}\p{N}-]+\.(svg|csv)$/u);
      if (file.endsWith(".svg")) {
        const drawing = new DOMParser().parseFromString(once(blob.text), "image/svg+xml");
        assert.equal(drawing.documentElement.localName, "svg", drawing.documentElement.textContent);
        assert.ok(drawing.querySelector("text"), "it has no words");
      } else {
        const [head, ...rows] = blob.text.replace("\ufeff", "").split("\r\n");
        assert.ok(head.length && rows.length, file);
        assert.doesNotMatch(blob.text, /(^|,)"?[=@]/m, "a spreadsheet would run it");
      }
    }
    picture.close();
  });

  test(`${name}: arrow keys step to and fro without the server, a link reopens the step, and typing moves nothing`, async () => {
    const what = await record(name);
    const picture = await draw(what, OPEN[name]);
    if (!picture.root.querySelector(PLAYER)) return picture.close();
    await picture.act(`click ${PLAYER} .first`);
    const first = [shown(picture.root), picture.address()];
    await picture.act("key ArrowLeft");
    assert.deepEqual([shown(picture.root), picture.address()], first, "there is nothing before the first step");
    await picture.act("key ArrowRight");
    const second = [shown(picture.root), picture.address()];
    assert.notEqual(second[0], first[0]);
    const typing = document.createElement("input");
    document.body.append(typing);
    typing.focus();
    typing.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, composed: true }));
    await pass(1000);
    assert.deepEqual([shown(picture.root), picture.address()], second, "the key was for a box");
    typing.remove();
    picture.close();
    if (what.data.link) {
      const other = await draw(what, second[1]);
      assert.equal(shown(other.root), second[0]);
      await other.act("key ArrowLeft");
      assert.deepEqual([shown(other.root), other.address()], first);
      assert.deepEqual(other.asked, []);
      other.close();
    }
    assert.deepEqual(picture.asked, []);
  });

  test(`${name}: it is drawn on a phone and on a wide screen`, async () => {
    const what = await record(name);
    for (const across of [390, 1920]) {
      const picture = await draw(what, "", across);
      assert.ok(shown(picture.root).length > 500);
      picture.close();
    }
  });
}

// jsdom writes the namespace of an element a second time where it is an attribute too; a browser does not.
const once = (/** @type {string} */ xml) => xml.replace(/ xmlns="[^"]*"(?=[^>]* xmlns="[^"]*")/g, "");

const TYPED = new Set(["source", "target", "sentence", "sentences", "translation", "text", "title", "model", "tokens"]);
const MORE = new Set([...TYPED, "names", "queries", "keys", "word", "parts", "sources", "inputs", "token", "nearest", "reads"]);

/** The record with its tokens and typed texts beginning with what nobody should type. */
function hostile({ view, data }, begins = "") {
  const bad = (/** @type {any} */ value, typed = false) => {
    if (Array.isArray(value)) return value.map((part) => bad(part, typed));
    if (value && typeof value === "object")
      return Object.fromEntries(
        Object.entries(value).map(([key, part]) => [key, key === "words" || key === "link" ? part : bad(part, MORE.has(key))]),
      );
    return typed && typeof value === "string" ? `${begins}<img src=x onerror=alert(1)>${value}` : value;
  };
  return { view, data: bad(data) };
}

test("walkthrough: from the opening a step on is the first step, and a word on the second word", async () => {
  for (const [key, step] of [["ArrowRight", "1.1"], ["ArrowDown", "2.6"], ["ArrowUp", "1.6"]]) {
    const picture = await draw(await record("walkthrough"));
    await picture.act(`key ${key} .player .forward`);
    assert.equal(picture.root.querySelector("[data-step]").dataset.step, step, key);
    picture.close();
  }
});

test("beam_tree: a notebook hears which candidate is picked, and what it is", async () => {
  const picture = await draw(await record("beam_tree"));
  await picture.act('click .frame [data-node="1"]');
  const { nodes } = (await record("beam_tree")).data;
  const fields = ["step", "token", "log_probability", "rank", "fate"].map((name) => [name, nodes[name][1]]);
  assert.deepEqual(picture.chosen.node, { node: 1, ...Object.fromEntries(fields) });
  picture.close();
});

test("heads: another sentence keeps the head and drops the pick", async () => {
  const { view, data } = await record("heads");
  const picture = await draw({ view, data }, "?head=cross.mean.1&pick=0.t0s1");
  assert.equal(picture.address(), "?head=cross.mean.1&pick=0.t0s1");
  const { cross } = data.heads.maps;
  const maps = { ...data.heads.maps, cross: { ...cross, queries: cross.queries.map((piece) => `${piece}s`) } };
  await picture.again({ ...data, heads: { ...data.heads, maps } });
  assert.equal(picture.address(), "?head=cross.mean.1");
  picture.close();
});

test("alignment: a notebook's widget hands back what is picked, draws other data, and closes", async () => {
  const [{ default: widget }, { default: picture }] = await Promise.all(
    ["widget.js", "alignment/alignment.js"].map((path) => import(`../../nmtcore/views/${path}`)),
  );
  const held = { data: (await record("alignment")).data, values: {} };
  const heard = {};
  const model = {
    get: (name) => held[name],
    set: (name, value) => (held[name] = value),
    save_changes: () => (held.saved = held.values),
    on: (name, call) => (heard[name] = call),
    off: (name) => delete heard[name],
  };
  const el = document.createElement("div");
  document.body.replaceChildren(el);
  const close = widget(picture, "").render({ model, el });
  await pass(500);
  const root = el.firstElementChild.shadowRoot;
  root.querySelector('[data-panel="1"] [data-row="1"] text').dispatchEvent(new PointerEvent("click", { bubbles: true }));
  await pass(500);
  assert.equal(held.saved.pick, "1.t1");
  held.data = { ...held.data, panels: held.data.panels.map((panel) => ({ ...panel, title: "Another" })) };
  heard["change:data"]();
  await pass(500);
  assert.equal(root.querySelector("h3").firstChild.textContent, "Another");
  close();
  assert.deepEqual([Object.keys(heard), root.querySelector(".view")], [[], null]);
});
