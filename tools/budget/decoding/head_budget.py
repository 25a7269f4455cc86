"""The budget of an index or retrieval head: the head found, longer lengths, narrower number types."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np
from flint import arb
from numpy.typing import NDArray

from ropeproof.numerics.bounds import index, retrieval
from ropeproof.numerics.bounds.index.budget import IndexBudget, index_budget
from ropeproof.numerics.bounds.retrieval import budget
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary import exact
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["SPARE", "TASKS", "DecodingBudget", "InType", "Longer", "PlaneUse", "decoding_budget"]

Floats = NDArray[np.float64]
Task: TypeAlias = Literal["index", "retrieval"]
Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with the name of the step that begins, its number from 0, and the number of steps."""

TASKS: tuple[Task, ...] = ("index", "retrieval")
SPARE = 2
"""Types are judged at this multiple of the least amplitude, which leaves nothing for rounding."""
_FACTORS = (2, 4, 8)
_MOST_LENGTH = 1 << 19
_MOST_TERMS = 1 << 23
_MOST_LOOKED = 1 << 21
"""Letters times lags in the many scans for the length up to which a head decodes."""
_BITS = 192
_TYPES = (
    ("exact", "exact"),
    ("float64", "float64"),
    ("float32", "float64"),
    ("float32", "float32"),
    ("float16", "float32"),
    ("bfloat16", "float32"),
)


@dataclass(frozen=True)
class PlaneUse:
    """A plane of the head: frequency (radians per position), wavelength (positions, infinite if it
    does not rotate), share of the amplitude, and the letters' multiplier (1 for the index task).
    """

    index: int
    frequency: float
    wavelength: float
    share: float
    multiplier: int


@dataclass(frozen=True)
class Longer:
    """Amplitudes, in logits, with which heads decode at a longer length; inf where none is known.

    `reoptimised` is that of the best head found at that length, `frozen` that of the budget's head, scaled.
    """

    length: int
    reoptimised: float
    frozen: float


@dataclass(frozen=True)
class InType:
    """What a budget's head needs, and how far it decodes, in one number type.

    `amplitude`, in logits, is enough at the budget's length, infinite if none is found; `length` is the
    length up to which the head decodes at twice the least amplitude.
    """

    arithmetic: str
    angles: str
    amplitude: float
    length: int


@dataclass(frozen=True, eq=False)
class DecodingBudget:
    """What a head costs that decodes every input of a task at a length, on a model's planes.

    - `head`: the head, of `ropeproof.numerics.bounds.index.budget` or
      `ropeproof.numerics.bounds.retrieval.budget`;
    - `alphabet`: the integers are `1 .. alphabet`, or there are so many letters;
    - `margin`: per unit amplitude, on the worst input; a certified lower bound;
    - `query_key_norm_product`: `|q||k|` that gives the amplitude, rounded up;
    - `longest`: up to which length this very head decodes, looked for up to `looked`;
    - `longer`: amplitudes at 2, 4 and 8 times the length; `types`: what types leave.
    """

    task: Task
    spec: RopeSpec
    length: int
    alphabet: int
    head: IndexBudget | budget.RetrievalBudget
    margin: float
    query_key_norm_product: float
    planes: tuple[PlaneUse, ...]
    longest: int
    looked: int
    longer: tuple[Longer, ...]
    types: tuple[InType, ...]

    @property
    def centre(self) -> Fraction:
        """By how many positions the head turns its query back; 0 for the index task."""
        return self.head.centre if isinstance(self.head, budget.RetrievalBudget) else Fraction(0)


