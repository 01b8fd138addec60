"""Text to pieces and back: normalization, vocabulary (subwords), source text and its limits, words; diffs of texts.

For Mandarin word segmentation, pinyin and glosses.

It may import what everybody may: config, system, errors, files, intervention.
"""
