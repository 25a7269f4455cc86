"""z3 as a judge of polynomial facts: what it says follows does follow."""

from __future__ import annotations

import marshal
import os
import subprocess
import sys
from pathlib import Path
from time import monotonic, perf_counter

import pytest
import sympy as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from kernel.numeric import environments, formulas, steady, truth, value
from kernel.test_normal import FACTS

from ropeproof.proofs_check.kernel.normal import Normal
from ropeproof.proofs_check.kernel.read import read
from ropeproof.proofs_check.kernel.smt import PremiseFacts, entails, instances
from ropeproof.proofs_check.kernel.solvers import query, solver_process, z3_process
from ropeproof.proofs_check.kernel.solvers.query import RanOn, overheard, verdict
from ropeproof.proofs_check.kernel.solvers.solver_process import SolverProcess
from ropeproof.proofs_check.kernel.terms import free
from ropeproof.proofs_check.run.cache.sources import PackageSources
from ropeproof.theory.language.logic import (
    Both,
    Either,
    Every,
    If,
    Negation,
    eq,
    every,
    integer,
    le,
    lt,
    ne,
    real,
    real_function,
)

x, y, z = real("x y z")
l, m, n = integer("l m n")
f = real_function("f")


def refuted(assertions: query.Question, effort: int) -> bool:
    """Whether z3 refutes the assertions, asked anew."""
    query._answer.cache_clear()
    return verdict(assertions, effort) == "unsat"


def shown(goal: object, *premises: object) -> bool:
    facts = PremiseFacts([read(p) for p in premises])
    return entails(facts.premises, read(goal), Normal(facts))


@steady(120)
@given(formulas, environments, st.lists(st.sampled_from(FACTS), max_size=2))
def test_what_is_entailed_holds_where_the_premises_do(
    goal: tuple, env: dict, premises: list
) -> None:
    assume(all(truth(p, env) for p in premises))
    try:
        assume(all(abs(value(side, env)) < 10**12 for side in goal[1:]))
    except (ArithmeticError, ValueError):
        assume(False)
    if entails(premises, goal, Normal(PremiseFacts(premises)), effort=100_000):
        assert truth(goal, env)


@pytest.mark.parametrize(
    ("goal", "premises"),
    [
        (le(2 * x * y, x**2 + y**2), ()),
        (lt(0, sp.exp(x)), ()),
        (le(sp.cos(x) + sp.sin(x), sp.Rational(3, 2)), ()),
        (eq(sp.exp(x) * sp.exp(-x, evaluate=False), 1), ()),
        (le(abs(x + y), abs(x) + abs(y)), ()),
        (le(x, sp.Max(x, y)), ()),
        (eq(sp.sqrt(x) * sp.sqrt(y), z), (le(0, x), le(0, y), le(0, z), eq(z**2, x * y))),
        (le(m + 1, n), (lt(m, n),)),
        (Negation(eq(2 * n, 1)), ()),
        (lt(sp.floor(x), x + 1), ()),
        (Either(eq(n, 2 * sp.floor(n / 2)), eq(n, 2 * sp.floor(n / 2) + 1)), ()),
        (le(sp.floor(m / 2) + sp.floor(n / 2), sp.floor((m + n) / 2)), ()),
        (lt(n, 3 * sp.floor(n / 3) + 3), ()),
        (lt(3, sp.pi), ()),
        (eq(sp.Piecewise((x, le(0, x)), (-x, True)), abs(x)), ()),
        (Every((x,), le(f(x), 0)), (Every((y,), le(f(y), 0)),)),
    ],
    ids=str,
)
def test_shown(goal: object, premises: tuple) -> None:
    assert shown(goal, *premises)


@pytest.mark.parametrize(
    ("goal", "premises"),
    [
        (lt(2 * x * y, x**2 + y**2), ()),
        (le(x + 1, y), (lt(x, y),)),
        (eq(sp.Mul(x, 1 / x, evaluate=False), 1), ()),
        (eq(sp.Mul(sp.sqrt(x), sp.sqrt(x), evaluate=False), x), ()),
        (eq(sp.exp(x / 2), sp.exp(x)), ()),
        (eq(sp.Sum(sp.exp(l * x / 2), (l, 1, 1)), 1), (lt(0, sp.exp(x)),)),
        (eq(sp.floor(x) + sp.floor(y), sp.floor(x + y)), ()),
        (eq(sp.floor(m / 2) + sp.floor(n / 2), sp.floor((m + n) / 2)), ()),
        (Either(eq(n, 2 * sp.floor(n / 2)), eq(n, 2 * sp.floor(n / 2) + 2)), ()),
        (eq(sp.floor(n / 2), n / 2), ()),
        (Every((x,), le(f(x), 0)), (Every((n,), le(f(n), 0)),)),
        (lt(sp.Rational(314160, 100000), sp.pi), ()),
        (Either(le(x, 0), le(1, x)), ()),
    ],
    ids=str,
)
def test_not_shown(goal: object, premises: tuple) -> None:
    assert not shown(goal, *premises)


