// @ts-check
// A number as it is printed: with a minus sign, not a hyphen, and never as minus zero.

export const MINUS = "\u2212";

export const number = (value, digits = 2) => {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
};

/** A number as records have it, with four decimals. @param {number} value */
export const four = (value) => Math.round(value * 1e4) / 1e4;

const ROUNDED_AWAY = 0.005; // two digits would show zero, which a softmax gives only to masked places

export const probabilityText = (p) => (p > 0 && p < ROUNDED_AWAY ? `<${number(0.01)}` : number(p));
