// @ts-check
// A number as it is printed: with a minus sign, not a hyphen, and never as minus zero.

export const MINUS = "\u2212";

export const number = (value, digits = 2) => {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
};

/** A number as records have it, with four decimals. @param {number} value */
export const four = (value) => Math.round(value * 1e4) / 1e4;
