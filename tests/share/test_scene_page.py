"""A shared scene in a real browser: its numbers, hands, names, sizes, and what it may not do."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from explorer.kit.theme import _ATTENTION, _NEGATIVE, Theme
from explorer.resources import example, examples, resource
from explorer.session import (
    Context,
    Look,
    Options,
    Role,
    Scene,
    Selection,
    Stage,
    at_sequence,
    compute,
    read_scene,
)
from explorer.share.page import MOST_BYTES
from explorer.share.scene_page import (
    MOST_COLUMNS,
    MOST_TOKENS,
    STAGES,
    scene_data,
    scene_page,
)
from explorer.share.words import WORDS
from explorer.text import display_number, use_language
from tests.sampled import EVERY_OTHER
from tests.scenes import scenes
from tests.share.conftest import Open, is_drawn_at_once, wait_until

CAT = example("cat-likes-fish.json")
RESULTS = {
    "Q": "Q",
    "K": "K",
    "V": "V",
    "raw": "raw",
    "scores": "scores",
    "weights": "weights",
    "headOutput": "head_output",
    "output": "output",
}


def computed(page: Page, asked: list[Scene]) -> list[dict[str, Any]]:
    """What a page itself computes of scenes' shown sequences."""
    return page.evaluate(
        """([scenes, names]) => scenes.map(([scene, place]) => {
            const made = explorer.attend(scene, place);
            return Object.fromEntries(names.map(name => [name, made[name]]));
        })""",
        [[[scene_data(scene), scene.shown] for scene in asked], list(RESULTS)],
    )


def assert_same(scene: Scene, found: dict[str, Any]) -> None:
    result = compute(scene)
    for theirs, ours in RESULTS.items():
        np.testing.assert_allclose(
            np.array(found[theirs], float), getattr(result, ours), rtol=1e-9, atol=1e-9
        )


def test_a_page_computes_what_the_program_computes(open_page: Open) -> None:
    made: list[Scene] = []

    @settings(max_examples=200, database=None, suppress_health_check=list(HealthCheck))
    @given(scenes(3.0))
    def collect(scene: Scene) -> None:
        made.append(scene)

    collect()
    shipped = [read_scene(path) for path in examples()]
    made += [at_sequence(one, place) for one in shipped for place in range(len(one.sequences))]
    page = open_page(scene_page(read_scene(CAT)))
    for scene, found in zip(made, computed(page, made), strict=True):
        assert_same(scene, found)


# The numbers of a table as they stand in the document.
TABLE = """letter => [...document.querySelectorAll(`table[data-table="${letter}"] tr`)]
    .map(row => [...row.querySelectorAll('td button, td:not(.made):not(:has(button))')]
        .map(cell => cell.querySelector('input')?.value ?? cell.textContent))
    .map(row => row.filter(text => text)).filter(row => row.length)"""


def table(page: Page, letter: str) -> list[list[str]]:
    return page.evaluate(TABLE, letter)


def written(values: Any) -> list[list[str]]:
    """Return numbers as a table shows them: .06 where there are many columns."""
    few = np.shape(values)[1] <= 8
    places = 3 if np.shape(values)[0] <= 8 else 2
    texts = [[display_number(value, places) for value in row] for row in np.asarray(values)]
    return texts if few else [[text.removeprefix("0") for text in row] for row in texts]


def choose(page: Page, stage: str) -> None:
    page.locator(f'[data-id="choice {stage}"]').click()


@pytest.mark.parametrize("first", EVERY_OTHER)
def test_every_example_holds_its_numbers_at_every_stage(first: int, open_page: Open) -> None:
    page = open_page(b"<!DOCTYPE html><title>empty</title>")
    for path in examples()[first::2]:
        scene = read_scene(path)
        made = scene_page(scene)
        assert len(made) <= MOST_BYTES
        page.set_content(made.decode())
        shown = page.evaluate(
            f"""["X", "QK", "S", "A", "O"].map(stage => {{
                explorer.view().choose({{stage}});
                return ({TABLE})("A");
            }})"""
        )
        assert shown == [written(compute(scene).weights[0])] * 5, path.name
        assert page.title() == scene.title


