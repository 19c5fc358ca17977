"""Attention as a page of its own below a notebook's cell, or in a file."""

from __future__ import annotations

import html
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.models.run import Run
    from explorer.session import Scene

_HEIGHT = 760  # px


class SharedPage:
    """An HTML page that computes attention itself; a notebook shows it.

    Attributes
    ----------
    html : bytes
    """

    def __init__(self, html: bytes) -> None:
        self.html = html

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the page as a .html file. Raises Problem."""
        from explorer.session.scene_file import write_bytes

        write_bytes(self.html, path)

    def _repr_html_(self) -> str:
        """Return the page in a frame that can reach nothing of the notebook."""
        inner = html.escape(self.html.decode())
        return (
            f'<iframe sandbox="allow-scripts" width="100%" height="{_HEIGHT}"'
            f' style="border:0" srcdoc="{inner}"></iframe>'
        )


def page(
    source: Scene | Run | str | os.PathLike[str], *, layer: int = 1, head: int = 1
) -> SharedPage:
    """Return a page of a scene, of a scene file, or of one head of a run.

    A run is what a model's `run` and what `Capture.run` return; layer and head count from 1.
    Raises Problem.
    """
    from explorer.session import Scene, read_scene
    from explorer.session.copy_head import model_head_scene
    from explorer.share.scene_page import scene_page

    if isinstance(source, str | os.PathLike):
        scene = read_scene(Path(source))
    elif isinstance(source, Scene):
        scene = source
    else:
        scene = model_head_scene(source, layer, head).scene
    return SharedPage(scene_page(scene))
