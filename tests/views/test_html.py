"""A picture as its own page and in a notebook: all in one text, and typed text cannot break out of it."""

import json
import re

import numpy as np

from nmtcore.decoding.trace import AttentionMap
from nmtcore.views.alignment.data import Panel, data
from nmtcore.views.html import to_html

SOURCE, TARGET = ("▁the", "▁</script><script>alert(1)</script>", "<!--", "<eos>"), ("▁le", "▁“猫”", "<eos>")
WEIGHTS = np.full((1, 1, 3, 4), 0.25, dtype=np.float32)
SENT = data(
    [Panel("A & B", "dot", SOURCE, TARGET, AttentionMap("cross", TARGET, SOURCE, WEIGHTS))], sentence="</title>"
)


def test_the_page_holds_the_data_as_it_was() -> None:
    page = to_html("alignment", SENT)
    (held,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, flags=re.DOTALL)
    assert json.loads(held) == json.loads(json.dumps(SENT))
    assert "<" not in held


def test_the_page_is_whole() -> None:
    page = to_html("alignment", SENT)
    assert page.count("<script") == page.count("</script>") == 2, "nothing typed opens or ends a script"
    assert page.count("<title>") == page.count("</title>") == 1
    assert not re.findall(r'(?:src|href)="(?!#)[^"]*"|@import|https?://(?!www\.w3\.org/)', page), "nothing is fetched"
