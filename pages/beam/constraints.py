"""Constraints on a search (constrained decoding) as plain text that fits into an address: `on.12-45~not.3.88`.

`on.12-45` decodes on from the prefix of these token ids; `not.3.88` forbids token 88 at step 3, counting from
one; `has.12-45` asks for a translation that contains these tokens, `letters.anne` for one whose first words begin with
these letters. They apply in the order in which they were added: a later one overrides those that it contradicts.
"""

import re
from dataclasses import dataclass

from nmtcore.decoding.requirement import plain_letter
from nmtcore.errors import InterventionError
from nmtcore.intervention import Intervention
from nmtcore.messages import N_
from nmtcore.text.vocabulary import UNK, Vocab
from nmtcore.text.words import BLANK, join_pieces
from nmtcore.views.kit.link_state import QUOTED
from nmtcore.views.parameters import BEAM_TREE, ID
from pages.common.i18n import _
from pages.common.state import says

LETTERS = r"[a-z\u4e00-\u9fff]{1,20}"  # letters of an acrostic
CODE = rf"(?:on|has)\.{ID}(?:-{ID})*|not\.\d{{1,4}}\.{ID}|letters\.{LETTERS}"
MOST_OF_PREFIX, MOST_OF_PHRASES = 400, 200  # typed characters
CODES = BEAM_TREE["whatif"]
CANDIDATE = BEAM_TREE["compare"].saying(
    says(N_("The link compares with a candidate that cannot be read: it was left out."))
)


@dataclass(frozen=True)
class Constraint:
    """A prefix that search decodes on from, a phrase or first letters that it must write, or a forbidden token."""

    prefix: tuple[int, ...] = ()
    step: int = 0  # of the forbidden token, from one
    token: int = -1
    phrase: tuple[int, ...] = ()
    letters: str = ""

    @property
    def code(self) -> str:
        """As in the address."""
        if self.phrase:
            return f"has.{ids(self.phrase)}"
        if self.letters:
            return f"letters.{self.letters}"
        return f"on.{ids(self.prefix)}" if self.prefix else f"not.{self.step}.{self.token}"

    @property
    def changes(self) -> int:
        """The step that it affects, from one; 0 if it affects all of them."""
        return len(self.prefix) or self.step

    def typed(self, vocab: Vocab) -> str:
        """The prefix or phrase as a person would type it; empty if its tokens are not in this vocabulary."""
        tokens = self.prefix or self.phrase
        return vocab.decode(tokens) if all(token < len(vocab) for token in tokens) else ""

    def sentence(self, vocab: Vocab) -> str:
        """In words, with the tokens of this vocabulary."""
        if self.prefix:
            return _("decode on from “{prefix}”").format(prefix=_text(vocab, self.prefix))
        if self.phrase:
            return _("contain “{phrase}”").format(phrase=_text(vocab, self.phrase))
        if self.letters:
            return _("begin the words with {letters}").format(letters=", ".join(self.letters.upper()))
        return _("never “{token}” at step {step}").format(token=_text(vocab, (self.token,)), step=self.step)


def read_code(code: str) -> Constraint:
    """The inverse of `Constraint.code`. Raises InterventionError if the code is malformed."""
    if not re.fullmatch(CODE, code, re.ASCII):
        words = _("The link holds a what-if that cannot be read, {code}: it was left out.")
        raise InterventionError(words.format(code=repr(code[:QUOTED])))
    kind, __, rest = code.partition(".")
    if kind == "on":
        return Constraint(prefix=tuple(map(int, rest.split("-"))))
    if kind == "has":
        return Constraint(phrase=tuple(map(int, rest.split("-"))))
    if kind == "letters":
        return Constraint(letters=rest)
    step, token = rest.split(".")
    return Constraint(step=int(step), token=int(token))


def ids(tokens: tuple[int, ...]) -> str:
    """Token ids as in the address: `12-45-78`."""
    return CANDIDATE.text(tuple(map(str, tokens)))


def intervention(constraints: tuple[Constraint, ...]) -> Intervention:
    """All of them as one intervention on a search."""
    forced: tuple[int, ...] = ()
    forbidden: list[tuple[int | None, int]] = []
    for what in constraints:
        if what.prefix:
            forced = what.prefix
            forbidden = [pair for pair in forbidden if pair not in list(enumerate(forced))]
            continue
        if not what.step:
            continue
        step = what.step - 1
        if dict(enumerate(forced)).get(step) == what.token:
            forced = forced[:step]
        forbidden.append((step, what.token))
    phrases = tuple(dict.fromkeys(what.phrase for what in constraints if what.phrase))
    letters = [what.letters for what in constraints if what.letters]
    return Intervention(
        forced=tuple(enumerate(forced)),
        forbidden=tuple(forbidden),
        contains=phrases,
        initials=letters[-1] if letters else "",
    )


def prefix(typed: str, vocab: Vocab) -> Constraint:
    """A forced prefix from typed words. Raises InterventionError if they are too long or not in the vocabulary."""
    _check_length(typed, MOST_OF_PREFIX)
    return Constraint(prefix=_known_pieces(typed, vocab))


def phrases(typed: str, vocab: Vocab) -> tuple[Constraint, ...]:
    """The phrases that the translation must contain, typed with commas between them. Raises as `prefix`.

    An empty text means no constraint; commas alone are a mistake.
    """
    _check_length(typed, MOST_OF_PHRASES)
    parts = [part.strip() for part in re.split("[,;，、；]", typed)]
    if typed.strip() and not any(parts):
        raise InterventionError(_("Type the words that the translation should have."))
    return tuple(Constraint(phrase=_known_pieces(part, vocab)) for part in parts if part)


def letters(typed: str) -> Constraint:
    """An acrostic from typed letters. Raises InterventionError for any but Latin letters and Chinese characters."""
    plain = "".join(plain_letter(letter) for letter in typed if letter.isalnum())
    if not re.fullmatch(LETTERS, plain):
        says = _("Type 1 to 20 letters from A to Z, or Chinese characters: each word begins with the next one.")
        raise InterventionError(says)
    return Constraint(letters=plain)


def _check_length(typed: str, most: int) -> None:
    if len(typed) > most:
        says = _("This is too long: the box takes up to {most} characters, and this has {count}.")
        raise InterventionError(says.format(most=most, count=f"{len(typed):,}"))


def _known_pieces(typed: str, vocab: Vocab) -> tuple[int, ...]:
    tokens = vocab.target.encode(typed)
    if not tokens:
        raise InterventionError(_("Type the words that the translation should have."))
    for piece, token in zip(vocab.target.pieces(typed), tokens, strict=True):
        if token == UNK:
            raise InterventionError(
                _("“{piece}” is not in this model's vocabulary, so it cannot be forced: write it differently.").format(
                    piece=piece
                )
            )
    return tuple(tokens)


def _text(vocab: Vocab, tokens: tuple[int, ...]) -> str:
    if any(token >= len(vocab) for token in tokens):
        return ids(tokens)
    return join_pieces(vocab.tokens(tokens)) or BLANK
