"""The least change that gives one score or one weight of a row a wanted value.

The change is a vector z. Every score of the row is base + slopes z, but the query's own score may
be quadratic: where the query's row of X moves, its key moves along.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.attention.arrays import Floats

_SEED = 20
_RANDOM_RAYS = 24
_MOST_RAYS = 48  # along the differences of keys
_POLISHED = 12
_STEPS = np.geomspace(1e-8, 1e8, 129)
_DENSE = 64  # up to so many dimensions a step uses the curvature
# How much of the target's own error is left: far below what is asked for, 1e-6.
_MET = 1e-12


@dataclass(frozen=True, eq=False)
class Row:
    """The scores of one query against the keys it may attend to, as functions of the change z.

    base : (S,), slopes : (S, n); score l is base[l] + slopes[l] · z
    key : the one that is aimed at
    level : the log-odds its weight is to have, or, where `alone`, the score it is to have
    own : the key that moves with the query, and bend : (n, n), by z bend z of its score, if any
    alone : whether the score is aimed at itself, whatever the other keys have
    """

    base: Floats
    slopes: Floats
    key: int
    level: float
    own: int | None = None
    bend: Floats | None = None
    alone: bool = False

    @cached_property
    def both(self) -> Floats:
        """The second derivatives (n, n) of the own key's score; none where it does not bend."""
        if self.own is None or self.bend is None:
            n = self.slopes.shape[1]
            return np.zeros((n, n))
        return self.bend + self.bend.T

    def scores(self, z: Floats) -> Floats:
        """The scores (S,) at z (n,)."""
        scores: Floats = self.base + self.slopes @ z
        if self.own is not None and self.bend is not None:
            scores[self.own] += z @ self.bend @ z
        return scores

    def along(self, directions: Floats) -> Lines:
        """How the scores go along rays from 0, in directions (N, n)."""
        bends = np.zeros(len(directions))
        if self.own is not None and self.bend is not None:
            bends = ((directions @ self.bend) * directions).sum(axis=-1)
        return Lines(self, directions @ self.slopes.T, bends)

    def excess_of(self, scores: Floats) -> Floats:
        """How far above its level the score or the log-odds lies, (...), of scores (..., S)."""
        excess: Floats = scores[..., self.key] - self.level
        if self.alone:
            return excess
        rest = scores.copy()
        rest[..., self.key] = -np.inf
        top = rest.max(axis=-1)
        return excess - top - np.log(np.exp(rest - top[..., None]).sum(axis=-1))

    def excess(self, z: Floats) -> float:
        """How far above its level the score or the log-odds lies at z (n,)."""
        return float(self.excess_of(self.scores(z)))

    def slope(self, z: Floats) -> tuple[float, Floats]:
        """The excess at z (n,) and its gradient (n,)."""
        scores = self.scores(z)
        parts = self._parts(scores)
        gradient = parts @ self.slopes
        if self.own is not None and self.bend is not None:
            gradient += parts[self.own] * (self.both @ z)
        return float(self.excess_of(scores)), gradient

    def gradient(self, z: Floats) -> Floats:
        """The gradient (n,) of the excess at z (n,)."""
        return self.slope(z)[1]

    def curvature(self, z: Floats) -> Floats:
        """The second derivatives (n, n) of the excess at z (n,)."""
        n = len(z)
        parts = self._parts(self.scores(z))
        curvature = np.zeros((n, n))
        if not self.alone:
            shares = -parts
            shares[self.key] = 0.0
            slopes = self._slopes_at(z)
            mean = shares @ slopes
            curvature -= (slopes.T * shares) @ slopes - np.outer(mean, mean)
        if self.own is not None:
            curvature += parts[self.own] * self.both
        return curvature

    def within(self, basis: Floats) -> Row:
        """The same row for changes y basis, with y in place of z."""
        return Row(
            self.base,
            self.slopes @ basis.T,
            self.key,
            self.level,
            self.own,
            None if self.bend is None else basis @ self.bend @ basis.T,
            self.alone,
        )

    def _slopes_at(self, z: Floats) -> Floats:
        if self.own is None or self.bend is None:
            return self.slopes
        slopes = self.slopes.copy()
        slopes[self.own] += self.both @ z
        return slopes

    def _parts(self, scores: Floats) -> Floats:
        """By how much of each score (S,) the excess changes: all of the key's, less the shares."""
        parts = np.zeros(len(scores))
        if not self.alone:
            rest = scores.copy()
            rest[self.key] = -np.inf
            parts = np.exp(rest - rest.max())
            parts /= -parts.sum()
        parts[self.key] = 1.0
        return parts


