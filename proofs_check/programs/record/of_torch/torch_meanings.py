"""What PyTorch's operations are in terms of the nodes of a program."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch.utils._pytree import tree_map

from ropeproof.proofs_check.programs.record.of_torch.torch_memory import (
    Handles,
    Parts,
    name_of_type,
)
from ropeproof.proofs_check.programs.record.of_torch.torch_operation import (
    Operation,
    parts_of_number,
)
from ropeproof.theory.errors import Unsupported

__all__ = ["MEANINGS", "indexed", "scattered"]

# -- element by element ---------------------------------------------------------------


def _real(op: str, *names: str) -> Callable[[Operation], Parts]:
    """An operation on real operands, computed in the type of its result."""

    def meaning(at: Operation) -> Parts:
        dtype = at.computed_in()
        if dtype.is_complex:
            raise Unsupported(f"aten.{at.name} of complex numbers")
        nodes = tuple(at.operand(at.given[n], dtype)[0] for n in names)
        return (at.builder.handles(at.builder.elementwise(op, nodes, name_of_type(dtype))),)

    return meaning


def _compare(op: str, *, swap: bool = False) -> Callable[[Operation], Parts]:
    def meaning(at: Operation) -> Parts:
        left, right = at.given["self"], at.given["other"]
        dtype = torch.result_type(left, right)
        if dtype.is_complex:
            raise Unsupported(f"aten.{at.name} of complex numbers")
        nodes = [at.operand(v, dtype)[0] for v in (left, right)]
        if swap:
            nodes.reverse()
        return (at.builder.handles(at.builder.elementwise(op, tuple(nodes), "bool")),)

    return meaning


def _logical(op: str, *names: str) -> Callable[[Operation], Parts]:
    def meaning(at: Operation) -> Parts:
        nodes = []
        for n in names:
            value = at.given[n]
            kind = value.dtype if isinstance(value, torch.Tensor) else torch.bool
            if kind is not torch.bool:
                raise Unsupported(f"aten.{at.name} of {kind}")
            nodes.append(at.operand(value, torch.bool)[0])
        return (at.builder.handles(at.builder.elementwise(op, tuple(nodes), "bool")),)

    return meaning


def _sum_of(at: Operation, sign: int, left: Any, right: Any) -> Parts:
    dtype = at.computed_in()
    if dtype is torch.bool:
        raise Unsupported(f"aten.{at.name} of truth values")
    name, build = name_of_type(dtype), at.builder
    first, second = at.operand(left, dtype), at.operand(right, dtype)
    alpha = at.given.get("alpha", 1)
    if isinstance(alpha, complex):
        raise Unsupported("a complex factor alpha")
    if alpha != 1:
        factor = at.number(alpha, dtype)
        second = tuple(build.elementwise("mul", (s, factor), name) for s in second)
    op = "add" if sign > 0 else "sub"
    return tuple(
        build.handles(build.elementwise(op, pair, name)) for pair in zip(first, second, strict=True)
    )


def _multiplied(at: Operation) -> Parts:
    dtype, build = at.computed_in(), at.builder
    if dtype is torch.bool:
        raise Unsupported("a product of truth values")
    name = name_of_type(dtype)

    def op(kind: str, *nodes: int) -> int:
        return build.elementwise(kind, nodes, name)

    if not dtype.is_complex:
        (a,), (b,) = at.operand(at.given["self"], dtype), at.operand(at.given["other"], dtype)
        return (build.handles(op("mul", a, b)),)
    (a, b), (c, d) = at.operand(at.given["self"], dtype), at.operand(at.given["other"], dtype)
    re = op("sub", op("mul", a, c), op("mul", b, d))
    im = op("add", op("mul", a, d), op("mul", b, c))
    return build.handles(re), build.handles(im)


def _divided(at: Operation) -> Parts:
    dtype, build = at.computed_in(), at.builder
    mode = at.given.get("rounding_mode")
    name = name_of_type(dtype)
    top, below = at.operand(at.given["self"], dtype), at.operand(at.given["other"], dtype)
    if dtype.is_complex:
        other = at.given["other"]
        if isinstance(other, complex) or (isinstance(other, torch.Tensor) and other.is_complex()):
            raise Unsupported("a division by complex numbers")
        return tuple(build.handles(build.elementwise("div", (t, below[0]), name)) for t in top)
    if mode == "floor":
        return (build.handles(build.elementwise("floordiv", (top[0], below[0]), name)),)
    if not dtype.is_floating_point:
        if mode != "trunc":
            raise Unsupported(f"aten.{at.name} of integers")
        wide = [build.cast(n, "float64") for n in (top[0], below[0])]
        quotient = build.elementwise("div", tuple(wide), "float64")
        return (build.handles(build.cast(quotient, name)),)
    found = build.elementwise("div", (top[0], below[0]), name)
    if mode == "trunc":
        found = build.elementwise("trunc", (found,), name)
    return (build.handles(found),)


def _each_part(op: str) -> Callable[[Operation], Parts]:
    """An operation on real numbers that acts on both parts of complex ones."""

    def meaning(at: Operation) -> Parts:
        dtype = at.dtype
        name = name_of_type(dtype)
        return tuple(
            at.builder.handles(at.builder.elementwise(op, (n,), name))
            for n in at.operand(at.given["self"], dtype)
        )

    return meaning


def _power(at: Operation) -> Parts:
    dtype = at.computed_in()
    if dtype.is_complex:
        raise Unsupported("a power of complex numbers")
    base, exponent = at.given["self"], at.given["exponent"]
    nodes = (at.operand(base, dtype)[0], at.operand(exponent, dtype)[0])
    return (at.builder.handles(at.builder.elementwise("pow", nodes, name_of_type(dtype))),)


def _with_one(op: str, *, under: bool) -> Callable[[Operation], Parts]:
    """`reciprocal` and `rsqrt`."""

    def meaning(at: Operation) -> Parts:
        dtype, build = at.dtype, at.builder
        if dtype.is_complex:
            raise Unsupported(f"aten.{at.name} of complex numbers")
        name = name_of_type(dtype)
        node = at.operand(at.given["self"], dtype)[0]
        if under:
            node = build.elementwise(op, (node,), name)
        return (build.handles(build.elementwise("div", (at.number(1, dtype), node), name)),)

    return meaning


def _polar(at: Operation) -> Parts:
    build = at.builder
    length, angle = (build.gather(at.parts(at.given[n])[0]) for n in ("abs", "angle"))
    name = name_of_type(at.dtype)
    return tuple(
        build.handles(
            build.elementwise("mul", (length, build.elementwise(op, (angle,), name)), name)
        )
        for op in ("cos", "sin")
    )


def _complex(at: Operation) -> Parts:
    return tuple(at.parts(at.given[n])[0] for n in ("real", "imag"))


def _complex_exp(at: Operation) -> Parts:
    dtype, build = at.dtype, at.builder
    if not dtype.is_complex:
        return _real("exp", "self")(at)
    name = name_of_type(dtype)
    re, im = at.operand(at.given["self"], dtype)
    length = build.elementwise("exp", (re,), name)
    return tuple(
        build.handles(build.elementwise("mul", (length, build.elementwise(op, (im,), name)), name))
        for op in ("cos", "sin")
    )


def _where(at: Operation) -> Parts:
    dtype, build = at.dtype, at.builder
    condition = build.gather(at.parts(at.given["condition"])[0])
    if build.nodes[condition].dtype != "bool":
        raise Unsupported("a condition that is no truth value")
    first, second = at.operand(at.given["self"], dtype), at.operand(at.given["other"], dtype)
    name = name_of_type(dtype)
    return tuple(
        build.handles(build.elementwise("where", (condition, a, b), name))
        for a, b in zip(first, second, strict=True)
    )


def _masked_fill(at: Operation) -> Parts:
    dtype, build = at.dtype, at.builder
    mask = build.gather(at.parts(at.given["mask"])[0])
    name = name_of_type(dtype)
    return tuple(
        build.handles(build.elementwise("where", (mask, a, b), name))
        for a, b in zip(
            at.operand(at.given["value"], dtype), at.operand(at.given["self"], dtype), strict=True
        )
    )


def _clamp(at: Operation) -> Parts:
    dtype, build = at.dtype, at.builder
    name = name_of_type(dtype)
    node = at.operand(at.given["self"], dtype)[0]
    for bound, op in (("min", "maximum"), ("max", "minimum")):
        if at.given.get(bound) is not None:
            node = build.elementwise(op, (node, at.operand(at.given[bound], dtype)[0]), name)
    return (build.handles(node),)


def _copied(at: Operation) -> Parts:
    """A copy, a change of type, or a write of another tensor's elements."""
    source = at.given["src" if at.name == "copy_" else "self"]
    shape = tuple(at.out.shape) if at.out is not None else ()
    nodes = at.operand(source, at.dtype)
    return tuple(np.broadcast_to(at.builder.handles(n), shape) for n in nodes)


