// @ts-check
// Dense tensors over Float32Array, and the few operations that the models need. One sentence at a time: rows are source
// positions, or the hypotheses of a beam, and there is no batch axis.
//
// Shape comments use the letters of nmtcore/models: S source positions, T target positions, N rows (hypotheses),
// H heads, D model width, K = D / H, V vocabulary, E embedding, L layers.

/** Numbers with their shape, row by row. */
export class Tensor {
  /** @param {number[]} shape @param {Float32Array} [data] zeros if it is not given */
  constructor(shape, data) {
    this.shape = shape;
    this.data = data ?? new Float32Array(shape.reduce((product, size) => product * size, 1));
  }

  /** How many rows it has: its first axis. */
  get rows() {
    return this.shape[0];
  }

  /** How many numbers a row has. */
  get width() {
    return this.data.length / (this.shape[0] || 1);
  }

  /** Row i, not copied. @param {number} i */
  row(i) {
    return this.data.subarray(i * this.width, (i + 1) * this.width);
  }

  /** @param {ArrayLike<number>[]} rows all of one length */
  static of(rows) {
    const tensor = new Tensor([rows.length, rows[0]?.length ?? 0]);
    rows.forEach((row, i) => tensor.data.set(row, i * row.length));
    return tensor;
  }

  /** Rows of a table, such as embeddings, by their numbers: (V, E) to (N, E). @param {ArrayLike<number>} indices */
  select(indices) {
    return Tensor.of(Array.from(indices, (i) => this.row(i)));
  }

  /** @param {(value: number, index: number) => number} f of every number */
  map(f) {
    return new Tensor(this.shape, this.data.map(f));
  }
}

/**
 * A linear layer: x W^T + b. Four rows of W at a time, so that a number of x is read once for all four.
 * @param {Tensor} x (N, D)
 * @param {Tensor} weight (O, D)
 * @param {Tensor | null} [bias] (O)
 * @param {number} [from] the first row of W that is used
 * @param {number} [to] the row after the last
 * @returns {Tensor} (N, to - from)
 */
export function linear(x, weight, bias = null, from = 0, to = weight.rows) {
  const [N, D] = [x.rows, x.width];
  const O = to - from;
  const out = new Tensor([N, O]);
  let o = 0;
  for (; o + 4 <= O; o += 4) {
    let n = 0;
    for (; n + 2 <= N; n += 2) dotsOfTwo(x.data, n * D, weight.data, (from + o) * D, D, out.data, n * O + o, O);
    if (n < N) dots(x.data, n * D, weight.data, (from + o) * D, D, out.data, n * O + o);
  }
  for (; o < O; o++) {
    for (let n = 0; n < N; n++) out.data[n * O + o] = dot(x.row(n), weight.row(from + o));
  }
  if (bias) {
    for (let n = 0; n < N; n++) for (let o = 0; o < O; o++) out.data[n * O + o] += bias.data[from + o];
  }
  return out;
}

/**
 * Four dot products of D numbers of x, from `at`, with four rows of W, from `row`, written to four places of `out`; the
 * inner loop of everything here. It takes positions, since a view of each row would cost half as much as the products.
 */
function dots(
  /** @type {Float32Array} */ x,
  /** @type {number} */ at,
  /** @type {Float32Array} */ w,
  /** @type {number} */ row,
  /** @type {number} */ D,
  /** @type {Float32Array} */ out,
  /** @type {number} */ place,
) {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  const [row1, row2, row3] = [row + D, row + 2 * D, row + 3 * D];
  for (let i = 0; i < D; i++) {
    const value = x[at + i];
    s0 += value * w[row + i];
    s1 += value * w[row1 + i];
    s2 += value * w[row2 + i];
    s3 += value * w[row3 + i];
  }
  out[place] = s0;
  out[place + 1] = s1;
  out[place + 2] = s2;
  out[place + 3] = s3;
}

/**
 * The same of two rows of x at once, the second `O` places further in `out`: a number of W is read once for both, and
 * eight sums wait for each other less than four. A beam of hypotheses and a source have many rows.
 */