def decoding_budget(
    spec: RopeSpec,
    *,
    task: str,
    length: int,
    integers: int | None = None,
    letters: int = 8,
    scale: object = None,
    progress: Progress | None = None,
) -> DecodingBudget:
    """The budget of an index or retrieval head on a spec's planes, certified.

    `task` is `"index"` (with `integers`, all that fit if None) or `"retrieval"` (with `letters`);
    `scale` is what the model multiplies `<q, k>` by, `1/sqrt(head_dim)` if None.

    Claims `index.temperature`, `retrieval.temperature`, `planes.frozen`. Cost: a search at four
    lengths and some scans. Raises `InvalidArgument`; `Unsupported` where no head is found.
    """
    if task not in TASKS:
        raise InvalidArgument("task", task, ", ".join(TASKS))
    n = exact.read_integer("length", length, least=3)
    steps = 2 + len(_FACTORS) + len(_TYPES)
    tell = progress or (lambda step, done, of: None)
    tell("head", 0, steps)
    work: _Work = _Index(integers) if task == "index" else _Retrieval(letters)
    head = work.found(spec, n)
    tell("this head", 1, steps)
    looked = max(min(work.most(), 8 * n, _MOST_LOOKED // work.rows), n)
    longest = work.longest(head, 1, looked, "exact", "float64")
    longer = []
    for number, factor in enumerate(_FACTORS):
        tell(f"length {factor * n}", 2 + number, steps)
        longer.append(_longer(work, head, factor * n))
    types = []
    for number, (kind, angles) in enumerate(_TYPES):
        tell(kind, 2 + len(_FACTORS) + number, steps)
        types.append(
            InType(
                kind,
                angles,
                head.amplitude * work.factor_in(head, kind, angles),
                work.longest(head, SPARE, looked, kind, angles),
            )
        )
    tell("done", steps, steps)
    return DecodingBudget(
        task=work.task,
        spec=spec,
        length=n,
        alphabet=work.alphabet(head),
        head=head,
        margin=work.margin(head),
        query_key_norm_product=_norms(spec, head.amplitudes, scale),
        planes=_planes(head),
        longest=longest,
        looked=looked,
        longer=tuple(longer),
        types=tuple(types),
    )


class _Work(ABC):
    """The parts of a budget that differ between the index and the retrieval task."""

    task: Task
    rows: int
    """Scans of all lags that one evaluation takes."""

    @abstractmethod
    def found(self, spec: RopeSpec, length: int) -> Any:
        """The head of least amplitude that the search finds for the task."""

    @abstractmethod
    def alphabet(self, head: Any) -> int:
        """How many integers (index task) or letters (retrieval task) there are."""

    @abstractmethod
    def margin(self, head: Any) -> float:
        """A lower bound on the margin per unit amplitude over all inputs of the task."""

    @abstractmethod
    def most(self) -> int:
        """The longest length at which the task is tried."""

    @abstractmethod
    def factor_at(self, head: Any, length: int) -> float:
        """The factor on the head's amplitude that is enough at another length, in exact arithmetic."""

    @abstractmethod
    def factor_in(self, head: Any, arithmetic: str, angles: str) -> float:
        """The factor on the head's amplitude that is enough at the head's own length in a number type."""

    @abstractmethod
    def longest(self, head: Any, factor: int, most: int, arithmetic: str, angles: str) -> int:
        """Up to which length the head decodes in a number type when its amplitude is scaled by a factor."""


class _Index(_Work):
    task: Task = "index"

    def __init__(self, integers: int | None) -> None:
        self.integers = integers
        self.rows = 1

    def found(self, spec: RopeSpec, length: int) -> IndexBudget:
        return index_budget(spec, length=length, integers=self.integers)

    def alphabet(self, head: IndexBudget) -> int:
        return head.integers

    def margin(self, head: IndexBudget) -> float:
        found = index.index_margin(head.spec, head.amplitudes, length=head.length)
        return found.lower / head.amplitude * (1 - 2.0**-50)

    def most(self) -> int:
        return _MOST_LENGTH

    def factor_at(self, head: IndexBudget, length: int) -> float:
        return index.index_temperature(
            head.spec, head.amplitudes, length=length, integers=self.integers
        ).upper

    def factor_in(self, head: IndexBudget, arithmetic: str, angles: str) -> float:
        if arithmetic == "exact":
            return 1.0
        return index.index_temperature_in(
            arithmetic,
            head.spec,
            head.amplitudes,
            length=head.length,
            integers=self.integers,
            angles=angles,
        )

    def longest(
        self, head: IndexBudget, factor: int, most: int, arithmetic: str, angles: str
    ) -> int:
        kind = "float64" if arithmetic == "exact" else angles
        found = index.decode_length(
            head.spec,
            head.amplitudes,
            inverse_temperature=factor,
            integers=self.integers,
            arithmetic=arithmetic,
            angles=kind,
            most=most,
        )
        return most if found is None else found


class _Retrieval(_Work):
    task: Task = "retrieval"

    def __init__(self, letters: int) -> None:
        self.letters = exact.read_integer("letters", letters, least=2)
        self.rows = self.letters

    def found(self, spec: RopeSpec, length: int) -> budget.RetrievalBudget:
        return budget.retrieval_budget(spec, length=length, letters=self.letters)

    def alphabet(self, head: budget.RetrievalBudget) -> int:
        return head.letters

    def margin(self, head: budget.RetrievalBudget) -> float:
        return head.margin

    def most(self) -> int:
        return min(_MOST_LENGTH, _MOST_TERMS // self.rows)

    def arguments(self, head: budget.RetrievalBudget) -> dict[str, Any]:
        """The head as `ropeproof.numerics.bounds.retrieval` reads it."""
        return {
            "letters": head.letters,
            "angle": head.spec,
            "amplitudes": head.amplitudes,
            "multipliers": head.multipliers,
            "centre": head.centre,
        }

    def factor_at(self, head: budget.RetrievalBudget, length: int) -> float:
        return retrieval.retrieval_temperature(length=length, **self.arguments(head)).upper

    def factor_in(self, head: budget.RetrievalBudget, arithmetic: str, angles: str) -> float:
        if arithmetic == "exact":
            return 1.0
        return retrieval.retrieval_temperature_in(
            arithmetic, length=head.length, angles=angles, **self.arguments(head)
        )

    def longest(
        self, head: budget.RetrievalBudget, factor: int, most: int, arithmetic: str, angles: str
    ) -> int:
        found = retrieval.decode_length(
            inverse_temperature=factor,
            arithmetic=arithmetic,
            angles="float64" if arithmetic == "exact" else angles,
            most=most,
            **self.arguments(head),
        )
        return most if found is None else min(found, most)


def _longer(work: _Work, head: IndexBudget | budget.RetrievalBudget, length: int) -> Longer:
    """The amplitudes that are enough at a longer length; infinite where no head is found."""
    frozen = reoptimised = math.inf
    if length <= work.most():
        try:
            frozen = head.amplitude * work.factor_at(head, length) * (1 + 2.0**-50)
            reoptimised = work.found(head.spec, length).amplitude
        except Unsupported:
            pass
    return Longer(length, min(reoptimised, frozen), frozen)


def _planes(head: IndexBudget | budget.RetrievalBudget) -> tuple[PlaneUse, ...]:
    thetas, total = frequencies_float64(head.spec), head.amplitudes.sum()
    factors = head.multipliers if isinstance(head, budget.RetrievalBudget) else (1,) * len(thetas)
    return tuple(
        PlaneUse(
            number, theta, 2 * math.pi / theta if theta else math.inf, float(size / total), factor
        )
        for number, (theta, size, factor) in enumerate(
            zip(thetas.tolist(), head.amplitudes.tolist(), factors, strict=True)
        )
    )


def _norms(spec: RopeSpec, amplitudes: Floats, scale: object) -> float:
    """The product `|q||k|` that gives the amplitudes: `sum_l A_l/(s a_l^2)`, rounded up.

    The attention factor `a` multiplies rotated planes only.
    """
    own = None if scale is None else exact.read_rational("scale", scale)
    if own is not None and own <= 0:
        raise InvalidArgument("scale", scale, "a number > 0")
    factor = exact.ball(spec.attention_factor(), bits=_BITS)
    with precision(_BITS):
        unit = 1 / arb(spec.head_dim).sqrt() if own is None else exact.ball(own, bits=_BITS)
        total = arb(0)
        for plane, size in enumerate(amplitudes.tolist()):
            rotated = plane < spec.rotary_planes
            total += arb(size) / (unit * factor * factor if rotated else unit)
        return Enclosure.of(total, total).upper