def _absolute(at: Operation) -> Parts:
    if at.given["self"].is_complex():
        raise Unsupported("the absolute value of complex numbers")
    return _real("abs", "self")(at)


def _rounded(at: Operation) -> Parts:
    if at.given.get("decimals", 0):
        raise Unsupported("aten.round to decimals")
    return _real("round", "self")(at)


# -- numbers from nothing -------------------------------------------------------------


def _filled(value: Any) -> Callable[[Operation], Parts]:
    def meaning(at: Operation) -> Parts:
        own = at.given[value] if isinstance(value, str) else value
        shape = tuple(at.out.shape) if at.out is not None else ()
        if isinstance(own, torch.Tensor):
            nodes = at.operand(own, at.dtype)
        else:
            nodes = tuple(
                at.builder.cast(_plain(at, v), name_of_type(at.dtype)) for v in parts_of_number(own)
            )
            if at.dtype.is_complex and len(nodes) == 1:
                nodes = (*nodes, at.builder.cast(_plain(at, 0), name_of_type(at.dtype)))
        return tuple(np.broadcast_to(at.builder.handles(n), shape) for n in nodes)

    return meaning


def _plain(at: Operation, value: Any) -> int:
    kind = {bool: "bool", int: "int64"}.get(type(value), "float64")
    return at.builder.constant(np.array(value), kind)


