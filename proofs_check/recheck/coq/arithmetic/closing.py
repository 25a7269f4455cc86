"""Scripts that close an arithmetical goal by splitting cases and naming products for `lra`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count
from time import process_time
from typing import Any

from quicktions import Fraction

from ropeproof.proofs_check.recheck.coq.arithmetic.cases import by_all_cases
from ropeproof.proofs_check.recheck.coq.arithmetic.certificate import (
    Search,
    SignFact,
    TooMuch,
    at_most,
    minus,
)
from ropeproof.proofs_check.recheck.coq.arithmetic.certificates import found_before
from ropeproof.proofs_check.recheck.coq.arithmetic.circles import round_circles
from ropeproof.proofs_check.recheck.coq.arithmetic.reduced import reduced
from ropeproof.proofs_check.recheck.coq.arithmetic.roots import of_squares

__all__ = ["LISTENERS", "UNSURE", "closing", "conjoined", "forget", "nested", "stated"]

_SIGNS = {"eq": "=", "ne": "<>", "le": "<=", "lt": "<"}
MOST_SPLITS = 5
SOME_PRODUCTS, MOST_PRODUCTS = 15_000, 80_000  # looked at in one search: seconds
REMEMBERED = 1000  # searches: a claim asks some of them again and again
UNSURE = "first [solve [quick] | arith]"
Shape = tuple[Any, ...]
Heard = Callable[[str, str | None, float | None], None]
LISTENERS: ContextVar[tuple[Heard, ...]] = ContextVar("listeners", default=())
"""Who hears of each question: its text, the script or None, and the seconds of a core that the search took.

The seconds are None where a certificate answers.
"""
_SAID: dict[str, tuple[str | None, str | None]] = {}


def stated(f: Shape, which: str = "text") -> str:
    """The formula as a Coq proposition about the unknowns."""
    kind = f[0]
    if kind in _SIGNS:
        return f"({getattr(f[1], which)} {_SIGNS[kind]} {getattr(f[2], which)})"
    if kind in ("and", "or"):
        if not f[1]:
            return "True" if kind == "and" else "False"
        return (
            "(" + (" /\\ " if kind == "and" else " \\/ ").join(stated(g, which) for g in f[1]) + ")"
        )
    if kind == "if":
        return f"({stated(f[1], which)} -> {stated(f[2], which)})"
    if kind == "not":
        return f"(~ {stated(f[1], which)})"
    if kind == "prop":
        return str(f[1])
    return "True" if kind == "true" else "False"


def closing(
    names: Sequence[str], defined: int, hypotheses: Sequence[Shape], goal: Shape, about: int = 0
) -> str:
    """A script for `forall names, definitions -> hypotheses -> goal`.

    The first `about` hypotheses define the unknowns.
    """
    given = [f"K{i}" for i in range(len(hypotheses))]
    definitions = [f"D{i}" for i in range(defined)]
    start = " ".join([*names, *definitions, *given])
    head = (f"intros {start}; " if start else "") + "".join(f"subst_by {d}; " for d in definitions)
    if goal[0] == "eq" and goal[1].poly is not None and goal[1].poly == goal[2].poly:
        return f"{head}same_polynomial"
    known = list(zip(given, hypotheses, strict=True))
    asked = repr((known, goal, about))
    if asked not in _SAID:
        turned = round_circles(known, goal)
        _SAID[asked] = (turned, None if turned else _looked_up(known, goal, about))
        if len(_SAID) > REMEMBERED:
            del _SAID[next(iter(_SAID))]
    turned, found = _SAID[asked]
    if turned:
        return f"{head}first [solve [{turned}] | arith]"
    if found:
        return f"{head}first [solve [quick] | (push_IZR; {found}) | arith]"
    cases = by_all_cases(hypotheses, goal)
    if goal[0] in ("le", "lt") and goal[1].poly == {}:
        cases = f"{_SIGN_OF_PARTS} | {cases}" if cases else _SIGN_OF_PARTS
    if goal[0] == "ne" and goal[2].poly == {}:
        cases = f"{_NO_PART_IS_0} | {cases}" if cases else _NO_PART_IS_0
    return f"{head}first [solve [{cases}] | {UNSURE}]" if cases else f"{head}{UNSURE}"


def forget() -> None:
    """Ask each question again that was asked before in this process."""
    _SAID.clear()


_SIGN_OF_PARTS = (
    "push_IZR; repeat first [assumption | match goal with "
    "|- 0 < _ * _ => apply Rmult_lt_0_compat | |- 0 <= _ * _ => apply Rmult_le_pos | "
    "|- 0 < _ ^ _ => apply pow_lt | |- 0 <= _ ^ 2 => apply pow2_ge_0 | "
    "|- 0 <= _ ^ _ => apply pow_le | |- 0 <= _ + _ => apply Rplus_le_le_0_compat end | lra]"
)
"""A script for the sign of a product or a sum from the signs of its parts."""


_NO_PART_IS_0 = (
    "push_IZR; repeat first [assumption | match goal with "
    "|- _ * _ <> 0 => apply Rmult_integral_contrapositive_currified | "
    "|- _ ^ _ <> 0 => apply pow_nonzero end | lra]"
)
"""A script for a product that is nonzero because all of its parts are."""


def _looked_up(hyps: list[tuple[str, Shape]], goal: Shape, about: int) -> str | None:
    """The script of the question's certificate, or what a search finds."""
    question = _question(hyps, goal, about)
    known, script = found_before(question)
    began = process_time()
    if not known:
        script = _found(hyps, goal, about)
    for heard in LISTENERS.get():
        heard(question, script, None if known else process_time() - began)
    return script


