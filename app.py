"""The app: `streamlit run app.py` serves `app`, which runs this file again, as a script, for every visitor."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.shared.classroom import join
from pages.shared.lesson import carried
from pages.shared.warm import warm
from pages.shared.words import _

SHARED = Path(__file__).parent / "pages" / "shared"

if __name__ == "__main__":
    st.set_page_config(_("Alignment Lab"), str(SHARED / "icon.svg"), layout="wide", initial_sidebar_state=210)
    st.html(SHARED / "look.css")
    pages = [
        st.Page("pages/translate.py", title=_("Translate"), default=True),
        st.Page("pages/no_attention.py", title=_("No attention")),
        st.Page("pages/additive.py", title=_("Additive attention")),
        st.Page("pages/dot.py", title=_("Dot attention")),
        st.Page("pages/transformer.py", title=_("Transformer")),
        st.Page("pages/positions.py", title=_("Positions")),
        st.Page("pages/beam.py", title=_("Beam search")),
        st.Page("pages/finetune.py", title=_("Fine-tune")),
    ]
    page = st.navigation(pages, position="hidden")
    with st.sidebar:
        st.header(_("Alignment Lab"), anchor=False)
        for link in pages:
            st.page_link(link, query_params=carried())
        join()
    page.run()
else:
    app = st.App(__file__, lifespan=warm)
