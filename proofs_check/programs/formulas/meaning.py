"""What each element of a program is, as an exact formula of the unknowns.

Number types do not change what an element is: a cast to a floating type is the identity, and a float
constant is the rational number that it is. Integers must stay in the range of their type.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from quicktions import Fraction

from ropeproof.proofs_check.programs.formulas import forms
from ropeproof.proofs_check.programs.formulas.enclosing import enclose
from ropeproof.proofs_check.programs.formulas.forms import ONE, ZERO, ExactForm, atom, constant
from ropeproof.proofs_check.programs.record.graph import ELEMENT_BITS, Node, Program, SourcePlace
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.precision import precision

__all__ = ["Bounds", "FormCondition", "NoMeaning", "ProgramMeaning", "Row"]

_DEEP = 20_000
_MASK = (1 << ELEMENT_BITS) - 1


class NoMeaning(Unsupported):
    """An operation stops the proof; `place` is where it is in the user's file."""

    def __init__(self, told: str, place: SourcePlace | None) -> None:
        super().__init__(told if place is None else f"{told}, at {place}")
        self.told, self.place = told, place


class Row(NamedTuple):
    """The element `offset + step * index` of a node, `index` an integer form in `[0, size)`."""

    offset: int
    step: int
    index: ExactForm  # type: ignore[assignment]  # in the place of tuple.index
    size: int


Where = int | Row


@dataclass(frozen=True)
class FormCondition:
    """A relation `lt`, `le`, `eq` or `ne` between two forms, or one that is `wrong`, its negation."""

    relation: str
    left: ExactForm
    right: ExactForm
    wrong: bool = False


@dataclass
class Bounds:
    """The range in which integer inputs lie: `lowest <= n <= highest` for all their elements."""

    lowest: int
    highest: int

    def of(self, form: ExactForm) -> tuple[Fraction, Fraction] | None:
        """The least and the largest value of an affine form of the integer inputs; None for others."""
        low = high = Fraction(0)
        for mono, c in form.terms.items():
            if not mono:
                low, high = low + c, high + c
                continue
            if len(mono) > 1 or mono[0][1] != 1:
                return None
            ends = self._atom(mono[0][0])
            if ends is None:
                return None
            pair = sorted((c * ends[0], c * ends[1]))
            low, high = low + pair[0], high + pair[1]
        return low, high

    def _atom(self, one: Any) -> tuple[Fraction, Fraction] | None:
        if one[0] == "n":
            return Fraction(self.lowest), Fraction(self.highest)
        if one[0] == "mod":
            return Fraction(0), one[2] - 1
        if one[0] == "f" and one[1] in ("max", "min"):
            ends = [self.of(f) for f in one[2]]
            known = [e for e in ends if e is not None]
            if len(known) == len(ends):
                pick = max if one[1] == "max" else min
                return pick(e[0] for e in known), pick(e[1] for e in known)
        return None


