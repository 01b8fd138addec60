"""Errors for users. Each message is a plain sentence that says what to do."""


class NmtError(Exception):
    """Base of every error that nmtcore raises on purpose."""


class SettingError(NmtError, ValueError):
    """A setting is outside its allowed range."""


class DivergedError(SettingError):
    """Training diverged: its settings, most often the learning rate, make the loss rise."""


class DataError(NmtError, ValueError):
    """A file or row of sentence pairs cannot be used."""


class TextError(NmtError, ValueError):
    """A typed sentence cannot be translated as it is."""


class CheckpointError(NmtError):
    """A model folder is missing, damaged, foreign or from a newer version."""


class BusyError(NmtError):
    """So many requests are waiting that another would not be answered in useful time."""


class OutOfMemory(NmtError):
    """A batch does not fit into the device's memory, not even in two halves."""


class InterventionError(NmtError, ValueError):
    """An intervention names a head, step, token or position that does not exist."""


class TraceError(NmtError, ValueError):
    """A record of a decode contradicts itself."""


class BundleError(NmtError):
    """A module of a picture imports a missing module, or imports form a cycle."""
