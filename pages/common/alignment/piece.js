// A piece of the vocabulary as people read it.

export const SPACE = "▁"; // sentencepiece's mark for the space before a word
const BLANK = "␣"; // shown for a piece that is nothing else

export const bare = (piece) => (piece.startsWith(SPACE) ? piece.slice(1) : piece);

export const pieceName = (piece) => bare(piece) || BLANK;
