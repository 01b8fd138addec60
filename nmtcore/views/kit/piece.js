// @ts-check
// A piece of the vocabulary as people read it.

export const SPACE = "▁"; // sentencepiece's mark for the space before a word
export const CONTINUED = "⋯"; // shown for the further bytes of a character
const BLANK = "␣"; // shown for a piece that is only a space

export const bare = (piece) => (piece.startsWith(SPACE) ? piece.slice(1) : piece);

// Pieces as a text.
export const joinPieces = (pieces) =>
  pieces
    .filter((piece) => piece !== CONTINUED)
    .join("")
    .replaceAll(SPACE, " ")
    .trim();

export const pieceName = (piece) => bare(piece) || BLANK;

const HAN = /\p{Script=Han}/u;
const SPACED = /^[\p{Script=Latin}\p{N}]/u; // a script whose words have spaces between them

// Whether a piece continues the word of the piece before it, as "s" does in "▁Nou", "s".
export const goesOn = (piece, before) => SPACED.test(piece) && /[\p{L}\p{N}]$/u.test(before ?? "");

// A piece that continues a word is a different candidate from the word of the same letters: "·s", not "s".
export const candidateName = (piece, label) => (SPACED.test(piece) ? `·${label}` : label);

// Candidates of each step, by their names.
export const namedCandidates = (/** @type {[string, number, number][][]} */ steps) =>
  steps.map((step) => step.map(([piece, p, id]) => [candidateName(piece, pieceName(piece)), p, id]));

// A piece out of its sentence. In a script without spaces those with a space before them are the exception: "␣我".
export const vocabularyName = (piece) =>
  piece.startsWith(SPACE) && HAN.test(piece) ? `${BLANK}${bare(piece)}` : candidateName(piece, pieceName(piece));

// A piece in its sentence: with the dot if it continues the word before it.
export const sentenceName = ({ label, goesOn: within }) => (within ? `·${label}` : label);

// What a decoder has read at a step, counted from 0, by its name. target: the translation's axis.
export const inputName = (target, step) => (step ? sentenceName(target[step - 1]) : "<sos>");

// The same of piece i of a sentence. words: the number of each piece's word: in a script without spaces only the
// segmenter's words say which piece continues one.
export function goesOnAt(pieces, i, words = null) {
  const before = pieces[i - 1] ?? "";
  const within = words?.[i] === words?.[i - 1] && (HAN.test(before) || before === CONTINUED);
  return goesOn(pieces[i], before) || Boolean(words && within && HAN.test(pieces[i]));
}

// Piece i of a sentence by the same rule.
export const nameAt = (pieces, i, words = null) =>
  sentenceName({ label: pieceName(pieces[i]), goesOn: goesOnAt(pieces, i, words) });
