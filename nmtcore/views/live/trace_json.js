// @ts-check
// A record as the JSON that `Trace.to_json` writes and `Trace.from_json` reads: lists in place of tensors, null for -inf.

/** @param {import("./recorder.js").Trace} trace @param {boolean} [inner] with the intermediate arrays */
export const toJson = (trace, inner = false) => ({
  format: 1,
  ...trace,
  attention: trace.attention.map((map) => ({ ...map, weights: nested(map.weights) })),
  inner: inner ? Object.fromEntries(Object.entries(trace.inner).map(([name, array]) => [name, nested(array)])) : {},
});

/** A tensor as nested lists. @param {import("./tensor.js").Tensor} tensor @returns {any} */
export function nested({ data, shape }) {
  const [size, ...rest] = shape;
  if (!rest.length) return Array.from(data, (value) => (Number.isFinite(value) ? value : null));
  const step = data.length / size;
  return Array.from({ length: size }, (_, i) => nested(/** @type {any} */ ({ data: data.subarray(i * step, (i + 1) * step), shape: rest })));
}
