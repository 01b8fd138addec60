"""What a benchmark says about the machine that it ran on."""

from __future__ import annotations

import contextlib
import os
import platform


def processor() -> str:
    """The processor's name, empty where the system does not tell."""
    with contextlib.suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as file:
        return next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), "")
    return platform.processor()


def machine() -> str:
    """Processor, cores, and how many programs wanted one of them in the last minute, on average."""
    cores = os.cpu_count() or 1
    busy = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{processor() or 'unknown processor'}, {cores} cores{busy}"
