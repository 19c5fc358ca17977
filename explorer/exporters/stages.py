"""What is said of each stage of a scene: a heading, a sentence, a formula, and its matrices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from explorer.exporters.parts import NamedMatrix, everything
from explorer.session import Frame, Stage, stages_of
from explorer.session.wording import STAGE_WORDS, formula, sentence
from explorer.text import _

_PARTS = {
    Stage.X: ("X",),
    Stage.P: ("P", "X + P"),
    Stage.Q: ("Wq", "bq", "Q"),
    Stage.K: ("context", "Wk", "bk", "K"),
    Stage.V: ("Wv", "bv", "V"),
    Stage.R: ("angles", "Q'", "K'"),
    Stage.S: ("raw", "scores"),
    Stage.A: ("weights",),
    Stage.O: ("head_output",),
    Stage.C: (),
    Stage.Y: ("Wo", "bo", "output"),
}


@dataclass(frozen=True, eq=False)
class Told:
    """A stage and what is said of it; the formula is LaTeX, empty where none fits."""

    stage: Stage
    heading: str
    sentence: str
    formula: str
    parts: tuple[NamedMatrix, ...]


def stages_told(frame: Frame) -> Iterator[Told]:
    """Yield every stage that the frame's scene goes through, in order."""
    parts = tuple(_parts(frame))
    for stage in stages_of(frame.scene):
        there = replace(frame, look=replace(frame.look, stage=stage, scaled=True, average=False))
        yield Told(
            stage,
            f"{stage.value}: {_(STAGE_WORDS[stage])}",
            sentence(there),
            formula(there),
            tuple(part for name in _PARTS[stage] for part in parts if part.name == name),
        )


def _parts(frame: Frame) -> Iterator[NamedMatrix]:
    """Yield the frame's matrices; where Q and K turn, as they are before and after that."""
    scene, attention = frame.scene, frame.attention
    turned = scene.options.rotary is not None and attention.projected is not None
    if scene.options.rotary is not None:
        yield NamedMatrix("angles", frame.angles, scene.tokens)
    for part in everything(scene, attention):
        if turned and attention.projected is not None and part.name in ("Q", "K"):
            before = attention.projected["QK".index(part.name)]
            yield replace(part, array=before[part.head - 1])
            yield replace(part, name=f"{part.name}'")
        else:
            yield part
