"""Uploads a person's own model: a ZIP file as `Download` makes it, checked before anybody can choose it."""

from pathlib import PurePath

import streamlit as st

from nmtcore.errors import NmtError
from nmtcore.models.zipped import unzip_model
from nmtcore.places import model_names
from nmtcore.runs.disk_errors import in_a_sentence
from nmtcore.runs.run_folder import checked_name
from pages.common.controls import show_notes
from pages.common.form import drop, held, hold
from pages.common.i18n import _
from pages.common.saved_models import put_in_folder

MOST = 50  # uploaded models
FILE, REMARK = "put in", "put in remark"


def put_in_a_model() -> None:
    """The box for a ZIP file, and the outcome of the last upload."""
    remark = drop(REMARK, "")
    with st.expander(_("Add a model of your own"), expanded=bool(remark), key="put in a model"):
        show_notes(*filter(None, [remark]))
        st.file_uploader(
            _("A ZIP file as Download gives it: config.json, model.safetensors, vocab.model; at most 30 MB"),
            type=["zip"],
            key=FILE,
            on_change=_put_in,
        )


def _put_in() -> None:
    """Check and unpack the file; from now on every page offers the model."""
    file = held(FILE)
    if file is None:
        return
    try:
        hold(REMARK, put_in(file.name, file.getvalue()))
    except NmtError as error:
        hold(REMARK, str(error))


@in_a_sentence()
def put_in(file: str, content: bytes) -> str:
    """The message about an uploaded model. Raises NmtError if it cannot be used."""
    root = put_in_folder()
    if len(model_names(root)) >= MOST:
        return _("There are {most} models already, as many as this server keeps.").format(most=MOST)
    place = unzip_model(content, root / checked_name(PurePath(file).stem.replace("_", " ").replace(".", " ")))
    says = _("The model {name}, {pair}, is added: every page that suits it offers it as “{name} (own)”.")
    return says.format(name=place.name, pair=place.parent.name)
