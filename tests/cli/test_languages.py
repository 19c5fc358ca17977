"""Commands, their help and their problems follow the system's language, or the window's."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from explorer.app.settings import Settings, store
from explorer.cli import main
from explorer.resources import example
from explorer.text import columns_taken, language, use_language


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    use_language("en")


@pytest.mark.parametrize("command", ["compute", "info", "model", "render", "train"])
def test_help_is_in_the_systems_language_pythons_own_words_too(monkeypatch, capsys, command):
    monkeypatch.setenv("LANGUAGE", "zh_CN.UTF-8")
    with pytest.raises(SystemExit):
        main([command, "--help"])
    shown = capsys.readouterr().out
    assert shown.startswith("用法：")
    assert not re.search(r"(?<!-)\b(usage|options|show|the|default)\b", shown)


def test_a_problem_is_told_in_the_remembered_language(capsys):
    store(Settings(language="zh"))
    assert main(["compute"]) == 2
    assert "缺少必需的参数" in capsys.readouterr().err
    assert main(["compute", "/no/such/scene.json"]) == 2
    assert not re.search(r"\b(cannot|opened)\b", capsys.readouterr().err)


@pytest.mark.parametrize("wanted", ["xx_XX", "", "C", "en_GB"])
def test_a_language_that_is_not_spoken_gives_english(monkeypatch, capsys, wanted):
    monkeypatch.setenv("LANGUAGE", wanted)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert main(["compute"]) == 2
    assert language() == "en"
    assert "required" in capsys.readouterr().err


def test_the_help_of_the_program_itself_is_in_the_systems_language(monkeypatch, capsys):
    monkeypatch.setenv("LANGUAGE", "zh_CN.UTF-8")
    with pytest.raises(SystemExit):
        main(["--help"])
    assert not re.search(
        r"(?<!-)\b(usage|options|show|version|and|open)\b", capsys.readouterr().out
    )


def test_what_a_trace_holds_stands_in_columns(monkeypatch, capsys):
    monkeypatch.setenv("LANGUAGE", "zh")
    assert main(["info", str(example("tiny-transformer.safetensors"))]) == 0
    facts = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert {re.split("  +", line)[0] for line in facts} >= {"最后的损失", "最后的准确率", "学习率"}
    assert len({columns_taken(re.match(".*?  +", line)[0]) for line in facts}) == 1
