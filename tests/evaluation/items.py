"""A few sentences with references, and a short decoding, for tests of scores."""

from nmtcore.config import DecodingConfig
from nmtcore.evaluation.references import Item

ITEMS = [
    Item("the small cat sees a red house .", ("le petit chat voit une maison rouge .", "le chat voit une maison .")),
    Item("a big dog", ("un grand chien",)),
    Item("the old cat .", ("le vieux chat .", "un vieux chat .", "vieux chat")),
]
SHORT = DecodingConfig(max_length=6)
