"""A whole scene as code, notebook, LaTeX, Markdown and CSV."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
import torch

from explorer.cli import main
from explorer.exporters import EXPORTERS, WHOLE, Exporter
from explorer.importers import importer_of
from explorer.resources import example
from explorer.session import Context, Frame, Look, Role, Scene, Selection, compute, read_scene
from explorer.session.resolve import resolve
from explorer.text import use_language
from tests.exporters.test_code import RNG
from tests.exporters.test_code import SCENES as OF_CODE
from tests.kinds import KINDS

BY_KEY = {each.key: each for each in EXPORTERS}
ENTERING = ("rotary", "rotary, norm, Wo", "rotary, context", "norm")
GIVEN = Scene(
    ("a", "b"),
    RNG.normal(size=(2, 3)),
    context=Context(("k", "l", "m"), RNG.normal(size=(3, 3))),
    V=RNG.normal(size=(3, 4)),
)
SCENES = OF_CODE | {name: KINDS[name] for name in ENTERING} | {"given": GIVEN}
CAT = SCENES["default"]
HOSTILE = CAT.replace(
    tokens=("=1+1", r"\input{x}$%", "<b>|`*_[a](b)", "猫\n#"), title="\\end{document} $x$ | # <i>"
)


def frame_of(scene: Scene, selection: Selection | None = None, head: int = 0) -> Frame:
    return resolve(scene, Look(head=head), selection)


@pytest.mark.parametrize("key", ["numpy", "pytorch"])
@pytest.mark.parametrize("name", [*SCENES, "hostile"])
def test_a_program_computes_the_scene(key: str, name: str) -> None:
    scene = SCENES.get(name, HOSTILE)
    names: dict[str, Any] = {}
    before = torch.get_default_dtype()
    try:
        exec(compile(BY_KEY[key].text_of(frame_of(scene)), key, "exec"), names)
        module = names["Attention"]() if key == "pytorch" else None
    finally:
        torch.set_default_dtype(before)
    wanted = compute(scene)
    for made, array in (("weights", wanted.weights), ("output", wanted.output)):
        found = names[made].detach().numpy() if key == "pytorch" else names[made]
        np.testing.assert_allclose(found.reshape(array.shape), array, rtol=0, atol=1e-12)
    if module is not None and scene.Wq is not None:
        assert dict(module.named_parameters()).keys() >= {"Wq", "Wk", "Wv"}
        assert np.array_equal(module.Wq.detach().numpy(), scene.Wq)


RUN = """
import json, sys, warnings
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
plt.show = lambda: None  # as a notebook: the picture stands below the cell
warnings.simplefilter("error")
made = []
for path in sys.argv[1:]:
    names, pictures = {}, 0
    for cell in json.load(open(path, encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), path, "exec"), names)
            pictures += len(plt.get_fignums())
            plt.close("all")
    made.append([pictures, names["output"].tolist()])
