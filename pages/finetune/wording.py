"""The texts of the Fine-tune page: names of exercises, the alignments they should produce, the status of runs."""

from nmtcore.errors import NmtError
from nmtcore.messages import N_
from nmtcore.runs.config import RunConfig, State, Status
from nmtcore.runs.cost import run_cost
from nmtcore.runs.queue import before
from nmtcore.runs.run_folder import Run
from nmtcore.training.exercises import EXERCISES
from pages.common.i18n import _, ngettext, title
from pages.finetune.records import Events
from pages.finetune.settings import said_size

PAIRS = "pairs"  # instead of the name of an exercise, for people's own pairs
TASKS = (*EXERCISES, PAIRS)
UNITS = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"))


TITLES = {  # a task in the list: its group, then its name
    "reverse": N_("Strings: reverse the digits"),
    "copy": N_("Strings: copy the digits"),
    "sort": N_("Strings: sort the letters"),
    "sum": N_("Many to one: is the sum odd?"),
    "spell": N_("One to many: spell a number"),
    "capitals": N_("Word by word: names in brackets"),
    "dates": N_("Numbers: write dates one way"),
    "numbers": N_("Numbers: in French words"),
    "couplets-fr": N_("Couplets: in French"),
    "couplets-zh": N_("Couplets: in Chinese characters"),
    "summary": N_("Reading: keep the sentence about somebody"),
    "story": N_("Reading: where is she now?"),
    "language": N_("Translation: a small language"),
    "teach": N_("Translation: teach a made-up word"),
    PAIRS: N_("Your own sentence pairs"),
}
ABOUT = {  # what an exercise asks
    "reverse": N_("Write a string of digits backwards."),
    "copy": N_("Copy a string of digits."),
    "sort": N_("Put letters in alphabetical order."),
    "sum": N_(
        "The answer to two numbers is one word: whether their sum is odd or even. Three in four numbers are even."
    ),
    "spell": N_("A number of up to four digits, which is one word, is written out in English."),
    "capitals": N_("Copy a sentence, putting each name in it in brackets."),
    "couplets-fr": N_("A line of eight words is answered by eight: day by night, white by black, climb by descend."),
    "couplets-zh": N_("A line is answered character by character, as in 对对子: 春 by 秋, 山 by 水, 来 by 去."),
    "summary": N_("Of three sentences about three people, keep the one about the person who is named first."),
    "story": N_("Three sentences say who went where; the last one about the person asked for is the answer."),
    "language": N_(
        "English sentences of about 200 words become French. A grammar made both from one plan, so the right link "
        "of every word is known."
    ),
    "dates": N_("Dates are written in fourteen ways; the answer is always year, month, day in digits."),
    "numbers": N_("Write a number of up to four digits in French, where 71 is sixty and eleven."),
    "teach": N_("A model that translates English to French meets a noun that it has never seen."),
    PAIRS: N_("A pair is a sentence, a tab and its translation."),
}
LOOK_FOR = {  # the alignment that training should find, and why
    "reverse": N_(
        "**The anti-diagonal is the point.** To write the first digit, the model has to look at the last one."
    ),
    "copy": N_("**The diagonal is the point.** Each digit is written while looking at itself."),
    "sort": N_(
        "**One cell a row, in no pattern.** The model has to look wherever the next letter of the alphabet stands; "
        "among equal letters any will do."
    ),
    "sum": N_(
        "**Two digits decide: the last one of each number.** The score stays at the level of a guess, about 60%, "
        "for some hundred steps, then jumps to 100%: in three additive runs after 375 to 750. With half of the "
        "numbers odd, one of them alone would say nothing, and an additive model was still guessing after 3,000 "
        "steps. The row need not show the two digits: in one of the three runs it mostly showed one of them, in "
        "another neither. The encoder has read both, so any of its states may hold the answer."
    ),
    "spell": N_(
        "**One column for every row.** All words come from the only word of the source; the pieces show which of "
        "its digits a word needs."
    ),
    "capitals": N_(
        "**The diagonal, word for word.** Each word is written while looking at itself, in brackets or not."
    ),
    "couplets-fr": N_(
        "**The diagonal, and beside it the noun.** Each word answers the one above it; an article and an adjective "
        "need the noun too, because its counterpart gives the gender."
    ),
    "couplets-zh": N_("**The diagonal is the point.** Each character answers the one in its place, and no other."),
    "summary": N_(
        "**One block, and where it lies.** The name at the start is found again, and the words after it are copied."
    ),
    "story": N_(
        "**The last sentence about the right person.** The name may look at any of its occurrences; the verb and "
        "the place have one word each to look at. An earlier sentence about the same person is wrong, so the model "
        "has to find the person and the order. Five additive models had 95% right after 300 to 600 steps. Asked "
        "for the place alone, in one word, a model of that size had about half right after 2,000: the other words "
        "of the sentence also teach where to look."
    ),
    "language": N_(
        "**Near the diagonal, with crossings.** An adjective may follow its noun in French, *does not* becomes *ne "
        "… pas*, and *will read* one word. The error against the exact links is drawn as a curve: in seven "
        "additive runs of 1,200 steps it fell to 6 to 11%, and 86 to 90% of unseen sentences were right."
    ),
    "dates": N_(
        "**Blocks that move as a whole.** The year's four digits come from the year, wherever it stands; both "
        "digits of the month come from its name."
    ),
    "numbers": N_(
        "**Groups of digits, not single ones.** Seventy-one is *soixante et onze*: three French words need both "
        "digits, so their rows share the weight."
    ),
    "teach": N_(
        "**Large weights for the new word.** Its pieces in French should look at its pieces in English; the rows "
        "of the other words should stay as they were."
    ),
    PAIRS: N_("**Watch where the rows become sharp.** Words that translate each other should find each other."),
}
STATES: dict[State, str] = {  # the status of a run in one word
    "queued": N_("waiting"),
    "starting": N_("starting"),
    "running": N_("training"),
    "stopping": N_("stopping"),
    "stopped": N_("stopped"),
    "done": N_("done"),
    "failed": N_("failed"),
    "interrupted": N_("interrupted"),
}