def _question(hyps: list[tuple[str, Shape]], goal: Shape, about: int) -> str:
    """All that a search depends on, as one text."""
    lines = [f"{name}: {stated(f)}; {stated(f, 'inner')}; {_integers(f)}" for name, f in hyps]
    return "\n".join(
        [str(about), *lines, f"{stated(goal)}; {stated(goal, 'inner')}; {_integers(goal)}"]
    )


def _integers(f: Shape) -> str:
    """Which sides of the formula's comparisons are integers, and as which."""
    if f[0] in _SIGNS:
        return f"{f[1].whole} {f[2].whole}"
    if f[0] in ("and", "or"):
        return ", ".join(map(_integers, f[1]))
    if f[0] in ("if", "not"):
        return ", ".join(map(_integers, f[1:]))
    return ""


def _found(hyps: list[tuple[str, Shape]], goal: Shape, about: int) -> str | None:
    """A script found by search; cheap searches with fewer hypotheses come before a long one."""
    plain = [h for h in hyps[:about] if h[1][0] != "or"]
    with suppress(TooMuch), at_most(SOME_PRODUCTS):
        return _Closing(count()).prove(hyps, goal)
    for known in (hyps[about:], [*plain, *hyps[about:]]):
        with suppress(TooMuch), at_most(SOME_PRODUCTS):
            found = _Closing(count(), at_once=True).prove(known, goal)
            if found:
                return found
    with suppress(TooMuch), at_most(MOST_PRODUCTS):
        return _Closing(count()).prove(hyps, goal)
    return None


