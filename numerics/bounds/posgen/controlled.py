r"""A dummy distance instead of the real one [POSGEN]: which terms of a head's logits move with it.

At a distance `u` the logit of a query and a key is `f_u(q) + g_u(q, k)`, with `f_u(q)` that of the
mean key, the *distance term*, and `g_u` that of the key's deviation, the *key term*. Logits are
additive as far as `g_u` is the same for all `u`. If the deviations of the keys are circular and
uncorrelated across planes, with energies `e_l` as in `posgen.anova`, the key terms at `u` and at
`r` correlate as `sum_l e_l cos(theta_l (u - r)) / sum_l e_l`; for each pair of query and key they differ
by at most `s sum_l |q_l||kappa_l| min{2, theta_l |u - r|}`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.numerics.bounds.posgen.vectors import read_head
from ropeproof.numerics.core.arrays import real_array
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_rational
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["Controlled", "controlled_distance"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Controlled:
    """The terms of one head's logits at each dummy distance, arrays `(distances,)`.

    `moved`, `changed`, `bound`, `term` and `size` are in logits.

    - `distances`: the dummy distances; `reference`: the one that key terms are compared with;
    - `term`: mean over the queries of the distance term;
    - `moved`: root mean square over the queries of the distance term less that at the reference;
    - `changed`: root mean square over all queries and keys of `g_u - g_r`; `bound`: of its bound;
    - `correlation`: of `g_u` and `g_r` over all queries and keys; NaN where one of them is only
      rounding, below `2^-40` of the logits' size;
    - `foreseen`: the correlation if deviations were circular with the head's energies; `null`: with equal
      energies;
    - `rebuilt`: correlation, over the causal pairs of a query and a key, of the real logits
      with the distance term at the real distance plus the key term at the dummy one;
    - `size`: root mean square of `g_r`.
    """

    distances: Floats
    reference: float
    term: Floats
    moved: Floats
    changed: Floats
    bound: Floats
    correlation: Floats
    foreseen: Floats
    null: Floats
    rebuilt: Floats
    size: float


def controlled_distance(
    queries: Any,
    keys: Any,
    spec: RopeSpec,
    distances: ArrayLike,
    *,
    reference: float | None = None,
    scale: float | None = None,
) -> Controlled:
    """The distance term and the key term of a head's logits at dummy distances.

    `queries` and `keys` are unrotated, `(length, head_dim)` each; `distances` any real numbers,
    `reference` one, by default the middle `(length - 1)/2`; `scale` is by default `1/sqrt(head_dim)`.

    >>> same = np.ones((6, 4))  # all keys the mean one: nothing but the distance term
    >>> found = controlled_distance(same, same, RopeSpec(4, 10000), [0, 1])
    >>> float(found.size), bool(found.rebuilt.min() > 1 - 1e-12)
    (0.0, True)

    Cost: `length^2 head_dim/2` multiplications per distance. Raises `InvalidArgument` unless both
    have one shape with 2 tokens or more and all numbers are finite.
    """
    head = read_head(queries, keys, spec, scale)
    length = len(head.keys)
    if head.queries.shape != head.keys.shape or length < 2:
        got = f"shapes {head.queries.shape} and {head.keys.shape} in planes"
        raise InvalidArgument("queries and keys", got, "one shape with 2 tokens or more")
    lags = real_array("distances", distances)
    middle = (length - 1) / 2
    centre = middle if reference is None else float(read_rational("reference", reference))
    mean = head.keys.mean(0)
    own = head.keys - mean

    def distance_term(at: Floats) -> Floats:
        found: Floats = ((head.queries * mean.conj()) @ head.turns(at).T).real
        return found

    def key_term(at: float) -> Floats:
        turned = head.queries * head.turns(np.array([at]))[0]
        found: Floats = (turned @ own.conj().T).real
        return found

    rows, columns = np.tril_indices(length)
    real = distance_term(np.arange(length, dtype=np.float64))[rows, rows - columns]
    rotated = head.turns(np.arange(length, dtype=np.float64))
    whole = ((head.queries * rotated) @ (head.keys * rotated).conj().T).real[rows, columns]
    angles = np.asarray(head.frequencies)
    terms, kept = distance_term(lags), key_term(centre)
    sizes, deviations = np.abs(head.queries), np.abs(own)
    least = 2.0**-40 * float(np.linalg.norm(whole))
    energy = (sizes**2).mean(0) * (deviations**2).mean(0)
    found: dict[str, list[float]] = {
        name: [] for name in ("changed", "bound", "correlation", "rebuilt")
    }
    for lag in lags.tolist():
        term = key_term(lag)
        limits = np.minimum(2.0, angles * abs(lag - centre))
        found["changed"].append(_size(term - kept))
        found["bound"].append(_size((sizes * limits) @ deviations.T))
        found["correlation"].append(_cosine(term, kept, least))
        again = real + term[rows, columns]
        found["rebuilt"].append(_cosine(again - again.mean(), whole - whole.mean()))
    waves = np.cos(np.outer(lags - centre, angles))
    total = float(energy.sum())
    return Controlled(
        distances=lags,
        reference=centre,
        term=terms.mean(0),
        moved=np.sqrt(((terms - distance_term(np.array([centre]))) ** 2).mean(0)),
        foreseen=waves @ energy / total if total > 0 else np.full(len(lags), np.nan),
        null=waves.mean(1),
        size=_size(kept),
        **{name: np.array(values) for name, values in found.items()},
    )


def _size(values: Floats) -> float:
    return float(np.sqrt((values**2).mean()))


def _cosine(one: Floats, other: Floats, least: float = 0.0) -> float:
    sizes = float(np.linalg.norm(one)), float(np.linalg.norm(other))
    if min(sizes) <= least:
        return float("nan")
    return float((one * other).sum()) / (sizes[0] * sizes[1])
