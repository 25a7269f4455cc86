"""Compile terms and formulas to functions of the instance: one walker for every number type.

A tree is walked once, not at every point. Symbols, sums, cases, connectives, quantifiers and exact
comparisons are the same for all types; the differences are in `Numbers`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from itertools import islice, product
from math import inf, prod
from operator import eq, itemgetter, le, lt, ne
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ropeproof.proofs_check.semantics.bounds import names_in
from ropeproof.proofs_check.semantics.evaluate import loops
from ropeproof.proofs_check.semantics.evaluate.arithmetic import (
    REMEMBERED,
    Comparison,
    Judge,
    Numbers,
    Term,
)
from ropeproof.proofs_check.semantics.evaluate.integers import NotAnInteger, integer_function
from ropeproof.proofs_check.semantics.evaluate.ranges import (
    Guards,
    guards_of,
    ranges_at,
)
from ropeproof.proofs_check.semantics.values import Fraction, Instance, TooLarge, whole
from ropeproof.theory.language import logic
from ropeproof.theory.language.binders import symbol_name
from ropeproof.theory.language.logic import conjuncts

__all__ = ["judge_with", "value_with", "wanted_with"]

MAX_SAMPLES = 24  # of a quantifier without a finite range
_MISSING = object()


@lru_cache(maxsize=REMEMBERED, typed=True)
def value_with(numbers: Numbers, expr: Any) -> Term:
    """Compile a term to a function of the instance, which raises `TooLarge` without a value."""
    kind = type(expr)
    how = next((how for base, how in _TERMS if issubclass(kind, base)), _function)
    term = how(numbers, expr)
    if kind is sp.Add and expr.has(sp.floor) and not expr.has(sp.Sum, sp.Piecewise):
        named = names_in(expr)
        if named and all(integer and not arity for integer, arity in named.values()):
            return _in_integers(numbers, expr, term)
    return term


def _in_integers(numbers: Numbers, expr: Any, term: Term) -> Term:
    """Compile a term in integers that is evaluated very often, such as a digit in sums over words.

    Its terms are counted as if it were evaluated step by step, so the budget of a search does not
    depend on how the value is computed.
    """
    function = integer_function(expr, sorted(names_in(expr)))
    if function is None:
        return term
    work, cost = numbers.work, 0

    def value(at: Instance) -> Any:
        nonlocal cost
        if cost:
            try:
                found = function(at.values)
            except NotAnInteger:
                return term(at)
            work.terms += cost
            return found
        before = work.terms
        found = term(at)
        cost = work.terms - before
        return found

    return value


@lru_cache(maxsize=REMEMBERED, typed=True)
def judge_with(numbers: Numbers, formula: Any) -> Judge:
    """Compile a formula to a function of the instance. Raises `TooLarge` if it is not a formula."""
    kind = type(formula)
    found = next((how for base, how in _JUDGES if issubclass(kind, base)), None)
    if found is None:
        raise TooLarge(f"not a formula: {kind.__name__}")
    return found(numbers, formula)


@lru_cache(maxsize=REMEMBERED, typed=True)
def wanted_with(numbers: Numbers, formula: Any) -> Judge:
    """Like `judge_with` for callers that reject False and `TooLarge` alike: either may come early.

    A `for all` over too many cases is refused before its first case is judged.
    """
    if isinstance(formula, logic.Both | sp.And):
        return _joined(False, wanted_with)(numbers, formula)
    if isinstance(formula, logic.Every):
        return _quantified(numbers, formula, wanted=True)
    return judge_with(numbers, formula)


# -- terms -------------------------------------------------------------------------------------


def _constant(_: Numbers, expr: Any) -> Term:
    value = loops.exact(expr)
    return lambda _: value


def _applied(numbers: Numbers, expr: Any) -> Term:
    return numbers.applied(expr.func.__name__, [value_with(numbers, a) for a in expr.args])


def _folded(name: str) -> _TermCompiler:
    """A compiler for sums or products, which combines the arguments from the first to the last."""

    def compiled(numbers: Numbers, expr: Any) -> Term:
        op, work, size = getattr(numbers, name), numbers.work, len(expr.args)
        first, *rest = (value_with(numbers, a) for a in expr.args)
        if size == 2 and isinstance(expr.args[0], sp.Rational):
            constant, (second,) = loops.exact(expr.args[0]), rest

            def scaled(at: Instance) -> Any:
                work.terms += 2
                return op(constant, second(at))

            return scaled
        if size == 2:
            (second,) = rest

            def pair(at: Instance) -> Any:
                work.terms += 2
                return op(first(at), second(at))

            return pair

        def value(at: Instance) -> Any:
            work.terms += size
            total = first(at)
            for term in rest:
                total = op(total, term(at))
            return total

        return value

    return compiled


def _power(numbers: Numbers, expr: Any) -> Term:
    work, told = numbers.work, numbers.told
    base, exponent = (value_with(numbers, a) for a in expr.args)
    open_at_0 = not loops.adds_up(expr.base)
    if isinstance(expr.exp, sp.Integer):
        n = int(expr.exp)
        raised, asks = numbers.whole_power(n), open_at_0 and n < 0

        def whole_power(at: Instance) -> Any:
            work.terms += 2
            found = base(at)
            return raised(told(found) if asks and not at.trusting else found)

        return whole_power
    any_power = numbers.power

    def value(at: Instance) -> Any:
        work.terms += 2
        found, power = base(at), exponent(at)
        if open_at_0 and power < 0 and not at.trusting:
            told(found)
        return any_power(found, power)

    return value


def _with_jump(name: str) -> _TermCompiler:
    """A compiler for a function that jumps at 0."""

    def compiled(numbers: Numbers, expr: Any) -> Term:
        how, work, told = getattr(numbers, name), numbers.work, numbers.told
        argument = value_with(numbers, expr.args[0])
        open_at_0 = not loops.adds_up(expr.args[0])

        def value(at: Instance) -> Any:
            work.terms += 1
            found = argument(at)
            return how(told(found) if open_at_0 and not at.trusting else found)

        return value

    return compiled


def _floor(numbers: Numbers, expr: Any) -> Term:
    argument, floor, work = value_with(numbers, expr.args[0]), numbers.floor, numbers.work

    def value(at: Instance) -> Fraction:
        work.terms += 1
        return floor(argument(at), at.trusting)

    return value


def _extreme(name: str) -> _TermCompiler:
    def compiled(numbers: Numbers, expr: Any) -> Term:
        of, terms = getattr(numbers, name), [value_with(numbers, a) for a in expr.args]
        return lambda at: of([term(at) for term in terms])

    return compiled


def _tangent(numbers: Numbers, expr: Any) -> Term:
    return value_with(numbers, sp.Mul(sp.sin(*expr.args), sp.Pow(sp.cos(*expr.args), -1)))


def _by_cases(numbers: Numbers, expr: Any) -> Term:
    """The value of the first case that applies; raises `TooLarge` if a condition is undecided."""
    cases = [
        (
            value_with(numbers, value),
            None if condition == True else judge_with(numbers, condition),  # noqa: E712
        )
        for value, condition in expr.args
    ]

    def value(at: Instance) -> Any:
        for term, condition in cases:
            verdict = True if condition is None else condition(at)
            if verdict is None:
                raise TooLarge("an undecided case")
            if verdict:
                return term(at)
        raise TooLarge("no case applies")

    return value


def _function(numbers: Numbers, expr: Any) -> Term:
    if expr is sp.pi or expr is sp.E:
        constant = numbers.pi if expr is sp.pi else numbers.e
        return lambda _: constant()
    name, work = type(expr).__name__, numbers.work
    how = numbers.functions.get(name)
    if how is None or len(expr.args) != 1:
        return _without_value(name)
    argument = value_with(numbers, expr.args[0])

    def value(at: Instance) -> Any:
        work.terms += 1
        return how(argument(at))

    return value


def _without_value(name: str) -> Term:
    def value(_: Instance) -> Any:
        raise TooLarge(f"no value for {name}")

    return value


def _sum(numbers: Numbers, expr: Any) -> Term:
    """Compile a sum to a function of the instance, cached by the values on which it depends."""
    names = tuple(sorted(names_in(expr)))
    own = object()  # what its values are remembered under
    read = itemgetter(*names) if names else lambda _: None
    reading, work = numbers.reading, numbers.work
    # Then it matters which ones these are, and whether they are trusted.
    on_samples = expr.has(logic.Every, logic.Some)
    total = value_with(numbers, expr.function)
    summand = expr.function  # of the innermost sum
    for index, low, high in expr.limits:
        ends = value_with(numbers, low), value_with(numbers, high)
        total, summand = loops.total(numbers, total, index.name, ends, summand, value_with), None
    whole_sum = total
    nested = len(expr.limits) > 1 or expr.function.has(sp.Sum)
    coming = _coming(numbers, expr) if nested and numbers.most_added < inf else None

    def value(at: Instance) -> Any:
        sampled = on_samples and (at.samples, at.trusting)
        key: Any = (own, reading(at), sampled, read(at.values))
        try:
            found = at.sums.get(key)
        except ValueError:  # a symbol's value is a ball, which is no key
            key = found = None
        if found is None:
            work.terms += 1
            if not work.summing:
                work.added, work.coming = 0, None
            opened = at.open()
            if not work.summing and coming is not None:
                work.coming = partial(coming, opened)
            work.summing += 1
            try:
                found = whole_sum(opened)
            finally:
                work.summing -= 1
            if key is not None:
                at.sums[key] = found
        return found

    return value


def _coming(numbers: Numbers, expr: Any) -> Callable[[Instance], float]:
    """A lower bound of the number of terms added for a sum and the sums inside it, at an instance.

    The instance's values may be set. A sum inside is added anew for all values of the indices that occur
    in it. Each sum is counted at one place only, and not inside a case. Counting stops at the most
    terms that may be added.
    """
    found: dict[Any, tuple[Any, ...]] = {}

    def visit(part: Any, around: tuple[Any, ...]) -> None:
        if isinstance(part, sp.Piecewise | logic.Every | logic.Some):
            return
        if isinstance(part, sp.Sum):
            found.setdefault(part, around)
            visit(part.function, (*around, *part.limits[::-1]))  # the last limit is the outermost
            return
        for argument in getattr(part, "args", ()):
            visit(argument, around)

    visit(expr, ())
    counts = [_times_added(numbers, part, around) for part, around in found.items()]
    most = numbers.most_added

    def coming(at: Instance) -> float:
        total = 0.0
        for count in counts:
            total += count(at, most - total)
            if total > most:
                break
        return total

    return coming


_Count = Callable[[Instance, float], float]


def _times_added(numbers: Numbers, expr: Any, around: tuple[Any, ...]) -> _Count:
    """The number of terms added for a sum, given the limits of the sums around it, up to a maximum."""
    named = names_in(expr).keys()
    own = expr.limits[::-1]

    def nothing_inside(_at: Instance, _most: float) -> float:
        return 0

    added: _Count = nothing_inside
    deciding: set[str] = set()
    for place, (index, low, high) in reversed(tuple(enumerate((*around, *own)))):
        ends = value_with(numbers, low), value_with(numbers, high)
        is_own = place >= len(around)
        counts = is_own or index.name in named
        added = _counted(numbers, added, index.name, ends, counts, index.name in deciding, is_own)
        deciding |= names_in(low).keys() | names_in(high).keys()
    return added


def _counted(
    numbers: Numbers,
    inside: _Count,
    name: str,
    ends: tuple[Term, Term],
    counts: bool,
    decides: bool,
    is_own: bool,
) -> _Count:
    """The terms added for all values of an index, or for its first value if it does not count.

    Where the index decides the length of inner sums, the function loops over its values.
    """
    (low, high), floor = ends, numbers.floor

    def added(at: Instance, most: float) -> float:
        first, last = low(at), floor(high(at), at.trusting)
        length = max(0, int(last - first) + 1)
        if not length or (is_own and length > most):
            return length
        values = at.values
        before = values.get(name, _MISSING)
        total = 0.0
        try:
            for index in range(int(first), int(last) + 1) if counts and decides else (int(first),):
                values[name] = whole(index)
                total += is_own + inside(at, most - total)
                if total > most:
                    return total
        finally:
            if before is _MISSING:
                values.pop(name, None)
            else:
                values[name] = before
        return total * length if counts and not decides else total

    return added


_TermCompiler = Callable[[Numbers, Any], Term]

_TERMS: tuple[tuple[Any, _TermCompiler], ...] = (
    (int | sp.Rational, _constant),
    (sp.Symbol, lambda numbers, expr: numbers.symbol(expr.name)),
    (AppliedUndef, _applied),
    (sp.Add, _folded("add")),
    (sp.Mul, _folded("multiply")),
    (sp.Pow, _power),
    (sp.Sum, _sum),
    (sp.Max, _extreme("largest")),
    (sp.Min, _extreme("smallest")),
    (sp.Piecewise, _by_cases),
    (sp.floor, _floor),
    (sp.sign, _with_jump("sign")),
    (sp.log, _with_jump("log")),
    (sp.tan, _tangent),
)


# -- formulas ----------------------------------------------------------------------------------


_JudgeCompiler = Callable[[Numbers, Any], Judge]


def _relation(kind: Comparison) -> _JudgeCompiler:
    of_itself = kind(0, 0)

    def compiled(numbers: Numbers, formula: Any) -> Judge:
        left, right = (value_with(numbers, a) for a in formula.args)
        compare = numbers.compared

        def judge(at: Instance) -> bool | None:
            a, b = left(at), right(at)
            if a is b:  # one drawn value, whatever its digits
                return of_itself
            if type(a) is Fraction and type(b) is Fraction:
                return kind(a, b)
            return compare(kind, a, b, at.trusting)

        if not (isinstance(formula.lhs, sp.Rational) and isinstance(formula.rhs, sp.Symbol)):
            return judge
        constant, name = left(Instance({})), formula.rhs.name

        def exactly(at: Instance) -> bool | None:  # as in `0 <= j`, which guards say everywhere
            b = at.values[name]
            return kind(constant, b) if type(b) is Fraction else judge(at)

        return exactly

    return compiled


def _implication(numbers: Numbers, formula: Any) -> Judge:
    premise, conclusion = (judge_with(numbers, part) for part in formula.args)

    def judge(at: Instance) -> bool | None:
        given = premise(at)
        if given is False:
            return True
        found = conclusion(at)
        return None if given is None and not found else found

    return judge


def _joined(decisive: bool, judged: _JudgeCompiler | None = None) -> _JudgeCompiler:
    """A compiler for `and`, which one False part decides, or `or`, which one True part decides."""

    def compiled(numbers: Numbers, formula: Any) -> Judge:
        how = judged or judge_with
        parts = [numbers.part(how(numbers, part)) for part in formula.args]

        def judge(at: Instance) -> bool | None:
            doubt = False
            for part in parts:
                verdict = part(at)
                if verdict is decisive:
                    return decisive
                doubt = doubt or verdict is None
            return None if doubt else not decisive

        return judge

    return compiled


def _negation(numbers: Numbers, formula: Any) -> Judge:
    part = judge_with(numbers, formula.args[0])

    def judge(at: Instance) -> bool | None:
        verdict = part(at)
        return None if verdict is None else not verdict

    return judge


def _quantified(numbers: Numbers, formula: Any, *, wanted: bool = False) -> Judge:
    work, most_cases = numbers.work, numbers.most_cases

    def judge(at: Instance) -> bool | None:
        if work.depth == 0:
            work.cases = 0
        work.depth += 1
        try:
            return cases(at)
        finally:
            work.depth -= 1

    variables, body = formula.args
    universal = isinstance(formula, logic.Every)
    judged = judge_with(numbers, body)
    guards = guards_of(tuple(variables), body, universal, numbers.bound)
    asks_less = universal and guards.met and numbers.guards_hold
    inside = _inside(numbers, body, guards) if asks_less else judged
    named = [(symbol_name(v), bool(v.is_integer), _arity(v)) for v in variables]
    names = [name for name, _, _ in named]

    def cases(at: Instance) -> bool | None:
        known, exact = ranges_at(guards, at)
        finite = len(known) == len(named) or [] in known.values()
        ranges = [
            known[name] if name in known else at.samples(name, integer, arity)
            for name, integer, arity in named
        ]
        check = inside if exact else judged
        if not finite:
            check = numbers.part(check)
        if wanted and finite and prod(map(len, known.values())) > most_cases:
            raise TooLarge("a quantifier over too many cases")
        inner = at.open()
        values = inner.values
        before = {name: values[name] for name in names if name in values}
        doubt = False
        choices = product(*ranges)
        try:
            for choice in choices if finite else islice(choices, MAX_SAMPLES):
                work.cases += 1
                if work.cases > most_cases:
                    raise TooLarge("a quantifier over too many cases")
                values.update(zip(names, choice))  # noqa: B905  # the lengths are the same
                verdict = check(inner)
                if verdict is not None and verdict is not universal:
                    return verdict
                doubt = doubt or verdict is None
        finally:
            for name in names:
                values.pop(name, None)
            values.update(before)
        if doubt or not (finite or (universal and at.trusting)):
            return None
        return universal

    return judge


def _inside(numbers: Numbers, body: Any, guards: Guards) -> Judge:
    """The judge of a `for all`'s body without those parts of its guard that the ranges ensure."""
    rest = [part for part in conjuncts(body.args[0]) if part not in guards.met]
    left = logic.If(logic.Both(*rest), body.args[1]) if rest else body.args[1]
    return judge_with(numbers, left)


_JUDGES: tuple[tuple[Any, _JudgeCompiler], ...] = (
    (bool | sp.logic.boolalg.BooleanAtom, lambda _, f: lambda _: bool(f)),
    (sp.Eq, _relation(eq)),
    (sp.Ne, _relation(ne)),
    (sp.Le, _relation(le)),
    (sp.Lt, _relation(lt)),
    (sp.Ge | sp.Gt, lambda numbers, f: judge_with(numbers, f.reversed)),
    (logic.Both | sp.And, _joined(False)),
    (logic.Either | sp.Or, _joined(True)),
    (logic.Negation | sp.Not, _negation),
    (logic.If | sp.Implies, _implication),
    (logic.Every | logic.Some, _quantified),
)


def _arity(variable: Any) -> int:
    return 0 if isinstance(variable, sp.Symbol) else len(variable.args)
