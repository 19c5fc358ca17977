"""The pages' commands run, and all their options are told."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.app.actions import CENTRES
from explorer.app.main import make_window
from explorer.cli import main
from explorer.cli.render import MODEL_VIEWS, TRACE_VIEWS, VIEWS
from explorer.session import (
    Centre,
    read_scene,
)
from explorer.text import use_language
from explorer.traces import (
    LIMITS,
    Config,
    TraceFile,
)
from tests.models.made import BERT, GPT2, model_folder
from tests.project.pages.told import (
    ENGLISH,
    PROGRAM,
    ROOT,
    code,
    lines_of,
    prose,
    quoted,
    rows,
    shell_lines,
)
from tests.sampled import first_alone

Run = Callable[[list[str], Path], None]


def test_every_line_of_the_code_blocks_is_of_a_known_kind() -> None:
    setting_up = {"apt-get", "python", "python3", r".venv\Scripts\pip", ".venv/bin/pip"}
    opening = {rf".venv\Scripts\{PROGRAM}", f".venv/bin/{PROGRAM}"}
    for words in [*shell_lines(), *(line.split() for line in code("bat")[0].splitlines())]:
        assert words[0] in {"make", PROGRAM} | setting_up | opening
        if words[0] in opening:
            assert len(words) == 1
    assert {words[1] for words in lines_of(PROGRAM)} == {
        *(
            "compute",
            "render",
            "train",
            "sweep",
            "model",
            "info",
            "export",
            "handout",
            "worksheet",
            "share",
            "desktop",
        ),
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
        told = prose("commands").split("The JSON object has ")[1].split(".")[0]
        assert re.findall(r"`(\w+)`", told) == list(json.loads(printed))
    else:
        assert "\nweights\n" in printed


@pytest.fixture
def run(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in a folder."""

    def run(words: list[str], folder: Path) -> None:
        monkeypatch.chdir(folder)
        assert main(words[1:]) == 0

    return run


