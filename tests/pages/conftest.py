"""What page tests share: a shelf of small models for the app."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import streamlit as st


@pytest.fixture
def shelf(model_folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy that a test may break; the app takes its models from here."""
    root = tmp_path / "models"
    shutil.copytree(model_folders, root)
    monkeypatch.setenv("ALIGNMENT_LAB_MODELS", str(root))
    st.cache_data.clear()
    st.cache_resource.clear()
    return root
