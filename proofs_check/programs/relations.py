"""Proves relations that a user states of her own rotary function, without a spec.

All of them are equations between formulas of what the function returns, for all vectors and positions,
with the constants that the function has.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ropeproof.proofs_check.programs.formulas import kernel_claims
from ropeproof.proofs_check.programs.formulas.forms import ZERO, ExactForm, atom
from ropeproof.proofs_check.programs.formulas.meaning import Bounds, ProgramMeaning
from ropeproof.proofs_check.programs.guards import state
from ropeproof.proofs_check.programs.judging.verdict import RotationProof, Verdict
from ropeproof.proofs_check.programs.proving import prove_rotation
from ropeproof.proofs_check.programs.record.alike import unlike
from ropeproof.proofs_check.programs.record.graph import Program
from ropeproof.proofs_check.programs.record.numbers import as_numbers
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.tools.conform.arrays import write

__all__ = ["NormKept", "RelativeLaw", "SameAs", "ShiftedKey", "prove"]


@dataclass(frozen=True)
class NormKept:
    """`|f(x, p)| = |x|` for all vectors `x` and positions `p`."""


@dataclass(frozen=True)
class RelativeLaw:
    """`<f(q, m), f(k, n)>` does not change if the same integer is added to `m` and `n`."""


@dataclass(frozen=True)
class ShiftedKey:
    """`f(f(x, p), d) = f(x, p + d)`: a key from a cache may be turned by `d` once more."""


@dataclass(frozen=True)
class SameAs:
    """`f(x, p) = other(x, p)` for a second function `other` of the same arguments."""

    other: Callable[..., Any]


_RELATIONS = (NormKept, RelativeLaw, ShiftedKey, SameAs)


def prove(
    function: Any, relation: Any, *, head_dim: int | None = None, **options: Any
) -> RotationProof:
    """Prove a rotary function, or a relation that it has, for all vectors and integer positions.

    `relation` is a `RopeSpec` or a model's configuration (then `options` are those of
    `prove_rotation`), or one of `NormKept()`, `RelativeLaw()`, `ShiftedKey()` and `SameAs(other)`. For these
    `function` is `(x, positions) -> x` with vectors `(batch, heads, length, head_dim)` and positions
    `(length,)`; `head_dim` must be given, and of `options` `array`, `dtype` and `context` are read.

    Returns a `RotationProof`. A relation is `proved`, or `not proved` with the reason; it is never
    `refuted`, since formulas that differ may be equal. Raises `InvalidArgument` for another relation or
    option.
    """
    if not isinstance(relation, _RELATIONS):
        return prove_rotation(function, relation, **options)
    if head_dim is None:
        raise InvalidArgument("head_dim", None, "the number of coordinates of a vector")
    width = read_integer("head_dim", head_dim, least=1)
    allowed = {"array": "torch", "dtype": "float32", "context": 4096}
    for name in options:
        if name not in allowed:
            raise InvalidArgument("options", name, ", ".join(allowed))
    array, dtype, context = (options.get(n, v) for n, v in allowed.items())
    if array not in ("torch", "numpy"):
        raise InvalidArgument("array", array, "torch, numpy")
    context = read_integer("context", context, least=2)
    begun = time.process_time()
    reasons: tuple[str, ...] = ()
    claims: list[Claim] = []
    try:
        told = _difference(function, relation, width, array, dtype, context, claims)
        reasons = (told,) if told else ()
    except Unsupported as error:
        reasons = (str(error),)
    verdict: Verdict = "not proved" if reasons else "proved"
    statement = () if reasons else (
        f"For all vectors of {width} coordinates and positions from 0 to {context - 1}: "
        f"{_WORDS[type(relation)]}.",
        f"Only for calls of 2 tokens of one head in {dtype}, of fresh contiguous arrays of finite numbers "
        "on the CPU that require no gradient, and for the function and all it keeps as it was then; "
        "rounding is no part of the statement.",
        f"The kernel accepted {len(claims)} claims.",
    )  # fmt: skip
    return RotationProof(
        subject=getattr(function, "__name__", type(function).__name__),
        verdict=verdict,
        statement=statement,
        reasons=reasons,
        claims=tuple(claims),
        seconds=time.process_time() - begun,
    )


_WORDS = {
    NormKept: "the result has the norm of the vector",
    RelativeLaw: "the product of two results does not change if both positions are shifted",
    ShiftedKey: "turning by p and then by d is turning by p + d",
    SameAs: "both functions give the same",
}


def _difference(
    function: Any,
    relation: Any,
    width: int,
    array: str,
    dtype: str,
    context: int,
    claims: list[Claim],
) -> str:
    """Why the relation is not proved, in words; empty if it is."""

    def formulas(
        call: Callable[..., Any], names: Sequence[str], shift: ExactForm = ZERO
    ) -> list[ExactForm]:
        return _formulas(call, names, width, array, dtype, context, shift, claims)

    if isinstance(relation, NormKept):
        found = formulas(function, ("p",))
        for token in range(2):
            own = range(token * width, (token + 1) * width)
            total = ZERO
            for j in own:
                x = atom(("v", "x", j))
                total = total + found[j] * found[j] - x * x
            if total.terms:
                return "the formula of the squared norm is not that of the vector's"
        return _accepted(
            claims,
            lambda write: sum(write(found[j]) ** 2 for j in range(width)),
            lambda write: sum(write(atom(("v", "x", j))) ** 2 for j in range(width)),
        )
    if isinstance(relation, RelativeLaw):
        shift = atom(("n", "shift", 0))
        sums, results = [], []
        for by in (ZERO, shift):
            found = formulas(function, ("p",), by)
            results.append(found)
            total = ZERO
            for j in range(width):
                total = total + found[j] * found[width + j]
            sums.append(total)
        if sums[0] != sums[1]:
            return "the formula of the product changes if both positions are shifted"

        def product(one: list[ExactForm]) -> Callable[..., Any]:
            return lambda write: sum(write(one[j]) * write(one[width + j]) for j in range(width))

        return _accepted(claims, product(results[0]), product(results[1]))
    if isinstance(relation, ShiftedKey):
        twice = formulas(lambda x, p, d: function(function(x, p), d), ("p", "d"))
        once = formulas(lambda x, p, d: function(x, p + d), ("p", "d"))
        return "" if twice == once else "turning twice has another formula than turning once"
    first, second = formulas(function, ("p",)), formulas(relation.other, ("p",))
    different = [j for j, (a, b) in enumerate(zip(first, second, strict=True)) if a != b]
    told = f"coordinate {different[0] % width} has another formula" if different else ""
    return told or ("" if len(first) == len(second) else "the results have other sizes")


def _accepted(claims: list[Claim], left: Callable[..., Any], right: Callable[..., Any]) -> str:
    """What the kernel has against an equation, in words; a claim is added if it has nothing."""
    claim, said = kernel_claims.equation_claim("program.relation", left, right)
    if said:
        return f"the kernel does not accept the relation: {said}"
    claims.append(claim)
    return ""


def _formulas(
    call: Callable[..., Any],
    names: Sequence[str],
    width: int,
    array: str,
    dtype: str,
    context: int,
    shift: ExactForm,
    claims: list[Claim],
) -> list[ExactForm]:
    program = _recorded(call, names, width, array, dtype, context)
    if program.escapes or program.dependence:
        place = program.escapes[0].place if program.escapes else program.dependence[0]
        raise Unsupported(f"Python reads values of the arguments, {place}")
    if program.written:
        raise Unsupported(f"it changes its argument {', '.join(program.written)}")
    if len(program.outputs) != 1:
        raise Unsupported("it does not return one array of real numbers")
    if program.nodes[program.outputs[0]].count != 2 * width:
        raise Unsupported("its result has not the size of the vectors")
    meaning = ProgramMeaning(program, Bounds(0, context - 1), shift=shift)
    found = list(meaning.output(program.outputs[0]))
    ways: set[Any] = set()
    for element in range(len(found)):
        own = kernel_claims.computation_of(meaning, program.outputs[0], element)
        if own.signature in ways or (not own.lines and own.result[0] != "number"):
            continue
        ways.add(own.signature)
        claim, said = kernel_claims.proved_claim(own, f"program.way-{len(claims) + 1}")
        if said:
            raise Unsupported(f"the kernel does not accept the formula of a coordinate: {said}")
        claims.append(claim)
    return found


def _recorded(
    call: Callable[..., Any], names: Sequence[str], width: int, array: str, dtype: str, context: int
) -> Program:
    """The program of a call, if calls with other numbers are the same program and plain runs agree."""
    reach = state.reach_of(call)
    if reach.unknown:
        raise Unsupported(f"what is not followed: {'; '.join(reach.unknown[:6])}")
    recorded = []
    for seed in range(1, 7):
        drawn = np.random.default_rng(seed)
        x = drawn.integers(-64, 65, (1, 1, 2, width)) / 32.0
        most = min(context, 50) if seed < 3 else context
        places = {n: drawn.choice(most, 2, replace=False) for n in names}
        if seed == 3:
            places = {n: np.array([context - 1, 0]) for n in names}

        def given(x: Any = x, places: Any = places) -> Mapping[str, Any]:
            own: dict[str, Any] = {"x": write(x, array, dtype)}  # type: ignore[arg-type]
            return own | {n: write(p, array, None) for n, p in places.items()}  # type: ignore[arg-type]

        traced = _traced(call, given(), array, reach)
        recorded.append(traced)
        if traced.program.dependence:
            raise Unsupported(traced.program.dependence[0])
        plain = call(*given().values())
        plain = list(plain) if isinstance(plain, tuple | list) else [plain]
        for one, other in zip(plain, traced.results, strict=False):
            if not np.array_equal(as_numbers(one), other, equal_nan=True):
                raise Unsupported(
                    "a plain run gives other numbers than the call while it is recorded"
                )
        if array == "torch" and seed == 1:
            from ropeproof.proofs_check.programs.record.of_torch.dataless import unseen_reads

            told = unseen_reads(call, given(), traced, reach.codes)
            if told:
                raise Unsupported(told)
    first = recorded[0]
    for second in recorded[1:]:
        told = unlike(first.program, second.program)
        if told:
            raise Unsupported(told)
    if state.state_of(call) != reach.digest:
        raise Unsupported("its calls change what it keeps, and later calls may depend on that")
    program: Program = first.program
    return program


def _traced(
    call: Callable[..., Any], given: Mapping[str, Any], array: str, reach: state.CallableReach
) -> Any:
    try:
        if array == "torch":
            from ropeproof.proofs_check.programs.record.of_torch.torch_trace import trace_torch

            return trace_torch(call, given, known=reach.tensors, codes=reach.codes)
        from ropeproof.proofs_check.programs.record.numpy_trace import trace_numpy

        return trace_numpy(call, given, codes=reach.codes)
    except Unsupported:
        raise
    except (Exception, SystemExit) as error:
        told = " ".join(str(error).split())[:200]
        raise Unsupported(f"it raises {type(error).__name__}: {told}") from error
