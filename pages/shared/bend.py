"""Attention bent by hand: from the address (`bend=3.s5.1f2e`) to an Intervention, and what it changed.

`3.s5` puts all attention of step 3 on source piece 5, `3.all` spreads it evenly, both counted from one. The last
part is a check sum of the question: another sentence, model or beam makes an old bend void.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from nmtcore.errors import InterventionError
from nmtcore.intervention import Intervention
from nmtcore.trace import Trace
from pages.shared.words import _

_CODE = re.compile(r"(\d{1,4})\.(?:s(\d{1,4})|all)\.([0-9a-f]{4})", re.ASCII)
_WORD = re.compile(r"\s+|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\s\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")

Marked = list[tuple[str, bool]]  # parts of a text, and whether the other text lacks them


@dataclass(frozen=True)
class Bend:
    """All attention of `step` on the source piece `at`, or everywhere alike (None). Both count from zero."""

    step: int
    at: int | None

    @property
    def code(self) -> str:
        """As in the address, without the check sum."""
        return f"{self.step + 1}.{'all' if self.at is None else f's{self.at + 1}'}"

    def change(self, trace: Trace) -> Intervention:
        """What to decode with: the words before are kept, in beam search too."""
        length = len(trace.source)
        bent = (
            Intervention.look_everywhere(self.step, length)
            if self.at is None
            else Intervention.look_at(self.step, self.at, length)
        )
        return Intervention(attention=bent.attention, forced=tuple(enumerate(trace.ids[: self.step])))


def checksum(*question: object) -> str:
    """Four digits that tell questions apart."""
    return f"{zlib.crc32(repr(question).encode()) & 0xFFFF:04x}"


def read(code: str, mark: str, trace: Trace) -> Bend | None:
    """The bend of an address; None where there is none, or one of another question.

    Raises InterventionError with a sentence for a bend that this translation cannot have.
    """
    found = _CODE.fullmatch(code)
    if code and not found:
        raise InterventionError(_("The link bends the attention in a way that cannot be read: it was left out."))
    if not found or found[3] != mark:
        return None
    step, at = int(found[1]) - 1, int(found[2]) - 1 if found[2] else None
    if not 0 <= step < len(trace.target) or not 0 <= (at or 0) < len(trace.source):
        raise InterventionError(
            _(
                "The link bends word {word}, but this translation has {words} pieces and its source {pieces}: "
                "it was left out."
            ).format(word=step + 1, words=len(trace.target), pieces=len(trace.source))
        )
    return Bend(step, at)


def differences(before: str, after: str) -> tuple[Marked, Marked]:
    """Both texts in parts, word by word; what the other does not have is marked. Mandarin counts each character."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    first: Marked = []
    second: Marked = []
    for kind, i, i_end, j, j_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        changed = kind != "equal"
        _add(first, old[i:i_end], changed)
        _add(second, new[j:j_end], changed)
    return first, second


def _add(parts: Marked, words: Sequence[str], changed: bool) -> None:
    if words:
        parts.append(("".join(words), changed and not "".join(words).isspace()))