def _arange(at: Operation) -> Parts:
    start, step = at.given.get("start", 0), at.given.get("step", 1)
    end = at.given["end"]
    count = at.out.numel() if at.out is not None else 0
    whole = all(isinstance(v, int) for v in (start, end, step))
    name = name_of_type(at.dtype)
    if not whole and not float(step).is_integer():
        raise Unsupported("aten.arange by a step that is no integer")
    values = np.array([start + step * i for i in range(count)], np.int64 if whole else np.float64)
    own = at.builder.constant(values, "int64" if whole else "float64")
    return (at.builder.handles(at.builder.cast(own, name)),)


# -- movement of elements -------------------------------------------------------------


def _moved(*data: str) -> Callable[[Operation], Parts]:
    """An operation that only moves elements: it is carried out on their handles."""

    def meaning(at: Operation) -> Parts:
        given = [a.name for a in at.func._schema.arguments]
        others = {n: v for n, v in at.given.items() if n not in data}
        if at.depends(others):
            raise Unsupported(f"aten.{at.name} whose places depend on the arguments")
        dtype = at.dtype
        zero = at.builder.cast(_plain(at, 0), name_of_type(dtype)) << 40

        def handles(thing: Any, part: int) -> Any:
            if isinstance(thing, torch.Tensor):
                node = at.operand(thing, dtype)[part]
                return torch.from_numpy(at.builder.handles(node).copy())
            if isinstance(thing, bool | int | float):
                return at.operand(thing, dtype)[part] << 40
            return thing

        found = []
        for part in range(2 if dtype.is_complex else 1):
            full = {
                n: tree_map(lambda t, part=part: handles(t, part), v) if n in data else v
                for n, v in at.given.items()
                if n in given
            }
            full = {n: _with_numbers(at, v) if n not in data else v for n, v in full.items()}
            full.pop("dtype", None)
            positional = [
                a.name for a in at.func._schema.arguments if not a.kwarg_only and a.name in full
            ]
            keyword = {
                a.name: full[a.name]
                for a in at.func._schema.arguments
                if a.kwarg_only and a.name in full and full[a.name] is not None
            }
            result = at.func(*(full[n] for n in positional), **keyword)
            moved = np.asarray(result.numpy(), dtype=np.int64)
            found.append(np.where(moved == 0, zero, moved))
        return tuple(found)

    return meaning


def _with_numbers(at: Operation, thing: Any) -> Any:
    return tree_map(lambda t: at.numbers.get(id(t), t) if isinstance(t, torch.Tensor) else t, thing)


