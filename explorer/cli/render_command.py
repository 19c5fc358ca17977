"""The command `render`: what is asked of which kind of file."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from explorer.cli.animate import Animation
from explorer.cli.arguments import (
    add_path,
    frames_a_second,
    head,
    measure,
    percent,
    seconds,
    size,
    times,
)
from explorer.cli.files import NO_FILE, importer_for, scene_of
from explorer.exporters.figure import PALETTES, SIZES, WIDTHS, Figure, check_name
from explorer.exporters.moving import encoder_of
from explorer.importers import Kind
from explorer.lessons.lesson_index import lesson_called
from explorer.text import N_, Message, Problem, _, listed

# Options of `render` that fit one kind of file alone.
_OF_SCENES = frozenset(("select", "show", "stage", "edges", "sequence", "movement"))
_OF_TRACES = frozenset(("epoch", "sample", "layer"))
_OF_MODELS = frozenset(("text",))


def render_command(parser: argparse.ArgumentParser, words: Sequence[str]) -> Sequence[Message]:
    """Paint a file into a picture as `words` say; return what is wrong with a lesson's steps.

    Raises Problem.
    """
    from explorer.app.pictures import painter_of, suffixes
    from explorer.cli.render import (
        MODEL_VIEWS,
        TRACE_VIEWS,
        VIEWS,
        render,
        render_lesson,
        render_model,
        render_trace,
    )

    add: Callable[..., object] = parser.add_argument
    said = _("a scene file, a trace file, a model's folder, or a lesson as for handout")
    add("file", metavar="FILE", type=Path, help=said)
    said = _("a {suffixes} file").format(suffixes=suffixes())
    add_path(parser, said)
    add(
        "--size",
        metavar="WxH",
        type=size,
        default=(1440, 900),
        help=_("the window's size in pixels, 1440x900 by default"),
    )
    add("--theme", choices=("light", "dark"), default="light", help=_("light by default"))
    add(
        "--view",
        metavar="VIEW",
        default=VIEWS[0],
        help=_(
            "for a scene: {views}; for a trace: {trace_views}; for a model: {model_views}; "
            "{default} by default"
        ).format(
            views=listed(VIEWS),
            trace_views=listed(TRACE_VIEWS),
            model_views=listed(MODEL_VIEWS),
            default=VIEWS[0],
        ),
    )
    add(
        "--percent",
        metavar="N",
        type=percent,
        default=100,
        help=_("the size of the text, 100 (default) to 200"),
    )

    def group(title: str) -> Callable[..., object]:
        # What is not given is not passed on: `render` and `render_trace` have the defaults.
        return parser.add_argument_group(title, argument_default=argparse.SUPPRESS).add_argument

    add = group(_("for scenes"))
    add(
        "--select",
        metavar="A:B",
        help=_("a query and a key, by name or number: cat:cloud, #1:#4; one alone is a token"),
    )
    add(
        "--show",
        metavar="SPACES",
        help=_("the points on the plane, letters of XQKVO, P for X + P, and Y: QK"),
    )
    add(
        "--stage",
        metavar="STAGE",
        help=_("the chain's active stage: X, X+P, Q, K, V, R, S, A, O, C or Y"),
    )
    add("--edges", choices=("none", "scores", "attention"), help=_("what the edges show"))
    add("--sequence", metavar="N", type=int, help=_("a sequence from 1; the first by default"))
    add(
        "--movement", choices=("Wq", "Wk", "Wv"), help=_("show it as a transformation of the plane")
    )
    add = group(_("for traces"))
    add(
        "--epoch",
        metavar="N",
        type=int,
        help=_("the nearest recorded epoch at or before N; the last one by default"),
    )
    add("--sample", metavar="N", type=int, help=_("a sample from 1; the first by default"))
    add("--layer", metavar="N", type=int, help=_("a layer from 1; the first by default"))
    add = group(_("for models"))
    add("--text", metavar="TEXT", help=_("the text that the model is run on"))
    add = group(_("for all"))
    add(
        "--head",
        metavar="N",
        type=head,
        help=_(
            "a head from 1, or average; for a scene 1 by default, for a trace average; for a "
            "model layer and head, such as 4.2"
        ),
    )
    add = parser.add_argument_group(_("for pictures that move")).add_argument
    add(
        "--animate",
        metavar="WHAT",
        nargs="?",
        const="",
        help=_(
            "into a .gif, .webp or .mp4 file: a trace is played, a lesson page by page; for "
            "a scene WHAT is another scene's file, or a number such as X[1,2]=-1..1"
        ),
    )
    add("--fps", metavar="N", type=frames_a_second, default=12, help=_("pictures a second, 12"))
    said = _("3; for a trace one picture per step, for a lesson 4 seconds per page")
    add("--seconds", metavar="X", type=seconds, help=said)
    add(
        "--loop",
        metavar="N",
        type=times,
        default=0,
        help=_("how many times it plays; 0 never stops"),
    )
    add = group(_("for figures in a paper"))
    add(
        "--width-mm",
        metavar="X",
        type=measure(*WIDTHS),
        help=_("a figure this many mm wide, 85 by default: one view alone"),
    )
    add(
        "--font-pt", metavar="X", type=measure(*SIZES), help=_("the size of its text, 8 by default")
    )
    add(
        "--palette",
        choices=PALETTES,
        help=_("its colours, colour-blind by default: told apart in every colour vision"),
    )
    asked = vars(parser.parse_args(words))
    figure = {key: asked.pop(key) for key in ("width_mm", "font_pt", "palette") if key in asked}
    if figure:
        if asked["animate"] is not None:
            raise Problem(N_("--animate: a figure for a paper does not move."))
        asked["figure"] = Figure(**figure)
    what, fps = asked.pop("animate"), asked.pop("fps")
    length, loop = asked.pop("seconds"), asked.pop("loop")
    if what is not None:
        asked["animation"] = Animation(what, fps, length, loop)
    file, path, dark = asked.pop("file"), asked.pop("path"), asked.pop("theme") == "dark"
    if what == "" and not file.suffix and not file.exists():
        file = lesson_called(str(file))
    importer = importer_for(file, NO_FILE)
    kind = importer.kind
    if what and kind in (Kind.TRACE, Kind.LESSON):
        raise Problem(
            N_("--animate {what}: {file} is played as it is; leave {what} out."),
            what=what,
            file=file.name,
        )
    if kind is Kind.LESSON and what is None:
        raise Problem(
            N_("{file} is a lesson: add --animate, and name a .gif, .webp or .mp4 file."),
            file=file.name,
        )
    # Said before anything is painted.
    (check_name if figure else painter_of if what is None else encoder_of)(path)
    if kind is Kind.LESSON:
        for option in (_OF_SCENES | _OF_TRACES | _OF_MODELS | {"head"}) & asked.keys():
            raise Problem(
                N_("--{option} is not for lessons, but {file} is one."),
                option=option,
                file=file.name,
            )
        return render_lesson(importer.load(file), path, dark=dark, **asked)
    if isinstance(asked.get("head"), tuple) is not (kind is Kind.MODEL) and "head" in asked:
        raise Problem(
            N_("--head: a model needs layer and head, such as 4.2; others take one number.")
        )
    if kind is Kind.MODEL and what is not None:
        raise Problem(
            N_("--animate is for scenes, traces and lessons, but {file} is a model."),
            file=file.name,
        )
    if kind is Kind.MODEL:
        for option in (_OF_SCENES | _OF_TRACES) - {"select"} & asked.keys():
            raise Problem(
                N_("--{option} is not for models, but {file} is one."),
                option=option,
                file=file.name,
            )
        render_model(file, path, dark=dark, **asked)
        return ()
    for option in _OF_MODELS & asked.keys():
        raise Problem(
            N_("--{option} is for models, but {file} is not a model."),
            option=option,
            file=file.name,
        )
    if kind is Kind.TRACE:
        trace = importer.load(file)
        for option in _OF_SCENES & asked.keys():
            raise Problem(
                N_("--{option} is for scenes, but {file} is a trace."),
                option=option,
                file=file.name,
            )
        render_trace(trace, path, title=file.stem, dark=dark, **asked)
        trace.close()
    else:
        scene = scene_of(file, importer)
        for option in _OF_TRACES & asked.keys():
            raise Problem(
                N_("--{option} is for traces, but {file} is a scene."),
                option=option,
                file=file.name,
            )
        render(scene, path, dark=dark, **asked)
    return ()
