"""The page on the network: that page alone, until it is stopped."""

from __future__ import annotations

import http.client
import signal
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from explorer.resources import example
from explorer.share.serve import serving
from explorer.text import Problem

PAGE = "<!DOCTYPE html>猫".encode()


def answer(address: str, method: str, path: str) -> tuple[int, bytes]:
    parts = urlsplit(address)
    connection = http.client.HTTPConnection("127.0.0.1", parts.port, timeout=20)
    connection.request(method, path)
    got = connection.getresponse()
    body = got.read()
    connection.close()
    return got.status, body


def test_only_the_page_is_answered_and_only_while_it_is_offered() -> None:
    with serving(PAGE, 0) as address:
        assert urlsplit(address).path == "/"
        assert answer(address, "GET", "/") == (200, PAGE)
        assert answer(address, "GET", "/?from=qr") == (200, PAGE)
        assert answer(address, "HEAD", "/") == (200, b"")
        for path in ("/etc/passwd", "/../../etc/passwd", "/%2e%2e/", "/page.html", "*"):
            assert answer(address, "GET", path)[0] == 404
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            assert answer(address, method, "/")[0] == 501
        port = urlsplit(address).port
        with pytest.raises(Problem, match="cannot be used"), serving(PAGE, port):
            pass
    with pytest.raises(ConnectionRefusedError):
        answer(address, "GET", "/")


def test_the_command_tells_address_and_code_and_ends_with_ctrl_c() -> None:
    words = ["share", str(example("cat-likes-fish.json")), "--serve", "--port", "0"]
    running = subprocess.Popen(
        [sys.executable, "-m", "explorer", *words],
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
        # Who started the tests in the background has Ctrl-C ignored, and so would this have it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert running.stdout is not None
    lines = []
    for line in running.stdout:
        lines.append(line.rstrip("\n"))
        if "Ctrl-C" in line:
            break
    address = lines[-2]
    assert {len(line) for line in lines[:-2]} == {len(lines[0])}
    assert len(lines[0]) >= 25
    assert b"cat likes fish" in answer(address, "GET", "/")[1]
    running.send_signal(signal.SIGINT)
    running.stdout.close()
    assert running.wait(60) == 0
