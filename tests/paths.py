"""Paths of files in the repository that tests read."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
PRETRAINED = ROOT / "pretrained"
EVALUATION = ROOT / "tests" / "evaluation"  # challenge sets and gold alignments
