"""Rows of tab-separated files with a header, whose errors name file and row."""

from __future__ import annotations

from collections.abc import Collection, Iterator
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

    def choice(self, column: str, *allowed: str) -> str:
        """A field that holds one of a few values."""
        if self[column] not in allowed:
            shown = ", ".join(value or "nothing" for value in allowed)
            raise self.error(f"the column {column} holds {shown}, not {self[column]!r}")
        return self[column]

    def error(self, message: str) -> DataError:
        """A DataError that names file and row."""
        return DataError(f"{self.file}, row {self.number}: {message}.")


def read_rows(path: Path, columns: Collection[str]) -> Iterator[Row]:
    """The rows below the header. Empty lines and lines that begin with `#` are passed over. Raises DataError.

    columns: those that a header may name, so that a misspelt one is not taken for an empty one.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not in UTF-8: save it again with that encoding.") from error
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error
    header: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split("\t")]
        if header:
            if len(fields) > len(header):
                raise DataError(f"{path}, row {number}: {len(fields)} columns, but the header names {len(header)}.")
            yield Row(str(path), number, dict(zip(header, fields, strict=False)))
            continue
        header = fields
        for column in header:
            if column not in columns:
                known = ", ".join(sorted(columns))
                raise DataError(f"{path}, row {number}: {column!r} is no column of this file; columns are {known}.")
