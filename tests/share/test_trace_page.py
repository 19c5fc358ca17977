"""A shared run in a real browser: its numbers, its player, and what it leaves out."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec import structs
from playwright.sync_api import Locator

from explorer.resources import example
from explorer.share import trace_page as module
from explorer.share.trace_page import MOST_BYTES, trace_page
from explorer.text import Problem
from explorer.traces import TraceFile
from tests.share.conftest import Open, is_drawn_at_once, wait_until

SHOWN = """() => {
    explorer.go({sample: 1, head: 0, query: 1, key: 0});
    const numbers = cells => [...document.querySelectorAll(cells)].map(td => +td.textContent);
    return Array.from({length: +document.querySelector('[data-id=step]').max + 1}, (_, step) => {
        explorer.go({step});
        return [document.querySelector('.transport span').textContent, explorer.weights(),
            numbers('[data-table=next] td:not(.made)')];
    });
}"""


def test_every_step_has_the_recorded_numbers(open_page: Open) -> None:
    trace = TraceFile(example("tiny-transformer.safetensors"))
    made = trace_page(trace, "run")
    assert len(made) <= MOST_BYTES
    page = open_page(made)
    shown = page.evaluate(SHOWN)
    assert len(shown) == trace.recorded
    losses = trace.scalars("loss")
    epochs = trace.scalars("epoch").tolist()
    for step, (told, weights, following) in enumerate(shown):
        epoch = int(trace.epochs[step])
        loss = losses[epochs.index(epoch)]
        assert told == f"Epoch {epoch}, loss {loss:.2f}"
        recorded = trace.array("weights", step, 1, 0, 0)
        np.testing.assert_allclose(weights, recorded, atol=0.0006)
        logits = trace.array("logits", step, 1).astype(float)
        chances = np.exp(logits - logits.max())
        chances = np.sort(chances / chances.sum())[::-1][:5]
        np.testing.assert_allclose(following, chances, atol=0.0006)
    assert page.locator(".note").count() == 0
    trace.close()


def test_it_plays_and_is_moved_by_keys(open_page: Open) -> None:
    trace = TraceFile(example("tiny-transformer.safetensors"))
    page = open_page(trace_page(trace, "run"), phone=True)
    playhead = page.get_by_role("slider", name="Epoch")
    playhead.focus()
    page.keyboard.press("Home")
    assert page.evaluate("explorer.state.step") == 0
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.id") == "step"
    assert playhead.get_attribute("aria-valuetext") == str(trace.epochs[1])
    page.get_by_role("button", name="Play").tap()
    wait_until(page, "explorer.state.step > 4")
    page.get_by_role("button", name="Stop").tap()
    page.get_by_role("button", name="Head 2").tap()
    assert page.evaluate("explorer.state.head") == 1
    page.locator('.plane [data-id="W1"]').focus()
    page.keyboard.press("Enter")
    assert page.evaluate("explorer.state.query") == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    trace.close()


def test_a_run_drawn_again_is_as_if_drawn_once(open_page: Open) -> None:
    trace = TraceFile(example("tiny-transformer.safetensors"))
    page = open_page(trace_page(trace, "run"))
    for changes in ("step: 3", "head: 0", "sample: 1", "query: 2, key: 0", "step: 40", "head: -1"):
        page.evaluate(f"explorer.go({{{changes}}})")
        assert is_drawn_at_once(page)
    trace.close()


def test_a_slow_press_and_a_drag_go_on_while_the_page_is_drawn(open_page: Open) -> None:
    trace = TraceFile(example("tiny-transformer.safetensors"))
    page = open_page(trace_page(trace, "run"))
    page.get_by_role("button", name="Play").click()
    x, y = middle_of(page.get_by_role("button", name="Stop"))
    page.mouse.move(x, y)
    page.mouse.down()
    step = page.evaluate("explorer.state.step")
    wait_until(page, f"explorer.state.step > {step + 1}")
    page.mouse.up()
    page.get_by_role("button", name="Play").wait_for()
    playhead = page.get_by_role("slider", name="Epoch")
    x, y = middle_of(playhead)
    page.mouse.move(x, y)
    page.mouse.down()
    for _ in range(3):
        x += 20
        page.mouse.move(x, y)
    page.mouse.up()
    width = playhead.evaluate("slider => slider.clientWidth")
    share = page.evaluate("explorer.state.step") / (trace.recorded - 1)
    assert share == pytest.approx(0.5 + 60 / width, abs=0.05)
    trace.close()


def middle_of(part: Locator) -> tuple[float, float]:
    """Where a mouse presses it."""
    box = part.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_what_is_left_out_is_said(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = TraceFile(example("stories-training.safetensors"))
    hostile = "</script><img src=x onerror=alert(1)>"
    words = (hostile, *trace.run.vocabulary[1:])
    trace.run = structs.replace(trace.run, vocabulary=words)
    page = open_page(trace_page(trace, hostile))
    assert page.locator("h1").text_content() == hostile
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2
    monkeypatch.setattr(module, "MOST_BYTES", 400_000)
    made = trace_page(trace, "run")
    assert len(made) <= 400_000
    page = open_page(made)
    steps = page.evaluate("+document.querySelector('[data-id=step]').max") + 1
    assert 10 <= steps < trace.recorded
    assert page.locator(".note").text_content() == (
        f"{steps} of 65 recorded steps and 2 of 2 sentences."
    )
    monkeypatch.setattr(module, "MOST_BYTES", 60_000)
    with pytest.raises(Problem, match="too large for a page"):
        trace_page(trace, "run")
    trace.close()
