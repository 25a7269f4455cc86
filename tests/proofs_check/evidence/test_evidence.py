"""The registered evidence holds, and fails when the code or the claim's numbers are made wrong."""

from __future__ import annotations

import importlib
import random as stdlib_random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers

import ropeproof
from ropeproof.numerics.core import softmax as numeric_softmax
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.proofs_check.evidence import drawing
from ropeproof.proofs_check.evidence import softmax as softmax_evidence
from ropeproof.proofs_check.evidence.rope import (
    algebra,
    bounds,
    constructed,
    expressive,
    rerotation,
    scaling,
)
from ropeproof.proofs_check.run.registry import registered
from ropeproof.proofs_check.semantics.profiles import profile
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.theory.topics.contents import CONTENTS

QUICK = replace(profile("quick"), cases=10)
NEEDED = {
    "property": [
        *(f"rope.{x}" for x in ("group", "relative", "fourier", "toeplitz", "bounded")),
        *(f"rope.{x}" for x in ("lipschitz", "layout", "partial", "expressive")),
        *(f"rope.scaling.{x}" for x in ("linear", "dynamic", "yarn", "longrope", "llama3")),
        *(f"softmax.{x}" for x in ("margin", "margin-needed", "perturb", "tv", "entropy")),
        "softmax.hard-to-soft",
    ],
    "certified": [
        "rope.band",
        "rope.expressive-cost",
        "rope.rerotation",
        *(f"rope.scaling.{x}" for x in ("linear", "dynamic", "yarn", "longrope", "llama3")),
    ],
    "construction": ["rope.relative", "rope.toeplitz", "rope.layout", "rope.partial"],
}
OURS = [
    (claim, entry)
    for claim, entries in registered().items()
    if claim.startswith(("rope.", "softmax."))
    for entry in entries
]


def test_evidence_is_for_claims_of_the_catalogue():
    """No run of the checker asks for the evidence of any other id."""
    assert set(registered()) - set(CONTENTS) == set()


@pytest.mark.parametrize("kind", NEEDED)
def test_every_letter_has_evidence(kind):
    found = {claim for claim, entry in OURS if entry.kind == kind}
    assert set(NEEDED[kind]) <= found


MANY = replace(QUICK, cases=400)
"""What is wrong is looked for in many cases: which are drawn differs between machines."""


def run(claim, kind, name=None):
    entries = [e for e in registered()[claim] if e.kind == kind]
    return next(e for e in entries if name in (None, e.name)).run(MANY)


def wrong_sign(q, positions, spec):
    """A rotation whose imaginary part is added where it is subtracted: a shear, not a rotation."""
    real, imaginary = (list(part) for part in zip(*spec.plane_coordinates(), strict=True))
    angle = np.asarray(positions, dtype=float)[..., np.newaxis] * 0.1
    result = q.copy()
    result[..., real] = q[..., real] * np.cos(angle) + q[..., imaginary] * np.sin(angle)
    result[..., imaginary] = q[..., real] * np.sin(angle) + q[..., imaginary] * np.cos(angle)
    return result


def layout_blind(q, positions, spec):
    """A rotation that takes every vector for one in half order."""
    return rotate(q, positions, RopeSpec(spec.head_dim, spec.base, rotary_dim=spec.rotary_dim))


def off_by_one(q, k, positions_q, positions_k, spec, **scale):
    """Logits that see the query's position a little too large, and more so further out."""
    return logits(q, k, np.asarray(positions_q) * 1.001 + 0.5, positions_k, spec, **scale)


