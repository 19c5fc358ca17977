"""How a scene is looked at, as its file keeps it: what students open is what was shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import msgspec

from explorer.session.look import (
    Blank,
    Comparison,
    Edges,
    Look,
    Role,
    Selection,
    Space,
    Stage,
)
from explorer.session.resolve import fitting_look
from explorer.session.scene import Matrix, Scene
from explorer.session.slots import COLOURS
from explorer.session.views import Centre
from explorer.text import N_, Listing, Message, Problem


class SelectionFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    role: Role
    query: int | None = None
    key: int | None = None
    column: int | None = None


class HiddenFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    table: Stage
    row: int | None = None
    column: int | None = None


class ViewFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    stage: Stage = Stage.X
    spaces: list[Space] | None = None
    edges: Edges = Edges.NONE
    scaled: bool = False
    head: int = 0
    average: bool = False
    centre: Centre = Centre.PLANE
    comparison: Comparison = Comparison.SCALE
    movements: list[Matrix] = []
    pinned: list[int] = []
    predict: bool = False
    hidden: HiddenFields | None = None
    selection: SelectionFields | None = None


def _one_of(names: Any) -> Message:
    return Message(N_("one of {names}"), {"names": Listing.quoted(names)})


_FLAG, _WHOLE, _GROUP = N_("true or false"), N_("a whole number"), N_("a group of fields")
# What is expected at each place, as in `scene_schema`.
EXPECTED: dict[str, str | Message] = {
    "view": _GROUP,
    "view.stage": _one_of(Stage),
    "view.spaces": _one_of(Space),
    "view.spaces[]": _one_of(Space),
    "view.edges": _one_of(Edges),
    "view.centre": _one_of(Centre),
    "view.comparison": _one_of(Comparison),
    "view.movements[]": _one_of(("Wq", "Wk", "Wv")),
    "view.hidden": _GROUP,
    "view.hidden.table": _one_of(Stage),
    "view.selection": _GROUP,
    "view.selection.role": _one_of(Role),
    **dict.fromkeys(("view.scaled", "view.average", "view.predict"), _FLAG),
    **{
        f"view.{name}": _WHOLE
        for name in (
            "head",
            "pinned[]",
            "hidden.row",
            "hidden.column",
            "selection.query",
            "selection.key",
            "selection.column",
        )
    },
}


@dataclass(frozen=True)
class View:
    """How a scene is looked at.

    Parameters
    ----------
    look : Look
        Its panels are not kept: they are the window's.
    selection : Selection or None
    """

    look: Look
    selection: Selection | None = None


def view_of(scene: Scene, look: Look, selection: Selection | None) -> View | None:
    """Return how a scene is looked at; None where a file need not say it."""
    view = View(look, selection)
    plain = View(fitting_look(scene, Look()))
    return None if view_fields(view, scene) == view_fields(plain, scene) else view


def look_at(view: View, now: Look) -> View:
    """Return a file's view with the panels as open as they are now."""
    return replace(view, look=view.look.with_pages_of(now))


def view_fields(view: View, scene: Scene) -> dict[str, Any]:
    """Return a view as the file has it, without what the scene does not have, or no longer."""
    look, chosen = fitting_look(scene, view.look), view.selection
    pinned = [token for token in dict.fromkeys(look.pinned) if 0 <= token < _tokens(scene)]
    hidden = selected = None
    if (blank := look.blank) is not None:
        hidden = HiddenFields(blank.table, blank.row, blank.column)
    if chosen is not None:
        selected = SelectionFields(chosen.role, chosen.query, chosen.key, chosen.column)
    spaces = None
    if look.spaces != Look().at_stage(look.stage).spaces:
        spaces = [space for space in Space if space in look.spaces]
    fields = ViewFields(
        stage=look.stage,
        spaces=spaces,
        edges=look.edges,
        scaled=look.scaled,
        head=look.head,
        average=look.average,
        centre=look.centre,
        comparison=look.comparison,
        movements=sorted(look.movements),
        pinned=pinned[:COLOURS],
        predict=look.veiled,
        hidden=hidden,
        selection=selected,
    )
    made: dict[str, Any] = msgspec.to_builtins(fields)
    return made


def read_view(fields: ViewFields, scene: Scene) -> View:
    """Return the view that a file asks for, without what the scene does not have.

    Raises
    ------
    Problem
        Where a number is not that of a token, or of a head.
    """
    tokens = _tokens(scene)
    for place, token in enumerate(fields.pinned):
        if not 0 <= token < tokens or token in fields.pinned[:place] or place >= COLOURS:
            raise Problem(
                N_("view.pinned must name up to {most} different tokens, from 0 to {last}."),
                most=COLOURS,
                last=tokens - 1,
            )
    if not 0 <= fields.head < scene.heads:
        raise Problem(N_("view.head must be from 0 to {last}."), last=scene.heads - 1)
    look = Look().at_stage(fields.stage)
    spaces = look.spaces if fields.spaces is None else frozenset(fields.spaces)
    hidden, chosen = fields.hidden, fields.selection
    movements = frozenset(fields.movements) & {Matrix.WQ, Matrix.WK, Matrix.WV}
    look = replace(
        look,
        spaces=spaces,
        edges=fields.edges,
        scaled=fields.scaled,
        head=fields.head,
        average=fields.average,
        centre=fields.centre,
        comparison=fields.comparison,
        movements=movements if scene.projected else frozenset(),
        pinned=tuple(fields.pinned),
        veiled=fields.predict,
        blank=None if hidden is None else _blank(hidden),
    )
    selection = None
    if chosen is not None:
        selection = Selection(chosen.role, chosen.query, chosen.key, chosen.column)
    return View(fitting_look(scene, look), selection)


def _tokens(scene: Scene) -> int:
    return len(scene.tokens) + (0 if scene.context is None else len(scene.context.tokens))


def _blank(hidden: HiddenFields) -> Blank:
    for field in ("row", "column"):
        value = getattr(hidden, field)
        if value is not None and value < 0:
            raise Problem(N_("{field} must be 0 or more."), field=f"view.hidden.{field}")
    if hidden.table is Stage.X:
        raise Problem(N_("view.hidden.table must be a table that is computed."))
    return Blank(hidden.table, hidden.row, hidden.column)