@dataclass
class ProgramMeaning:
    """Evaluates elements of a program; `bounds` is the range of integer inputs.

    `rows` collects, for each table that is looked up, the index forms and the number of rows;
    `run`, if it is not 0, says that positions are runs of so many, p, p + 1, ...;
    `shift` is added to every integer input.
    `conditions` the comparisons that were decided from `bounds`. `how` says of each element `(node,
    where)` which operation made it of which elements; `same` if it is one of them.
    """

    program: Program
    bounds: Bounds
    rows: list[tuple[ExactForm, int]] = field(default_factory=list)
    conditions: list[FormCondition] = field(default_factory=list)
    run: int = 0
    shift: ExactForm = ZERO
    how: dict[Any, tuple[str, tuple[Any, ...]]] = field(default_factory=dict)
    _memory: dict[Any, Any] = field(default_factory=dict)

    def output(self, number: int) -> Iterator[ExactForm]:
        """The formulas of all elements of a node, flat."""
        with _deep():
            for element in range(self.program.nodes[number].count):
                yield self.real(number, element)

    def real(self, number: int, where: Where) -> ExactForm:
        """The formula of a real number or an integer."""
        found = self.value(number, where)
        if not isinstance(found, ExactForm):
            told = "a truth value that depends on the arguments"
            raise NoMeaning(told, self.program.nodes[number].place)
        return found

    def value(self, number: int, where: Where) -> ExactForm | FormCondition:
        """The formula of an element; of a truth value 0, 1 or a condition.

        Raises `NoMeaning`, naming the operation and its place.
        """
        key = (number, where)
        found = self._memory.get(key)
        if found is None:
            node = self.program.nodes[number]
            try:
                found = self._new(number, node, where)
            except NoMeaning:
                raise
            except Unsupported as error:
                raise NoMeaning(str(error), node.place) from error
            self._memory[key] = found
        return found

    def _new(self, number: int, node: Node, where: Where) -> ExactForm | FormCondition:
        op = node.op
        key = (number, where)
        if op == "gather":
            source = self._followed(node, where)
            self.how[key] = ("same", (source,))
            return self.value(*source)
        if op == "input":
            return self._input(node, where)
        if op == "constant":
            return self._constant(number, node, where)
        if op == "take":
            return self._take(number, node, where)
        if op in ("sum", "dot", "max", "min"):
            return self._reduction(number, node, where)
        if op in ("unknown", "empty"):
            told = "memory that nothing was written to" if op == "empty" else node.name
            raise Unsupported(told)
        given = [self.value(i, where) for i in node.inputs]
        found = self._checked(node, self._elementwise(node, given))
        own = tuple((i, where) for i in node.inputs)
        self.how[key] = (op, own)
        if op in ("cast", "where", "maximum", "minimum", "abs", "floor", "ceil", "trunc", "round"):
            for part, value in zip(own[op == "where" :], given[op == "where" :], strict=True):
                if value == found:
                    self.how[key] = ("same", (part,))
                    break
        return found

    # -- where elements are -------------------------------------------------------

    def _followed(self, node: Node, where: Where) -> tuple[int, Where]:
        assert node.handles is not None
        flat = node.handles.ravel()
        if isinstance(where, int):
            handle = int(flat[where])
            return handle >> ELEMENT_BITS, handle & _MASK
        taken = flat[where.offset + where.step * np.arange(where.size)]
        first = int(taken[0])
        step = int(taken[1]) - first if where.size > 1 else 0
        last = first + step * (where.size - 1)
        if first >> ELEMENT_BITS != last >> ELEMENT_BITS or not np.array_equal(
            taken, first + step * np.arange(where.size)
        ):
            raise Unsupported("a table whose rows are not made alike")
        return first >> ELEMENT_BITS, Row(first & _MASK, step, where.index, where.size)

    def _input(self, node: Node, where: Where) -> ExactForm:
        if not isinstance(where, int):
            raise Unsupported("an argument that is looked up by the other")
        kind = "v" if node.dtype.startswith(("float", "bfloat")) else "n"
        if node.dtype == "bool":
            raise Unsupported("an argument of truth values")
        if kind == "n" and self.run:
            return atom((kind, node.name, 0)) + constant(where % self.run)
        one = atom((kind, node.name, where))
        return one + self.shift if kind == "n" else one

    def _constant(self, number: int, node: Node, where: Where) -> ExactForm:
        assert node.values is not None
        flat = node.values.ravel()
        if isinstance(where, int):
            return constant(_exact(flat[where]))
        taken = flat[where.offset + where.step * np.arange(where.size)]
        first = _exact(taken[0])
        step = _exact(taken[1]) - first if where.size > 1 else Fraction(0)
        # Exactly in steps: float64 would hide what it rounds, so only small whole numbers count.
        whole = taken.astype(np.float64)
        small = bool(np.all(np.abs(whole) < 2**52)) and bool(np.all(whole == np.rint(whole)))
        if not np.any(taken != taken[0]):
            return constant(first)
        if small and step.denominator == 1:
            line = int(first) + int(step) * np.arange(where.size)
            if np.array_equal(whole, line.astype(np.float64)):
                return constant(first) + where.index.times(step)
        table = (number, where.offset, where.step, where.size)
        return atom(("row", table, where.index))

    def _take(self, number: int, node: Node, where: Where) -> ExactForm | FormCondition:
        assert node.offset is not None
        data, chosen = node.inputs
        index = self.real(chosen, where)
        offset, slope = node.offset.ravel(), 0
        if isinstance(where, int):
            start = int(offset[where])
        else:
            taken = offset[where.offset + where.step * np.arange(where.size)]
            start = int(taken[0])
            slope = int(taken[1]) - start if where.size > 1 else 0
            if not np.array_equal(taken, start + slope * np.arange(where.size)):
                raise Unsupported("a table whose rows are not made alike")
        known = index.rational()
        if known is not None and not slope:
            row = int(known)
            row += node.size if row < 0 and node.wraps else 0
            if not 0 <= row < node.size:
                raise Unsupported(f"row {row} of a table of {node.size} rows")
            self.how[number, where] = ("same", ((data, start + node.step * row),))
            return self.value(data, start + node.step * row)
        if not index.is_integer():
            raise Unsupported("an index that is no integer by its formula")
        self.rows.append((index, node.size))
        if not slope:
            there = Row(start, node.step, index, node.size)
            self.how[number, where] = ("same", ((data, there),))
            return self.value(data, there)
        raise Unsupported("a table of tables")

    def _reduction(self, number: int, node: Node, where: Where) -> ExactForm:
        width = self.program.nodes[node.inputs[0]].shape[-1]

        def inner(k: int) -> Where:
            if isinstance(where, int):
                return where * width + k
            return Row(where.offset * width + k, where.step * width, where.index, where.size)

        keys = [[(i, inner(k)) for i in node.inputs] for k in range(width)]
        parts = [[self.value(*key) for key in own] for own in keys]
        self.how[number, where] = (node.op, tuple(key for own in keys for key in own))
        if node.op in ("max", "min"):
            return self._extreme(node.op, [self._plain(p[0]) for p in parts])
        total = ZERO
        for part in parts:
            own = [self._plain(p) for p in part]
            total = total + (own[0] if node.op == "sum" else own[0] * own[1])
        checked = self._checked(node, total)
        assert isinstance(checked, ExactForm)
        return checked

    def _extreme(self, op: str, given: list[ExactForm]) -> ExactForm:
        if not given:
            raise Unsupported("the largest of no numbers")
        kept = list(dict.fromkeys(given))
        best = kept[0]
        for other in kept[1:]:
            smaller = self._decided(FormCondition("le", other, best))
            if smaller is None:
                return forms.apply(op, *sorted(kept, key=repr))
            best = best if smaller == (op == "max") else other
        return best

    def _plain(self, value: ExactForm | FormCondition) -> ExactForm:
        if isinstance(value, FormCondition):
            raise Unsupported("a truth value that depends on the arguments")
        return value

    # -- conditions ---------------------------------------------------------------

    def _decided(self, condition: FormCondition) -> bool | None:
        """Whether a condition holds; None where that is not certain, or depends on the arguments."""
        found = self._relation(condition)
        return None if found is None else found != condition.wrong

    def _relation(self, condition: FormCondition) -> bool | None:
        difference = condition.left - condition.right
        number = difference.rational()
        if number is not None:
            return _compared(condition.relation, number, number)
        if difference.is_constant() and not any(a[0] == "row" for a in difference.atoms()):
            with precision(512):
                ball = enclose(difference, {})
                if ball.is_finite() and not ball.contains(0):
                    sign = Fraction(1 if ball > 0 else -1)
                    return _compared(condition.relation, sign, sign)
            return None
        ends = self.bounds.of(difference)
        if ends is None:
            return None
        found = _compared(condition.relation, *ends)
        if found is not None:
            self.conditions.append(condition)
        return found

    # -- element by element -------------------------------------------------------

    def _elementwise(
        self, node: Node, given: list[ExactForm | FormCondition]
    ) -> ExactForm | FormCondition:
        op = node.op
        if op in ("lt", "le", "eq", "ne"):
            return self._truth(FormCondition(op, self._plain(given[0]), self._plain(given[1])))
        if op == "not":
            own = given[0]
            if isinstance(own, FormCondition):
                return FormCondition(own.relation, own.left, own.right, not own.wrong)
            return ONE - own
        if op == "where":
            condition, first, second = given
            if isinstance(condition, FormCondition):
                if first == second:
                    return first
                raise Unsupported("a choice by a condition on the arguments")
            return first if condition == ONE else second
        if op in ("and", "or"):
            return self._joined(op, given)
        if op == "cast":
            return self._cast(node, given[0])
        return self._arithmetic(op, [self._plain(g) for g in given])

    def _truth(self, condition: FormCondition) -> ExactForm | FormCondition:
        found = self._decided(condition)
        if found is None:
            return condition
        return ONE if found else ZERO

    def _joined(self, op: str, given: list[ExactForm | FormCondition]) -> ExactForm | FormCondition:
        strong = ZERO if op == "and" else ONE
        if strong in given:
            return strong
        left = [g for g in given if isinstance(g, FormCondition)]
        if len(left) == 2 and left[0] != left[1]:
            raise Unsupported("two conditions on the arguments")
        return left[0] if left else given[0]

    def _cast(self, node: Node, given: ExactForm | FormCondition) -> ExactForm | FormCondition:
        if node.dtype == "bool":
            if isinstance(given, FormCondition):
                return given
            return self._truth(FormCondition("ne", given, ZERO))
        own = self._plain(given)
        if node.dtype in _WHOLE and not own.is_constant() and own.is_integer():
            ends = self.bounds.of(own)
            if ends is None or max(abs(ends[0]), abs(ends[1])) > _WHOLE[node.dtype]:
                told = f"integers above {_WHOLE[node.dtype]}, which {node.dtype} rounds"
                raise Unsupported(told)
        if node.dtype.startswith(("float", "bfloat")) or own.is_integer():
            return own
        number = own.rational()
        if number is not None:
            return constant(int(number))
        raise Unsupported(f"a cast to {node.dtype} of what is no integer by its formula")

    def _arithmetic(self, op: str, given: list[ExactForm]) -> ExactForm:
        a = given[0]
        if op == "add":
            return a + given[1]
        if op == "sub":
            return a - given[1]
        if op == "mul":
            return a * given[1]
        if op == "neg":
            return -a
        if op == "div":
            self._not_zero(given[1])
            return forms.divided(a, given[1])
        if op == "pow":
            self._power_exists(a, given[1])
            return forms.power(a, given[1])
        if op in ("maximum", "minimum"):
            return self._extreme(op[:3], given)
        if op in ("mod", "floordiv", "fmod"):
            self._not_zero(given[1])
        if op in ("mod", "floordiv"):
            return _whole_division(op, a, given[1])
        if op in _POSITIVE:
            self._positive(op, a + ONE if op == "log1p" else a)
        if op == "tan":
            self._not_zero(forms.cosine(a))
        if op in ("exp", "expm1", "exp2"):
            self._moderate(op, a)
        if op in _FUNCTIONS:
            value: ExactForm = _FUNCTIONS[op](a)
            return value
        if op == "atan2":
            return self._angle(a, given[1])
        if op == "abs":
            for relation, sign in (("le", 1), ("lt", -1)):
                if self._decided(FormCondition(relation, ZERO, a.times(Fraction(sign)))):
                    return a.times(Fraction(sign))
        if op in ("floor", "ceil", "trunc", "round"):
            return _rounded(op, a)
        return forms.apply(op, *given)

    # -- where operations have a value --------------------------------------------
    # A term that is nowhere defined may cancel, and the formula is right where the code gives no number:
    # each operation that is carried out must have a value for all arguments.

    def _sign(self, form: ExactForm) -> int | None:
        """1 or -1 where a form is positive, or negative, for all arguments; None if that is not certain."""
        ends = self.bounds.of(form)
        if ends is not None:
            return 1 if ends[0] > 0 else -1 if ends[1] < 0 else None
        if form.is_constant() and not any(a[0] == "row" for a in form.atoms()):
            with precision(512):
                ball = enclose(form, {})
                if ball.is_finite() and not ball.contains(0):
                    return 1 if ball > 0 else -1
        return None

    def _not_zero(self, form: ExactForm) -> None:
        if self._sign(form) is None:
            raise Unsupported("a division by what may be 0")

    def _positive(self, op: str, form: ExactForm) -> None:
        if op == "sqrt" and form.rational() == 0:
            return
        if self._sign(form) != 1:
            raise Unsupported(f"{op} of what may be 0 or negative")

    def _power_exists(self, base: ExactForm, exponent: ExactForm) -> None:
        number = exponent.rational()
        if number is not None and number.denominator == 1 and number >= 0:
            return
        if number is not None and number.denominator == 1:
            self._not_zero(base)
            return
        if number is not None and number > 0 and base.rational() == 0:
            return
        self._positive("a power", base)
        if number is None:
            with precision(128):
                scale = abs(enclose(base, {}).log()) if base.is_constant() else None
            self._moderate("a power", exponent, 1.0 if scale is None else float(scale.upper()))

    def _moderate(self, op: str, form: ExactForm, scale: float = 1.0) -> None:
        """The exponent must stay so small that no float32 overflows."""
        if form.is_constant() and not any(a[0] == "row" for a in form.atoms()):
            with precision(128):
                size = abs(enclose(form, {}))
                if size.is_finite() and float(size.upper()) * scale < _EXPONENT:
                    return
        ends = self.bounds.of(form)
        if ends is None or max(abs(ends[0]), abs(ends[1])) * Fraction(scale) > _EXPONENT:
            raise Unsupported(f"{op} with an exponent that may be large")

    def _size(self, node: Node, found: ExactForm) -> None:
        """A multiple of a vector's entry must be one that no number type loses on the way."""
        if not node.depends or not node.dtype.startswith(("float", "bfloat")):
            return
        for mono, c in found.terms.items():
            low, high = _MODERATE if any(a[0] == "v" for a, _ in mono) else _POSITIONS
            if any(a[0] == "n" for a, _ in mono) and not low <= abs(c) <= high:
                raise Unsupported(f"positions times {float(c):.3g}, which may leave a type's range")
            if any(a[0] == "v" for a, _ in mono) and not low <= abs(c) <= high:
                told = f"an entry of the vector times {float(c):.3g}, which may leave the range of a type"
                raise Unsupported(told)

    def _angle(self, s: ExactForm, c: ExactForm) -> ExactForm:
        """The angle of a point of which both coordinates are known as a positive number times a turn's."""
        if len(s.terms) == 1 and len(c.terms) == 1:
            ((ms, cs),), ((mc, cc),) = s.terms.items(), c.terms.items()
            sines = [a for a, _ in ms if a[0] == "sin"]
            cosines = [a for a, _ in mc if a[0] == "cos"]
            rest_s = tuple(p for p in ms if p[0][0] != "sin")
            rest_c = tuple(p for p in mc if p[0][0] != "cos")
            same = len(sines) == len(cosines) == 1 and sines[0][1] == cosines[0][1]
            plain = all(p[0][0] in ("b", "e", "pi") for p in rest_c)
            if same and plain and rest_s == rest_c and abs(cs) == cc:
                return atom(("arg", sines[0][1].times(Fraction(1 if cs > 0 else -1))))
        raise Unsupported("the angle of a point (atan2)")

    def _checked(self, node: Node, found: ExactForm | FormCondition) -> ExactForm | FormCondition:
        """The value, if an integer stays in the range of its type and a multiple of a vector moderate."""
        if isinstance(found, ExactForm):
            self._size(node, found)
        if isinstance(found, FormCondition) or node.dtype not in _RANGES or not node.depends:
            return found
        low, high = _RANGES[node.dtype]
        ends = self.bounds.of(found)
        if ends is None or ends[0] < low or ends[1] > high:
            raise Unsupported(f"an integer that may leave the range of {node.dtype}")
        return found


