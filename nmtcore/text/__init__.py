"""Text to pieces and back: normalization, vocabulary (subwords), source texts and their limits, words, and diffs.

For Mandarin it adds word segmentation, pinyin and glosses. May import only config, system, errors, files and
intervention.
"""
