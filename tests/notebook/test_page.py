"""A page below a notebook's cell."""

from __future__ import annotations

import html
import re
from pathlib import Path

import torch

import explorer
from explorer.resources import example
from explorer.session import read_scene
from explorer.share.scene_page import scene_page

CAT = example("cat-likes-fish.json")


def inner(shown: str) -> bytes:
    [found] = re.findall(
        r'^<iframe sandbox="allow-scripts" [^>]* srcdoc="([^"]*)"></iframe>$', shown
    )
    return html.unescape(found).encode()


def test_a_scene_and_its_file_are_shown_in_a_frame(tmp_path: Path) -> None:
    scene = read_scene(CAT)
    made = scene_page(scene)
    for source in (scene, CAT, str(CAT)):
        assert inner(explorer.page(source)._repr_html_()) == made
    explorer.page(scene).save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_bytes() == made


def test_what_was_captured_is_shown() -> None:
    rows = torch.randn(1, 2, 3, 4, generator=torch.Generator().manual_seed(1))
    with explorer.capture(tokens=["a", "b", "c"]) as seen:
        torch.nn.functional.scaled_dot_product_attention(rows, rows, rows)
    shown = inner(seen._repr_html_())
    assert b"a b c" in shown
    assert shown == explorer.page(seen.run(), head=1).html
    assert shown != explorer.page(seen.run(), head=2).html
    assert explorer.notebook.capture.Capture()._repr_html_() == ""
