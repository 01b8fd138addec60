"""Remarks on typed text: what was done to it, what may surprise, and why it is refused.

Nothing is truncated and nothing is executed: a text is translated whole, or refused with the limit it exceeds.
"""

import re
import unicodedata

from nmtcore.errors import TextError
from nmtcore.limits import check_characters
from nmtcore.text import languages
from nmtcore.text.remarks import REMARKS
from nmtcore.text.source import SourceText
from pages.common.i18n import _, language, ngettext

_TAG = re.compile(r"<[A-Za-z/!?][^<>]*>")


def not_markdown(text: str) -> str:
    """The text escaped for a place that renders Markdown, such as a tooltip, so that it is shown literally."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def remarks(source: SourceText, code: str) -> tuple[str, ...]:
    """Plain sentences about a text in the language with this code, as a page shows them.

    Raises TextError with one for a text that cannot be translated.
    """
    text = source.text
    if not text:
        raise TextError(_(REMARKS["invisible" if source.removed else "empty"]))
    check_characters(len(source.normalized), _)
    notes = list(done_to(source))
    if source.simplified:
        notes.append(_(REMARKS["simplified"]).format(text=text))
    if _TAG.search(text):
        notes.append(_(REMARKS["tags"]))
    if "▁" in text:
        notes.append(_(REMARKS["mark"]))
    if not any(map(str.isalpha, text)):
        notes.append(_(REMARKS["no_words"]))
    if other_script(text, code):
        notes.append(_(REMARKS["script"]).format(language=language(code)))
    return tuple(notes)


def done_to(source: SourceText) -> tuple[str, ...]:
    """Remarks on control and zero-width characters that were removed, and on emoji that were set apart."""
    notes = []
    if count := source.removed:
        words = ngettext(
            "{count} control or zero-width character was removed.",
            "{count} control or zero-width characters were removed.",
            count,
        )
        notes.append(words.format(count=count))
    if source.emoji:
        notes.append(_(REMARKS["emoji"]).format(emoji=source.emoji))
    return tuple(notes)


def other_script(text: str, code: str) -> bool:
    """Whether fewer than half of the letters are in the script of the language with this code."""
    scripts = languages.language(code).scripts
    letters = [c for c in text if c.isalpha()]
    if not scripts or not letters:
        return False
    own = sum(unicodedata.name(c, "").startswith(scripts) for c in letters)
    return 2 * own < len(letters)
