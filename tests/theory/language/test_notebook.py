"""What a notebook shows, and short names for everything that a user meets at a prompt."""

from __future__ import annotations

import pytest

from ropeproof import (
    AXIOMS,
    CLAIMS,
    PRESETS,
    InvalidArgument,
    check,
    compose,
    index_head,
    slash_head,
)
from ropeproof.theory.rotary.spec import RopeSpec


@pytest.fixture(scope="module")
def verdict():
    return check("exp.monotone", profile_name="quick")[0]


@pytest.fixture(scope="module")
def head():
    return index_head(["A", "B"], 2, 5)


def test_everything_has_a_short_name(verdict, head):
    slash = slash_head(RopeSpec(8, 100), 1, 8, 0.5)
    network = compose("letter", hops=1, letters=3, digits=2, length=6)
    for thing in (CLAIMS, verdict.claim, verdict.claim.derivation, verdict, head, slash, network):
        assert len(repr(thing)) < 400
    assert len(repr(AXIOMS)) + len(repr(PRESETS)) < 5000
    assert repr(verdict) == "<exp.monotone is proved>"
    assert repr(verdict.claim.derivation).endswith("steps>")
    assert repr(head).startswith("<IndexHead of width 5: head_dim 2, 1 rotated planes, index.")
    assert "1 heads, 15 tokens, length 6; in float64 task." in repr(network)


def test_a_message_does_not_print_weights(head):
    with pytest.raises(InvalidArgument, match="task: got") as caught:
        compose([head] * 40)
    assert len(str(caught.value)) < 600


def test_a_catalogue_does_not_change():
    with pytest.raises(AttributeError, match="does not change"):
        CLAIMS.anything = 1
    with pytest.raises(TypeError):
        CLAIMS["own.claim"] = CLAIMS["rope.group"]
    assert dict(CLAIMS) == CLAIMS


def test_a_claim_shows_its_mathematics(verdict):
    shown = verdict.claim._repr_markdown_()
    assert "$e^x" in shown  # the statement
    assert r"$$\displaystyle e^{x} \le e^{y}$$" in shown
    assert "- *x comes first:* $x \\le y$" in shown
    steps = verdict.claim.derivation._repr_markdown_().splitlines()
    assert steps[0].startswith("1. ")
    assert len(steps) == len(verdict.claim.derivation.steps)
    assert "— `smt` from" in steps[-1]
    assert f"| `exp.monotone` | theorem | {verdict.claim.title} |" in CLAIMS._repr_markdown_()


def test_a_verdict_shows_its_evidence(verdict):
    shown = verdict._repr_markdown_()
    assert shown.startswith("**exp.monotone** is **proved**")
    assert "| proof [derivation] | holds |" in shown
    assert "| attack [mutants] | holds |" in shown


def test_a_head_shows_what_it_guarantees(head):
    shown = head._repr_markdown_()
    assert "`w_q` 2 × 5" in shown
    assert "Certificate from `index.temperature`, certified" in shown
    assert "| weight | 0.74" in shown
