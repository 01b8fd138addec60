"""Text to pieces and back: vocabulary (subwords), limits, words, scripts. Imports only what everybody may import."""
