"""Evaluates a program on numbers, in float64: what it says the user's function gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.proofs_check.programs.record.graph import Node, Program, element_of, node_of
from ropeproof.theory.errors import Unsupported

__all__ = ["replay"]

Array = NDArray[Any]


def _cast(node: Node, x: Array) -> Array:
    if node.dtype == "bool":
        return np.asarray(x != 0)
    if node.dtype.startswith(("int", "uint")):
        whole: Array = np.trunc(x) if x.dtype.kind == "f" else x
        return whole.astype(np.int64)
    return x.astype(np.float64)


_OPERATIONS: Mapping[str, Callable[..., Array]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.true_divide,
    "neg": np.negative,
    "pow": lambda a, b: np.power(a.astype(np.float64), b),
    "floordiv": np.floor_divide,
    "mod": np.mod,
    "fmod": np.fmod,
    "exp2": np.exp2,
    "atan2": np.arctan2,
    "lt": np.less,
    "le": np.less_equal,
    "eq": np.equal,
    "ne": np.not_equal,
    "not": np.logical_not,
    "and": np.logical_and,
    "or": np.logical_or,
    "where": np.where,
    "round": np.rint,
    "abs": np.abs,
    **{
        name: getattr(np, name)
        for name in (
            *("sqrt", "exp", "log", "log2", "log10", "expm1", "log1p", "cos", "sin", "tan"),
            *("sign", "floor", "ceil", "trunc", "maximum", "minimum"),
        )
    },
}


def replay(
    program: Program,
    inputs: Mapping[str, Array],
    *,
    nodes: tuple[int, ...] | None = None,
) -> tuple[Array, ...]:
    """What the outputs of a program, or the given `nodes`, are on these inputs.

    Real numbers are float64, integers int64, so that rounding in the types of the program is left out.
    Raises `Unsupported` if an operation without a meaning or unwritten memory is needed.
    """
    wanted = program.outputs if nodes is None else nodes
    seen: set[int] = set()
    waiting = list(wanted)
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            waiting.extend(program.nodes[one].inputs)
    found: dict[int, Array] = {}
    for number in sorted(seen):
        with np.errstate(all="ignore"):
            found[number] = _value(program, number, found, inputs)
    return tuple(found[n] for n in wanted)


def _value(
    program: Program, number: int, found: Mapping[int, Array], inputs: Mapping[str, Array]
) -> Array:
    node = program.nodes[number]
    given = [found[i] for i in node.inputs]
    if node.op == "input":
        return _plain(np.asarray(inputs[node.name]))
    if node.op == "constant":
        return _plain(np.asarray(node.values))
    if node.op == "gather":
        assert node.handles is not None
        whose, which = node_of(node.handles), element_of(node.handles)
        kind = given[0].dtype if given else np.dtype(np.float64)
        result = np.zeros(node.shape, kind)
        for source, values in zip(node.inputs, given, strict=True):
            mask = whose == source
            result[mask] = values.ravel()[which[mask]]
        return result
    if node.op == "take":
        assert node.offset is not None
        data, index = given
        index = np.where(index < 0, index + node.size, index) if node.wraps else index
        if index.size and (index.min() < 0 or index.max() >= node.size):
            raise Unsupported(f"an index outside a table of {node.size} rows")
        return np.asarray(data.ravel()[node.offset + node.step * index])
    if node.op == "sum":
        return np.asarray(given[0].sum(-1))
    if node.op == "dot":
        return np.asarray((given[0] * given[1]).sum(-1))
    if node.op in ("max", "min"):
        return np.asarray(getattr(given[0], node.op)(-1))
    if node.op == "cast":
        return _cast(node, given[0])
    if node.op in _OPERATIONS:
        return np.asarray(_OPERATIONS[node.op](*given))
    raise Unsupported(f"{node.name or node.op} at {node.place}")


def _plain(values: Array) -> Array:
    kinds = {"f": np.float64, "i": np.int64, "u": np.int64, "b": np.bool_}
    return values.astype(kinds[values.dtype.kind])
