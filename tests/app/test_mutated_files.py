"""Every kind of file that is read, with anything changed in it: it opens, or one sentence says why.

Lessons have a test of their own (`test_mutated_lessons.py`), and so have the headers of traces
(`tests/traces/test_broken_files.py`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

from explorer.app import settings
from explorer.app.recovery import Recovery
from explorer.importers import importer_of
from explorer.models import load
from explorer.resources import example
from explorer.session import (
    Centre,
    Look,
    Role,
    Scene,
    Selection,
    Stage,
    compute,
    dump_scene,
    read_scene,
)
from explorer.session.scene_view import View
from explorer.sweeps.folder import SweepFolder, create
from explorer.sweeps.plan import made_plan
from explorer.sweeps.work import Done
from explorer.text import Problem
from explorer.traces import (
    DEFAULT_CORPUS,
    Config,
    SpoolTrace,
    abandoned_runs,
    parse_corpus,
    read_corpus_text,
)
from explorer.worksheets import Choices, made_sheet
from explorer.worksheets.spreadsheet import xlsx
from tests.app.test_recovery import leave_behind, small_scene
from tests.models.made import model_folder
from tests.mutations import opened_or_refused
from tests.traces.made import saved, spooled, step_of

TIMES = 60
Made = tuple[list[Path], Callable[[], object]]  # files, and what opens them and reads it all


def file_of(path: Path) -> Made:
    """Open a file as the program does, whatever its content says it is."""

    def opened() -> None:
        found = importer_of(path).load(path)
        if isinstance(found, Scene):
            for _head in compute(found).weights:
                pass

    return [path], opened


def scene(folder: Path, name: str, *, viewed: bool = False) -> Made:
    path = folder / "scene.json"
    made = read_scene(example(name))
    if viewed:
        look = replace(Look().at_stage(Stage.A), centre=Centre.COMPARE, pinned=(1, 0))
        made = made.replace(view=View(look, Selection(Role.A, 0, 1)))
    path.write_bytes(dump_scene(made))
    return file_of(path)


def table(folder: Path, name: str, mark: str) -> Made:
    path = folder / name
    rows = ("X,,,Wq,,Wk,,Wv,", "cat,2,0,1,2,2,-1,1,0", "fish,-1,0.5,1e-3,1,1,1,0,1")
    path.write_text("\n".join(rows).replace(",", mark), "utf-8")
    return file_of(path)


def workbook(folder: Path) -> Made:
    path = folder / "table.xlsx"
    path.write_bytes(xlsx([made_sheet(Choices(), 4711)]))
    return file_of(path)


def arrays(folder: Path, name: str) -> Made:
    path = folder / name
    X = np.arange(6.0).reshape(3, 2)
    if path.suffix == ".npy":
        np.save(path, X)
    else:
        weights = {"weights": np.full((1, 2, 3, 3), 1 / 3)}
        np.savez(
            path,
            **(
                {"X": X, **dict.fromkeys(("Wq", "Wk", "Wv"), np.eye(2))}
                if name == "scene.npz"
                else weights
            ),
        )
    return file_of(path)


def trace(folder: Path) -> Made:
    saved(folder / "run.safetensors").close()
    return file_of(folder / "run.safetensors")


def run_folder(folder: Path) -> Made:
    path = folder / "runs" / "run"
    spooled(path, {0: step_of(), 5: step_of(seed=1)}).close()

    def opened() -> None:
        found, problems = abandoned_runs(path.parent)
        assert len(found) + len(problems) <= 1
        run = SpoolTrace(path)
        try:
            for step in range(run.recorded):
                run.array("weights", step)
            if "scalar.loss" in run.names:
                run.scalars("loss")
            if run.problem is not None:
                raise run.problem
        finally:
            run.close()

    return sorted(each for each in path.iterdir() if each.stat().st_size), opened


def sweep_folder(folder: Path) -> Made:
    path = folder / "sweep"
    config = Config(epochs=3, d_model=4, device="cpu")
    plan = made_plan(config, {"heads": (1, 2)}, (4, 5), parse_corpus(DEFAULT_CORPUS))
    with_results = create(path, plan)
    for chunk, runs in enumerate(plan.chunks):
        ones = np.ones((len(runs), config.epochs + 1))
        with_results.write_part(chunk, Done(ones, ones, np.ones((len(runs), 5))))
    with_results.write_table(with_results.results())
    with_results.close()

    def opened() -> None:
        found = SweepFolder(path)
        assert found.table(found.results())
        for chunk in found.parts():
            found.part(chunk)

    return [path / "sweep.json", *sorted((path / "parts").iterdir())], opened


def tensors(folder: Path) -> Made:
    path = folder / "weights.safetensors"
    names = {"tokens": json.dumps(["a", "b", "c"]), "key_tokens": json.dumps(["x", "y", "z"])}
    save_file({"weights": np.full((1, 2, 3, 3), 1 / 3, np.float32)}, path, names)
    return file_of(path)


def model(folder: Path, *, parted: bool = False) -> Made:
    made = model_folder(folder)
    if parted:
        whole = (made / "model.safetensors").rename(made / "part.safetensors")
        with safe_open(whole, "numpy") as file:
            parts = dict.fromkeys(file.keys(), whole.name)
        index = {"metadata": {}, "weight_map": parts}
        (made / "model.safetensors.index.json").write_text(json.dumps(index), "utf-8")

    def opened() -> None:
        with np.errstate(all="ignore"):  # of changed weights anything may come
            load(made).run("the cat sat").head(1, 1)

    return sorted(made.iterdir()), opened


def corpus(folder: Path, name: str, text: str) -> Made:
    path = folder / name
    path.write_text(text, "utf-8")
    return [path], lambda: parse_corpus(read_corpus_text(path))


def kept_settings(_folder: Path) -> Made:
    path = settings.settings_file()
    path.parent.mkdir(parents=True)
    kept = settings.Settings(theme="dark", percent=150, recent=("/a/b.json",))
    settings.store(kept)

    def opened() -> None:
        told: list[Problem] = []
        settings.load(told.append)
        settings.remembered_language()
        if told:
            raise told[0]

    return [path], opened


def recovery(_folder: Path) -> Made:
    leave_behind(small_scene())
    folder = settings.data_folder() / "recovery"
    (path,) = folder.glob("*.json")

    def opened() -> None:
        window = Recovery()
        found, problems = window.abandoned()
        for each in found:
            each.take()
        if window._claim is not None:  # this window dies too
            window._claim._lock.release()
        if problems:
            raise problems[0]

    return [path], opened


KINDS: dict[str, Callable[[Path], Made]] = {
    "scene 1": lambda folder: scene(folder, "cat-likes-fish.json"),
    "scene 2": lambda folder: scene(folder, "batch-of-three.json"),
    "scene 3": lambda folder: scene(folder, "two-heads.json", viewed=True),
    "CSV": lambda folder: table(folder, "table.csv", ","),
    "TSV": lambda folder: table(folder, "table.tsv", "\t"),
    "XLSX": workbook,
    "NPY": lambda folder: arrays(folder, "X.npy"),
    "NPZ": lambda folder: arrays(folder, "scene.npz"),
    "attention": lambda folder: arrays(folder, "weights.npz"),
    "trace": trace,
    "run": run_folder,
    "sweep": sweep_folder,
    "attention tensors": tensors,
    "model": model,
    "model in parts": lambda folder: model(folder, parted=True),
    "corpus": lambda folder: corpus(folder, "corpus.txt", DEFAULT_CORPUS),
    "corpus table": lambda folder: corpus(folder, "c.csv", 'text,target\na b,c\n"b, c",a\n'),
    "settings": kept_settings,
    "recovery": recovery,
}


@pytest.mark.parametrize("kind", list(KINDS))
def test_whatever_is_changed_it_opens_or_one_sentence_says_why(kind: str, tmp_path: Path) -> None:
    files, opened = KINDS[kind](tmp_path)
    refused = opened_or_refused(files, opened, TIMES, seed=7)
    assert refused > TIMES // 20
