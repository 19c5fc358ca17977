"""One page, offered on the network that this computer is in, and nothing else of the computer."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from threading import Thread
from typing import Any

from explorer.text import N_, Problem, why_refused

USUAL_PORT = 8000
# An address of no network (RFC 5737): asking which way leads there sends nothing.
_ELSEWHERE = ("192.0.2.1", 80)


@contextmanager
def serving(page: bytes, port: int | None = None) -> Iterator[str]:
    """Offer a page until the block ends; give the address that others on the network open.

    Only the path `/` is answered, only to GET and HEAD.

    port : by default 8000, or any that is free; 0 for any that is free

    Raises Problem where the port cannot be used.
    """
    server = _bound(page, port)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
    thread.start()
    try:
        yield f"http://{_own_address()}:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def qr_code(address: str) -> str:
    """Return an address as a QR code of block letters, two rows of it a line."""
    import segno

    drawn = StringIO()
    segno.make(address).terminal(drawn, compact=True, border=2)
    return drawn.getvalue().rstrip("\n")


def _bound(page: bytes, port: int | None) -> ThreadingHTTPServer:
    class Handler(_OnePage):
        held = page

    try:
        try:
            return _Server(("", USUAL_PORT if port is None else port), Handler)
        except OSError as error:
            if port is not None or error.errno != errno.EADDRINUSE:
                raise
            return _Server(("", 0), Handler)
    except (OSError, OverflowError) as error:
        raise Problem(
            N_("Port {port} cannot be used: {reason}. Choose another with --port."),
            port=USUAL_PORT if port is None else port,
            reason=why_refused(error) if isinstance(error, OSError) else str(error),
        ) from None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing where a phone goes away in the middle."""


class _OnePage(BaseHTTPRequestHandler):
    held = b""
    timeout = 10  # seconds for a request
    server_version, sys_version = "AttentionExplorer", ""

    def do_GET(self) -> None:
        """Answer with the page, or that there is nothing."""
        if self.path.partition("?")[0] != "/":
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(self.held)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(self.held)

    do_HEAD = do_GET

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing about who opens the page."""


def _own_address() -> str:
    """Return this computer's address in its network; that of itself alone where it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(_ELSEWHERE)
            return str(asked.getsockname()[0])
        except OSError:
            return "127.0.0.1"
