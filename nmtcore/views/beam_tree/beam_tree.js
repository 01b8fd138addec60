// @ts-check
// The beam tree: a recorded search, replayed, ranked again and asked "what if". Only a what-if needs the server.

import { setColors } from "../kit/color.js";
import { el, filledText, set } from "../kit/dom.js";
import { mounted } from "../kit/mount.js";
import { neighborLinks, rowCode } from "../kit/neighbors.js";
import { readTreeLook } from "./drawing.js";
import { nameOf, pathTo, ranking, readRecord, wasChosen, winnerChanges } from "./record.js";
import { makeCard, reason } from "./card.js";
import { makeFrame } from "./frame.js";
import { makePlayer, stepByKeys } from "../kit/player.js";
import { makeSaving } from "../kit/saving.js";
import { candidateRows, drawBars, drawCandidates, drawLines, drawRanking } from "./results.js";
import { parse, serialise } from "./state.js";
import { drawWhatIfs, makeTools, USUAL } from "./tools.js";
import { watchWidth } from "../kit/width.js";

export default mounted(makeInstance);

/**
 * @param {HTMLElement | ShadowRoot} parent
 * @param {import("../kit/records.js").BeamTreeRecord} first
 * @param {import("../kit/mount.js").Host} host
 */
function makeInstance(parent, first, host) {
  const words = first.words;
  let data = first;
  let record = null;
  let look = null;
  let state = parse(host.get(), first);
  let penaltyTimer = 0;

  const tools = makeTools(words, { penalties: changePenalties, mode: changeMode });
  const player = makePlayer(words, replay);
  const frame = makeFrame(words);
  const over = el("div", { class: "over", role: "toolbar", "aria-label": words.tools }, player.node, tools.penalties);
  const under = el("div", { class: "under" }, tools.legend, tools.choice, makeSaving(words, "", sheet, () => candidateRows(record, state.penalties)));
  const whatifs = el("div", { class: "whatifs" });
  const verdict = el("div", { class: "verdict" }); // over the tree: on the first screen
  const lines = el("div", { class: "results" });
  const bars = el("section", { class: "chances" });
  const best = el("section", { class: "ranking" });
  const candidates = el("div", { class: "candidates scrolls" });
  const details = el("details", {}, el("summary", {}, words.candidates), candidates);
  const spoken = el("div", { class: "unseen", "aria-live": "polite" });
  const below = el("div", { class: "below" }, bars, best);
  const root = el("div", { class: "view tree" }, over, verdict, frame.stage, under, whatifs, lines, below, details, spoken);
  parent.append(root);

  const resized = () => {
    draw();
    frame.reveal(state.step, false);
  };
  const width = watchWidth(frame.stage, resized, draw);
  const forgetKeys = stepByKeys(root, (by) => player.move(state.step + by));
  listen();

  return {
    update(next) {
      const fresh = !record || next.stamp !== data.stamp;
      const again = record !== null;
      data = next;
      record = readRecord(data);
      if (fresh) {
        player.stop();
        if (again) change({ step: 0, whole: true, picked: null, acting: false, expanded: false });
        settleStep();
      } else {
        change({ picked: state.picked && (record.nodes[state.picked.id] ?? null) }); // a line can run elsewhere
      }
      change({ hover: null });
      const seen = width.measure() > 0;
      if (seen) draw();
      if (fresh && again) frame.node.scrollLeft = 0;
      if (fresh && seen) frame.reveal(state.step, false);
      handBack({}, false);
      set(root, { "data-stamp": data.stamp, "aria-busy": false });
    },
    follow() {
      player.stop();
      state = parse(host.get(), data);
      settleStep();
      if (frame.drawing()) resized();
      handBack({}, false);
    },
    close() {
      player.stop();
      width.close();
      clearTimeout(penaltyTimer);
      forgetKeys();
      root.remove();
    },
  };

  function change(changes) {
    state = { ...state, ...changes };
  }

  // The finished hypotheses, best first.
  function ranked() {
    return ranking(record, state.penalties);
  }

  function settleStep() {
    change({ step: state.step ? Math.min(state.step, record.length) : openingStep() });
  }

  // The most interesting step: a what-if's, or the one at which greedy leaves the best path.
  function openingStep() {
    if (data.branch) return Math.min(data.branch, record.length);
    const greedy = record.lines.find((l) => l.kind === "greedy");
    const best = pathTo(record, ranked()[0]?.node);
    const parts = greedy && greedy.path.findIndex((id, i) => id !== best[i]?.id);
    return greedy && parts >= 0 ? parts + 1 : 1;
  }

  function draw() {
    readTheme();
    const opening = ranking(record, data.penalties)[0]; // lanes stay where they are while alpha and beta change
    frame.draw(record, opening?.node, state.mode, look, width.now());
    reserve();
    showRanking();
    showStep();
    showWhatIfs();
  }

  function readTheme() {
    look = readTreeLook(root, under, data.colors, words);
    setColors(root, look);
  }

  function context() {
    return { data, record, ranked: ranked(), penalties: state.penalties, words, look, attention: data.attention };
  }

  // As high as the longest that may be said while alpha and beta change, so that the tree stays where it is.
  function reserve() {
    const moved = { ...data.penalties, alpha: data.penalties.alpha + 1 }; // which leaves only greedy to compare with
    const said = [data.penalties, moved].flatMap((penalties) =>
      ranked().map((one) => el("div", { class: "verdict" }, ...drawLines({ ...context(), penalties, ranked: [one] }, goTo).verdict)),
    );
    verdict.after(...said); // all at once: the browser lays them out together
    verdict.style.minHeight = `${Math.max(0, ...said.map((node) => node.offsetHeight || 0))}px`;
    for (const node of said) node.remove();
  }

  function showRanking() {
    const { penalties, mode } = state;
    const at = (name) => winnerChanges(record, penalties, name, USUAL);
    const changes = { alpha: at("alpha"), beta: data.attention ? at("beta") : [] };
    frame.drawing().rank(ranked(), penalties);
    const kinds = new Set(record.lines.filter((l) => l.path.length).map((l) => l.kind));
    tools.show({ penalties, changes, attention: data.attention, mode, kinds }, look);
    const results = drawLines(context(), goTo);
    verdict.replaceChildren(...results.verdict);
    lines.replaceChildren(...results.below());
    const leadTo = (node, keep) => (keep ? pick(node, true) : point(node));
    best.replaceChildren(...drawRanking({ ...context(), changes }, leadTo));
  }

  function showStep() {
    const { step, whole, expanded } = state;
    const known = whole || step === record.length; // the winner
    frame.drawing().show(step, { whole, known, expanded });
    const text = [filledText(words.step_of, { step, steps: record.length })];
    player.show({ step, last: record.length, text, fresh: whole });
    const parent = distribution();
    bars.replaceChildren(...drawBars(parent, context(), (node) => pick(node, true)));
    if (details.open) showCandidates();
    set(root, { "data-step": step, "data-open": String(!known) });
    mark();
  }

  // The hypothesis whose next tokens the bars show: the picked one, or the best one that goes through this step.
  function distribution() {
    const { picked, step } = state;
    if (picked?.step === step) return record.nodes[picked.parent];
    const path = pathTo(record, ranked()[0]?.node);
    if (path.length >= step) return record.nodes[path[step - 1].parent];
    return record.nodes[(record.steps[step].find(wasChosen) ?? record.steps[step][0]).parent];
  }

  function showCandidates() {
    candidates.replaceChildren(drawCandidates(state.step, context()));
  }

  function showWhatIfs() {
    whatifs.hidden = !data.whatifs.length;
    whatifs.replaceChildren(...drawWhatIfs(words, data.whatifs, host.answers && ((whatif) => act({ whatif: whatif || null }))));
  }

  function replay(to) {
    change({ whole: false });
    goTo(to);
  }

  function goTo(to) {
    const step = Math.min(record.length, Math.max(1, to));
    if (state.picked && state.picked.step !== step) change({ picked: null, acting: false });
    change({ step, hover: null, expanded: false });
    showStep();
    frame.reveal(step, true);
    handBack();
  }

  function point(node) {
    if (node === state.hover) return;
    change({ hover: node });
    mark();
  }

  function pick(node, actions) {
    change({ picked: node, acting: actions, hover: null });
    const { id, step, token, log_probability, rank, fate } = node ?? {};
    host.set({ node: node && { node: id, step, token, log_probability, rank, fate } }, false); // for a notebook alone
    if (node && node.step !== state.step) {
      change({ step: node.step, expanded: false });
      handBack();
    }
    if (node && state.mode === "none" && !frame.chip(node)) {
      change({ mode: "step" });
      draw();
      handBack();
    }
    if (node && !frame.chip(node)) change({ expanded: true }); // a dropped candidate below the nearest ones
    showStep();
    if (!node) return;
    frame.toChip(node);
    frame.reveal(state.step, true);
    spoken.textContent = `${nameOf(record, node)}. ${reason(node, context())}`;
  }

  // The trail and the card of the candidate that is pointed at or picked.
  function mark() {
    const { picked, acting, hover } = state;
    const node = hover ?? picked;
    const drawn = frame.chip(node) ? node : null;
    frame.drawing().trail(drawn);
    const on = !hover && acting && host.answers ? actions : () => null;
    frame.showCard(drawn, drawn && drawn.parent >= 0 ? makeCard(drawn, context(), on(drawn)) : null);
  }

  // The server's actions for a candidate, and the links to the token's nearest pieces.
  function actions(node) {
    const ids = pathTo(record, node).map((n) => n.token_id).join("-");
    const whatIf = (code) => {
      const codes = data.whatifs.map((w) => w.code).filter((c) => c !== code);
      act({ whatif: [...codes, code].join("~") });
    };
    return {
      decodeOn: () => whatIf(`on.${ids}`),
      forbid: () => whatIf(`not.${node.step}.${node.token_id}`),
      compare: () => act({ compare: ids }),
      neighbors: neighborLinks([[nameOf(record, node), rowCode("target", node.token_id)]], words, host),
    };
  }

  function act(changes) {
    change({ picked: null, acting: false });
    mark();
    set(root, { "aria-busy": String(handBack(changes)) });
  }

  function changePenalties(changes, done) {
    change({ penalties: { ...state.penalties, ...changes } });
    showRanking();
    showStep();
    clearTimeout(penaltyTimer);
    if (done) handBack();
    else penaltyTimer = setTimeout(() => handBack({}, false), 300); // browsers refuse to write an address at every move
  }

  function changeMode(mode) {
    change({ mode, picked: null, expanded: false });
    draw();
    frame.reveal(state.step, false);
    handBack();
  }

  // asks: the question for a run of the page, with the penalties on the screen.
  function handBack(asks = {}, run = true) {
    return host.set({ ...serialise(state, openingStep()), ...asks }, run);
  }

  function listen() {
    const nodeOf = (event) => record.nodes[event.target.closest("[data-node]")?.dataset.node] ?? null;
    frame.node.addEventListener("pointermove", (event) => event.pointerType === "mouse" && point(nodeOf(event)));
    frame.node.addEventListener("pointerleave", () => point(null));
    frame.node.addEventListener("click", (event) => {
      if (event.target.closest("[data-more]")) {
        change({ expanded: true });
        return showStep();
      }
      const head = event.target.closest("[data-head]");
      if (head) return goTo(Number(head.dataset.head));
      const node = nodeOf(event);
      return pick(node && node.parent >= 0 && node !== state.picked ? node : null, true);
    });
    frame.node.addEventListener("keydown", (event) => {
      if (event.target !== frame.node) return;
      if (event.key === "Enter" && state.picked) pick(state.picked, true);
      else if (event.key === "Escape") pick(null, false);
      else if (event.key === "Home" || event.key === "End") replay(event.key === "Home" ? 1 : record.length);
      else if (event.key.startsWith("Arrow")) pick(moved(event.key), false);
      else return;
      event.preventDefault();
      if (event.key === "Enter") frame.enterCard();
    });
    frame.stage.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !frame.holdsCard(event.target)) return;
      pick(state.picked, false);
      frame.node.focus();
    });
    details.addEventListener("toggle", () => details.open && showCandidates());
  }

  // The node to which an arrow key leads.
  function moved(key) {
    const { picked, mode, step } = state;
    if (picked) return frame.next(key, picked, record, mode !== "none");
    const path = pathTo(record, ranked()[0]?.node);
    return path[Math.min(step, path.length) - 1] ?? null;
  }

  function sheet() {
    const { penalties, step } = state;
    const settings = { model: data.model, width: record.width, alpha: penalties.alpha, beta: penalties.beta };
    const asked = data.whatifs.map((what) => `${words.whatifs} ${what.text}`);
    const lines = [filledText(words.picture, { ...settings, step, steps: record.length }), ...asked];
    const parts = [{ node: frame.drawing().node, x: 0, y: 0 }];
    const file = `${filledText(words.step, { step })} ${data.sentence}`;
    return { heading: data.sentence, file, lines, parts, look, least: 600 };
  }
}