def _padded(at: Operation) -> Parts:
    if at.given.get("value") not in (0, None):
        raise Unsupported("aten.constant_pad_nd with a number other than 0")
    at.given["value"] = 0
    return _moved("self")(at)


def indexed(at: Operation) -> Parts:
    """`index`: by numbers it is a movement, by a tensor that depends on the arguments a `take`."""
    indices = at.given["indices"]
    if not at.depends(indices):
        return _moved("self")(at)
    moving = [n for n, i in enumerate(indices) if i is not None]
    if len(moving) != 1:
        raise Unsupported("an index by several tensors that depend on the arguments")
    return _taken(at, moving[0], indices[moving[0]], wraps=True)


def _selected(at: Operation) -> Parts:
    if not at.depends(at.given["index"]):
        return _moved("self")(at)
    axis = at.given["dim"] % max(at.given["self"].ndim, 1)
    return _taken(at, axis, at.given["index"], wraps=False)


def _embedded(at: Operation) -> Parts:
    if not at.depends(at.given["indices"]):
        return _moved("weight")(at)
    return _taken(at, 0, at.given["indices"], wraps=False, data=at.given["weight"])


def _taken(
    at: Operation, axis: int, index: torch.Tensor, *, wraps: bool, data: Any = None
) -> Parts:
    """Rows of a tensor along one axis, by a tensor of integers that stands in the place of that axis."""
    data = at.given["self"] if data is None else data
    if index.dtype in (torch.bool, torch.uint8):
        raise Unsupported("an index by truth values that depend on the arguments")
    shape = tuple(data.shape)
    after = math.prod(shape[axis + 1 :])
    before = shape[:axis]
    build = at.builder
    where = build.gather(at.parts(index)[0])
    spread = (*before, *tuple(index.shape), *shape[axis + 1 :])
    own = build.handles(where).reshape(
        (1,) * len(before) + tuple(index.shape) + (1,) * (len(shape) - axis - 1)
    )
    wide = build.cast(build.gather(np.broadcast_to(own, spread)), "int64")
    outer = np.arange(math.prod(before), dtype=np.int64).reshape(
        before + (1,) * (len(spread) - axis)
    )
    inner = np.arange(after, dtype=np.int64).reshape(
        (1,) * (axis + index.ndim) + tuple(shape[axis + 1 :])
    )
    offset = np.broadcast_to(outer * shape[axis] * after + inner, spread).copy()
    return tuple(
        build.handles(
            build.add(
                "take",
                (build.gather(part), wide),
                spread,
                name_of_type(data.dtype),
                offset=offset,
                step=after,
                size=shape[axis],
                wraps=wraps,
            )
        )
        for part in at.parts(data)
    )


def _gathered(at: Operation) -> Parts:
    """`gather`: element by element an index along one axis."""
    index, data = at.given["index"], at.given["self"]
    if not at.depends(index):
        return _moved("self")(at)
    axis = at.given["dim"] % max(data.ndim, 1)
    shape = tuple(data.shape)
    places = np.indices(tuple(index.shape))
    strides = [math.prod(shape[n + 1 :]) for n in range(len(shape))]
    offset = np.zeros(tuple(index.shape), np.int64)
    for n, (place, stride) in enumerate(zip(places, strides, strict=True)):
        if n != axis:
            offset = offset + place * stride
    build = at.builder
    where = build.cast(build.gather(at.parts(index)[0]), "int64")
    return tuple(
        build.handles(
            build.add(
                "take",
                (build.gather(part), where),
                tuple(index.shape),
                name_of_type(data.dtype),
                offset=offset,
                step=strides[axis],
                size=shape[axis],
            )
        )
        for part in at.parts(data)
    )


def scattered(at: Operation) -> Parts:
    """A write at places that numbers say; those that depend on the arguments are not followed."""
    if at.given.get("accumulate"):
        raise Unsupported(f"aten.{at.name} that adds")
    return _moved("self", "values", "src", "value", "source")(at)


# -- sums ------------------------------------------------------------------------------


