"""`ropeproof try`: every refused step is explained, and what held is not checked again."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import sympy as sp

from ropeproof import try_claims
from ropeproof.proofs_check.authoring import session as sessions
from ropeproof.proofs_check.authoring.session import Session
from ropeproof.proofs_check.authoring.trial import try_file
from ropeproof.proofs_check.kernel import check as kernel
from ropeproof.theory.errors import InvalidArgument, InvalidClaim
from ropeproof.theory.language.attack import Attack
from ropeproof.theory.language.claim import OWN, Claim, Hypothesis
from ropeproof.theory.language.derivation import Step, identity, smt
from ropeproof.theory.language.logic import eq, every, frac, integer, le, lt, real, real_function
from ropeproof.theory.language.proof import prove

x, y = real("x y")
k, n = integer("k n")
f = real_function("f")
POSITIVE = Hypothesis("x is positive", lt(0, x))
ORDER = Hypothesis("x comes first", le(x, y))


def stated(conclusion, *hypotheses, id="own.tried"):
    return Claim(id, "", "", OWN, hypotheses=hypotheses, conclusion=conclusion)


def refusals(claim):
    return [s.refusal for s in Session(keep=False).claim(claim, {}.__getitem__).steps if s.refusal]


def one_step(goal, *hypotheses, by=None, using=None):
    used = hypotheses if using is None else using
    claim = stated(goal, *hypotheses)
    (refusal,) = refusals(prove(claim, lambda p: p.qed("So.", *used, by=by)))
    return refusal


def test_every_refused_step_is_shown_not_only_the_first():
    def proof(p):
        first = p.show(le(x, 0), "Wrong.", POSITIVE)
        second = p.show(le(2 * x, 0), "Right, if the first is.", first)
        third = p.show(eq(x, 2 * x), "Wrong as well.")
        p.qed("Wrong, too.", second, third)

    tried = Session(keep=False).claim(prove(stated(lt(y, 0), POSITIVE), proof), {}.__getitem__)
    assert [s.refusal is not None for s in tried.steps] == [True, False, True, True]
    assert [s.rests_on for s in tried.steps] == [(), (1,), (), (1, 3)]
    assert not tried.holds


def test_z3s_model_is_in_the_users_names():
    refusal = one_step(le(sp.exp(x), y), ORDER)
    (model,) = [d for d in refusal.details if d.startswith("z3 finds no contradiction")]
    values = dict(re.findall(r"([\w()]+) = (-?\d+(?:/\d+)?)", model))
    assert set(values) == {"x", "y", "exp(x)"}
    assert sp.Rational(values["x"]) <= sp.Rational(values["y"]) < sp.Rational(values["exp(x)"])
    assert "z3 knows nothing of exp(x)" in " ".join(refusal.details)
    # exp(x) = 0 or less is no value of real numbers, so that the premises do not "hold" there.
    assert "which real numbers need not have" in model
    assert "the premises hold" not in " ".join(refusal.details)


def test_a_float_in_a_step_is_answered_with_the_exact_number():
    claim = stated(le(0, x), POSITIVE)
    found = refusals(
        prove(claim, lambda p: p.qed("So.", p.show(le(0, 0.25 * x), "A quarter.", POSITIVE)))
    )
    assert found[0].hints == ("0.25 is a float, and no exact number; write sp.Rational(1, 4)",)


def test_identity_shows_two_normal_forms_or_what_is_missing():
    shown = one_step(eq(sp.sin(2 * x), sp.sin(x) * sp.cos(x)))
    assert shown.details[:2] == (
        "normal form of the left side:  sin(2*x)",
        "normal form of the right side: 1/2*sin(2*x)",
    )
    missing = one_step(eq(frac(x * y, x * (x + y)), y / (x + y)))
    assert missing.details[0].startswith("the sides are equal if the premises say ")
    assert missing.details[0].endswith("x + y != 0")
    logarithm = one_step(eq(sp.log(x * y), sp.log(x) + sp.log(y)))
    assert logarithm.details[0].startswith("the sides are equal if the premises say 0 < ")


def test_other_rules_and_premises_are_tried():
    refusal = one_step(lt(0, y), ORDER, POSITIVE, using=(ORDER,))
    assert refusal.tried[0] == ("smt", "z3 does not refute the negation")
    assert refusal.hints == (
        "smt accepts it with 'x is positive' as premises; `ropeproof try --write` writes it",
    )
    wrong = one_step(le(2 * x, 2 * y), ORDER, by=identity())
    assert wrong.hints == ("smt accepts it: by=smt()",)


def test_a_quantified_premise_is_no_arithmetic():
    terms = Hypothesis("terms", every(k, 0, n - 1, le(0, f(k))))
    refusal = one_step(le(0, f(3)), terms, by=smt())
    assert "name an instance" in refusal.details[0]


def test_an_instance_shows_where_a_step_is_false_with_both_sides():
    refusal = one_step(le(y, x), ORDER)
    (instance,) = refusal.instances
    assert instance.what == "false where all hypotheses and assumptions hold"
    values = {name: sp.Rational(value) for name, value in instance.values.items()}
    assert values["x"] < values["y"]
    assert instance.sides == (f"left side y = {values['y']}", f"right side x = {values['x']}")


def test_where_premises_are_too_weak_an_instance_says_so():
    refusal = one_step(lt(0, y), ORDER, POSITIVE, using=(ORDER,))
    (instance,) = refusal.instances
    assert instance.what.startswith("more is needed")
    assert sp.Rational(instance.values["y"]) <= 0


def test_a_false_statement_is_called_false():
    claim = prove(stated(le(x**2, x)), lambda p: p.qed("So they say."))
    tried = Session(keep=False).claim(claim, {}.__getitem__)
    assert tried.false_at is not None
    assert tried.false_at.sides[0].startswith("left side x**2 = ")


def test_what_ends_wrong_is_said():
    def ends(proof, attack=None):
        claim = prove(stated(le(2 * x, 2 * y), ORDER, POSITIVE), proof, attack)
        return " ".join(Session(keep=False).claim(claim, {}.__getitem__).remarks)

    assert "not the claim's conclusion" in ends(lambda p: p.show(le(x, y + 1), "", ORDER))

    def goes_on(p):
        p.qed("", ORDER)
        p.show(le(x, y + 1), "", ORDER, POSITIVE)

    assert "step 1 is the conclusion: let it be the last" in ends(goes_on)
    assert "does not use: x is positive" in ends(lambda p: p.qed("", ORDER))
    weak = Attack({"weaker": le(x, y)})
    assert "also proves the mutant 'weaker'" in ends(
        lambda p: p.qed("", ORDER, POSITIVE), attack=weak
    )
    assert "rests on an assumption" in ends(lambda p: p.under(le(y, 7)).show(p.goal, "", ORDER))


@pytest.fixture
def counted(monkeypatch):
    """The labels of the steps that the kernel is asked about."""
    asked = []

    def counting(step, *rest):
        asked.append(step.because)
        return kernel.check_step(step, *rest)

    monkeypatch.setattr("ropeproof.proofs_check.authoring.explain.check_step", counting)
    monkeypatch.setattr(sessions, "check_step", counting)
    return asked


def squares(second, last="Together."):
    def proof(p):
        first = p.show(lt(0, y), "First.", POSITIVE, ORDER)
        middle = p.show(second, "Second.", first, ORDER)
        p.show(lt(0, 3 * x), "Apart.", POSITIVE)
        p.qed(last, first, middle)

    return prove(stated(lt(0, y * y), POSITIVE, ORDER), proof)


def test_only_what_a_change_can_touch_is_checked_again(counted):
    session = Session(keep=False)
    session.claim(squares(lt(0, 2 * y)), {}.__getitem__)
    assert counted == ["First.", "Second.", "Apart.", "Together."]
    counted.clear()
    again = session.claim(squares(lt(0, 2 * y), last="Other words."), {}.__getitem__)
    assert (counted, again.kept) == ([], 4)
    session.claim(squares(lt(0, 4 * y)), {}.__getitem__)
    assert counted == ["Second.", "Together."]


def test_another_hypothesis_under_the_same_name_is_checked(counted):
    session = Session(keep=False)

    def tried(hypothesis):
        claim = prove(stated(lt(0, 2 * x), hypothesis), lambda p: p.qed("So.", hypothesis))
        return session.claim(claim, {}.__getitem__).steps[0].refusal

    assert tried(POSITIVE) is None
    assert tried(Hypothesis("x is positive", lt(-1, x))) is not None
    assert len(counted) > 1


def test_another_lemma_under_the_same_id_is_checked():
    session = Session(keep=False)

    def tried(lemma):
        claim = prove(
            stated(le(0, f(y)), id="own.user"), lambda p: p.lemma(lemma.at(x=y), why="It is not.")
        )
        return session.claim(claim, {lemma.id: lemma}.__getitem__).steps[0].refusal

    lemma = stated(le(0, f(x)))
    assert tried(lemma) is None
    other = stated(le(0, f(x)), Hypothesis("x is large", le(7, x)))
    assert tried(other) is not None


def test_what_held_is_kept_for_the_next_session_and_what_is_kept_is_sealed(
    tmp_path, monkeypatch, counted
):
    monkeypatch.setenv("ROPEPROOF_CACHE", str(tmp_path))
    claim = squares(lt(0, 2 * y))
    Session().claim(claim, {}.__getitem__)
    counted.clear()
    assert Session().claim(claim, {}.__getitem__).kept == 4
    assert not counted
    for entry in tmp_path.glob("??/*"):
        entry.write_text(entry.read_text().replace("holds", "holdS"))
    assert Session().claim(claim, {}.__getitem__).kept == 0


def test_a_refused_step_is_never_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("ROPEPROOF_CACHE", str(tmp_path))
    claim = prove(stated(le(y, x), ORDER), lambda p: p.qed("No.", ORDER))
    for _ in range(2):
        tried = Session().claim(claim, {}.__getitem__)
        assert tried.steps[0].refusal is not None


# -- files and notebooks -----------------------------------------------------------------

FILE = """
from ropeproof.theory.language import *

