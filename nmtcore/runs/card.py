"""The model card of a run, card.md: the card of `train` with scores and cost, for download with the model."""

from collections.abc import Sequence

from nmtcore.evaluation.cards import SCORES, with_section
from nmtcore.files import atomic_write
from nmtcore.models.checkpoint import CARD
from nmtcore.runs.cost import Cost, run_cost
from nmtcore.runs.run_folder import Run


def write_card(run: Run) -> None:
    """Add scores and cost to the card of the best weights."""
    atomic_write(run.best / CARD, card_text(run).encode())


def card_text(run: Run) -> str:
    """The text of the card, in Markdown: that of the best weights, with scores and cost from the run's records."""
    status, events = run.status(), run.events()
    scores = []
    if status.score is not None:
        what = "exact match on held-out pairs, %" if run.config().exercise else "BLEU on held-out pairs"
        scores.append(f"- {what}: {status.score:.1f}")
    aligned = next((e["alignment_error"] for e in reversed(events) if e.get("alignment_error") is not None), None)
    if aligned is not None:
        scores.append(f"- alignment error against the exact links, %: {aligned:.1f}")
    if status.longer is not None:
        scores.append(f"- exact match on longer sources than any in training, %: {status.longer:.1f}")
    cost = run_cost(events)
    card = (run.best / CARD).read_text(encoding="utf-8")
    for lines in (
        [SCORES, "", *(scores or ["None was measured."])],
        ["## Cost", "", *(cost_lines(cost) if cost else ["It was not counted."])],
    ):
        card = with_section(card, "\n".join(lines) + "\n")
    return card


def cost_lines(cost: Cost) -> Sequence[str]:
    """The cost as list items."""
    lines = [
        f"- time: {cost.seconds:,.1f} s of training, at {cost.pieces:,.0f} target pieces a second",
        f"- operations: {cost.operations:.2e} counted, {cost.rate:.2e} a second; the backward pass counts twice the "
        "forward one, padding is left out",
    ]
    if cost.share is not None:
        lines.append(
            f"- share of the device's peak: {100 * cost.share:.1f}%; a CPU's peak is what a product of large "
            "matrices reached beside it, a GPU's is that of its data sheet"
        )
    if cost.watt_hours is not None:
        lines.append(f"- energy: about {cost.watt_hours:.3g} Wh, if the device takes {cost.watts:.0f} W")
    return lines
