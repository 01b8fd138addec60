"""The diff of runs' settings: only what differs, with the defaults of the model, without what has no effect."""

from nmtcore.runs.differences import differing_settings
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