logits, rotate = algebra.logits, algebra.rotate
SABOTAGE = {
    "rotation": ("rope.group", "property", algebra, "rotate", wrong_sign),
    "layout": ("rope.layout", "property", algebra, "rotate", layout_blind),
    "relative": ("rope.relative", "property", algebra, "logits", off_by_one),
    "fourier": ("rope.fourier", "property", algebra, "logits", off_by_one),
    "toeplitz": ("rope.toeplitz", "property", algebra, "logits", off_by_one),
    "partial": (
        "rope.partial",
        "property",
        algebra,
        "logits",
        lambda q, k, i, j, spec, **scale: logits(q, k, i, j, spec, **scale) * 1.0001,
    ),
    "amplitude too small": (
        "rope.bounded",
        "property",
        bounds.rope,
        "amplitude",
        lambda q, k, spec: 0.99 * np.linalg.norm(q) * np.linalg.norm(k) / 100,
    ),
    "norm bound too small": (
        "rope.bounded",
        "property",
        bounds.rope,
        "norm_bound",
        lambda q, k, spec: np.float64(np.linalg.norm(q) * np.linalg.norm(k) / 1000),
    ),
    "step bound too small": (
        "rope.lipschitz",
        "property",
        bounds.rope,
        "step_bounds",
        lambda a, spec: replace(
            STEP_BOUNDS(a, spec), sines=Enclosure(lower=0.0, upper=1e-3 * sum(a))
        ),
    ),
    "steps": (
        "rope.lipschitz",
        "property",
        bounds.rope,
        "steps",
        lambda a, p, spec, t: 1.001 * STEPS(a, p, spec, t),
    ),
    "band": (
        "rope.band",
        "property",
        bounds.rope,
        "band_constant",
        lambda: Enclosure(lower=0.1, upper=0.1),
    ),
    "fit": (
        "rope.expressive",
        "property",
        expressive,
        "fit",
        lambda spec, values, first=0: FIT(spec, 1.001 * np.asarray(values), first=first + 1),
    ),
    "cycle": (
        "rope.expressive",
        "property",
        expressive,
        "fit_cyclic",
        lambda values: tuple(1.001 * part for part in CYCLIC(values)),
    ),
    "scaling": (
        "rope.scaling.yarn",
        "property",
        scaling,
        "frequencies_float64",
        lambda spec: 1.000001 * FREQUENCIES(spec),
    ),
    "an eighth of the growth": (
        "rope.rerotation",
        "certified",
        rerotation,
        "growth",
        lambda unit, table_unit, turns: GROWTH(unit, table_unit, turns) / 8,
    ),
    "the error of one turn for all": (
        "rope.rerotation",
        "certified",
        rerotation,
        "growth",
        lambda unit, table_unit, turns: GROWTH(unit, table_unit, 1),
    ),
    "keys turned the other way": (
        "rope.rerotation",
        "certified",
        rerotation,
        "table",
        lambda shift, kind: [(cosine, -sine) for cosine, sine in TABLE(shift, kind)],
    ),
}
GROWTH, TABLE = rerotation.growth, rerotation.table
STEP_BOUNDS, STEPS = bounds.rope.step_bounds, bounds.rope.steps
FIT, CYCLIC, FREQUENCIES = expressive.fit, expressive.fit_cyclic, scaling.frequencies_float64


@pytest.mark.usefixtures("unshrunk")
@pytest.mark.parametrize("name", SABOTAGE)
def test_wrong_code_is_seen(monkeypatch, name):
    claim, kind, module, target, broken = SABOTAGE[name]
    monkeypatch.setattr(module, target, broken)
    finding = run(claim, kind)
    assert finding.outcome.verdict == "fails"
    assert finding.outcome.witness


WRONG_BOUND = {
    "softmax.margin": ("weight_bound", 1.01),
    "softmax.margin-needed": ("margin_needed", 0.99),
    "softmax.perturb": ("odds_factor", 0.5),
    "softmax.tv": ("distance_bound", 0.9),
    "softmax.entropy": ("entropy_bound", 1.5),
    "softmax.hard-to-soft": ("inverse_temperature_needed", 0.1),
}


@pytest.mark.usefixtures("unshrunk")
@pytest.mark.parametrize("claim", WRONG_BOUND)
def test_wrong_bounds_are_seen(monkeypatch, claim):
    name, factor = WRONG_BOUND[claim]
    right = getattr(numeric_softmax, name)

    def wrong(*arguments, **options):
        bound = right(*arguments, **options)
        low, high = sorted((factor * bound.lower, factor * bound.upper))
        return Enclosure(lower=max(low, 1e-9), upper=max(high, 1e-9))

    monkeypatch.setattr(numeric_softmax, name, wrong)
    assert run(claim, "property").outcome.verdict == "fails"


