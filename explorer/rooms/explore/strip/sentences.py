"""What the strip says: the selected thing spelled out, as values.

Every result comes from `breakdown` and `breakdown_output`; inputs come from the scene.
"""

from __future__ import annotations

from dataclasses import replace

from explorer.attention import MISTAKES
from explorer.kit.base import why_hidden
from explorer.kit.text_runs import Text
from explorer.rooms.explore.strip.pairs import PairSentences
from explorer.rooms.explore.strip.points import EntrySentences, PointSentences
from explorer.rooms.explore.strip.section import Section
from explorer.rooms.explore.strip.sums import SumSentences
from explorer.session import Frame, Role, Selection, Space, Stage
from explorer.text import _


def sentences(frame: Frame, letters: int = 24, entries: int = 4) -> tuple[Section, ...]:
    """Return what is said about the frame's selection.

    Parameters
    ----------
    letters : int
        Longer token names are cut to this many letters.
    entries : int
        Of longer vectors only so many entries are spelled out.
    """
    selection = frame.selection
    look = frame.look
    if look.veiled or look.blank is not None:
        return _hidden(frame)
    if selection is None:
        return (Section((), (Text(_("Choose a cell, a token or an edge"), "ink2"),)),)
    if look.unnamed and frame.attention.variant in MISTAKES and selection.pair is None:
        return (Section((), (Text(_("Not shown here: you are to find the mistake"), "ink2"),)),)
    sections = _about(selection, frame, letters, entries)
    if look.veils:
        sections = _open(selection, frame, sections)
    return _held(sections) if frame.held else sections


def _hidden(frame: Frame) -> tuple[Section, ...]:
    return (Section((), (Text(str(why_hidden(frame.look)), "ink2"),)),)


# Of what a selected row is said to be, and after its two first sections to become.
_IS: dict[Role, tuple[Stage, ...]] = {
    Role.Q: (Stage.Q,),
    Role.K: (Stage.K,),
    Role.V: (Stage.V,),
    Role.O: (Stage.A, Stage.V, Stage.O),
    Role.C: (Stage.C,),
    Role.Y: (Stage.Y,),
    Role.P: (Stage.P,),
    Role.R: (Stage.R, Stage.Q, Stage.K),
}
_BECOMES: dict[Role, tuple[Stage, ...]] = {
    Role.X: (Stage.Q, Stage.K, Stage.V, Stage.O),
    Role.CONTEXT: (Stage.K, Stage.V),
    Role.Q: (Stage.S,),
    Role.K: (Stage.S,),
    Role.V: (Stage.A,),
}


def _open(selection: Selection, frame: Frame, sections: tuple[Section, ...]) -> tuple[Section, ...]:
    """Return those of the sections that tell nothing of what a later question asks."""
    look, role = frame.look, selection.role
    if selection.pair is not None and not selection.in_weights:
        tells = Stage.A if frame.averaged else Stage.S
        return _hidden(frame) if look.hides(tells, *selection.pair) else sections
    needs = _IS.get(role, ())
    if role is Role.X and selection.query is not None and selection.column is None:
        needs = _IS[Role.O]
    if selection.in_weights:
        needs = (Stage.Q, Stage.K, Stage.V)
    if any(map(look.hides, needs)):
        return _hidden(frame)
    if any(map(look.hides, _BECOMES.get(role, ()))):
        selected, own = sections[:2]
        return selected, replace(own, drop=0)  # it is all that is left to be read
    return sections


def _about(selection: Selection, frame: Frame, letters: int, entries: int) -> tuple[Section, ...]:
    """Return what is said about a selection."""
    role, query, key, column = selection.role, selection.query, selection.key, selection.column
    if frame.scene.given:  # the rows of X and of the context are the queries and the keys
        own = {Role.CONTEXT: Role.K} | ({} if column is None else {Role.X: Role.Q})
        role = own.get(role, role)
        selection = replace(selection, role=role)
    points, sums = PointSentences(frame, letters, entries), SumSentences(frame, letters, entries)
    if selection.in_weights:
        return EntrySentences(frame, letters, entries).entry(selection)
    if role is Role.CONTEXT:
        return points.context_cell(key or 0, column)
    if query is None:
        return points.key_or_value(selection)
    if key is not None:
        pairs = PairSentences(frame, letters, entries)
        return pairs.pair(query, key, mean_alone=role is Role.A)
    match role:
        case Role.X if column is not None:
            return points.input_cell(query, column)
        case Role.P | Role.POSITION:
            return points.placed(query, column, role)
        case Role.R:
            return points.turn(query, column)
        case Role.Q:
            return points.query(query, column)
        case Role.O if column is not None:
            return sums.output_cell(query, column)
        case Role.C if column is not None:
            return sums.concatenated_cell(query, column)
        case Role.C:
            return sums.concatenated_row(query)
        case Role.Y if column is not None:
            return sums.final_cell(query, column)
        case Role.Y:
            return sums.final_row(query)
        case _:
            return sums.output_row(query, Space.X if role is Role.X else Space.O)


def _held(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    """Return the sections with a word that their numbers are the last valid ones."""
    place = next(i for i, section in enumerate(sections) if section.drop == 0)
    said = (*sections[place].caption, Text("  "), Text(_("waiting for a number"), "err", 500))
    return (*sections[:place], replace(sections[place], caption=said), *sections[place + 1 :])
