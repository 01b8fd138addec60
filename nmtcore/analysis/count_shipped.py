"""Count the costs of the shipped models and of the papers' larger ones, after a model or its code has changed.

The command is `python -m nmtcore.analysis.count_shipped`.
"""

from nmtcore.analysis import costs
from nmtcore.analysis.counted import Counted, keep
from nmtcore.analysis.larger_models import LARGER
from nmtcore.models import checkpoint
from nmtcore.places import model_names, pretrained_folder


def count_all() -> dict[str, Counted]:
    """Count every shipped model and the larger ones; of the latter, shallow versions for extrapolation."""
    keep({})
    for name in model_names(pretrained_folder()):
        costs.operations(checkpoint.read_config(pretrained_folder() / name)[0], 1, 1)
    for larger in LARGER:
        costs.stacked_operations(larger.config, 1, 1)
    return {repr(config): costs.to_keep(config) for config in costs.counted_so_far()}


if __name__ == "__main__":
    keep(count_all())
