"""The cost of a run so far, in plain sentences: operations, share of the device's peak, energy."""

from nmtcore.runs.cost import run_cost
from pages.common.i18n import _
from pages.finetune.records import Events

UNITS = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"))


def cost_sentence(events: Events, device: str) -> str:
    """The cost of a run; empty before its first evaluation, and for runs whose cost was not counted."""
    cost = run_cost(events)
    if cost is None:
        return ""
    parts = [
        _(
            "This took {seconds:,.1f} s including evaluations: {pieces:,.0f} target pieces a second, and "
            "{operations}FLOP, {rate}FLOP a second (matrix products; the backward pass counts as two forward ones; "
            "padding is left out)."
        ).format(seconds=cost.seconds, pieces=cost.pieces, operations=_short(cost.operations), rate=_short(cost.rate))
    ]
    if cost.share is not None:
        words = (
            _("That is {share} of what large matrix products reached on this CPU.")
            if device == "cpu"
            else _("That is {share} of the bf16 peak in the device's data sheet.")
        )
        parts.append(words.format(share=f"{100 * cost.share:.1f}%"))
    if cost.watt_hours is not None:
        words = (
            _("Energy: about {energy} Wh, estimated at 10 W for each busy core, {watts:.0f} W in all.")
            if device == "cpu"
            else _("Energy: at most about {energy} Wh, estimated from the {watts:.0f} W of the device's data sheet.")
        )
        parts.append(words.format(energy=f"{cost.watt_hours:.2g}", watts=cost.watts))
    return " ".join(parts)


def _short(number: float) -> str:
    """A number with three digits and an SI prefix, such as 12.3 G."""
    size, prefix = next(((size, prefix) for size, prefix in UNITS if number >= size), (1.0, ""))
    return f"{number / size:,.3g} {prefix}"