def _dot(at: Operation, left: Handles, right: Handles, dtype: torch.dtype) -> Handles:
    """Sums of products over the last axis."""
    build = at.builder
    shape = np.broadcast_shapes(left.shape, right.shape)
    nodes = tuple(build.gather(np.broadcast_to(h, shape)) for h in (left, right))
    return build.handles(build.add("dot", nodes, shape[:-1], name_of_type(dtype)))


def _matrix_product(at: Operation) -> Parts:
    first, second = at.given["self"], at.given["mat2" if "mat2" in at.given else "other"]
    return _product(at, first, second)


def _product(at: Operation, first: torch.Tensor, second: torch.Tensor) -> Parts:
    dtype, build = at.dtype, at.builder
    left = [build.handles(n) for n in at.operand(first, dtype)]
    right = [build.handles(n) for n in at.operand(second, dtype)]
    left = [h[..., :, None, :] for h in left]
    right = [np.swapaxes(h, -1, -2)[..., None, :, :] for h in right]
    if not dtype.is_complex:
        return (_dot(at, left[0], right[0], dtype),)
    name = name_of_type(dtype)

    def joined(op: str, one: tuple[int, int], two: tuple[int, int]) -> Handles:
        nodes = [build.gather(_dot(at, left[i], right[j], dtype)) for i, j in (one, two)]
        return build.handles(build.elementwise(op, tuple(nodes), name))

    return joined("sub", (0, 0), (1, 1)), joined("add", (0, 1), (1, 0))


def _vector_product(at: Operation) -> Parts:
    first, second = at.given["self"], at.given["vec" if "vec" in at.given else "tensor"]
    dtype, build = at.dtype, at.builder
    if dtype.is_complex:
        raise Unsupported(f"aten.{at.name} of complex numbers")
    left, right = (build.handles(at.operand(t, dtype)[0]) for t in (first, second))
    return (_dot(at, left, right, dtype),)


def _reduced(op: str) -> Callable[[Operation], Any]:
    """`sum`, `amax`, `max` and so on over axes, or over all."""

    def meaning(at: Operation) -> Any:
        source, build = at.given["self"], at.builder
        dims = at.given.get("dim")
        if at.name in ("max", "min") and "other" in at.given:
            return _real("maximum" if op == "max" else "minimum", "self", "other")(at)
        axes = range(source.ndim) if dims in (None, [], ()) else dims
        axes = [axes] if isinstance(axes, int) else list(axes)
        axes = [a % max(source.ndim, 1) for a in axes]
        kept = [n for n in range(source.ndim) if n not in axes]
        dtype = at.dtype
        found = []
        for node in at.operand(source, dtype):
            own = build.handles(node).transpose(*kept, *axes)
            shape = own.shape[: len(kept)]
            inside = build.gather(own.reshape(*shape, -1))
            made = build.handles(build.add(op, (inside,), shape, name_of_type(dtype)))
            if at.given.get("keepdim"):
                made = made.reshape([1 if n in axes else s for n, s in enumerate(source.shape)])
            found.append(made)
        return tuple(found)

    return meaning


def _mean(at: Operation) -> Parts:
    parts = _reduced("sum")(at)
    dtype, build = at.dtype, at.builder
    source = at.given["self"]
    count = source.numel() // max(math.prod(parts[0].shape), 1)
    return tuple(
        build.handles(
            build.elementwise(
                "div", (build.gather(p), at.number(count, dtype)), name_of_type(dtype)
            )
        )
        for p in parts
    )


def _cumulated(at: Operation) -> Parts:
    source, build, dtype = at.given["self"], at.builder, at.dtype
    if dtype.is_complex:
        raise Unsupported("aten.cumsum of complex numbers")
    axis = at.given["dim"] % max(source.ndim, 1)
    own = np.moveaxis(build.handles(at.operand(source, dtype)[0]), axis, -1)
    sums = []
    for n in range(own.shape[-1]):
        inside = build.gather(own[..., : n + 1])
        sums.append(build.handles(build.add("sum", (inside,), own.shape[:-1], name_of_type(dtype))))
    return (np.moveaxis(np.stack(sums, -1), -1, axis),)


def _any_or_all(op: str) -> Callable[[Operation], Parts]:
    """`any` as the largest truth value, `all` as the least."""
    return _reduced(op)


