"""The model that writes all words at once: no future mask, padding and batch-mates, its length, its loss."""

import pytest
import torch
from torch.nn import functional as F

from nmtcore.config import MaskPredictConfig, MaskPredictDecoding, is_autoregressive
from nmtcore.errors import CheckpointError, InterventionError, SettingError, TextError
from nmtcore.intervention import Intervention
from nmtcore.models.mask_predict import MaskPredict
from nmtcore.models.padded import Padded, pad
from nmtcore.text.vocabulary import EOS, SOS
from nmtcore.training.batches import Batch
from nmtcore.training.loss import batch_loss, mask_at_random
from tests.helpers import random_model
from tests.models.configurations import SENTENCES, V, mask_predict

WORDS = [[12, V, 5, 20, V, 8, 8], [V, 4], [V, V, 7]]  # V is a masked word


@pytest.fixture
def model() -> MaskPredict:
    found: MaskPredict = random_model(mask_predict())
    return found


@torch.no_grad()
def test_padding_and_batch_mates_change_nothing(model: MaskPredict) -> None:
    together, lengths = model(pad(SENTENCES), pad(WORDS)), model.encode(pad(SENTENCES)).inner["length"][0]
    assert together.shape == (3, 7, V) and lengths.shape == (3, 30)
    for i, (source, words) in enumerate(zip(SENTENCES, WORDS, strict=True)):
        assert torch.allclose(model(pad([source]), pad([words]))[0], together[i, : len(words)], atol=1e-5)
        assert torch.allclose(model.encode(pad([source])).inner["length"][0][0], lengths[i], atol=1e-5)


@torch.no_grad()
def test_every_word_sees_those_before_and_after_it_and_no_padding(model: MaskPredict) -> None:
    plain = model(pad(SENTENCES[:1]), pad(WORDS[:1]))[0]
    for changed in (0, 6):  # the first and the last word
        words = [19 if i == changed else word for i, word in enumerate(WORDS[0])]
        found = model(pad(SENTENCES[:1]), pad([words]))[0]
        assert all(not torch.allclose(a, b, atol=1e-4) for a, b in zip(plain, found, strict=True))
    source = pad(SENTENCES)
    for weights in model.decode(pad(WORDS), model.encode(source)).attention:  # (B, H, T, S)
        assert weights.shape == (3, 3, 7, 6)
        assert torch.allclose(weights.sum(-1), torch.ones(3, 3, 7), atol=1e-5)
        assert not weights[~source.mask[:, None, None].expand_as(weights)].any()


@torch.no_grad()
def test_a_masked_word_has_an_embedding_of_its_own(model: MaskPredict) -> None:
    """With the same embedding, a word and <mask> would be the same."""
    model.mask.copy_(model.embed.weight[9])
    known = [[9 if word == V else word for word in words] for words in WORDS]
    assert torch.equal(model(pad(SENTENCES), pad(WORDS)), model(pad(SENTENCES), pad(known)))


def test_what_needs_a_model_that_writes_word_by_word_is_refused(model: MaskPredict) -> None:
    memory = model.encode(pad(SENTENCES))
    with pytest.raises(CheckpointError, match="Choose a model that writes word by word"):
        model.start(memory)
    with pytest.raises(InterventionError, match="cannot be changed"):
        model.encode(pad(SENTENCES), Intervention(positions="dropped"))
    with pytest.raises(TextError, match="shorten"):
        model.encode(pad([[5] * 1030]))
    assert not is_autoregressive("mask-predict") and is_autoregressive("transformer")


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"width": 10, "heads": 4}, "multiple of twice"), ({"longest": 1}, "longest"), ({"decoder_layers": 0}, "layers")],
)
def test_bad_sizes_are_refused(settings: dict[str, int], words: str) -> None:
    with pytest.raises(SettingError, match=words):
        MaskPredictConfig(V, **settings)


@pytest.mark.parametrize(("rounds", "lengths"), [(0, 5), (201, 5), (3, 0), (3, 21), (True, 5), (2.5, 5)])
def test_bad_rounds_and_lengths_are_refused(rounds: int, lengths: int) -> None:
    with pytest.raises(SettingError, match="must be"):
        MaskPredictDecoding(rounds, lengths)


def test_the_number_of_masked_words_is_uniform_and_their_places_random() -> None:
    words = Padded.of(torch.full((6000, 5), 7), torch.full((6000,), 3))
    masked = mask_at_random(words, torch.Generator().manual_seed(5))
    assert not masked[:, 3:].any()
    counts = masked.sum(1).bincount(minlength=4)
    assert counts[0] == 0 and all(abs(count - 2000) < 150 for count in counts[1:].tolist())
    assert all(abs(share - 2 / 3) < 0.03 for share in masked[:, :3].float().mean(0).tolist())
    assert torch.equal(masked, mask_at_random(words, torch.Generator().manual_seed(5)))


def test_the_loss_is_that_of_the_masked_words_and_of_the_length(model: MaskPredict) -> None:
    targets = [[12, 12, 5, 20, 6, 8], [4], [5, 6]]
    labels = torch.tensor([word for target in targets for word in (*target, EOS)])
    batch = Batch(pad(SENTENCES), pad([[SOS, *target] for target in targets]), labels)
    with torch.no_grad():
        found = float(batch_loss(model, batch, 0.0))
        words = pad(targets)
        masked = mask_at_random(words, torch.Generator().manual_seed(1))
        assert 3 <= masked.sum() <= words.mask.sum()
        total = 0.0
        for i, target in enumerate(targets):
            seen = [V if masked[i, j] else word for j, word in enumerate(target)]
            logits = model(pad(SENTENCES[i : i + 1]), pad([seen]))[0]
            total += sum(
                float(F.cross_entropy(logits[j], torch.tensor(w))) for j, w in enumerate(target) if masked[i, j]
            )
            length = model.encode(pad(SENTENCES[i : i + 1])).inner["length"][0]
            total += float(F.cross_entropy(length, torch.tensor([len(target) - 1])))
        assert found == pytest.approx(total / int(masked.sum()), abs=1e-4)
        assert float(batch_loss(model, batch, 0.0)) == found  # the same masks at every validation
    model.train()
    batch_loss(model, batch, 0.1).backward()
    assert not [name for name, parameter in model.named_parameters() if parameter.grad is None]
