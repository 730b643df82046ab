"""What the command `ropewalk` starts: it imports nothing until failures of importing are caught.

Python ends with 1 where an import fails, and OpenBLAS ends the process with 1 where it gets no memory. But
1 is what `ropewalk gate` says of a candidate that is worse.
"""

from __future__ import annotations

import os
import sys

NOT_STARTED = 3
STOPPED = 130


def main() -> None:
    """Run the command line; where it cannot be imported, say so and exit with 3."""
    _open_closed_streams()
    guarded = sys.argv[1:2] == ["gate"] and _exit_with_three_unless_told()
    try:
        from ropewalk.cli import main as command
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")
        os._exit(STOPPED)  # by `sys.exit` the gate would end with 3
    except BaseException as error:  # noqa: BLE001  # a broken installation may panic, or end Python with 1
        sys.stderr.write(
            f"error: ropewalk could not be started: {type(error).__name__}: {error}\n\n"
            "  Is one of the packages that it needs missing, too old or broken?\n"
        )
        sys.exit(NOT_STARTED)
    try:
        command()
    except SystemExit as stop:
        if guarded:
            sys.stderr.flush()
            os._exit(stop.code if isinstance(stop.code, int) else 0)
        raise


def _open_closed_streams() -> None:
    """Give the streams that the caller has closed a place to go.

    Otherwise the next file that is opened gets the number of standard output, and whatever a library prints
    is written into it.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def _exit_with_three_unless_told() -> bool:
    """Let a library that calls C's `exit` end this process with 3; whether that could be arranged.

    The C library calls `_exit(3)` before it exits. From then on only `os._exit` gives another code.
    """
    try:
        import ctypes

        libc = ctypes.CDLL(None)
        leave = ctypes.cast(libc._exit, ctypes.c_void_p)
        return bool(libc.__cxa_atexit(leave, ctypes.c_void_p(NOT_STARTED), None) == 0)
    except (ImportError, OSError, AttributeError, TypeError):  # Windows, and C libraries without it
        return False
