"""Why the system refused is said in the program's language, whatever the system speaks."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.text import use_language, why_refused


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    use_language("en")


def test_a_refusal_is_said_in_the_language_in_use(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        (tmp_path / "none").read_text()
    said = why_refused(caught.value)
    assert str(said) == "No such file or directory"
    use_language("zh")
    assert str(said) == "没有这个文件或文件夹"


def test_the_systems_own_words_are_not_asked_for_what_is_known() -> None:
    error = OSError(errno.ENOSPC, "kein Platz")
    assert str(why_refused(error)) == "No space left on device"


def test_rare_refusals_and_wrong_names_keep_their_own_words() -> None:
    assert why_refused(OSError(errno.EXDEV, "Invalid cross-device link")) == (
        "Invalid cross-device link"
    )
    assert why_refused(PermissionError(None, "write-protected")) == "write-protected"
    assert why_refused(ValueError("embedded null byte")) == "embedded null byte"
