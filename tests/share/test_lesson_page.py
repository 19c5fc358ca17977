"""A shared lesson in a real browser: it asks, hides and checks, without storage or network."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs
from playwright.sync_api import Page

from explorer.app.lessons.shared import MOST_BYTES, lesson_page
from explorer.lessons.lesson_index import lesson_called
from explorer.lessons.read import read_lesson
from explorer.resources import lessons
from tests.sampled import EVERY_FOURTH
from tests.share.conftest import Open, wait_until

# Plays a lesson to its end as somebody does who answers everything, and tells what happened.
PLAYED = """() => {
    const click = id => document.querySelector(`.card [data-id="${CSS.escape(id)}"]`).click();
    const write = (input, value) => {
        input.value = String(value);
        input.dispatchEvent(new Event('input'));
    };
    const steps = JSON.parse(document.getElementById('data').textContent).steps.en;
    const told = {steps: steps.length, asked: 0, right: 0, filled: 0, tasks: 0, unsolved: []};
    steps.forEach((step, place) => {
        explorer.go(place);
        const known = explorer.states[place], {question, fill, task} = step;
        if (question) {
            told.asked++;
            const right = question.choices?.find(each => question.said[each][0]);
            if (right) click('answer ' + right);
            else {
                write(document.querySelector('[data-id="answer"]'), question.value);
                click('check');
            }
            told.right += known.known && known.right;
        }
        if (fill) {
            for (const input of document.querySelectorAll('[data-id^="fill "]')) {
                const [r, c] = input.dataset.id.slice(5).split(',');
                write(input, fill.cells[r][c]);
            }
            click('check');
            told.filled += known.known && known.right;
        }
        if (task?.check) {
            const view = explorer.view(), {holds} = explorer;
            if (known.done) told.unsolved.push(place + ' is done before');
            click('hint');
            click('solve');
            const {state, scene, result} = explorer.view();
            if (!holds(task.check, result(), state, scene)) told.unsolved.push(place);
            told.tasks++;
        }
    });
    explorer.go(steps.length);
    told.questions = document.querySelectorAll('.card .question').length;
    return told;
}"""


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("first", EVERY_FOURTH)
def test_every_lesson_is_played_to_its_end(first: int, open_page: Open) -> None:
    page = open_page(b"<!DOCTYPE html><title>empty</title>")
    for path in lessons()[first::4]:
        lesson = read_lesson(path)
        made, wrong = lesson_page(lesson)
        assert wrong == ()
        assert len(made) <= MOST_BYTES
        page.set_content(made.decode())
        told = page.evaluate(PLAYED)
        assert told["steps"] == len(lesson.steps)
        asked = [step.predict for step in lesson.steps if step.predict is not None]
        own_run = "own" in {step.trace for step in lesson.steps}
        assert own_run or told["asked"] == len(asked), path.name
        assert told["right"] == told["asked"], path.name
        assert told["filled"] == sum(step.fill is not None for step in lesson.steps), path.name
        assert told["unsolved"] == [], path.name
        assert told["questions"] == len(lesson.questions), path.name


@pytest.fixture
def framed(open_page: Open) -> Page:
    """A lesson in a frame that may run its script and nothing else, as platforms show it."""
    made, _wrong = lesson_page(read_lesson(lesson_called("dot-product")))
    inner = made.decode().replace("&", "&amp;").replace('"', "&quot;")
    frame = '<iframe sandbox="allow-scripts" width="1200" height="700" srcdoc="{}"></iframe>'
    return open_page(f"<!DOCTYPE html>{frame.format(inner)}".encode())


def test_answers_are_hidden_until_tried_in_a_frame_without_storage(framed: Page) -> None:
    lesson = framed.frame_locator("iframe")
    press = lambda name: lesson.get_by_role("button", name=name, exact=True).click()  # noqa: E731
    press("Next")
    assert lesson.locator(".count").text_content() == "Step 2 of 5"
    hidden = lesson.locator('[data-id="S0,3"]')
    assert hidden.text_content() == "?"
    assert "−0.800" not in lesson.locator("body").inner_text()
    field = lesson.locator('[data-id="answer"]')
    for typed, said in (
        ("abc", "Type a number, for example 0.5"),
        ("0.8", "Not yet. The sign is wrong."),
        ("0.80", "No: it is −0.800."),
    ):
        field.fill(typed)
        press("Check")
        assert lesson.locator(".said").inner_text().startswith(said)
    assert hidden.text_content() == "−0.800"
    for _ in range(3):
        press("Next")
    # The task: likes is moved to the right until its score is large enough.
    lesson.locator('.plane [data-id="X1"]').focus()
    for _ in range(27):
        framed.keyboard.press("ArrowRight")
    lesson.get_by_text("Done.").wait_for()
    press("中文")
    assert lesson.locator("h1").text_content() == "点积就是相似度"
    assert lesson.get_by_role("button", name="下一步").count() == 1


def test_an_answer_half_typed_stays_when_the_page_is_drawn(open_page: Open) -> None:
    made, _wrong = lesson_page(read_lesson(lesson_called("dot-product")))
    page = open_page(made)
    page.get_by_role("button", name="Next", exact=True).click()
    field = page.locator('[data-id="answer"]')
    field.click()
    page.keyboard.type("-0.")
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        wait_until(page, f"document.documentElement.className === '{scheme}'")
    page.keyboard.type("80")
    assert field.input_value() == "-0.80"
    page.keyboard.press("Enter")
    assert page.locator(".said").inner_text().startswith("Right")


def test_hostile_texts_of_a_lesson_stay_text(open_page: Open) -> None:
    text = "</script><script>alert(1)</script>"
    lesson = read_lesson(lesson_called("dot-product"))
    steps = [structs.replace(step, text={"en": text}) for step in lesson.steps]
    made, _wrong = lesson_page(replace(lesson, title={"en": text}, steps=tuple(steps)))
    page = open_page(made)
    assert page.locator("h1").text_content() == text
    assert page.locator(".text").text_content() == text
    assert page.locator("script").count() == 2
