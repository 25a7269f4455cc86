"""Goes through a program at many positions at once: what its elements may be, in its own number types.

What depends on positions alone is enclosed by numbers: at each position the numbers that the
operations give are determined, up to the accuracy of sine, cosine and other elementary functions.
What depends on vectors is a sum of entries times such numbers with an error, by the standard model of
rounding: every operation is exact up to a relative error of the type's unit, and to the smallest
subnormal number where the result is subnormal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.rounding.number_types import NUMBER_TYPES, number_type
from ropeproof.numerics.rounding.possible import Possible, Rules, Ulps, known, operate, total
from ropeproof.proofs_check.programs.record.graph import ELEMENT_BITS, Node
from ropeproof.proofs_check.programs.rounding.linear import (
    LinearElements,
    RoundingStep,
    added,
    constant_form,
    merged,
    rounded_step,
    times,
)
from ropeproof.proofs_check.programs.rounding.slicing import Slice
from ropeproof.theory.errors import RopeproofError, Unsupported

__all__ = ["ProgramValues", "Settings", "Value"]

Array = NDArray[Any]
Ints = NDArray[np.int64]
Value = Possible | LinearElements


@dataclass(frozen=True)
class Settings:
    """How a program is evaluated.

    - `rules`: how operations on numbers are carried out.
    - `flushed`: whether subnormal results become 0.
    - `only`: the nodes whose results are rounded, None for all; the others are exact, which serves to
      tell what share a stage has.
    """

    rules: Rules = field(default_factory=Rules)
    flushed: bool = False
    only: frozenset[int] | None = None

    def rounds(self, number: int) -> bool:
        """Whether the results of a node are rounded."""
        return self.only is None or number in self.only


class ProgramValues:
    """A program evaluated at sets of positions.

    `observed` are numbers that a call gave for nodes that depend on no argument, by node: they are
    taken as they are where `settings.only` is None. What depends on no position is evaluated once.
    """

    def __init__(
        self, cut: Slice, settings: Settings, observed: Mapping[int, Array] | None = None
    ) -> None:
        self.cut, self.settings = cut, settings
        self.observed = {} if observed is None or settings.only is not None else observed
        self.constants: dict[int, Value] = {}
        self.sizes: dict[int, float] = {}
        """For each rounded node the largest size of its elements so far, for entries up to 1."""
        self._fused = self._products_in_sums()
        self._last = self._last_uses()
        self._repeated = self._repetitions()
        for number in cut.order:
            if cut.kind[number] == "constant":
                self.constants[number] = self._node(number, self.constants, None)
        kept = {
            i for n in cut.order if cut.kind[n] != "constant" for i in cut.program.nodes[n].inputs
        } | set(cut.program.outputs)
        self.constants = {n: v for n, v in self.constants.items() if n in kept}

    def at(self, positions: Ints, keep: frozenset[int] = frozenset()) -> dict[int, Value]:
        """What the outputs, and the nodes of `keep`, may be at these positions: `(positions, elements)`.

        Every coordinate of every position has the same value at a time. Raises `Unsupported` for
        operations without a bound, naming their place.
        """
        found: dict[int, Value] = dict(self.constants)
        outputs = set(self.cut.program.outputs) | keep
        for number in self.cut.order:
            if number not in found:
                found[number] = self._node(number, found, positions)
            for used in self._last.get(number, ()):
                if used not in outputs:
                    found.pop(used, None)
        return {n: found[n] for n in outputs if n in found}

    def _last_uses(self) -> dict[int, list[int]]:
        last: dict[int, int] = {}
        for number in self.cut.order:
            for source in self.cut.program.nodes[number].inputs:
                last[source] = number
        uses: dict[int, list[int]] = {}
        for source, number in last.items():
            uses.setdefault(number, []).append(source)
        return uses

    def _products_in_sums(self) -> frozenset[int]:
        """Products that an addition takes, directly or after a movement."""
        nodes = self.cut.program.nodes
        taken: set[int] = set()
        for number in reversed(self.cut.order):
            node = nodes[number]
            if node.op in ("add", "sub", "sum", "dot") or (
                node.op in ("gather", "neg") and number in taken
            ):
                taken.update(node.inputs)
        return frozenset(n for n in taken if nodes[n].op == "mul")

    def _repetitions(self) -> dict[int, tuple[Ints, Ints]]:
        """Where sines of the same angles occur several times: which to compute, and how to spread them."""
        found: dict[int, tuple[Ints, Ints]] = {}
        for number in self.cut.order:
            node = self.cut.program.nodes[number]
            if node.op not in ("cos", "sin") or self.cut.kind[number] != "position":
                continue
            handles = self.cut.origins(node.inputs[0], self.cut.elements[number])
            unique, taken, back = np.unique(handles, return_index=True, return_inverse=True)
            if len(unique) < len(handles):
                found[number] = (taken, back)
        return found

    # -- one node ---------------------------------------------------------------------

    def _node(self, number: int, found: Mapping[int, Value], positions: Ints | None) -> Value:
        node = self.cut.program.nodes[number]
        try:
            if number in self.observed and not node.depends:
                values = self.observed[number].reshape(-1)[self.cut.elements[number]]
                return known(_plain(values)[np.newaxis])
            return self._value(number, node, found, positions)
        except RopeproofError as error:
            told = f"{error}"
            if node.place is not None and str(node.place) not in told:
                told = f"{told}, {node.place}"
            raise Unsupported(told) from error

    def _value(
        self, number: int, node: Node, found: Mapping[int, Value], positions: Ints | None
    ) -> Value:
        own = self.cut.elements[number]
        if node.op == "input":
            if self.cut.kind[number] == "vector":
                return _entries(number, own)
            assert positions is not None
            return known(np.broadcast_to(positions[:, np.newaxis], (len(positions), len(own))))
        if node.op == "constant":
            return known(_plain(np.asarray(node.values).reshape(-1)[own])[np.newaxis])
        if node.op == "gather":
            return self._moved(number, found)
        if node.op == "take":
            return self._taken(node, own, found)
        if node.op in ("sum", "dot", "max", "min"):
            return self._reduced(number, node, own, found)
        operands = [self._operand(i, own, found) for i in node.inputs]
        numbers = [o for o in operands if isinstance(o, Possible)]
        if len(numbers) < len(operands):
            return self._of_vectors(number, node, operands)
        return self._of_numbers(number, node, tuple(numbers))

    def _operand(self, source: int, own: Ints, found: Mapping[int, Value]) -> Value:
        value = found[source]
        inside = self.cut.elements[source]
        if len(inside) == len(own):
            return value
        return _pick(value, self.cut.where(source, own))

    def _moved(self, number: int, found: Mapping[int, Value]) -> Value:
        parts, back = self.cut.moves[number]
        values = [_pick(found[source], inside) for source, inside in parts]
        if len(values) == 1:
            whole = values[0]
        elif any(isinstance(v, LinearElements) for v in values):
            whole = _side_by_side(
                [
                    v if isinstance(v, LinearElements) else constant_form(v, len(inside))
                    for v, (_, inside) in zip(values, parts, strict=True)
                ]
            )
        else:
            numbers = [v for v in values if isinstance(v, Possible)]
            rows = max(v.low.shape[0] for v in numbers)
            ends = [
                np.concatenate([np.broadcast_to(e, (rows, e.shape[1])) for e in side], 1)
                for side in ([v.low for v in numbers], [v.high for v in numbers])
            ]
            same = all(v.low is v.high for v in numbers)
            whole = Possible(ends[0], ends[0] if same else ends[1])
        return _pick(whole, back)

    def _taken(self, node: Node, own: Ints, found: Mapping[int, Value]) -> Value:
        data, index = node.inputs
        rows = self._operand(index, own, found)
        table = found[data]
        if not isinstance(rows, Possible) or not isinstance(table, Possible):
            raise Unsupported("an index or a table that depends on vectors")
        if not rows.known:
            raise Unsupported("an index that is not known exactly")
        assert node.offset is not None
        place = rows.low
        if node.wraps:
            place = np.where(place < 0, place + node.size, place)
        if place.size and (place.min() < 0 or place.max() >= node.size):
            told = f"positions up to {int(place.max())} of a table of {node.size} rows"
            raise Unsupported(told)
        flat = node.offset.ravel()[own] + node.step * place
        inside = self.cut.where(data, flat)
        low = table.low[0][inside]
        return Possible(low, low if table.low is table.high else table.high[0][inside])

    def _of_numbers(self, number: int, node: Node, operands: tuple[Possible, ...]) -> Possible:
        if not self.settings.rounds(number):
            return _exact(node, operands)
        once = self._repeated.get(number)
        if once is not None:
            taken, back = once
            found = operate(
                node.op,
                tuple(_numbers(o, taken) for o in operands),
                node.dtype,
                self.settings.rules,
            )
            return _numbers(found, back)
        found = operate(node.op, operands, node.dtype, self.settings.rules)
        loose = self.settings.rules.arithmetic != "as written" and number in self._fused
        if loose and node.dtype in NUMBER_TYPES:
            exact = operate("mul", operands, "float64", Rules())
            slack = 2.0**-52 * np.maximum(np.abs(exact.low), np.abs(exact.high))
            return Possible(
                np.minimum(found.low, exact.low - slack), np.maximum(found.high, exact.high + slack)
            )
        return found

    # -- what depends on vectors ------------------------------------------------------

    def _step(
        self, number: int, node: Node, form: LinearElements, *, underflows: bool = True
    ) -> LinearElements:
        """The form after the rounding of a node."""
        if not self.settings.rounds(number):
            return form
        step = RoundingStep.of(node.dtype, underflows=underflows, flushed=self.settings.flushed)
        return self._noted(number, rounded_step(form, step))

    def _noted(self, number: int, form: LinearElements) -> LinearElements:
        size = float(form.size().max(initial=0.0))
        self.sizes[number] = max(self.sizes.get(number, 0.0), size)
        return form

    def _of_vectors(self, number: int, node: Node, operands: list[Value]) -> LinearElements:
        op, count = node.op, len(self.cut.elements[number])
        if op == "cast":
            (form,) = operands
            assert isinstance(form, LinearElements)
            return self._cast(number, node, form)
        if op == "neg":
            (form,) = operands
            assert isinstance(form, LinearElements)
            return _scaled(form, -1.0)
        if op in ("add", "sub"):
            first, second = (
                o if isinstance(o, LinearElements) else constant_form(o, count) for o in operands
            )
            form = added(first, second, 1.0 if op == "add" else -1.0)
            return self._step(number, node, form, underflows=False)
        if op in ("mul", "div"):
            forms = [o for o in operands if isinstance(o, LinearElements)]
            numbers = [o for o in operands if isinstance(o, Possible)]
            if len(forms) == 1 and (op == "mul" or isinstance(operands[0], LinearElements)):
                by = numbers[0]
                if op == "div":
                    one = known(np.ones_like(by.low, dtype=np.float64))
                    by = operate("div", (one, by), "float64", Rules())
                    form = times(forms[0], by)
                    form = rounded_step(form, RoundingStep(2.0**-52, 0.0))
                else:
                    form = times(forms[0], by)
                if op == "mul" and by.known and bool(np.all(np.isin(np.abs(by.low), (0, 1)))):
                    return form
                return self._step(number, node, form)
        if op == "where":
            condition, where_true, where_false = operands
            if isinstance(condition, Possible) and condition.known:
                chosen = condition.low.astype(np.float64)
                yes, no = (
                    o if isinstance(o, LinearElements) else constant_form(o, count)
                    for o in (where_true, where_false)
                )
                return added(times(yes, known(chosen)), times(no, known(1 - chosen)), 1.0)
        raise Unsupported(f"{op} of vector entries: no sum of multiples of them")

    def _cast(self, number: int, node: Node, form: LinearElements) -> LinearElements:
        if node.dtype not in NUMBER_TYPES:
            raise Unsupported(f"vector entries cast to {node.dtype}")
        source = self.cut.program.nodes[self.cut.program.nodes[number].inputs[0]].dtype
        if source not in NUMBER_TYPES:
            raise Unsupported(f"vector entries of the type {source}")
        old, new = number_type(source), number_type(node.dtype)
        finer = new.unit <= old.unit
        if finer and new.least <= old.least and new.largest >= old.largest:
            return form
        if not self.settings.rounds(number):
            return form
        step = RoundingStep.of(node.dtype, underflows=True, flushed=self.settings.flushed)
        if finer:
            step = RoundingStep(0.0, step.least)
        return self._noted(number, rounded_step(form, step))

    def _reduced(self, number: int, node: Node, own: Ints, found: Mapping[int, Value]) -> Value:
        size = self.cut.program.nodes[node.inputs[0]].shape[-1]
        inside = (own[:, np.newaxis] * size + np.arange(size)).ravel()
        operands = [_pick(found[i], self.cut.where(i, inside)) for i in node.inputs]
        numbers = [o for o in operands if isinstance(o, Possible)]
        if len(numbers) == len(operands):
            return self._reduced_numbers(number, node, numbers, len(own), size)
        forms = [o for o in operands if isinstance(o, LinearElements)]
        if node.op not in ("sum", "dot") or len(forms) > 1:
            raise Unsupported(f"{node.op} of vector entries: no sum of multiples of them")
        form = forms[0] if node.op == "sum" else times(forms[0], numbers[0])
        used = np.any(form.factor != 0, 0) | np.any(form.error != 0, 0)
        counted = np.unique(form.element[used])
        counts = np.bincount(counted // size, minlength=len(own)) if size else np.zeros(len(own))
        fixed = form.fixed
        if fixed.shape[1] == len(inside):
            fixed = fixed.reshape(fixed.shape[0], len(own), size).sum(-1)
        result = merged(
            len(own),
            form.element[used] // size,
            form.entry[used],
            form.factor[:, used],
            form.error[:, used] + 2.0**-52 * np.abs(form.factor[:, used]),
            fixed,
        )
        if not self.settings.rounds(number):
            return result
        steps = np.maximum(counts - 1, 0) + (1 if node.op == "dot" else 0)
        # The bound of the sum must count sizes before terms with the same entry cancel.
        sizes = np.abs(form.factor[:, used]) + form.error[:, used]
        step = RoundingStep.of(
            node.dtype, underflows=node.op == "dot", flushed=self.settings.flushed
        )
        each = np.expm1(steps * np.log1p(step.relative))
        grown = merged(
            len(own),
            form.element[used] // size,
            form.entry[used],
            sizes,
            np.zeros_like(sizes),
            fixed,
        )
        error = result.error + each[result.element] * grown.factor
        fixed = result.fixed * (1 + each) + step.least * np.maximum(steps, 1)
        return self._noted(
            number,
            LinearElements(result.count, result.element, result.entry, result.factor, error, fixed),
        )

    def _reduced_numbers(
        self, number: int, node: Node, numbers: list[Possible], count: int, size: int
    ) -> Possible:
        rules = self.settings.rules
        exact = not self.settings.rounds(number)
        shaped = [
            Possible(low, low if n.low is n.high else n.high.reshape(low.shape))
            for n in numbers
            for low in [n.low.reshape(n.low.shape[0], count, size)]
        ]
        if node.op in ("max", "min"):
            take = np.max if node.op == "max" else np.min
            low = take(shaped[0].low, -1)
            same = shaped[0].low is shaped[0].high
            return Possible(low, low if same else take(shaped[0].high, -1))
        terms = shaped[0]
        if node.op == "dot":
            wide = node.dtype if node.dtype not in NUMBER_TYPES else "float64"
            terms = operate("mul", (shaped[0], shaped[1]), wide, Rules())
        if exact:
            low = terms.low.sum(-1)
            return Possible(low, low if terms.low is terms.high else terms.high.sum(-1))
        return total(terms, node.dtype, rules, products=node.op == "dot")


def _entries(number: int, own: Ints) -> LinearElements:
    count = len(own)
    return LinearElements(
        count,
        np.arange(count, dtype=np.int64),
        own + (number << ELEMENT_BITS),
        np.ones((1, count)),
        np.zeros((1, count)),
        np.zeros((1, count)),
    )


def _plain(values: Array) -> Array:
    kinds = {"f": np.float64, "i": np.int64, "u": np.int64, "b": np.bool_}
    return values.astype(kinds[values.dtype.kind])


def _pick(value: Value, elements: Ints) -> Value:
    if isinstance(value, LinearElements):
        return value.pick(elements)
    count = value.low.shape[1]
    if len(elements) == count and np.array_equal(elements, np.arange(count)):
        return value
    low = value.low[:, elements]
    return Possible(low, low if value.low is value.high else value.high[:, elements])


def _numbers(value: Possible, elements: Ints) -> Possible:
    found = _pick(value, elements)
    assert isinstance(found, Possible)
    return found


def _scaled(form: LinearElements, factor: float) -> LinearElements:
    return LinearElements(
        form.count, form.element, form.entry, factor * form.factor, form.error, form.fixed
    )


def _side_by_side(forms: list[LinearElements]) -> LinearElements:
    rows = max(max(f.factor.shape[0], f.fixed.shape[0]) for f in forms)
    starts = np.cumsum([0, *(f.count for f in forms)])
    wide = [
        [np.broadcast_to(a, (rows, a.shape[1])) for a in (f.factor, f.error, f.fixed)]
        for f in forms
    ]
    return LinearElements(
        int(starts[-1]),
        np.concatenate([f.element + s for f, s in zip(forms, starts, strict=False)]),
        np.concatenate([f.entry for f in forms]),
        *(np.concatenate([w[n] for w in wide], 1) for n in range(3)),
    )


def _exact(node: Node, operands: tuple[Possible, ...]) -> Possible:
    """An operation on known numbers without the rounding of its type, in float64."""
    dtype = "float64" if node.dtype in NUMBER_TYPES else node.dtype
    found = operate(node.op, operands, dtype, Rules("as written", Ulps(0.0, 0.0)))
    if node.op in ("cos", "sin", "tan", "pow", "exp", "log", "atan2", "exp2", "log2", "log10"):
        return known(found.middle)
    return found
