"""An ONNX graph with the operator `RotaryEmbedding`, run by onnxruntime on the CPU.

The operator takes tables of cosines and sines, so what is tested is how it pairs, picks rows and turns:
`ai.onnx` from opset 23 on, and the contributed operator of `com.microsoft`, whose inputs have another order.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.adapters.adapter import Adapter, installed, need
from ropeproof.tools.conform.expected.exact import at_length, certified_tables

__all__ = ["onnx", "onnx_file"]

_DOMAINS = ("ai.onnx", "com.microsoft")


def onnx(
    spec: RopeSpec, *, domain: str = "ai.onnx", opset: int = 23, axes: str = "bhld"
) -> Adapter:
    """The operator `RotaryEmbedding` in a graph of its own, with tables of the spec.

    `domain` is `"ai.onnx"`, of version `opset`, or `"com.microsoft"`; `axes` is `"bhld"`, or `"bl(hd)"`
    for two heads in one axis. Raises `Unsupported` for positions of several coordinates and for
    frequencies that depend on the length, which a table cannot state; `InvalidArgument`.
    """
    if domain not in _DOMAINS:
        raise InvalidArgument("domain", domain, ", ".join(_DOMAINS))
    if axes not in ("bhld", "bl(hd)"):
        raise InvalidArgument("axes", axes, "'bhld' or 'bl(hd)'")
    make = need("onnx", "onnx onnxruntime")
    need("onnxruntime", "onnx onnxruntime")
    if spec.axes is not None or spec.rotary_start:
        raise Unsupported("onnxruntime: positions of one coordinate, from the first on")
    last = 2 * (spec.length or 4096) + 1
    if at_length(spec, 2) != at_length(spec, last):
        raise Unsupported("onnxruntime: tables of frequencies that depend on the length")
    found = certified_tables(spec, np.arange(last)[np.newaxis])
    tables = [t[0][:, : spec.rotary_planes] for t in (found.cosines, found.sines)]
    models: dict[tuple[str, int], Any] = {}

    def session(kind: str, heads: int) -> Any:
        if (kind, heads) not in models:
            graph = _graph(make, spec, tables, kind, heads, domain, opset, flat="(" in axes)
            models[kind, heads] = _session(graph)
        return models[kind, heads]

    def rotate(x: Any, positions: Any) -> Any:
        heads = x.shape[-1] // spec.head_dim if "(" in axes else x.shape[1]
        given = {"x": x, "positions": positions}
        (out,) = session(x.dtype.name, heads).run(["y"], given)
        return out

    options: dict[str, Any] = {"array": "numpy", "axes": axes, "rows": True}
    options["dtypes"] = ("float32", "float16")
    return installed("onnxruntime", rotate, spec, **options)


def onnx_file(
    path: str | os.PathLike[str],
    spec: RopeSpec,
    *,
    x: str = "x",
    positions: str = "positions",
    y: str | None = None,
    axes: str = "bhld",
    dtype: str = "float32",
) -> Adapter:
    """Adapter of your own ONNX graph: inputs `x` and `positions`, `(batch, length)`, output `y`.

    `y` is the first output without it. Raises `InvalidArgument` if the file cannot be read or has no such
    names, `Unsupported` without onnxruntime.
    """
    run = need("onnxruntime", "onnxruntime")
    try:
        session = run.InferenceSession(os.fspath(path), providers=["CPUExecutionProvider"])
    except Exception as error:  # whatever the runtime says of a file
        told = " ".join(str(error).split())[:160]
        raise InvalidArgument("path", os.fspath(path), f"an ONNX model ({told})") from None
    has = {i.name: i.type for i in session.get_inputs()}
    for given, name in (("x", x), ("positions", positions)):
        if name not in has:
            raise InvalidArgument(given, name, ", ".join(has) or "an input of the graph")
    outputs = [o.name for o in session.get_outputs()]
    if y is not None and y not in outputs:
        raise InvalidArgument("y", y, ", ".join(outputs))
    whole = np.int32 if has[positions] == "tensor(int32)" else np.int64

    at = axes.find("h") if "(" not in axes else -1
    (shape,) = [i.shape for i in session.get_inputs() if i.name == x]
    heads = shape[at] if 0 <= at < len(shape) and isinstance(shape[at], int) else None

    def rotate(vectors: Any, places: Any) -> Any:
        # A graph that states its number of heads is given so many at a time, the last filled up.
        count = vectors.shape[at] if heads else 0
        groups, found = [vectors], []
        if heads:
            room = [(0, -count % heads if axis == at else 0) for axis in range(vectors.ndim)]
            whole_groups = np.pad(vectors, room)
            groups = np.split(whole_groups, whole_groups.shape[at] // heads, at)
        for part in groups:
            given = {x: part, positions: places.astype(whole)}
            found.append(session.run([y or outputs[0]], given)[0])
        if not heads:
            return found[0]
        return np.take(np.concatenate(found, at), range(count), at)

    options: dict[str, Any] = {"array": "numpy", "axes": axes, "rows": True, "dtypes": (dtype,)}
    return installed("onnxruntime", rotate, spec, **options)


def _session(graph: Any) -> Any:
    runtime = need("onnxruntime", "onnx onnxruntime")
    chosen = runtime.SessionOptions()
    chosen.intra_op_num_threads = 1
    try:
        return runtime.InferenceSession(
            graph.SerializeToString(), chosen, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # a type or a version that this build has no kernel for
        told = " ".join(str(error).split())[:160]
        raise Unsupported(f"onnxruntime: {told}") from None


def _graph(
    make: Any,
    spec: RopeSpec,
    tables: list[Any],
    kind: str,
    heads: int,
    domain: str,
    opset: int,
    *,
    flat: bool,
) -> Any:
    """An ONNX model of one node, with inputs `x` and positions and with the tables as constants."""
    helper: Any = make.helper
    element = getattr(make.TensorProto, {"float32": "FLOAT", "float16": "FLOAT16"}[kind])
    shape = ["b", "l", heads * spec.head_dim] if flat else ["b", heads, "l", spec.head_dim]
    own: Callable[..., Any] = make.numpy_helper.from_array
    constants = [
        own(table.astype(kind), name) for table, name in zip(tables, ("cos", "sin"), strict=True)
    ]
    more = {"interleaved": int(spec.layout == "interleaved")}
    whole = spec.rotary_dim == spec.head_dim
    if flat or not whole:
        more["num_heads"] = heads
    if not whole:
        more["rotary_embedding_dim"] = spec.rotary_dim
    contributed = domain == "com.microsoft"
    order = ["x", "positions", "cos", "sin"] if contributed else ["x", "cos", "sin", "positions"]
    named = domain if contributed else ""
    node = helper.make_node("RotaryEmbedding", order, ["y"], domain=named, **more)
    inputs = [
        helper.make_tensor_value_info("x", element, shape),
        helper.make_tensor_value_info("positions", make.TensorProto.INT64, ["b", "l"]),
    ]
    outputs = [helper.make_tensor_value_info("y", element, shape)]
    graph = helper.make_graph([node], "rotation", inputs, outputs, constants)
    versions = [helper.make_opsetid("", opset)]
    if contributed:
        versions.append(helper.make_opsetid(domain, 1))
    return helper.make_model(graph, opset_imports=versions, ir_version=10)