@pytest.mark.usefixtures("unshrunk")
@pytest.mark.parametrize(
    ("claim", "target", "change"),
    [
        ("softmax.margin", "weights", lambda w: w * (1 + 1e-9)),
        ("softmax.margin", "margin", lambda m: m + 1e-9),
        ("softmax.perturb", "log_odds", lambda x: x * (1 + 1e-9)),
        ("softmax.tv", "total_variation", lambda x: 2 * x),
        ("softmax.entropy", "entropy", lambda x: x + 1e-6),
    ],
)
def test_wrong_rows_are_seen(monkeypatch, claim, target, change):
    right = getattr(numeric_softmax, target)
    monkeypatch.setattr(softmax_evidence.softmax, target, lambda *a: change(right(*a)))
    assert run(claim, "property").outcome.verdict == "fails"


def test_wrong_numbers_of_the_cost_are_seen(monkeypatch):
    low, high = expressive.PRICES[16]
    wrong = {**expressive.PRICES, 16: (low + 10**20, high)}
    monkeypatch.setattr(expressive, "PRICES", wrong)
    assert run("rope.expressive-cost", "certified").outcome.verdict == "unknown"


def test_a_preset_that_breaks_the_band_is_seen(monkeypatch):
    from ropeproof.theory.rotary.presets import PRESETS
    from ropeproof.theory.rotary.spec import Linear

    preset = PRESETS["llama-2-7b"]
    slowed = replace(preset, spec=RopeSpec(128, 10000, scaling=Linear(2), length=4096))
    monkeypatch.setattr(bounds, "PRESETS", {"slowed": slowed})
    assert run("rope.band", "certified").outcome.verdict == "fails"
    fast = bounds.fmpq(9588, 10000)
    monkeypatch.setattr(bounds, "_BAND", fast)
    assert run("rope.band", "certified").outcome.verdict == "unknown"


@pytest.mark.parametrize("kind", ["linear", "dynamic", "yarn", "longrope", "llama3"])
def test_a_wrong_frequency_is_not_certified(monkeypatch, kind):
    right = scaling.frequencies_ball

    def wrong(spec, *, bits):
        first, second, *rest = right(spec, bits=bits)
        moved = second if spec.scaling is None else second * 1.000000001
        return (first, moved, *rest)

    monkeypatch.setattr(scaling, "frequencies_ball", wrong)
    assert run(f"rope.scaling.{kind}", "certified").outcome.verdict == "unknown"


def test_a_difference_from_transformers_is_seen(monkeypatch):
    monkeypatch.setattr(scaling, "frequencies_float64", lambda spec: 1.00001 * FREQUENCIES(spec))
    finding = run("rope.scaling.linear", "property", "transformers' own values")
    assert finding.outcome.verdict == "fails"


def test_without_transformers_the_comparison_is_unsupported(monkeypatch):
    for name in ("transformers", "transformers.modeling_rope_utils"):
        monkeypatch.setitem(sys.modules, name, None)
    finding = run("rope.scaling.linear", "property", "transformers' own values")
    assert finding.outcome.verdict == "unsupported"


@pytest.mark.parametrize("name", ["toeplitz", "layout", "partial"])
def test_wrong_modules_are_seen(monkeypatch, name):
    right = constructed._run

    def wrong(head, x, positions=None):
        found, weights = right(head, x, positions)
        near = np.tri(len(x), k=-1) * 1e-6
        return found + near * (head.spec.layout == "half"), weights

    monkeypatch.setattr(constructed, "_run", wrong)
    assert run(f"rope.{name}", "construction").outcome.verdict == "fails"


