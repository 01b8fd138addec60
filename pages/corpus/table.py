"""The table of sentences: their numbers, a link to Translate, and a box for a better translation."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from nmtcore.analysis.sentence_scores import SentenceRow
from nmtcore.commands.corpus import table
from nmtcore.messages import N_
from nmtcore.training.corpus import Pair
from pages.common import models
from pages.common.form import PASTED_PAIRS, held, hold
from pages.common.i18n import _, ngettext
from pages.common.question import question_texts
from pages.common.registry import entry, page_texts, script
from pages.corpus.state import CorpusState

SHOWN = 300  # rows of the table: to see others, filter
CORRECTIONS = "corrections"  # in the session: the better translations, by source
SORT_NAMES = {  # of the numbers that the table can be sorted by
    "chrf": "chrF",
    "coverage": N_("coverage"),
    "on_eos": N_("attention on <eos>"),
    "repetition": N_("repetition"),
    "confidence": N_("confidence"),
    "length": N_("length"),
    "difference": N_("difference in chrF"),
}


def draw_pairs(pairs: Sequence[Pair]) -> None:
    """Draw the sentences that nobody has translated yet, with their references."""
    if pairs:
        frame = pd.DataFrame(pairs[:SHOWN], columns=[_("source"), _("reference")])
        st.dataframe(frame, hide_index=True, key="corpus pairs")


def draw_table(state: CorpusState, rows: Sequence[SentenceRow], names: dict[str, str]) -> None:
    """Draw the rows, worst first. names: headings of each model's scores, by its code."""
    shown = list(rows[:SHOWN])
    count = ngettext("{count:,} sentence", "{count:,} sentences", len(rows)).format(count=len(rows))
    more = _("; the first {shown} are shown").format(shown=SHOWN) if len(rows) > SHOWN else ""
    st.caption(count + more)
    corrected: dict[str, str] = held(CORRECTIONS, {})
    frame = pd.DataFrame([_cells(state, row, names, corrected.get(row.source, "")) for row in shown])
    if not shown:
        return
    sources = [row.source for row in shown]
    hold("corpus shown", sources)
    correction, opened = _("correction"), _("open")
    texts = [column for column in frame.columns if column.endswith((_("source"), _("translation"), _("reference")))]
    settings: dict[str, Any] = {
        **{column: st.column_config.TextColumn(column, width=220) for column in texts},
        opened: st.column_config.LinkColumn(opened, display_text="↗", help=_("The sentence on Translate"), width=50),
        correction: st.column_config.TextColumn(correction, max_chars=1000, help=_("A better translation")),
    }
    st.data_editor(
        frame,
        hide_index=True,
        key="corpus table",
        disabled=[column for column in frame.columns if column != correction],
        column_config=settings,
        on_change=_keep_corrections,
        args=(correction,),
    )
    st.download_button(
        _("Save as TSV"), data=lambda: table(rows), file_name="corpus.tsv", mime="text/tab-separated-values",
        on_click="ignore",
    )  # fmt: skip
    _draw_corrections(state, corrected)


def _cells(state: CorpusState, row: SentenceRow, names: dict[str, str], correction: str) -> dict[str, Any]:
    """A row of the table."""
    several = len(state.models) > 1
    scores = {
        f"{models.heading(model)}: " if several else "": row.scores[names[code]] for code, model in state.models.items()
    }
    titles = {sort: _(name) for sort, name in SORT_NAMES.items()}
    cells: dict[str, Any] = {_("open"): translate_address(state, row.source)}
    if several:
        cells[titles["difference"]] = row.difference()
    cells |= {f"{head}chrF": score.chrf for head, score in scores.items()}
    cells[_("source")] = row.source
    cells |= {f"{head}{_('translation')}": score.translation or score.refused for head, score in scores.items()}
    cells |= {_("reference"): row.reference, _("correction"): correction, titles["length"]: row.length}
    for name in ("coverage", "on_eos", "repetition", "confidence"):
        cells |= {f"{head}{titles[name]}": getattr(score, name) for head, score in scores.items()}
    return cells


def translate_address(state: CorpusState, source: str) -> str:
    """The address of the Translate page with this sentence and the models of the table."""
    asked = question_texts(dataclasses.replace(state.question, typed=source), state.question.choice)
    return entry("translate").link(asked | page_texts("translate", models=tuple(state.models)))


def _keep_corrections(column: str) -> None:
    """Keep what has been typed into the table, by the sentence that it translates."""
    sources, edited = held("corpus shown", []), held("corpus table", {}).get("edited_rows", {})
    typed = {sources[int(row)]: (cells[column] or "").strip() for row, cells in edited.items() if column in cells}
    kept = {source: text for source, text in (held(CORRECTIONS, {}) | typed).items() if text}
    hold(CORRECTIONS, kept)


def _draw_corrections(state: CorpusState, corrected: dict[str, str]) -> None:
    """The corrections as pairs for Fine-tune, where the first model goes on with them."""
    if not corrected:
        return
    says = ngettext("{count} correction", "{count} corrections", len(corrected)).format(count=len(corrected))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(says, width="content")
        if st.button(_("Fine-tune with them"), key="to fine-tune"):
            hold(PASTED_PAIRS, "".join(f"{source}\t{text}\n" for source, text in corrected.items()))
            corrected_model = next(iter(state.models.values()))
            texts = page_texts("finetune", learn="pairs", start=models.start_key(corrected_model))
            st.switch_page(script("finetune"), query_params=texts)
