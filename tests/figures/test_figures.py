"""What all figures share: scales of colour, and what they may load."""

from __future__ import annotations

import subprocess
import sys

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
