"""The largest scenes that a file may hold."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.session import Options, Scene, dump_scene, parse_scene
from explorer.session.scene_file import LARGEST_FILE
from tests.scenes import assert_same_scene

pytestmark = pytest.mark.timeout(3600)


def test_the_largest_scene_can_be_saved_and_opened() -> None:
    # 512 tokens of 4,096 numbers and three matrices: 7,995,392 numbers of the longest kind
    # but for those below 1e-300, which a parser takes a hundred times longer for.
    long = -1.2345678901234568e-280
    scene = Scene(
        tokens=("\U0001f408" * 64,) * 512,
        X=np.full((512, 4096), long),
        Wq=np.full((4096, 480), long),
        Wk=np.full((4096, 480), long),
        Wv=np.full((4096, 480), long),
        options=Options(mask=np.zeros((512, 512), np.bool_)),
    )
    data = dump_scene(scene)
    assert 180 * 2**20 < len(data) <= LARGEST_FILE
    assert_same_scene(parse_scene(data, "x"), scene)


def test_a_scene_of_the_most_rows_can_be_saved_and_opened() -> None:
    tall = np.zeros((64, 8192, 1))
    scene = Scene(("a",), np.zeros((1, 8192)), tall, tall, tall, Wo=np.zeros((64, 1)))
    assert_same_scene(parse_scene(dump_scene(scene), "x"), scene)