@dataclass
class _Closing:
    """A builder of one script; cases are split `at_once`, or only where nothing else is found."""

    counter: Iterator[int] = field(default_factory=count)
    at_once: bool = False

    def fresh(self) -> str:
        return f"N{next(self.counter)}"

    def prove(self, hyps: list[tuple[str, Shape]], goal: Shape, splits: int = 0) -> str | None:
        """A script for the goal in a context of the given hypotheses, or None."""
        kind = goal[0]
        if kind == "and":
            parts = [self.prove(hyps, g, splits) for g in goal[1]]
            return None if None in parts or not parts else conjoined(parts)  # type: ignore[arg-type]
        if kind == "if":
            name = self.fresh()
            inner = self.prove([*hyps, (name, goal[1])], goal[2], splits)
            return f"intro {name}; {inner}" if inner else None
        if kind == "eq":
            parts = [self.prove(hyps, ("le", *pair), splits) for pair in (goal[1:], goal[:0:-1])]
            return None if None in parts else f"apply Rle_antisym; [{parts[0]} | {parts[1]}]"
        name = self.fresh()
        if kind in ("le", "lt"):
            negated = ("lt" if kind == "le" else "le", goal[2], goal[1])
            inner = self.refute([*hyps, (name, negated)], splits)
            lemma = "Rnot_lt_le" if kind == "le" else "Rnot_le_lt"
            return f"apply {lemma}; intro {name}; {inner}" if inner else None
        if kind == "ne":
            inner = self.refute([*hyps, (name, ("eq", goal[1], goal[2]))], splits)
            return f"intro {name}; {inner}" if inner else None
        if kind == "not":
            inner = self.refute([*hyps, (name, goal[1])], splits)
            return f"intro {name}; {inner}" if inner else None
        if kind == "or" and all(g[0] in ("le", "lt") for g in goal[1]):
            first, rest = goal[1][0], goal[1][1:]
            if not rest:
                return self.prove(hyps, first, splits)
            other = ("lt" if first[0] == "le" else "le", first[2], first[1])
            following = rest[0] if len(rest) == 1 else ("or", rest)
            inner = self.prove([*hyps, (name, other)], following, splits)
            lemma = "Rle_or_lt" if first[0] == "le" else "Rlt_or_le"
            a, b = first[1].inner, first[2].inner
            return (
                f"destruct ({lemma} {a} {b}) as [{name} | {name}]; [left; exact {name} | right; {inner}]"
                if inner
                else None
            )
        if kind == "prop":
            return self._unless(hyps, goal, splits)
        if kind == "false":
            return self.refute(hyps, splits)
        return None

    def _unless(self, hyps: list[tuple[str, Shape]], goal: Shape, splits: int) -> str | None:
        """A script for a non-arithmetical goal, by cases whether a premise that implies it holds."""
        for name, f in hyps:
            if f[0] != "if" or f[2] != goal or f[1][0] not in ("le", "lt"):
                continue
            made, g = self.fresh(), f[1]
            other = ("lt" if g[0] == "le" else "le", g[2], g[1])
            rest = [h for h in hyps if h[0] != name]
            inner = self._unless([*rest, (made, other)], goal, splits)
            lemma = "Rle_or_lt" if g[0] == "le" else "Rlt_or_le"
            cases = f"destruct ({lemma} {g[1].inner} {g[2].inner}) as [{made} | {made}]"
            return f"{cases}; [exact ({name} {made}) | {inner}]" if inner else None
        return self.refute(hyps, splits)

    def refute(self, hyps: list[tuple[str, Shape]], splits: int) -> str | None:
        """A script that derives a contradiction from the hypotheses, or None."""
        script, facts, waiting, ors, unequal = "", [], [], [], []
        todo = list(hyps)
        while todo:
            name, f = todo.pop(0)
            kind = f[0]
            if kind == "fact":
                facts.append(f[1])
            elif kind in ("eq", "le", "lt"):
                facts += self._fact(f)
                line = self._tight(name, f)
                if line:
                    fact, text = line
                    script += text
                    facts.append(fact)
            elif kind == "and" and f[1]:
                names = [self.fresh() for _ in f[1]]
                script += f"destruct {name} as {nested(names)}; "
                todo += list(zip(names, f[1], strict=True))
            elif kind == "or":
                ors.append((name, f))
            elif kind == "ne":
                unequal.append((name, f))
            elif kind == "if":
                waiting.append((name, f))
        for name, f in waiting:
            premise = self._shown(facts, unequal, f[1])
            if premise is not None:
                rest = [w for w in waiting if w[0] != name]
                made = self.fresh()
                script += f"assert ({made} : {stated(f[1], 'inner')}) by ({premise}); "
                script += f"specialize ({name} {made}); "
                inner = self.refute_more(facts, ors, unequal, rest, [(name, f[2])], splits)
                return f"{script}{inner}" if inner else None
        wait = self.at_once and bool(ors) and splits < MOST_SPLITS
        found = Search(facts).script((1, 2)) if wait else Search(facts).script() or reduced(facts)
        if found:
            return script + found
        for name, f in waiting if splits < 2 else ():
            made = self.fresh()
            known = [("", ("fact", k)) for k in facts]
            premise = self.prove(known, f[1], MOST_SPLITS) if f[1][0] in ("le", "lt") else None
            if premise is None and f[1][0] == "le":
                below, above = f[1][1].poly, f[1][2].poly
                squares = below is not None and above is not None and minus(above, below)
                premise = "nra" if squares and of_squares(squares) else None
            if premise is not None:
                rest = [w for w in waiting if w[0] != name]
                script += f"assert ({made} : {stated(f[1], 'inner')}) by ({premise}); "
                script += f"specialize ({name} {made}); "
                inner = self.refute_more(facts, ors, unequal, rest, [(name, f[2])], splits)
                return f"{script}{inner}" if inner else None
        if splits >= MOST_SPLITS:
            return None
        found = self._by_cases(facts, ors, unequal, waiting, splits)
        return script + found if found else None

    def _by_cases(
        self, facts: list[SignFact], ors: Any, unequal: Any, waiting: Any, splits: int
    ) -> str | None:
        """A script that refutes the hypotheses by splitting the cases of one of them, or None."""
        for name, f in ors:
            rest = [x for x in ors if x[0] != name]
            branches = [
                self.refute_more(facts, rest, unequal, waiting, [(name, g)], splits + 1)
                for g in f[1]
            ]
            if None in branches:
                return None
            pattern = name
            for _ in f[1][1:]:
                pattern = f"[{name} | {pattern}]"
            return f"destruct {name} as {pattern}; [{' | '.join(branches)}]"  # type: ignore[arg-type]
        for name, f in waiting:
            g = f[1]
            if g[0] not in ("le", "lt"):
                continue
            rest = [x for x in waiting if x[0] != name]
            made = self.fresh()
            other = ("lt" if g[0] == "le" else "le", g[2], g[1])
            yes = self.refute_more(facts, ors, unequal, rest, [(made, g), (name, f[2])], splits + 1)
            no = (
                self.refute_more(facts, ors, unequal, rest, [(made, other)], splits + 1)
                if yes
                else None
            )
            if not yes or not no:
                return None
            lemma = "Rle_or_lt" if g[0] == "le" else "Rlt_or_le"
            return (
                f"destruct ({lemma} {g[1].inner} {g[2].inner}) as [{made} | {made}]; "
                f"[specialize ({name} {made}); {yes} | {no}]"
            )
        for name, f in unequal:
            rest = [x for x in unequal if x[0] != name]
            branches = [
                self.refute_more(facts, ors, rest, waiting, [(name, ("lt", a, b))], splits + 1)
                for a, b in (f[1:], f[:0:-1])
            ]
            if None in branches:
                return None
            apart = f"apply Rdichotomy in {name}; destruct {name} as [{name} | {name}]"
            return f"{apart}; [{' | '.join(branches)}]"  # type: ignore[arg-type]
        return None

    def refute_more(
        self, facts: list[SignFact], ors: Any, unequal: Any, waiting: Any, more: Any, splits: int
    ) -> str | None:
        known = [("", ("fact", f)) for f in facts]
        return self.refute([*known, *more, *ors, *unequal, *waiting], splits)

    def _shown(self, facts: list[SignFact], unequal: Any, f: Shape) -> str | None:
        """A script for a premise that follows directly from the facts, or None."""
        parts = f[1] if f[0] == "and" else (f,)
        lines = []
        for g in parts:
            if g[0] in ("le", "lt", "eq"):
                pairs = [(g[1], g[2])] if g[0] != "eq" else [(g[1], g[2]), (g[2], g[1])]
                for a, b in pairs:
                    difference = self._difference("lt" if g[0] in ("le", "eq") else "le", b, a)
                    if difference is None or Search([*facts, difference]).script((1,)) is None:
                        return None
                lines.append("lra")
            elif g[0] == "ne":
                if any(u[1] == g for u in unequal):
                    lines.append("assumption")
                    continue
                strict = False
                for a, b, lemma in ((g[1], g[2], "Rlt_not_eq"), (g[2], g[1], "Rgt_not_eq")):
                    difference = self._difference("le", b, a)
                    if (
                        difference is not None
                        and Search([*facts, difference]).script((1,)) == "lra"
                    ):
                        lines.append(f"apply {lemma}; lra")
                        strict = True
                        break
                if not strict:
                    return None
            else:
                return None
        return conjoined(lines) if lines else "exact I"

    def _difference(self, kind: str, a: Any, b: Any) -> SignFact | None:
        if a.poly is None or b.poly is None:
            return None
        return SignFact.of(kind, minus(b.poly, a.poly), f"({b.inner}) - ({a.inner})")

    def _fact(self, f: Shape) -> list[SignFact]:
        fact = self._difference(f[0], f[1], f[2])
        return [fact] if fact else []

    def _tight(self, name: str, f: Shape) -> tuple[SignFact, str] | None:
        """Strengthen a < b between integers to a + 1 <= b: the fact and its script, or None."""
        a, b = f[1:]
        if f[0] != "lt" or not a.whole or not b.whole or a.poly is None or b.poly is None:
            return None
        made = self.fresh()
        text = f"({b.inner}) - ({a.inner}) - 1"
        poly = minus(minus(b.poly, a.poly), {(): Fraction(1)})
        script = f"assert ({made} : 0 <= {text}) by (tight {name} {a.whole} {b.whole}); "
        return SignFact.of("le", poly, text), script


def conjoined(parts: Sequence[str]) -> str:
    r"""A script for A /\ (B /\ ...) from scripts for the parts; /\ associates to the right."""
    if len(parts) == 1:
        return parts[0]
    return f"split; [{parts[0]} | {conjoined(parts[1:])}]"


def nested(names: Sequence[str]) -> str:
    r"""The introduction pattern that splits A /\ (B /\ ...)."""
    result = names[-1]
    for name in reversed(names[:-1]):
        result = f"[{name} {result}]"
    return result
