"""The command `share`: one HTML page that needs no installation."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event

from explorer.cli.arguments import add_path
from explorer.importers import SCENES, Kind, importer_of
from explorer.text import N_, Message, Problem, _, language, languages, use_language


def share(parser: argparse.ArgumentParser, words: Sequence[str]) -> tuple[Message, ...]:
    """Write a page as `words` say; return what is wrong with its steps. Raises Problem."""
    add = parser.add_argument
    add("file", metavar="FILE", help=_("a scene file, a trace file, or a lesson as for handout"))
    add_path(parser, _("a .html file"), required=False)
    add(
        "--serve",
        action="store_true",
        help=_("offer the page on the network, with its address and a QR code, until Ctrl-C"),
    )
    add("--port", metavar="N", type=int, help=_("for --serve; 8000 or a free one by default"))
    add(
        "--language",
        choices=tuple(languages()),
        default=language(),
        help=_("in which the page opens; that of the window by default"),
    )
    asked = parser.parse_args(words)
    if asked.path is None and not asked.serve:
        raise Problem(N_("Name a file with -o, or offer the page on the network with --serve."))
    if asked.path is not None and asked.path.suffix.lower() not in (".html", ".htm"):
        raise Problem(N_("{path}: a page's name ends in .html."), path=asked.path)
    use_language(asked.language)

    from explorer.session.scene_file import write_bytes

    made, wrong = _page(asked.file)
    if asked.path is not None:
        write_bytes(made, asked.path)
    if asked.serve:
        _serve(made, asked.port)
    return wrong


def _serve(page: bytes, port: int | None) -> None:
    """Offer a page until Ctrl-C."""
    from explorer.share.serve import qr_code, serving

    with suppress(KeyboardInterrupt), serving(page, port) as address:
        print(qr_code(address))
        print(address)
        print(_("Everyone on this network can open the page. Press Ctrl-C to stop."), flush=True)
        Event().wait()


def _page(name: str) -> tuple[bytes, tuple[Message, ...]]:
    """Return the page of a scene, a trace or a lesson, and what is wrong with its steps."""
    path = Path(name)
    importer = importer_of(path) if path.exists() else None
    if importer is None or importer.kind is Kind.LESSON:
        if importer is None and path.suffix.lower() == ".json":
            SCENES.load(path)  # says that there is none
        from explorer.cli.render import without_screen
        from explorer.lessons.lesson_index import lesson_called
        from explorer.lessons.read import read_lesson

        without_screen()
        from explorer.app.lessons.shared import lesson_page

        return lesson_page(read_lesson(lesson_called(name)))
    if importer.kind is Kind.TRACE:
        from explorer.share.trace_page import trace_page

        trace = importer.load(path)
        try:
            return trace_page(trace, path.stem), ()
        finally:
            trace.close()
    from explorer.share.scene_page import scene_page

    return scene_page((importer if importer.kind is Kind.SCENE else SCENES).load(path)), ()
