"""Sentence segmentation: split a pasted text into sentences, for models trained on one sentence at a time."""

import re

# A full stop after one of these does not end a sentence, nor does one after a single capital, as in J. Smith.
ABBREVIATIONS = {"mr", "mrs", "ms", "dr", "prof", "st", "mme", "mlle", "vs", "etc", "e.g", "i.e", "no"}
_END = re.compile(r"[.!?…]+[\"'”’»)\]]*\s+|[。！？]+[”’」』）]*\s*|\n+")
_LAST = re.compile(r"([^\s(\"“«]+)\.$")


def split_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, stripped, in order; a part without letters is joined to the sentence before it."""
    sentences: list[str] = []
    start = 0
    for end in [*(match.end() for match in _END.finditer(text)), len(text)]:
        part = text[start:end].strip()
        if end < len(text) and _abbreviated(part):
            continue
        start = end
        if sentences and not any(map(str.isalpha, part)):
            sentences[-1] = f"{sentences[-1]} {part}".rstrip()
        elif part:
            sentences.append(part)
    return tuple(sentences)


def _abbreviated(part: str) -> bool:
    last = _LAST.search(part)
    if last is None:
        return False
    return last[1].lower() in ABBREVIATIONS or (len(last[1]) == 1 and last[1].isupper())
