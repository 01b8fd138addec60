"""Remarks about a typed text: that it is empty, or how it was changed. Remarks about its length are in limits.py.

They are in English and marked for translation; the page that shows them translates them.
"""

from nmtcore.messages import N_

REMARKS = {
    "empty": N_("Type a sentence and press Enter."),
    "invisible": N_("There were only control or zero-width characters. Type a sentence and press Enter."),
    "simplified": N_("The models read simplified characters: yours are read as {text}"),
    "tags": N_("Tags are read as ordinary text; nothing in them is run."),
    "mark": N_("The sign ▁ marks the start of a word inside the models; yours is read as an underscore (_)."),
    "emoji": N_(
        "These models never saw emoji: {emoji} is left out, and Translate puts it back after each translation."
    ),
    "no_words": N_("This text has no words, only digits or signs: the models can only copy them or guess."),
    "script": N_(
        "These models read {language}, and most of these letters belong to another script: a translation "
        "would be a guess."
    ),
}
