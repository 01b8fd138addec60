"""One-click experiments: a question, the runs that answer it, and the folded answer, and for how many seeds it held."""

from collections.abc import Callable

import streamlit as st

from nmtcore.messages import N_
from nmtcore.runs import queue
from nmtcore.runs.defaults import BOOK_EPOCHS, BOOK_MODEL, BOOK_PAIRS, BOOK_ROWS, TOO_FEW, make_book_run
from nmtcore.runs.experiments import EXPERIMENTS, Checked, checked
from nmtcore.runs.run_folder import runs_folder
from nmtcore.training.exercises import EXERCISES
from pages.common.address import change_state
from pages.common.i18n import _
from pages.finetune.foot import remarked, say_code
from pages.finetune.owner import visitor
from pages.finetune.state import FinetuneState

QUESTIONS = {  # of the experiments
    "rates": N_("What happens if the learning rate is ten times too small, or thirty times too large?"),
    "optimisers": N_("Can plain SGD use the learning rate that suits Adam?"),
    "clipping": N_("What happens to large steps when the gradient is not clipped?"),
    "attention": N_("Strings of 10, 20 and 40 digits are reversed: what does length cost with attention, and without?"),
    "warm-up": N_("Why does a Transformer with the norm after each sub-layer need a warm-up?"),
    "residuals": N_("Does an LSTM of four layers learn without residual connections?"),
    "positions": N_("Which kind of positions still works on strings that are longer than any in training?"),
    "norms": N_("Six layers without a warm-up: does a Transformer want its norm before or after each sub-layer?"),
    "scaled-dot": N_("Must the dot product of states of width 256 be divided by √256, as in a Transformer?"),
    "own-words": N_("Does a model learn better if it reads its own words in training, as it will in use?"),
}
ANSWERS = {  # to them
    "rates": N_(
        "At a tenth of the rate the loss falls, but far too slowly for 400 steps. At thirty times the rate every "
        "step overshoots: the loss jumps, and hardly a string is right. Only the rate in between learns to reverse."
    ),
    "optimisers": N_(
        "No. Adam divides each weight's step by the usual size of its gradient, so one small rate suits most "
        "models. SGD multiplies the gradient itself: at Adam's rate it hardly moves, and it learns at a rate five "
        "hundred times as large, which had to be found by trial."
    ),
    "clipping": N_(
        "With momentum and a large rate, unclipped gradients throw the weights to where every state is saturated, "
        "and the loss stays high. Clipped at norm 1, the same rate learns."
    ),
    "attention": N_(
        "With attention, next to nothing: nearly every digit is in its place at all three lengths. Without it, the "
        "whole string must pass through one vector: about half of 10 digits are right, a quarter of 20, and a "
        "sixth of 40, where a guess gets a tenth. Both models saw the same number of digits at each length. The "
        "context enters where the decoder writes, not where it reads, so that all steps are computed at once."
    ),
    "warm-up": N_(
        "At first Adam knows little about its gradients, and with the norm after each sub-layer they are largest "
        "near the output: full steps at once leave attention stuck. A hundred warm-up steps are enough to get past "
        "this."
    ),
    "residuals": N_(
        "Not in the time given. A residual connection adds a layer's input to its output, here from the third "
        "layer on, which gives states and gradients a way around every such layer. With it strings of up to 6 "
        "digits are learned in 350 steps; without it the loss falls far more slowly, and few of them are right by "
        "then."
    ),
    "positions": N_(
        "Relative ones. All three learn to copy strings of up to 8 digits, and are then tried on 9 to 12. A "
        "learned table's rows for these places were never trained: no string is right. The sinusoids' rows were "
        "never seen either, and few are right. Relative positions only say how far apart two words are, and here "
        "every distance beyond three counts as three: longer strings bring no new distance, and most are right."
    ),
    "norms": N_(
        "Before. Then what a layer adds reaches the last norm by additions alone, gradients come back the same "
        "way, and full steps from the first update on do no harm. Norms after each sub-layer stand in the way, "
        "twelve in the encoder and eighteen in the decoder: after 200 steps hardly any string is right."
    ),
    "scaled-dot": N_(
        "Not in this recurrent model. The division is for vectors with components of variance 1: their dot "
        "products have the standard deviation √256 = 16, and a softmax of such scores passes hardly any gradient. "
        "A GRU's states start far smaller, at about 0.06 a component here. Their scores are small already; divided "
        "by 16, they keep attention uniform for longer. After 200 steps the plain dot product reverses nearly all "
        "strings, the scaled one far fewer."
    ),
    "own-words": N_(
        "Not here. Scheduled sampling replaces some of the decoder's inputs, at the end half or all of them, with "
        "what the model itself would have written. It is meant to teach how to go on after a mistake. But a string "
        "counts only if every digit is right, and up to its first mistake a model's own words are the true ones. "
        "What is left is the cost of learning from wrong inputs: the more of its own words a model has read, the "
        "fewer strings it reverses. The model here has no attention, so that there are mistakes to learn from."
    ),
}


