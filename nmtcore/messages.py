"""Messages for readers, in English, marked for translation (deferred translation, in gettext's terms).

The library itself is English: a notebook or an HTML file shows the messages as they are. A page translates them first;
`make words` collects the marked ones.
"""

from collections.abc import Mapping
from typing import Any

Messages = Mapping[str, Any]  # sentences by name, grouped in lists and mappings


def N_(message: str) -> str:
    """Mark a message for translation where it is shown. The name is that of gettext's manual."""
    return message
