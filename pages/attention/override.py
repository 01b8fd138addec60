"""Override of the attention of one step, from the address (`bend=3.s5.1f2e`) to an Intervention.

`3.s5` puts all attention of step 3 on source piece 5, `3.all` spreads it evenly, both counted from one. The last
part is a check sum of the question: another sentence, model or beam makes an old override void.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

from nmtcore.decoding.trace import Trace
from nmtcore.errors import InterventionError
from nmtcore.intervention import Intervention
from pages.common.i18n import _

_CODE = re.compile(r"(\d{1,4})\.(?:s(\d{1,4})|all)\.([0-9a-f]{4})", re.ASCII)


@dataclass(frozen=True)
class AttentionOverride:
    """All attention of `step` on the source piece `at`, or everywhere alike (None). Both count from zero."""

    step: int
    at: int | None

    @property
    def code(self) -> str:
        """As in the address, without the check sum."""
        return f"{self.step + 1}.{'all' if self.at is None else f's{self.at + 1}'}"

    def intervention(self, trace: Trace) -> Intervention:
        """What to decode with: the words before are kept, in beam search too."""
        length = len(trace.source)
        bent = (
            Intervention.attend_uniformly(self.step, length)
            if self.at is None
            else Intervention.attend_to(self.step, self.at, length)
        )
        return Intervention(attention=bent.attention, forced=tuple(enumerate(trace.ids[: self.step])))


def checksum(*question: object) -> str:
    """Four digits that tell questions apart."""
    return f"{zlib.crc32(repr(question).encode()) & 0xFFFF:04x}"


def read_override(code: str, mark: str, trace: Trace) -> AttentionOverride | None:
    """The override in an address; None where there is none, or one of another question.

    Raises InterventionError with a sentence for an override that this translation cannot have.
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
    return AttentionOverride(step, at)
