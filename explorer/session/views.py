"""What each room shows, by name: the one table that menus, `render` and lessons are made from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from explorer.text import N_


@dataclass(frozen=True)
class ViewSpec:
    """A view or a part of one, and where it can be met.

    Parameters
    ----------
    key : str
        Its name in code, in lesson files and on the command line.
    title : str
        Its name in menus, untranslated; without one no menu offers a picture of it.
    factory : str
        "module:Class" of a view that stands in the middle of a room; imported ahead of its use.
    shortcut : str
        Of the command that shows it, in Qt's portable form.
    presentable : bool
        Whether an audience can be shown it.
    height : int
        Of its picture in a handout, px.
    picture, highlight : str, optional
        What pictures and the outlines of lessons call it where that is not `key`; empty where
        there are none.
    rendered : bool
        Whether the command `render` can paint it.
    """

    key: str
    title: str = ""
    factory: str = ""
    shortcut: str = ""
    presentable: bool = True
    height: int = 560
    picture: str | None = None
    highlight: str | None = None
    rendered: bool = True

    @property
    def picture_name(self) -> str:
        """What pictures call it; empty where there are none."""
        return self.key if self.picture is None else self.picture

    @property
    def highlight_name(self) -> str:
        """What lessons call it; empty where it is not outlined."""
        return self.key if self.highlight is None else self.highlight


class _Views(StrEnum):
    """Views that take turns in the middle of a room."""

    spec: ViewSpec

    def __new__(cls, spec: ViewSpec) -> _Views:
        """Return a member whose value is its key."""
        made = str.__new__(cls, spec.key)
        made._value_, made.spec = spec.key, spec
        return made


_EXPLORE, _TRAIN = "explorer.rooms.explore", "explorer.rooms.train"
_MODEL = "explorer.rooms.model"


class Centre(_Views):
    """What stands in the middle of Explore."""

    PLANE = ViewSpec("plane", N_("Plane"), f"{_EXPLORE}.plane:PlaneView", height=320)
    COMPARE = ViewSpec(
        "compare",
        N_("Compare two settings"),
        f"{_EXPLORE}.compare:CompareView",
        shortcut="Ctrl+K",
        height=600,
    )
    SQRT_D = ViewSpec(
        "sqrt_d",
        N_("Why divide by √d"),
        f"{_EXPLORE}.sqrt_d:SqrtDView",
        shortcut="Ctrl+L",
        height=520,
    )


class TrainCentre(_Views):
    """What stands in the middle of Train."""

    GRAPH = ViewSpec("graph", N_("Word graph"), f"{_TRAIN}.graph:GraphView", height=360)
    SPACES = ViewSpec(
        "spaces", N_("Q K V spaces"), f"{_TRAIN}.spaces:SpacesView", presentable=False
    )
    MATRICES = ViewSpec(
        "matrices", N_("Matrices"), f"{_TRAIN}.matrices:MatricesView", presentable=False
    )


class ModelCentre(_Views):
    """What stands in the middle of Model."""

    MATRIX = ViewSpec("matrix", N_("Matrix"), f"{_MODEL}.matrix:MatrixView")
    TEXT = ViewSpec("text", N_("Text"), f"{_MODEL}.long_text:TextView", height=220)
    FLOW = ViewSpec("flow", N_("Flow"), f"{_MODEL}.flow:FlowView", height=420)
    SPACES = ViewSpec("spaces", N_("Spaces"), f"{_MODEL}.spaces:SpacesView", height=420)
    NEXT = ViewSpec("next", N_("Next token"), f"{_MODEL}.next_token:NextTokenView", height=640)


_WINDOW = ViewSpec("window", N_("Window"), highlight="")
_LESSON = ViewSpec("lesson", N_("Lesson"), highlight="", rendered=False)
_CHAIN = ViewSpec("chain", N_("Chain"))


def _only_outlined(key: str) -> ViewSpec:
    return ViewSpec(key, picture="", rendered=False)


# In the order of menus.
EXPLORE: tuple[ViewSpec, ...] = (
    _WINDOW,
    *(centre.spec for centre in Centre),
    ViewSpec("scores", N_("Scores")),
    ViewSpec("weights", N_("Attention")),
    ViewSpec("outputs", N_("Outputs")),
    ViewSpec("results", highlight=""),
    ViewSpec("inputs", N_("Numbers")),
    _LESSON,
    _CHAIN,
    ViewSpec("strip", N_("Arithmetic")),
    *map(_only_outlined, ("gradient", "X", "Wq", "Wk", "Wv", "Wo", "options", "heads")),
)
TRAIN: tuple[ViewSpec, ...] = (
    _WINDOW,
    *(centre.spec for centre in TrainCentre),
    ViewSpec("sample", N_("Heads and next word"), picture="heads"),
    ViewSpec("parameters", N_("Parameters")),
    _LESSON,
    _CHAIN,
    ViewSpec("timeline", N_("Timeline"), highlight="loss"),
    *map(_only_outlined, ("heads", "next_word")),
)
MODEL: tuple[ViewSpec, ...] = (
    _WINDOW,
    *(centre.spec for centre in ModelCentre),
    ViewSpec("atlas", N_("Heads")),
    ViewSpec("head", N_("This head")),
    ViewSpec("input", N_("Text to run")),
    _LESSON,
    _CHAIN,
    ViewSpec("strip", N_("Arithmetic")),
)
SWEEP: tuple[ViewSpec, ...] = (
    _WINDOW,
    ViewSpec("sweep", N_("Losses and dots"), rendered=False),
    ViewSpec("losses", N_("Loss over the epochs"), rendered=False),
    ViewSpec("starts", N_("All sentences correct from epoch …"), rendered=False),
    ViewSpec("curves", N_("Selected run"), rendered=False),
    ViewSpec("results", N_("Results"), rendered=False),
)


def rendered(specs: tuple[ViewSpec, ...]) -> tuple[str, ...]:
    """Return the names that the command `render` knows."""
    return tuple(spec.picture_name for spec in specs if spec.rendered)


def picture_titles() -> dict[str, str]:
    """Return what menus call the pictures, untranslated, by name and in the order of menus.

    Where rooms call a picture alike, the first one's title serves both.
    """
    titles: dict[str, str] = {}
    for spec in (*EXPLORE, *TRAIN, *MODEL, *SWEEP):
        if spec.title:
            titles.setdefault(spec.picture_name, spec.title)
    return titles


def highlights(specs: tuple[ViewSpec, ...]) -> frozenset[str]:
    """Return the names that a lesson's step can highlight."""
    return frozenset(spec.highlight_name for spec in specs) - {""}
