"""Scene files: what can be read, what is refused in one sentence, what is written."""

from __future__ import annotations

import json
import tracemalloc
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.resources import example, examples
from explorer.session import (
    compute,
    dump_scene,
    parse_scene,
    read_scene,
)
from explorer.session.scene_file import LARGEST_FILE
from explorer.text import Problem

GOOD: dict[str, Any] = {
    "format": "attention-explorer/scene",
    "version": 1,
    "tokens": ["a", "b"],
    "X": [[1, 0.5], [0, 1]],
    "Wq": [[1, 0], [0, 1]],
    "Wk": [[1, 0], [0, 1]],
    "Wv": [[1, 0, 2], [0, 1, 2]],
}
STACKED = {name: [GOOD[name]] * 2 for name in ("Wq", "Wk", "Wv")}
CONTEXT = {"tokens": ["k"], "X": [[1, 2]]}


def refused(data: bytes | str | dict[str, Any]) -> str:
    """Return the sentence with which a file called bad.json is refused."""
    if isinstance(data, dict):
        data = json.dumps(data)
    with pytest.raises(Problem) as problem:
        parse_scene(data.encode() if isinstance(data, str) else data, "bad.json")
    sentence = str(problem.value)
    assert sentence.startswith("bad.json: ")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence.removeprefix("bad.json: ")


def without(*names: str) -> dict[str, Any]:
    return {name: value for name, value in GOOD.items() if name not in names}


@pytest.mark.parametrize("path", examples(), ids=lambda path: path.name)
def test_every_example_opens_and_is_written_just_as_it_stands(path: Path) -> None:
    scene = read_scene(path)
    assert dump_scene(scene) == path.read_bytes()
    assert scene.title
    assert len(scene.note.splitlines()) == 2
    assert np.isfinite(compute(scene).output).all()


def test_cat_likes_fish_is_the_scene_of_the_pictures() -> None:
    scene = read_scene(example("cat-likes-fish.json"))
    assert scene.tokens == ("cat", "likes", "fish", "cloud")
    result = compute(scene)
    np.testing.assert_allclose(result.output[0], [0.429, 0.462], atol=5e-4)
    np.testing.assert_allclose(result.raw[0, 0], [1, 0.6, 0.2, -0.62], atol=1e-12)


def test_your_journey_is_what_torch_gives() -> None:
    scene = read_scene(example("your-journey.json"))
    torch.set_num_threads(1)
    torch.manual_seed(789)
    layers = [torch.nn.Linear(3, 2, bias=False) for _ in range(3)]
    for stored, layer in zip((scene.Wq, scene.Wk, scene.Wv), layers, strict=True):
        assert stored is not None
        expected = layer.weight.detach().T.numpy()
        np.testing.assert_array_equal(stored.astype(np.float32), expected)
    np.testing.assert_array_equal(
        compute(scene).output.round(4),
        [
            [-0.0739, 0.0713],
            [-0.0748, 0.0703],
            [-0.0749, 0.0702],
            [-0.0760, 0.0685],
            [-0.0763, 0.0679],
            [-0.0754, 0.0693],
        ],
    )


def test_zao_shang_hao_has_no_projections_and_no_scale() -> None:
    scene = read_scene(example("zao-shang-hao.json"))
    assert scene.tokens == ("早", "上", "好")
    np.testing.assert_array_equal(compute(scene).weights[0, 0].round(3), [0.422, 0.422, 0.155])


def test_only_four_fields_are_required() -> None:
    scene = parse_scene(json.dumps(without("Wq", "Wk", "Wv")).encode(), "x")
    assert not scene.projected
    assert (scene.options.scale, scene.options.mask, scene.heads) == ("sqrt_dk", "none", 1)
    np.testing.assert_array_equal(scene.X, [[1, 0.5], [0, 1]])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_text_editors_may_mark_the_encoding(encoding: str) -> None:
    assert parse_scene(json.dumps(GOOD).encode(encoding), "x").tokens == ("a", "b")


