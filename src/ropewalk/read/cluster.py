"""A Dask cluster that answers: a scheduler, and workers as long as there is work."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from ropewalk.errors import MissingExtraError, OptionError, RopewalkError, short

CONNECT = 10.0  # seconds to find the scheduler and a first worker
PATIENCE = 15.0  # seconds without any worker; restarting a worker takes a few
_SELDOM = 1.0  # seconds between two checks of the workers


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Connect to the Dask cluster at an address.

    Raises
    ------
    OptionError
        If there is no scheduler at the address, or no worker at the beginning.
    RopewalkError
        If no worker is left on the way; Dask itself would wait for one forever.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingExtraError("Dask is not installed", hint="pip install 'ropewalk[dask]'") from error
    try:
        # Not the default client of the process, because it would remain so even if it found no scheduler.
        client = Client(address, timeout=CONNECT, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError) as error:
        raise OptionError(
            f"no Dask scheduler responds at {short(address)}",
            where=[short(error, 100)],
            hint="Give its address, such as tcp://127.0.0.1:8786.",
        ) from None
    watch = _Watch(client)
    try:
        _wait_for_a_worker(client, address)
        watch.start()
        # A client stored in Dask's settings would be sent to restarted workers, but it cannot be pickled.
        with client.as_current():
            yield client
    except RopewalkError:
        raise
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, GeneratorExit)) or not watch.lost:
            raise
        raise RopewalkError(
            f"no worker of the Dask cluster at {short(address)} is left",
            hint="Finished fits are kept. Start workers and run the same command to resume.",
        ) from None
    finally:
        watch.done.set()
        with suppress(OSError):
            client.close()  # type: ignore[no-untyped-call]


class _Watch(threading.Thread):
    """Close a client when its cluster has had no worker for a while, so that waiting calls fail."""

    def __init__(self, client: Any) -> None:
        super().__init__(daemon=True)
        self.client = client
        self.lost = False
        self.done = threading.Event()

    def run(self) -> None:
        alive = time.monotonic()
        while not self.done.wait(_SELDOM):
            try:
                there = bool(self.client.nthreads())
            except Exception:  # noqa: BLE001  # the scheduler is gone: Dask says so itself
                return
            if there:
                alive = time.monotonic()
            elif time.monotonic() - alive > PATIENCE:
                self.lost = True
                self.client.close()
                return


def _wait_for_a_worker(client: Any, address: str) -> None:
    start = time.monotonic()
    while not client.nthreads():
        if time.monotonic() - start > CONNECT:
            raise OptionError(
                f"the Dask cluster at {short(address)} has no worker",
                hint=f"Start one: dask worker {short(address)}.",
            )
        time.sleep(0.2)