@dataclass(frozen=True, eq=False)
class Lines:
    """The scores of a row along rays from 0.

    slopes : (N, S), bends : (N,); score l at t on a ray is base[l] + t slopes[l], the own key's
        + t² bend
    """

    row: Row
    slopes: Floats
    bends: Floats

    def excess(self, ray: int, t: Floats) -> Floats:
        """The excess at each t (M,) of one ray; of those far from 0 alone the sign is right."""
        row = self.row
        scores = row.base + t[:, None] * self.slopes[ray]
        if row.own is not None:
            scores[:, row.own] += t * t * self.bends[ray]
        if row.alone:
            return row.excess_of(scores)
        gap = scores[:, row.key] - row.level
        scores[:, row.key] = -np.inf
        # The logarithm of a sum of exponentials is no less than the largest exponent, and no more
        # than that and the logarithm of their number.
        found: Floats = gap - scores.max(axis=-1)
        close = np.flatnonzero((found >= 0.0) & (found <= math.log(len(row.base)) + 1e-6))
        rest = scores[close]
        top = rest.max(axis=-1)
        found[close] = gap[close] - top - np.log(np.exp(rest - top[:, None]).sum(axis=-1))
        return found

    def bisected(self, rays: NDArray[np.intp], ends: Floats, start: float) -> Floats:
        """Where on some rays (M,), between 0 and its end, the excess changes its sign, (M,)."""
        row, slopes, bends = self.row, self.slopes[rays], self.bends[rays]
        low, high = np.zeros(len(rays)), np.ones(len(rays))
        for _ in range(80):
            middle = (low + high) / 2
            t = middle * ends
            scores = row.base + t[:, None] * slopes
            if row.own is not None:
                scores[:, row.own] += t * t * bends
            before = np.sign(row.excess_of(scores)) == np.sign(start)
            if np.all((middle == low) | (middle == high)):
                break
            low, high = np.where(before, middle, low), np.where(before, high, middle)
        return high * ends


def nearest(row: Row) -> tuple[Floats | None, float]:
    """The shortest z (n,) at which the excess is 0, and the excess there.

    None where there is none; the excess is then the closest to 0 that was found. The shortest of a
    convex set is found for sure; else it is the best of several dozen starts along rays.
    """
    basis = _basis(row)
    small = row if basis is None else row.within(basis)
    with np.errstate(all="ignore"):
        width = small.slopes.shape[1]
        start = small.excess(np.zeros(width))
        if start == 0.0 or width == 0:
            return (np.zeros(row.slopes.shape[1]), 0.0) if start == 0.0 else (None, start)
        found = _crossings(small, start)
        if not found:
            best = _climbed(small, -np.sign(start))
            excess = small.excess(best)
            if np.sign(excess) == np.sign(start):
                return None, excess
            lines = small.along(best[None])
            found = [lines.bisected(np.array([0]), np.ones(1), start)[0] * best]
        found.sort(key=np.linalg.norm)
        polished = [_shortened(small, z) for z in found[:_POLISHED]]
        z = min(polished, key=np.linalg.norm)
        return z if basis is None else z @ basis, small.excess(z)


def _basis(row: Row) -> Floats | None:
    """Orthonormal rows spanning every gradient: the shortest change lies among them.

    None where they span everything, of a large row: then any basis would do.
    """
    if row.alone and row.bend is None:
        parts = [row.slopes[[row.key]]]
    else:
        parts = [row.slopes - (0.0 if row.alone else row.slopes[row.key])]
        if row.bend is not None:
            parts = [row.slopes, row.bend, row.bend.T]
    every = np.concatenate(parts)
    rows, columns = every.shape
    if rows >= columns > _DENSE:
        sizes = np.linalg.svd(every, compute_uv=False)  # a third of the work
        if sizes[-1] > 1e-13 * sizes[0]:
            return None
    _, sizes, axes = np.linalg.svd(every, full_matrices=False)
    return axes[sizes > 1e-13 * max(float(sizes[0]), 1e-300)] if sizes[0] > 0 else axes[:0]


