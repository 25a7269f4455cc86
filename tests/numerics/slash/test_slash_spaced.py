"""Few spaced planes: which they are, what they cost, and that evidence sees wrong numbers."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest

from ropeproof.numerics.bounds.slash.spaced import (
    head_cost,
    spaced_amplitudes,
    spaced_floor,
    spaced_planes,
)
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan import margin
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.proofs_check.evidence.slash import spaced as spaced_evidence
from ropeproof.proofs_check.run.registry import registered
from ropeproof.proofs_check.semantics.certain import certain, surely, surely_false
from ropeproof.proofs_check.semantics.instances import Sampler
from ropeproof.proofs_check.semantics.profiles import profile
from ropeproof.theory import CLAIMS
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.language.logic import If
from ropeproof.theory.rotary.scaling import Linear, Llama3
from ropeproof.theory.rotary.spec import RopeSpec

QUICK = profile("quick")
MODEL = RopeSpec(128, 10000)
LLAMA = RopeSpec(
    128,
    500000,
    scaling=Llama3(factor=8, low_freq_factor=1, high_freq_factor=4, original_length=8192),
)
HEAD = CLAIMS["slash.head"]
ANY = Random(1)


@pytest.mark.parametrize("mutant", HEAD.mutants, ids=lambda mutant: mutant.name)
def test_mutants_of_the_headline_fall_where_its_hypotheses_certainly_hold(mutant):
    """And the antecedents of its parts hold there: on planes, tokens and prompts, not on one."""
    hypotheses = [h.formula for h in HEAD.hypotheses]
    sampler = Sampler([*mutant.at, *hypotheses], [HEAD.conclusion, mutant.conclusion])
    instance = sampler.draw(ANY, tries=10)
    assert instance is not None
    assert certain(hypotheses, instance)
    assert surely_false(mutant.conclusion, instance, hypotheses)
    assert instance.values["n_prompts"] >= 2
    if isinstance(mutant.conclusion, If):
        assert surely(mutant.conclusion.args[0], instance)
        assert instance.values["m"] >= 2
        assert instance.values["N"] >= 3


def test_the_headline_costs_at_most_four_times_the_least():
    """At base 10000, 64 planes, 1024 positions and score .9, where equal shares ask for 993."""
    cost = head_cost(MODEL, 1024, 0.9)
    assert cost.spaced.upper <= 4 * cost.game.lower
    assert cost.spaced.upper <= 111
    assert cost.uniform is not None
    assert cost.uniform.lower > 990
    assert cost.game.upper < 27.9
    assert (cost.planes, cost.fast) == (7, 50)


@pytest.mark.parametrize("spec", [MODEL, LLAMA, RopeSpec(8, 60), RopeSpec(64, 100)])
@pytest.mark.parametrize("length", [2, 4, 5, 60])
def test_planes_are_spaced_and_hold_their_margin(spec, length):
    chosen = spaced_planes(spec, length)
    theta = frequencies_float64(spec)[list(chosen)]
    assert theta[0] == 1
    assert all(1.5 <= fast / slow <= 3 for fast, slow in pairwise(theta))
    assert (length - 1) * theta[-1] <= np.pi
    sizes = spaced_amplitudes(spec, length)
    assert sizes.sum() == len(chosen) + 2
    assert margin(sizes, spec, reach=length - 1).lower >= spaced_floor().lower


def test_no_fewer_would_do():
    assert spaced_planes(MODEL, 4) == (0,)
    assert len(spaced_planes(MODEL, 5)) == 2
    assert spaced_planes(RopeSpec(4, 4), 7) == (0, 1)


def test_frequencies_without_spaced_planes_are_refused():
    with pytest.raises(Unsupported, match="no plane has frequency 1"):
        spaced_planes(RopeSpec(64, 100, scaling=Linear(4)), 64)
    with pytest.raises(Unsupported, match="reach so far"):
        spaced_planes(RopeSpec(4, 10000), 64)
    with pytest.raises(InvalidArgument, match="length"):
        spaced_planes(MODEL, 1)
    with pytest.raises(InvalidArgument, match="spec"):
        spaced_planes(10000, 8)
    with pytest.raises(InvalidArgument, match="score"):
        head_cost(MODEL, 64, 1)


def test_nothing_is_said_of_equal_shares_where_the_claim_says_nothing():
    assert head_cost(MODEL, 16384, 0.9).uniform is None
    assert head_cost(LLAMA, 128, 0.9).uniform is None


def scaled(factor):
    """An enclosure multiplied by a factor."""
    return lambda found: Enclosure(lower=factor * found.lower, upper=factor * found.upper)


def dearer(found):
    """A cost of spaced planes that exceeds four times the least."""
    return replace(found, spaced=scaled(3)(found.spaced))


def cheaper(found):
    """A cost below what the planes take."""
    return replace(found, spaced=scaled(0.1)(found.spaced))


def generous(found):
    """Conditions that promise more than there is."""
    return replace(found, spaced=20 * found.spaced)


SABOTAGE = {
    "floor": ("slash.spaced-standard", "property", "spaced_floor", scaled(1.1)),
    "floor in balls": ("slash.spaced-standard", "certified", "spaced_floor", scaled(1.4)),
    "cost": ("slash.spaced-standard", "certified", "head_cost", dearer),
    "amplitude": ("slash.spaced-standard", "construction", "head_cost", cheaper),
    "conditions": ("slash.head", "construction", "conditions", generous),
}


@pytest.mark.parametrize("name", SABOTAGE)
def test_wrong_numbers_are_seen(monkeypatch, name):
    claim, kind, function, change = SABOTAGE[name]
    right = getattr(spaced_evidence, function)
    monkeypatch.setattr(spaced_evidence, function, lambda *given: change(right(*given)))
    entries = [e for e in registered()[claim] if e.kind == kind]
    many = replace(QUICK, cases=100)
    assert entries[-1].run(many).outcome.verdict == "fails"


def test_the_table_on_the_page_is_the_command_s_output():
    root = Path(__file__).parents[3]
    command = [sys.executable, str(root / "experiments" / "spaced_table.py")]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    page = (root / "docs" / "budget.md").read_text(encoding="utf-8")
    page = page.partition("## The cost of the headline theorem")[2].partition("\n## ")[0]
    shown = re.findall(r"^\| (?:base|10000|500000|1000000) .*$", page, re.MULTILINE)
    assert shown == [line for line in out.splitlines() if not line.startswith("| ---")]
