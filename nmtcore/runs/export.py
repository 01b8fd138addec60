"""Export of a run: its model as a ZIP file, its numbers as CSV."""

import contextlib
import csv
import io
import zipfile

from nmtcore.files import csv_cell, open_ordinary
from nmtcore.runs.run_folder import Run

COLUMNS = (
    *("event", "step", "epoch", "loss", "learning_rate", "tokens_per_second", "score", "old_score"),
    "alignment_error",
)


def curves_csv(run: Run) -> str:
    """All numbers of a run as CSV, one row per event."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    kept = (row for row in run.events() if row["event"] in ("progress", "validation"))
    writer.writerows({name: csv_cell(value) for name, value in row.items()} for row in kept)
    return text.getvalue()


def model_zip(run: Run) -> bytes:
    """The best model and the numbers of a run in a ZIP file: safetensors, JSON, vocabulary and CSV."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        names = {path: path.name for path in sorted(run.best.glob("[!.]*"))}
        for path, name in (names | {run.folder / "config.json": "run.json"}).items():
            with contextlib.suppress(OSError), open_ordinary(path) as part:  # a damaged run exports what it has
                file.writestr(name, part.read())
        file.writestr("training.csv", curves_csv(run))
    return data.getvalue()