def test_the_name_of_a_file_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "scene.of.mine").write_text(json.dumps(GOOD))
    assert read_scene(tmp_path / "scene.of.mine").tokens == ("a", "b")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("", "This is not JSON (line 1, column 1)."),
        ('{\n "a": 01}', "This is not JSON (line 2, column 8)."),
        ("{} x", "This is not JSON (line 1, column 4)."),
        (b"\xff\xfe\xfa", "This is not text, so it is not a scene."),
        (b"\x89PNG\r\n\x1a\n\0\0\xff", "This is not text, so it is not a scene."),
        ("[" * 100_000, "Its lists are nested too deeply for a scene."),
        ("[1]", 'This is not a scene: "format" must be "attention-explorer/scene".'),
        ("{}", 'This is not a scene: "format" must be "attention-explorer/scene".'),
        (
            GOOD | {"format": ["scene"]},
            'This is not a scene: "format" must be "attention-explorer/scene".',
        ),
        (GOOD | {"version": 4}, "version is 4, but this program reads versions up to 3."),
        (GOOD | {"version": 0}, "version is 0, but this program reads versions up to 3."),
        (GOOD | {"version": True}, "version must be a whole number."),
        (without("version"), "version must be a whole number."),
        (without("tokens"), "tokens is missing."),
        (without("X"), "X is missing."),
        (without("Wk"), "Wk is missing: Wq, Wk and Wv go together."),
        (GOOD | {"wq": 1}, "wq is not a field of a scene."),
        (GOOD | {"options": {"a`b\u202e": 1}}, "options.a`b  is not a field of a scene."),
        (GOOD | {"context": CONTEXT | {"x": 1}}, "context.x is not a field of a scene."),
        ('{"format": "a", "X": [], "X": []}', "X appears twice."),
        (
            GOOD | {"options": {"mask": "\ud800"}},
            "options.mask holds characters that cannot be written.",
        ),
        (
            GOOD | {"options": {"\udc00": 1}},
            "options.\\udc00 holds characters that cannot be written.",
        ),
        (GOOD | {"note": "half \ud83d"}, "note holds characters that cannot be written."),
    ],
)
def test_what_is_no_scene_is_refused(data: Any, sentence: str) -> None:
    assert refused(data) == sentence


