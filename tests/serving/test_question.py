"""A model that is ready to answer: laid out for decoding, with what is done once behind it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nmtcore.models import checkpoint
from nmtcore.models.padded import Padded
from nmtcore.models.seq2seq import Memory, Seq2Seq
from nmtcore.serving.question import Model, load_model
from nmtcore.text.vocabulary import Vocab
from tests.helpers import small


@pytest.mark.parametrize("architecture", ["additive", "all-at-once"])
def test_a_model_has_decoded_once_before_it_is_asked(
    tmp_path: Path, vocab: Vocab, architecture: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = small(architecture, vocab)
    checkpoint.save(tmp_path, made.model, vocab, made.meta)
    read, encode = [], type(made.model).encode

    def reading(self: Seq2Seq, source: Padded, *rest: Any) -> Memory:
        read.append(len(source.ids))
        return encode(self, source, *rest)

    monkeypatch.setattr(type(made.model), "encode", reading)
    load_model(Model(str(tmp_path)))
    assert read == [1]
