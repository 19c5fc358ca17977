"""The command line: what is asked for, and how a problem is told."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer import __version__
from explorer.cli.arguments import (
    Parser,
    add_language,
    add_paper,
    add_path,
    head_of,
    ids,
    translate_parser,
)
from explorer.cli.files import NO_FILE, NO_SCENE, importer_for, scene_of
from explorer.processes import has_display
from explorer.text import (
    N_,
    Message,
    Problem,
    _,
    displayable,
    first_spoken,
    system_languages,
    use_language,
    why_refused,
)

PROGRAM = "attention-explorer"
FAULTY = 1  # the exit status where something was written, but not all of it is as it should be
FAILED = 2  # that of whatever could not be done
_NO_TRACE = N_("{file} is not a trace file: name one, or the folder of a sweep or a model.")
_NO_MODEL = N_(
    "{file} is a folder, but not a sweep's or a model's: name a trace file or such a folder."
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program as `argv` says (the process's own arguments by default).

    Returns the exit status: 0; 1 where what was written has faults, each told on standard error;
    or 2 with one sentence there.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        # A name that cannot be written on this terminal must not end the program.
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        _speak()
        command = _COMMANDS.get(words[0]) if words else None
        try:
            return _window(words) if command is None else command.run(words[1:]) or 0
        finally:
            if sys.stdout is not None:  # without one nothing was printed
                sys.stdout.flush()
    except Problem as problem:
        print(f"{PROGRAM}: {problem}", file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        _print_no_more()  # the reader has seen enough
        return 1
    except OSError as error:
        if error.filename is None:
            _print_no_more()
        place = displayable(str(error.filename or _("standard output")), 64)
        print(f"{PROGRAM}: {place}: {why_refused(error)}.", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return 130


def _print_no_more() -> None:
    """Let nothing more be written to standard output, not even at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _speak() -> None:
    """Say everything in the language that the window was last set to, or in the system's."""
    from explorer.app.settings import remembered_language

    use_language(first_spoken([remembered_language(), *system_languages()]))
    translate_parser()


