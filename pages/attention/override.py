"""Override of the attention of one step, from the address (`bend=3.s5.1f2e`) to an Intervention.

`3.s5` puts all attention of step 3 on source piece 5, `3.all` spreads it evenly, both counted from one. The last part
is a checksum of the question: another sentence, model or beam invalidates an old override.
"""

import zlib
from dataclasses import dataclass

from nmtcore.decoding.trace import Trace
from nmtcore.errors import InterventionError
from nmtcore.intervention import Intervention
from pages.attention.state import OVERRIDE
from pages.common.i18n import _


@dataclass(frozen=True)
class AttentionOverride:
    """All attention of `step` on the source piece `at`, or spread evenly (None). Both count from zero."""

    step: int
    at: int | None

    @property
    def code(self) -> str:
        """As in the address, without the checksum."""
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
    """Four hex digits that tell questions apart."""
    return f"{zlib.crc32(repr(question).encode()) & 0xFFFF:04x}"


def read_override(code: str, mark: str, trace: Trace) -> AttentionOverride | None:
    """The override in an address; None if there is none or it belongs to another question.

    Raises InterventionError with a sentence for an override that this translation cannot have.
    """
    parts = OVERRIDE.parts(code)
    if code and not parts:
        raise InterventionError(OVERRIDE.wrong(code))
    if not parts or parts[2] != mark:
        return None
    step, at = int(parts[0] or 0) - 1, int(parts[1]) - 1 if parts[1] else None
    if not 0 <= step < len(trace.target) or not 0 <= (at or 0) < len(trace.source):
        raise InterventionError(
            _(
                "The link bends word {word}, but this translation has {words} pieces and its source {pieces}: "
                "it was left out."
            ).format(word=step + 1, words=len(trace.target), pieces=len(trace.source))
        )
    return AttentionOverride(step, at)
