"""What a person typed, made fit for a model, with a sentence about whatever was done to it.

Nothing is cut and nothing is run: a text is translated whole, or refused with the limit that it breaks.
"""

import re
import unicodedata
from dataclasses import dataclass

from nmtcore.errors import TextError
from nmtcore.limits import MAX_CHARACTERS
from nmtcore.text import languages
from nmtcore.text.remarks import REMARKS
from nmtcore.text.source import SourceText, read_source
from pages.common.i18n import _, language, ngettext

_TAG = re.compile(r"<[A-Za-z/!?][^<>]*>")
_EMOJI = re.compile("[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff][\ufe0e\ufe0f]?")


def not_markdown(text: str) -> str:
    """The text for a place that reads Markdown, such as a tooltip, which then shows it as it is."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


@dataclass(frozen=True)
class Clean:
    """A text that can be translated, and plain sentences about what was done to it or may surprise.

    emoji: those that were set apart, to be put back after a translation.
    """

    text: str
    notes: tuple[str, ...] = ()
    emoji: str = ""


def clean(typed: str, source: str) -> Clean:
    """Prepare `typed`, in the language with the code `source`. Raises TextError with a sentence for the person."""
    read = read_source(typed, source)
    text, removed = read.text, read.removed
    if not text:
        raise TextError(_(REMARKS["invisible" if removed else "empty"]))
    refuse_long(SourceText.cleaned(text))
    notes = list(removed_note(removed))
    if read.simplified:
        notes.append(_(REMARKS["simplified"]).format(text=text))
    if _TAG.search(text):
        notes.append(_(REMARKS["tags"]))
    if "▁" in text:
        notes.append(_(REMARKS["mark"]))
    text, emoji = set_apart(text)
    if emoji:
        notes.append(_(REMARKS["emoji"]).format(emoji=emoji))
    if not any(map(str.isalpha, text)):
        notes.append(_(REMARKS["no_words"]))
    if other_script(text, source):
        notes.append(_(REMARKS["script"]).format(language=language(source)))
    return Clean(text, tuple(notes), emoji)


def set_apart(text: str) -> tuple[str, str]:
    """The text without its emoji, and these; a text in which there is nothing else stays as it is."""
    words = " ".join(_EMOJI.sub(" ", text).split())
    emoji = "".join(_EMOJI.findall(text))
    return (words, emoji) if emoji and any(map(str.isalnum, words)) else (text, "")


def removed_note(count: int) -> tuple[str, ...]:
    """What to say of control and zero-width characters that were left out; nothing where there were none."""
    if not count:
        return ()
    words = ngettext(
        "{count} control or zero-width character was removed.",
        "{count} control or zero-width characters were removed.",
        count,
    )
    return (words.format(count=count),)


def refuse_long(text: SourceText) -> None:
    """Raises TextError with the limit that `text` breaks."""
    if (count := len(text.normalized)) > MAX_CHARACTERS:
        raise TextError(_(REMARKS["characters"]).format(count=count, limit=MAX_CHARACTERS))


def other_script(text: str, code: str) -> bool:
    """Whether fewer than half of the letters are of the script of the language with this code."""
    scripts = languages.language(code).scripts
    letters = [c for c in text if c.isalpha()]
    if not scripts or not letters:
        return False
    own = sum(unicodedata.name(c, "").startswith(scripts) for c in letters)
    return 2 * own < len(letters)