def test_a_universal_fact_is_used_at_the_arguments_that_occur() -> None:
    facts = PremiseFacts([read(every(l, 0, n - 1, lt(0, f(l)))), read(le(1, n))])
    assert facts.known(read(ne(f(0), 0)))
    assert not facts.known(read(ne(f(n), 0)))


def test_a_universal_fact_about_integers_is_not_used_at_a_real() -> None:
    facts = PremiseFacts([read(Every((l,), lt(0, f(l))))])
    assert facts.known(read(lt(0, f(n + 2))))
    assert not facts.known(read(lt(0, f(x))))


def test_one_more_fact_leaves_the_others_as_they_were() -> None:
    facts = PremiseFacts([])
    goal = read(ne(x, 0))
    assert facts.given(read(lt(0, x))).known(goal)
    assert not facts.known(goal)


def test_a_bound_argument_is_no_place_to_take_an_instance_at() -> None:
    universal = read(Every((l,), le(f(l), 0)))
    goal = read(eq(sp.Sum(f(l), (l, 0, n)) + f(m), 0))
    assert [free(i) for i in instances(universal, goal)] == [{"f": (False, 1), "m": (True, 0)}]


def test_unknown_is_no() -> None:
    hard = eq(x**9 + y**9, z**9 + 1)
    assert not entails([], read(If(hard, Both(eq(x, 1), eq(y, z)))), effort=1000)


def _power(k: int, n: int) -> tuple:
    return ("*", (("real", k),) * n)


_HUGE = ("+", (("*", (("number", 10**3000, 1), ("real", 1))), ("number", 1, 1)))
DEAF = (  # z3 hears neither its limit of work nor a timeout while it works on this
    ("=", _power(0, 9), _HUGE),
    ("=", _power(1, 9), ("+", (("real", 0), ("number", 7**3000, 1)))),
    (">", ("real", 0), ("number", 2, 1)),
)
NEGATIVE_SQUARE = (("<", _power(0, 2), ("number", 0, 1)),)


def test_what_z3_does_not_end_the_clock_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(query, "SECONDS", 1.0)
        with pytest.raises(RanOn, match="past 1 seconds and was ended: not reproducible"):
            refuted(DEAF, 100_000)
    assert refuted(NEGATIVE_SQUARE, 1000)  # by a new process