def task_title(name: str) -> str:
    """A task in the list of exercises; its name in the library if it has no other."""
    return _(TITLES.get(name, name))


def look_for(name: str, attention: bool = True) -> str:
    """The alignment that training should find, and why."""
    if not attention:
        return _("This model has no attention: there is no alignment to watch, only one vector for the whole source.")
    return _(LOOK_FOR[name])


def begun_with(config: RunConfig) -> str:
    """The model that a run started from."""
    if not config.architecture:
        return config.began_with
    size = said_size(config.architecture, config.settings)
    return ", ".join(part for part in (architecture_title(config.architecture), size) if part)


def architecture_title(name: str) -> str:
    """A model from scratch in the list of starting points."""
    return _("From scratch: {architecture}").format(architecture=title(name))


def scored(config: RunConfig, score: float) -> str:
    """A score in bold words."""
    if config.exercise:
        return _("exact match on held-out pairs **{score}%**").format(score=f"{score:.0f}")
    return _("BLEU on held-out pairs **{score}**").format(score=f"{score:.1f}")


def status_sentence(run: Run, status: Status) -> str:
    """Why a run waits or ended, if that needs a sentence; Markdown."""
    if status.state == "queued":
        if run.job():
            return _("Ray has it: it starts on the first machine in the cluster with room for it.")
        if status.message:
            return ""  # the error says more
        ahead = before(run)
        if not ahead:
            return _("Waiting for the device: it starts in a moment.")
        return ngettext(
            "{count} run is ahead of this one on the same device.",
            "{count} runs are ahead of this one on the same device.",
            ahead,
        ).format(count=ahead)
    sentences: dict[State, str] = {
        "starting": _("A process of its own is starting; the first step comes in a few seconds."),
        "stopping": _("Stopping: it finishes its step and writes a checkpoint."),
        "stopped": _("Stopped, with a checkpoint: it can go on exactly where it was."),
        "interrupted": _("Its process is gone. The last checkpoint is intact: it can go on from there."),
    }
    return sentences.get(status.state, "")


def missed_goal(config: RunConfig, status: Status) -> str:
    """What to try after a run that ended below its exercise's goal; empty otherwise."""
    if config.task is None or status.state != "done" or status.score is None:
        return ""
    mark = 100 * config.task.goal
    if status.score >= mark:
        return ""
    return _(
        "It ended at {score}%, below the goal of {mark}%: the task was too hard for this model with these "
        "settings in this time. Try more steps, another rate, a larger or another model, or an easier task."
    ).format(score=f"{status.score:.0f}", mark=f"{mark:.0f}")


def halves(step: int) -> str:
    """The message when memory was too small for a batch."""
    return _(
        "The device's memory was too small for a whole batch: from step {step} on, each batch is processed in two "
        "halves and their gradients are added. Every update is as large as before; it takes a little longer."
    ).format(step=f"{step:,}")


def run_title(run: Run) -> str:
    """A run in the list of everyone's."""
    status = run.status()
    try:
        config = run.config()
    except NmtError:
        return _("damaged run {id}").format(id=run.id)
    task = task_title(config.exercise or PAIRS)
    if status.state == "done" and status.score is not None:
        text = _("{name} · {task} · {model} · {state} · score {score}")
    else:
        text = _("{name} · {task} · {model} · {state}")
    score = "" if status.score is None else f"{status.score:.0f}"
    name = run.name() or run.id
    return text.format(name=name, task=task, model=begun_with(config), state=_(STATES[status.state]), score=score)


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