def _crossings(row: Row, start: float) -> list[Floats]:
    """Where rays from 0 first meet the wanted value."""
    n = row.slopes.shape[1]
    differences = row.slopes - row.slopes[row.key]
    sizes = np.linalg.norm(differences, axis=1)
    chosen = [place for place in np.argsort(sizes)[::-1] if sizes[place] > 0][:_MOST_RAYS]
    rays = [row.gradient(np.zeros(n)), *differences[chosen], row.slopes[row.key]]
    if row.bend is not None:
        axes = np.linalg.eigh(row.both)[1].T
        rays += [*axes[: -1 - _MOST_RAYS : -1], *axes[:_MOST_RAYS]]
    rays += list(np.random.default_rng(_SEED).normal(size=(_RANDOM_RAYS, n)))
    lengths = [float(np.linalg.norm(ray)) for ray in rays]
    units = np.array([ray / size for ray, size in zip(rays, lengths, strict=True) if size > 0])
    unit = _natural_length(row)
    directions = np.concatenate([units, -units])
    lines = row.along(directions)
    crossed = {}
    for ray in range(len(directions)):
        values = lines.excess(ray, unit * _STEPS)
        beyond = np.flatnonzero(np.isfinite(values) & (np.sign(values) != np.sign(start)))
        if beyond.size:
            crossed[ray] = int(beyond[0])
    if not crossed:
        return []
    # The nearest lie before the steps at which the first of them are beyond.
    last = sorted(crossed.values())[:_POLISHED][-1]
    near = {ray: step for ray, step in crossed.items() if step <= last}
    those = np.array(list(near))
    ends = unit * _STEPS[list(near.values())]
    return list(lines.bisected(those, ends, start)[:, None] * directions[those])


def _natural_length(row: Row) -> float:
    """A length over which a score changes by about 1."""
    size = float(np.linalg.norm(row.slopes, axis=1).max())
    bend = 0.0 if row.bend is None else float(np.abs(row.bend).max()) ** 0.5
    return 1.0 / max(size, bend, 1e-300)


def _climbed(row: Row, sign: float) -> Floats:
    """Where `sign` times the excess is largest, or first above 0: a Newton ascent from 0."""
    z = np.zeros(row.slopes.shape[1])
    value = sign * float(row.excess(z))
    reach = _natural_length(row)
    for _ in range(200):
        sizes, axes = np.linalg.eigh(row.curvature(z))
        gradient = sign * row.gradient(z)
        # Uphill even where the surface is no hill; ever less held back as steps succeed.
        step = axes @ ((axes.T @ gradient) / np.maximum(np.abs(sizes), 1e-12))
        length = float(np.linalg.norm(step))
        if length > reach:
            step *= reach / length
        while length > 0.0:
            there = sign * float(row.excess(z + step))
            if there > value:
                break
            step = step / 4
            reach /= 4
            length = float(np.linalg.norm(step))
            if length <= 1e-14 * (1e-300 + float(np.linalg.norm(z))) or reach < 1e-12:
                return z
        else:
            return z
        z, gained, value = z + step, there - value, there
        if value >= 0.0 or gained < 1e-15:
            return z
        reach *= 4
    return z


def _shortened(row: Row, z: Floats) -> Floats:
    """The end of a slide along the surface of excess 0 to where it is nearest to 0."""
    z = _landed(row, z)
    for _ in range(100):
        gradient = row.gradient(z)
        steepness = float(gradient @ gradient)
        if steepness == 0.0:
            return z
        multiplier = float(z @ gradient) / steepness
        tangent = z - multiplier * gradient
        size = float(np.linalg.norm(z))
        if np.linalg.norm(tangent) <= 1e-7 * size:
            return z
        for step in _slides(row, z, gradient, multiplier, tangent):
            there = _landed(row, z - step)
            if float(np.linalg.norm(there)) < size * (1 - 1e-9) and _is_met(row, there):
                z = there
                break
        else:
            return z
    return z


def _slides(
    row: Row, z: Floats, gradient: Floats, multiplier: float, tangent: Floats
) -> list[Floats]:
    """Steps along the surface to try: with the curvature, then ever shorter ones without."""
    steps = [tangent * 0.5**power for power in range(12)]
    if len(z) <= _DENSE:
        normal = gradient / np.linalg.norm(gradient)
        flat = np.eye(len(z)) - np.outer(normal, normal)
        bent = flat @ (np.eye(len(z)) - multiplier * row.curvature(z)) @ flat
        sizes, axes = np.linalg.eigh(bent + np.outer(normal, normal))
        newton = flat @ (axes @ ((axes.T @ tangent) / np.maximum(np.abs(sizes), 1e-3)))
        steps = [newton, newton / 4, *steps]
    return steps


def _landed(row: Row, z: Floats) -> Floats:
    """The point of excess 0 that Newton's steps along the gradient reach from z."""
    for _ in range(30):
        excess, gradient = row.slope(z)
        steepness = float(gradient @ gradient)
        if abs(excess) <= _MET * max(1.0, abs(row.level)) or not steepness > 0.0:
            break
        z = z - excess * gradient / steepness
    return z


def _is_met(row: Row, z: Floats) -> bool:
    return abs(float(row.excess(z))) <= 1e-9 * max(1.0, abs(row.level))
