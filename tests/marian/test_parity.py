"""An imported model agrees with transformers: logits, translations, each head's attention."""

from typing import Any

import pytest
import torch

from nmtcore.config import DecodingConfig
from nmtcore.decoding import decode
from nmtcore.marian import hugging_face
from nmtcore.marian.importing import import_model
from nmtcore.marian.vocabulary import Rows
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.models.padded import pad
from nmtcore.text.vocabulary import EOS, SOS
from tests.helpers import translate
from tests.marian import foreign

SIX: dict[str, dict[str, Any]] = {
    "one-table": {},
    "six-layers": {
        "encoder_layers": 6,
        "decoder_layers": 6,
        "encoder_attention_heads": 8,
        "decoder_attention_heads": 8,
    },
    "own-output": {"tie_word_embeddings": False, "encoder_layers": 3, "activation_function": "relu"},
    "two-vocabularies": {"apart": True, "encoder_attention_heads": 16, "decoder_attention_heads": 16},
    "unscaled": {"scale_embedding": False, "encoder_layers": 2, "decoder_layers": 1},
    "all-apart": {"apart": True, "tie_word_embeddings": False, "decoder_layers": 4},
}
TEXT, TRUTH = "the old dog sees a small red house .", "le chat voit un petit chien ."


@pytest.fixture(scope="module", params=SIX)
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Checkpoint, Rows]:
    """A model in transformers, ours, and which of its rows ours come from."""
    folder = tmp_path_factory.mktemp("marian")
    theirs = foreign.hugging_face(folder / "theirs", **SIX[request.param])
    import_model(str(folder / "theirs"), folder / "en-fr" / "ours")
    rows = hugging_face.foreign_model(folder / "theirs").rows
    return theirs, checkpoint.load(folder / "en-fr" / "ours"), rows


def their_ids(ours: list[int] | tuple[int, ...], rows: tuple[int | None, ...]) -> torch.Tensor:
    return torch.tensor([[rows[i] for i in ours]])


def test_logits_and_attention(both: tuple[Any, Checkpoint, Rows]) -> None:
    theirs, ours, rows = both
    source, target = [*ours.vocab.encode(TEXT), EOS], ours.vocab.target.encode(TRUTH)
    inputs = [SOS, *target]
    with torch.no_grad():
        their = theirs(
            input_ids=their_ids(source, rows.source),
            decoder_input_ids=their_ids(inputs, rows.target),
            output_attentions=True,
        )
        logits = ours.model(pad([source]), pad([inputs]))[0]
    known = [i for i, row in enumerate(rows.target) if row is not None]
    assert len(known) == their.logits.size(-1)
    expected = their.logits[0][:, [row for row in rows.target if row is not None]]
    torch.testing.assert_close(logits[:, known], expected, atol=1e-4, rtol=0)
    assert logits[:, [i for i in range(len(rows.target)) if i not in known]].max() < -9000
    trace = decode.force(ours, TEXT, TRUTH)
    attention = {
        "encoder": their.encoder_attentions,
        "decoder": their.decoder_attentions,
        "cross": their.cross_attentions,
    }
    for kind, layers in attention.items():
        found = trace.attention_of(kind)  # type: ignore[arg-type]
        assert found is not None and len(found.weights) == len(layers)
        for mine, layer in zip(found.weights, layers, strict=True):
            torch.testing.assert_close(torch.tensor(mine), layer[0], atol=1e-5, rtol=0)


@pytest.mark.parametrize("beam", [1, 5])
def test_translations(both: tuple[Any, Checkpoint, Rows], beam: int) -> None:
    theirs, ours, rows = both
    fast = Checkpoint(accelerate(ours.model), ours.vocab, ours.name, ours.meta)
    ends = 0
    for text in (TEXT, "a cat", "the house does not see the big old red dog ."):
        ids = [*ours.vocab.encode(text), EOS]
        with torch.no_grad():
            written = theirs.generate(
                their_ids(ids, rows.source),
                num_beams=beam,
                max_new_tokens=12,
                do_sample=False,
                length_penalty=0.0,
                early_stopping=True,
                bad_words_ids=[[theirs.config.pad_token_id]],
            )[0, 1:].tolist()
        trace = translate(fast, text, DecodingConfig(beam, alpha=0.0, max_length=12))
        assert [rows.target[i] for i in trace.ids] == written
        ends += trace.ids[-1] == EOS
    assert ends or beam > 1  # translations that all run to the limit would compare less


def test_every_piece_keeps_its_row(both: tuple[Any, Checkpoint, Rows]) -> None:
    theirs, ours, rows = both
    table = theirs.get_input_embeddings().weight
    for text in ("the small cat", "un"):
        for i in ours.vocab.encode(text):
            assert torch.equal(ours.model.embed.weight[i], table[rows.source[i]])  # type: ignore[union-attr, operator]