NUMBER = "must be a number between −1e50 and 1e50."


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("7", "X must be a list of rows of numbers."),
        ("[7, [1, 2]]", "X[0] must be a row of numbers."),
        ("null", "X must be a list of rows of numbers."),
        ("[]", "X is empty."),
        ("[[], []]", "X[0] is empty."),
        ("[[1, 2], [3]]", "X[1] must be like X[0], a row of 2, but is a row of 1."),
        ('[[1, 2], [3, "4"]]', f"X[1][1] {NUMBER}"),
        ("[[1, 2], [3, true]]", f"X[1][1] {NUMBER}"),
        ("[[1, 2], [3, null]]", f"X[1][1] {NUMBER}"),
        ("[[1, 2], [3, [4]]]", f"X[1][1] {NUMBER}"),
        ("[[1, 2], [3, NaN]]", f"X[1][1] {NUMBER}"),
        ("[[1, 2], [-Infinity, 4]]", f"X[1][0] {NUMBER}"),
        ("[[1, 2], [3, 1e400]]", f"X[1][1] {NUMBER}"),
        ("[[1, 2], [3, -1.1e50]]", f"X[1][1] {NUMBER}"),
        (f"[[1, 2], [3, {'9' * 399}]]", f"X[1][1] {NUMBER}"),
        (f"[[1, 2], [3, {'9' * 5000}]]", f"X[1][1] {NUMBER}"),
        ("[[1, 2], [3, 4], [5, 6]]", "X must have a row for each entry of tokens: 2, not 3."),
        ("[[1, 2]]", "X must have a row for each entry of tokens: 2, not 1."),
    ],
)
def test_a_bad_number_is_named_by_its_place(value: str, sentence: str) -> None:
    text = json.dumps(without("X"))
    assert refused(f'{text[:-1]}, "X": {value}}}') == sentence


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"Wq": [[1, 0]]}, "Wq must have a row for each column of X: 2, not 1."),
        ({"Wv": [[1]]}, "Wv must have a row for each column of X: 2, not 1."),
        ({"Wk": [[1], [0]]}, "Wk must have as many columns as Wq: 2, not 1."),
        ({"Wq": [[1], [0]]}, "Wk must have as many columns as Wq: 1, not 2."),
        (
            {"Wk": [GOOD["Wk"]]},
            "Wq, Wk and Wv must take the same form: one matrix each, or one a head each.",
        ),
        (STACKED | {"Wv": [GOOD["Wv"]]}, "Wv must have as many heads as Wq: 2, not 1."),
        (
            STACKED | {"options": {"heads": 3}},
            "options.heads must be as many as Wq, Wk and Wv have: 2, not 3.",
        ),
        (
            {"Wq": [[[1, 0]], [[1, 0], [1, 0]]]},
            "Wq[1] must be like Wq[0], a table of 1 × 2, but is a table of 2 × 2.",
        ),
        (
            {"Wq": [[[1], 0], [1, 0]]},
            "Wq[0][1] must be like Wq[0][0], a row of 1, but is a number.",
        ),
        ({"Wq": [[["1"]]]}, f"Wq[0][0][0] {NUMBER}"),
        ({"Wq": "no"}, "Wq must be a list of rows of numbers, or one such list a head."),
        (
            {"options": {"heads": 2}},
            "The columns of Wv, 3 in all, cannot be divided among 2 heads.",
        ),
        ({"options": {"heads": 0}}, "options.heads must be a whole number from 1 to 64."),
        ({"options": {"heads": 1.5}}, "options.heads must be a whole number from 1 to 64."),
        ({"options": {"heads": 65}}, "options.heads must be a whole number from 1 to 64."),
        ({"options": 1}, "options must be a group of fields."),
        (
            {"options": {"scale": "sqrt"}},
            'options.scale must be "sqrt_dk", "none" or a number to divide by.',
        ),
        (
            {"options": {"scale": True}},
            'options.scale must be "sqrt_dk", "none" or a number to divide by.',
        ),
        (
            {"options": {"scale": 0}},
            'options.scale must be "sqrt_dk", "none" or a number from 1e−50 to 1e50.',
        ),
        (
            {"options": {"scale": float("nan")}},
            'options.scale must be "sqrt_dk", "none" or a number from 1e−50 to 1e50.',
        ),
        (
            {"options": {"mask": "causa"}},
            'options.mask must be "none", "causal" or rows of true and false.',
        ),
        (
            {"options": {"mask": [[True, 1], [True, True]]}},
            "options.mask[0][1] must be true or false.",
        ),
        (
            {"options": {"mask": [[True, True]]}},
            "options.mask must have the shape 2 × 2 to fit tokens, but has 1 × 2.",
        ),
        (
            {"options": {"mask": [[True, True], [True]]}},
            "options.mask[1] must be like options.mask[0], a row of 2, but is a row of 1.",
        ),
        ({"bq": [1]}, "bq must have the shape 2 to fit Wq, but has 1."),
        ({"bv": [[1, 2, 3]]}, "bv must have the shape 3 to fit Wv, but has 1 × 3."),
        (STACKED | {"bq": [1, 2]}, "bq must have the shape 2 × 2 to fit Wq, but has 2."),
        ({"bo": [1]}, "bo needs Wo, which is missing."),
        ({"Wo": [[1]]}, "Wo must have a row for each column of all heads' outputs: 3, not 1."),
        (
            STACKED | {"Wo": [[1]]},
            "Wo must have a row for each column of all heads' outputs: 6, not 1.",
        ),
        ({"Wo": [[1]] * 3, "bo": [1, 2]}, "bo must have the shape 1 to fit Wo, but has 2."),
        ({"context": 3}, "context must be a group of fields."),
        ({"context": {"tokens": ["k"]}}, "context.X is missing."),
        ({"context": {"tokens": ["k"], "X": [[1, "a"]]}}, f"context.X[0][1] {NUMBER}"),
        (
            {"context": {"tokens": ["k", "l"], "X": [[1, 2]]}},
            "context.X must have a row for each entry of context.tokens: 2, not 1.",
        ),
        (
            {"context": {"tokens": ["k"], "X": [[1, 2, 3]]}},
            "Wk must have a row for each column of context.X: 3, not 2.",
        ),
        ({"title": 1}, "title must be a text."),
        ({"note": "\ud800"}, "note holds characters that cannot be written."),
    ],
)
def test_what_does_not_fit_together_is_named(changes: dict[str, Any], sentence: str) -> None:
    assert refused(GOOD | changes) == sentence


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"bk": [1, 2]}, "bk needs Wq, Wk and Wv, which are missing."),
        ({"options": {"heads": 2}}, "options.heads needs Wq, Wk and Wv, which are missing."),
        (
            {"context": {"tokens": ["k"], "X": [[1]]}},
            "context.X must have as many columns as X: 2, not 1.",
        ),
        ({"Wo": [[1]] * 3}, "Wo must have a row for each column of all heads' outputs: 2, not 3."),
    ],
)
def test_what_does_not_fit_a_scene_without_w_is_named(
    changes: dict[str, Any], sentence: str
) -> None:
    assert refused(without("Wq", "Wk", "Wv") | changes) == sentence


@pytest.mark.parametrize("name", ["", "a" * 65, "a\nb", "\x7f", "\x85", "\ud800"])
def test_a_name_that_no_token_can_have_is_named_by_its_place(name: str) -> None:
    sentence = "tokens[1] must have 1 to 64 characters and no control characters."
    assert refused(GOOD | {"tokens": ["a", name]}) == sentence


def test_tokens_are_texts_and_there_is_one() -> None:
    assert refused(GOOD | {"tokens": "ab"}) == "tokens must be a list of texts."
    assert refused(GOOD | {"tokens": ["a", 1]}) == "tokens[1] must be a text."
    assert refused(GOOD | {"tokens": []}) == "tokens must name at least one token."