_POSITIVE = frozenset({"sqrt", "log", "log2", "log10", "log1p"})
_EXPONENT = 80
_POSITIONS = (Fraction(1, 2**80), Fraction(2**80))
_MODERATE = (Fraction(1, 2**12), Fraction(2**12))

_WHOLE = {"bfloat16": 2**8, "float16": 2**11, "float32": 2**24, "float64": 2**53}
"""Integers up to these are numbers of the types."""

_RANGES: Mapping[str, tuple[int, int]] = {
    **{f"int{n}": (-(2 ** (n - 1)), 2 ** (n - 1) - 1) for n in (8, 16, 32, 64)},
    **{f"uint{n}": (0, 2**n - 1) for n in (8, 16, 32, 64)},
}


def _exact(number: Any) -> Fraction:
    plain = number.item()
    if isinstance(plain, float) and not np.isfinite(plain):
        raise Unsupported(f"the number {plain}")
    return Fraction(plain)


def _compared(relation: str, low: Fraction, high: Fraction) -> bool | None:
    """Whether the relation to 0 holds for all values from `low` to `high`; None if only for some."""
    if relation == "lt":
        return True if high < 0 else False if low >= 0 else None
    if relation == "le":
        return True if high <= 0 else False if low > 0 else None
    apart: bool = low > 0 or high < 0
    equal: bool = low == high == 0
    if not apart and not equal:
        return None
    return equal if relation == "eq" else apart


