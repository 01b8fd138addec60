"""Link state of the heads: which one is enlarged, which are off, as in the address and as the browser reports it.

The address holds the enlarged head (`head=cross.2.3`, counted from one, `mean` for an average), the heads that are
off (`off=cross.2.3_encoder.1.1`), whose attention is shown then (`attention=before`), and the view beside the head
(`pane=cell`). The browser changes them alone and runs
the page, or the fragment around it, only for what needs a model or the vectors of a head: it then reports the same
in one line. The address is read on a first run only, for Streamlit sends along an older copy of it later.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import streamlit as st

from nmtcore.decoding.trace import AttentionMap, Trace
from nmtcore.intervention import AttentionKind, Intervention
from nmtcore.views.heads.head import Head
from pages.common.component import reported
from pages.common.i18n import _
from pages.common.link_parameters import ATTENTION_RUN, CELL_BY, HEAD, OFF, PANE, PICK, PICK_STEP


@dataclass(frozen=True)
class HeadsLink:
    """What the browser asks for, and a sentence about each part of its address that means nothing here."""

    head: Head
    off: tuple[Head, ...]
    pane: str
    cell: bool  # whether the vectors of the head are wanted
    run: str  # whose attention is shown while heads are off: "after", of the new translation, or "before"
    ignored: tuple[str, ...]

    @property
    def heads_off(self) -> tuple[tuple[AttentionKind, int, int], ...]:
        return tuple((h.kind, h.layer, h.head) for h in self.off if h.layer is not None and h.head is not None)

    @property
    def intervention(self) -> Intervention:
        """What switches the heads off."""
        return Intervention(heads_off=self.heads_off)


def asked_heads(trace: Trace, opening: Head, key: str) -> HeadsLink:
    """What the component with this key asks for, or the address; `opening` is the head where none is named."""
    parts = str(reported(key, "ask") or "").split(" ")
    if len(parts) != 5:
        found = read_address(trace, opening)
        # The address of later runs has what the browser itself wrote there: no link asked for that.
        return dataclasses.replace(found, ignored=()) if key in st.session_state else found
    pane, named, off, cell, run = parts
    heads_off = {head for code in off.split("_") if (head := Head.read(code, trace)) and head.single}
    return HeadsLink(
        Head.read(named, trace) or opening,
        tuple(sorted(heads_off, key=lambda head: head.code)),
        PANE.parse(pane) or PANE.default,
        cell == "cell",
        ATTENTION_RUN.parse(run) or ATTENTION_RUN.default,
        (),
    )


def read_address(trace: Trace, opening: Head) -> HeadsLink:
    """What the address asks for."""
    ignored = []
    named = HEAD.asked()
    head = Head.read(named, trace) if named else opening
    if head is None:
        head = opening
        ignored.append(HEAD.wrong(named or ""))
    off = []
    for code in OFF.items():
        found = Head.read(code, trace)
        if found and found.single:
            off.append(found)
        else:
            ignored.append(OFF.wrong(code))
    attention = trace.attention_of(head.kind)
    assert attention is not None
    target, source = picked_cell(PICK.asked() or "", attention)
    if PICK.asked() and target is None and source is None:
        ignored.append(PICK.wrong(PICK.asked() or ""))
    step = PICK_STEP.asked()
    if step and PICK_STEP.within(1, len(trace.target) - 1).parse(step) is None:
        ignored.append(
            _("The link names step {step}; this translation has {count}: all of them are shown.").format(
                step=step[:10], count=len(trace.target)
            )
        )
    ignored += [*PANE.note(), *ATTENTION_RUN.note(), *CELL_BY.note()]
    pane = PANE.read()
    wanted = pane == "cell" or (target is not None and source is not None)
    heads_off = tuple(sorted(set(off), key=lambda h: h.code))
    return HeadsLink(head, heads_off, pane, wanted, ATTENTION_RUN.read(), tuple(ignored[:3]))


def picked_cell(code: str, attention: AttentionMap) -> tuple[int | None, int | None]:
    """Target and source piece of a pick in the address; both None where it names nothing in this figure."""
    parts = PICK.parts(code)
    if not parts or parts[0] not in ("0", "1"):
        return None, None
    target, source = (None if part is None else int(part) for part in parts[1:])
    inside = (target or 0) < len(attention.queries) and (source or 0) < len(attention.keys)
    return (target, source) if inside else (None, None)
