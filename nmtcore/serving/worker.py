"""A worker process: reads batches of requests from the server and writes their records back, as framed messages.

It ends when its input ends, or in the middle of a batch if the server dies, so that no worker outlives a killed server.
"""

import os
import sys
import threading
import traceback
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from functools import lru_cache
from typing import IO

import torch

from nmtcore.errors import NmtError
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.serving.framing import Readable, receive, send
from nmtcore.serving.request import Answer, DecodeRequest, ModelKey, answers, load_model
from nmtcore.system.host_memory import few_arenas, give_back, large_blocks_apart
from nmtcore.system.processes import end_after, lower_priority

NICENESS = 5  # the server has priority: it serves many people while a worker decodes for one


inherited: dict[ModelKey, Checkpoint] = {}  # loaded by the fork server and inherited by all its forks


def loaded(model: ModelKey) -> Checkpoint:
    """The model, loaded at its first use."""
    return inherited.get(model) or _load(model)


@lru_cache(maxsize=16)
def _load(model: ModelKey) -> Checkpoint:
    return load_model(model)


def reply(requests: Sequence[DecodeRequest]) -> list[Answer | Exception]:
    """The answer to each request, or the exception to raise for it."""
    try:
        return [*answers(loaded(requests[0].model), requests)]
    except NmtError as error:
        return [error] * len(requests)
    except Exception as error:  # a bug: the server continues and reports it to the visitor
        traceback.print_exc()
        return [RuntimeError(f"{type(error).__name__}: {error}")] * len(requests)


def set_up() -> None:
    """Set up the whole process before it loads a model."""
    torch.set_num_threads(1)
    few_arenas()


def serve(requests: Readable, replies: IO[bytes], server: int) -> None:
    """Answer batches until there are no more. server: the process after which this one ends."""
    threading.Thread(target=end_after, args=(server,), daemon=True).start()
    lower_priority(NICENESS)
    while True:
        try:
            batch = receive(requests)
        except EOFError:
            return
        models = _load.cache_info().misses
        with large_blocks_apart() if batch[0].heavy else nullcontext():
            send(replies, reply(batch))
        if _load.cache_info().misses > models:
            give_back()  # loading a model and packing its weights frees as much memory as it keeps


def main(server: int) -> None:
    """A worker that is not forked: the pipes to it are its standard input and output."""
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # printed text must not end up between the replies
    set_up()
    serve(sys.stdin.buffer, replies, server)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt, BrokenPipeError):  # the server has been stopped
        main(int(sys.argv[1]))
