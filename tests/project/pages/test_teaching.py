"""The plans for a class name lessons that there are, and their minutes add up."""

from __future__ import annotations

import re

import pytest

from explorer.lessons.lesson_index import title_of
from explorer.lessons.read import read_lesson
from explorer.resources import lessons
from tests.project.pages.told import CHINESE, ENGLISH

ROW = re.compile(r"^\| (\d+) \| ([^|]+) \|", re.MULTILINE)


@pytest.mark.parametrize(("pages", "language"), [(ENGLISH, "en"), (CHINESE, "zh")])
def test_a_plan_names_lessons_and_fills_its_time(pages: dict[str, str], language: str) -> None:
    titles = {title_of(path, language).replace("\u00a0", " ") for path in lessons()}
    parts = re.split("^## ", pages["teaching"], flags=re.MULTILINE)
    plans = {int(part.split()[0]): ROW.findall(part) for part in parts if ROW.search(part)}
    assert list(plans) == [45, 90]
    for minutes, rows in plans.items():
        assert sum(int(each) for each, _title in rows) == minutes
        assert {title for _each, title in rows} <= titles
    told = {
        title_of(path, language).replace("\u00a0", " "): read_lesson(path).minutes
        for path in lessons()
    }
    assert {title: int(each) for each, title in plans[90]} == {
        title: minutes for title, minutes in told.items() if minutes is not None
    }
