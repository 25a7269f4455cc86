"""The restricted linear programme: some columns (plane, phase) against some displacements."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.game.window import Integers, Window
from ropeproof.numerics.core.lag_scan.head import Floats

__all__ = ["Programme", "Solution"]

_TOLERANCES = (1e-10, 1e-7)  # the least that HiGHS takes, and its own choice


@dataclass(frozen=True)
class Solution:
    """The optimum of the restricted programme in float64, uncertified.

    `vector` is the complex amplitude of each plane, `(planes,)`, with sizes that sum to at most 1;
    `weights` are probabilities on the programme's displacements, `(rows,)`, and `shares` on its
    columns.
    """

    value: float
    vector: NDArray[np.complex128]
    weights: Floats
    shares: Floats


class Programme:
    """The programme's columns and rows gathered so far, and the matrix of their gaps.

    A column is a plane at a phase, with the gap `cos(phi) - cos(theta e + phi)` on the row of the
    displacement `e`, computed as `2 sin(theta e/2) sin(theta e/2 + phi)`, which keeps its digits
    where it is small.
    """

    def __init__(self, window: Window) -> None:
        self.window = window
        self.rows: Integers = np.empty(0, dtype=np.int64)
        self.columns: NDArray[np.intp] = np.empty(0, dtype=np.intp)
        self.phases: Floats = np.empty(0)
        self._half = np.empty((0, len(window.planes)))
        self._matrix = np.empty((0, 0))

    def add_columns(self, planes: NDArray[np.intp], phases: Floats) -> None:
        """Add columns; `planes` are indices among the window's planes."""
        half = self._half[:, planes]
        new = 2 * np.sin(half) * np.sin(half + phases)
        self.columns = np.concatenate((self.columns, planes))
        self.phases = np.concatenate((self.phases, phases))
        self._matrix = np.concatenate((self._matrix, new), axis=1)

    def add_rows(self, displacements: Integers) -> int:
        """Add displacements as rows; returns how many of them were new."""
        fresh = np.setdiff1d(displacements, self.rows)
        half = self.window.half_angles(fresh)
        angles = half[:, self.columns]
        new = 2 * np.sin(angles) * np.sin(angles + self.phases)
        self.rows = np.concatenate((self.rows, fresh))
        self._half = np.concatenate((self._half, half))
        self._matrix = np.concatenate((self._matrix, new))
        return len(fresh)

    def prune_rows(self, gaps: Floats, keep_below: float) -> None:
        """Remove the rows whose entry in `gaps`, `(rows,)`, is above `keep_below`."""
        kept = gaps <= keep_below
        self.rows, self._half, self._matrix = self.rows[kept], self._half[kept], self._matrix[kept]

    def prune_columns(self, kept: NDArray[np.bool_]) -> None:
        """Remove the columns where the mask `kept`, `(columns,)`, is False."""
        self.columns, self.phases = self.columns[kept], self.phases[kept]
        self._matrix = self._matrix[:, kept]

    def gaps(self, vector: NDArray[np.complex128]) -> Floats:
        """The gap of a head on every row, `(rows,)`."""
        sine, cosine = np.sin(self._half), np.cos(self._half)
        result: Floats = 2 * ((sine * sine) @ vector.real + (sine * cosine) @ vector.imag)
        return result

    def bound(self) -> float:
        """An upper bound of the programme's value: the smallest of the rows' largest gaps."""
        return float(self._matrix.max(axis=1).min())

    def solve(self, scale: float) -> Solution | None:
        """The programme's optimum, or None if the solver finds none.

        `scale` is roughly the expected value; the solver's tolerances are made relative to it.
        """
        from scipy.optimize import linprog

        rows, columns = self._matrix.shape
        matrix = np.empty((rows, columns + 1))
        np.divide(self._matrix, -scale, out=matrix[:, :-1])
        matrix[:, -1] = 1.0
        limits = np.array([[0.0, np.inf]] * columns + [[-np.inf, np.inf]])
        for tolerance in _TOLERANCES:
            result = linprog(
                np.append(np.zeros(columns), -1.0),
                A_ub=matrix,
                b_ub=np.zeros(rows),
                A_eq=np.append(np.ones(columns), 0.0)[None, :],
                b_eq=[1.0],
                bounds=limits,
                method="highs",
                options={
                    "primal_feasibility_tolerance": tolerance,
                    "dual_feasibility_tolerance": tolerance,
                },
            )
            if result.status == 0:
                break
        else:
            return None
        shares = np.maximum(result.x[:-1], 0.0)
        vector = np.zeros(len(self.window.planes), dtype=np.complex128)
        np.add.at(vector, self.columns, shares * np.exp(1j * self.phases))
        weights = np.maximum(-result.ineqlin.marginals, 0.0)
        if not (np.abs(vector).sum() > 0 and weights.sum() > 0):
            return None
        return Solution(float(result.x[-1]) * scale, vector, weights / weights.sum(), shares)
