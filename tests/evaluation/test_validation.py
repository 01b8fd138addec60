"""The score of validation sentences: all references count, an exercise by its right answers; outputs are short."""

from collections.abc import Sequence

import pytest

from nmtcore.config import DecodingConfig
from nmtcore.decoding.batched import Translations
from nmtcore.evaluation import validation
from nmtcore.evaluation.references import Item
from nmtcore.evaluation.validation import Scorer
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.source import SourceText
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.exercises import EXERCISES
from tests.helpers import small


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[DecodingConfig]:
    """A stand-in: for any source, the output is its first letter and `b c d`; records the settings used."""
    found: list[DecodingConfig] = []

    def translate(model: Checkpoint, sources: Sequence[SourceText], decoding: DecodingConfig) -> Translations:
        found.append(decoding)
        return Translations([f"{source.text[0]} b c d" for source in sources], [], 0, 0.0)

    monkeypatch.setattr(validation, "translate_all", translate)
    return found


def test_bleu_counts_every_reference_and_samples_are_few(vocab: Vocab, asked: list[DecodingConfig]) -> None:
    items = [Item("a", ("x y z w", "a b c d")), *(Item(letter, (f"{letter} b c d",)) for letter in "efghi")]
    score, samples = Scorer(items, vocab, "en")(small("dot", vocab).model)
    assert score == 100 and len(samples) == 5 and samples[0] == "a\ta b c d\tx y z w"
    longest = max(len(vocab.encode(text)) for item in items for text in item.references)
    assert asked == [DecodingConfig(max_length=2 * longest + 5)]
    assert Scorer([Item("a", ("u v w x y",))], vocab, "en")(small("dot", vocab).model)[0] < 5


@pytest.mark.usefixtures("asked")
def test_an_exercise_is_scored_by_exact_match(vocab: Vocab) -> None:
    items = [Item(source, (source,)) for source in ("a b c d", "e b c d", "a b c", "d c b a")]
    score, _ = Scorer(items, vocab, task=EXERCISES["copy"])(small("dot", vocab).model)
    assert score == 50
