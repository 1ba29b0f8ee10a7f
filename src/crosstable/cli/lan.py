"""The address under which other devices in the same room reach this machine, and its QR code."""

from __future__ import annotations

import socket
import sys

from crosstable.errors import CrosstableError


def address() -> str:
    """Return this machine's address in the local network. Asking the routing table sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def print_code(text: str) -> None:
    """Print a QR code for phones on the terminal."""
    try:
        import segno
    except ModuleNotFoundError as missing:
        raise CrosstableError("the QR code needs segno: pip install 'crosstable[web]'") from missing
    segno.make(text, error="m").terminal(out=sys.stdout, compact=True)
