"""Sequence-level knowledge distillation (Kim and Rush 2016): a small model learns from a larger one's translations.

They are simpler than human translations: of the many ways to say something, the teacher usually takes the same one.
"""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from nmtcore.config import DecodingConfig
from nmtcore.decoding.batched import translate_all
from nmtcore.errors import DataError
from nmtcore.files import atomic_write
from nmtcore.models.checkpoint import Checkpoint, own_weights
from nmtcore.training.corpus import Pair, Split, read_pairs
from nmtcore.training.supplement import without_held_out

TOGETHER = 4096  # sentences between two writes, the most that a stop can lose


def distil(
    teacher: Checkpoint,
    sources: Sequence[str],
    out: Path,
    progress: Callable[[int], object] = lambda done: None,
) -> tuple[int, int]:
    """Write a row, source and greedy translation, for every sentence; return how many rows were written and left out.

    Unfinished and empty translations are left out. Until the end the file is called `<out>.<digits>.part`, with digits
    that identify teacher and sentences; an existing one is continued.
    `progress` gets the number of sentences done.
    """
    part = out.with_name(f"{out.name}.{_identity(teacher, sources)}.part")
    out.parent.mkdir(parents=True, exist_ok=True)
    # Every sentence has a line, empty if it is left out, so the number of lines tells where to continue.
    # Text after the last line break was cut off, perhaps inside a character.
    lines = part.read_bytes().decode(errors="ignore").split("\n")[:-1] if part.exists() else []
    progress(len(lines))
    with part.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
        for first in range(len(lines), len(sources), TOGETHER):
            some = sources[first : first + TOGETHER]
            file.writelines(f"{row}\n" for row in _rows(teacher, some))
            file.flush()
            progress(len(some))
    rows = [line for line in part.read_text(encoding="utf-8").split("\n") if line]
    atomic_write(out, "".join(f"{row}\n" for row in rows).encode())  # the .part file stays until this is complete
    part.unlink()
    return len(rows), len(sources) - len(rows)


def read_distilled(path: Path | str, split: Split) -> tuple[list[Pair], list[str]]:
    """Read the pairs that `distil` wrote, and a message about each kind of row that is left out.

    Rows whose source or translation is also in a validation or test pair are left out, since those sentences are never
    trained on. Raises DataError if no row is left.
    """
    pairs, report = read_pairs(path)
    kept = without_held_out(pairs, split)
    lines = report.lines()
    if left := len(pairs) - len(kept):
        lines.append(f"Left out {left:,} rows of {path} that contain a sentence set aside for validation or testing.")
    if not kept:
        raise DataError(f"{path} has no row without a sentence that was set aside.")
    return kept, lines


def _rows(teacher: Checkpoint, sources: Sequence[str]) -> list[str]:
    translated = translate_all(teacher, [*map(teacher.read, sources)], DecodingConfig())
    texts = [" ".join(text.split()) for text in translated.texts]
    rows = zip(sources, texts, translated.finished, strict=True)
    return [f"{source}\t{text}" if text and finished else "" for source, text, finished in rows]


def _identity(teacher: Checkpoint, sources: Sequence[str]) -> str:
    digest = hashlib.blake2b("\n".join(sources).encode(), digest_size=6)
    for name, tensor in own_weights(teacher.model).items():
        digest.update(name.encode() + tensor.detach().cpu().numpy().tobytes())
    return digest.hexdigest()