def _whole_division(op: str, a: ExactForm, b: ExactForm) -> ExactForm:
    divisor = b.rational()
    if divisor is None or divisor == 0:
        return forms.apply(op, a, b)
    remainder = forms.modulo(a, divisor)
    if any(x[0] == "f" for x in remainder.atoms()):
        return forms.apply(op, a, b)
    return remainder if op == "mod" else (a - remainder).times(1 / divisor)


def _rounded(op: str, a: ExactForm) -> ExactForm:
    number = a.rational()
    if number is not None:
        whole = {"floor": number.__floor__, "ceil": number.__ceil__, "trunc": number.__trunc__}
        return constant(whole[op]() if op in whole else round(number))
    if a.is_integer():
        return a
    scale = 1
    for c in a.terms.values():
        scale = int(np.lcm(scale, c.denominator)) if c.denominator < 2**31 else 0
        if not scale or scale > 2**31:
            return forms.apply(op, a)
    whole_form = a.times(Fraction(scale))
    if op == "floor" and whole_form.is_integer():
        return _whole_division("floordiv", whole_form, constant(scale))
    return forms.apply(op, a)


def _tangent(a: ExactForm) -> ExactForm:
    return forms.divided(forms.sine(a), forms.cosine(a))


def _base_log(base: int) -> Any:
    return lambda a: forms.divided(forms.logarithm(a), forms.logarithm(constant(base)))


_FUNCTIONS: Mapping[str, Any] = {
    "cos": forms.cosine,
    "sin": forms.sine,
    "tan": _tangent,
    "exp": forms.exponential,
    "expm1": lambda a: forms.exponential(a) - ONE,
    "exp2": lambda a: forms.power(constant(2), a),
    "log": forms.logarithm,
    "log1p": lambda a: forms.logarithm(a + ONE),
    "log2": _base_log(2),
    "log10": _base_log(10),
    "sqrt": lambda a: forms.power(a, constant(Fraction(1, 2))),
}


@contextmanager
def _deep() -> Iterator[None]:
    """A context in which formulas may be nested deeply."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEP))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
