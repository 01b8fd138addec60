// @ts-check
// Computed in the page from the model's numbers: softmax at a temperature and its consequences.

export function softmax(scores, temperature = 1) {
  const top = Math.max(...scores);
  const raised = scores.map((b) => Math.exp((b - top) / temperature));
  const total = raised.reduce((a, b) => a + b, 0);
  return raised.map((r) => r / total);
}

// In bits: 0 if all weight is on one word, log2 S if it is spread evenly.
export const entropy = (weights) => weights.reduce((h, w) => (w > 0 ? h - w * Math.log2(w) : h), 0);

// diag(y) - y y^T: how each weight responds to each score.
export const gradient = (y) => y.map((a, i) => y.map((b, k) => (i === k ? a : 0) - a * b));

export const largest = (values) => values.reduce((top, v, i) => (v > values[top] ? i : top), 0);
