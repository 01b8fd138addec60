"""Internationalisation (i18n) of the interface by gettext; `make words` collects its strings for translators.

They are collected into locale/alignment-lab.pot. A translation is locale/<language>/LC_MESSAGES/alignment-lab.mo; the
environment's LANGUAGE or LANG chooses it. Without a translation, the strings are the English ones in the code.
"""

import gettext
from pathlib import Path

from nmtcore.config import ARCHITECTURES
from nmtcore.messages import N_
from nmtcore.text.languages import language as known_language

NAMES = (N_("English"), N_("French"), N_("Mandarin"))  # of languages, for translators
LOCALE = Path(__file__).parents[2] / "locale"

_translation = gettext.translation("alignment-lab", LOCALE, fallback=True)
_ = _translation.gettext
ngettext = _translation.ngettext


def language(code: str) -> str:
    """The name of a language, or its code if the name is unknown."""
    return _(known_language(code).name)


def direction(pair: str) -> str:
    """A pair such as `en-fr` in words."""
    source, target = languages(pair)
    return _("{source} to {target}").format(source=language(source), target=language(target))


def languages(pair: str) -> tuple[str, str]:
    """Source and target code of a pair such as `en-fr`."""
    source, __, target = pair.partition("-")
    return source, target


def title(name: str) -> str:
    """The name of an architecture, as it heads a panel."""
    return _(ARCHITECTURES[name].title) if name in ARCHITECTURES else name


def duration(seconds: float) -> str:
    """A duration, rounded, in a suitable unit."""
    if seconds < 90:
        return _("about {count} s").format(count=max(1, round(seconds)))
    if seconds < 5400:
        return _("about {count} min").format(count=round(seconds / 60))
    return _("about {count} h").format(count=round(seconds / 3600))