x, y = real("x y")
POSITIVE = Hypothesis("x is positive", lt(0, x))


def proof(p):
    double = p.show(lt(0, 2 * x), "Twice.", POSITIVE)
    p.qed("Once more.", {premises})


claim = Claim("own.four", "Four", "$0<4x$.", OWN, hypotheses=(POSITIVE,), conclusion=lt(0, 4 * x))
CLAIMS = (prove(claim, proof, Attack({{"less": lt(8, 4 * x)}})),)
"""


def written(tmp_path, premises):
    path = tmp_path / "four.py"
    path.write_text(FILE.format(premises=premises))
    return str(path)


def test_a_step_is_named_by_file_and_line(tmp_path):
    trial = try_file(written(tmp_path, ""), session=Session(keep=False))
    assert not trial.holds
    said = " ".join(repr(trial).split())
    assert "four.py:10: step 2 is refused Once more." in said
    assert "smt accepts it with step 1 as premises" in said
    assert try_file(written(tmp_path, "double"), session=Session(keep=False)).holds


def test_ids_select_and_unknown_ones_are_named(tmp_path):
    path = written(tmp_path, "double")
    assert len(try_file(path, ("own.*",)).claims) == 1
    with pytest.raises(
        InvalidArgument, match=r"id: got 'own\.five', allowed: one of this file: own"
    ):
        try_file(path, ("own.five",))


def test_in_a_notebook_a_trial_shows_itself():
    good = prove(stated(lt(0, 2 * x), POSITIVE), lambda p: p.qed("Twice.", POSITIVE))
    bad = prove(stated(lt(x, 0), POSITIVE), lambda p: p.qed("No.", POSITIVE))
    trial = try_claims(good, bad)
    assert [c.holds for c in trial.claims] == [True, False]
    assert "1 of 2 proofs hold" in repr(trial)
    page = trial._repr_html_()
    assert "step 1 is refused: $\\displaystyle x &lt; 0$" in page
    with pytest.raises(InvalidArgument, match="claims: got 3"):
        try_claims(3)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("p.shw(1)", r"line 10, 'p\.shw\(1\)': AttributeError"),
        (
            'p.qed("x", by=rules.smt)',
            r"the rule is the function smt itself, allowed: smt\(\.\.\.\)",
        ),
        ('p.qed("x", by="smt")', "the rule is 'smt', allowed"),
        ("import sys; sys.exit(0)", "SystemExit"),
    ],
)
def test_an_error_in_the_file_is_named_with_its_line(tmp_path, line, said):
    path = tmp_path / "four.py"
    path.write_text(FILE.format(premises="").replace('p.qed("Once more.", )', line))
    with pytest.raises((InvalidArgument, InvalidClaim), match=said) as caught:
        try_file(str(path))
    told = str(caught.value) + "".join(getattr(caught.value, "__notes__", []))
    assert "four.py" in told
    assert "line 10" in told


def test_a_syntax_error_has_its_line(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("x = 1\ny = (\n")
    with pytest.raises(InvalidArgument, match=r"line 2, 'y = \('"):
        try_file(str(path))


def test_a_step_needs_a_rule_and_tuples():
    with pytest.raises(InvalidClaim, match=r"'a': the rule is the function smt itself"):
        Step("a", le(0, x), smt, "")
    with pytest.raises(InvalidClaim, match=r"using is 'first', allowed: a tuple; one name is"):
        Step("a", le(0, x), smt(), "", ("first"))


def test_the_command(tmp_path):
    from typer.testing import CliRunner

    from ropeproof.cli import app

    good = CliRunner().invoke(app, ["try", written(tmp_path, "double")])
    assert (good.exit_code, "own.four  holds" in good.output) == (0, True)
    bad = CliRunner().invoke(app, ["try", written(tmp_path, "")])
    assert (bad.exit_code, "step 2 is refused" in bad.output) == (1, True)


# Where the tests run in the background, their processes ignore the keyboard's signal by inheritance.
INTERRUPTIBLE = """
import signal
from ropeproof.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""


def test_watching_checks_at_each_save(tmp_path):
    path = written(tmp_path, "")
    log = tmp_path / "log"
    with log.open("w") as out:
        watching = subprocess.Popen(
            [sys.executable, "-c", INTERRUPTIBLE, "try", path, "--watch"],
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, "ROPEPROOF_CACHE": str(tmp_path / "cache")},
            cwd=Path(__file__).resolve().parents[3],
        )
        try:
            _wait_for(log, "0 of 1 proofs hold")
            written(tmp_path, "double")
            _wait_for(log, "1 of 1 proofs hold")
            Path(path).write_text("CLAIMS = (")
            _wait_for(log, "SyntaxError")
            watching.send_signal(signal.SIGINT)
            assert watching.wait(20) == 0
        finally:
            watching.kill()
    assert "2 steps, 1 of them unchanged" in log.read_text()


def _wait_for(log, text):
    end = time.monotonic() + 90
    while text not in log.read_text():
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.1)