def recipe_of_the_books(name: str) -> None:
    """A button that trains with the recipe of the textbooks on the chosen exercise; nothing if it has too few pairs."""
    if name not in EXERCISES or name in TOO_FEW:
        return
    says = _(
        "**The books' recipe** for this exercise: {pairs:,} pairs, batches of {rows}, {epochs} epochs, a "
        "bidirectional LSTM of one layer and {units} units with additive attention, RMSprop."
    )
    words = says.format(pairs=BOOK_PAIRS, rows=BOOK_ROWS, epochs=BOOK_EPOCHS, units=BOOK_MODEL["units"])
    _offered("book-recipe", words, _start_recipe, name)


def _offered(key: str, says: str, start: Callable[[str], None], name: str) -> None:
    """A button and, beside it even on a phone, what it runs."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"run-row-{key}"):
        st.button(_("Run it"), key=key, on_click=start, args=(name,), width=95)
        st.markdown(says, width="stretch")


def _start_recipe(name: str) -> None:
    with remarked(""):
        run, code = queue.submit(runs_folder(), *make_book_run(EXERCISES[name]), visitor().session)
        say_code(run, code)
        change_state(FinetuneState, run=run.id)


def experiments_list() -> None:
    """The experiments whose answers held when they were checked, each with the button that starts it."""
    sure = {name: check for name, check in checked().items() if name in EXPERIMENTS and check.held * 2 > check.seeds}
    if not sure:
        return
    st.header(_("One-click experiments"), anchor=False)
    st.caption(_("Two or three short training runs that differ in one thing. Guess first; the answer is hidden."))
    for name in (name for name in EXPERIMENTS if name in sure):
        _offered(f"experiment-{name}", f"**{_(QUESTIONS[name])}**", _start, name)
        _folded_answer(name, sure[name])


def _folded_answer(name: str, check: Checked) -> None:
    with st.expander(_("Answer"), key=f"answer-{name}", type="compact"):
        st.markdown(_(ANSWERS[name]))
        st.caption(
            _("This held for {held} of {seeds} seeds.").format(held=check.held, seeds=check.seeds)
            + " "
            + _("Other seeds may differ.")
        )


def _start(name: str) -> None:
    """Queue all runs of an experiment and show the first with the others laid over it."""
    with remarked(""):
        first, *others = queue.submit_together(runs_folder(), EXPERIMENTS[name].runs(), visitor().session)
        others_ids = tuple(run.id for run in others)
        change_state(FinetuneState, run=first.id, others=others_ids, section="compare", experiment=name)


def experiment_shown(name: str) -> None:
    """The question of the experiment on the screen, with its answer folded."""
    if name:
        st.markdown(f"**{_(QUESTIONS[name])}**")
        _folded_answer(name, checked().get(name, Checked(0, 0)))
