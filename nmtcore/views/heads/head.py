"""Heads of a Transformer by kind, layer and number: their codes and their names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from nmtcore.analysis.head_names import HeadName
from nmtcore.decoding.trace import AttentionMap, Trace
from nmtcore.intervention import AttentionKind
from nmtcore.messages import Messages
from nmtcore.views.heads.messages import MESSAGES

KINDS: tuple[AttentionKind, ...] = ("cross", "encoder", "decoder")  # in the order of the page's switch
CODE = r"(cross|encoder|decoder)\.(\d{1,3}|mean)\.(\d{1,3}|mean)"  # kind, layer, head

Names = Mapping[tuple[AttentionKind, int, int], HeadName]  # roles of heads, by kind, layer and head
NO_NAMES: Names = {}


@dataclass(frozen=True)
class Head:
    """A head, or an average over heads (head None) or layers (layer None). Both are counted from zero."""

    kind: AttentionKind
    layer: int | None
    head: int | None

    @property
    def code(self) -> str:
        """The code in the address."""
        layer, head = ("mean" if index is None else index + 1 for index in (self.layer, self.head))
        return f"{self.kind}.{layer}.{head}"

    @property
    def single(self) -> bool:
        """Whether it is a single head rather than an average."""
        return self.layer is not None and self.head is not None

    @classmethod
    def read(cls, code: str, trace: Trace) -> Head | None:
        """The head named by `code`; None if the model has no such head."""
        match = re.fullmatch(CODE, code, re.ASCII)
        if not match:
            return None
        kind = cast(AttentionKind, match[1])
        layer, head = (None if part == "mean" else int(part) - 1 for part in match.groups()[1:])
        attention = trace.attention_of(kind)
        inside = attention and (layer or 0) in range(attention.layers) and (head or 0) in range(attention.heads)
        return cls(kind, layer, head) if inside else None

    def name(self, messages: Messages = MESSAGES) -> str:
        """The name of the head in a sentence."""
        return str(messages["names"][self.kind].format(layer=(self.layer or 0) + 1, head=(self.head or 0) + 1))

    def title(self, messages: Messages = MESSAGES) -> str:
        """The heading above an enlarged head or average."""
        if self.layer is None:
            name = "title_mean_of_all" if self.head is None else "title_mean_of_layers"
        else:
            name = "title_mean_of_heads" if self.head is None else "title"
        return str(messages[name].format(layer=(self.layer or 0) + 1, head=(self.head or 0) + 1))


def names_json(names: Names) -> dict[str, tuple[str, str]]:
    """The role and share of each named head, by code; the decoder's own words have their marker at the start."""

    def role(kind: AttentionKind, name: HeadName) -> str:
        return "start" if (kind, name.role) == ("decoder", "marker") else name.role

    return {Head(*place).code: (role(place[0], name), f"{name.share:.0%}") for place, name in names.items()}


def in_order(trace: Trace) -> list[AttentionMap]:
    """The maps of a trace in the order of the page."""
    return sorted(trace.attention, key=lambda attention: KINDS.index(attention.kind))
