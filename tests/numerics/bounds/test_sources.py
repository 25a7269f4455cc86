"""Where the numbers of `numerics/bounds` come from: compiled from a claim, or by hand and compared."""

import numpy as np
import pytest
import sympy
from bound_sources import LISTED, functions, in_page, tables
from by_hand import DECIDED, PAIRS
from flint import arb

from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.theory.rotary.precision import precision

DRAWS = 4
ROUGH = {
    "slash.budget.needed.needed_by_lines": 1e-7,
    "slash.budget.needed.needed_by_row": 1e-7,
    "slash.learned.band_dominance.band_margin": 1e-7,
}
"""What functions in float64 are off by that say so themselves; else 1e-10."""
WIDE = {
    "index.temperature.index_temperature": 1e-13,
    "slash.ceiling.aligned_score": 4e-15,
    "slash.ceiling.slash_ceiling": 4e-15,
    "slash.learned.scaling_survival.survival_score": 4e-15,
}
"""How wide the enclosures of a root and of long sums are; else 1e-15, as sharp as doubles allow."""


def in_balls(stated, **arguments):
    with precision(256):
        return stated.ball(**arguments)


def in_float64(stated, **arguments):
    return stated.float64(**{name: plain(value) for name, value in arguments.items()})


def plain(value):
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return float(value) if isinstance(value, sympy.Basic | arb) else value


def scaled(factor):
    """The first term asked for times a factor, the others as they are."""
    first = []

    def value(stated, **arguments):
        first[:] = first or [stated]
        found = in_float64(stated, **arguments)
        return factor * found if stated is first[0] else found

    return value


def compare(pair, seed, value):
    """What the function gives at drawn arguments, against what its claim gives."""
    within = ROUGH.get(pair.function, 1e-10)
    with precision(256):
        found = list(pair.case(np.random.default_rng(seed), value))
        assert found, "a case compares nothing"
        for ours, theirs in found:
            if isinstance(ours, bool):
                assert bool(theirs) is ours
            elif isinstance(ours, Enclosure):
                width = WIDE.get(pair.function, 1e-15)
                assert ours.upper - ours.lower <= width * max(1.0, abs(ours.upper))
                assert ours.upper == pytest.approx(float(theirs), rel=within, abs=within)
                if isinstance(theirs, arb):
                    assert not theirs < ours.lower
                    assert not theirs > ours.upper
            else:
                assert float(ours) == pytest.approx(float(theirs), rel=within, abs=within)


def compare_all(pair, value):
    for seed in range(DRAWS):
        compare(pair, seed, value)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.function}: {pair.claim}")
class TestByHand:
    @pytest.mark.parametrize("value", [in_float64, in_balls])
    def test_it_is_what_its_claim_says(self, pair, value):
        compare_all(pair, value)

    def test_another_constant_in_the_claim_is_noticed(self, pair):
        factor = 2.0 if pair.why == DECIDED else 1 + 1e-5
        with pytest.raises(AssertionError):
            compare_all(pair, scaled(factor))


# -- every function that names a claim -------------------------------------------------------------

BY_HAND = {pair.function for pair in PAIRS}


@pytest.mark.parametrize("source", functions(), ids=lambda source: source.name)
def test_a_function_that_names_a_claim_is_compiled_compared_or_listed(source):
    ways = bool(source.compiled), source.name in BY_HAND, source.name in LISTED
    assert sum(ways) == 1, (
        f"{source.name} names {', '.join(source.claims)}: compiled, by hand, listed: {ways}"
    )


def test_nothing_is_listed_that_is_not_there():
    named = {source.name for source in functions()}
    assert named >= {*BY_HAND, *LISTED}
    assert len(named) > 140


def test_the_page_says_what_is_compiled():
    """After `python tests/helpers/claims/bound_sources.py`."""
    assert in_page() == tables()
