"""Files in Train: what is no run is one sentence, and what was open stays."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from explorer.app.dialogs import QtDialogs
from explorer.app.train import EXAMPLE, TraceDocument
from explorer.resources import example
from explorer.session.train import TrainCentre, TrainSession
from explorer.traces import Mark, TraceFile
from tests.window.trained import assert_shows, seen, title


def broken_files(folder: Path) -> dict[str, Path]:
    """Make files that are no runs, each in its own way."""
    sound = example(EXAMPLE).read_bytes()
    header = int.from_bytes(sound[:8], "little")
    made = {
        "cut short": sound[:-100],
        "cut in the header": sound[:200],
        "a header longer than the file": (2**40).to_bytes(8, "little") + sound[8:],
        "no JSON": sound[:8] + b"{" * header + sound[8 + header :],
        "another version": sound.replace(b'"version":"1"', b'"version":"7"', 1),
        "an array that is not there": sound.replace(b'"weights"', b'"weighty"', 1),
        "empty": b"",
    }
    paths = {}
    for number, (name, data) in enumerate(made.items()):
        paths[name] = folder / f"broken{number}.safetensors"
        paths[name].write_bytes(data)
    return paths


def test_what_is_no_run_is_one_sentence_and_what_was_open_stays(learner, tmp_path):
    before, trace = title(learner), learner.frame.trace
    for name, path in broken_files(tmp_path).items():
        learner.page.error_bar.hide()
        learner.window.open_file(path)
        learner.settle()
        sentence = learner.page.error_bar.sentence
        assert path.name in sentence, name
        assert sentence.count(". ") <= 1, name
        assert learner.frame.trace is trace, name
        assert title(learner) == before, name
        assert learner.window.rooms.training, name


def test_what_is_said_of_a_file_stays_when_the_next_run_is_changed(learner, tmp_path):
    path = broken_files(tmp_path)["empty"]
    learner.window.open_file(path)
    sentence = learner.page.error_bar.sentence
    assert path.name in sentence
    learner.type_parameter("seed", "8")
    assert learner.frame.config.seed == 8
    assert learner.page.error_bar.sentence == sentence


def test_a_file_cut_short_while_it_is_open_is_a_sentence(learner, tmp_path):
    file = Path(shutil.copy(example(EXAMPLE), tmp_path / "mine.safetensors"))
    learner.window.open_file(file)
    learner.scrub(50)
    good = seen(learner)["maps"]
    os.truncate(file, 5000)
    learner.scrub(100)
    assert "mine" in learner.page.notice.sentence
    assert seen(learner)["maps"] == good
    learner.scrub(150)
    for page in TrainCentre:
        learner.push(learner.page.bar.pages.button(page))
    file.unlink()
    learner.scrub(25)
    assert learner.page.notice.sentence
    learner.room.document.open_example()
    learner.settle()
    assert learner.page.notice.sentence == ""


def test_a_step_without_numbers_is_marked_and_the_file_opens(learner, tmp_path):
    arrays = dict(load_file(example(EXAMPLE)))
    with safe_open(example(EXAMPLE), "np") as file:
        metadata = file.metadata()
    metadata.pop("basis", None)
    arrays["weights"][-1] = np.nan
    path = tmp_path / "bad-end.safetensors"
    save_file(arrays, path, metadata)
    learner.window.open_file(path)
    learner.settle()
    assert learner.room.document.title == "bad-end"
    assert learner.page.notice.sentence
    epochs = arrays["epochs"].tolist()
    learner.scrub(epochs[3])
    assert learner.page.notice.sentence == ""
    assert_shows(learner, arrays, epochs[3])
    learner.scrub(epochs[-1])
    assert learner.page.notice.sentence


def test_a_name_and_marks_are_saved_with_a_run_and_asked_about(learner, monkeypatch, tmp_path):
    path = Path(shutil.copy(example(EXAMPLE), tmp_path / "mine.safetensors"))
    learner.window.open_file(path)
    session, document = learner.session, learner.room.document
    asked: list[str] = []
    answers = ["cancel", "save"]

    def ask(_self: QtDialogs, title: str) -> str:
        asked.append(title)
        return answers[len(asked) - 1]

    monkeypatch.setattr(QtDialogs, "ask_unsaved", ask)
    assert not learner.window.isWindowModified()
    assert document.may_close()
    session.rename(session.frame.shown, "seven")
    session.mark(30, "all correct")
    learner.settle()
    assert learner.window.isWindowModified()
    session.undo()
    session.undo()
    learner.settle()
    assert not learner.window.isWindowModified()
    session.redo()
    session.redo()
    assert not document.may_close()
    assert document.may_close()
    assert asked == ["seven", "seven"]
    assert document.may_close()  # it stands in the file now
    with safe_open(path, "numpy") as file:
        assert file.metadata()["name"] == "seven"
    again = TrainSession()
    again.show(TraceFile(path), "mine")
    card = again.frame.runs[0]
    assert again.frame.name_of(card) == "seven"
    assert again.frame.marks_of(card.key) == (Mark(30, "all correct"),)


def test_every_example_opens(learner):
    for name, called in TraceDocument.examples.items():
        learner.room.document.open_example(name)
        learner.settle()
        assert learner.frame.trace.path == example(name)
        assert called in learner.room.document.title
        assert learner.page.error_bar.isHidden()
