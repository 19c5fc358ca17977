"""The scene as code: short, marked by stage, and giving the same numbers when it is run."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings

from explorer.attention import MISTAKES, Variant
from explorer.exporters.code import MOST_ENTERING, MOST_LINES, Code, code
from explorer.resources import example
from explorer.session import (
    Context,
    Options,
    Scene,
    Sequence,
    Stage,
    at_sequence,
    compute,
    read_scene,
    stages_of,
    write_scene,
)
from explorer.session.edits import set_mask, set_scale
from tests.kinds import KINDS
from tests.scenes import scenes

CAT = read_scene(example("cat-likes-fish.json"))
GREETING = read_scene(example("zao-shang-hao.json"))
MASK = np.tri(4, dtype=bool)[::-1]
NOTHING_VISIBLE = MASK.copy()
NOTHING_VISIBLE[1] = False
RNG = np.random.default_rng(1)


def full(heads: int, stacked: bool, tokens: int = 4, d: int = 3) -> Scene:
    """A scene with everything a scene can have."""
    split = Scene(
        tuple(f"t{i}" for i in range(tokens)),
        RNG.normal(size=(tokens, d)),
        *(RNG.normal(size=(d, heads * 2)) for _ in range(3)),
        *(RNG.normal(size=heads * 2) for _ in range(3)),
        RNG.normal(size=(heads * 2, 3)),
        RNG.normal(size=3),
        Context(("k", "l", "m"), RNG.normal(size=(3, d))),
        Options(mask=np.tri(tokens, 3, dtype=bool), heads=heads),
    )
    if not stacked:
        return split
    return split.replace(**{n: split.per_head(n) for n in ("Wq", "Wk", "Wv", "bq", "bk", "bv")})


def with_options(scene: Scene, **changes: Any) -> Scene:
    return scene.replace(options=dataclasses.replace(scene.options, **changes))


def batch(scene: Scene) -> Scene:
    """The scene with a shorter sequence after it, with a mask of its own and a position."""
    assert scene.context is not None
    mask = np.array([[True, False, True], [False, True, False]])
    other = Sequence(("b", "c"), -scene.X[:2], scene.context, mask)
    return with_options(scene, position=np.sqrt(np.abs(scene.X))).replace(others=(other,))


LARGE = full(2, stacked=False, tokens=20, d=12)
BATCH, LARGE_BATCH = batch(full(2, stacked=True)), batch(LARGE)
SCENES = {
    "default": CAT,
    "no W": GREETING,
    "no W, context": GREETING.replace(context=Context(("k",), np.ones((1, 5)))),
    "causal": set_mask(CAT, "causal"),
    "mask": set_mask(CAT, MASK),
    "row masked": set_mask(CAT, NOTHING_VISIBLE),
    "divisor": set_scale(CAT, 2.5),
    "no scale": set_scale(CAT, "none"),
    "Wo": CAT.replace(Wo=RNG.normal(size=(2, 3))),
    "everything": full(1, stacked=False),
    "split heads": full(2, stacked=False),
    "stacked heads": full(2, stacked=True),
    "stacked head": full(1, stacked=True),
    "split heads, sinusoidal": with_options(full(2, stacked=False), position="sinusoidal"),
    "stacked heads, position": with_options(
        full(2, stacked=True), position=RNG.normal(size=(4, 3))
    ),
    "temperature": with_options(CAT, temperature=0.3),
    **{
        f"{variant}, {heads} heads": with_options(full(heads, heads != 2), variant=variant)
        for variant in Variant
        for heads in (1, 2, 3)
    },
    "second sequence": at_sequence(BATCH, 1),
    "second large sequence": at_sequence(LARGE_BATCH, 1),
    "large, sinusoidal": with_options(LARGE, position="sinusoidal", variant="softmax_first"),
    "large": full(2, stacked=False, tokens=20, d=12),
    "large stacked": full(2, stacked=True, tokens=20, d=12),
}


def run(program: Code) -> dict[str, Any]:
    """Run a program and return what it leaves behind, as numpy arrays."""
    names: dict[str, Any] = {}
    before = torch.get_default_dtype()
    try:
        exec(compile(program.text, "scene.py", "exec"), names)
    finally:
        torch.set_default_dtype(before)
    return {
        name: value.numpy() if isinstance(value, torch.Tensor) else value
        for name, value in names.items()
    }


def assert_gives_the_scenes_numbers(program: Code, scene: Scene) -> None:
    made, expected = run(program), compute(scene)
    for name in ("Q", "K", "V", "scores", "weights"):
        result = made[name].reshape(getattr(expected, name).shape)
        np.testing.assert_allclose(result, getattr(expected, name), rtol=1e-9, atol=1e-12)
        assert result.dtype == np.float64
    np.testing.assert_allclose(made["output"], expected.output, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("with_torch", [False, True], ids=["numpy", "torch"])
@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_the_program_gives_the_same_numbers(scene: Scene, with_torch: bool, tmp_path: Path) -> None:
    torch.set_num_threads(1)
    path = tmp_path / 'a "scene".json'
    write_scene(scene, path)
    program = code(scene, with_torch, str(path))
    assert len(program.lines) == len(program.stages) <= MOST_LINES
    assert_gives_the_scenes_numbers(program, scene)


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=60)
@given(scenes(largest=5.0))
def test_any_scene_gives_its_numbers(scene: Scene) -> None:
    for with_torch in (False, True):
        program = code(scene, with_torch)
        options = scene.options
        entering = options.rotary is not None or options.qk_norm is not None
        assert len(program.lines) <= MOST_LINES + entering * MOST_ENTERING
        assert_gives_the_scenes_numbers(program, scene)


@pytest.mark.parametrize("variant", Variant)
def test_a_mistake_says_that_it_is_one(variant: Variant) -> None:
    for with_torch in (False, True):
        text = code(with_options(full(2, stacked=False), variant=variant), with_torch).text
        assert ("  # wrong on purpose: " in text) == (variant in MISTAKES)


def test_the_default_scene_is_the_formula() -> None:
    program = code(CAT)
    assert program.lines[0] == "import numpy as np"
    assert program.lines[1].endswith("[-0.8, 0.9]])  # cat likes fish cloud")
    assert program.lines[6:] == (
        "Q = X @ Wq",
        "K = X @ Wk",
        "V = X @ Wv",
        "scores = Q @ K.T / K.shape[-1] ** 0.5",
        "e = np.exp(scores - scores.max(-1, keepdims=True))",
        "weights = e / e.sum(-1, keepdims=True)",
        "output = weights @ V",
        "print(output)",
    )


@pytest.mark.parametrize("with_torch", [False, True])
@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_each_stage_has_lines_that_name_it(scene: Scene, with_torch: bool) -> None:
    program = code(scene, with_torch)
    assigned = {
        Stage.X: "X",
        Stage.Q: "Q",
        Stage.K: "K",
        Stage.V: "V",
        Stage.S: "scores",
        Stage.A: "weights",
        Stage.P: "X",
        Stage.O: "O",
        Stage.C: "C",
    }
    there = stages_of(scene)
    for stage in there:
        lines = [
            line for line, of in zip(program.lines, program.stages, strict=True) if stage in of
        ]
        names = {assigned.get(stage), "output" if stage in there[-3:] else None}
        assert any(names & set(line.split(" = ")[:-1]) for line in lines)
    assert there[-1] in program.stages[-1]
    assert set().union(*program.stages) == set(there)
    assert not program.stages[0]


def test_the_outputs_of_a_short_program_have_names_of_their_own() -> None:
    scene = with_options(full(2, stacked=True), mask="none")
    program = code(scene)
    assert program.lines[-4:] == (
        "O = weights @ V",
        "C = O.swapaxes(0, 1).reshape(len(X), -1)",
        "output = C @ Wo + bo",
        "print(output)",
    )
    assert program.stages[-4:-1] == ({Stage.O}, {Stage.C}, {Stage.Y})
    made, expected = run(program), compute(scene)
    np.testing.assert_allclose(made["O"], expected.head_output)
    long = code(with_options(LARGE, position="sinusoidal"), torch=True)
    assert long.lines[-2].startswith("output = (weights @ V).swapaxes(0, 1)")
    assert long.stages[-2] == {Stage.O, Stage.C, Stage.Y}


@pytest.mark.parametrize("with_torch", [False, True])
@pytest.mark.parametrize("name", KINDS)
def test_the_program_of_every_kind_of_scene_is_short_and_right(name: str, with_torch: bool) -> None:
    program, options = code(KINDS[name], with_torch), KINDS[name].options
    entering = options.rotary is not None or options.qk_norm is not None
    assert len(program.lines) <= MOST_LINES + entering * MOST_ENTERING
    assert_gives_the_scenes_numbers(program, KINDS[name])


def test_the_shown_one_of_several_sequences_is_named() -> None:
    scene = at_sequence(KINDS["batch-of-three"], 1)
    said = f"  # sequence 2 of 3: {' '.join(scene.tokens)}"
    assert code(scene).lines[1].endswith(said)


def test_a_large_scene_is_read_from_a_hand_written_file(tmp_path: Path) -> None:
    scene = full(2, stacked=False, tokens=20, d=12).replace(X=np.ones((20, 12)))
    path = tmp_path / "scene.json"
    write_scene(scene, path)
    fields = json.loads(path.read_text())
    fields["X"] = [[1] * 12] * 20
    path.write_text(json.dumps(fields))
    for with_torch in (False, True):
        assert_gives_the_scenes_numbers(code(scene, with_torch, str(path)), scene)


def test_a_token_cannot_leave_its_comment() -> None:
    scene = CAT.replace(tokens=("a\u2028import os", "\u202eb", "#", "x" * 64))
    text = code(scene).text
    assert "\u2028" not in text
    assert "\u202e" not in text
    assert_gives_the_scenes_numbers(code(scene), scene)