def test_it_opens_as_it_was_looked_at(open_page: Open) -> None:
    assert set(STAGES) == set(Stage)
    scene = read_scene(example("two-heads.json"))
    look = replace(Look().at_stage(Stage.O), head=1)
    page = open_page(scene_page(scene, look, Selection(Role.A, 2, 4)))
    assert page.locator(".segments [aria-pressed=true]").text_content() == "O"
    assert table(page, "A") == written(compute(scene).weights[1])
    [chosen] = page.locator(".cell[aria-pressed=true]").all()
    assert chosen.get_attribute("aria-label") == f"A, chases → cat, {chosen.text_content()}"


@pytest.mark.parametrize("name", ["two-heads.json", "translation.json", "cat-likes-fish.json"])
def test_a_page_drawn_again_is_as_if_drawn_once(name: str, open_page: Open) -> None:
    page = open_page(scene_page(read_scene(example(name))))
    for stage in ("O", "X", "S", "QK", "A", "S", "O", "QK", "X", "A"):
        choose(page, stage)
        for query, key in ((0, 2), (2, 1)):
            page.evaluate(f"explorer.view().choose({{query: {query}, key: {key}}})")
        assert is_drawn_at_once(page)


def test_what_was_hidden_is_hidden_until_it_is_asked_for(open_page: Open) -> None:
    scene = read_scene(CAT)
    made = scene_page(scene, replace(Look().at_stage(Stage.S), veiled=True))
    [number] = {row[0] for row in written(compute(scene).weights[0])[:1]}
    assert number.encode() not in made
    page = open_page(made)
    assert {text for row in table(page, "A") for text in row} == {"?"}
    assert page.locator(".edge").count() == 0
    page.get_by_role("button", name="Show the numbers").click()
    assert table(page, "A") == written(compute(scene).weights[0])
    assert page.locator(".edge").count() == len(scene.tokens)


def place_of(page: Page, point: str) -> tuple[float, float]:
    box = page.locator(f'.plane [data-id="{point}"] .hit').bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def assert_moved(page: Page, scene: Scene) -> None:
    """The page's X is another one than the scene's in its first row alone, and A is of that."""
    choose(page, "X")
    rows = [[float(x.replace("−", "-")) for x in row] for row in table(page, "X")]
    assert rows[1:] == scene.X[1:].tolist()
    assert np.abs(np.array(rows[0]) - scene.X[0]).min() > 0.05
    assert table(page, "A") == written(compute(scene.replace(X=np.array(rows))).weights[0])


def test_a_token_is_dragged_by_mouse(open_page: Open) -> None:
    scene = read_scene(CAT)
    page = open_page(scene_page(scene))
    x, y = place_of(page, "X0")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 80, y - 40, steps=4)
    page.mouse.move(x - 160, y - 90)
    page.mouse.up()
    assert place_of(page, "X0") == pytest.approx((x - 160, y - 90), abs=1.5)
    page.mouse.move(x, y)  # let go: it stays
    assert_moved(page, scene)
    page.get_by_role("button", name="Start over").click()
    assert table(page, "A") == written(compute(scene).weights[0])


def test_a_token_is_dragged_by_touch_and_the_page_scrolls_elsewhere(open_page: Open) -> None:
    scene = read_scene(CAT)
    page = open_page(scene_page(scene), phone=True)
    touch = page.context.new_cdp_session(page)

    def drag(x: float, y: float, dx: float, dy: float) -> None:
        def send(kind: str, *at: float) -> None:
            points = [{"x": at[0], "y": at[1]}] if at else []
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        send("touchStart", x, y)
        for part in range(1, 6):
            send("touchMove", x + dx * part / 5, y + dy * part / 5)
        send("touchEnd")

    x, y = place_of(page, "X0")
    drag(x, y, -60, -40)
    assert page.evaluate("scrollY") == 0
    assert place_of(page, "X0") == pytest.approx((x - 60, y - 40), abs=1.5)
    drag(200, 600, 0, -200)
    wait_until(page, "scrollY > 50")
    assert_moved(page, scene)


def press(page: Page, key: str) -> None:
    """Press a key that takes what was typed, and let the page draw."""
    page.keyboard.press(key)
    page.evaluate("new Promise(done => setTimeout(done))")


