"""Statistics of every head as columns of a table: entropy, distance, agreement, ..."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from nmtcore.analysis import head_statistics
from nmtcore.analysis.occlusion import Occlusion
from nmtcore.decoding.trace import Array, AttentionMap, Trace
from nmtcore.intervention import AttentionKind
from nmtcore.messages import Messages
from nmtcore.views.heads.head import Head, in_order
from nmtcore.views.heads.messages import MESSAGES


@dataclass(frozen=True)
class Column:
    """A statistic of every head: its name, its meaning, its decimals, and by kind the (L + 1, H + 1) numbers.

    The last row and column are the averages. A kind that lacks the statistic is not in `values`.
    """

    id: str
    name: str
    hint: str
    values: Mapping[AttentionKind, Array]
    places: int = 2

    def of(self, head: Head) -> float | None:
        """The number of a head or an average; None if its kind has none."""
        if head.kind not in self.values:
            return None
        layer, index = (-1 if i is None else i for i in (head.layer, head.head))
        return float(self.values[head.kind][layer, index])


def make_columns(
    trace: Trace, other: AttentionMap | None, messages: Messages = MESSAGES, occlusion: Occlusion | None = None
) -> tuple[Column, ...]:
    """The statistics of every head and average.

    other: the additive model's attention for the same output; occlusion: its leave-one-out by the model itself.
    """
    maps = {attention.kind: head_statistics.append_means(attention) for attention in in_order(trace)}

    def column(id: str, number: Callable[[AttentionMap], Array], places: int = 2) -> Column:
        name, hint = messages["statistics"][id]
        return Column(id, name, hint, {kind: number(attention) for kind, attention in maps.items()}, places)

    columns = [
        column("entropy", head_statistics.entropy),
        column("marker", head_statistics.share_on_marker),
        column("punctuation", head_statistics.share_on_punctuation),
        column("distance", head_statistics.mean_distance, places=1),
        column("diagonal", head_statistics.diagonality),
    ]
    if other is not None and "cross" in maps:
        values: dict[AttentionKind, Array] = {"cross": head_statistics.agreement(maps["cross"], other)}
        name, hint = messages["statistics"]["agreement"]
        columns.append(Column("agreement", name, hint, values))
    if occlusion is not None and "cross" in maps:
        name, hint = messages["statistics"]["occlusion"]
        agrees = head_statistics.agreement_with_occlusion(maps["cross"], occlusion)
        columns.append(Column("occlusion", name, hint, {"cross": agrees}))
    return tuple(columns)


def caption(head: Head, columns: Iterable[Column], messages: Messages = MESSAGES) -> list[str]:
    """The statistics of a head as a secondary line of text."""
    by_id = {column.id: column.of(head) for column in columns}
    items = [
        messages["caption_entropy"].format(value=f"{by_id['entropy']:.1f}"),
        messages["caption_marker"][head.kind].format(share=f"{by_id['marker'] or 0:.0%}"),
    ]
    if head.kind != "cross":
        items.append(messages["caption_distance"][head.kind].format(count=f"{by_id['distance']:.1f}"))
    elif by_id.get("occlusion") is not None:
        items.append(messages["caption_occlusion"].format(share=f"{by_id['occlusion']:.0%}"))
    return items
