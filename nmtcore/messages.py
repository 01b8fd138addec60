"""Messages for readers, in English, marked for translation (deferred translation, as gettext calls it).

The library itself is English: a notebook and an HTML file show the messages as they are. A page translates them before
it shows them; `make words` collects the marked ones.
"""

from collections.abc import Mapping
from typing import Any

Messages = Mapping[str, Any]  # sentences by name, in lists and mappings where they belong together


def N_(message: str) -> str:
    """Mark a message for translators; it is translated where it is shown. Named as in the manual of gettext."""
    return message
