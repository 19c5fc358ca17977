"""The one mutable object of Model: what is open, what was run, and where one looks."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypedDict, Unpack

import numpy as np

from explorer.models.effects import Followed
from explorer.models.figures import Kind
from explorer.models.next_token import NextTokens
from explorer.models.repeats import RepeatScores
from explorer.models.switches import Put
from explorer.session.history import History, Undoable
from explorer.session.listeners import Listeners
from explorer.session.look import Stage
from explorer.session.model.frame import (
    LONG,
    HeadDetail,
    ModelCentre,
    ModelCursor,
    ModelFrame,
    ModelInfo,
    ModelLook,
    ModelProgress,
    Order,
    PairDetail,
    Repeated,
    RunSummary,
    compare,
)
from explorer.session.model.switching import (
    ALL_ON,
    Asked,
    EffectMap,
    Outcome,
    Switches,
    outcomes_told,
    steps,
)
from explorer.text import N_, Message

PINNED = 4  # tokens with colours of their own
_OFF = N_("switch off layer {layer} head {head}")
_PUT = N_("change layer {layer} head {head}")
_SECOND = N_("edit the second text")
_TEXT = N_("edit the text")
_ON = N_("restore layer {layer} head {head}")
_ALL_ON = N_("restore all heads")
_LEFT = N_(
    "{model} was left with {count} of its heads switched: they will be again when it is reopened."
)


class ModelLookChanges(TypedDict, total=False):
    """What changes of ModelLook."""

    centre: ModelCentre
    stage: Stage
    special: bool
    order: Order
    window: tuple[int, int, int]
    terms: bool
    compare: bool
    veiled: bool


class ModelSession(Undoable[Asked]):
    """What the user is doing in Model, and the only place where it changes.

    Every method that changes something emits `changed` once, with the kinds of data that changed.
    """

    def __init__(self) -> None:
        super().__init__()
        self.changed = Listeners()
        self._frame = ModelFrame()
        # Of models that were left with heads switched: what was asked of them, and its steps.
        self._left: dict[Path, tuple[Switches, str, History[Asked]]] = {}
        self._own_pins = False  # whether somebody chose what is pinned; else the pair is

    @property
    def frame(self) -> ModelFrame:
        """What is shown now."""
        return self._frame

    # --- what comes from the model's process -----------------------------------------------------

    def show(self, info: ModelInfo) -> Message | None:
        """Show another model; nothing of it was run yet. The text stays.

        Heads that are switched stay so until the model is opened again; returns what to say of
        that.
        """
        before, said = self._frame, None
        if before.info is not None and before.switches.puts:
            self._left[before.info.path] = before.switches, before.second, self._history
            if before.info.path != info.path:
                args = {"model": before.info.title, "count": len(before.switches.puts)}
                said = Message(_LEFT, args)
        new = ALL_ON, before.second, History[Asked]()
        switches, second, history = self._left.pop(info.path, new)
        self._history = history
        self._own_pins = False
        look = replace(before.look, pinned=(), kept=(), kinds=frozenset())
        if look.centre is ModelCentre.NEXT and not info.runs:
            look = replace(look, centre=ModelCentre.MATRIX)
        made = ModelFrame(info=info, text=before.text, look=look, switches=switches, second=second)
        self._set(_with_steps(made, self._history))
        return said

    def show_run(
        self,
        run: RunSummary,
        head: HeadDetail,
        pair: PairDetail | None,
        next: NextTokens | None = None,
        outcome: Outcome | None = None,
    ) -> None:
        """Show another run, with the head and the pair that are looked at."""
        before = self._frame
        was = before.run
        cursor = ModelCursor(head.layer, head.head)
        if pair is not None:
            cursor = replace(cursor, query=pair.query, key=pair.key)
        look = before.look
        self._own_pins &= _same_tokens(was, run, look.pinned)
        if _is_long(run) is not (was is not None and _is_long(was)):
            # A long text is shown as text first, and back.
            usual, other = ModelCentre.MATRIX, ModelCentre.TEXT
            if not _is_long(run):
                usual, other = other, usual
            look = replace(look, centre=other if look.centre is usual else look.centre)
        look = _with_pair_in_sight(look, run, cursor)
        text = before.text if before.info is not None and before.info.runs else run.text
        after = replace(
            before,
            text=text,
            run=run,
            head=head,
            pair=pair,
            next=next,
            outcome=outcome,
            outcomes={
                **(before.outcomes if _same_followed(before, run, outcome) else {}),
                **outcomes_told(run.switches, next, outcome),
            },
            effects=before.effects if _same_followed(before, run, outcome) else None,
            cursor=cursor,
            hover=(None, None),
            look=look,
            progress=ModelProgress(),
            count=run.total if run.text == text else before.count,
            cut=_cut(run) if run.text == text else before.cut,
        )
        self._set(after if self._own_pins else _with_pins(after))

    def show_head(self, head: HeadDetail) -> None:
        """Take the numbers of a head; those of one that is not looked at any more are dropped."""
        before, cursor = self._frame, self._frame.cursor
        if before.run is not None and (head.run, head.layer, head.head) == (
            before.run.number,
            cursor.layer,
            cursor.head,
        ):
            after = replace(before, head=head)
            self._set(after if self._own_pins else _with_pins(after))

    def show_pair(self, pair: PairDetail) -> None:
        """Take the weights of a pair; those of one that is not selected any more are dropped."""
        before, cursor = self._frame, self._frame.cursor
        if before.run is not None and (pair.run, pair.query, pair.key) == (
            before.run.number,
            cursor.query,
            cursor.key,
        ):
            self._set(replace(before, pair=pair))

    def show_repeats(self, repeats: RepeatScores) -> None:
        """Take the scores of the heads on repeated tokens."""
        self._set(replace(self._frame, repeats=repeats))

    def show_outcomes(self, text: str, follows: Followed, values: Mapping[Switches, float]) -> None:
        """Take what switches do to what is followed; of another text, or another word, nothing."""
        frame = self._frame
        if frame.run is not None and frame.run.text == text and frame.follows == follows:
            self._set(replace(frame, outcomes={**frame.outcomes, **values}))

    def show_effects(
        self,
        text: str,
        follows: Followed,
        before: float,
        found: Iterable[tuple[int, int, float]],
    ) -> None:
        """Take the changes that some heads alone make, (layer, head, change) counted from 0."""
        frame, shown = self._frame, self._frame.effects
        if frame.run is None or frame.run.text != text or frame.follows != follows:
            return
        if shown is None:
            shown = EffectMap(text, follows, before, np.full(frame.run.tiles.shape[:2], np.nan))
        changes = shown.changes.copy()
        for layer, head, change in found:
            changes[layer, head] = change
        self._set(replace(frame, effects=replace(shown, changes=changes, stopped=False)))

    def end_effects(self) -> None:
        """Take note that no more of the heads' effects come."""
        frame, shown = self._frame, self._frame.effects
        if shown is not None and shown.done < shown.total:
            self._set(replace(frame, effects=replace(shown, stopped=True)))

    def set_count(self, text: str, count: int | None, cut: int | None = None) -> None:
        """Take note of how many tokens the text has, and from where on it is left out."""
        if text == self._frame.text:
            self._set(replace(self._frame, count=count, cut=cut))

    def set_progress(self, progress: ModelProgress) -> None:
        """Take note of what is being done, or why the last thing could not be."""
        self._set(replace(self._frame, progress=progress))

    # --- what the user does ----------------------------------------------------------------------

    def edit(self, text: str) -> None:
        """Replace what stands in the text box, where a model can run it as an undoable step.

        What is typed within one word is one step.
        """
        before = self._frame
        for ending in ("\r\n", "\r", "\u2028", "\u2029"):  # as a text box has them
            text = text.replace(ending, "\n")
        if text == before.text:
            return
        if before.info is None or not before.info.runs:
            self._set(replace(before, text=text, count=None, cut=None))
        else:
            self._ask(Message(_TEXT), text=text, merge=text.count(" "))

    def go_to_head(self, layer: int, head: int) -> None:
        """Look at a head, counted from 0; beyond the ends at the last there is."""
        before = self._frame
        if before.info is None or before.run is None:
            return
        layer = min(max(layer, 0), before.info.layers - 1)
        head = min(max(head, 0), before.info.heads - 1)
        self._set(replace(before, cursor=replace(before.cursor, layer=layer, head=head)))

    def select(self, query: int | None, key: int | None = None) -> None:
        """Select a pair, a row alone, or nothing; places that are not there select nothing."""
        before, run = self._frame, self._frame.run
        if run is None:
            return
        if query is None or not 0 <= query < len(run.pieces):
            query = key = None
        if key is not None and not 0 <= key < len(run.key_pieces):
            key = None
        cursor = replace(before.cursor, query=query, key=key)
        pair = before.pair if key is not None else None
        look = _with_pair_in_sight(before.look, run, cursor)
        after = replace(before, cursor=cursor, pair=pair, look=look)
        self._set(after if self._own_pins else _with_pins(after))

    def step(self, by: int) -> None:
        """Select the next larger (1) or smaller (−1) weight of the selected row."""
        frame = self._frame
        run, head, query = frame.run, frame.head, frame.cursor.query
        if run is None or head is None or query is None:
            return
        shown = frame.shown[1]
        ordered = shown[np.argsort(-head.arrays.weights[query][shown], kind="stable")]
        here = np.flatnonzero(ordered == frame.cursor.key)
        at = int(here[0]) - by if len(here) else 0
        if 0 <= at < len(ordered):
            self.select(query, int(ordered[at]))

    def hover(self, query: int | None, key: int | None) -> None:
        """Point at a pair, a row, a column, or at nothing any more."""
        if self._frame.run is not None and (query, key) != self._frame.hover:
            self._set(replace(self._frame, hover=(query, key)))

    def look_at(self, **changes: Unpack[ModelLookChanges]) -> None:
        """Change what is drawn: fields of ModelLook."""
        self._look(replace(self._frame.look, **changes))

    def show_heads(self, effects: bool) -> None:
        """Show what each head alone does, going on where that was stopped, or where each looks."""
        frame, known = self._frame, self._frame.effects
        if known is not None and effects:
            known = replace(known, stopped=False)
        self._set(replace(frame, look=replace(frame.look, effects=effects), effects=known))

    def filter(self, kind: Kind | Repeated | None) -> None:
        """Show the heads of one kind alone; None, and the one that is shown alone, shows all."""
        look = self._frame.look
        kinds = frozenset() if kind is None else frozenset({kind})
        self._look(replace(look, kinds=frozenset() if kinds == look.kinds else kinds))

    def keep(self, layer: int, head: int) -> None:
        """Let a head stay in the atlas whatever it filters, or no longer."""
        look, place = self._frame.look, (layer, head)
        kept = tuple(each for each in look.kept if each != place)
        self._look(replace(look, kept=kept if place in look.kept else (*kept, place)))

    def switch(self, layer: int, head: int, put: Put | None) -> None:
        """Ask for something in place of a head, or for the head itself; from 0.

        A step that can be undone. Nothing happens where it is so, or where nothing can be run.
        """
        frame = self._frame
        if frame.run is None or frame.info is None or not frame.info.runs:
            return
        now = frame.switches.put(layer, head)
        name = _ON if put is None else _OFF if now is None else _PUT
        after = frame.switches.changed(layer, head, put, frame.second)
        self._ask(Message(name, {"layer": layer + 1, "head": head + 1}), switches=after)

    def put(self, name: Message, text: str, switches: Switches) -> None:
        """Ask for a text and for switches, as one step."""
        self._ask(name, text=text, switches=switches)

    def edit_second(self, text: str) -> None:
        """Replace the text that patched heads take their output from."""
        frame = self._frame
        if frame.switches.patched:
            self._ask(Message(_SECOND), switches=frame.switches.with_second(text))
        elif text != frame.second:
            self._set(replace(frame, second=text))

    def restore_all(self) -> None:
        """Ask for all heads to be on again, as one step."""
        self._ask(Message(_ALL_ON), switches=ALL_ON)

    def go_to_step(self, step: int) -> None:
        """Go to a step of `frame.steps`; those after it stay until something else is done."""
        frame, history = self._frame, self._history
        for _time in range(min(step, len(frame.steps) - 1) - frame.step):
            history, asked = history.redo()
        for _time in range(frame.step - max(step, 0)):
            if not history.can_undo or history.done[-1].before.text != frame.text:
                self.restore_all()  # the text began with heads off
                return
            history, asked = history.undo()
        if history is not self._history:
            self._turn(history, asked)

    def follow(self, token: int | None) -> None:
        """Follow a token of the vocabulary; None follows the likeliest one."""
        self._set(replace(self._frame, word=token))

    def pin(self, place: int) -> None:
        """Give a token a colour of its own, or take it away; the oldest goes where four have."""
        frame = self._frame
        if frame.run is None or not 0 <= place < len(frame.run.pieces):
            return
        self._own_pins = True
        pinned = frame.look.pinned
        if place in pinned:
            pinned = tuple(each for each in pinned if each != place)
        else:
            pinned = (*pinned, place)[-PINNED:]
        self._look(replace(frame.look, pinned=pinned))

    def _ask(
        self,
        name: Message,
        *,
        text: str | None = None,
        switches: Switches | None = None,
        merge: Hashable = None,
    ) -> None:
        before = Asked(self._frame.text, self._frame.switches)
        after = Asked(
            before.text if text is None else text,
            before.switches if switches is None else switches,
        )
        if after != before:
            self._turn(self._history.push(name, before, after, merge), after)

    def _turn(self, history: History[Asked], value: Asked) -> None:
        self._history = history
        frame = self._frame
        if value.switches.patched:
            frame = replace(frame, second=value.switches.second)
        if value.text != frame.text:
            frame = replace(frame, text=value.text, count=None, cut=None)
        self._set(_with_steps(replace(frame, switches=value.switches), history))

    def _look(self, look: ModelLook) -> None:
        self._set(replace(self._frame, look=look))

    def _set(self, frame: ModelFrame) -> None:
        before, self._frame = self._frame, frame
        change = compare(before, frame)
        if change:
            self.changed.emit(change)


