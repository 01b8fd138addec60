"""The texts of the beam tree. Names in braces are filled in the browser."""

from nmtcore.messages import N_, Messages
from nmtcore.views.kit.messages import PLAYER, SAVING

MESSAGES: Messages = {
    # over the tree
    "tools": N_("Replay the search and rank it again"),
    "penalties": N_("Penalties that rank finished translations"),
    "alpha": N_("Length penalty: a larger alpha favours longer translations"),
    "beta": N_("Coverage penalty: a larger beta favours translations that looked at every source word"),
    "alpha_does": N_("prefers longer"),
    "beta_does": N_("covers every source word"),
    "modes": N_("Dropped candidates"),
    "mode_none": N_("hidden"),
    "mode_step": N_("this step"),
    "mode_all": N_("every step"),
    "legend_best": N_("best"),
    "legend_greedy": N_("greedy"),
    "legend_before": N_("before"),
    "legend_dropped": N_("dropped"),
    "legend_scale": N_("log p"),
    # in the tree
    "figure": N_("beam tree"),
    "aria": N_(
        "The search tree, from left to right. Arrow keys move along it, Enter opens what can be done with a candidate, "
        "Escape deselects it. A table of every step's candidates follows."
    ),
    "score": N_("score {value}"),
    "more": N_("and {count} more"),
    # a candidate's card
    "card": N_("{token} at step {step}"),
    "step": N_("step {step}"),
    "decode_on": N_("Decode on from “{token}”"),
    "forbid": N_("Forbid “{token}” at step {step}"),
    "compare": N_("Compare with the winner"),
    "neighbors": N_("Neighbours of {piece}"),
    "why_kept": N_(
        "Kept: rank {rank} at this step, and {free} places were free. The score ranks finished translations only."
    ),
    "why_dead": N_("Kept at first: rank {rank}. But none of its continuations was among the best at step {next}."),
    "why_pruned": N_("Dropped: rank {rank} at this step, and the beam keeps {width}."),
    "why_pruned_places": N_(
        "Dropped: rank {rank} at this step. Finished translations hold their places, so only {free} were free."
    ),
    "why_kept_grid": N_(
        "Kept: rank {rank} at this step, and among the {width} likeliest that meet the same number of constraint "
        "tokens (grid beam search)."
    ),
    "why_pruned_grid": N_(
        "Dropped: rank {rank} at this step. Search keeps the {width} likeliest for each number of constraint tokens "
        "met (grid beam search), and this one is not among them."
    ),
    "why_required": N_("Your constraint requires it here: search had no choice. The probability is the model's own."),
    "why_not_required": N_("Your constraint requires “{token}” here, so search may not take this one."),
    "why_forbidden": N_("Forbidden by a constraint: the probability is the model's, but search may not take it."),
    "why_finished": N_("Finished: number {place} of {ends} by score."),
    "why_winner": N_("The winner: the best score among {ends} finished."),
    "why_limit": N_("Still alive at the length limit, number {place} of {ends} by score: none has ended."),
    "why_greedy": N_("Greedy continued from here; the beam had dropped this prefix."),
    "why_before": N_("Search without constraints took this path."),
    # player
    **PLAYER,
    "slider": N_("Step"),
    "step_of": N_("step {step} of {steps}"),
    **SAVING,
    "picture": N_("{model}, beam of width {width}, alpha {alpha}, beta {beta}, step {step} of {steps}"),
    # results
    "whatifs": N_("What if:"),
    "undo": N_("Undo: {what}"),
    "undo_short": N_("Undo"),
    "undo_all": N_("undo all"),
    "lines": N_("The winner beside the other results"),
    "log_p": N_("log P"),
    "score_head": N_("score"),
    "length": N_("length"),
    "log_p_is": N_("log P {value}"),
    "length_is": N_("length {value}"),
    "go_to": N_("Go to step {step}"),
    "greedy_same": N_("Greedy finds the same translation here."),
    "greedy_lower": N_(
        "Greedy diverges from the winner at step {step}: it takes “{theirs}” (log p {q}) instead of “{ours}” "
        "(log p {p}), and ends {gap} lower in log P."
    ),
    "greedy_higher": N_(
        "Greedy diverges from the winner at step {step}: it takes “{theirs}” (log p {q}) instead of “{ours}” "
        "(log p {p}). Its path was kept and ends {gap} higher in log P, but the winner has the better score."
    ),
    "greedy_lost": N_(
        "Greedy diverges from the winner at step {step}: it takes “{theirs}” (log p {q}) instead of “{ours}” "
        "(log p {p}). It ends {gap} higher in log P, but the beam dropped its path at step {gone}: a wider beam may "
        "keep it."
    ),
    "greedy_overtaken": N_(
        "Greedy's prefix is overtaken at step {step}: “{best}” has log P {p}, greedy's “{theirs}” {q}."
    ),
    "greedy_gone": N_("At step {gone} it has rank {rank}, and only {free} are kept: it falls out of the beam."),
    "greedy_gone_far": N_("At step {gone} it falls out of the beam."),
    "greedy_stays": N_("Greedy's prefix stays in the beam to the end."),
    "greedy_leads": N_("Greedy's prefix is the likeliest at every step: only the final scores decide."),
    "before_same": N_("This changes nothing: the winner is the same as before."),
    "before_lower": N_(
        "The new winner diverges from the old one at step {step}: “{ours}” (log p {p}) instead of “{theirs}” (log p "
        "{q}), and ends {gap} higher in log P."
    ),
    "before_higher": N_(
        "The new winner diverges from the old one at step {step}: “{ours}” (log p {p}) instead of “{theirs}” (log p "
        "{q}), and ends {gap} lower in log P."
    ),
    "candidate_same": N_("The best continuation of this candidate is the winner itself."),
    "candidate_lower": N_(
        "The candidate diverges from the winner at step {step}: “{theirs}” (log p {q}) instead of “{ours}” "
        "(log p {p}). Its best continuation ends {gap} lower in log P."
    ),
    "candidate_higher": N_(
        "The candidate diverges from the winner at step {step}: “{theirs}” (log p {q}) instead of “{ours}” "
        "(log p {p}). Its best continuation ends {gap} higher in log P."
    ),
    "ranking": N_("Finished translations, best first"),
    "ranking_limit": N_("None finished before the length limit: unfinished translations, best first"),
    "translation": N_("translation"),
    "empty": N_("(nothing)"),
    "formula": N_(
        "score = log P / lp + cp,  lp = ((5 + |y|) / 6)<sup>α</sup>,  "
        "cp = β · Σ<sub>i</sub> log min(Σ<sub>j</sub> α<sub>ij</sub>, 1)"
    ),
    "formula_plain": N_("score = log P / lp,  lp = ((5 + |y|) / 6)<sup>α</sup>"),
    "changes": N_("The winner changes at {sign} = {values}."),
    "changes_above": N_("From {sign} = {values} on, another translation wins."),
    "changes_below": N_("Below {sign} = {values}, another translation wins."),
    "changes_never": N_("The same translation wins for every {sign} from 0 to {most}."),
    "ranking_note": N_(
        "During the search log P alone decides what is kept; α and β only rank finished translations. GNMT also prunes "
        "with the normalised score (Wu et al. 2016). This β weighs coverage: it is not the score β of the attention "
        "pages."
    ),
    "bars": N_("What may follow “{prefix}”"),
    "bars_first": N_("What may come first"),
    "bars_rest": N_("All other tokens share {share}."),
    "candidates": N_("All candidates of this step as a table"),
    "candidates_caption": N_("{model}: the candidates of step {step}"),
    "rank": N_("rank"),
    "token": N_("token"),
    "after": N_("after"),
    "fate": N_("fate"),
    "fate_kept": N_("kept"),
    "fate_finished": N_("finished"),
    "fate_pruned": N_("dropped"),
    "fate_forbidden": N_("forbidden"),
}
