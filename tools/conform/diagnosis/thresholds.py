"""Thresholds in the size of entries beyond which a rotation goes wrong, and what happens there.

The implementation is called again: with vectors of equal entries and with vectors of a single entry, of
sizes that close in on the last one turned rightly. Where the two kinds of vectors have the same threshold
it is one of entries, where they have the same norm at it, one of norms.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import attention_factor_float64
from ropeproof.tools.conform.diagnosis.guess import rounded
from ropeproof.tools.conform.expected.budget import (
    allowed,
    largest,
    smallest_normal,
    underflow,
    unit,
)
from ropeproof.tools.conform.expected.exact import certified_tables
from ropeproof.tools.conform.named_tests.trials import REFUSED, Trial, in_rows, signs, turned
from ropeproof.tools.conform.record import NONE_KNOWN, Cause

__all__ = ["sized_cause"]

Floats = NDArray[np.float64]

_STEP = 3
"""Powers of two from one size that is tried to the next."""
_PLACES = 24
_NEAR = 0.12
"""Two sizes that differ by less are one and the same, and a factor that near is what it should be."""
_CLOSE = 2.0**-14
_FAR = 4.0
"""Factor beyond a threshold at which it is looked at what happens there."""


@dataclass(frozen=True)
class _Pattern:
    """Vectors of size 1 that are multiplied by sizes, `(batch, heads, length, head_dim)`."""

    x: Floats
    single: bool


def sized_cause(trial: Trial, dtype: str, residual: float) -> Cause | None:
    """The cause of a failure if it is the size of entries; None if size 1 is wrong as well.

    The id is `magnitude`, or `none known` where nothing that is tried here describes it.
    `residual` is what the caller saw. Cost: some 200 short calls.
    """
    search = _Search(trial, dtype)
    try:
        return search.cause(residual)
    except REFUSED:
        return None


class _Search:
    """The calls of one search: a trial, a type, and the sizes that the type has."""

    def __init__(self, trial: Trial, dtype: str) -> None:
        self.trial, self.dtype, self.coarse = trial, dtype, False
        self.places = np.arange(min(_PLACES, trial.context), dtype=np.int64)
        self.spec = trial.expected(self.places)
        positions = in_rows(self.spec, trial.subject.lifted(self.places))
        self.tables = certified_tables(self.spec, positions)
        part = allowed(self.spec, positions, dtype=dtype, angles=trial.angles)
        self.part = (part + self.tables.error)[:, np.newaxis]
        self.part[..., self.spec.rotary_planes :] = 0.0
        self.floor = underflow(self.spec, dtype)
        self.pairs = tuple(list(c) for c in zip(*self.spec.plane_coordinates(), strict=True))
        shape = (*trial.subject.sizes(2, 2), len(self.places), self.spec.head_dim)
        self.dense = _Pattern(signs(shape, seed=51), single=False)
        alone = np.zeros(shape)
        turning = sorted(
            c for p in self.spec.plane_coordinates()[: self.spec.rotary_planes] for c in p
        )
        turning = turning or list(range(self.spec.head_dim))
        self.turning = turning
        self.still = sorted(set(range(self.spec.head_dim)) - set(turning))
        rows = alone.reshape(-1, shape[-1])
        rows[np.arange(len(rows)), np.array(turning)[np.arange(len(rows)) % len(turning)]] = 1.0
        self.alone = _Pattern(alone, single=True)
        top = int(np.floor(np.log2(largest(self.spec, dtype))))
        bottom = int(np.log2(smallest_normal(dtype))) + (0 if dtype == "float16" else 6)
        self.sizes = [2.0**n for n in (*range(0, bottom, -_STEP), bottom)][::-1]
        self.sizes += [2.0**n for n in (*range(_STEP, top, _STEP), top)]

    def run(self, x: Floats) -> Floats:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.trial.run(x, self.places, self.dtype)

    def budget(self, x: Floats) -> Floats:
        """The allowed error of each coordinate of the result."""
        re, im = self.pairs
        size = self.part * (np.abs(x[..., re]) + np.abs(x[..., im])) + self.floor
        found = np.empty_like(x)
        found[..., re] = found[..., im] = size
        return found

    def near(self, out: Floats, due: Floats, x: Floats, times: float = 1.0) -> bool:
        with np.errstate(all="ignore"):
            return bool((np.abs(out - due) <= times * self.budget(x)).all())

    def scaled(self, pattern: _Pattern, size: float) -> Floats:
        return pattern.x * self.held(size)

    def held(self, size: float) -> float:
        """The size rounded to the type; to a power of two if entries are rounded to few bits."""
        if self.coarse:
            return float(2.0 ** np.rint(np.log2(size)))
        kind = "float32" if self.dtype == "float64" else self.dtype
        return float(rounded(np.array([size]), kind)[0])

    def right(self, pattern: _Pattern, size: float) -> bool:
        x = self.scaled(pattern, size)
        return self.near(self.run(x), turned(x, self.tables, self.spec), x)

    def cause(self, residual: float) -> Cause | None:
        if not self.right(self.alone, 1.0):
            return None
        told = [text for text in (self.rounding(), *self.sides()) if text]
        if told:
            return Cause(id="magnitude", text="; ".join(dict.fromkeys(told)), residual=residual)
        text = "vectors of single entries of size 1 are right, and others are not"
        return Cause(id=NONE_KNOWN, text=f"{NONE_KNOWN}; {text}", residual=residual)

    # Values that are rounded.

    def rounding(self) -> str:
        """In words, to how many bits entries are rounded; empty if they are not."""
        bits = {"bfloat16": 7, "float16": 10}.get(self.dtype, 23)
        draws = np.random.default_rng(52).integers(0, 2**bits, size=self.alone.x.shape)
        x = self.alone.x * (1 + draws / 2.0**bits)
        out = self.run(x)
        if self.near(out, turned(x, self.tables, self.spec), x) or not np.isfinite(out).all():
            # Not of single entries; of those that have a larger one beside them?
            x = self.dense.x * (1 + draws / 2.0**bits)
            out = self.run(x)
            right = self.near(out, turned(x, self.tables, self.spec), x)
            if right or not np.isfinite(out).all() or not self.right(self.dense, 1.0):
                return ""
        back = turned(out, self.tables, self.spec, backwards=True)
        factor = np.ones(self.spec.head_dim)
        factor[self.turning] = attention_factor_float64(self.spec) ** 2
        error = float((np.abs(back / factor - x) / np.abs(x).max(-1, keepdims=True)).max())
        if not 0 < error < 0.3:
            return ""
        self.coarse = True
        return f"entries are rounded to about {max(round(-np.log2(error)) - 1, 0)} bits"

    # Sizes beyond which vectors are turned otherwise.

    def sides(self) -> Iterator[str]:
        """Yield, in words, what is wrong with entries above and below those that are right."""
        spans = [self.span(pattern) for pattern in (self.dense, self.alone)]
        for above in (True, False):
            edges = [None if s is None else self.edge(s, above) for s in spans]
            dense, alone = (
                None if e is None else self.closed(p, *e)
                for e, p in zip(edges, (self.dense, self.alone), strict=True)
            )
            if dense is not None or alone is not None:
                yield self.told(dense, alone, above)

    def span(self, pattern: _Pattern) -> list[bool] | None:
        """Whether each of the sizes is rotated correctly; None if none is."""
        found = [self.right(pattern, size) for size in self.sizes]
        return found if any(found) else None

    def edge(self, right: list[bool], above: bool) -> tuple[float, float] | None:
        """The last right and the first wrong size, up or down from 1; None without a wrong one."""
        ones = [n for n, good in enumerate(right) if good]
        start = min(ones, key=lambda n: abs(np.log2(self.sizes[n])))
        order = range(start + 1, len(right)) if above else range(start - 1, -1, -1)
        step = 1 if above else -1
        for n in order:
            if not right[n]:
                return self.sizes[n - step], self.sizes[n]
        return None

    def closed(self, pattern: _Pattern, good: float, bad: float) -> tuple[float, float]:
        """A right and a wrong size between the given ones, as close together as the type allows."""
        while abs(np.log2(bad / good)) > _CLOSE:
            middle = self.held(float(np.sqrt(good) * np.sqrt(bad)))
            if middle in (good, bad):
                break
            if self.right(pattern, middle):
                good = middle
            else:
                bad = middle
        return good, bad

    def told(
        self,
        dense: tuple[float, float] | None,
        alone: tuple[float, float] | None,
        above: bool,
    ) -> str:
        """One side in words: which vectors, from which size on, and what happens to them."""
        side = "above" if above else "below"
        if dense is None or alone is None:
            ends, pattern = (dense, self.dense) if dense is not None else (alone, self.alone)
            assert ends is not None
            limit = self.plain(pattern, *ends)
            of = "single entries" if pattern.single else "vectors with all entries"
            return f"{of} {side} {limit:g} {self.happens(pattern, ends[1], limit, above, '')}"
        out = self.out_of_range(dense[1], above)
        pattern, ends = (self.alone, alone) if out else (self.dense, dense)
        for norm, of in self.norms():
            if abs(alone[1] / dense[1] / norm - 1) < _NEAR / 2:
                return self.of_norm(pattern, ends, 1.0 if pattern.single else norm, of, above)
        limit, other = self.plain(self.dense, *dense), self.plain(self.alone, *alone)
        of = f"vectors with all entries {side} {limit:g}, and with a single one {side} {other:g},"
        return f"{of} {self.happens(self.dense, dense[1], limit, above, '')}"

    def norms(self) -> tuple[tuple[float, str], ...]:
        """The norms that may have a threshold, each with the ratio of both patterns' sizes at it."""
        whole, part = self.spec.head_dim**0.5, self.spec.rotary_dim**0.5
        norms = [(1.0, "entries"), (whole, "vectors of norm")]
        norms += [(part, "turned parts of norm")] if 0 < part < whole else []
        return (*norms, (2**0.5, "pairs of norm"))

    def of_norm(
        self, pattern: _Pattern, ends: tuple[float, float], norm: float, of: str, above: bool
    ) -> str:
        """A threshold in words, at `norm` times the size of the pattern's entries."""
        limit = self.plain(pattern, *ends, norm)
        what = self.happens(pattern, ends[1], limit / norm, above, of)
        if what.startswith("results"):
            return what
        if what.startswith("are clipped"):
            return f"{of} {what}"
        whose = self.whose(limit, above) if of == "entries" else of
        side = "above" if above else "below"
        return f"{whose} {side} {limit:g} {what}{self.beside(pattern, ends[1], above)}"

    def out_of_range(self, size: float, above: bool) -> bool:
        return not self.sizes[0] <= self.beyond(size, above) <= self.sizes[-1]

    def beyond(self, size: float, above: bool, times: float = _FAR) -> float:
        """A size well behind a threshold, or the last that there is."""
        far = size * times if above else size / times
        return self.held(min(max(far, self.sizes[0]), self.sizes[-1]))

    def plain(self, pattern: _Pattern, good: float, bad: float, norm: float = 1.0) -> float:
        """The number of fewest digits between two sizes of a pattern, multiplied by `norm`."""
        low, high = sorted((good, bad))
        if not self.sudden(pattern, bad):  # shortly behind it an error is too small to see
            slack = 16 * max(unit(self.dtype), unit(self.trial.angles))
            low, high = (low * (1 - slack), high) if good < bad else (low, high * (1 + slack))
        return _plainest(low * norm, high * norm)

    def sudden(self, pattern: _Pattern, bad: float) -> bool:
        """Whether the first size that is wrong is wrong by much."""
        x = self.scaled(pattern, bad)
        with np.errstate(all="ignore"):
            off = np.abs(self.run(x) - turned(x, self.tables, self.spec))
            return not bool((off <= 8 * self.budget(x)).all())

    def happens(self, pattern: _Pattern, bad: float, limit: float, above: bool, of: str) -> str:
        """In words, what becomes of vectors behind a threshold; `limit` is that of their entries."""
        size = self.beyond(bad, above)
        x = self.scaled(pattern, size)
        out, due = self.run(x), turned(x, self.tables, self.spec)
        if not np.isfinite(out).all():
            return "become infinite or no numbers"
        kept = self.turning if not self.off(out, due, x)[..., self.still].any() else slice(None)
        if not np.abs(out[..., kept]).max() > self.floor:
            return "become 0"
        if self.near(out, x, x):
            return "are left alone"
        scaled = self.factor(out, due, x, kept)
        far = self.beyond(bad, above, 3 * _FAR)
        y = self.scaled(pattern, far)
        again, other = self.run(y), turned(y, self.tables, self.spec)
        if scaled is not None:
            next_one = self.factor(again, other, y, kept)
            steady = next_one is not None and abs(next_one * far / (scaled * size) - 1) < _NEAR / 4
            if self.coarse and abs(scaled - 1) < _NEAR and not steady:
                return "are rounded to fewer bits"
            if not steady or far == size:
                return f"are multiplied by {scaled:.3g}"
            held = scaled * size
            if of.startswith(("vectors", "pairs", "turned")):
                return "are brought to that norm" if abs(held / limit - 1) < _NEAR else _OTHER
            value = limit if abs(held / limit - 1) < _NEAR / 4 else _plainest(held, held, 4)
            return f"are clipped at {value:g}" if above else f"are raised to {value:g}"
        most = float(np.abs(out[..., kept]).max())
        if above and most < 0.9 * float(np.abs(due[..., kept]).max()):
            same = float(np.abs(again[..., kept]).max()) == most
            clipped = np.where(np.isin(np.arange(x.shape[-1]), self.turning), most, np.inf)
            if same and self.near(out, np.clip(due, -clipped, clipped), x):
                return f"results are clipped at {_plainest(most, most, 4):g}"
        return _OTHER

    def off(self, out: Floats, due: Floats, x: Floats) -> NDArray[np.bool_]:
        """Which coordinates are wrong."""
        with np.errstate(all="ignore"):
            return np.asarray(~(np.abs(out - due) <= self.budget(x)))

    def factor(self, out: Floats, due: Floats, x: Floats, kept: slice | list[int]) -> float | None:
        """The number that the right result is multiplied by; None if there is none."""
        size = float(np.abs(x).max())  # whose square has no place in float64
        first, second = due[..., kept] / size, out[..., kept] / size
        found = float(np.vdot(first, second) / np.vdot(first, first))
        times = max(1.0, abs(found))
        with np.errstate(all="ignore"):
            near = np.abs(out - found * due) <= times * self.budget(x)
        return found if near[..., kept].all() else None

    def whose(self, limit: float, above: bool) -> str:
        """In words, whether a size matters for an entry (and its pair), or for its whole vector."""
        first = self.turning[0]
        before, behind = self.beyond(limit, not above), self.beyond(limit, above)
        x = self.scaled(self.dense, before)
        x[..., first] *= self.held(behind / before)
        wrong = self.off(self.run(x), turned(x, self.tables, self.spec), x)
        own = next(list(p) for p in self.spec.plane_coordinates() if first in p)
        return "entries" if not np.delete(wrong, own, -1).any() else "vectors with an entry"

    def beside(self, pattern: _Pattern, bad: float, above: bool) -> str:
        """In words, whether other vectors of the call are affected that would be right alone."""
        for away in (_FAR, _FAR**3, _FAR**5):
            before = self.beyond(bad, not above, away)
            x = self.scaled(pattern, before)
            if self.off(self.run(x), turned(x, self.tables, self.spec), x).any():
                continue
            flat = x.reshape(-1, x.shape[-1])
            flat[-1] *= self.held(self.beyond(bad, above) / before)
            wrong = self.off(self.run(x), turned(x, self.tables, self.spec), x).reshape(flat.shape)
            return ", with all vectors of the call" if wrong[:-1].any() else ""
        return ""


_OTHER = "are turned otherwise"


def _plainest(low: float, high: float, digits: int = 9) -> float:
    """The number of fewest digits from `low` to `high`, or `high` rounded to `digits` decimals."""
    for fraction in range(digits):
        for value in (high, (low + high) / 2, low):
            found = float(f"{value:.{fraction}e}")
            if low <= found <= high:
                return found
    return float(f"{high:.{digits}e}")
