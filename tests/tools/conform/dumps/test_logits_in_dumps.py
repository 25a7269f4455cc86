"""Logits in a dump are compared with the configuration, alone or beside rotated vectors."""

from __future__ import annotations

import numpy as np
import pytest
from faults.dumps import rotated

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.dumps.check import check_dump

SPEC = RopeSpec(64, 500000, length=32768)
PLACES = np.arange(3000, 3040)
WEIGHTS = np.random.default_rng(3).uniform(0.5, 1.5, (2, 64)).astype(np.float32)


def arrays(*, scale=0.125, rotation=True, norms="none", mask=False):
    rng = np.random.default_rng(0)
    q, k = (rng.standard_normal((1, h, 40, 64)).astype(np.float32) for h in (4, 2))
    sides = []
    for x, weight in ((q, WEIGHTS[0]), (k, WEIGHTS[1])):

        def norm(y, weight=weight):
            return weight * y / np.sqrt((y**2).mean(-1, keepdims=True) + 1e-6)

        own = norm(x.astype(np.float64)) if norms == "before" else x.astype(np.float64)
        turned = rotated(own, PLACES[np.newaxis])
        sides.append(norm(turned) if norms == "after" else turned)
    logits = (sides[0] @ sides[1].repeat(2, 1).swapaxes(-1, -2) * scale).astype(np.float32)
    if mask:
        logits = np.where(PLACES[None, :] > PLACES[:, None], -np.inf, logits)
    found = {"q_before": q, "k_before": k, "positions": PLACES, "axes": "bhld", "logits": logits}
    if rotation:
        found |= {"q_after": sides[0].astype("f4"), "k_after": sides[1].astype("f4")}
    if norms != "none":
        found |= {"q_norm_weight": WEIGHTS[0], "k_norm_weight": WEIGHTS[1]}
    return found


def report(path, **how):
    np.savez(path / "dump.npz", **arrays(**how))
    return check_dump(path / "dump.npz", SPEC)


def test_right_logits_of_a_dump_pass(tmp_path):
    assert report(tmp_path).passed
    alone = report(tmp_path, rotation=False, mask=True)
    assert alone.passed, alone
    assert "masked" in alone["logits.dump"].detail
    assert "not checked" in alone["rotation"].detail
    assert report(tmp_path, rotation=False, norms="before").passed


def test_wrong_logits_of_a_dump_are_named(tmp_path):
    twice = report(tmp_path, scale=1 / 64)
    assert not twice.passed
    assert "the softmax scale is applied twice" in twice.cause.text
    alone = report(tmp_path, rotation=False, scale=1.0, mask=True)
    assert "no softmax scale is applied" in alone.cause.text


def test_logits_of_another_shape_are_refused(tmp_path):
    np.savez(tmp_path / "dump.npz", **(arrays() | {"logits": np.zeros((4, 40, 39))}))
    with pytest.raises(InvalidArgument, match="logits"):
        check_dump(tmp_path / "dump.npz", SPEC)
