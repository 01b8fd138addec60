"""What all figures share: scales of colour, and what they may load."""

import subprocess
import sys

import numpy as np
import pytest

from nmtcore.figures.heatmap import percentile_limit, signed_heatmap
from nmtcore.figures.palette import signed_scale


def test_scales_start_and_end_where_they_should() -> None:
    assert [stop[1] for stop in signed_scale()] == ["#B2182B", "#F7F7F7", "#2166AC"]


def test_figures_need_neither_torch_nor_streamlit() -> None:
    code = "import sys, nmtcore.figures.positions; sys.exit(bool({'torch', 'streamlit'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    code = "import sys, nmtcore.figures.palette; sys.exit('plotly' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_picture_of_a_record_needs_no_torch() -> None:
    code = "import sys, nmtcore.views.notebook, nmtcore.views.alignment.data; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_no_interactive_picture_loads_a_library_of_figures() -> None:
    code = (
        "import importlib, pkgutil, sys, nmtcore.views as views\n"
        "for found in pkgutil.walk_packages(views.__path__, 'nmtcore.views.'):\n"
        "    importlib.import_module(found.name)\n"
        "sys.exit(bool({'plotly', 'altair'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


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