def _with_steps(frame: ModelFrame, history: History[Asked]) -> ModelFrame:
    made, at = steps(history, Asked(frame.text, frame.switches))
    return replace(frame, steps=made, step=at)


def _same_followed(before: ModelFrame, run: RunSummary, outcome: Outcome | None) -> bool:
    was = before.run
    return (
        was is not None
        and was.text == run.text
        and outcome is not None
        and before.follows == outcome.follows
    )


def _cut(run: RunSummary) -> int | None:
    """Return from which character on a text was left out; None where it was not."""
    left_out = run.total > len(run.pieces)
    return max((piece.end for piece in run.pieces), default=0) if left_out else None


def _is_long(run: RunSummary) -> bool:
    return len(run.pieces) > LONG


def _same_tokens(before: RunSummary | None, after: RunSummary, places: tuple[int, ...]) -> bool:
    """Return whether there are places, and the same tokens stand there as before."""
    if before is None or not places or max(places) >= len(after.pieces):
        return False
    return all(before.pieces[i].token == after.pieces[i].token for i in places)


def _with_pins(frame: ModelFrame) -> ModelFrame:
    """Return the frame with the selected pair pinned, and what the head's strongest pairs ask."""
    cursor = frame.cursor
    pairs = () if frame.head is None else frame.head.pairs
    places = [cursor.query, cursor.key, *(pair.key for pair in pairs)]
    pinned = tuple(dict.fromkeys(place for place in places if place is not None))[:PINNED]
    return replace(frame, look=replace(frame.look, pinned=pinned))


def _with_pair_in_sight(look: ModelLook, run: RunSummary, cursor: ModelCursor) -> ModelLook:
    """Return a look whose window shows the selected pair, moved where it did not."""
    query, key, size = look.window
    size = min(size, max(len(run.pieces), len(run.key_pieces)))

    def moved(begin: int, place: int | None, count: int) -> int:
        if place is not None and not begin <= place < begin + size:
            begin = place - size // 2 + 1
        return min(max(begin, 0), max(count - size, 0))

    return replace(
        look,
        window=(
            moved(query, cursor.query, len(run.pieces)),
            moved(key, cursor.key, len(run.key_pieces)),
            look.window[2],
        ),
    )
