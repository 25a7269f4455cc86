"""The rotation of a head as a table, from a spec or from a model, and the logits that it gives.

A `Rotation` is made from a `RopeSpec`, exactly up to float64, or holds the tables that a model
itself uses, with that model's rounding: then the logits are those of the model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ropeproof.numerics.core.spec import rotation_tables
from ropeproof.theory.rotary.spec import RopeSpec

if TYPE_CHECKING:
    import torch

__all__ = ["Rotation", "row_tables"]


@dataclass(frozen=True, eq=False)
class Rotation:
    """Cosines and sines of every position, `(length, planes)` float64, and the planes' coordinates.

    They include the attention factor; an unrotated plane has cosine 1 and sine 0. `real` and
    `imaginary` are the coordinates of the planes, `(planes,)` each.
    """

    cosines: torch.Tensor
    sines: torch.Tensor
    real: tuple[int, ...]
    imaginary: tuple[int, ...]

    @classmethod
    def of(cls, spec: RopeSpec, length: int, device: torch.device) -> Rotation:
        """The rotation of a spec at the positions `0, ..., length - 1`."""
        import torch

        positions = torch.arange(length, device=device)
        cosines, sines = rotation_tables(spec, positions, dtype=torch.float64)
        real, imaginary = zip(*spec.plane_coordinates(), strict=True)
        return cls(cosines, sines, real, imaginary)

    @property
    def planes(self) -> int:
        """The number of planes, rotated or not."""
        return len(self.real)

    def plane(self, number: int) -> Rotation:
        """The rotation of one plane alone, as that of a head of dimension 2."""
        column = slice(number, number + 1)
        return Rotation(self.cosines[:, column], self.sines[:, column], (0,), (1,))

    def since(self, first: int) -> Rotation:
        """The rotation at the positions `first, first + 1, ...`, renumbered from 0."""
        return Rotation(self.cosines[first:], self.sines[first:], self.real, self.imaginary)

    def turned_back(self, queries: torch.Tensor, row: int) -> torch.Tensor:
        """The query turned back by each position up to `row`, `(..., row + 1, head_dim)`.

        `queries` is `(..., head_dim)`, unrotated, at position `row`. The scalar product of an
        unrotated key with entry `p` is that of the rotated query with the key rotated to `p`.
        """
        import torch

        x, y = queries[..., list(self.real)], queries[..., list(self.imaginary)]
        cosine, sine = self.cosines[row], self.sines[row]
        real, imaginary = x * cosine - y * sine, x * sine + y * cosine
        real, imaginary = real.unsqueeze(-2), imaginary.unsqueeze(-2)
        cosines, sines = self.cosines[: row + 1], self.sines[: row + 1]
        back = (real * cosines + imaginary * sines, imaginary * cosines - real * sines)
        places = {c: place for place, c in enumerate((*self.real, *self.imaginary))}
        return torch.cat(back, -1)[..., [places[c] for c in range(len(places))]]


def row_tables(
    queries: torch.Tensor,
    keys: torch.Tensor,
    rotation: Rotation,
    row: int,
    *,
    scale: float,
    soft_cap: float | None,
) -> torch.Tensor:
    """The logit of content `k` at position `p` for the query of `row`, `(..., row + 1, row + 1)`.

    Entry `(row, row)` is the query's own logit. `queries` is `(..., head_dim)`, those of `row`,
    `keys` `(..., >= row + 1, head_dim)`, float64, unrotated. The real part of one complex matrix
    product, which is a real one over the coordinates.
    """
    turned = rotation.turned_back(queries * scale, row)
    table: torch.Tensor = keys[..., : row + 1, :] @ turned.transpose(-1, -2)
    return table if soft_cap is None else soft_cap * (table / soft_cap).tanh()
