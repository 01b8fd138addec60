// @ts-check
// A number as it is printed: with a minus sign, not a hyphen, and never as minus zero.

export const MINUS = "\u2212";

export const number = (value, digits = 2) => {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
};
