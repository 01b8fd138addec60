"""Where things are: what tests read of the repository."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
PRETRAINED = ROOT / "pretrained"
EVALUATION = ROOT / "tests" / "evaluation"  # challenge sets and gold alignments
