"""Makes the nodes of a program while a user's function runs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.proofs_check.programs.record.graph import (
    ELEMENT_BITS,
    ELEMENTWISE,
    Escape,
    Node,
    Program,
    SourcePlace,
    handles_of,
    node_of,
)

__all__ = ["Builder"]

Handles = NDArray[np.int64]


class Builder:
    """Nodes in order; every method that makes one returns its number.

    `place` is the line of the user's file that new nodes belong to.
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.inputs: dict[str, int] = {}
        self.escapes: list[Escape] = []
        self.dependence: list[str] = []
        self.place: SourcePlace | None = None
        self._numbers: dict[tuple[Any, str], int] = {}
        # No element has the handle 0, so that it can stand for what is filled in.
        self.constant(np.array(0.0), "float64")

    def add(self, op: str, inputs: tuple[int, ...], shape: Any, dtype: str, **more: Any) -> int:
        """Append a node."""
        # What memory held before is like an argument: it may be what another call left there.
        depends = op in ("input", "unknown", "empty") or any(self.nodes[i].depends for i in inputs)
        shape = tuple(int(n) for n in shape)
        place = None if op == "input" else self.place
        self.nodes.append(Node(op, inputs, shape, dtype, place, depends=depends, **more))
        return len(self.nodes) - 1

    def input(self, name: str, shape: Any, dtype: str) -> int:
        """A node of unknowns: an argument of the call."""
        self.inputs[name] = self.add("input", (), shape, dtype, name=name)
        return self.inputs[name]

    def constant(self, values: Any, dtype: str) -> int:
        """A node of numbers; `values` hold them exactly."""
        values = np.asarray(values)
        if values.ndim == 0:
            key = (values.item(), dtype)
            if isinstance(key[0], float) and (key[0] == 0 or key[0] != key[0]):
                key = (repr(key[0]), dtype)  # 0.0 and -0.0 are apart, and nan is no key
            if key not in self._numbers:
                self._numbers[key] = self.add("constant", (), (), dtype, values=values)
            return self._numbers[key]
        return self.add("constant", (), values.shape, dtype, values=values)

    def handles(self, node: int) -> Handles:
        """The handles of a node's elements, in its shape."""
        return handles_of(node, self.nodes[node].count).reshape(self.nodes[node].shape)

    def gather(self, handles: Handles) -> int:
        """The node whose elements are these: an earlier node if it is just that."""
        if handles.size:
            first = int(handles.flat[0]) >> ELEMENT_BITS
            whole = self.nodes[first]
            if (
                whole.shape == handles.shape
                and int(handles.flat[0]) == first << ELEMENT_BITS
                and np.array_equal(handles.ravel(), handles_of(first, whole.count))
            ):
                return first
        sources = tuple(int(n) for n in np.unique(node_of(handles)))
        dtype = self.nodes[sources[0]].dtype if sources else "float32"
        return self.add("gather", sources, handles.shape, dtype, handles=handles.copy())

    def broadcast(self, node: int, shape: Any) -> int:
        """The node in a larger shape."""
        shape = tuple(shape)
        if self.nodes[node].shape == shape:
            return node
        return self.gather(np.broadcast_to(self.handles(node), shape))

    def cast(self, node: int, dtype: str) -> int:
        """The node in a number type."""
        own = self.nodes[node]
        if own.dtype == dtype:
            return node
        return self.add("cast", (node,), own.shape, dtype)

    def elementwise(self, op: str, inputs: tuple[int, ...], dtype: str) -> int:
        """A node computed element by element; operands are broadcast, not cast."""
        if op not in ELEMENTWISE:
            raise KeyError(op)
        shape = np.broadcast_shapes(*(self.nodes[i].shape for i in inputs))
        return self.add(op, tuple(self.broadcast(i, shape) for i in inputs), shape, dtype)

    def depends(self, handles: Handles) -> bool:
        """Whether one of these elements depends on an input."""
        return any(self.nodes[int(n)].depends for n in np.unique(node_of(handles)))

    def escape(self, handles: Handles, value: Any) -> None:
        """Python reads the element; noted if it depends on an input."""
        if self.depends(handles):
            self.escapes.append(Escape(self.gather(handles), value, self.place))

    def types(self, handles: Handles) -> set[str]:
        """The number types of the nodes that these elements are of."""
        return {self.nodes[int(n)].dtype for n in np.unique(node_of(handles))}

    def program(
        self, outputs: list[int], complex_outputs: list[bool], written: list[str]
    ) -> Program:
        """The finished program."""
        return Program(
            nodes=tuple(self.nodes),
            inputs=dict(self.inputs),
            outputs=tuple(outputs),
            complex_outputs=tuple(complex_outputs),
            escapes=tuple(self.escapes),
            written=tuple(written),
            dependence=tuple(dict.fromkeys(self.dependence)),
        )