def test_the_keyboard_does_all_of_it(open_page: Open) -> None:
    scene = read_scene(CAT)
    page = open_page(scene_page(scene))
    page.locator('.plane [data-id="X0"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.id") == "X0"
    assert page.locator("[aria-live]").text_content() == ("cat, 1.05, −0.05. Arrow keys move it.")
    cell = page.locator(".cell[aria-pressed=true]")
    cell.focus()
    page.keyboard.press("ArrowDown")
    assert cell.get_attribute("data-id") == "A1,1"
    assert page.evaluate("document.activeElement.dataset.id") == "A1,1"
    choose(page, "X")
    field = page.locator('[data-id="X0,0"]')
    assert field.get_attribute("aria-label") == "X, cat, column 1"
    field.focus()
    page.keyboard.type("1/4")
    press(page, "Tab")
    assert page.evaluate("document.activeElement.dataset.id") == "X0,1"
    page.keyboard.type("zero")
    press(page, "Tab")
    assert page.locator('[data-id="X0,1"]').get_attribute("aria-invalid") == "true"
    assert page.locator("[aria-live]").text_content() == "Type a number, for example 0.5"
    moved = scene.X.copy()
    moved[0] = 0.25, -0.05
    assert table(page, "A") == written(compute(scene.replace(X=moved)).weights[0])
    page.locator("summary").click()
    page.locator('[data-id="Wk1,0"]').fill("0,5")
    press(page, "Enter")
    Wk = np.array(scene.Wk)
    Wk[1, 0] = 0.5
    assert table(page, "A") == written(compute(scene.replace(X=moved, Wk=Wk)).weights[0])


HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "\u202eevil",
    "{percent}",
)


def test_hostile_names_and_titles_stay_text(open_page: Open) -> None:
    title = '</title></style><script>alert(3)</script><!--"'
    scene = read_scene(CAT).replace(tokens=HOSTILE, title=title, note=title)
    for script in (True, False):
        page = open_page(scene_page(scene), java_script_enabled=script)
        assert page.title() == title
        assert page.locator("h1").text_content() == title
        assert page.locator("script").count() == 2
        assert page.locator("img").count() == 0
    page = open_page(scene_page(scene))
    for stage in ("X", "QK", "S", "A", "O"):
        choose(page, stage)
        names = page.locator('[data-table="A"] th[scope=row] .name').all_text_contents()
        assert tuple(names) == HOSTILE
        assert page.locator("script").count() == 2
        assert page.locator("img").count() == 0


def test_nothing_may_be_loaded(open_page: Open) -> None:
    page = open_page(scene_page(read_scene(CAT)))
    policy = page.locator("meta[http-equiv]").get_attribute("content")
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "http" not in policy


def test_what_is_too_large_is_a_still_picture(open_page: Open) -> None:
    rng = np.random.default_rng(5)
    many = MOST_TOKENS + 1
    for scene in (
        Scene(tokens=[f"t{i}" for i in range(many)], X=rng.normal(size=(many, 2))),
        Scene(tokens=["a", "b"], X=rng.normal(size=(2, MOST_COLUMNS + 1))),
        Scene(tokens=[f"t{i}" for i in range(400)], X=rng.normal(size=(400, 64))),
        # Small, but with more numbers than fit a page.
        Scene(
            tokens=["a", "b"],
            X=rng.normal(size=(2, 8)),
            **{name: rng.normal(size=(8, 512)) for name in ("Wq", "Wk", "Wv")},
            options=Options(heads=64),
        ),
    ):
        made = scene_page(scene)
        assert len(made) <= MOST_BYTES
        assert b"<script" not in made
        page = open_page(made)
        assert "is a still picture" in page.locator("main").inner_text()
        first = display_number(compute(scene).weights[0, 0, 0], 3)
        assert page.locator("table").first.locator("td").nth(1).text_content() == first
        assert page.locator("svg circle").count() >= 2


def test_without_a_script_there_are_picture_and_tables(open_page: Open) -> None:
    scene = read_scene(CAT)
    page = open_page(scene_page(scene), java_script_enabled=False)
    assert page.locator("svg circle").count() == 4
    cells = page.locator("table").first.locator("td").all_text_contents()
    assert cells[1:] == [text for row in written(compute(scene).weights[0]) for text in row]


