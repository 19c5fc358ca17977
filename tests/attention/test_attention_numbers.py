"""The numbers that a reader knows from the pictures and the textbooks, to the shown digit."""

import numpy as np
import pytest
import torch

from explorer.attention import attend, breakdown, distance

torch.set_num_threads(1)


def shown(array, digits):
    return np.round(array, digits) + 0.0  # + 0.0: no negative zero


@pytest.fixture(scope="module")
def cat():
    """cat likes fish cloud."""
    X = [[1, 0], [0.5, 0.5], [0, 1], [-0.8, 0.9]]
    return attend(X, np.eye(2), [[1, 0.2], [0.2, 1]], [[0.9, 0.1], [0.1, 0.9]])


EXPECTED = {
    "Q": (2, [[1, 0], [0.5, 0.5], [0, 1], [-0.8, 0.9]]),
    "K": (2, [[1, 0.2], [0.6, 0.6], [0.2, 1], [-0.62, 0.74]]),
    "V": (2, [[0.9, 0.1], [0.5, 0.5], [0.1, 0.9], [-0.63, 0.73]]),
    "raw": (
        3,
        [
            [1, 0.6, 0.2, -0.62],
            [0.6, 0.6, 0.6, 0.06],
            [0.2, 0.6, 1, 0.74],
            [-0.62, 0.06, 0.74, 1.162],
        ],
    ),
    "weights": (
        3,
        [
            [0.379, 0.286, 0.215, 0.120],
            [0.272, 0.272, 0.272, 0.185],
            [0.180, 0.239, 0.317, 0.264],
            [0.114, 0.185, 0.299, 0.403],
        ],
    ),
    "head_output": (3, [[0.429, 0.462], [0.291, 0.543], [0.147, 0.615], [-0.029, 0.666]]),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_cat_likes_fish_cloud(cat, name):
    digits, numbers = EXPECTED[name]
    assert shown(getattr(cat, name)[0], digits).tolist() == numbers


def test_cat_and_cloud_are_2_012_apart(cat):
    assert round(distance(cat.X[0], cat.X[3]), 3) == 2.012


def test_the_sum_of_cat_and_cloud(cat):
    one = breakdown(cat, query=0, key=3)
    assert one.q.tolist() == [1.0, 0.0]
    assert shown(one.k, 2).tolist() == [-0.62, 0.74]
    assert shown(one.products, 2).tolist() == [-0.62, 0.0]
    assert round(one.raw, 2) == -0.62
    assert round(one.score, 3) == -0.438
    assert round(one.row_sum, 3) == 5.354
    assert round(one.weight, 3) == 0.120


def test_your_journey():
    # Raschka's example: three linear layers after one seed.
    X = [[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64],
         [0.22, 0.58, 0.33], [0.77, 0.25, 0.10], [0.05, 0.80, 0.55]]  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(789)
        layers = [torch.nn.Linear(3, 2, bias=False) for _ in range(3)]
    result = attend(X, *(layer.weight.detach().T.numpy() for layer in layers))
    assert shown(result.output, 4).tolist() == [
        [-0.0739, 0.0713], [-0.0748, 0.0703], [-0.0749, 0.0702],
        [-0.0760, 0.0685], [-0.0763, 0.0679], [-0.0754, 0.0693],
    ]  # fmt: skip


def test_zao_shang_hao():
    result = attend([[1, 2, 1, 2, 1], [1, 1, 3, 2, 1], [3, 1, 2, 1, 1]], scale="none")
    assert shown(result.weights[0, 0], 3).tolist() == [0.422, 0.422, 0.155]
    assert result.raw[0, 0].tolist() == [11, 11, 10]
