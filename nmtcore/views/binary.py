"""Binary data in JSON: an array as base64, which kit/binary.js reads."""

import base64
from typing import Any

import numpy as np


def in_base64(array: np.ndarray[Any, Any]) -> str:
    """The numbers of an array, row by row, in its byte order."""
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
