"""Constraints on a search (constrained decoding) as plain text that fits into an address: `on.12-45~not.3.88`.

`on.12-45` decodes on from the beginning with these token ids; `not.3.88` forbids token 88 at step 3, counted from
one. They hold in the order in which they were asked: a later one wins over what it contradicts.
"""

from __future__ import annotations

from dataclasses import dataclass

from nmtcore.errors import InterventionError
from nmtcore.intervention import Intervention
from nmtcore.text.vocabulary import UNK, Vocab
from nmtcore.text.words import BLANK, join_pieces
from pages.common.i18n import _
from pages.common.link_parameters import CANDIDATE, CONSTRAINTS


@dataclass(frozen=True)
class Constraint:
    """A beginning that search must go on from, or a token that it must not take at a step."""

    beginning: tuple[int, ...] = ()
    step: int = 0  # of the forbidden token, from one
    token: int = -1

    @property
    def code(self) -> str:
        """As in the address."""
        return f"on.{ids(self.beginning)}" if self.beginning else f"not.{self.step}.{self.token}"

    @property
    def changes(self) -> int:
        """The step that it is about, from one."""
        return len(self.beginning) or self.step

    def typed(self, vocab: Vocab) -> str:
        """The beginning as a person would type it; nothing where its tokens are not of this vocabulary."""
        known = all(token < len(vocab) for token in self.beginning)
        return vocab.decode(self.beginning) if known else ""

    def sentence(self, vocab: Vocab) -> str:
        """In words, with the tokens of this vocabulary."""
        if self.beginning:
            return _("decode on from “{beginning}”").format(beginning=_text(vocab, self.beginning))
        return _("never “{token}” at step {step}").format(token=_text(vocab, (self.token,)), step=self.step)


def read(codes: str) -> tuple[Constraint, ...]:
    """What an address says. Raises InterventionError for what is not written as declared."""
    found = []
    for code in codes.split(CONSTRAINTS.separator) if codes else ():
        if not CONSTRAINTS.parse(code):
            raise InterventionError(CONSTRAINTS.wrong(code))
        kind, __, rest = code.partition(".")
        if kind == "on":
            found.append(Constraint(beginning=tuple(map(int, rest.split("-")))))
        else:
            step, token = rest.split(".")
            found.append(Constraint(step=int(step), token=int(token)))
    return tuple(found)


def write(constraints: tuple[Constraint, ...]) -> str:
    """The inverse of `read`."""
    return CONSTRAINTS.text(tuple(constraint.code for constraint in constraints))


def ids(tokens: tuple[int, ...]) -> str:
    """Token ids as in the address: `12-45-78`."""
    return CANDIDATE.text(tuple(map(str, tokens)))


def intervention(constraints: tuple[Constraint, ...]) -> Intervention:
    """All of them as one intervention on a search."""
    forced: tuple[int, ...] = ()
    forbidden: list[tuple[int | None, int]] = []
    for what in constraints:
        if what.beginning:
            forced = what.beginning
            forbidden = [pair for pair in forbidden if pair not in list(enumerate(forced))]
            continue
        step = what.step - 1
        if dict(enumerate(forced)).get(step) == what.token:
            forced = forced[:step]
        forbidden.append((step, what.token))
    return Intervention(forced=tuple(enumerate(forced)), forbidden=tuple(forbidden))


def beginning(typed: str, vocab: Vocab) -> Constraint:
    """A forced prefix from typed words. Raises InterventionError for letters that the vocabulary lacks."""
    found = vocab.encode(typed)
    if not found:
        raise InterventionError(_("Type the first words that the translation should have."))
    for piece, token in zip(vocab.pieces(typed), found, strict=True):
        if token == UNK:
            raise InterventionError(
                _("“{piece}” is not in this model's vocabulary, so it cannot be forced: write it otherwise.").format(
                    piece=piece
                )
            )
    return Constraint(beginning=tuple(found))


def _text(vocab: Vocab, tokens: tuple[int, ...]) -> str:
    if any(token >= len(vocab) for token in tokens):
        return ids(tokens)
    return join_pieces(vocab.tokens(tokens)) or BLANK