# The widths of a phone, of a small one, and of a laptop whose text is twice as large.
@pytest.mark.parametrize(
    ("width", "height"), [pytest.param(390, 760, marks=pytest.mark.more), (320, 600), (640, 367)]
)
def test_it_fits(width: int, height: int, open_page: Open) -> None:
    long = [f"a rather long name {i}" for i in range(4)]
    for scene in (read_scene(CAT), read_scene(CAT).replace(tokens=long)):
        page = open_page(scene_page(scene), viewport={"width": width, "height": height})
        for stage in ("X", "A"):
            choose(page, stage)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        for button in page.locator("header button:visible").all():
            box = button.bounding_box()
            assert box is not None
            assert box["height"] >= 44
            assert box["width"] >= 44
            assert box["x"] + box["width"] <= width


def test_on_a_large_screen_there_is_nothing_to_scroll(open_page: Open) -> None:
    page = open_page(scene_page(read_scene(CAT)), viewport={"width": 1440, "height": 900})
    assert page.evaluate("document.documentElement.scrollHeight") == 900


def test_everything_has_a_name_and_speaks_both_languages(open_page: Open) -> None:
    use_language("zh")
    try:
        page = open_page(scene_page(read_scene(example("translation.json"))))
    finally:
        use_language("en")
    assert page.evaluate("document.documentElement.lang") == "zh"
    assert page.get_by_role("button", name="重新开始").count() == 1
    page.get_by_role("button", name="English").click()
    assert page.evaluate("document.documentElement.lang") == "en"
    for stage in ("X", "A"):
        choose(page, stage)
        tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
        used = [
            node
            for node in tree
            if node.get("role", {}).get("value")
            in ("button", "textbox", "combobox", "table", "group")
        ]
        assert len(used) > 15
        assert [node for node in used if not node["name"]["value"]] == []


def test_light_and_dark_follow_the_system_until_chosen(open_page: Open) -> None:
    page = open_page(scene_page(read_scene(CAT)), color_scheme="dark")
    body = expect(page.locator("body"))
    body.to_have_css("background-color", "rgb(24, 29, 39)")
    page.emulate_media(color_scheme="light")
    body.to_have_css("background-color", "rgb(244, 245, 248)")
    page.get_by_role("button", name="Light or dark").click()
    body.to_have_css("background-color", "rgb(24, 29, 39)")


def test_it_is_printed_in_light_with_its_numbers(open_page: Open, tmp_path: Path) -> None:
    scene = read_scene(CAT)
    page = open_page(scene_page(scene), color_scheme="dark")
    page.pdf(path=tmp_path / "page.pdf", print_background=True)
    text = PdfReader(tmp_path / "page.pdf").pages[0].extract_text()
    for row in written(compute(scene).weights[0]):
        assert all(number in text for number in row)
    assert "Start over" not in text


def test_its_colours_are_those_of_the_program() -> None:
    light, dark = (resource("share", name).read_text() for name in ("style.css", "dark.css"))
    for text, is_dark in ((light, False), (light + dark, True)):
        told = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", text))
        theme = Theme(dark=is_dark)
        for name in ("canvas", "win", "raised", "hover", "ink1", "ink2", "ink3", "ctl", "line2"):
            assert told[name] == getattr(theme.palette, name).lower()
        for slot in range(8):
            colour = theme.slot(slot)
            assert (told[f"f{slot}"], told[f"i{slot}"]) == (
                colour.fill.lower(),
                colour.ink.lower(),
            )
        for letter, ramp in (("w", _ATTENTION), ("n", _NEGATIVE)):
            for step, colour in enumerate(ramp[is_dark].split()):
                assert told[f"{letter}{step}"] == f"#{colour.lower()}"


def test_every_word_of_the_scripts_can_be_translated() -> None:
    scripts = resource("share").glob("*.js")
    said = {
        word for path in scripts for word in re.findall(r"\bt\('([^']*)'", path.read_text("utf-8"))
    }
    assert said == set(WORDS)


def test_given_queries_keys_and_values_can_be_moved(open_page: Open) -> None:
    rng = np.random.default_rng(2)
    scene = Scene(
        tokens=["q"],
        X=rng.normal(size=(1, 2)),
        context=Context(["k", "l"], rng.normal(size=(2, 2))),
        V=rng.normal(size=(2, 3)),
    )
    page = open_page(scene_page(scene))
    page.locator('.plane [data-id="C1"]').focus()
    page.keyboard.press("ArrowUp")
    choose(page, "QK")
    assert table(page, "K") != written(scene.context.X)
    assert page.locator('[data-id="V1,2"]').is_editable()