@pytest.mark.parametrize("said", ["", "1 uns"], ids=["nothing", "half an answer"])
def test_the_clock_ends_a_process_that_does_not_listen(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"import time\nprint({said!r}, end='', flush=True)\ntime.sleep(20)\n"
    (tmp_path / "deaf_process.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    process = SolverProcess("deaf_process")
    begin = perf_counter()
    for question in ((1,), tuple(range(10**6))):  # the second does not fit in the pipe
        with pytest.raises(RanOn, match="deaf ran on past 1 seconds"):
            process.ask(question, 1)
    assert perf_counter() - begin < 15
    process.close()


@pytest.mark.parametrize(
    "goal",
    [
        Either(eq(n, 2 * sp.floor(n / 2 + x)), eq(n, 2 * sp.floor(n / 2 + x) + 1)),
        Negation(Both(eq(m**3 + n**3, l**3), lt(0, m), lt(0, n))),
        le(m**2, 991 * n**2 - 1),
    ],
    ids=["floor", "fermat", "pell"],
)
def test_the_limit_of_work_ends_what_z3_does_not_decide(goal: object) -> None:
    begin = perf_counter()
    assert not entails([], read(goal), effort=100_000)
    assert perf_counter() - begin < query.SECONDS, "the clock ended it"


def test_an_interrupted_question_leaves_no_answer_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    assert refuted(NEGATIVE_SQUARE, 1000)
    with monkeypatch.context() as patch:
        patch.setattr(SolverProcess, "ask", interrupted)
        with pytest.raises(KeyboardInterrupt):
            refuted(NEGATIVE_SQUARE, 1000)
    assert query.Z3 not in solver_process._running
    assert not refuted((("true",),), 1000)


def test_an_answer_that_nobody_waits_for_ends_the_process_without_a_word() -> None:
    process = subprocess.Popen(
        [sys.executable, "-I", z3_process.__file__],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    process.stdout.close()
    process.stdin.write(marshal.dumps(sys.path) + marshal.dumps((1, NEGATIVE_SQUARE, 1000)))
    process.stdin.flush()  # and stays open: the process is still asked, by one who no longer hears
    assert process.wait(60) == 0
    assert process.stderr.read() == b""
    process.stdin.close()
    process.stderr.close()


def test_an_answer_to_another_question_is_refused() -> None:
    assert refuted(NEGATIVE_SQUARE, 1000)
    first = (7, NEGATIVE_SQUARE, 1000)  # its answer comes before the other's
    solver_process._running[query.Z3].send(first, monotonic() + 60)
    with pytest.raises(ValueError, match="z3 broke off"):
        refuted((("true",),), 1000)
    assert not refuted((("true",),), 1000)


def test_a_fork_asks_a_process_of_its_own() -> None:
    assert refuted(NEGATIVE_SQUARE, 1000)
    mine = solver_process._running[query.Z3].process.pid
    if (child := os.fork()) == 0:
        right = refuted(NEGATIVE_SQUARE, 1000) and not refuted((("true",),), 1000)
        other = solver_process._running[query.Z3].process.pid != mine
        solver_process._close()
        os._exit(0 if right and other else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert refuted(NEGATIVE_SQUARE, 1000)
    assert solver_process._running[query.Z3].process.pid == mine


def test_a_question_outside_the_language_is_an_error() -> None:
    with pytest.raises(ValueError, match="z3 broke off: KeyError: 'sum'"):
        refuted((("sum", ("real", 0)),), 1000)


def test_a_part_that_occurs_often_is_printed_once() -> None:
    nested = x
    for _ in range(20):
        nested = abs(nested - 1)
    begin = perf_counter()
    assert shown(le(0, nested))
    assert perf_counter() - begin < 10


def test_contradictory_questions_are_overheard() -> None:
    with overheard() as heard:
        assert shown(lt(0, sp.exp(x)))
        assert not shown(lt(1, sp.exp(x)))
    assert len(heard) == 1
    with overheard() as again:
        pass
    assert shown(lt(0, sp.exp(x)))
    assert again == []


def test_a_question_is_asked_once_and_overheard_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    ask = query.ask
    monkeypatch.setattr(query, "ask", lambda *what: asked.append(what) or ask(*what))
    query._answer.cache_clear()
    for _ in range(2):
        with overheard() as heard:
            assert verdict(NEGATIVE_SQUARE, 1000) == "unsat"
        assert heard == [NEGATIVE_SQUARE]
    assert len(asked) == 1
    assert verdict(NEGATIVE_SQUARE, 1001) == "unsat"
    assert len(asked) == 2
    assert [verdict((("true",),), 1000) for _ in range(2)] == ["sat", "sat"]


def test_what_ran_on_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: object) -> str:
        raise RanOn("it ran on")

    query._answer.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(query, "ask", endless)
        with pytest.raises(RanOn):
            verdict(NEGATIVE_SQUARE, 1000)
    assert verdict(NEGATIVE_SQUARE, 1000) == "unsat"


def test_z3_says_where_integers_meet_the_assertions() -> None:
    real = ("real", 0, "integer")
    half, two, three = (("number", k, d) for k, d in ((1, 2), (2, 1), (3, 1)))
    assert verdict((("<=", two, real), ("<=", real, two)), 1000) == "whole"
    assert verdict((("<=", half, real), ("<=", real, half)), 1000) == "sat"
    assert verdict((("<=", two, real[:2]), ("<=", real[:2], two)), 1000) == "sat"
    assert verdict((("<=", three, real), ("<=", real, two)), 1000) == "unsat"
    root = (("=", ("*", (real, real)), two), ("<", ("number", 0, 1), real))
    assert verdict(root, 10_000) == "sat"


def test_where_no_integer_shows_it_false_integers_are_tried() -> None:
    assert shown(le(1, n), lt(0, n))
    assert not shown(le(1, x), lt(0, x))
    assert shown(ne(2 * n, 1))
    assert not shown(le(2, n), lt(0, n))


def test_a_kept_result_depends_on_the_printer() -> None:
    assert query.Z3 in PackageSources().reached("ropeproof.proofs_check.run.runner")
