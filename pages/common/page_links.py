"""The head of a page: its title and, at the right, tour, projection and pin, the glossary, and the address to copy.

Every control is in the address, so it reopens what is on the screen. Once it is copied, its QR code is shown for phones
or, if no other device can open it, how to make that possible.
"""

from pathlib import Path

import streamlit as st

from nmtcore.views import bundle
from pages.common.address import read_state
from pages.common.i18n import _
from pages.common.question import Question
from pages.common.reading import reading_switch
from pages.common.screen import Screen
from pages.common.state import State
from pages.server.classroom import page_address, poster, public_link

FOLDER = Path(__file__).parent

_links = st.components.v2.component(
    "picture_links",
    html="<span></span>",
    js=bundle.script(FOLDER / "picture_links.js"),
    css=bundle.style(FOLDER / "picture_links.css"),
)
_copy_link = st.components.v2.component(
    "copy_link",
    js=bundle.script(FOLDER / "copy_link.js"),
    css=bundle.style(FOLDER / "quiet_button.css"),
)


def page_head(
    state: State, title: str, says: str = "", explanation: str = "", question: Question | None = None
) -> None:
    """Draw the title with the sentence under it and its help, and the page's links beside it.

    question: given on a page with one sentence, which has pinyin if it is Mandarin.
    """
    with st.container(key="head", horizontal=True, vertical_alignment="top", gap="small"):
        with st.container(key="heading", gap=None):
            st.title(title, anchor=False)
            if says:
                st.markdown(says, help=explanation or None)
        with st.container(
            key="page links",
            horizontal=True,
            horizontal_alignment="right",
            vertical_alignment="center",
            gap="small",
            width="content",
        ):
            if question:
                reading_switch(state, question)
            picture_links()
            with st.popover(_("Terms"), type="tertiary"):
                st.markdown("\n".join(f"- **{term}**: {meaning}" for term, meaning in glossary_terms().items()))
            copy_link_button()


def picture_links() -> None:
    """Draw the links. Each is visible only if the page has a tour, or a picture to project."""
    links = [
        ("guided-tour", _("Guided tour"), ""),
        (
            "project-picture",
            _("Project"),
            _("Fill the screen with the picture (P). Page Down shows the next one, Escape leaves"),
        ),
        ("pin-picture", _("Pin"), _("Keep this picture, as it is now, to see another one beside it")),
    ]
    if read_state(Screen)[0].pin:
        beside = _("Fill the screen with the pinned picture and the present one, side by side; Escape leaves")
        links += [
            ("beside-picture", _("Side by side"), beside),
            ("unpin-picture", _("Unpin"), _("Forget the pinned picture")),
        ]
    data = {"links": [{"name": name, "says": says, "hint": hint} for name, says, hint in links]}
    _links(key="picture-links", data=data, width="content")


def glossary_terms() -> dict[str, str]:
    return {
        _("piece"): _(
            "What a model reads and writes: a word or a part of one. A small dot before a piece says that it continues "
            "the word before."
        ),
        r"\<sos\>, \<eos\>": _("The pieces that begin and end a sentence. A translation ends with the second."),
        "log P": _(
            "The natural logarithm of a probability: 0 is certain, −0.7 one half, −4.6 one in a hundred. For a "
            "translation it is the sum over its pieces."
        ),
        _("entropy"): _(
            "How evenly weights are spread, in bits: 0 if one word has all, 1 for two words equally, 3 for eight."
        ),
        "lp": _(
            "Length penalty, $((5+|y|)/6)^{\\alpha}$: log P is divided by it, so a larger α prefers longer "
            "translations."
        ),
        "cp": _(
            "Coverage penalty, $\\beta\\sum_i\\log\\min(\\sum_j\\alpha_{ij},1)$: it is added, and is negative "
            "where a source word got little attention overall."
        ),
    }


def copy_link_button() -> None:
    words = {"copy": _("Copy link"), "copied": _("Copied"), "failed": _("Copy it from the address bar")}
    data = {**words, "origin": public_link(page_address())}
    reported = _copy_link(key="copy link", data=data, width="content", on_copied_change=_heard, on_failed_change=_heard)
    for said in ("copied", "failed"):
        if isinstance(opened := reported.get(said), str):
            st.dialog(_("Link to this view"))(show_link)(opened, words[said])


def show_link(opened: str, says: str) -> None:
    """The contents of the dialog, which covers the button. opened: the page's address in the asking browser; says:
    whether it is copied."""
    st.text(says)
    if address := public_link(opened):
        poster(address, "0.9rem")
        return
    st.text(_("The link opens on this computer only: 127.0.0.1 is this computer's name for itself."))
    st.markdown(
        _(
            "To let others open it, end the app (Ctrl-C) and start it with `make classroom`: then this button copies "
            "the classroom's address and shows its QR code."
        )
    )


def _heard() -> None:
    """Nothing: a trigger only reaches the page if it has a callback."""
