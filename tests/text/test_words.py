"""From pieces to words: their grouping, and sums and means of attention over them."""

import numpy as np
import pytest

from nmtcore.decoding.merging import merge
from nmtcore.decoding.trace import AttentionMap
from nmtcore.text.vocabulary import Vocab
from nmtcore.text.words import (
    group_pieces,
    is_wide,
    name_at,
    piece_name,
    sentence_names,
    split_words,
    text_length,
    word_label,
    word_of,
)
from tests.helpers import SENTENCES


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        (["▁the", "▁ca", "t", "▁", "s", "ees", "<eos>"], ["the", "cat", "sees", "<eos>"]),
        (["▁D", "on", "'", "t", "▁go", "!", '"'], ["Don't", "go", '!"']),
        (["▁", '"', "we", "ll", "-", "kn", "own", '",'], ['"', "well-known", '",']),
        (["▁«", "▁Où", "▁?", "▁»"], ["«", "Où", "?", "»"]),
        (["▁(", "a", ")"], ["(", "a", ")"]),
        (["▁", "3", ".", "5", "."], ["3.5", "."]),
        (["▁...", "▁."], ["...", "."]),
        (["▁", "红色", "的", "房子", "3", "0", "本", "。"], ["红色", "的", "房子", "30", "本", "。"]),
        (["▁红色", "的房子", ",", "很大", "?", "<eos>"], ["红色", "的房子", ",", "很大", "?", "<eos>"]),
        (["▁", "桌", "子", "上有", "一", "本", "书", "<eos>"], ["桌子", "上有", "一本", "书", "<eos>"]),
        (["▁我不", "知", "道", "，", "他", "<unk>", "道"], ["我不", "知道", "，", "他", "<unk>", "道"]),
        (["▁他", "知", "⋯", "⋯", "道", "⋯"], ["他", "知道"]),
        (["▁a", "<unk>", "b"], ["a", "<unk>", "b"]),
        (["▁"], ["␣"]),
        ([], []),
    ],
)
def test_which_pieces_are_a_word(pieces: list[str], words: list[str]) -> None:
    groups = group_pieces(pieces)
    assert [i for group in groups for i in group] == list(range(len(pieces)))
    assert [word_label(pieces, group) for group in groups] == words
    numbers = word_of(pieces)
    assert [[i for i, n in enumerate(numbers) if n == k] for k in range(len(words))] == groups


def test_what_a_caller_does_with_the_groups_changes_them_for_nobody_else() -> None:
    """They are computed once for equal pieces."""
    pieces = ["▁so", "me", "▁words"]
    group_pieces(pieces)[0].append(9)
    group_pieces(pieces).clear()
    assert group_pieces(pieces) == group_pieces(tuple(pieces)) == [[0, 1], [2]]


@pytest.mark.parametrize("text", [*SENTENCES[:4], "the cat's «old» house, a dog-cat: (l'eau)...", "a", "' - '"])
def test_text_and_pieces_have_the_same_words(vocab: Vocab, text: str) -> None:
    pieces = vocab.pieces(text)
    assert [word_label(pieces, group) for group in group_pieces(pieces)] == split_words(text)


def test_merge_sums_over_keys_and_averages_over_queries() -> None:
    queries, keys = ("▁un", "▁ch", "at", "."), ("▁a", "▁c", "a", "t", "<eos>")
    weights = np.random.default_rng(0).random((2, 3, 4, 5)).astype(np.float32)
    weights /= weights.sum(-1, keepdims=True)
    merged = merge(AttentionMap("cross", queries, keys, weights))
    assert (merged.queries, merged.keys) == (("un", "chat", "."), ("a", "cat", "<eos>"))
    assert merged.weights.shape == (2, 3, 3, 3) and merged.weights.dtype == np.float32
    for layer in range(2):
        for head in range(3):
            w = weights[layer, head]
            slow = [
                [sum(w[t, s] for t in rows for s in columns) / len(rows) for columns in ([0], [1, 2, 3], [4])]
                for rows in ([0], [1, 2], [3])
            ]
            assert np.allclose(merged.weights[layer, head], slow, atol=1e-6)
    assert np.allclose(merged.weights.sum(-1), 1, atol=1e-6)


def test_length_counts_words_or_pieces(vocab: Vocab) -> None:
    assert text_length("one two-three four.", vocab) == 3
    assert text_length(SENTENCES[4], vocab) == len(vocab.encode(SENTENCES[4])) > 1
    assert is_wide("ok。") and not is_wide("naïve “œuf”")


@pytest.mark.parametrize(
    ("piece", "shown"),
    [
        ("▁s", "s"),
        ("s", "·s"),
        ("été", "·été"),
        ("7", "·7"),
        ("一个", "一个"),
        ("▁一个", "␣一个"),
        (".", "."),
        ("▁", "␣"),
        ("<eos>", "<eos>"),
    ],
)
def test_out_of_its_sentence_a_piece_that_goes_on_with_a_word_has_a_dot(piece: str, shown: str) -> None:
    assert piece_name(piece) == shown


def test_in_its_sentence_a_piece_has_a_dot_only_after_a_letter_or_a_digit() -> None:
    pieces = ["▁Nou", "s", "▁l", "'", "été", "▁", "2", "0", "!", "我们", "K", "T", "V", "<eos>"]
    names = ["Nou", "·s", "l", "'", "été", "␣", "2", "·0", "!", "我们", "·K", "·T", "·V", "<eos>"]
    assert sentence_names(pieces) == names
    assert sentence_names([]) == []
    assert [name_at(pieces, i) for i in range(len(pieces))] == names


def test_a_chinese_piece_has_a_dot_where_the_segmenter_says_that_no_word_begins() -> None:
    pieces = ["▁", "我", "喜", "欢", "喝", "绿", "茶", "。", "<eos>"]
    assert sentence_names(pieces) == ["␣", "我", "喜", "·欢", "喝", "绿", "·茶", "。", "<eos>"]
    assert sentence_names(["喜", "⋯", "⋯", "欢"]) == ["喜", "⋯", "⋯", "·欢"]  # bytes of a rare character
    assert sentence_names(["老", "师", "K", "师"])[1:] == ["·师", "·K", "师"]
