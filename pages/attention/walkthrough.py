"""The walkthrough of attention on the additive and the dot page: one model's decode in six steps a word.

A page gives its sentences; everything else comes from the Trace and from `nmtcore.analysis.arithmetic`. Where the
address asks for it, the attention of one step is overridden.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from nmtcore.analysis import arithmetic
from nmtcore.config import RecurrentConfig
from nmtcore.decoding.trace import Trace
from nmtcore.errors import InterventionError, SettingError
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.diff import word_diff
from nmtcore.views.walkthrough.data import data
from pages.attention.override import AttentionOverride, checksum, read_override
from pages.attention.state import AttentionPage
from pages.common import models
from pages.common.address import change_state
from pages.common.component import Slice, mount
from pages.common.controls import show_notes
from pages.common.i18n import _
from pages.common.opening import stop_with
from pages.common.vectors import NEIGHBORS

KEY = "steps"  # of the picture in the session state


@dataclass(frozen=True, eq=False)
class Walkthrough:
    """A page's decode as shown, and the override of attention that it was made with, if any."""

    page: AttentionPage
    trace: Trace
    override: AttentionOverride | None = None

    @property
    def own(self) -> Trace:
        """The decode without an override."""
        return self.page.trace

    @property
    def config(self) -> RecurrentConfig:
        assert isinstance(self.page.checkpoint.config, RecurrentConfig)
        return self.page.checkpoint.config

    @property
    def checksum(self) -> str:
        """The checksum of this question for this model, which an override from a link must match."""
        question = self.page.question
        return checksum(self.page.checkpoint.name, question.pair, self.own.source_text, question.beam)


def decode_walkthrough(page: AttentionPage) -> Walkthrough:
    """Decode again with the override of attention that the address asks for; say why if that is impossible."""
    plain = Walkthrough(page, page.trace)
    if plain.config.locality != "global":
        says = _(
            "This model has local attention, which looks only at a window of the source: the six steps here show "
            "attention to all of it. Choose another model, or see this one's alignment on the Translate page."
        )
        stop_with(SettingError(says), page.state)
    try:
        override = read_override(page.state.override, plain.checksum, page.trace)
        if override:
            change = override.intervention(page.trace)
            (trace,) = models.ask([models.request(page.model, page.source, page.decoding, change)])
            return Walkthrough(page, trace, override)
    except InterventionError as error:
        show_notes(str(error))
    if page.state.override:  # an override that this question cannot have
        change_state(type(page.state), override="")
    return plain


def draw_walkthrough(shown: Walkthrough, lab: Mapping[str, Any] | None = None) -> None:
    """The picture. lab: the scores that the dot page compares."""
    record = partial(
        _data,
        shown.trace,
        shown.page.checkpoint,
        id=checksum(shown.checksum, shown.override),
        question=shown.checksum,
        override=_override(shown),
        lab=lab,
    )
    fields = {"place": "place", "override": "override", **NEIGHBORS, **({"temperature": "temperature"} if lab else {})}
    mount("walkthrough", record, key=KEY, state=Slice(shown.page.state, fields, ("override", "vectors")))


def _data(trace: Trace, loaded: Checkpoint, **settings: Any) -> dict[str, Any]:
    assert isinstance(loaded.config, RecurrentConfig)
    return data(trace, loaded.config, arithmetic.weights_of(loaded), **settings)


def _override(shown: Walkthrough) -> dict[str, Any] | None:
    asked = shown.override
    if asked is None:
        return None
    before, after = word_diff(shown.own.text, shown.trace.text)
    return {"code": asked.code, "step": asked.step, "at": asked.at, "before": before, "after": after}
