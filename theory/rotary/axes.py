"""Positions with several coordinates: which coordinate turns which plane.

In a language model that reads images a position is a time, a height and a width; in a vision tower
it is a height and a width. Each rotated plane turns by one of them, `p_a(l) theta_l`. With all
coordinates equal, as text has them, this is the rotation of one position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer

__all__ = ["GRID", "VIDEO", "Axes"]

VIDEO = ("time", "height", "width")
GRID = ("height", "width")


@dataclass(frozen=True)
class Axes:
    """Which coordinate of a position, and which power of the base, each rotated plane has.

    - `names`: of the coordinates of a position, in their order;
    - `planes`: of each rotated plane, the number of the coordinate that turns it;
    - `exponents`: of each rotated plane, `e` in `theta = base**-e`, exact and `>= 0`.

    >>> Axes.sections((1, 2, 1)).planes
    (0, 1, 1, 2)
    >>> Axes.sections((2, 1, 1), interleaved=True).planes
    (0, 1, 2, 0)
    >>> [str(e) for e in Axes.grid(4).exponents], [str(e) for e in Axes.grid(4, dealt=True).exponents]
    (['0', '1/2', '0', '1/2'], ['0', '1/2', '1/4', '3/4'])

    Raises `InvalidArgument`, naming the argument.
    """

    names: tuple[str, ...]
    planes: tuple[int, ...]
    exponents: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if len(self.names) < 2 or len(set(self.names)) != len(self.names):
            raise InvalidArgument("axes.names", self.names, "two or more different names")
        if any(not 0 <= axis < len(self.names) for axis in self.planes):
            allowed = f"numbers of the {len(self.names)} axes, from 0"
            raise InvalidArgument("axes.planes", self.planes, allowed)
        if len(self.exponents) != len(self.planes) or any(e < 0 for e in self.exponents):
            allowed = f"a number >= 0 for each of {len(self.planes)} planes"
            raise InvalidArgument("axes.exponents", self.exponents, allowed)

    @classmethod
    def sections(
        cls, sizes: Sequence[int], *, interleaved: bool = False, names: tuple[str, ...] = VIDEO
    ) -> Axes:
        """Deal the planes of one sequence of frequencies out to the axes (MRoPE).

        `sizes` counts the planes of each axis. Without `interleaved` the axes have one block of planes after
        another; with it, axis `a > 0` of `n` has planes `a, a + n, a + 2n, ...` and axis 0 has the others.
        Raises `InvalidArgument` if the counts do not fit `names`, or cannot be interleaved.
        """
        counts = [read_integer(f"sizes[{a}]", size, least=0) for a, size in enumerate(sizes)]
        if len(counts) != len(names):
            raise InvalidArgument("sizes", tuple(sizes), f"{len(names)} numbers of planes")
        total = sum(counts)
        if not interleaved:
            axis = [a for a, count in enumerate(counts) for _ in range(count)]
        else:
            axis = [0] * total
            for a, count in list(enumerate(counts))[1:]:
                last = a + len(counts) * (count - 1)
                if count and last >= total:
                    allowed = f"sections that interleave on {total} planes"
                    raise InvalidArgument("sizes", tuple(sizes), allowed)
                axis[a : last + 1 : len(counts)] = [a] * count
        return cls(names, tuple(axis), tuple(Fraction(l, total) for l in range(total)))

    @classmethod
    def grid(cls, planes: int, *, dealt: bool = False, names: tuple[str, ...] = GRID) -> Axes:
        """Give each axis an equal block of planes (axial RoPE).

        Each axis has a sequence of frequencies of its own, the same for all; or, `dealt`, axis `a` of
        `n` has every `n`-th of one sequence, from number `a` on. Raises `InvalidArgument` unless
        `planes` is a multiple of the number of axes.
        """
        total, n = read_integer("planes", planes, least=1), len(names)
        if total % n:
            raise InvalidArgument("planes", planes, f"a multiple of {n} axes")
        own = total // n
        exponents = [
            Fraction(n * j + a, total) if dealt else Fraction(j, own)
            for a in range(n)
            for j in range(own)
        ]
        return cls(names, tuple(a for a in range(n) for _ in range(own)), tuple(exponents))

    @classmethod
    def blocks(cls, sizes: Sequence[int], *, names: tuple[str, ...] = VIDEO) -> Axes:
        """Give each axis a block of planes with a sequence of frequencies of its own.

        `sizes` counts the planes of each axis, and plane `j` of `n` has the exponent `j/n` (Flux, Wan,
        Qwen-Image). Raises `InvalidArgument` if the counts do not fit `names`.
        """
        counts = [read_integer(f"sizes[{a}]", size, least=0) for a, size in enumerate(sizes)]
        if len(counts) != len(names):
            raise InvalidArgument("sizes", tuple(sizes), f"{len(names)} numbers of planes")
        planes = tuple(a for a, count in enumerate(counts) for _ in range(count))
        return cls(names, planes, tuple(Fraction(j, n) for n in counts for j in range(n)))

    @property
    def of_text(self) -> bool:
        """Whether equal coordinates give the rotation of one position: plane `l` of `m` has power `l/m`."""
        total = len(self.planes)
        return self.exponents == tuple(Fraction(l, total) for l in range(total))
