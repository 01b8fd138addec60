"""What the pictures say: every message that a script uses is there."""

import re

import pytest

from nmtcore.messages import Messages
from nmtcore.views.alignment.messages import MESSAGES as ALIGNMENT
from nmtcore.views.beam_tree.messages import MESSAGES as BEAM_TREE
from nmtcore.views.bundle import script_of
from nmtcore.views.context_vector.messages import MESSAGES as CONTEXT_VECTOR
from nmtcore.views.embeddings.messages import MESSAGES as EMBEDDINGS
from nmtcore.views.gates_by_layer.messages import MESSAGES as GATES_BY_LAYER
from nmtcore.views.heads.data import MESSAGES as HEADS
from nmtcore.views.mask_predict.messages import MESSAGES as MASK_PREDICT
from nmtcore.views.masks.messages import MESSAGES as MASKS
from nmtcore.views.nearest.messages import MESSAGES as NEAREST
from nmtcore.views.residual_stream.messages import MESSAGES as RESIDUAL_STREAM
from nmtcore.views.rotation.messages import MESSAGES as ROTATION
from nmtcore.views.walkthrough.messages import MESSAGES as WALKTHROUGH

MESSAGES = {
    "alignment": ALIGNMENT,
    "heads": HEADS,
    "beam_tree": BEAM_TREE,
    "context_vector": CONTEXT_VECTOR,
    "gates_by_layer": GATES_BY_LAYER,
    "rotation": ROTATION,
    "mask_predict": MASK_PREDICT,
    "masks": MASKS,
    "nearest": NEAREST,
    "embeddings": EMBEDDINGS,
    "residual_stream": RESIDUAL_STREAM,
}


@pytest.mark.parametrize("view", MESSAGES)
def test_every_message_that_the_script_uses_is_there(view: str) -> None:
    script, known = script_of(view), MESSAGES[view]
    used = set(re.findall(r"(?<!=)\bwords\.(\w+)", script))  # not in pick-view=words.hide
    families = set(re.findall(r"words\[`(\w+)\$\{", script))  # such as words[`pane_${name}`]
    assert used <= set(known) and used
    assert all(any(name.startswith(family) for name in known) for family in families)


def test_the_walkthrough_gets_the_rest_from_its_page() -> None:
    script = script_of("walkthrough")
    used = set(re.findall(r"data\.words\.(\w+)", script))
    assert used - {"says", "legend", "lab"} <= set(WALKTHROUGH)
    steps: Messages = {name: WALKTHROUGH[name] for name in ("heads", "names")}
    assert [len(parts) for parts in steps.values()] == [6, 6]
