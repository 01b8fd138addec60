"""The words of the beam tree component. Names in braces are filled in the browser."""

from __future__ import annotations

from collections.abc import Mapping

from pages.common.i18n import _


def words() -> Mapping[str, str]:
    """Every sentence that the component can show, in the language of the page."""
    return {
        # over the tree
        "tools": _("Replay the search and rank it again"),
        "penalties": _("Penalties that rank what has ended"),
        "alpha": _("Length penalty: a larger alpha favours longer translations"),
        "beta": _("Coverage penalty: a larger beta favours translations that looked at every source word"),
        "modes": _("Dropped candidates"),
        "mode_none": _("hidden"),
        "mode_step": _("this step"),
        "mode_all": _("every step"),
        "legend_best": _("best"),
        "legend_greedy": _("greedy"),
        "legend_before": _("before"),
        "legend_dropped": _("dropped"),
        "legend_scale": _("log p"),
        # in the tree
        "figure": _("beam tree"),
        "aria": _(
            "The tree of the search, from left to right. Arrow keys move along it, Enter opens what can be done with "
            "a candidate, Escape lets go. A table of every step's candidates follows."
        ),
        "score": _("score {value}"),
        "more": _("and {count} more"),
        # a candidate's card
        "card": _("{token} at step {step}"),
        "step": _("step {step}"),
        "decode_on": _("Decode on from “{token}”"),
        "forbid": _("Forbid “{token}” at step {step}"),
        "compare": _("Compare with the winner"),
        "why_kept": _("Kept: rank {rank} at this step, and {free} places were free. Score ranks only what has ended."),
        "why_dead": _("Kept at first: rank {rank}. But none of its continuations was among the best at step {next}."),
        "why_pruned": _("Dropped: rank {rank} at this step, and the beam keeps {width}."),
        "why_pruned_places": _(
            "Dropped: rank {rank} at this step. Finished translations hold their places, so only {free} were free."
        ),
        "why_forbidden": _("Barred by a what-if: the model's probability stands, but search may not take it."),
        "why_finished": _("Finished: number {place} of {ends} by its score."),
        "why_winner": _("The winner: the best score of {ends} that ended."),
        "why_limit": _("Still alive at the length limit, number {place} of {ends} by its score: none has ended."),
        "why_greedy": _("Greedy went on from here; the beam had dropped this beginning."),
        "why_before": _("Search without the what-if went this way."),
        # stepper
        "stepper": _("Replay the search"),
        "first": _("First step"),
        "back": _("One step back"),
        "play": _("Play"),
        "pause": _("Pause"),
        "forward": _("One step on"),
        "last": _("Last step"),
        "slider": _("Step"),
        "speed": _("Speed"),
        "step_of": _("step {step} of {steps}"),
        "save": _("Save"),
        "picture": _("{model}, beam of width {width}, alpha {alpha}, beta {beta}, step {step} of {steps}"),
        # results
        "whatifs": _("What if:"),
        "undo": _("Undo: {what}"),
        "undo_short": _("Undo"),
        "undo_all": _("undo all"),
        "lines": _("The winner beside the other results"),
        "log_p": _("log P"),
        "score_head": _("score"),
        "length": _("length"),
        "log_p_is": _("log P {value}"),
        "length_is": _("length {value}"),
        "go_to": _("Go to step {step}"),
        "greedy_same": _("Greedy finds the same translation here."),
        "greedy_lower": _(
            "They part at step {step}: greedy takes “{theirs}” (log p {q}), the winner takes "
            "“{ours}” (log p {p}) and ends {gap} higher in log P."
        ),
        "greedy_higher": _(
            "They part at step {step}: greedy takes “{theirs}” (log p {q}), the winner “{ours}” (log p {p}). Greedy's "
            "way was kept and ends {gap} higher in log P, but the winner has the better score."
        ),
        "greedy_lost": _(
            "They part at step {step}: greedy takes “{theirs}” (log p {q}), the winner “{ours}” (log p {p}). Greedy "
            "ends {gap} higher in log P, but the beam dropped its way at step {gone}: a wider beam may keep it."
        ),
        "before_same": _("The what-if changes nothing: the winner is the same as before."),
        "before_lower": _(
            "It parts from the result before at step {step}: “{ours}” (log p {p}) instead of “{theirs}” (log p {q}), "
            "and ends {gap} higher in log P."
        ),
        "before_higher": _(
            "It parts from the result before at step {step}: “{ours}” (log p {p}) instead of “{theirs}” (log p {q}), "
            "and ends {gap} lower in log P."
        ),
        "candidate_same": _("The best way on from this candidate is the winner itself."),
        "candidate_lower": _(
            "The candidate parts from the winner at step {step}: “{theirs}” (log p {q}) instead of “{ours}” "
            "(log p {p}). Its best way on ends {gap} lower in log P."
        ),
        "candidate_higher": _(
            "The candidate parts from the winner at step {step}: “{theirs}” (log p {q}) instead of “{ours}” "
            "(log p {p}). Its best way on ends {gap} higher in log P."
        ),
        "ranking": _("What ended, by score"),
        "ranking_limit": _("None ended before the length limit; those alive, by score"),
        "translation": _("translation"),
        "empty": _("(nothing)"),
        "formula": _("score = log P / lp + cp,  lp = ((5 + |y|) / 6)^α,  cp = β · Σᵢ log min(Σⱼ αᵢⱼ, 1)"),
        "formula_plain": _("score = log P / lp,  lp = ((5 + |y|) / 6)^α"),
        "ranking_note": _("During the search log P alone decides what is kept; α and β only rank what has ended."),
        "bars": _("What may follow “{prefix}”"),
        "bars_first": _("What may come first"),
        "bars_rest": _("All other tokens share {share}."),
        "candidates": _("All candidates of this step as a table"),
        "candidates_caption": _("{model}: the candidates of step {step}"),
        "rank": _("rank"),
        "token": _("token"),
        "after": _("after"),
        "fate": _("fate"),
        "fate_kept": _("kept"),
        "fate_finished": _("finished"),
        "fate_pruned": _("dropped"),
        "fate_forbidden": _("barred"),
    }
