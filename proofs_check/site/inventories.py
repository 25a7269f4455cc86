"""Addresses of other libraries' documentation, so that signatures link there without a network.

A build writes a small inventory of each library for Sphinx's intersphinx: the names below and their
addresses. With `ROPEPROOF_INVENTORIES=online` a library's own, complete inventory is tried first, and the
small one is used where it is out of reach.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

__all__ = ["LIBRARIES", "VARIABLE", "intersphinx", "inventory"]

VARIABLE = "ROPEPROOF_INVENTORIES"

_NUMPY = "reference/generated/{name}.html#{name}"
_SCALARS = "reference/arrays.scalars.html#{name}"
_TORCH = "generated/{name}.html#{name}"
_CLASS, _DATA, _FUNCTION = "py:class", "py:data", "py:function"

LIBRARIES: Mapping[str, tuple[str, bool, Mapping[str, tuple[str, str]]]] = MappingProxyType(
    {
        "python": (
            "https://docs.python.org/3/",
            True,
            {
                **{
                    f"collections.abc.{n}": (_CLASS, "library/collections.abc.html#{name}")
                    for n in (
                        "Callable",
                        "Collection",
                        "Iterable",
                        "Iterator",
                        "Mapping",
                        "Sequence",
                    )
                },
                "concurrent.futures.Executor": (_CLASS, "library/concurrent.futures.html#{name}"),
                "fractions.Fraction": (_CLASS, "library/fractions.html#{name}"),
                "pathlib.Path": (_CLASS, "library/pathlib.html#{name}"),
                "typing.Any": (_DATA, "library/typing.html#{name}"),
                "typing.Literal": (_DATA, "library/typing.html#{name}"),
                **dict.fromkeys(
                    ("dict", "frozenset", "list", "range", "str", "tuple"),
                    (_CLASS, "library/stdtypes.html#{name}"),
                ),
                **dict.fromkeys(
                    ("bool", "float", "int", "object"), (_CLASS, "library/functions.html#{name}")
                ),
                "None": (_DATA, "library/constants.html#{name}"),
            },
        ),
        "numpy": (
            "https://numpy.org/doc/stable/",
            True,
            {
                "numpy.ndarray": (_CLASS, _NUMPY),
                "numpy.dtype": (_CLASS, _NUMPY),
                "numpy.random.Generator": (_CLASS, "reference/random/generator.html#{name}"),
                **{f"numpy.{n}": (_CLASS, _SCALARS) for n in ("bool_", "float64", "int64")},
                "numpy.complex128": (_CLASS, _SCALARS),
                "numpy.typing.ArrayLike": (_DATA, "reference/typing.html#{name}"),
                "numpy.typing.NDArray": (_DATA, "reference/typing.html#{name}"),
            },
        ),
        "sympy": (
            "https://docs.sympy.org/latest/",
            True,
            {
                "sympy.core.basic.Basic": (_CLASS, "modules/core.html#{name}"),
                "sympy.core.expr.Expr": (_CLASS, "modules/core.html#{name}"),
                "sympy.core.symbol.Symbol": (_CLASS, "modules/core.html#{name}"),
                "sympy.concrete.summations.Sum": (_CLASS, "modules/concrete.html#{name}"),
                "sympy.logic.boolalg.Boolean": (_CLASS, "modules/logic.html#{name}"),
            },
        ),
        "torch": (
            "https://docs.pytorch.org/docs/stable/",
            True,
            {
                "torch.nn.Module": (_CLASS, _TORCH),
                "torch.Tensor": (_CLASS, "tensors.html#{name}"),
                "torch.dtype": (_CLASS, "tensor_attributes.html#{name}"),
                "torch.device": (_CLASS, "tensor_attributes.html#{name}"),
                "torch.compile": (_FUNCTION, _TORCH),
            },
        ),
        # The pages of transformers are not made by Sphinx, so there is no whole inventory.
        "transformers": (
            "https://huggingface.co/docs/transformers/",
            False,
            {
                "transformers.PreTrainedModel": (_CLASS, "main_classes/model#{name}"),
                "transformers.TrainerCallback": (_CLASS, "main_classes/callback#{name}"),
                "transformers.Trainer": (_CLASS, "main_classes/trainer#{name}"),
            },
        ),
    }
)
"""By library: address, whether an inventory is published there, and names with role and place."""


def inventory(library: str) -> bytes:
    """The small inventory of a library, in version 2 of the `objects.inv` format."""
    _, _, names = LIBRARIES[library]
    head = f"# Sphinx inventory version 2\n# Project: {library}\n# Version: \n"
    head += "# The remainder of this file is compressed using zlib.\n"
    lines = (
        f"{name} {role} 1 {place.format(name=name)} -\n" for name, (role, place) in names.items()
    )
    return head.encode() + zlib.compress("".join(lines).encode())


def intersphinx(folder: Path) -> dict[str, tuple[str, tuple[str | None, ...]]]:
    """Write the inventories into a folder; returns the value of Sphinx's `intersphinx_mapping`."""
    online = os.environ.get(VARIABLE) == "online"
    folder.mkdir(parents=True, exist_ok=True)
    found: dict[str, tuple[str, tuple[str | None, ...]]] = {}
    for library, (address, published, _) in LIBRARIES.items():
        place = folder / f"{library}.inv"
        place.write_bytes(inventory(library))
        found[library] = (address, (None, str(place)) if online and published else (str(place),))
    return found
