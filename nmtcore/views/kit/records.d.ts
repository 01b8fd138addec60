// Made by `python -m nmtcore.views.typings` from record.py of each picture.

/** One model's column; T target pieces, S source pieces. */
export interface PanelRecord {
  title: string;
  /** colour of the model */
  hue: string;
  source: string[];
  target: string[];
  /** the number of each piece's word */
  source_words: number[];
  target_words: number[];
  /** T rows of S; null for a model without attention */
  weights: number[][] | null;
  /** whether a row may not look at later columns */
  causal: boolean;
  /** whether it can be played step by step */
  played: boolean;
  /** whether words to come are shown in grey, not left out */
  waits: boolean;
  /** the context vector of a model without attention */
  vector: number[] | null;
  translation: string;
  /** of the translation, each with the number of its word, if it is one */
  parts: ([string, number | null])[];
  /** of the words of the translation, `<eos>` among them */
  probabilities: number[];
  /** the numbers of those that are marked */
  doubtful: number[];
  /** g of each step of a pointer-generator */
  generation: number[];
  /** the numbers of words of the translation */
  underlined: number[];
  /** the message that says why they are underlined */
  meaning: string;
  /** of local attention: first and last source piece that each step may see */
  windows: [number, number][];
  kind: "encoder" | "decoder" | "cross";
  /** address of the page with the model's beam search */
  search: string | null;
  /** address of the page that has the words as vectors; empty for this page */
  neighbors: string | null;
  caption: string[];
  /** piece, probability and id, of each step */
  candidates: [string, number, number][][];
  /** the id that was taken at each step */
  taken: number[];
}

/** What a model makes of what somebody expected in the place of a word. */
export interface VerdictRecord {
  /** as in the address: `panel.step.` and an id or, after `=`, what was typed */
  asked: string;
  /** over the translation that the model then writes; empty where there is none */
  title: string;
  /** of that translation, each with whether it is underlined */
  parts: [string, boolean][];
  notes: string;
  says: string[];
}

/** The panels of one sentence, as `data` makes them. */
export interface AlignmentRecord {
  panels: PanelRecord[];
  words: Record<string, any>;
  sentence: string;
  /** px that the rows of a figure take at most */
  height: number;
  /** no taller than its rows */
  compact: boolean;
  play: boolean;
  verdict?: VerdictRecord | null;
}

/** All nodes, a list a field. */
export interface TreeNodes {
  parent: number[];
  step: number[];
  token: string[];
  token_id: number[];
  log_probability: number[];
  total: number[];
  coverage: number[];
  rank: number[];
  fate: string[];
}

/** A finished hypothesis. */
export interface TreeEnd {
  id: number;
  text: string;
}

/** Another result of the same sentence. */
export interface TreeLine {
  kind: "greedy" | "before" | "candidate";
  name: string;
  text: string;
  /** ids of its nodes; empty for a candidate, which is not drawn over the tree */
  path: number[];
  tokens: string[];
  log_probabilities: number[];
  total: number;
  coverage: number;
  length: number;
  /** by the id of an end */
  diffs: Record<string, [[string, boolean][], [string, boolean][]]>;
}

/** Of length and coverage. */
export interface Penalties {
  alpha: number;
  beta: number;
}

/** One that was asked, and can be undone. */
export interface WhatIf {
  code: string;
  text: string;
}

/** Of the model, the greedy path and what was dropped. */
export interface TreeColors {
  hue: string;
  greedy: string;
  pruned: string;
}

/** A recorded search with the lines laid over it, as `to_data` makes it. */
export interface SearchRecord {
  width: number;
  attention: boolean;
  /** whether its beam has places for constraints */
  grid: boolean;
  nodes: TreeNodes;
  ends: TreeEnd[];
  lines: TreeLine[];
}

/** The search, and how its picture opens. */
export interface BeamTreeRecord extends SearchRecord {
  /** tells this search from every other */
  stamp: string;
  sentence: string;
  model: string;
  /** of the winner's row */
  name: string;
  whatifs: WhatIf[];
  penalties: Penalties;
  defaults: Penalties;
  /** 0 for where there is most to see */
  step: number;
  /** whether later steps are as strong as it */
  whole: boolean;
  /** which dropped candidates are drawn */
  mode: string;
  /** the step that a what-if changes first */
  branch: number;
  colors: TreeColors;
  words: Record<string, any>;
}

/** A head, or an average; layer and head from 0, null for the mean. */
export interface HeadPlace {
  kind: "encoder" | "decoder" | "cross";
  layer: number | null;
  head: number | null;
}

/** The head that aligns best, with its name. */
export interface BestHead extends HeadPlace {
  name: string;
}

/** One kind of attention, L layers and H heads. Nested lists are (L + 1, H + 1): the averages are the last. */
export interface HeadMap {
  name: string;
  hint: string;
  layers: number;
  heads: number;
  queries: string[];
  keys: string[];
  /** the number of each piece's word */
  query_words: number[];
  key_words: number[];
  /** (L, H, T, S), 16-bit numbers in base64 */
  weights: string;
  titles: string[][];
  roles: string[][];
  /** titles of saved figures, which stand alone */
  saved: string[][];
  captions: string[][][];
}

/** A statistic of every head. */
export interface HeadColumn {
  id: string;
  name: string;
  hint: string;
  places: number;
}

/** One head as a row of the table. */
export interface HeadRow extends HeadPlace {
  /** its code, such as `cross.2.3` */
  name: string;
  title: string;
  switch: string;
  /** one a column */
  statistics: (number | null)[];
}

/** q, k and v of one head, 32-bit floats in base64, K numbers each; with what they were made of and what arrives. */
export interface HeadVectors {
  /** whose they are, `before` or `after` heads were switched off */
  run: string;
  name: string;
  /** K */
  width: number;
  q: string;
  k: string;
  v: string;
  xi?: string;
  xj?: string;
  f?: string;
  /** D */
  whole?: number;
  /** of f(x_j), (S,) */
  norms?: number[];
  /** of the head's part of Concat(...) W^O, (T,) */
  totals?: number[];
}

/** A text, its parts each with whether it changed. */
export interface EffectText {
  label: string;
  parts: [string, boolean][];
}

/** What switching heads off did. */
export interface EffectRecord {
  /** the heads, as in the address */
  off: string;
  sentence: string;
  /** why search wrote the new translation, where the old one is likelier */
  why: string;
  texts: EffectText[];
}

/** All heads, and what is chosen among them at first. */
export interface HeadsRecord {
  /** by kind */
  maps: Record<string, HeadMap>;
  /** of the translation with heads off */
  after: Record<string, HeadMap> | null;
  run: string;
  neighbors: string | null;
  hue: string;
  chosen: HeadPlace;
  /** the code of the head that the page opens with */
  opening: string;
  off: string[];
  pane: string;
  /** that a host answers for, where not for all */
  panes?: string[];
  height: number;
  columns: HeadColumn[];
  rows: HeadRow[];
  /** what the log-probability gains without each head */
  changes: number[] | null;
  best: BestHead | null;
  vectors: HeadVectors | null;
  effect: EffectRecord;
}

/** The heads beside panels, of which they make what is shown of the chosen one. */
export interface HeadsPicture extends AlignmentRecord {
  heads: HeadsRecord;
}
