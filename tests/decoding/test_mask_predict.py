"""Mask-predict: its schedule against a slow one, ten pairs learned, the record, many sentences, forced decoding."""

import json

import pytest
import torch

from nmtcore.config import DecodingConfig, MaskPredictConfig, MaskPredictDecoding
from nmtcore.decoding import batched, decode, mask_predict
from nmtcore.errors import CheckpointError, TextError
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.mask_predict import MaskPredict
from nmtcore.models.padded import pad
from nmtcore.text.vocabulary import EOS, PAD, SOS, Vocab
from nmtcore.training.batches import fixed_batches
from nmtcore.training.corpus import Pair
from nmtcore.training.loss import batch_loss
from tests.helpers import random_model, small, translate

V = 23
SOURCES = [[5, 9, 9, 4, 17, EOS], [6, EOS], [7, 8, 11, EOS]]
WORDS = {"red": "rouge", "big": "grand", "cat": "chat", "dog": "chien", "sees": "voit", "hears": "entend"}
TEN = [  # translated from the last word to the first
    Pair(" ".join(words[:length]), " ".join(WORDS[word] for word in reversed(words[:length])))
    for words in (list(WORDS), list(WORDS)[::-1])
    for length in range(2, 7)
]


def slow(model: MaskPredict, source: list[int], length: int, rounds: int) -> list[list[tuple[int, float, bool]]]:
    """The algorithm of the paper, word by word and round by round."""
    words: list[tuple[int, float]] = [(model.mask_id, 0.0)] * length
    found = []
    for t in range(rounds):
        count = length if t == 0 else int(length * (rounds - t) / rounds + 1e-9)
        if count == 0:
            break
        worst = sorted(range(length), key=lambda i: (words[i][1], i))[:count]
        seen = [model.mask_id if i in worst else words[i][0] for i in range(length)]
        log_p = model(pad([source]), pad([seen]))[0].log_softmax(-1)
        for i in worst:
            best = max((w for w in range(V) if w not in (PAD, SOS, EOS)), key=lambda w: float(log_p[i, w]))
            words[i] = (best, float(log_p[i, best]))
        found.append([(*word, i in worst) for i, word in enumerate(words)])
    return found


@pytest.mark.parametrize("rounds", [1, 2, 5, 7, 12])
@torch.no_grad()
def test_the_rounds_are_those_of_the_slow_algorithm(rounds: int) -> None:
    """Several lengths of several sentences in one batch; the slow one does one at a time."""
    model, lengths = random_model(MaskPredictConfig(V, 12, 20, 3, 1, 2, 30), spread=2), [[7, 3], [1, 4], [5, 11]]
    found = mask_predict.write_rounds(model, model.encode(pad(SOURCES)), torch.tensor(lengths), rounds)
    assert len(found) <= rounds
    for row, (source, length) in enumerate((s, n) for s, both in zip(SOURCES, lengths, strict=True) for n in both):
        expected = slow(model, source, length, rounds)
        for t, one in enumerate(expected):
            assert one == [
                (int(found[t].ids[row, i]), pytest.approx(float(found[t].log_probabilities[row, i]), abs=1e-4),
                 bool(found[t].written[row, i]))
                for i in range(length)
            ]  # fmt: skip
        assert not any(later.written[row].any() for later in found[len(expected) :])
        assert not found[0].written[row, length:].any()


def test_how_many_words_are_masked() -> None:
    assert [mask_predict.masked_after(6, 4, t) for t in range(4)] == [6, 4, 3, 1]
    assert [mask_predict.masked_after(5, 5, t) for t in range(5)] == [5, 4, 3, 2, 1]  # one word per round stays
    assert [mask_predict.masked_after(2, 10, t) for t in range(10)] == [2, 1, 1, 1, 1, 1, 0, 0, 0, 0]


def test_the_likeliest_lengths_are_within_the_limit_of_a_search() -> None:
    logits = torch.zeros(2, 40)
    logits[:, 35], logits[:, 22], logits[0, 4] = 9.0, 5.0, 4.0  # the lengths 36, 23 and 5
    lengths, likelihoods = mask_predict.likeliest_lengths(logits, torch.tensor([2, 9]), 2)
    assert lengths.tolist() == [[23, 5], [36, 23]]  # 2 S + 20 is 24 and 38
    assert likelihoods[1, 0] == logits[1].log_softmax(0)[35]
    assert mask_predict.likeliest_lengths(logits[:, :3], torch.tensor([1, 1]), 5)[0].shape == (2, 3)


