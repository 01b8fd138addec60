"""The progress of `train`: a progress bar in a terminal, lines elsewhere."""

import datetime
import signal
import sys
import threading
import time
import types
from collections.abc import Iterator

from tqdm import tqdm

from nmtcore.commands.shared import say
from nmtcore.training.events import Done, Event, Halved, Progress, Validation
from nmtcore.training.loop import follow
from nmtcore.training.parallel import rank

LINE_SECONDS = 30  # between lines of progress without a terminal
SAMPLES = 2  # translations shown at every validation


def show_progress(events: Iterator[Event], measure: str = "BLEU") -> bool:
    """Show events until the end; False if a signal asked to stop earlier. measure: the name of the score."""
    stopped: list[int] = []

    def stop(number: int, frame: types.FrameType | None) -> None:
        if not rank():  # the other processes end when the first one does
            stopped.append(number)

    main = threading.current_thread() is threading.main_thread()  # Ray Train uses another one, without signals
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM) if main}
    last = -float("inf")

    def show(event: Event) -> None:
        nonlocal last
        if isinstance(event, Progress):
            bar.total, bar.n = event.total, event.step
            bar.set_postfix_str(f"loss {event.loss:.3f}, {event.tokens_per_second:,.0f} tokens/s")
            now = time.monotonic()
            if bar.disable and now - last >= LINE_SECONDS:
                last = now
                left = datetime.timedelta(seconds=round(event.seconds_left)) if event.seconds_left is not None else "?"
                say(
                    f"step {event.step:,} of {event.total:,}, epoch {event.epoch:.2f}: loss {event.loss:.3f}, "
                    f"rate {event.learning_rate:.2e}, {event.tokens_per_second:,.0f} tokens/s, {left} left"
                )
        elif isinstance(event, Validation):
            score = "" if event.bleu is None else f", {measure} {event.bleu:.1f}"
            better = ", kept" if event.better else ""
            say(f"step {event.step:,}, epoch {event.epoch:.2f}: validation loss {event.loss:.4f}{score}{better}")
            for sample in event.samples[:SAMPLES]:
                source, output, _ = sample.split("\t")
                say(f"  {source} -> {output}")
        elif isinstance(event, Done):
            say(
                f"Done after {event.step:,} steps and {event.seconds:,.0f} s. "
                f"Validation loss {event.best_loss:.4f} at step {event.best_step:,}, whose weights are kept."
            )
        elif isinstance(event, Halved):
            say(
                f"step {event.step:,}: the memory was too small for a whole batch. From now on each is processed in "
                "two halves whose gradients are added: every update is as large as before."
            )

    try:
        with tqdm(unit="step", disable=not sys.stderr.isatty() or bool(rank()), dynamic_ncols=True) as bar:
            return follow(events, show, lambda: bool(stopped))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
