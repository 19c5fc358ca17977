"""Ready-made numbers for X and the W, and the short names of matrices a reader recognises."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

import numpy as np

from explorer.attention.arrays import read_only
from explorer.session.edits import PER_HEAD, head_matrix, set_head_matrix, set_matrix
from explorer.session.scene import PROJECTIONS, Array, Matrix, Scene
from explorer.text import N_, Problem, _


class Preset(StrEnum):
    """What a matrix can be filled with."""

    IDENTITY = "identity"
    ZEROS = "zeros"
    RANDOM = "random"
    OWN = "own"


PRESET_LABELS: dict[Preset, str] = {
    Preset.IDENTITY: N_("identity"),
    Preset.ZEROS: N_("zeros"),
    Preset.RANDOM: N_("random"),
    Preset.OWN: N_("the scene's own"),
}

SEED = 789  # of the random preset: the same numbers every time, others for each matrix
_MATRICES = tuple(Matrix)
# How far from the identity's any number of a "slight mix" is at most.
_SLIGHT = 0.25


def apply(scene: Scene, matrix: Matrix, preset: str, original: Scene) -> Scene:
    """Return the scene with X or a W filled from a preset, each head of a W alike.

    identity has 1 on the diagonal; random is normal with mean 0, rounded to two decimals, with
    standard deviation 1/√rows for a W (so that Q, K, V are about as large as X), else 1; own
    takes the numbers of `original`, the scene as opened or saved, a Problem where none fit.
    """
    old = scene.matrix(matrix)
    match Preset(preset):
        case Preset.OWN:
            own: Array | None = original.array(matrix)
            if own is None or own.shape != old.shape:
                raise Problem(
                    N_("The scene's own {matrix} has another shape, so it does not fit here."),
                    matrix=str(matrix),
                )
            return set_matrix(scene, matrix, own)
        case Preset.ZEROS:
            return set_matrix(scene, matrix, np.zeros_like(old))
        case Preset.RANDOM:
            return set_matrix(scene, matrix, _random(matrix, old.shape))
        case Preset.IDENTITY:
            one = np.eye(*head_matrix(scene, matrix).shape)
            for head in range(scene.heads if matrix in PER_HEAD else 1):
                scene = set_head_matrix(scene, matrix, head, one)
            return scene


def preset_name(scene: Scene, matrix: Matrix, original: Scene | None = None, head: int = 0) -> str:
    """Return in a word or two what a head's matrix does, in the language in use.

    Parameters
    ----------
    original : Scene, optional
        The scene as opened or saved: numbers without a name of their own are "own" where they are
        as they were there, else "edited".
    """
    values = head_matrix(scene, matrix, head)
    if not values.any():
        return _("zeros")
    identity = np.eye(*values.shape)
    if np.array_equal(values, identity):
        return _("identity")
    if values.shape[0] == values.shape[1]:
        if not (values * (1 - identity)).any():
            return _("stretch")
        # Each new column is a weighted mean of the old ones.
        if (values >= 0).all() and np.allclose(values.sum(axis=0), 1, atol=1e-9):
            return _("smoothing")
        if np.abs(values - identity).max() <= _SLIGHT:
            return _("slight mix")
    whole = scene.matrix(matrix)
    if np.array_equal(whole, _random(matrix, whole.shape)):
        return _("random")
    if original is not None and not _same(whole, original.array(matrix)):
        return _("edited")
    return _("own")


def _same(a: Array, b: Array | None) -> bool:
    return a is b or (b is not None and np.array_equal(a, b))


@lru_cache(maxsize=4)
def _random(matrix: Matrix, shape: tuple[int, ...]) -> Array:
    generator = np.random.default_rng((SEED, _MATRICES.index(matrix)))
    multiplied = matrix in (*PROJECTIONS, Matrix.WO)
    deviation = shape[-2] ** -0.5 if multiplied else 1.0
    return read_only(np.round(generator.normal(0, deviation, shape), 2) + 0.0)
