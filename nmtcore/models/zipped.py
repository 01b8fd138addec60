"""Import a model folder from an uploaded ZIP file: check it, then unpack it to where it can be used."""

import io
import secrets
import shutil
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from nmtcore.errors import CheckpointError
from nmtcore.files import replace
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import CARD, CONFIG, VOCAB, WEIGHTS

MOST = 100_000_000  # bytes, unpacked
MOST_TEXT = 1_000_000  # bytes of config.json and of card.md, unpacked: parsed JSON takes many times its size in memory
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others are unpacked at once, whatever size the entry states


def unzip_model(content: bytes, folder: Path) -> Path:
    """Check the model in a ZIP file and unpack it to `folder/<pair>/<folder's own name>`.

    Only the four files of a model are read, by name; paths in the ZIP file are ignored. Returns the model folder.
    Raises CheckpointError, and writes nothing, if it is not a valid model or the folder exists; OSError if the disk
    is full or read-only.
    """
    part = folder.with_name(f".{folder.name}.{secrets.token_hex(3)}")
    try:
        part.mkdir(parents=True)
        for name, data in _read(content).items():
            (part / name).write_bytes(data)
        try:
            loaded = checkpoint.load(part)
        except CheckpointError as error:
            raise CheckpointError(str(error).replace(f"{part}/", "")) from error
        pair = "-".join(str(loaded.meta.get(side, "")) for side in ("source", "target"))
        if not pair.replace("-", "").isalpha() or not pair.isascii() or pair.count("-") != 1:
            raise CheckpointError(f"{CONFIG} does not name the model's source and target languages.")
        place = folder.parent / pair / folder.name
        if place.exists():
            raise CheckpointError(f"There is a model {pair}/{folder.name} already: rename the file.")
        place.parent.mkdir(parents=True, exist_ok=True)
        replace(part, place)
        return place
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _read(content: bytes) -> dict[str, bytes]:
    """The files of a model by name, wherever they are in the ZIP file. Raises CheckpointError."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            wanted = {
                PurePosixPath(one.filename).name: one
                for one in archive.infolist()
                if PurePosixPath(one.filename).name in (CONFIG, WEIGHTS, VOCAB, CARD)
            }
            if missing := [name for name in (CONFIG, WEIGHTS, VOCAB) if name not in wanted]:
                raise CheckpointError(f"The ZIP file has no {missing[0]}: it does not contain a model of this program.")
            if sum(one.file_size for one in wanted.values()) > MOST:
                raise CheckpointError(f"The ZIP file holds more than {MOST / 1e6:,.0f} MB.")
            for name in (CONFIG, CARD):
                if name in wanted and wanted[name].file_size > MOST_TEXT:
                    raise CheckpointError(f"{name} has more than {MOST_TEXT / 1e6:,.0f} MB.")
            if any(one.compress_type not in METHODS for one in wanted.values()):
                raise CheckpointError("The ZIP file is compressed in an unusual way: make it again with deflate.")
            return {name: _read_one(archive, one) for name, one in wanted.items()}
    except (zipfile.BadZipFile, zlib.error, EOFError, UnicodeDecodeError, RuntimeError, OSError) as error:
        raise CheckpointError("The file is not a ZIP file, or it is damaged.") from error


def _read_one(archive: zipfile.ZipFile, one: zipfile.ZipInfo) -> bytes:
    """Unpack a file up to its stated size; `ZipFile.read` would first unpack all that is there, often gigabytes."""
    with archive.open(one) as file:
        return file.read(one.file_size)
