"""Runs side by side: only settings that differ and have an effect, and the time left, also of runs that wait."""

from typing import Any

import pytest

from nmtcore.runs.comparison import differing_settings, share_and_time_left
from nmtcore.runs.config import Status
from tests.runs.helpers import TINY, config


def test_only_what_differs_is_listed_and_defaults_count() -> None:
    one = config(training={"learning_rate": 0.01})
    other = config(training={"optimiser": "momentum", "seed": 4}, settings={**TINY, "units": 12, "cell": "gru"})
    found = dict(differing_settings([one, other, one]))
    assert found == {
        "optimiser": ("adamw", "momentum", "adamw"),
        "learning_rate": (0.01, 0.001, 0.01),
        "momentum": (None, 0.9, None),
        "seed": (1, 4, 1),
        "units": (8, 12, 8),
    }
    assert differing_settings([one, one]) == [] == differing_settings([one])


def test_what_has_no_effect_is_left_out_and_another_model_lacks_settings() -> None:
    one = config(training={"init_std": 0.5, "validate_every": 7})
    assert differing_settings([one, config()]) == []
    window = config(settings={**TINY, "window": 3})  # for local attention, which it does not have
    assert differing_settings([window, config()]) == []
    local = config(settings={**TINY, "window": 3, "locality": "monotonic"})
    assert dict(differing_settings([window, local])) == {"locality": ("global", "monotonic"), "window": (None, 3)}
    transformer = config(architecture="transformer", settings={"width": 16, "heads": 2, "dropout": 0.2})
    found = dict(differing_settings([one, transformer]))
    assert found["architecture"] == ("dot", "transformer")
    assert found["units"] == (8, None) and found["width"] == (None, 16)
    assert "dropout" not in found and "encoder_layers" in found


def progress(step: int, seconds: float) -> list[dict[str, object]]:
    return [
        {"event": "progress", "step": 1, "seconds": 3.0},
        {"event": "progress", "step": step, "seconds": seconds},
        {"event": "validation", "step": step},
    ]


DONE, WORKS, WAITS = Status("done", step=200), Status("running", step=50, seconds_left=7.0), Status("queued")
FAILED, BEGUN = Status("failed", step=3), [{"event": "begun", "step": 0}]


@pytest.mark.parametrize(
    ("runs", "share", "seconds"),
    [
        # A waiting run takes as long for a step as the slowest.
        (
            [(DONE, 200, progress(200, 40.0)), (WORKS, 100, progress(50, 5.0)), (WAITS, 300, [])],
            250 / 600,
            7 + 300 * 0.2,
        ),
        # One that does not know its time yet is counted on from its steps.
        ([(Status("running", step=5), 100, progress(5, 2.0))], 0.05, 95 * 0.4),
        ([(Status("starting"), 100, []), (WAITS, 50, BEGUN)], 0, None),
        ([(FAILED, 100, progress(3, 9.0)), (Status("stopped"), 20, [])], 1.0, 0.0),  # ended early: nothing is left
    ],
)
def test_the_share_of_all_steps_and_the_time_left(runs: Any, share: float, seconds: float | None) -> None:
    assert share_and_time_left(runs) == (pytest.approx(share), seconds if seconds is None else pytest.approx(seconds))
