"""Count the costs of the shipped models and of the papers' larger ones, after a model or its code has changed.

The command is `python -m nmtcore.analysis.count_shipped`.
"""

import json

from nmtcore.analysis.costs import COUNTED, differences, stacked_operations
from nmtcore.analysis.larger_models import LARGER
from nmtcore.files import atomic_write
from nmtcore.models import checkpoint
from nmtcore.places import model_names, pretrained_folder


def main() -> None:
    """Count every shipped model and the larger ones, of these shallow versions for extrapolation: a line per model."""
    atomic_write(COUNTED, b"{}")
    for name in model_names(pretrained_folder()):
        differences(checkpoint.read_config(pretrained_folder() / name)[0])
    for larger in LARGER:
        stacked_operations(larger.config, 1, 1)
    counted = {
        repr(config): None if found is None else found.tolist() for (config,), found in differences.cache.items()
    }
    lines = ",\n".join(f"{json.dumps(config)}: {json.dumps(found)}" for config, found in counted.items())
    atomic_write(COUNTED, f"{{\n{lines}\n}}\n".encode())


if __name__ == "__main__":
    main()
