"""`ropeproof try --write`: what a refused step lacks is found, and written into the file."""

import random

import pytest
import sympy as sp
from command_line import run

from ropeproof.proofs_check.authoring import try_claims, try_file
from ropeproof.proofs_check.authoring.remedy import by_products
from ropeproof.proofs_check.authoring.session import Session
from ropeproof.proofs_check.kernel.read import read
from ropeproof.proofs_check.kernel.smt import PremiseFacts
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language import Claim, Hypothesis, eq, kept, le, lt, prove, real

x, y, u, v = real("x y u v")
LOW, HIGH = Hypothesis("x is at most y", le(x, y)), Hypothesis("u is below v", lt(u, v))


def _claim(conclusion, *hypotheses):
    return Claim("own.test", "t", "s", hypotheses=hypotheses, conclusion=conclusion)


# -- the language ------------------------------------------------------------------------


def test_a_step_states_each_product():
    goal = le(0, kept(sp.Mul, y - x, v - u))
    claim = prove(
        _claim(goal, LOW, HIGH), lambda p: p.qed("Multiply the two.", products=((LOW, HIGH),))
    )
    first, last = claim.derivation.steps
    assert first.conclusion == goal
    assert first.using == (LOW.name, HIGH.name)
    assert last.using == (first.label,)
    assert try_claims(claim, session=Session(keep=False)).holds


@pytest.mark.parametrize(
    ("first", "second", "product"),
    [
        (lt(x, y), lt(u, v), lt(0, kept(sp.Mul, y - x, v - u))),
        (lt(x, y), le(u, v), le(0, kept(sp.Mul, y - x, v - u))),
        (eq(x, y), lt(u, v), eq(0, kept(sp.Mul, y - x, v - u))),
    ],
)
def test_the_sign_of_a_product(first, second, product):
    given = Hypothesis("first", first), Hypothesis("second", second)
    claim = prove(_claim(product, *given), lambda p: p.qed("Multiply them.", products=(given,)))
    assert claim.derivation.steps[0].conclusion == product
    assert try_claims(claim, session=Session(keep=False)).holds


def test_a_false_product_is_refused_by_the_kernel():
    below = Hypothesis("x is negative", le(x, 0))
    claim = prove(
        _claim(le(0, x * x * x), below),
        lambda p: p.qed("Cubes are not negative.", below, products=((below, below),)),
    )
    assert not try_claims(claim, session=Session(keep=False)).holds


def test_premises_without_a_comparison_have_no_product():
    other = Hypothesis("x is not y", sp.Ne(x, y))
    claim = prove(_claim(le(0, x * x), other), lambda p: p.qed("No.", products=((other, other),)))
    with pytest.raises(InvalidClaim, match="makes 0 products; allowed: premises with comparisons"):
        _ = claim.derivation


# -- the search ----------------------------------------------------------------------------


def _hard(seed):
    """Linear premises in six variables, and a goal that is a sum of two products and a premise."""
    drawn, names = random.Random(seed), real("a b c d e f")
    linear = [
        drawn.randint(-2, 2)
        + sum(drawn.randint(-3, 3) * n * int(drawn.random() < 0.7) for n in names)
        for _ in range(6)
    ]
    goal = le(0, sp.expand(2 * linear[0] * linear[1] + 3 * linear[1] * linear[2] + linear[5] + 1))
    return [Hypothesis(f"h{i}", le(0, term)) for i, term in enumerate(linear)], goal


def test_products_are_found_and_suffice():
    hypotheses, goal = _hard(706)
    given = {h.name: h.formula for h in hypotheses}
    facts = PremiseFacts([read(f) for f in given.values()])
    found = by_products(goal, given, list(given), facts)
    assert found is not None
    assert set(found.products) == {("h0", "h1"), ("h1", "h2")}


def test_nothing_is_found_for_a_goal_that_does_not_follow():
    hypotheses, goal = _hard(706)
    given = {h.name: h.formula for h in hypotheses}
    facts = PremiseFacts([read(f) for f in given.values()])
    false = le(0, goal.rhs - 1000 * (1 + sum(n**2 for n in goal.free_symbols)))
    assert by_products(false, given, list(given), facts) is None


# -- the file ----------------------------------------------------------------------------------

FILE = """
from ropeproof.theory.language import *

x, y = real("x y")
POSITIVE = Hypothesis("x is positive", lt(0, x))
LARGER = Hypothesis("y is larger", lt(x, y))


@theorem(
    "own.four",
    hypotheses=(POSITIVE, LARGER),
    conclusion=lt(0, 4 * x * y),
    attack=Attack({"less": lt(8, 4 * x * y)}),
)
def FOUR(p: Proof) -> None:
    \"\"\"Four times a product

    $0<4xy$.
    \"\"\"
    inside = p.under(le(0, x))
    both = inside.show(lt(0, y), "y is positive.", LARGER)
    PLACE
"""

