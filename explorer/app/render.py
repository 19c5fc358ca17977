"""Paints the real window, or one of its views, into a picture without a screen."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from explorer.session import (
    Edges,
    Look,
    Role,
    Scene,
    Selection,
    Space,
    Stage,
    spaces_agree,
)
from explorer.text import N_, Problem

# What `MainWindow.pictures` holds, known before there is a window.
VIEWS = ("window", "plane", "scores", "weights", "outputs", "results", "inputs", "chain", "strip")


def render(
    scene: Scene,
    path: Path,
    *,
    size: tuple[int, int] = (1440, 900),
    dark: bool = False,
    view: str = "window",
    select: str | None = None,
    show: str | None = None,
    stage: str | None = None,
    edges: str | None = None,
    percent: int = 100,
) -> None:
    """Paint a scene as the window shows it.

    Parameters
    ----------
    path : Path
        A .png or .svg file.
    size : (int, int)
        Of the window, in pixels, whichever view is painted.
    view : str
        One of `VIEWS`.
    select : str, optional
        "cat:cloud" (a query and a key) or "cat"; names or numbers from 1 as "#1".
    show : str, optional
        Letters of the spaces to draw: "QK".
    stage, edges : str, optional
        As in the window.

    Raises Problem where an argument names what is not there or the file cannot be written.
    """
    if view not in VIEWS:
        raise Problem(
            N_("There is no view {view}. Choose one of {views}."),
            view=view,
            views=", ".join(VIEWS),
        )
    selection = None if select is None else selection_of(scene, select)
    look = look_of(scene, show, stage, edges)
    # Nothing is shown and no settings or recovery files are read or written.
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from explorer.app.main import application, assemble
    from explorer.app.pictures import save_picture
    from explorer.app.settings import MemorySettings
    from explorer.session import Session
    from explorer.views.theme import Theme

    application()
    session = Session(scene)
    session.look_at(look)
    session.select(selection)
    window = assemble(session, MemorySettings(), Theme(dark, percent))
    window.resize(*size)
    window.show()
    application().processEvents()
    window.clock.flush()
    save_picture(window.pictures()[view], path, scene.title)
    window.close()


def look_of(scene: Scene, show: str | None, stage: str | None, edges: str | None) -> Look:
    """Return the look that the command line asks for.

    Raises Problem where it asks for what is not there.
    """
    look = Look()
    if stage is not None:
        if stage not in Stage.__members__:
            raise Problem(
                N_("There is no stage {stage}. Choose one of X, Q, K, V, S, A, O."), stage=stage
            )
        look = look.at_stage(Stage[stage])
    if show is not None:
        letters = [letter for letter in show.upper() if letter not in ", "]
        unknown = [letter for letter in letters if letter not in Space.__members__]
        if unknown or not letters:
            raise Problem(
                N_("--show {show}: name spaces by the letters X, Q, K, V, O, such as QK."),
                show=show,
            )
        spaces = frozenset(Space[letter] for letter in letters)
        if not spaces_agree(scene, spaces):
            raise Problem(
                N_("--show {show}: these spaces differ in dimension and have no common picture."),
                show=show,
            )
        look = replace(look, spaces=spaces)
    if edges is not None:
        look = replace(look, edges=Edges(edges))
    return look


def selection_of(scene: Scene, text: str) -> Selection:
    """Return the selection that "cat:cloud", "#1:#4" or "cat" names.

    Raises Problem where it names no token.
    """
    query, colon, key = text.partition(":")
    row = _place(scene.tokens, query)
    if not colon:
        return Selection(Role.X, query=row)
    return Selection(Role.S, query=row, key=_place(scene.key_tokens, key))


def _place(tokens: tuple[str, ...], name: str) -> int:
    number = name[1:]
    if name.startswith("#") and number.isdecimal() and 1 <= int(number) <= len(tokens):
        return int(number) - 1
    if name in tokens:
        return tokens.index(name)
    raise Problem(
        N_("--select {name}: there is no such token. Use a name or a number from #1 to #{last}."),
        name=name,
        last=len(tokens),
    )
