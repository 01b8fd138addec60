"""The start-up of the server, before it takes its first visitor.

It starts the worker processes, which load the models, translate the opening sentences and end with the server. Runs
whose process is gone, for example after a power cut, are marked as interrupted, and waiting ones continue.
"""

from __future__ import annotations

import gc
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import streamlit as st


# Numbers of new objects, of young and of older collections before the next one (gc.set_threshold).
COLLECT_AFTER = (50_000, 10, 10)
MOST_SENT = 100_000_000  # bytes of a message to a browser


@asynccontextmanager
async def prepare_server(app: st.App) -> AsyncGenerator[dict[str, Any], None]:
    """The lifespan of the server. A model that cannot be loaded does not keep it from starting: the page reports it."""
    # Imported here and not above: Streamlit creates caches in the runtime, which exists only now.
    from streamlit import config
    from streamlit.runtime import runtime_util
    from streamlit.runtime.pages_manager import PagesManager

    from nmtcore.errors import NmtError
    from nmtcore.runs import queue
    from nmtcore.runs.run_folder import runs_folder
    from nmtcore.system.host_memory import few_arenas, freeze_objects, give_back, large_blocks_apart_from_now_on
    from nmtcore.text.reading import read_words
    from pages.common import models
    from pages.common.i18n import languages
    from pages.server.sessions import end_sessions_with_their_pages
    from pages.server.shortcuts import take_shortcuts

    # Otherwise a visitor who opens a link to a page before anyone has opened the first one would get that file alone,
    # as with Streamlit's older page discovery, without the sidebar.
    PagesManager.uses_pages_directory = False
    # Streamlit has one limit for both directions. Incoming messages are kept in memory until complete, and the
    # WebSocket server, which has read the limit by now, refuses larger ones; a picture of a long text is larger.
    runtime_util._max_message_size_bytes = MOST_SENT
    few_arenas()
    large_blocks_apart_from_now_on()
    keep_watcher_from_runs()
    end_sessions_with_their_pages()
    take_shortcuts()
    try:
        queue.mark_interrupted(runs_folder())
    except NmtError as error:
        print(f"The trainings in {runs_folder()} cannot be looked through. {error}")
    workers = os.environ.get("ALIGNMENT_LAB_WORKERS") or "-1"
    try:
        models.start_workers(int(workers))
    except ValueError:
        print(
            f"ALIGNMENT_LAB_WORKERS must be a whole number, of processes that decode; it is {workers[:40]!r}: "
            "now the server itself decodes."
        )
    # The workers load the models. The server loads one when a page shows its weights, and most pages never do.
    for model, request in models.opening_requests().items():
        try:
            models.ask([request])
        except NmtError as error:
            print(f"{model}: {error}")
    if "zh" in (languages(pair)[0] for pair in models.pairs()):
        read_words(["你好"])  # loads the segmenter's dictionary and the tables of pinyin: half a second, once
    # Streamlit collects garbage after every run of a page; with torch loaded that costs 150 ms. Python's own collector
    # runs when it is due, and is set to run rarely: a full collection with a class's pages open stops everybody for a
    # quarter of a second, and would occur every two or three.
    config.set_option("runner.postScriptGC", False)
    freeze_objects()
    gc.set_threshold(*COLLECT_AFTER)
    give_back()
    try:
        yield {}
    finally:
        models.start_workers(0)  # they end with the server


def keep_watcher_from_runs() -> None:
    """Make Streamlit's file watcher, if a developer turns it on, ignore the trainings, which always write."""
    from streamlit import config

    from nmtcore.runs.run_folder import runs_folder

    name, own = "server.folderWatchBlacklist", str(runs_folder().resolve())
    config.set_option(name, [*(folder for folder in config.get_option(name) if folder != own), own])
