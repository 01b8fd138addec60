"""The beam tree on its page: the picture, and what a click in it asks of the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from nmtcore.decoding.trace import Trace
from nmtcore.text.vocabulary import Vocab
from nmtcore.views.beam_tree.data import data
from nmtcore.views.beam_tree.messages import MESSAGES
from pages.common.component import Link, localized, mount
from pages.common.link_parameters import ALPHA, BETA, DROPPED, LATER, SEARCH_STEP
from pages.common.neighbors import picture_asks


def draw_tree(
    trace: Trace, vocab: Vocab, *, key: str, on_act: Callable[[Mapping[str, str]], None], **settings: Any
) -> None:
    """Draw the search. settings: as of `nmtcore.views.beam_tree.data.data`.

    on_act: called before the page runs again with the parameters of the address to set; empty ones go.
    """

    def acted() -> None:
        asked: Any = st.session_state[key].get("act")
        if isinstance(asked, dict):
            on_act({name: value for name, value in asked.items() if isinstance(value, str)})

    link: Link = {"alpha": ALPHA, "beta": BETA, "dropped": DROPPED, "step": SEARCH_STEP, "later": LATER}
    record = partial(data, trace, vocab, messages=localized(MESSAGES), **settings)
    mount("beam_tree", record, key=key, link=link, act=acted, vectors=picture_asks(key))
