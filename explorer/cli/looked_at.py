"""What is looked at in a scene or a trace, as commands are asked for it."""

from __future__ import annotations

from dataclasses import replace

from explorer.session import (
    Edges,
    Look,
    Role,
    Scene,
    Selection,
    Space,
    Stage,
    at_sequence,
    space_exists,
    spaces_agree,
    stages_of,
)
from explorer.session.train import AVERAGE, Cursor
from explorer.text import N_, Listing, Problem
from explorer.traces import Trace

_NO_HEAD = N_("--head {number}: heads are counted from 1, and the last is {last}.")


def sequence_of(scene: Scene, number: int | None) -> Scene:
    """Return the scene with a sequence shown, counted from 1; as it is where none is named.

    Raises Problem where there is no such sequence.
    """
    last = len(scene.sequences)
    if number is None:
        return scene
    if not 1 <= number <= last:
        raise Problem(
            N_("--sequence {number}: sequences are counted from 1, and the last is {last}."),
            number=number,
            last=last,
        )
    return at_sequence(scene, number - 1)


def look_of(
    scene: Scene, show: str | None, stage: str | None, edges: str | None, head: int | None = 1
) -> Look:
    """Return the look that the command line asks for; a head of None is the mean over all.

    Raises Problem where it asks for what is not there.
    """
    if head is not None and not 1 <= head <= scene.heads:
        raise Problem(_NO_HEAD, number=head, last=scene.heads)
    # Of scores a reader sees those that go into the softmax, as in the window.
    look = Look(head=0 if head is None else head - 1, average=head is None, scaled=True)
    if stage is not None:
        look = look.at_stage(_stage_of(scene, stage))
    if show is not None:
        look = replace(look, spaces=_spaces_of(scene, show))
    if edges is not None:
        look = replace(look, edges=Edges(edges))
    return look


def _stage_of(scene: Scene, text: str) -> Stage:
    there = stages_of(scene)
    for stage in there:
        if "".join(text.split()).upper() in (stage.value.replace(" ", ""), stage.name):
            return stage
    raise Problem(
        N_("There is no stage {stage}. Choose one of {stages}."),
        stage=text,
        stages=Listing.of(stage.value.replace(" ", "") for stage in there),
    )


def _spaces_of(scene: Scene, text: str) -> frozenset[Space]:
    letters = [letter for letter in text.upper() if letter not in ", "]
    there = {space.name: space for space in Space if space_exists(scene, space)}
    if not letters or not there.keys() >= {*letters}:
        raise Problem(
            N_("--show {show}: name spaces by the letters {letters}, such as QK."),
            show=text,
            letters=Listing.of(there),
        )
    spaces = frozenset(there[letter] for letter in letters)
    if not spaces_agree(scene, spaces):
        raise Problem(
            N_("--show {show}: these spaces differ in dimension and have no common picture."),
            show=text,
        )
    return spaces


def selection_of(scene: Scene, text: str) -> Selection:
    """Return the selection that "cat:cloud", "#1:#4" or "cat" names.

    Raises Problem where it names no token.
    """
    query, colon, key = text.partition(":")
    if colon and not key:
        raise Problem(
            N_("--select {text}: the key is missing. Name it after the colon, such as {example}."),
            text=text,
            example=f"{query or '#1'}:{scene.key_tokens[-1]}",
        )
    if not query:
        raise Problem(
            N_("--select {text}: the query is missing. Name it first, such as {example}."),
            text=text or '""',
            example=f"{scene.tokens[0]}:{key or scene.key_tokens[-1]}",
        )
    row = token_place(scene.tokens, query)
    if not colon:
        return Selection(Role.X, query=row)
    return Selection(Role.S, query=row, key=token_place(scene.key_tokens, key))


def token_place(tokens: tuple[str, ...], name: str) -> int:
    """Return the place of a token that is named, or counted from 1 as in #3. Raises Problem."""
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


def cursor_of(trace: Trace, epoch: int | None, sample: int, layer: int, head: int | None) -> Cursor:
    """Return the place in a trace that the command line names; see `render_trace`.

    Raises Problem where there is no such place.
    """
    first, end = int(trace.epochs[0]), int(trace.epochs[-1])
    if "scalar.epoch" in trace.names:
        end = max(end, int(trace.scalars("epoch")[-1]))
    epoch = end if epoch is None else epoch
    if not first <= epoch <= end:
        raise Problem(
            N_("--epoch {epoch}: the run goes from epoch {first} to {end}."),
            epoch=epoch,
            first=first,
            end=end,
        )
    for number, letter, template in (
        (sample, "N", N_("--sample {number}: samples are counted from 1, and the last is {last}.")),
        (layer, "L", N_("--layer {number}: layers are counted from 1, and the last is {last}.")),
        (head, "H", _NO_HEAD),
    ):
        last = trace.sizes[letter]
        if number is not None and not 1 <= number <= last:
            raise Problem(template, number=number, last=last)
    return Cursor(
        trace.step_at(epoch), sample - 1, layer - 1, AVERAGE if head is None else head - 1
    )
