"""What is ruled out at a glance is wrong, and more than four fifths of what is wrong is ruled out."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import numpy as np
import pytest

from ropeproof import RopeSpec
from ropeproof.theory.rotary.axes import Axes
from ropeproof.theory.rotary.scaling import Yarn
from ropeproof.tools.conform.diagnosis import diagnose
from ropeproof.tools.conform.diagnosis.glance import ruled_out
from ropeproof.tools.conform.diagnosis.guess import OUTLIERS, Observation, altered, start

SPECS = {
    "halves": RopeSpec(16, 100),
    "interleaved, partly": RopeSpec(24, 500, layout="interleaved", rotary_dim=16),
    "three coordinates": RopeSpec(16, 100, axes=Axes.sections((3, 3, 2))),
    "yarn": RopeSpec(16, 10_000, scaling=Yarn(factor=4, original_length=64), length=256),
}
BATCH, HEADS, LENGTH = 2, 3, 9


def observed(spec, change=None, *, dtype="float32", backwards=False):
    """A call of the right rotation, or of one with the change that has this text."""
    rng = np.random.default_rng(5)
    x = rng.choice([-1.0, 1.0], (BATCH, HEADS, LENGTH, spec.head_dim))
    positions = np.stack([np.arange(LENGTH) + 901, np.arange(LENGTH) + 7])
    if spec.axes is not None:
        positions = np.stack([positions, positions[:, ::-1] // 3, positions // 2], -1)
    readings = (("as another vector", x[..., ::-1].copy()),)
    seen = Observation(x, positions, x, spec, dtype, 1024, backwards=backwards, readings=readings)
    guess = start(seen)
    seen = replace(seen, out=guess.apply(x))
    if change is not None:
        guess = next(g for _, text, g in diagnose.changes(guess, seen) if text == change)
    with np.errstate(all="ignore"):
        return replace(seen, out=guess.apply(x)), guess


def texts(spec):
    seen, _ = observed(spec)
    return [text for _, text, _ in diagnose.changes(start(seen), seen)]


def pairs_of(seen):
    """Guesses with one change and with two, of all kinds."""
    singles = list(diagnose.changes(start(seen), seen))
    yield from (g for _, _, g in singles)
    for _, _, first in singles[::13]:
        yield from (g for _, _, g in diagnose.changes(altered(first, rule="", fitted=None), seen))


@pytest.mark.parametrize(("dtype", "backwards"), [("float32", True), ("bfloat16", False)])
@pytest.mark.parametrize("name", SPECS)
def test_what_is_ruled_out_is_wrong(name, dtype, backwards):
    """As each guess says by itself, in all vectors at the same places."""
    seen, _ = observed(SPECS[name], texts(SPECS[name])[3], dtype=dtype, backwards=backwards)
    columns = np.array([1, 2, 5, LENGTH - 1])
    few = seen.some(columns)
    guesses = list(pairs_of(seen))
    found = ruled_out(guesses, seen, columns)
    wrong = np.array([not diagnose._agrees(g.at(columns), few) for g in guesses])
    assert not (found & ~wrong).any()
    assert found.sum() > 0.8 * wrong.sum() > 100


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("name", SPECS)
def test_a_guess_of_its_own_numbers_is_not_ruled_out(name, backwards):
    """Beside others of its kind. A few numbers of a type that rounds may lie on the other side."""
    columns, rounding = np.arange(LENGTH), 0
    seen, _ = observed(SPECS[name], backwards=backwards)
    for guess in pairs_of(seen):
        with np.errstate(all="ignore"), contextlib.suppress(ValueError, IndexError):
            out = guess.apply(seen.x)
            if guess.rounds:
                out[0, 0, 0, : int(OUTLIERS * out.size)] += 1
                rounding += 1
            other = altered(guess, places=guess.places + 1)
            assert not ruled_out([guess, other], replace(seen, out=out), columns)[0]
    assert rounding > 100


def test_sizes_that_do_not_fit_rule_nothing_out():
    seen, guess = observed(SPECS["halves"])
    odd = altered(guess, re_plane=np.arange(8) + 3)  # planes that the tables have not
    assert not ruled_out([odd, odd], seen, np.arange(3)).any()


def test_numbers_that_are_none_on_both_sides_agree():
    seen, guess = observed(SPECS["halves"])
    lost = altered(guess, size=float("nan"))
    with np.errstate(all="ignore"):
        seen = replace(seen, out=lost.apply(seen.x))
    assert list(ruled_out([lost, guess], seen, np.arange(3))) == [False, True]
