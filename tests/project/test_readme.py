"""The README says what is so: its commands run, its tables are complete, its pictures are made."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import msgspec
import numpy as np
import pytest
from pypdf import PdfReader
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from explorer.app.main import make_window
from explorer.app.render import TRACE_VIEWS, VIEWS
from explorer.app.workspace import CENTRES
from explorer.attention import Variant
from explorer.cli import main
from explorer.lessons.lesson import Lesson
from explorer.lessons.parts import IN_EXPLORE, IN_TRAIN
from explorer.lessons.read import read_lesson
from explorer.lessons.readings import holds
from explorer.lessons.runs import looks, watch_of
from explorer.lessons.schema import Quantity, Step, Watch
from explorer.lessons.steps import as_of, intents_of
from explorer.session import (
    Centre,
    Context,
    Options,
    Scene,
    Session,
    dump_scene,
    parse_scene,
    read_scene,
    resolve,
)
from explorer.text import Problem
from explorer.traces import (
    FORMAT,
    LIMITS,
    VERSION,
    Config,
    Run,
    TraceFile,
    array_spec,
    checks,
    parameter_names,
    schema,
)
from explorer.training import loop
from tests.app.run_desk import RunDesk

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
CHINESE = (ROOT / "README.zh.md").read_text("utf-8")
PICTURES = ROOT / "resources" / "pictures"
PROGRAM = "attention-explorer"
LARGEST_PICTURE = 300_000  # bytes


def code(language: str) -> list[str]:
    """Return the README's blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def shell_lines() -> list[list[str]]:
    return [
        words
        for block in code("sh")
        for line in block.splitlines()
        if (words := shlex.split(line, comments=True))
    ]


def lines_of(*first: str) -> list[list[str]]:
    return [words for words in shell_lines() if words[: len(first)] == [*first]]


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the README's table below a header row that begins so."""
    table = README.split(f"| {heading} |", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in line.split(" | ")] for line in table.splitlines()[2:]]


def quoted(cell: str) -> str:
    [name] = re.findall(r"`([^`]+)`", cell)[:1]
    return str(name)


# --- lessons -------------------------------------------------------------------------------------


def told_lesson(tmp_path: Path, number: int) -> Lesson:
    """Return one of the README's lessons."""
    path = tmp_path / "own.toml"
    path.write_text(code("toml")[number], "utf-8")
    lesson = read_lesson(path)
    assert all(isinstance(step, Step) for step in lesson.steps), lesson.steps
    return lesson


def test_the_lesson_of_the_readme_is_one(tmp_path: Path) -> None:
    lesson = told_lesson(tmp_path, 0)
    _first, second = lesson.steps
    scene, look, _selection = as_of(lesson, 1)
    session = Session(scene)
    session.look_at(look)
    assert isinstance(second, Step)
    assert second.task is not None
    assert not holds(second.task.check, session.frame)
    [edit] = second.task.solution
    assert edit.query == "cloud"
    moved = scene.X.copy()
    moved[3, 0] = edit.to
    assert holds(second.task.check, resolve(scene.replace(X=moved), look))


def test_the_readmes_lesson_about_a_trace_is_one(tmp_path: Path) -> None:
    lesson = told_lesson(tmp_path, 1)
    desk = RunDesk(tmp_path)
    for place, step in enumerate(lesson.steps):
        assert isinstance(step, Step)
        assert step.task is not None
        desk.do(*looks(watch_of(lesson, place), desk.frame))
        assert not holds(step.task.check, desk.frame)
        [edit] = step.task.solution
        desk.do(*intents_of(edit, desk.frame))
        assert holds(step.task.check, desk.frame)


def test_every_part_that_can_be_outlined_is_named() -> None:
    [told] = (cells[1] for cells in rows("step") if quoted(cells[0]) == "highlight")
    for names, parts in zip(told.split("of Train"), (IN_EXPLORE, IN_TRAIN), strict=True):
        assert set(re.findall(r"`(\w+)`", names)) == parts


def test_every_key_of_a_watch_is_named() -> None:
    [told] = (cells[1] for cells in rows("step") if quoted(cells[0]) == "watch")
    for field in msgspec.structs.fields(Watch):
        assert f"`{field.name}`" in told


def test_every_key_of_a_step_is_in_its_table() -> None:
    told = [name for cells in rows("step") for name in re.findall(r"`(\w+)`", cells[0])]
    assert set(told) == {field.name for field in msgspec.structs.fields(Step)}