def _window(words: Sequence[str]) -> int:
    width = max(map(len, _COMMANDS)) + 2
    parser = Parser(
        prog=PROGRAM,
        usage="\n       ".join(
            f"{PROGRAM} {rest}"
            for rest in ("[FILE]", *(f"{name} {each.usage}" for name, each in _COMMANDS.items()))
        ),
        description=_(
            "See one attention computation completely and change any number of it; watch a tiny"
            " Transformer learn."
        ),
        epilog="\n".join(
            (
                _("commands:"),
                *(f"  {name.ljust(width)}{_(each.what)}" for name, each in _COMMANDS.items()),
                "",
                _("Each command has its own --help. A file called compute is opened as ./compute."),
            )
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        type=Path,
        help=_("a scene, a trace, a lesson or a worksheet's number to open in the window"),
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"%(prog)s {__version__}",
        help=_("show program's version number and exit"),
    )
    from explorer.worksheets import names_sheet

    file = parser.parse_args(words).file
    if file is not None and not names_sheet(file):
        importer_for(file, NO_FILE)
    return _open_window(file, "render FILE -o FILE.png")


def _open_window(file: Path | None, instead: str) -> int:
    """Open the window and return its exit status; where there is no display, name a command."""
    if not has_display():
        raise Problem(
            N_("There is no display to open a window on; {command} paints one into a file."),
            command=f'"{PROGRAM} {instead}"',
        )
    from explorer.app.main import run

    return run(file)


def _compute(words: Sequence[str]) -> None:
    parser = _parser("compute")
    parser.add_argument("scene", metavar="SCENE", type=Path, help=_("a scene file"))
    parser.add_argument(
        "--json", action="store_true", help=_("print JSON with every digit, not tables")
    )
    asked = parser.parse_args(words)

    from explorer.cli.compute import as_json, as_tables
    from explorer.session import compute

    scene = scene_of(asked.scene, importer_for(asked.scene, NO_SCENE))
    made = as_json if asked.json else as_tables
    from tqdm import tqdm

    # Where standard error is a terminal that shows nothing else.
    shown = sys.stdout is not None and sys.stdout.isatty()
    lines = made(scene, compute(scene))
    for line in tqdm(lines, unit=_(" lines"), disable=shown or None, leave=False):
        print(line)


def _handout(words: Sequence[str]) -> int:
    parser = _parser("handout")
    parser.epilog = _(
        "An error in a step is printed in its place and on standard error; the exit "
        "status is then 1."
    )
    add = parser.add_argument
    add(
        "lesson",
        metavar="LESSON",
        help=_("a lesson file, or the number or name of one that comes with the program"),
    )
    add_path(parser, _("a .pdf file"))
    add_language(parser)
    add_paper(parser)
    add("--answers", action="store_true", help=_("add the answers, on a page of their own"))
    add(
        "--variants",
        type=int,
        metavar="N",
        help=_("1 to 200 copies of what the lesson asks, each with different numbers"),
    )
    add("--seed", type=int, metavar="N", help=_("the same seed gives the same variants"))
    asked = parser.parse_args(words)

    from explorer.cli.handout import handout

    return _faulty(handout(asked))


def _faulty(wrong: Sequence[Message]) -> int:
    """Tell what is wrong with what was written; return the exit status."""
    for each in wrong:
        print(f"{PROGRAM}: {each}", file=sys.stderr)
    return FAULTY if wrong else 0


def _info(words: Sequence[str]) -> None:
    parser = _parser("info")
    parser.add_argument(
        "file",
        metavar="FILE",
        type=Path,
        help=_("a trace file, or the folder of a sweep or a model"),
    )
    parser.add_argument("--json", action="store_true", help=_("print JSON, not a description"))
    asked = parser.parse_args(words)
    if asked.file.is_dir():
        _folder_info(asked.file, asked.json)
        return

    from explorer.cli.info import as_json, as_table
    from explorer.importers import SCENES, Kind, importer_of
    from explorer.importers.sniffs import begin_of
    from explorer.traces import TraceFile

    known = importer_of(asked.file)
    damaged = known is SCENES and asked.file.suffix.lower() == ".safetensors"
    if begin_of(asked.file, 1) and known.kind is not Kind.TRACE and not damaged:
        raise Problem(_NO_TRACE, file=displayable(asked.file.name))
    trace = TraceFile(asked.file)
    made = as_json if asked.json else as_table
    for line in made(trace):
        print(line)
    trace.close()


def _folder_info(folder: Path, json: bool) -> None:
    from explorer.sweeps.folder import SweepFolder, is_sweep_folder

    if is_sweep_folder(folder):
        from explorer.cli.sweep_info import info_json, info_table

        for line in (info_json if json else info_table)(SweepFolder(folder)):
            print(line)
        return
    from explorer.models.model import is_model_folder, load

    if not is_model_folder(folder):
        raise Problem(_NO_MODEL, file=folder.name or str(folder))
    from explorer.cli.model import model_json, model_table

    for line in (model_json if json else model_table)(load(folder)):
        print(line)


def _model(words: Sequence[str]) -> None:
    parser = _parser("model")
    add = parser.add_argument
    add("folder", metavar="FOLDER", type=Path, help=_("a model's folder"))
    add("--text", metavar="TEXT", help=_("the text that the model is run on"))
    add(
        "--ids",
        metavar="N,N",
        type=ids,
        help=_("token numbers in place of a text, for a folder without a tokenizer"),
    )
    add("--head", metavar="L.H", type=head_of, help=_("print one head: layer and head from 1"))
    add(
        "--off",
        metavar="L.H",
        type=head_of,
        nargs="+",
        action="extend",
        default=[],
        help=_("switch heads off: their output counts as zeros"),
    )
    add(
        "--effect",
        metavar="WORD",
        help=_("print how each head, switched off alone, changes the probability of this word"),
    )
    add("--json", action="store_true", help=_("print JSON with every digit, not tables"))
    asked = parser.parse_args(words)
    if (asked.text is None) == (asked.ids is None):
        raise Problem(N_("Give either a text with --text or token numbers with --ids."))

    from explorer.cli.model import run_json, run_table
    from explorer.models.model import load

    model = load(asked.folder)
    run = model.run(asked.text, ids=asked.ids, off=asked.off)
    what = None
    if asked.effect is not None:
        from explorer.models.effects import followed, token_of

        what = followed(run, token_of(model, asked.effect))
    for line in (run_json if asked.json else run_table)(run, asked.head, what):
        print(line)


def _sweep(words: Sequence[str]) -> int:
    from explorer.cli.sweep import sweep

    return sweep(_parser("sweep"), words)


def _train(words: Sequence[str]) -> None:
    from explorer.cli.train import command

    command(_parser("train"), words)


def _render(words: Sequence[str]) -> int:
    from explorer.cli.render_command import render_command

    return _faulty(render_command(_parser("render"), words))


def _desktop(words: Sequence[str]) -> None:
    parser = _parser("desktop")
    parser.add_argument("--remove", action="store_true", help=_("remove what was installed"))
    asked = parser.parse_args(words)
    from explorer.cli.desktop import data_home, install, remove

    for path in (remove if asked.remove else install)(data_home()):
        print(path)


def _export(words: Sequence[str]) -> None:
    from explorer.cli.export import export

    export(_parser("export"), words)


def _worksheet(words: Sequence[str]) -> int:
    from explorer.cli.worksheet import worksheet

    number = worksheet(_parser("worksheet"), words)
    if number is None:
        return 0
    return _open_window(Path(number), f"worksheet {number} -o FILE.pdf")


def _share(words: Sequence[str]) -> int:
    from explorer.cli.share import share

    return _faulty(share(_parser("share"), words))


def _parser(name: str) -> argparse.ArgumentParser:
    """Return the parser of a command, still without its arguments."""
    return Parser(prog=f"{PROGRAM} {name}", description=_(_COMMANDS[name].what))


@dataclass(frozen=True)
class _Command:
    """A command: what carries it out, its arguments in short, and what it does in a sentence.

    What carries it out may return an exit status.
    """

    run: Callable[[Sequence[str]], int | None]
    usage: str
    what: str


_COMMANDS = {
    "compute": _Command(
        _compute, "SCENE [--json]", N_("Print every intermediate result of a scene's attention.")
    ),
    "desktop": _Command(
        _desktop,
        "[--remove]",
        N_("Add the program to the desktop's menu, and open its files with a double click."),
    ),
    "export": _Command(
        _export,
        "SCENE -o FILE [...]",
        N_("Write a scene with all results as code, a notebook, LaTeX, Markdown or CSV."),
    ),
    "handout": _Command(
        _handout, "LESSON -o FILE.pdf [...]", N_("Write a lesson as a PDF to be printed.")
    ),
    "info": _Command(
        _info,
        "FILE [--json]",
        N_("Print what a trace file, or the folder of a sweep or a model, contains."),
    ),
    "model": _Command(
        _model, "FOLDER --text TEXT [...]", N_("Run a model on a text and print its attention.")
    ),
    "render": _Command(
        _render,
        "FILE -o FILE.png [...]",
        N_("Paint a scene, a trace, a model or a lesson, as the window shows it, into a picture."),
    ),
    "share": _Command(
        _share,
        "FILE [-o FILE.html] [--serve] [...]",
        N_("Write a scene, a run or a lesson as one HTML page that needs no installation."),
    ),
    "sweep": _Command(
        _sweep,
        "--vary FIELD=A,B --seeds LIST -o FOLDER [...]",
        N_("Train many runs that differ in parameters and seed, and keep their results."),
    ),
    "train": _Command(
        _train, "[--corpus FILE] [...] -o FILE", N_("Train a tiny Transformer and save the trace.")
    ),
    "worksheet": _Command(
        _worksheet,
        "[NUMBER] [-o FILE.pdf] [...]",
        N_("Write attention to be computed by hand, each copy with different numbers."),
    ),
}
