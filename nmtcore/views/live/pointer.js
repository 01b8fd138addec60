// @ts-check
// Pointer-generator: generates from the vocabulary or copies from the source; read beside nmtcore/models/pointer_generator.py.
// P(y_j) = g_j P_vocab(y_j) + (1 - g_j) sum of alpha_ij over the source positions i of y_j.

import { Recurrent, byRow } from "./recurrent.js";
import { Tensor, concat, logSoftmax, sigmoid } from "./tensor.js";

const LEAST = 1e-20; // added to a copy probability, so that its logarithm is finite

export class PointerGenerator extends Recurrent {
  /**
   * Logits become log P, and g_j = sigmoid(w . [s_j; C_j; e(y_{j-1})]) joins the record.
   * @param {import("./recurrent.js").StepOutput} out
   * @param {{seen: Tensor[], memory: import("./recurrent.js").Memory, weights: Tensor}} values
   */
  finish(out, { seen, memory, weights }) {
    const u = this.linear(concat(...seen), "generate"); // (N, 1)
    const logits = new Tensor(out.logits.shape);
    for (let n = 0; n < logits.rows; n++) {
      const g = sigmoid(u.data[n]);
      const written = logSoftmax(out.logits.row(n)).map((value) => Math.log(g) + value); // log g P_vocab
      const copied = new Map();
      memory.ids.forEach((id, i) => copied.set(id, (copied.get(id) ?? 0) + weights.row(n)[i]));
      for (const [id, weight] of copied) {
        written[id] = Math.log(Math.exp(written[id]) + (1 - g) * weight + LEAST);
      }
      logits.row(n).set(written);
    }
    return { ...out, logits, inner: { ...out.inner, generate: byRow(u.map(sigmoid)) } };
  }
}