function dotsOfTwo(
  /** @type {Float32Array} */ x,
  /** @type {number} */ at,
  /** @type {Float32Array} */ w,
  /** @type {number} */ row,
  /** @type {number} */ D,
  /** @type {Float32Array} */ out,
  /** @type {number} */ place,
  /** @type {number} */ O,
) {
  let [s0, s1, s2, s3, t0, t1, t2, t3] = [0, 0, 0, 0, 0, 0, 0, 0];
  const [row1, row2, row3, next] = [row + D, row + 2 * D, row + 3 * D, at + D];
  for (let i = 0; i < D; i++) {
    const value = x[at + i];
    const other = x[next + i];
    const w0 = w[row + i];
    const w1 = w[row1 + i];
    const w2 = w[row2 + i];
    const w3 = w[row3 + i];
    s0 += value * w0;
    s1 += value * w1;
    s2 += value * w2;
    s3 += value * w3;
    t0 += other * w0;
    t1 += other * w1;
    t2 += other * w2;
    t3 += other * w3;
  }
  out[place] = s0;
  out[place + 1] = s1;
  out[place + 2] = s2;
  out[place + 3] = s3;
  out[place + O] = t0;
  out[place + O + 1] = t1;
  out[place + O + 2] = t2;
  out[place + O + 3] = t3;
}

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b of the same length */
export function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/**
 * The sum of vectors, each times its weight: the context that attention makes from the values.
 * @param {ArrayLike<number>} weights (S)
 * @param {Float32Array[]} values S vectors
 * @param {number} width
 */
export function weightedSum(weights, values, width) {
  const sum = new Float32Array(width);
  values.forEach((value, i) => {
    const weight = weights[i];
    if (weight) for (let d = 0; d < width; d++) sum[d] += weight * value[d];
  });
  return sum;
}

/** @param {ArrayLike<number>} scores -Infinity where masked */
export function softmax(scores) {
  const values = Float64Array.from(scores);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const powers = values.map((value) => Math.exp(value - most));
  const total = powers.reduce((a, b) => a + b, 0);
  return Float32Array.from(powers, (power) => power / total);
}

/** The logarithm of softmax, as float32. @param {Float32Array} scores */
export function logSoftmax(scores) {
  let most = -Infinity;
  for (const score of scores) if (score > most) most = score;
  let total = 0;
  for (const score of scores) total += Math.exp(score - most);
  const shift = most + Math.log(total);
  return scores.map((score) => score - shift);
}

/**
 * LayerNorm: g (x - mu) / sigma + b, row by row.
 * @param {Tensor} x (N, D)
 * @param {Tensor} g (D)
 * @param {Tensor} b (D)
 */
export function layerNorm(x, g, b) {
  const [D, out] = [x.width, new Tensor(x.shape)];
  for (let n = 0; n < x.rows; n++) {
    const [row, normed] = [x.row(n), out.row(n)];
    let [mean, variance] = [0, 0];
    for (const value of row) mean += value / D;
    for (const value of row) variance += (value - mean) ** 2 / D;
    const sigma = Math.sqrt(variance + 1e-5);
    for (let d = 0; d < D; d++) normed[d] = (g.data[d] * (row[d] - mean)) / sigma + b.data[d];
  }
  return out;
}

/** @param {Tensor} a @param {Tensor} b of the same shape */
export const add = (a, b) => a.map((value, i) => value + b.data[i]);

/** @param {Tensor} x */
export const tanh = (x) => x.map(Math.tanh);

/** @param {Tensor} x */
export const relu = (x) => x.map((value) => (value > 0 ? value : 0));

/** @param {number} x */
export const sigmoid = (x) => 1 / (1 + Math.exp(-x));

/** Rows side by side: (N, A) and (N, B) to (N, A + B). @param {...Tensor} parts */
export function concat(...parts) {
  const joined = new Tensor([parts[0].rows, parts.reduce((sum, part) => sum + part.width, 0)]);
  let at = 0;
  for (const part of parts) {
    for (let n = 0; n < part.rows; n++) joined.row(n).set(part.row(n), at);
    at += part.width;
  }
  return joined;
}

/**
 * Columns of every row: (N, D) to (N, to - from).
 * @param {Tensor} x
 * @param {number} from
 * @param {number} to
 */
export const columns = (x, from, to) =>
  Tensor.of(Array.from({ length: x.rows }, (_, n) => x.row(n).subarray(from, to)));

/** Tensors of one shape, stacked along a new first axis. @param {Tensor[]} tensors */
export function stack(tensors) {
  const stacked = new Tensor([tensors.length, ...(tensors[0]?.shape ?? [])]);
  let at = 0;
  for (const { data } of tensors) {
    stacked.data.set(data, at);
    at += data.length;
  }
  return stacked;
}

/** A tensor as nested lists, as Python's `tolist` makes them; null for -inf. @param {Tensor} tensor @returns {any} */
export function nested({ data, shape }) {
  const [size, ...rest] = shape;
  if (!rest.length) return Array.from(data, (value) => (Number.isFinite(value) ? value : null));
  const step = data.length / size;
  const part = (/** @type {number} */ i) => new Tensor(rest, data.subarray(i * step, (i + 1) * step));
  return Array.from({ length: size }, (_, i) => nested(part(i)));
}