@pytest.mark.parametrize("words", lines_of(PROGRAM, "render"), ids=lambda words: words[4])
def test_a_render_command_paints_its_file(run: Run, words: list[str], tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    run(words, tmp_path)
    picture = QImage(str(tmp_path / words[words.index("-o") + 1]))
    assert not picture.isNull()
    if "--size" in words:
        assert picture.size().toTuple() == (1024, 768)


@pytest.mark.parametrize("words", lines_of(PROGRAM, "handout"), ids=lambda words: words[2])
def test_a_handout_command_writes_its_file(run: Run, words: list[str], tmp_path: Path) -> None:
    run(words, tmp_path)
    [path] = tmp_path.iterdir()
    reader = PdfReader(path)
    chinese, letter = ("zh" in words, "letter" in words)
    assert reader.metadata is not None
    title = "Ten questions, before and after" if "--variants" in words else "Scores by hand"
    assert reader.metadata.title == ("点积就是相似度" if chinese else title)
    assert round(reader.pages[0].mediabox.width) == (612 if letter else 595)


@pytest.mark.parametrize("words", lines_of(PROGRAM, "export"), ids=" ".join)
def test_an_export_command_writes_its_file(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    try:
        assert main(words[1:]) == 0
    finally:
        use_language("en")
    text = Path(words[words.index("-o") + 1]).read_text("utf-8")
    assert {".tex": r"s_{2,1} = ", ".py": "nn.Module", ".ipynb": "注意力"}[
        Path(words[words.index("-o") + 1]).suffix
    ] in text


@pytest.mark.parametrize("words", lines_of(PROGRAM, "worksheet"), ids=" ".join)
def test_a_worksheet_command_writes_its_file(run: Run, words: list[str], tmp_path: Path) -> None:
    run(words, tmp_path)
    [path] = tmp_path.iterdir()
    if path.suffix == ".pdf":
        assert len(PdfReader(path).pages) == 50
    elif path.suffix == ".xlsx":
        assert len(load_workbook(path).sheetnames) == 50
    else:
        assert read_scene(path).title == "Worksheet 4711-03"


# What offers a page until it is stopped is tried beside its server.
SHARED = [words for words in lines_of(PROGRAM, "share") if "--serve" not in words]


@pytest.mark.parametrize("words", SHARED, ids=" ".join)
def test_a_share_command_writes_its_page(run: Run, words: list[str], tmp_path: Path) -> None:
    run([str(ROOT / word) if "/" in word else word for word in words], tmp_path)
    [path] = tmp_path.iterdir()
    assert path.suffix == ".html"
    page = path.read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert f'<html lang="{"zh" if "zh" in words else "en"}">' in page


@pytest.mark.parametrize("words", lines_of(PROGRAM, "train"), ids=lambda words: words[-1])
def test_a_train_command_saves_its_trace(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corpus.txt").write_text("the cat eats\nthe dog barks\n", "utf-8")
    (tmp_path / "reviews.csv").write_text("text,target\nhow fine,good\n", "utf-8")
    told = dict(pairwise(words))
    if "--from" in told:
        assert main(["train", "-o", told["--from"], "--watch-every", told["--epoch"]]) == 0
    assert main(words[1:]) == 0
    trace = TraceFile(tmp_path / words[-1])
    first = {"corpus.txt": "the cat eats", "reviews.csv": "h o w f i n e good"}
    assert trace.run.corpus[0] == first.get(told.get("--corpus", ""), "cat likes fish")
    assert trace.run.config is not None
    assert trace.run.config.d_model == int(told.get("--d-model", Config().d_model))
    assert trace.epochs[-1] == int(told.get("--epochs", Config().epochs))
    assert (trace.samples.tolist() == [0, 1, 2, 5]) == ("--samples" in told)
    trace.close()


@pytest.mark.parametrize(
    "words", first_alone(lines_of(PROGRAM, "sweep")), ids=lambda words: words[-1]
)
def test_a_sweep_command_fills_its_folder(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words[1:]) == 0
    folder = Path(words[words.index("-o") + 1])
    assert folder.exists() == ("--plan" not in words)
    if folder.exists():
        names = (folder / "summary.csv").read_text().splitlines()[0].split(",")
        told = prose("commands").split("`summary.csv` has ")[1].split(". ")[0]
        assert names == ["learning_rate", *re.findall(r"`(\w+_\w+|seed|status)`", told)]


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small models in the folders that the pages name, beside the examples."""
    model_folder(tmp_path / "bert-base-uncased", BERT)
    model_folder(tmp_path / "gpt2", GPT2)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)


def keys_told(start: str) -> list[str]:
    return re.findall(r"`(\w+)`", prose("commands").split(start)[1].split(".")[0])


@pytest.mark.parametrize("words", lines_of(PROGRAM, "model"), ids=" ".join)
@pytest.mark.usefixtures("models")
def test_a_model_command_runs(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words[1:]) == 0
    printed = capsys.readouterr().out
    if "--json" not in words:
        assert "strongest pair" in printed
        return
    told = keys_told("This JSON object has ")
    if "--head" in words:
        told.remove("heads")
        told += keys_told("With `--head` there are ")
        told.remove("heads")
    elif "gpt2" in words:
        told += keys_told("A model that predicts the next token adds ")
    assert told == list(json.loads(printed))


@pytest.mark.parametrize("words", lines_of(PROGRAM, "info"), ids=" ".join)
@pytest.mark.usefixtures("models")
def test_an_info_command_tells(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words[1:]) == 0
    printed = capsys.readouterr().out
    if "--json" in words:
        trace = words[2].endswith(".safetensors")
        told = keys_told("Of a trace that JSON object has " if trace else "Of a folder it has ")
        assert told == list(json.loads(printed))
    else:
        assert "\nweights " in printed


def help_of(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "heading"),
    [
        ("render", "option"),
        ("train", "option of `train`"),
        ("sweep", "option of `sweep`"),
        ("handout", "option of `handout`"),
        ("model", "option of `model`"),
        ("worksheet", "option of `worksheet`"),
        ("share", "option of `share`"),
    ],
)
def test_the_options_of_a_command_are_all_told(
    command: str, heading: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = [quoted(cells[0]).split()[0] for cells in rows("commands", heading)]
    known = re.findall(r"^  (-o|--[a-z-]+) ", help_of(command, capsys), re.MULTILINE)
    if command == "sweep":  # the others are those of `train`
        known = [each for each in known if each not in of_train()]
    assert sorted(told) == sorted(known)


def of_train() -> set[str]:
    return {quoted(cells[0]).split()[0] for cells in rows("commands", "option of `train`")} - {
        *("-o", "--corpus", "--seed"),
    }


@pytest.mark.parametrize("command", re.findall("^## (.*)$", ENGLISH["commands"], re.MULTILINE))
def test_the_part_of_a_command_names_all_it_takes(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    [part] = re.findall(rf"^## {command}$(.*?)(?=^## |\Z)", ENGLISH["commands"], re.M | re.S)
    for option in re.findall(r"(?<!\w)--[a-z][a-z-]*", help_of(command, capsys)):
        assert option == "--help" or re.search(rf"(?<!\w){option}(?![\w-])", part), option


def test_the_views_are_all_told_and_there(capsys: pytest.CaptureFixture[str], qtbot: QtBot) -> None:
    window = make_window()
    qtbot.addWidget(window)
    pages = {}
    for centre in CENTRES:
        window.rooms.show_centre(centre)
        pages[centre.value] = window.pictures()
    window.rooms.show_centre(Centre.PLANE)
    names = [view for view in VIEWS if view not in pages]
    assert list(window.pictures()) == names
    for page, pictures in pages.items():
        assert list(pictures) == [page if name == "plane" else name for name in names]
    assert {*names, *pages} == set(VIEWS)
    window.show_train(warm=False)
    assert set(window.pictures()) == set(TRACE_VIEWS)
    window.rooms.show_model()
    assert set(window.pictures()) == set(MODEL_VIEWS)
    [told] = [cells[1] for cells in rows("commands", "option") if "--view" in cells[0]]
    assert tuple(re.findall(r"`(\w+)`", told)) == VIEWS + TRACE_VIEWS + MODEL_VIEWS
    helped = " ".join(help_of("render", capsys).split())
    assert f"for a scene: {', '.join(VIEWS)}; for a trace: {', '.join(TRACE_VIEWS)};" in helped


def test_the_parameters_of_train_are_within_the_limits_told() -> None:
    told = set()
    for cells in rows("commands", "option of `train`"):
        field = quoted(cells[0]).split()[0].removeprefix("--").replace("-", "_")
        if field in LIMITS:
            told.add(field)
            limit = LIMITS[field]
            least, most = re.search(r"([\d.,]+) to (\d[\d,]*(?:\.\d+)?)", cells[1]).groups()
            assert cells[1].startswith(f"{limit.label}, ")
            assert [number(least), number(most)] == [limit.least, limit.most]
            usual = getattr(Config(), field)
            assert usual is None or number(quoted(cells[2])) == usual
    assert told == set(LIMITS)


def number(text: str) -> float:
    return float(text.replace(",", ""))


def test_the_help_has_a_line_for_each_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    usage, commands = capsys.readouterr().out.split("\ncommands:\n")
    named = re.findall(rf"{PROGRAM} (\w+) ", usage)
    assert len(named) == len(set(named))
    for option in re.findall(r"^  (?:-., )?(--[a-z-]+)", usage, re.MULTILINE):
        assert f"{option}`" in ENGLISH["commands"]
    assert sorted(named) == sorted(re.findall("^## (.*)$", ENGLISH["commands"], re.MULTILINE))
    assert re.findall(r"^  (\w+) +[A-Z].*\.$", commands, re.MULTILINE) == named
