"""Shared by all figures: colour scales, and which modules they may load."""

import subprocess
import sys

import numpy as np
import pytest

from nmtcore.figures.heatmap import percentile_limit, signed_heatmap
from tests.paths import ROOT

VIEWS = "*(found.name for found in pkgutil.walk_packages(views.__path__, 'nmtcore.views.'))"


@pytest.mark.parametrize(
    ("imports", "loads_no"),
    [
        ("'nmtcore.figures.positions'", {"torch", "streamlit"}),
        ("'nmtcore.figures.palette'", {"plotly"}),
        ("'nmtcore.views.notebook', 'nmtcore.views.alignment.data'", {"torch"}),
        (VIEWS, {"plotly", "altair"}),
        ("'nmtcore.views'", {"torch", "numpy"}),  # nor does listing nmtcore
    ],
)
def test_what_needs_no_large_library_loads_none(imports: str, loads_no: set[str]) -> None:
    code = (
        "import importlib, pkgutil, sys, nmtcore, nmtcore.views as views\n"
        f"for name in ({imports},): importlib.import_module(name)\n"
        "dir(nmtcore)\n"
        f"sys.exit(' '.join({loads_no} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("scale", [1.0, 250.0])
def test_one_outlier_leaves_the_other_cells_their_colours(scale: float) -> None:
    values = scale * np.append(np.linspace(-1, 1, 200), 9000.0)
    assert percentile_limit(values, 99) == pytest.approx(scale, rel=0.02)
    assert percentile_limit(np.zeros((3, 5)), 95) == 1.0


def test_signed_cells_have_the_neutral_colour_at_zero() -> None:
    drawn = signed_heatmap(np.arange(-7.0, 8).reshape(3, 5), 4.0, "%{z:.1f}", neutral="#123456", x=[1, 2, 3, 4, 5])
    assert (drawn.zmin, drawn.zmax) == (-4.0, 4.0) and drawn.colorscale[1] == (0.5, "#123456")
    assert np.shape(drawn.z) == (3, 5) and list(drawn.x) == [1, 2, 3, 4, 5]
    assert drawn.hovertemplate == "%{z:.1f}<extra></extra>"
