r"""The variance bound for heads that are both positional and symbolic, on a table of logits.

With `delta_pos(pi, j) = a[pi(j), j] - a[j, j]` and `delta_sym(pi, j) = a[j, pi(j)] - a[j, j]`, the
variance of the logits `a[j, j]` is at most the mean of `delta_pos^2` plus that of `delta_sym^2`
over all permutations `pi` and all positions `j`. For a position `j` and a random permutation the
pair `(j, pi(j))` is uniform over all `(n - 1)^2` pairs, so that both means are sums over pairs:
no permutation has to be drawn. Claim `head.exclusion`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ropeproof.numerics.bounds.head.arrays import finite_tensor, like
from ropeproof.numerics.bounds.head.table import ContentTable
from ropeproof.theory.errors import InvalidArgument

__all__ = ["Exclusion", "exclusion_terms"]


@dataclass(frozen=True, eq=False)
class Exclusion:
    """The terms of the inequality `head.exclusion`, in logits squared, `(...)` float64 each.

    NumPy arrays or torch tensors.

    - `variance`: `Var_j(a[j, j])`, with the factor `1/(n - 1)`;
    - `positional`, `symbolic`: the means of `delta_pos^2` and `delta_sym^2` over permutations and
      positions, 0 for a positional, a symbolic head;
    - `slack`: `positional + symbolic - variance`, as the mean square over pairs of
      `2 a[k, j] - a[k, k] - a[j, j]` times 1/2: never negative, and 0 exactly if every logit is
      the mean of the content's and the position's own.
    """

    variance: Any
    positional: Any
    symbolic: Any
    slack: Any


def exclusion_terms(table: ContentTable) -> Exclusion:
    """The terms of the exclusion inequality `head.exclusion` for the rows of a table of logits.

    >>> import numpy as np
    >>> a = np.array([[0.0, 1.0], [1.0, 2.0]])  # content plus position
    >>> found = exclusion_terms(ContentTable(a, np.array(0.0)))
    >>> [float(x) for x in (found.variance, found.positional, found.symbolic, found.slack)]
    [1.0, 0.5, 0.5, 0.0]

    Float64 from differences of logits. Cost: a few passes over the table.
    Raises `InvalidArgument`.
    """
    if not isinstance(table, ContentTable):
        raise InvalidArgument("table", type(table).__name__, "a ContentTable")
    values = finite_tensor("values", table.values).double()
    own = values.diagonal(dim1=-2, dim2=-1)
    positional = values - own.unsqueeze(-2)  # content k at position j, less content j there
    symbolic = values - own.unsqueeze(-1)  # content j at position k, less the same at its own
    variance = (own - own.mean(-1, keepdim=True)).square().mean(-1)
    found = (
        variance,
        positional.square().mean((-2, -1)),
        symbolic.square().mean((-2, -1)),
        (positional + symbolic).square().mean((-2, -1)) / 2,
    )
    return Exclusion(*(like(table.values, part) for part in found))
