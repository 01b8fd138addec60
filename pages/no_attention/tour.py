"""The guided tour of the No attention page, from its decode, its gates and what it loses without each word."""

from nmtcore.analysis.gates import GateRecord
from nmtcore.config import RecurrentConfig
from nmtcore.decoding.trace import Trace
from nmtcore.limits import MAX_OMITTED_WORDS
from nmtcore.text.words import group_pieces, name_at
from pages.common import probes
from pages.common.i18n import _
from pages.common.opening import OpenPage
from pages.common.state import link_texts
from pages.common.tour import Target, TourStep, from_first_section, tour_step, word_bar, your_sentence
from pages.no_attention.forgetting import CORPUS
from pages.no_attention.length_effect import extra_clauses
from pages.no_attention.state import NoAttentionState

KEY = "bottleneck"  # of the picture


def tour_steps(
    page: OpenPage[NoAttentionState], model: str, trace: Trace, config: RecurrentConfig, gates: GateRecord | None
) -> list[TourStep]:
    """Seven to ten steps. Raises as `models.ask` does."""
    D, S = config.units, len(trace.source)
    picture = Target(KEY, "svg.states")
    states = _("The encoder makes {count} states, one for each piece; the last belongs to <eos>, the end mark.")
    vector = _("All that the decoder gets from these {all} numbers is C: {D} numbers, as for any other sentence.")
    enters = (
        _("C goes into every one of the {T} steps of the decoder, the same each time.")
        if config.context == "every_step"
        else _("The decoder begins with C, and none of its {T} steps sees the sentence again.")
    )
    steps = [
        tour_step(your_sentence(page.source.text), "text"),
        tour_step(states.format(count=S), picture, KEY),
        tour_step(vector.format(all=f"{S * D:,}", D=D), Target(KEY, ".aside .says"), picture, KEY),
        tour_step(enters.format(T=len(trace.target)), Target(KEY, ".where, svg.states"), KEY),
        _least_likely(trace),
        _gates(trace, gates),
    ]
    if 1 <= len(group_pieces(trace.source[:-1])) <= MAX_OMITTED_WORDS and (missed := _missed_most(page, model)):
        steps.append(missed)
    if (CORPUS / f"{page.question.pair}.tsv").is_file():
        says = _("This measures how far C moves when one word is replaced, in short sentences and in long ones.")
        steps.append(tour_step(says, "figure-swaps", shows=_section("words")))
    if extra_clauses(page.question.pair):
        says = _("Each of these clauses makes the sentence longer, while C keeps its size.")
        steps.append(tour_step(says, "clauses", shows=_section("length")))
    steps.append(
        tour_step(_("This question is for the class: its answer stays closed until somebody opens it."), "lesson")
    )
    return from_first_section(steps)


def _least_likely(trace: Trace) -> TourStep:
    at = min(range(len(trace.steps)), key=lambda j: trace.steps[j].log_probability)
    says = _("Here the decoder is least sure: it writes “{word}” with probability {probability}.")
    says = says.format(word=name_at(trace.target, at), probability=f"{trace.steps[at].probability:.2f}")
    return tour_step(says, Target(KEY, ".wrote, svg.candidates"), KEY, shows=_step(at))


def _step(at: int) -> dict[str, str | None]:
    return link_texts(NoAttentionState, state_step=at + 1)


def _section(code: str) -> dict[str, str | None]:
    return link_texts(NoAttentionState, section=code)


def _gates(trace: Trace, gates: GateRecord | None) -> TourStep:
    """The gate that says how much of the old state is kept, a GRU's z or an LSTM's f, where its mean is largest."""
    if gates is None:
        return tour_step(
            _("A plain recurrent cell such as this one has no gates: every step mixes everything anew."), KEY
        )
    letter = "f" if gates.cell == "lstm" else "z"
    means = gates.means()[letter]
    at = int(means.argmax())
    values = {"word": name_at(trace.target, at), "mean": f"{float(means[at]):.2f}"}
    says = (
        _("For “{word}” the forget gate f keeps more of the old cell than at any other step: {mean} on average.")
        if letter == "f"
        else _("For “{word}” the update gate z keeps more of the old state than at any other step: {mean} on average.")
    )
    told = Target(KEY, ".gates .pair")
    return tour_step(says.format(**values), told, KEY, shows=_step(at))


def _missed_most(page: OpenPage[NoAttentionState], model: str) -> TourStep | None:
    occlusion = probes.occluded(model, page.source, page.decoding)
    if occlusion is None:
        return None
    at = int(occlusion.drops.argmax())
    drop = float(occlusion.drops[at])
    says = (
        _("Without “{word}” the log P of the translation falls by {drop}, more than without any other word.")
        if drop > 0
        else _("No word is missed here: without any one of them the translation is at least as likely.")
    )
    return tour_step(
        says.format(word=occlusion.words[at], drop=f"{drop:.2f}"),
        *word_bar("figure-drops-none", at),
        shows=_section("words"),
    )