CALLS = {
    'p.qed("Once more.", POSITIVE)': 'p.qed("Once more.", POSITIVE, LARGER)',
    'p.qed("Once more.", by=rules.identity())': None,
    'p.qed(\n        "Once more.",\n        POSITIVE,\n    )': (
        'p.qed(\n        "Once more.",\n        POSITIVE, LARGER,\n    )'
    ),
}


@pytest.fixture
def file(tmp_path):
    def write(call):
        path = tmp_path / "four.py"
        path.write_text(FILE.replace("PLACE", call))
        return path

    return write


def test_a_hypothesis_of_a_setting_is_written_with_the_setting(tmp_path):
    path = tmp_path / "lags_file.py"
    path.write_text(
        "from ropeproof.theory.language import *\n"
        "from ropeproof.theory.topics.slash import lags\n\n\n"
        '@theorem("own.lags", hypotheses=(lags.SIDE,), conclusion=le(0, 2 * lags.side),\n'
        '         attack=Attack({"more": le(1, lags.side)}))\n'
        "def LAGS(p: Proof) -> None:\n"
        '    """Twice the side\n\n    $0\\\\le2M$.\n    """\n'
        '    p.qed("Twice.")\n'
    )
    run("try", str(path), "--write")
    assert 'p.qed("Twice.", lags.SIDE)' in path.read_text()


@pytest.mark.parametrize("call", CALLS)
def test_what_is_missing_is_written_into_the_call(file, call):
    path, after = file(call), CALLS[call]
    code, said = run("try", str(path), "--write", "--fresh")
    assert code == (1 if after is None else 0)
    assert path.read_text() == FILE.replace("PLACE", after or call)
    assert ("names a rule" if after is None else "LARGER") in said
    assert try_file(str(path), session=Session(keep=False)).holds == (after is not None)


def test_a_proof_that_holds_is_left_alone(file):
    path = file('p.qed("Once more.", POSITIVE, LARGER)')
    before = path.read_text()
    code, said = run("try", str(path), "--write", "--fresh")
    assert code == 0
    assert "nothing was found to write" in said
    assert path.read_text() == before


def test_a_premise_without_a_name_is_told(file):
    text = FILE.replace("POSITIVE = Hypothesis", "NAMES = {}\nNAMES[0] = Hypothesis")
    text = text.replace("(POSITIVE, LARGER)", "(NAMES[0], LARGER)")
    path = file("")
    path.write_text(text.replace("PLACE", 'p.qed("Once more.", LARGER)'))
    _, said = run("try", str(path), "--write", "--fresh")
    assert "the file has no name for step or hypothesis x is positive" in " ".join(said.split())


def test_write_and_watch_exclude_each_other(file):
    code, _ = run("try", str(file("pass")), "--write", "--watch")
    assert code == 2


# -- comparisons by parts and case splits ----------------------------------------------------


def _forms_file(tmp_path, hypotheses, goal, call):
    path = tmp_path / "forms.py"
    path.write_text(
        "from ropeproof.theory.language import *\n\n"
        'x, y, c = real("x y c")\nf = real_function("f")\n'
        'LOW = Hypothesis("x is at most y", le(x, y))\n'
        'FACTOR = Hypothesis("c is not negative", le(0, c))\n'
        'FIRST = Hypothesis("f(x) is at most c", le(f(x), c))\n'
        'SECOND = Hypothesis("f(y) is at most c", le(f(y), c))\n\n\n'
        f'@theorem("own.forms", hypotheses={hypotheses}, conclusion={goal},\n'
        f'         attack=Attack({{"more": le(1, c)}}))\n'
        "def FORMS(p: Proof) -> None:\n"
        '    """A form\n\n    It is found.\n    """\n'
        f"    {call}\n"
    )
    return path


def test_parts_are_found_and_written(tmp_path):
    goal = "le(c * sp.exp(sp.exp(x)), c * sp.exp(sp.exp(y)))"
    path = _forms_file(tmp_path, "(LOW, FACTOR)", goal, 'p.qed("It grows.", FACTOR)')
    run("try", str(path), "--write", "--fresh")
    assert 'p.qed("It grows.", FACTOR, monotone=(LOW,))' in path.read_text()
    assert try_file(str(path), session=Session(keep=False)).holds


def test_a_case_split_is_found_and_written(tmp_path):
    call = 'p.qed("It is one of the two.", FIRST, SECOND)'
    path = _forms_file(tmp_path, "(FIRST, SECOND)", "le(f(sp.Max(x, y)), c)", call)
    run("try", str(path), "--write", "--fresh")
    assert call.replace(")", ", cases=(le(x, y),))") in path.read_text()
    assert try_file(str(path), session=Session(keep=False)).holds


def test_nothing_is_written_for_what_is_false(tmp_path):
    goal = "le(c * sp.exp(sp.exp(y)), c * sp.exp(sp.exp(x)))"
    path = _forms_file(tmp_path, "(LOW, FACTOR)", goal, 'p.qed("It grows.", FACTOR)')
    before = path.read_text()
    run("try", str(path), "--write", "--fresh")
    assert path.read_text() == before
