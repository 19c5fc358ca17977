"""A real browser, started once, and pages in it that tell whatever goes wrong."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

Open = Callable[..., Page]


def wait_until(page: Page, condition: str) -> None:
    """Wait in the page itself, whose policy lets nobody else evaluate a text again and again."""
    page.evaluate(
        f"new Promise(done => {{ (function poll() {{"
        f"({condition}) ? done() : requestAnimationFrame(poll); }})(); }})"
    )


def is_drawn_at_once(page: Page) -> bool:
    """Whether a page that was drawn again and again is as if it had been drawn once."""
    return page.evaluate(
        """() => {
            const main = document.getElementById('page');
            dispatchEvent(new Event('afterprint'));
            const before = main.cloneNode(true);
            for (const part of main.querySelectorAll('header, .panel, .timeline, .plane > g'))
                part.replaceChildren();
            // The plane is drawn in the room that the other parts leave it.
            dispatchEvent(new Event('afterprint'));
            dispatchEvent(new Event('afterprint'));
            return main.isEqualNode(before);
        }"""
    )


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium; `scripts/system-libraries.sh --tests` brings it."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    assert program, "There is no Chromium: scripts/system-libraries.sh --tests brings it."
    with sync_playwright() as driver:
        # As root it starts without its sandbox only.
        running = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Open a page from its file; at the end nothing was asked for, and nothing complained."""
    contexts: list[BrowserContext] = []
    asked: list[str] = []
    said: list[str] = []

    def opened(data: bytes, *, phone: bool = False, **options: Any) -> Page:
        if phone:
            options |= {"has_touch": True, "is_mobile": True}
        options.setdefault("viewport", {"width": 390, "height": 760} if phone else None)
        options["viewport"] = options["viewport"] or {"width": 1280, "height": 735}
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
        file = tmp_path / f"page-{len(contexts)}.html"
        file.write_bytes(data)
        page.goto(file.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert sum(url.startswith("file:") for url in asked) == len(contexts)
    assert said == []
