"""Grid beam search against exhaustive search, and its requirements against slow checks."""

import itertools
import re
from dataclasses import replace

import pytest
import torch

from nmtcore.config import DecodingConfig
from nmtcore.decoding.grid_beam import grid_beam_search
from nmtcore.decoding.recorder import search_record, tree
from nmtcore.decoding.requirement import Initials, Phrases, requirement_of
from nmtcore.decoding.search import beam_search
from nmtcore.decoding.trace import Trace, path
from nmtcore.errors import InterventionError
from nmtcore.intervention import Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.padded import pad
from nmtcore.text.vocabulary import EOS, SPECIAL, UNK, Vocab
from tests.decoding.test_search import MODELS, model_of, next_log_probabilities, winner
from tests.helpers import WORD_BY_WORD, rounding, translate

NAMES = [*SPECIAL, "▁a", "b"]  # 4 begins a word, 5 continues it


class Names:
    """A vocabulary of six tokens."""

    def __len__(self) -> int:
        return len(NAMES)

    def token(self, token: int) -> str:
        return NAMES[token]

    def decode(self, ids: tuple[int, ...]) -> str:
        """No text, so that a phrase has no other spelling."""
        return ""


def words(ids: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The ids of each word; an unknown token is a word that no piece continues."""
    found: list[list[int]] = []
    for token in ids:
        if token == 5 and found and found[-1] != [UNK]:
            found[-1].append(token)
        else:
            found.append([token])
    return [tuple(word) for word in found]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("phrases", [((4,),), ((4, 5),), ((4,), (4, 5)), ((4, 4, 5),)])
def test_a_wide_one_finds_the_best_of_all_that_contain_the_phrases(
    name: str, phrases: tuple[tuple[int, ...], ...]
) -> None:
    model, source = model_of(name, size=6), [4, 5, EOS]
    required = Phrases(phrases, Names())  # type: ignore[arg-type]
    k = 200 // (required.size + 1)
    decoding = DecodingConfig(beam=20, alpha=0.0, max_length=4)
    object.__setattr__(decoding, "beam", k)  # wider than people may ask for
    nodes = tree(search_record(grid_beam_search(model, pad([source]), decoding, required)))
    best = winner(nodes, decoding)

    def contains(ids: tuple[int, ...], phrase: tuple[int, ...]) -> bool:
        spelled = words(ids)
        wanted = words(phrase)
        return any(spelled[i : i + len(wanted)] == wanted for i in range(len(spelled)))

    def log_probability(ids: tuple[int, ...]) -> float:
        return sum(next_log_probabilities(model, source, ids[:j])[t] for j, t in enumerate((*ids, EOS)))

    every = [ids for n in range(4) for ids in itertools.product((1, 4, 5), repeat=n)]
    right = [ids for ids in every if all(contains(ids, phrase) for phrase in phrases)]
    assert tuple(n.token_id for n in path(nodes, best)) == (*max(right, key=log_probability), EOS)
    assert best.total == pytest.approx(max(map(log_probability, right)), rel=rounding(model))


@pytest.mark.parametrize(
    ("phrase", "tokens", "met"),
    [
        ((4, 4, 5), (4, 4, 4, 5, 4), 3),  # a prefix within a prefix
        ((4,), (4, 5), 0),  # "ab" is not the word "a"
        ((4,), (4, 5, 4), 1),
        ((4,), (4, 4, 5), 1),  # the first was whole
        ((4, 5), (5, 4, 5), 2),
        ((4, 5), (4, 5, 5), 0),
        ((4, 5), (4, 4), 1),
    ],
)
def test_how_much_of_a_phrase_a_hypothesis_has(phrase: tuple[int, ...], tokens: tuple[int, ...], met: int) -> None:
    required = Phrases([phrase], Names())  # type: ignore[arg-type]
    state = required.start()
    for token in tokens:
        state = required.step(state, token)
    assert required.met(state) == met


@pytest.mark.parametrize(
    ("phrase", "text", "met"),
    [
        ("eau", "de l'eau froide", True),
        ("eau froide", "de l'eau froide", True),
        ("eau", "une eau froide", True),
        ("eau", "de l'eaux", False),  # not the whole word
        ("eau", "le chateau", False),
        ("mon chat", "Mon chat", True),
        ("mon chat", "le Mon chat", False),  # a capital makes another word, except at the start
        ("Mon", "mon chat", False),
    ],
)
def test_a_word_is_found_behind_an_apostrophe_and_with_the_capital_of_the_first_word(
    phrase: str, text: str, met: bool
) -> None:
    lines = ["de l'eau froide", "une eau froide", "les eaux", "l'ami", "un ami", "Mon chat", "mon chat", "le chateau"]
    vocab = Vocab.train(lines * 4, 40)
    required = Phrases([vocab.encode(phrase)], vocab)
    state = required.start()
    for token in (*vocab.encode(text), EOS):
        state = required.step(state, token)
    assert (required.met(state) == required.size) == met
    assert met == (not len(required.wanted(state)))


@pytest.mark.parametrize("name", MODELS)
def test_a_constraint_that_the_free_search_meets_anyway_changes_nothing(name: str) -> None:
    source, decoding = [4, 5, EOS], DecodingConfig(beam=20, max_length=3)
    for seed in range(50):  # the first model that writes a word
        model = model_of(name, size=6, seed=seed)
        free = tree(search_record(beam_search(model, pad([source]), decoding)))
        ids = [n.token_id for n in path(free, winner(free, decoding))]
        if 4 in ids:
            break
    word = next(word for word in words(tuple(ids[:-1])) if word[0] == 4)
    required = Phrases([word], Names())  # type: ignore[arg-type]
    bound = tree(search_record(grid_beam_search(model, pad([source]), decoding, required)))
    best = winner(bound, decoding)
    assert [n.token_id for n in path(bound, best)] == ids
    assert best.total == pytest.approx(winner(free, decoding).total, rel=rounding(model))  # of more rows


@pytest.mark.parametrize("width", [1, 2, 5])
def test_the_translation_contains_the_phrase_and_every_number_is_the_models_own(
    small_checkpoint: Checkpoint, width: int
) -> None:
    phrases = ["chat chat", "le chien rouge"]  # both with each width and with each model
    phrase = phrases[(WORD_BY_WORD.index(small_checkpoint.config.architecture) + width) % 2]
    ids = tuple(small_checkpoint.vocab.encode(phrase))
    asked = Intervention(contains=(ids,))
    made = translate(small_checkpoint, "a red cat", DecodingConfig(width, max_length=len(ids) + 6), asked)
    assert re.search(rf"(?<![a-z]){phrase}(?![a-z])", made.text), made.text
    logits = small_checkpoint.model(
        pad([[*small_checkpoint.vocab.encode("a red cat"), EOS]]), pad([[2, *made.ids[:-1]]])
    )
    expected = logits[0].log_softmax(-1)[torch.arange(len(made.ids)), torch.tensor(made.ids)]
    torch.testing.assert_close(
        torch.tensor([step.log_probability for step in made.steps]), expected.detach(), atol=1e-3, rtol=0
    )
    assert Trace.from_json(made.to_json()).intervention == asked


def test_an_acrostic(small_checkpoint: Checkpoint) -> None:
    made = translate(small_checkpoint, "a red cat", DecodingConfig(3, max_length=20), Intervention(initials="Cúr"))
    assert [word[0].lower() for word in made.text.split()[:3]] == ["c", "u", "r"]


def test_chinese_characters_begin_one_piece_each_after_a_blank_one() -> None:
    vocab = Vocab.train(["我喜欢茶", "我喝茶", "喝茶吧", "a cat", "the tea"] * 4, 26)
    required = Initials("我茶", vocab)
    assert required.step(required.start(), ids(vocab)["▁"]) == (0,)
    assert required.step((0,), ids(vocab)["茶"]) is None
    assert required.step((0,), ids(vocab)["我"]) == (1,)
    assert required.step((1,), ids(vocab)["我"]) is None
    assert required.step((1,), ids(vocab)["茶"]) == (2,) == required.step((2,), ids(vocab)["喝"])
    assert list(required.wanted((1,))) == [token for piece, token in ids(vocab).items() if piece.strip("▁")[:1] == "茶"]
    latin = Initials("t", vocab)
    assert latin.step((0,), ids(vocab)["▁"]) is None, "any letter could follow"


def ids(vocab: Vocab) -> dict[str, int]:
    return {vocab.token(token): token for token in range(len(vocab))}


def test_a_requirement_with_a_forced_prefix_holds_both(small_checkpoint: Checkpoint) -> None:
    vocab = small_checkpoint.vocab
    asked = Intervention(
        forced=Intervention.prefix(vocab.encode("un chien")).forced, contains=(tuple(vocab.encode("chat")),)
    )
    made = translate(small_checkpoint, "a red cat", DecodingConfig(8, max_length=20), asked)
    assert made.text.startswith("un chien") and "chat" in made.text


@pytest.mark.parametrize(
    ("asked", "width", "reason"),
    [
        (Intervention(contains=((),)), 2, "no pieces"),
        (Intervention(contains=((10**6,),)), 2, "cannot be required"),
        (Intervention(contains=((EOS,),)), 2, "cannot be required"),
        (Intervention(contains=((5,) * 60,)), 2, "ask for less"),
        (Intervention(contains=((5,) * 15,)), 20, "a width of at most 12"),
        (Intervention(contains=((5,),), initials="a"), 2, "not for both"),
        (Intervention(initials="Ж"), 2, "another letter"),
        (Intervention(forced=((0, EOS),), contains=((5,),)), 2, "contains everything that is required"),
    ],
)
def test_what_cannot_be_met_is_said(small_checkpoint: Checkpoint, asked: Intervention, width: int, reason: str) -> None:
    with pytest.raises(InterventionError, match=reason):
        translate(small_checkpoint, "a red cat", DecodingConfig(width), asked)


@pytest.mark.parametrize(("letters", "clashes"), [("d", True), ("ud", True), ("uc", False), ("ucd", False)])
def test_a_forced_prefix_with_other_letters_contradicts_them(
    small_checkpoint: Checkpoint, letters: str, clashes: bool
) -> None:
    vocab = small_checkpoint.vocab
    asked = replace(Intervention.prefix(vocab.encode("un chien")), initials=letters)
    if not clashes:
        assert requirement_of(asked, vocab) is not None
        return
    with pytest.raises(InterventionError, match="contradict each other: the translation cannot begin with “un") as says:
        requirement_of(asked, vocab)
    assert "ask for less" not in str(says.value) and ", ".join(letters.upper()) in str(says.value)


def test_letters_stand_for_themselves_with_any_accent(small_checkpoint: Checkpoint) -> None:
    required = Initials("Ú c", small_checkpoint.vocab)
    assert required.letters == ["u", "c"] and required.size == 2
    (token,) = small_checkpoint.vocab.encode("un")[:1]
    assert token in required.wanted(required.start()) and required.step(required.start(), token) == (1,)
