"""What at least two pages use: registry, opening a page, link state, cached models and traces, i18n, footer."""

import os

# NumPy's BLAS reads its number of threads when it is loaded, which has not happened yet here: tell it to use one. The
# matrices of one sentence are small, and a second thread waits for its share of each in a busy loop, which cost up to a
# second of processor time a sentence when other processes wanted the processors too.
_BLAS_THREADS = "OPENBLAS_NUM_THREADS"
if _BLAS_THREADS not in os.environ:
    os.environ[_BLAS_THREADS] = "1"
    import numpy as np  # noqa: F401

    del os.environ[_BLAS_THREADS]  # trainings are separate processes and choose for themselves
