"""An order of one's own: the pieces of the sentence as chips that are dragged, or moved with the arrow keys.

The state holds the pieces that come first; the others follow as they stand.
"""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from nmtcore.views import bundle
from pages.common.component import Slice, reported
from pages.common.i18n import _
from pages.positions.state import PositionsState, own_order

SCRIPT = Path(__file__).with_suffix(".js")
KEY = "own order"

CSS = """
.own-order { display: flex; flex-wrap: wrap; gap: 0.35rem; }
.own-order button {
  font: inherit; color: inherit; padding: 0.2rem 0.6rem; cursor: grab; touch-action: none; user-select: none;
  background: var(--st-background-color); border: 1px solid var(--st-border-color); border-radius: 0.4rem;
}
.own-order button.held { cursor: grabbing; background: var(--st-secondary-background-color); }
.own-order button:is(.held, :focus-visible) { outline: 2px solid var(--st-primary-color); outline-offset: 1px; }
.own-order small { margin-right: 0.4em; color: color-mix(in srgb, currentColor 66%, transparent); }
"""

_chips = st.components.v2.component("own_order", js=bundle.script(SCRIPT), css=CSS)


def order_chips(state: PositionsState, pieces: Sequence[str]) -> tuple[int, ...]:
    """Let a person drag the pieces into an order; returns the order, first piece first."""
    order = own_order(state.order, len(pieces))
    label = _("Drag the pieces into another order, or move one with the arrow keys")
    part = Slice(state, {"order": "order"}, ("order",))
    st.caption(label)
    _chips(
        key=KEY,
        data={"label": label, "pieces": list(pieces), "order": list(order), "link": part.to_json()},
        height="content",
        on_state_change=lambda: part.take(reported(KEY, "state")),
    )
    return order