@pytest.fixture(scope="module")
def learnt() -> Checkpoint:
    """A model that has memorised ten pairs."""
    vocab = Vocab.train([f"{word} {word}," for both in WORDS.items() for word in both] * 9, 60)  # words are pieces
    model = random_model(MaskPredictConfig(len(vocab), 48, 96, 2, 1, 1, longest=40, dropout=0.0), 5)
    optimiser = torch.optim.AdamW(model.parameters(), 4e-3)
    batch = fixed_batches(vocab, TEN * 4, 2000)[0]  # each with four masks per update
    for _ in range(150):
        optimiser.zero_grad()
        batch_loss(model, batch, 0.0).backward()
        optimiser.step()
    return Checkpoint(model.eval(), vocab, "ten", {})


def test_ten_pairs_that_it_has_learnt_one_word_a_round(learnt: Checkpoint) -> None:
    assert len(set(TEN)) == 10 and len(learnt.vocab.encode(TEN[4].target)) == 6
    for source, target in TEN:
        length = len(learnt.vocab.encode(target))
        record = mask_predict.translate(learnt, learnt.read(source), MaskPredictDecoding(rounds=length, lengths=1))
        assert (record.text, len(record.target)) == (target, length)
        written = [sum(place.written for place in one) for one in record.rounds]
        assert written == list(range(length, 0, -1))  # in each round one more word stays


def test_a_record_says_what_became_of_every_length(learnt: Checkpoint) -> None:
    source, target = TEN[3]
    record = mask_predict.translate(learnt, learnt.read(source), MaskPredictDecoding(rounds=3, lengths=4))
    assert record.text == record.lengths[0].text and target in [tried.text for tried in record.lengths]
    assert len(record.lengths) == 4 and record.lengths[0].length == len(record.target)
    assert [tried.mean for tried in record.lengths] == sorted((t.mean for t in record.lengths), reverse=True)
    mean = sum(place.log_probability for place in record.rounds[-1]) / len(record.target)
    assert record.lengths[0].mean == pytest.approx(mean, abs=1e-5)
    assert all(place.written for place in record.rounds[0]) and len(record.rounds) == 3
    for before, after in zip(record.rounds, record.rounds[1:], strict=False):
        kept = [(a, b) for a, b in zip(before, after, strict=True) if not b.written]
        assert kept and all((a.id, a.log_probability) == (b.id, b.log_probability) for a, b in kept)
    cross = record.attention
    assert (cross.queries, cross.keys) == (record.target, record.source) and record.source[-1] == "<eos>"
    data = json.loads(record.dumps())
    assert [len(one) for one in data["rounds"]] == [len(record.target)] * 3 and data["text"] == record.text


def test_many_sentences_are_translated_as_each_alone(vocab: Vocab) -> None:
    made, decoding = small("mask-predict", vocab), MaskPredictDecoding(3, 4)
    texts = ["the small cat", "a big dog does not like the old cat .", "red"]
    alone = [mask_predict.translate(made, made.read(text), decoding).text for text in texts]
    assert mask_predict.translate_ids(made, made.vocab.encode_all(texts), decoding) == alone
    sources = [*map(made.read, texts)]
    assert batched.translate_all(made, sources, decoding).texts == alone
    plain = [mask_predict.translate(made, made.read(text)).text for text in texts]
    assert batched.translate_all(made, sources, DecodingConfig(beam=5)).texts == plain


def test_forced_decoding_knows_no_word(learnt: Checkpoint) -> None:
    source, target = TEN[1]
    trace = decode.force(learnt, source, target)
    ids = learnt.vocab.encode(target)
    assert (trace.ids, trace.text) == (tuple(ids), target)
    masked = torch.full((1, len(ids)), len(learnt.vocab))
    log_p = learnt.model(pad([[*learnt.vocab.encode(source), EOS]]), pad(masked.tolist()))[0].detach().log_softmax(-1)
    expected = [float(row[token]) for row, token in zip(log_p, ids, strict=True)]
    assert [step.log_probability for step in trace.steps] == pytest.approx(expected, abs=1e-4)
    cross = trace.attention_of("cross")
    assert cross is not None and (cross.queries, cross.keys) == (trace.target, trace.source)
    assert trace.from_json(trace.to_json()).target == trace.target  # it can be saved to a file


def test_what_cannot_be_decoded_is_refused(vocab: Vocab) -> None:
    made, other = small("mask-predict", vocab), small("dot", vocab)
    with pytest.raises(CheckpointError, match="Choose a model that writes word by word"):
        translate(made, "the cat")
    with pytest.raises(CheckpointError, match="choose a model that writes all words at once"):
        mask_predict.translate(other, other.read("the cat"))
    with pytest.raises(CheckpointError, match="choose a model that writes all words at once"):
        batched.translate_all(other, [other.read("the cat")], MaskPredictDecoding())
    with pytest.raises(TextError, match="Shorten"):
        mask_predict.translate(made, made.read("cat " * 600))