def test_a_module_that_sees_positions_is_seen(monkeypatch):
    right = constructed._run

    def wrong(head, x, positions=None):
        found, weights = right(head, x, positions)
        return found + 1e-6 * positions[0], weights

    monkeypatch.setattr(constructed, "_run", wrong)
    assert run("rope.relative", "construction").outcome.verdict == "fails"


@pytest.mark.parametrize(
    ("claim", "part"),
    [
        ("rope.toeplitz", "see the tokens"),
        ("rope.layout", "not permuted"),
        ("rope.partial", "every plane"),
        ("rope.relative", "stretched"),
    ],
)
def test_a_blind_construction_check_fails(monkeypatch, claim, part):
    """If broken heads were within the budget the check would say nothing, and it says so."""
    monkeypatch.setattr(constructed, "APART", 1e30)
    finding = run(claim, "construction")
    assert finding.outcome.verdict == "fails"
    assert "does not see a broken head" in finding.outcome.detail
    assert part in finding.outcome.detail


def draw(check, how=QUICK):
    return drawing.draw_cases(how, st.integers(0, 1000), check, domain="integers")


def test_a_violation_is_shrunk_to_a_witness():
    def check(number):
        drawing.require(number < 100, "too large", number=number)

    finding = draw(check, replace(QUICK, cases=200))
    assert finding.outcome.verdict == "fails"
    assert dict(finding.outcome.witness) == {"number": "100"}


def test_the_number_of_cases_is_that_of_the_profile():
    assert draw(lambda number: None).cases == QUICK.cases


def test_cases_repeat_unless_fresh():
    def seen(how):
        numbers = []
        draw(numbers.append, how)
        return numbers

    many = replace(QUICK, cases=60)
    assert seen(many) == seen(many)
    fresh = replace(many, fresh=True)
    assert seen(fresh) != seen(fresh)


def test_global_generators_give_a_check_the_same_numbers_each_time_and_go_on_after_it():
    def numbers(random):
        seen = []
        profile_of_five = replace(profile("quick"), cases=5)
        asked = lambda case: seen.append((case, random()))  # noqa: E731
        drawing.draw_cases(profile_of_five, st.integers(0, 1000), asked, domain="integers")
        return seen

    for module, random in ((stdlib_random, stdlib_random.random), (np.random, np.random.random)):
        module.seed(1)
        expected = [random() for _ in range(2)]
        module.seed(1)
        assert random() == expected[0]
        assert numbers(random) == numbers(random)
        assert random() == expected[1]


def test_a_broken_check_is_an_error_not_evidence():
    with pytest.raises(ZeroDivisionError):
        draw(lambda number: 1 / 0)


@pytest.mark.parametrize("value", [float("nan"), np.array([0.0, np.nan])])
def test_nan_is_never_within_a_budget(value):
    with pytest.raises(drawing.Violation):
        drawing.within(value, 0.0, 1.0, "nan", case=1)


def test_evidence_leaves_no_folder_and_needs_no_torch_to_load(tmp_path):
    code = (
        "import sys; from ropeproof.proofs_check.run.registry import registered; found = registered();"
        "print([m for m in ('torch', 'transformers') if m in sys.modules]);"
        "from ropeproof.proofs_check.semantics.profiles import profile;"
        "entries = {e.kind: e for e in found['softmax.margin']};"
        "print(entries['property'].run(profile('quick')).outcome.verdict)"
    )
    folder = str(Path(ropeproof.__file__).parents[1])
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": folder, "PATH": "/usr/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.split("\n")[:2] == ["[]", "holds"]
    assert list(tmp_path.iterdir()) == []


def test_cases_do_not_depend_on_what_else_is_loaded(tmp_path, monkeypatch):
    """Hypothesis reads the sources of loaded modules for constants, unless it is kept from it."""
    (tmp_path / "odd_module.py").write_text("VALUE = 987654321\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("odd_module")
    read: list[object] = []
    monkeypatch.setattr(providers, "constants_from_module", read.append)
    how = profile("default")
    found = drawing.draw_cases(how, st.integers(0, 10**10), lambda case: None, domain="any")
    assert found.cases == how.cases
    assert read == []