@pytest.mark.parametrize(
    "names", [["a", "a"], ["a" * 64, " "], ["<b>&", "👩‍👩‍👧"], ["\u202e", "早"]]
)
def test_any_other_text_may_name_a_token(names: list[str]) -> None:
    scene = parse_scene(json.dumps(GOOD | {"tokens": names}).encode(), "x")
    assert scene.tokens == tuple(names)


def zeros(*shape: int) -> Any:
    return np.zeros(shape).tolist()


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"tokens": ["a"] * 513, "X": zeros(513, 1)},
            "tokens has 513 entries, but at most 512 are possible.",
        ),
        (
            {"context": {"tokens": ["a"] * 513, "X": zeros(513, 2)}},
            "context.tokens has 513 entries, but at most 512 are possible.",
        ),
        (
            {"tokens": ["a"], "X": zeros(1, 8193)},
            "X has 8193 columns, but at most 8192 are possible.",
        ),
        (
            {name: zeros(2, 8193) for name in ("Wq", "Wk", "Wv")},
            "Wq has 8193 columns, but at most 8192 are possible.",
        ),
        (
            {name: zeros(2, 16386) for name in ("Wq", "Wk", "Wv")} | {"options": {"heads": 2}},
            "Wq has 16386 columns, but at most 16384 are possible.",
        ),
        (
            {name: zeros(65, 2, 1) for name in ("Wq", "Wk", "Wv")},
            "65 heads are too many: at most 64 are possible.",
        ),
        ({"Wo": zeros(2, 8193)}, "Wo has 8193 columns, but at most 8192 are possible."),
        (
            {"tokens": ["a"], "X": zeros(1, 512)}
            | {name: zeros(6, 512, 870) for name in ("Wq", "Wk", "Wv")},
            "A scene may hold 8000000 numbers in all, but this would be 8018432.",
        ),
    ],
)
def test_a_scene_beyond_a_limit_is_refused(fields: dict[str, Any], sentence: str) -> None:
    base = without("Wq", "Wk", "Wv") if "Wq" not in fields else GOOD
    assert refused(base | fields) == sentence


def test_a_file_beyond_the_limit_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    with path.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(Problem, match="larger than a scene may be, 256 MB"):
        read_scene(path)


@pytest.mark.parametrize(
    "junk", [b"[],", b"[[1],{}],", b'{"a":1},', b"1,", b'"ab",', b'"a longer text",', b"["]
)
def test_much_junk_is_refused_before_it_is_built(junk: bytes) -> None:
    head = b'{"format": "attention-explorer/scene", "version": 1, "X": ['
    data = head + junk * ((2**26 - len(head)) // len(junk))
    tracemalloc.start()
    with pytest.raises(Problem, match="holds more lists, texts or numbers than a scene may"):
        parse_scene(data, "x")
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2**20


@pytest.mark.parametrize(
    ("field", "item", "sentence"),
    [
        ("junk", b"1.25", "x: junk is not a field of a scene."),
        ("X", b"1.25", "x: X[0] must be a row of numbers."),
        ("title", b"true", "x: title must be a text."),
        ("version", b"true", "x: version must be a whole number."),
        ("format", b"true", "x: This is not a scene"),
    ],
    ids=str,
)
def test_a_long_field_of_the_wrong_kind_is_refused_before_it_is_built(
    field: str, item: bytes, sentence: str
) -> None:
    junk = b"[" + (item + b",") * 2**20 + b"1]"
    fields = GOOD | {field: "here"}
    data = json.dumps(fields).encode().replace(b'"here"', junk)
    tracemalloc.start()
    with pytest.raises(Problem) as caught:
        parse_scene(data, "x")
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert str(caught.value).startswith(sentence)
    assert most < 2**20


def test_a_large_file_may_have_any_number_in_the_place_of_its_version() -> None:
    head = b'{"format": "attention-explorer/scene", "X": 5, "version": 1e999, "title": "'
    with pytest.raises(Problem, match="version must be a whole number"):
        parse_scene(head + b"a" * 2**20 + b'"}', "x")


@given(
    st.binary()
    | st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(st.characters()),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from([*GOOD, "options"]), inner),
    ).map(lambda value: json.dumps(value).encode())
)
def test_no_file_ends_in_anything_but_a_problem(data: bytes) -> None:
    with pytest.raises(Problem):
        parse_scene(data, "x")


@settings(max_examples=200)
@given(st.data())
def test_no_field_ends_in_anything_but_a_problem(data: st.DataObject) -> None:
    values = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
        lambda inner: st.lists(inner, max_size=3),
        max_leaves=6,
    )
    fields = [*GOOD, "title", "bq", "bo", "Wo", "context", "options"]
    changed = GOOD | {data.draw(st.sampled_from(fields)): data.draw(values)}
    with suppress(Problem):
        assert compute(parse_scene(json.dumps(changed).encode(), "x")).output.ndim == 2
