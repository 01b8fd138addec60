"""Rows of tab-separated files with a header, whose errors name file and row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nmtcore.errors import DataError


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its fields by the names in the header; a column that the file has not is empty."""

    file: str
    number: int
    fields: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.fields.get(column, "")

    def need(self, column: str) -> str:
        """A field that may not be empty."""
        value = self[column]
        if not value:
            raise self.error(f"the column {column} is empty")
        return value

    def error(self, message: str) -> DataError:
        return DataError(f"{self.file}, row {self.number}: {message}.")


def read_rows(path: Path) -> Iterator[Row]:
    """The rows below the header. Empty lines and lines that begin with `#` are passed over. Raises DataError."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not in UTF-8: save it again with that encoding.") from error
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error
    header: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split("\t")]
        if not header:
            header = columns
        elif len(columns) > len(header):
            raise DataError(f"{path}, row {number}: {len(columns)} columns, but the header names {len(header)}.")
        else:
            yield Row(str(path), number, dict(zip(header, columns, strict=False)))
