"""Named directions of the residual stream, so that no weight is written by bare index.

A space has one orthonormal direction per name. Vectors are written as coefficients of names, and
a matrix by what it does to them; every name that is left out is sent to 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.theory.errors import InvalidArgument

__all__ = ["Directions"]

Floats = NDArray[np.float64]


class Directions:
    """An ordered set of names, each a unit vector of a space with as many dimensions.

    >>> space = Directions(["shared", "a", "b"])
    >>> space.vector({"shared": 1, "b": 2}).tolist()
    [1.0, 0.0, 2.0]

    Raises `InvalidArgument` if there is no name, or a name is empty or there twice.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        if isinstance(names, str) or not self.names:
            raise InvalidArgument("names", names, "a non-empty list of names")
        for name in self.names:
            if not isinstance(name, str) or not name or self.names.count(name) > 1:
                raise InvalidArgument("names", name, "distinct non-empty strings")
        self._places = {name: place for place, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __repr__(self) -> str:
        return f"Directions({list(self.names)!r})"

    def place(self, name: str) -> int:
        """The coordinate of a name. Raises `InvalidArgument` for an unknown one."""
        if name not in self._places:
            raise InvalidArgument("name", name, f"one of {', '.join(self.names)}")
        return self._places[name]

    def vector(self, coefficients: Mapping[str, float]) -> Floats:
        """The vector with these coefficients, `(len(self),)`. Raises `InvalidArgument`."""
        result = np.zeros(len(self))
        for name, coefficient in coefficients.items():
            result[self.place(name)] = coefficient
        if not np.isfinite(result).all():
            raise InvalidArgument("coefficients", coefficients, "finite numbers")
        return result

    def matrix(self, images: Mapping[str, ArrayLike], rows: int) -> Floats:
        """The matrix `(rows, len(self))` that sends each name to its image, `(rows,)`."""
        result = np.zeros((rows, len(self)))
        for name, image in images.items():
            vector = np.asarray(image, dtype=np.float64)
            if vector.shape != (rows,) or not np.isfinite(vector).all():
                got = f"shape {vector.shape} for {name!r}"
                raise InvalidArgument("images", got, f"finite vectors of shape ({rows},)")
            result[:, self.place(name)] = vector
        return result
