"""The script that trains the model that comes with the program."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from explorer.models import load
from explorer.resources import example

SCRIPTS = Path(__file__).parents[2] / "scripts"
NAMES = ("stories", "story_trace", "story_model")


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModuleType]:
    """The script, which works in a folder of its own, two steps of few rows in all."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import story_model

    monkeypatch.setattr(story_model, "WORK", tmp_path)
    monkeypatch.setattr(story_model, "STEPS", 2)
    monkeypatch.setattr(story_model, "KEPT", range(3))
    small = story_model.PHASES[-1]._replace(begin=0, batch=4)
    monkeypatch.setattr(story_model, "PHASES", (small,))
    threads = torch.get_num_threads()
    yield story_model
    torch.set_num_threads(threads)
    for name in NAMES:
        sys.modules.pop(name, None)


def test_an_interrupted_training_goes_on(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made = script.tokenizer()
    script.train(made)
    at_once = load_file(tmp_path / "step-00002.safetensors")
    for file in tmp_path.iterdir():
        file.unlink()
    monkeypatch.setattr(script, "STEPS", 1)
    script.train(made)
    monkeypatch.setattr(script, "STEPS", 2)
    script.train(made)
    again = load_file(tmp_path / "step-00002.safetensors")
    assert all(torch.equal(array, again[name]) for name, array in at_once.items())
    assert not torch.equal(
        load_file(tmp_path / "step-00001.safetensors")["wte.weight"], again["wte.weight"]
    )


def test_what_is_trained_is_what_the_file_computes(script: ModuleType) -> None:
    made, folder = script.tokenizer(), example("stories")
    shipped = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    assert json.loads(made.to_str()) == shipped
    network = script.Network(made.get_vocab_size())
    state = {
        name: (array.T if "c_" in name and array.dim() == 2 else array).float()
        for name, array in load_file(folder / "model.safetensors").items()
    }
    network.load_state_dict(state)
    ids = load(folder).run("When Mary and John went to the shop, John gave a drink to").ids
    with torch.no_grad():
        found = network(torch.tensor([ids]))[0].numpy()
    np.testing.assert_allclose(found, load(folder).run(ids=ids).logits, atol=1e-3)


def test_only_what_can_be_known_is_asked(script: ModuleType) -> None:
    """Of repeated rows: what follows a word of the phrase, when the phrase comes again."""
    tokens, after = script.Batches(script.tokenizer())(5)
    assert tokens.shape == after.shape == (4, script.LENGTH)
    assert (tokens[:, 0] == 0).all()
    repeated = [row for row in range(4) if (after[row] < 0).any()]
    assert repeated
    for row in repeated:
        asked = after[row] >= 0
        for place in np.flatnonzero(asked.numpy()):
            pair = [tokens[row, place].item(), after[row, place].item()]
            before = tokens[row, : place + 1].tolist()
            assert any(before[i : i + 2] == pair for i in range(place)), (row, place)
