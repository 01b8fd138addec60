"""What at least two pages use: registry, opening a page, link state, cached models and traces, i18n, footer."""

import os

# NumPy's BLAS is told to use one thread, which it asks for as it is loaded: here nothing has loaded it yet. The
# matrices of one sentence are small. A second thread waits for its part of each in a busy loop, which took up to a
# second of processor time a sentence where other processes wanted the processors too.
_BLAS_THREADS = "OPENBLAS_NUM_THREADS"
if _BLAS_THREADS not in os.environ:
    os.environ[_BLAS_THREADS] = "1"
    import numpy as np  # noqa: F401

    del os.environ[_BLAS_THREADS]  # trainings, which are processes of their own, choose for themselves