def test_every_quantity_of_a_lesson_is_named() -> None:
    of_scenes = README.split("A number is named by `value` (")[1].split(")")[0]
    of_traces = README.split("Of a trace the numbers are ")[1].split(". They")[0]
    named = set(re.findall(r"`([^`]+)`", of_scenes + of_traces))
    named -= {"query", "key", "word", "column"}
    matrices = {"Wq", "Wk", "Wv", "Wo", "bq", "bk", "bv", "bo"}
    assert named == set(get_args(Quantity)) - matrices


# --- commands ------------------------------------------------------------------------------------


def test_every_line_of_the_code_blocks_is_of_a_known_kind() -> None:
    setting_up = {"apt-get", "python", "python3", r".venv\Scripts\pip", ".venv/bin/pip"}
    opening = {rf".venv\Scripts\{PROGRAM}", f".venv/bin/{PROGRAM}"}
    for words in [*shell_lines(), *(line.split() for line in code("bat")[0].splitlines())]:
        assert words[0] in {"make", PROGRAM} | setting_up | opening
        if words[0] in opening:
            assert len(words) == 1
    assert {words[1] for words in lines_of(PROGRAM)} == {
        *("compute", "render", "train", "info", "handout"),
    }


@pytest.mark.parametrize("words", lines_of("make"), ids=" ".join)
def test_make_knows_what_to_do(words: list[str]) -> None:
    # As from a terminal, whatever make runs these tests.
    variables = {k: v for k, v in os.environ.items() if k not in {"MAKEFLAGS", "MFLAGS"}}
    done = subprocess.run(
        [words[0], "-n", *words[1:]], cwd=ROOT, env=variables, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("words", lines_of(PROGRAM, "compute"), ids=" ".join)
def test_a_compute_command_runs(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(words[1:]) == 0
    printed = capsys.readouterr().out
    if "--json" in words:
        told = README.split("The JSON object has ")[1].split(".")[0]
        assert re.findall(r"`(\w+)`", told) == list(json.loads(printed))
    else:
        assert "\nweights\n" in printed


def run(*words: str, folder: Path) -> None:
    """Run the program in a process of its own, as it chooses its own screen."""
    done = subprocess.run(
        [sys.executable, "-m", "explorer", *words], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("words", lines_of(PROGRAM, "render"), ids=lambda words: words[4])
@pytest.mark.usefixtures("qapp")  # Qt reads SVG only where there is an application
def test_a_render_command_paints_its_file(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    run(*words[1:], folder=tmp_path)
    picture = QImage(str(tmp_path / words[words.index("-o") + 1]))
    assert not picture.isNull()
    if "--size" in words:
        assert picture.size().toTuple() == (1024, 768)


@pytest.mark.parametrize("words", lines_of(PROGRAM, "handout"), ids=lambda words: words[2])
def test_a_handout_command_writes_its_file(words: list[str], tmp_path: Path) -> None:
    run(*words[1:], folder=tmp_path)
    [path] = tmp_path.iterdir()
    reader = PdfReader(path)
    chinese, letter = ("zh" in words, "letter" in words)
    assert reader.metadata is not None
    assert reader.metadata.title == ("点积就是相似度" if chinese else "Scores by hand")
    assert round(reader.pages[0].mediabox.width) == (612 if letter else 595)


@pytest.mark.parametrize("words", lines_of(PROGRAM, "train"), ids=lambda words: words[-1])
def test_a_train_command_saves_its_trace(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corpus.txt").write_text("the cat eats\nthe dog barks\n", "utf-8")
    assert main(words[1:]) == 0
    trace = TraceFile(tmp_path / words[-1])
    told = dict(pairwise(words))
    assert trace.run.corpus[0] == ("the cat eats" if "--corpus" in told else "cat likes fish")
    assert trace.run.config is not None
    assert trace.run.config.d_model == int(told.get("--d-model", Config().d_model))
    assert trace.epochs[-1] == int(told.get("--epochs", Config().epochs))
    assert (trace.samples.tolist() == [0, 1, 2, 5]) == ("--samples" in told)
    trace.close()


@pytest.mark.parametrize("words", lines_of(PROGRAM, "info"), ids=" ".join)
def test_an_info_command_tells(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(words[1:]) == 0
    printed = capsys.readouterr().out
    if "--json" in words:
        told = README.split("That JSON object has ")[1].split(".")[0]
        assert re.findall(r"`(\w+)`", told) == list(json.loads(printed))
    else:
        assert "\nweights " in printed


def help_of(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "heading"),
    [("render", "option"), ("train", "option of `train`"), ("handout", "option of `handout`")],
)
def test_the_options_of_a_command_are_all_told(
    command: str, heading: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = [quoted(cells[0]).split()[0] for cells in rows(heading)]
    known = re.findall(r"^  (-o|--[a-z-]+) ", help_of(command, capsys), re.MULTILINE)
    assert sorted(told) == sorted(known)


def test_the_views_are_all_told_and_there(capsys: pytest.CaptureFixture[str], qtbot: QtBot) -> None:
    window = make_window()
    qtbot.addWidget(window)
    pages = {}
    for centre in CENTRES:
        window.pages.show_centre(centre)
        pages[centre.value] = window.pictures()
    window.pages.show_centre(Centre.PLANE)
    names = [view for view in VIEWS if view not in pages]
    assert list(window.pictures()) == names
    for page, pictures in pages.items():
        assert list(pictures) == [page if name == "plane" else name for name in names]
    assert {*names, *pages} == set(VIEWS)
    window.show_train(warm=False)
    assert set(window.pictures()) == set(TRACE_VIEWS)
    [told] = [cells[1] for cells in rows("option") if "--view" in cells[0]]
    assert tuple(re.findall(r"`(\w+)`", told)) == VIEWS + TRACE_VIEWS
    helped = " ".join(help_of("render", capsys).split())
    assert f"of a scene: {', '.join(VIEWS)}; of a trace: {', '.join(TRACE_VIEWS)};" in helped


def test_the_parameters_of_train_are_within_the_limits_told() -> None:
    of_option = {"lr": "learning_rate"}
    told = set()
    for cells in rows("option of `train`"):
        option = quoted(cells[0]).split()[0].removeprefix("--").replace("-", "_")
        field = of_option.get(option, option)
        if field in LIMITS:
            told.add(field)
            limit = LIMITS[field]
            least, most = re.search(r"([\d.,]+) to ([\d,]+)", cells[1]).groups()
            assert cells[1].startswith(f"{limit.label}, ")
            assert [number(least), number(most)] == [limit.least, limit.most]
            assert number(quoted(cells[2])) == getattr(Config(), field)
    assert len(told) == 7


def number(text: str) -> float:
    return float(text.replace(",", ""))


def test_the_help_has_a_line_for_each_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    usage, commands = capsys.readouterr().out.split("\ncommands:\n")
    named = re.findall(rf"{PROGRAM} (\w+) ", usage)
    assert set(named) == {"compute", "render", "train", "info", "handout"}
    assert re.findall(r"^  (\w+) +[A-Z].*\.$", commands, re.MULTILINE) == named


# --- the scene file ------------------------------------------------------------------------------


def full_scene() -> dict[str, Any]:
    """Return a scene file's fields with every key there can be beside tokens and X."""
    eye = np.eye(2)
    scene = Scene(
        ("a", "b"),
        eye,
        *(eye, eye, eye),
        *(np.ones(2), np.ones(2), np.ones(2)),
        Wo=eye,
        bo=np.ones(2),
        context=Context(("c",), np.ones((1, 2))),
        options=Options(
            scale=2.0,
            mask=np.ones((2, 1), bool),
            heads=2,
            temperature=0.5,
            position=eye,
            variant=Variant.AVERAGE,
        ),
        title="full",
        note="every key",
    )
    fields: dict[str, Any] = json.loads(dump_scene(scene))
    return fields


def flat(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields with those of groups beside them, such as "options.mask"."""
    made: dict[str, Any] = {}
    for key, value in fields.items():
        group = (
            {f"{key}.{inner}": each for inner, each in value.items()}
            if isinstance(value, dict)
            else {key: value}
        )
        made |= group
    return made


def test_the_example_opens(tmp_path: Path) -> None:
    [example] = code("json")
    (tmp_path / "example.json").write_text(example, "utf-8")
    scene = read_scene(tmp_path / "example.json")
    assert scene.title
    assert scene.options.mask == "causal"


def test_the_keys_of_a_scene_are_all_told() -> None:
    told = [quoted(cells[0]) for cells in rows("key")]
    assert len(told) == len(set(told))
    assert set(told) == set(flat(full_scene()))


def test_what_is_needed_is_needed_and_nothing_else() -> None:
    needed = {quoted(cells[0]) for cells in rows("key") if cells[2].startswith("needed")}
    fields = full_scene()
    parse_scene(json.dumps({key: fields[key] for key in needed}).encode(), "least")
    for key in needed:
        less = json.dumps({other: fields[other] for other in needed - {key}})
        with pytest.raises(Problem):
            parse_scene(less.encode(), "less")


def test_the_defaults_are_those_told() -> None:
    told = {quoted(cells[0]): cells[2].rstrip("| ") for cells in rows("key")}
    least = json.dumps({key: full_scene()[key] for key in ("format", "version", "tokens", "X")})
    filled = flat(json.loads(dump_scene(parse_scene(least.encode(), "least"))))
    for key, default in told.items():
        if re.fullmatch("`.*`", default):
            assert filled[key] == json.loads(default.strip("`"))
        elif default != "needed":
            assert key not in filled


# --- the trace file ------------------------------------------------------------------------------


def test_a_trace_opens_from_python_in_five_lines() -> None:
    [program] = code("python")
    assert len(program.replace("\n\n", "\n").splitlines()) == 5
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    vocabulary, weights = done.stdout.split("\n", 1)
    trace = TraceFile(ROOT / "examples" / "tiny-transformer.safetensors")
    assert vocabulary == str(list(trace.run.vocabulary))
    assert trace.epochs[6] == 30
    assert weights.strip() == str(trace.array("weights", 6, sample=0, layer=0, head=1))
    trace.close()


def arrays_told() -> dict[str, list[str]]:
    """Return the README's row for each array, by its name."""
    told: dict[str, list[str]] = {}
    for cells in rows("array"):
        for name in re.findall(r"`([^`]+)`", cells[0]):
            assert name not in told
            told[name] = cells
    return told


def test_the_arrays_of_a_trace_are_all_told() -> None:
    config = Config()
    known = {
        *schema.REQUIRED,
        *schema.ACTIVATIONS,
        *checks.BASIS,
        *("targets", "samples", "scalar.epoch", "scalar.loss", "scalar.accuracy", "scalar.NAME"),
        *(f"param.{name}".replace(".0.", ".i.") for name in parameter_names(config)),
    }
    trace = TraceFile(ROOT / "examples" / "tiny-transformer.safetensors")
    assert {name.replace(".0.", ".i.") for name in trace.layout} < known
    trace.close()
    assert arrays_told().keys() == known


def test_the_arrays_of_a_trace_are_as_told() -> None:
    for name, cells in arrays_told().items():
        spec = array_spec(name.replace(".i.", ".0."))
        assert spec is not None
        assert cells[1] == spec.kind, name
        assert quoted(cells[2]) == " ".join(spec.shape), name
        assert ("needed" in cells[3]) == spec.required, name


def test_the_metadata_of_a_trace_is_as_told() -> None:
    told = {quoted(cells[0]): cells[2].rstrip("| ").strip("`") for cells in rows("key of `run`")}
    needed = {name for name, default in told.items() if default == "needed"}
    assert told.keys() == set(Run.__struct_fields__)
    least = msgspec.json.decode(json.dumps({key: ["a"] for key in needed}), type=Run)
    assert told == dict.fromkeys(needed, "needed") | {
        name: json.dumps(value)
        for name, value in json.loads(msgspec.json.encode(least)).items()
        if name not in needed
    }
    assert f"`format` is `{FORMAT}`, `version` is `{VERSION}`" in README


def test_the_device_rule_is_as_told() -> None:
    rule = README.split('**Device.** "auto"')[1].split("\n\n")[0]
    [accelerator, threads] = re.findall(r"(\d+) million", rule)
    assert int(accelerator) * 10**6 == loop.WORK_FOR_ACCELERATOR
    assert int(threads) * 10**6 == loop.WORK_FOR_THREADS


# --- pictures ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def painted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the script of `make pictures` has just painted the pictures into."""
    folder = tmp_path_factory.mktemp("pictures")
    done = subprocess.run(
        ["sh", "scripts/pictures.sh", sys.executable, "-m", "explorer"],
        cwd=ROOT,
        env=os.environ | {"PICTURES": str(folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return folder


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*.png")}


def test_every_picture_has_its_place_and_its_words(painted: Path) -> None:
    shown = []
    for text in (README, CHINESE):
        here = re.findall(r"!\[[^\]]+\]\(resources/pictures/([\w/-]+\.png)\)", text)
        assert len(here) == text.count("![") == len(set(here))
        shown += here
    assert set(shown) == names(PICTURES) == names(painted)


def test_pictures_are_as_the_script_paints_them(painted: Path) -> None:
    for name in names(painted):
        kept = PICTURES / name
        assert kept.stat().st_size < LARGEST_PICTURE, name
        assert QImage(str(kept)).size() == QImage(str(painted / name)).size(), name


def test_a_picture_still_shows_what_the_program_shows(painted: Path) -> None:
    # The plane has few words, so that other fonts change it little: by 0.4 of 255 where they were
    # tried, while another selected token changes it by 2.
    kept, made = (coarse(folder / "outputs.png") for folder in (PICTURES, painted))
    assert np.abs(kept - made).mean() < 1.2, "make pictures paints the pictures again"


def coarse(path: Path) -> np.ndarray:
    """Return a picture in 48 × 30 cells, each the mean of its pixels, as floats to 255."""
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB888)
    small = image.scaled(
        48,
        30,
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )
    pixels = np.frombuffer(small.constBits(), np.uint8).reshape(30, small.bytesPerLine())
    return pixels[:, : 48 * 3].astype(float)
