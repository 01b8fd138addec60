"""Sequence-level knowledge distillation (Kim and Rush 2016): a small model learns from a larger one's translations.

They are simpler than people's: of the many ways to say a thing, the teacher mostly takes the same one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from nmtcore.checkpoint import Checkpoint
from nmtcore.config import DecodingConfig
from nmtcore.evaluate import translate_all

TOGETHER = 4096  # sentences between two writes: what a stop can lose


def distil(
    teacher: Checkpoint,
    sources: Sequence[str],
    out: Path,
    decoding: DecodingConfig,
    tick: Callable[[int], object] = lambda done: None,
) -> tuple[int, int]:
    """Write a row, source and translation, for every sentence; returns how many were written and how many left out.

    Left out is what the teacher did not finish, or finished with nothing. Until the end the file is called
    `<out>.part`; one that is there is gone on with. `tick` gets the number of sentences done.
    """
    part = out.with_name(f"{out.name}.part")
    out.parent.mkdir(parents=True, exist_ok=True)
    # Every sentence has a line, one left out an empty line: so the number of lines says where to go on.
    # What follows the last line end was cut off.
    lines = part.read_text(encoding="utf-8").split("\n")[:-1] if part.exists() else []
    tick(len(lines))
    with part.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
        for first in range(len(lines), len(sources), TOGETHER):
            some = sources[first : first + TOGETHER]
            file.writelines(f"{row}\n" for row in _rows(teacher, some, decoding))
            file.flush()
            tick(len(some))
    rows = [line for line in part.read_text(encoding="utf-8").split("\n") if line]
    part.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    os.replace(part, out)
    return len(rows), len(sources) - len(rows)


def _rows(teacher: Checkpoint, sources: Sequence[str], decoding: DecodingConfig) -> list[str]:
    vocab = teacher.vocab
    texts = [" ".join(text.split()) for text in translate_all(teacher, sources, decoding).texts]
    lengths = zip(vocab.encode_all(list(sources)), vocab.encode_all(texts), strict=True)
    finished = [0 < len(target) < decoding.limit(len(source) + 1) - 1 for source, target in lengths]
    return [f"{s}\t{t}" if whole else "" for s, t, whole in zip(sources, texts, finished, strict=True)]