print(json.dumps(made))
"""


def test_a_notebook_runs_and_pictures_each_stage(tmp_path: Path) -> None:
    scenes = [CAT, HOSTILE, SCENES["everything"], SCENES["row masked"], SCENES["rotary"], GIVEN]
    scenes += [read_scene(example(f"{name}.json")) for name in ("two-heads", "zao-shang-hao")]
    paths = [tmp_path / f"{number}.ipynb" for number in range(len(scenes))]
    for scene, path in zip(scenes, paths, strict=True):
        path.write_text(BY_KEY["notebook"].text_of(frame_of(scene)), "utf-8")
        nbformat.validate(nbformat.read(path, as_version=4))
    done = subprocess.run(
        [sys.executable, "-c", RUN, *map(str, paths)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    for scene, (pictures, output) in zip(scenes, json.loads(done.stdout), strict=True):
        np.testing.assert_allclose(output, compute(scene).output, rtol=0, atol=1e-12)
        assert pictures >= 6 + (not scene.given)  # X, Q, K, V, scores, weights, output
    words = [cell.source for cell in nbformat.read(paths[0], 4).cells]
    assert any("## A: attention" in text and r"\frac" in text for text in words)


def test_latex_has_the_matrices_and_the_selected_cell() -> None:
    latex = BY_KEY["latex"]
    text = latex.text_of(frame_of(CAT, Selection(Role.A, query=1, key=0)))
    assert text.startswith("% !TeX program = pdflatex\n")
    assert r"W_q = \begin{bmatrix} 1.000 & 0.000 \\ 0.000 & 1.000 \end{bmatrix}" in text
    assert r"q_{2} \cdot k_{1} = 0.500 \cdot 1.000 + 0.500 \cdot 0.200 = 0.600" in text
    assert r"s_{2,1} = \frac{0.600}{1.414} = 0.424" in text
    assert "= 0.272}" in text
    sums = latex.text_of(frame_of(CAT, Selection(Role.O, query=1, column=0)))
    assert r"o_{2,1} = (0.272 \cdot 0.900 + 0.272 \cdot 0.500 + 0.272 \cdot 0.100" in sums
    value = latex.text_of(frame_of(CAT, Selection(Role.V, key=3, column=0)))
    assert r"v_{4,1} = (-0.800) \cdot 0.900 + 0.900 \cdot 0.100 = -0.630" in value
    assert "selected" not in latex.text_of(frame_of(CAT))
    rotary = latex.text_of(frame_of(SCENES["rotary"], Selection(Role.S, query=1, key=0)))
    assert re.search(r"\\theta = .*\n.*Q' = .*\n.*K' = ", rotary)
    assert r"q'_{2} \cdot k'_{1} = " in rotary


@pytest.mark.parametrize("name", [*SCENES, "hostile"])
def test_latex_is_closed_and_escaped(name: str) -> None:
    scene = SCENES.get(name, HOSTILE)
    head = scene.heads - 1
    for selection in (Selection(Role.S, query=0, key=0), Selection(Role.Q, query=0, column=0)):
        text = BY_KEY["latex"].text_of(frame_of(scene, selection, head))
        begun = re.findall(r"\\begin\{(\w+)\}", text)
        assert sorted(begun) == sorted(re.findall(r"\\end\{(\w+)\}", text))
        assert text.count(r"\end{document}") == 1
        assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
        assert r"\input" not in text
        assert ("ctex" in text) is text.startswith("% !TeX program = xelatex")
        assert ("ctex" in text) is (max(text) > "\xff")


def test_csv_opens_as_the_same_scene(tmp_path: Path) -> None:
    for name in ("default", "Wo", "split heads"):
        scene = SCENES[name]
        path = tmp_path / "scene.csv"
        path.write_text(BY_KEY["csv"].text_of(frame_of(scene)), "utf-8")
        back = importer_of(path).load(path)
        assert back.tokens == scene.tokens
        for parameter in ("X", "Wq", "Wk", "Wv", "Wo"):
            found, wanted = getattr(back, parameter), getattr(scene, parameter)
            assert (found is None) is (wanted is None)
            assert found is None or np.array_equal(found, wanted)
    assert "\n'=1+1,1.0" in BY_KEY["csv"].text_of(frame_of(HOSTILE))


def test_markdown_has_a_table_a_matrix() -> None:
    text = BY_KEY["markdown"].text_of(frame_of(SCENES["causal"]))
    _before, scores = text.split("## scores\n\n")
    assert scores.splitlines()[:3] == [
        "|  | cat | likes | fish | cloud |",
        "| ---: | ---: | ---: | ---: | ---: |",
        "| cat | 0.707 | -∞ | -∞ | -∞ |",
    ]
    for line in BY_KEY["markdown"].text_of(frame_of(HOSTILE)).splitlines():
        assert not line or line.startswith(("#", "|"))
        assert "<b>" not in line


@pytest.mark.parametrize("each", WHOLE, ids=lambda each: each.key)
def test_the_command_writes_each_format(each: Exporter, tmp_path: Path) -> None:
    path, source = tmp_path / f"cat{each.suffix}", str(example("two-heads.json"))
    words = ["export", source, "-o", str(path), "--head", "2", "--select", "#2:#1"]
    assert main([*words, "--as", each.key]) == 0
    look = Look(head=1)
    frame = resolve(read_scene(source), look, Selection(Role.S, query=1, key=0))
    assert path.read_text("utf-8") == each.text_of(frame)


def test_the_command_speaks_and_says_what_it_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, path = str(example("cat-likes-fish.json")), tmp_path / "cat.tex"
    try:
        assert main(["export", source, "-o", str(path), "--language", "zh"]) == 0
    finally:
        use_language("en")
    assert "xelatex" in path.read_text("utf-8")
    assert main(["export", source, "-o", str(tmp_path / "cat.doc")]) == 2
    assert ".py, .tex, .md, .csv, .ipynb" in capsys.readouterr().err
    assert main(["export", str(tmp_path), "-o", str(path)]) == 2
