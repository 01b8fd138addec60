// @ts-check
// The stepper's position: a target piece and one of its steps, of which attention has six; in the address as
// `step=3.2`, both from one.

export const PARTS = 6;

export const placeAt = (index, parts = PARTS) => ({ word: Math.floor(index / parts), part: index % parts });

export const indexOf = (place, parts = PARTS) => place.word * parts + place.part;

// asked: word and part as the address has them, from one. null if there is no such place among `words` target pieces.
export function placeFrom(asked, words) {
  const word = asked ? asked.word - 1 : -1;
  return word >= 0 && word < words ? { word, part: (asked.part ?? 1) - 1 } : null;
}

export const writePlace = ({ word, part }) => `${word + 1}.${part + 1}`;

// The place after a key, or null for a key that is not ours.
export function afterKey(key, place, words, parts = PARTS) {
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -parts, ArrowDown: parts, PageUp: -1, PageDown: 1 }[key];
  if (key === "Home") return placeAt(0, parts);
  if (key === "End") return placeAt(words * parts - 1, parts);
  if (by === undefined) return null;
  const next = indexOf(place, parts) + by;
  return next < 0 || next >= words * parts ? place : placeAt(next, parts);
}
