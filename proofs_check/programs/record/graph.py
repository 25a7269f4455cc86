"""A program: the operations that one call of a user's function carried out, in their order.

It is plain data, walked by whoever gives it a meaning (exact formulas, balls, rounding errors).

- Every node is an array of real numbers, integers or truth values. Complex arrays do not occur: real
  and imaginary parts are nodes of their own, and a complex product is four products, a difference and
  a sum in the type of the parts.
- A program is functional: nodes never change. What the user's code writes in place, and what it
  reads through views, has been resolved to elements when the program was recorded.
- An element is named by a handle, `node << ELEMENT_BITS | flat index`. All movement of data (views,
  slices, cat, stack, flip, roll, repeat, expand, copies, writes in place) is the one operation
  `gather`, whose handles say where each element comes from. It is exact in every number type.
- All operands of an elementwise operation have its shape and, but for `cast`, `take`, `where` and
  comparisons, its type: broadcasting is a `gather`, a change of type a `cast`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "ELEMENTWISE",
    "ELEMENT_BITS",
    "Escape",
    "Node",
    "Program",
    "SourcePlace",
    "element_of",
    "handles_of",
    "node_of",
]

ELEMENT_BITS = 40
"""A handle is `node << ELEMENT_BITS | flat index`, in an int64."""

ELEMENTWISE = frozenset(
    {
        *("add", "sub", "mul", "div", "neg", "pow", "floordiv", "mod", "fmod"),
        *("sqrt", "exp", "log", "exp2", "log2", "log10", "expm1", "log1p"),
        *("cos", "sin", "tan", "atan2", "abs", "sign", "floor", "ceil", "trunc", "round"),
        *("maximum", "minimum", "lt", "le", "eq", "ne", "not", "and", "or", "where", "cast"),
    }
)
"""Operations that compute each element from the elements in the same place of their inputs.

`where` is (condition, if true, if false); `pow` (base, exponent); `not`, `and`, `or` are of truth
values; `floordiv` rounds down and `mod` has the sign of the divisor, as in Python; `fmod` has that of
the dividend. `cast` to an integer type drops the fraction, to a floating type rounds.
"""


@dataclass(frozen=True)
class SourcePlace:
    """Where in the user's code an operation is: the innermost line outside PyTorch and NumPy."""

    file: str
    line: int
    function: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} in {self.function}: {self.text}"


@dataclass(frozen=True, eq=False)
class Node:
    """One array of a program.

    - `op`: an operation of `ELEMENTWISE`, or one of
      `input` (an argument of the call, `name` says which; the values are unknowns),
      `constant` (`values` has its numbers: a buffer, a parameter, a number of the code),
      `gather` (`handles` says for each element which earlier element it is),
      `take` (inputs `(data, index)`: element `i` is element `offset[i] + step * index[i]` of the flat
      `data`; an index below 0 counts from `size` if `wraps`, and lies in `[0, size)` otherwise),
      `sum` and `dot` (over the last axis of the input, or of the product of two inputs; the order of
      summation, and whether products are fused with sums, are not stated),
      `max` and `min` (over the last axis),
      `empty` (memory that nothing was written to), and
      `unknown` (an operation without a meaning here; `name` is its name).
    - `inputs`: numbers of earlier nodes. Those of a `gather` are all nodes that its handles name.
    - `shape`; of `sum`, `dot`, `max` and `min` without the axis that they reduce.
    - `dtype`: the number type that the user's code computes this node in: float16, bfloat16, float32,
      float64, bool, or an integer type.
    - `place`: the line of the user's file, None for inputs.
    - `values`: of a `constant` its numbers exactly, as float64, int64 or bool in the node's shape.
    - `handles`: of a `gather` int64 in the node's shape.
    - `offset`, `step`, `size`, `wraps`: of a `take`; `offset` is int64 in the node's shape.
    - `depends`: whether the node depends on an input.
    """

    op: str
    inputs: tuple[int, ...]
    shape: tuple[int, ...]
    dtype: str
    place: SourcePlace | None = None
    name: str = ""
    values: NDArray[Any] | None = None
    handles: NDArray[np.int64] | None = None
    offset: NDArray[np.int64] | None = None
    step: int = 1
    size: int = 0
    wraps: bool = False
    depends: bool = False

    @property
    def count(self) -> int:
        """The number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))


@dataclass(frozen=True)
class Escape:
    """A number that the user's code took out of an array into Python, where no recording follows it.

    The recorded program is that of calls on which element 0 of node `node` equals `value`.
    """

    node: int
    value: int | float | bool
    place: SourcePlace | None


@dataclass(frozen=True)
class Program:
    """What one call did: `nodes` in order, `inputs` by name, `outputs` as numbers of nodes.

    - `inputs`: for each argument that is an array the number of its `input` node.
    - `outputs`: the arrays returned, flattened in the order of the tuple; `output_shapes` are their
      shapes, and where `complex_outputs` is true the real and the imaginary part are two neighbours
      in `outputs`.
    - `escapes`: what was read by Python; the program holds where these values are the same.
    - `written`: names of the inputs that the call changed.
    - `dependence`: why the call may do something else another time, in words; empty if nothing was seen.
    """

    nodes: tuple[Node, ...]
    inputs: Mapping[str, int]
    outputs: tuple[int, ...]
    complex_outputs: tuple[bool, ...] = ()
    escapes: tuple[Escape, ...] = ()
    written: tuple[str, ...] = ()
    dependence: tuple[str, ...] = field(default=())

    def needed(self) -> tuple[int, ...]:
        """The numbers of the nodes that the outputs need, in order."""
        seen: set[int] = set()
        waiting = list(self.outputs)
        while waiting:
            one = waiting.pop()
            if one not in seen:
                seen.add(one)
                waiting.extend(self.nodes[one].inputs)
        return tuple(sorted(seen))


def node_of(handles: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of the nodes of handles."""
    return handles >> ELEMENT_BITS


def element_of(handles: NDArray[np.int64]) -> NDArray[np.int64]:
    """The flat indices of handles in their nodes."""
    return handles & ((1 << ELEMENT_BITS) - 1)


def handles_of(node: int, count: int) -> NDArray[np.int64]:
    """The handles of all `count` elements of a node, flat."""
    return np.arange(count, dtype=np.int64) + (node << ELEMENT_BITS)