Meaning = Callable[[Operation], Any]
_UNARY: Sequence[str] = (
    *("cos", "sin", "tan", "log", "log2", "log10", "exp2", "expm1", "log1p", "sqrt"),
    *("floor", "ceil", "trunc", "sign"),
)
MEANINGS: dict[str, Meaning] = {
    **{name: _real(name, "self") for name in _UNARY},
    "exp": _complex_exp,
    "add": lambda at: _sum_of(at, 1, at.given["self"], at.given["other"]),
    "sub": lambda at: _sum_of(at, -1, at.given["self"], at.given["other"]),
    "rsub": lambda at: _sum_of(at, -1, at.given["other"], at.given["self"]),
    "mul": _multiplied,
    "div": _divided,
    "floor_divide": _real("floordiv", "self", "other"),
    "remainder": _real("mod", "self", "other"),
    "fmod": _real("fmod", "self", "other"),
    "pow": _power,
    "reciprocal": _with_one("sqrt", under=False),
    "rsqrt": _with_one("sqrt", under=True),
    "neg": _each_part("neg"),
    "abs": _absolute,
    "round": _rounded,
    "atan2": _real("atan2", "self", "other"),
    "maximum": _real("maximum", "self", "other"),
    "minimum": _real("minimum", "self", "other"),
    "clamp": _clamp,
    "clamp_min": _clamp,
    "clamp_max": _clamp,
    "lt": _compare("lt"),
    "le": _compare("le"),
    "gt": _compare("lt", swap=True),
    "ge": _compare("le", swap=True),
    "eq": _compare("eq"),
    "ne": _compare("ne"),
    "logical_not": _logical("not", "self"),
    "logical_and": _logical("and", "self", "other"),
    "logical_or": _logical("or", "self", "other"),
    "bitwise_not": _logical("not", "self"),
    "bitwise_and": _logical("and", "self", "other"),
    "bitwise_or": _logical("or", "self", "other"),
    "__and__": _logical("and", "self", "other"),
    "__or__": _logical("or", "self", "other"),
    "where": _where,
    "masked_fill": _masked_fill,
    "polar": _polar,
    "complex": _complex,
    "_to_copy": _copied,
    "clone": _copied,
    "copy": _copied,
    "lift_fresh_copy": _copied,
    "_conj_physical": lambda at: (
        at.parts(at.given["self"])[0],
        *(at.memory.negative(p, name_of_type(at.dtype)) for p in at.parts(at.given["self"])[1:]),
    ),
    "contiguous": _copied,
    "arange": _arange,
    "full": _filled("fill_value"),
    "full_like": _filled("fill_value"),
    "new_full": _filled("fill_value"),
    "fill": _filled("value"),
    "zeros": _filled(0),
    "zeros_like": _filled(0),
    "new_zeros": _filled(0),
    "zero": _filled(0),
    "ones": _filled(1),
    "ones_like": _filled(1),
    "new_ones": _filled(1),
    "scalar_tensor": _filled("s"),
    "cat": _moved("tensors"),
    "stack": _moved("tensors"),
    "flip": _moved("self"),
    "roll": _moved("self"),
    "repeat": _moved("self"),
    "expand_copy": _moved("self"),
    "view_copy": _moved("self"),
    "permute_copy": _moved("self"),
    "slice_scatter": _moved("self", "src"),
    "select_scatter": _moved("self", "src"),
    "diagonal_scatter": _moved("self", "src"),
    "diag_embed": _moved("self"),
    "tril": _moved("self"),
    "triu": _moved("self"),
    "constant_pad_nd": _padded,
    "index": indexed,
    "_unsafe_index": indexed,
    "index_select": _selected,
    "embedding": _embedded,
    "gather": _gathered,
    "take": _moved("self"),
    "index_put": scattered,
    "_index_put_impl": scattered,
    "index_copy": scattered,
    "scatter": scattered,
    "_reshape_copy": _moved("self"),
    "_unsafe_view": _moved("self"),
    "mm": _matrix_product,
    "bmm": _matrix_product,
    "mv": _vector_product,
    "dot": _vector_product,
    "sum": _reduced("sum"),
    "mean": _mean,
    "cumsum": _cumulated,
    "max": _reduced("max"),
    "min": _reduced("min"),
    "amax": _reduced("max"),
    "amin": _reduced("min"),
    "any": _any_or_all("max"),
    "all": _any_or_all("min"),
}
"""What an operation is, by its name in ATen without the underscore of a write in place."""
