"""The app: `streamlit run app.py` serves `app`, which runs this file again, as a script, for every visitor."""

from copy import copy
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from pages.common.i18n import _
from pages.common.navigation import COLUMN, PageLink, navigation
from pages.common.registry import PAGES, streamlit_page
from pages.common.waiting import in_turn
from pages.server.classroom import join_button
from pages.server.projected_opening import ProjectedOpening
from pages.server.security_middleware import SecurityMiddleware
from pages.server.start_up import prepare_server
from pages.server.view_scripts import routes

COMMON = Path(__file__).parent / "pages" / "common"

if __name__ == "__main__":
    st.set_page_config(_("Alignment Lab"), str(COMMON / "icon.svg"), layout="wide", initial_sidebar_state=210)
    with in_turn():
        st.html(COMMON / "look.css")
        pages = [copy(streamlit_page(entry)) for entry in PAGES]  # each run marks the page that it shows
        page = st.navigation(pages, position="hidden")
        with st.sidebar:
            st.header(_("Alignment Lab"), anchor=False)
            entries = zip(PAGES, pages, strict=True)
            shown = [PageLink(entry, entry.title(), current=found is page) for entry, found in entries]
            navigation(shown, key="pages", look=COLUMN)
            join_button()
        page.run()
else:
    middleware = [Middleware(SecurityMiddleware), Middleware(ProjectedOpening)]
    app = st.App(__file__, lifespan=prepare_server, routes=routes(), middleware=middleware)
