"""Corpus: every sentence of a file of pairs, worst first."""
