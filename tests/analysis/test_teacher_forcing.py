"""Teacher forcing: checked against `forward`, one piece at a time, and against what search found."""

import pytest
import torch

from nmtcore.analysis.teacher_forcing import ForcedPiece, TeacherForcing, force_truth, verdict
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import BeamNode, Fate, Trace
from nmtcore.errors import TextError
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.models.padded import pad
from nmtcore.text.vocabulary import EOS, PAD, SOS, Vocab
from tests.helpers import rounding, trace_of, translate

SOURCE, TRUTH = "the small cat sees a red house .", "le petit chat voit un chien ."


def test_forced_scores_are_those_of_forward(small_checkpoint: Checkpoint) -> None:
    model, vocab = small_checkpoint.model, small_checkpoint.vocab
    found = force_truth(small_checkpoint, small_checkpoint.read(SOURCE), small_checkpoint.read_target(TRUTH))
    ids = vocab.encode(TRUTH)
    assert [piece.id for piece in found.pieces] == [*ids, EOS]
    assert [piece.token for piece in found.pieces] == [*vocab.pieces(TRUTH), "<eos>"]
    source = pad([[*vocab.encode(SOURCE), EOS]])
    for step, piece in enumerate(found.pieces):
        with torch.no_grad():
            logits = model(source, pad([[SOS, *ids[:step]]]))[0, -1]
        likelihoods = logits.log_softmax(-1)
        exact = rounding(model, likelihoods.abs().max().item())
        assert piece.log_probability == pytest.approx(likelihoods[piece.id].item(), abs=exact)
        order = [i for i in likelihoods.argsort(descending=True).tolist() if i not in (PAD, SOS)]
        assert order.index(piece.id) + 1 == piece.rank
        assert vocab.token(order[0]) == piece.favourite
        assert piece.favourite_log_probability == pytest.approx(likelihoods[order[0]].item(), abs=exact)
    whole = sum(piece.log_probability for piece in found.pieces)
    assert found.log_probability == pytest.approx(whole)
    assert found.score(0.0, 0.0) == pytest.approx(whole)
    assert found.score(0.7, 0.0) == pytest.approx(whole / ((5 + len(ids) + 1) / 6) ** 0.7)


def test_the_fast_copy_gives_the_same_scores(small_checkpoint: Checkpoint) -> None:
    fast = Checkpoint(
        accelerate(small_checkpoint.model), small_checkpoint.vocab, small_checkpoint.name, small_checkpoint.meta
    )
    slow, quick = (force_truth(one, one.read(SOURCE), one.read_target(TRUTH)) for one in (small_checkpoint, fast))
    assert quick.score(0.6, 0.4) == pytest.approx(slow.score(0.6, 0.4), abs=1e-3)
    assert [piece.rank for piece in quick.pieces] == [piece.rank for piece in slow.pieces]


def test_the_models_own_words_part_first_where_greedy_does(small_checkpoint: Checkpoint) -> None:
    found = force_truth(small_checkpoint, small_checkpoint.read(SOURCE), small_checkpoint.read_target(TRUTH))
    greedy = translate(small_checkpoint, SOURCE, DecodingConfig(1))
    same = 0
    for own, piece in zip(greedy.ids, found.pieces, strict=False):
        if own != piece.id:
            break
        same += 1
    assert found.first_difference == same + 1
    assert found.pieces[same].favourite == small_checkpoint.vocab.token(greedy.ids[same])


def found_by_search(vocab: Vocab, *words: str, last: float, end: str = "<eos>") -> Trace:
    """A search that finished with `words`, each of log-probability -0.5, `<eos>` of `last`; coverage -2."""
    ids = [i for word in words for i in vocab.encode(word)]
    if end:
        ids.append(EOS)
    nodes = [BeamNode(0, -1, 0, "<sos>", SOS, 0.0, 0.0, 0.0, 1, "root")]
    for step, token in enumerate(ids, 1):
        p = last if step == len(ids) else -0.5
        fate: Fate = "kept" if step < len(ids) else "winner"
        nodes.append(BeamNode(step, step - 1, step, vocab.token(token), token, p, nodes[-1].total + p, -2.0, 1, fate))
    return trace_of([(node.token, node.log_probability) for node in nodes[1:]], beam=tuple(nodes))


def typed(vocab: Vocab, text: str, each: float, coverage: float = 0.0) -> TeacherForcing:
    pieces = [ForcedPiece(vocab.token(i), i, each, 2, "x", -0.1) for i in (*vocab.encode(text), EOS)]
    return TeacherForcing(text, tuple(pieces), coverage)


def test_a_higher_score_than_what_search_found_is_a_search_error(vocab: Vocab) -> None:
    text = "le petit chat"
    found = found_by_search(vocab, "un chien", last=-3.0)
    end = found.ranked(0.0, 0.0)[0]
    length = len(vocab.encode(text)) + 1
    better, worse = (end.total + gap for gap in (0.5, -0.5))
    assert verdict(typed(vocab, text, better / length), found, vocab, 0.0, 0.0) == "search_error"
    assert verdict(typed(vocab, text, worse / length), found, vocab, 0.0, 0.0) == "model_error"
    assert verdict(typed(vocab, text, end.total / length), found, vocab, 0.0, 0.0) == "model_error", "equal"
    assert verdict(typed(vocab, text, worse / length), found, vocab, 0.0, 1.0) == "search_error", "beta decides"


def test_the_length_penalty_decides_as_it_does_in_search(vocab: Vocab) -> None:
    found = found_by_search(vocab, "un", last=-3.0)
    end = found.ranked(0.0, 0.0)[0]
    text = "le petit chat voit une maison rouge"
    longer = typed(vocab, text, (end.total - 0.2) / (len(vocab.encode(text)) + 1))
    assert len(longer.pieces) > end.step
    assert verdict(longer, found, vocab, 0.0, 0.0) == "model_error"
    assert verdict(longer, found, vocab, 1.5, 0.0) == "search_error"


def test_the_same_text_and_an_unfinished_one_are_no_errors(vocab: Vocab) -> None:
    text = "un chien"
    assert verdict(typed(vocab, text, -9.0), found_by_search(vocab, text, last=-1.0), vocab, 0.6, 0.0) == "same"
    unfinished = found_by_search(vocab, text, last=-1.0, end="")
    assert verdict(typed(vocab, "le chat", -0.1), unfinished, vocab, 0.6, 0.0) == "unfinished"


@pytest.mark.parametrize(
    ("truth", "sentence"),
    [
        ("", "Type the translation that you think is right."),
        ("\u200b \u0007", "Type the translation"),
        ("le chat Ω", "“Ω” is not in this model's vocabulary"),
        ("chat " * 290, "pieces; the limit is 300"),
        ("chat " * 900, "the limit is 2,000"),
    ],
)
def test_what_cannot_be_forced(small_checkpoint: Checkpoint, truth: str, sentence: str) -> None:
    with pytest.raises(TextError, match=sentence):
        force_truth(small_checkpoint, small_checkpoint.read(SOURCE), small_checkpoint.read_target(truth))
