"""Batched decoding."""

import pytest

from nmtcore.decoding import batched
from nmtcore.decoding.batched import translate_all
from nmtcore.models.checkpoint import Checkpoint
from tests.evaluation.items import ITEMS, SHORT
from tests.helpers import translate


def test_batches_change_nothing_but_the_speed(small_checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [item.source for item in ITEMS] * 2
    done: list[int] = []
    together = translate_all(small_checkpoint, [*map(small_checkpoint.read, sources)], SHORT, done.append)
    assert together.texts == [translate(small_checkpoint, source, SHORT).text for source in sources]
    assert sum(done) == 6 and len(done) == 1
    monkeypatch.setattr(batched, "ROWS", 1)
    done.clear()
    assert (
        translate_all(small_checkpoint, [*map(small_checkpoint.read, sources)], SHORT, done.append).texts
        == together.texts
    )
    assert done == [1] * 6
    assert translate_all(small_checkpoint, [], SHORT).texts == []
