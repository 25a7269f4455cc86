"""From stored weights to what the certificate needs, after checking that they are wired as planned.

The bounds of `ropeproof.constructions.networks.certify` hold for any numbers in the places that a plan names.
That nothing stands in any other place is checked here, so a network that was changed is refused.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.heads.slash.rounding import SLACK
from ropeproof.constructions.networks.margins import Margins, class_margins, induction_margins
from ropeproof.constructions.networks.plan import Plan, Wiring
from ropeproof.constructions.networks.walk import LayerNorms, Transport
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["check_tables", "read_layer"]

Floats = NDArray[np.float64]


def read_layer(
    plan: Plan,
    number: int,
    weights: tuple[Floats, Floats, Floats, Floats],
    spec: RopeSpec,
    *,
    limit: int,
    norm: LayerNorms | None = None,
) -> tuple[Margins, Transport]:
    """Margins for every length up to `limit`, and the gains, of one layer as it is stored.

    `weights` are those of queries, keys, values and output, as in `Head`; their residual stream may
    have further coordinates behind the plan's, of which a layer norm's balance coordinate is the
    second. Raises `InvalidArgument`, naming the layer, if a weight stands where none may.
    """
    w_q, w_k, w_v, w_o = weights
    wiring = plan.layers[number]
    nominal, constant = (1.0, 1.0) if norm is None else (norm.nominal, norm.constant)
    units = [plan.units(places, constant)[:, None] for places in (wiring.query, wiring.key)]
    _only(f"queries of layer {number}", w_q, wiring.query)
    _only(f"keys of layer {number}", w_k, wiring.key)
    queries = nominal * units[0] * w_q[:, wiring.query].T
    keys = nominal * units[1] * w_k[:, wiring.key].T
    if plan.task == "induction":
        margins = induction_margins(number, queries, keys, spec, limit=limit)
    else:
        margins = class_margins(plan, queries, keys, spec, limit=limit)
    return margins, _transport(plan, number, wiring, w_v, w_o, norm)


def check_tables(
    plan: Plan, embeddings: Floats, readout: Floats, norm: LayerNorms | None = None
) -> None:
    """Check that embeddings and read-out, `(tokens, width)`, are the plan's.

    Behind the plan's coordinates a layer norm has the constant's opposite and the balance of the
    registers; everything else is 0. Raises `InvalidArgument`.
    """
    least = plan.width + (2 if norm is not None and norm.centred else 0)
    for name, table in (("embeddings", embeddings), ("readout", readout)):
        if table.shape[0] != plan.tokens or table.shape[1] < least:
            allowed = f"{plan.tokens} rows of at least {least}"
            raise InvalidArgument(name, f"shape {table.shape}", allowed)
    expected = np.zeros_like(embeddings)
    expected[:, : plan.width] = plan.embeddings
    if norm is not None:
        expected[:, plan.constant] = norm.constant
        if norm.centred:
            expected[:, plan.width] = -norm.constant
            expected[:, plan.width + 1] = -(plan.embeddings.sum(1) - 1)
    if not np.array_equal(embeddings, expected):
        row = int(np.flatnonzero((embeddings != expected).any(1))[0])
        raise InvalidArgument("embeddings", f"token {row}", "the composed network's embeddings")
    expected = np.zeros_like(readout)
    expected[:, : plan.width] = plan.readout
    if not np.array_equal(readout, expected):
        row = int(np.flatnonzero((readout != expected).any(1))[0])
        raise InvalidArgument("readout", f"token {row}", "the composed network's read-out")


def _only(what: str, weights: Floats, allowed: NDArray[np.int64]) -> None:
    rest = np.delete(np.arange(weights.shape[1]), allowed)
    if weights[:, rest].any():
        found = int(rest[weights[:, rest].any(0)][0])
        raise InvalidArgument("weights", f"{what} read coordinate {found}", str(allowed.tolist()))


def _transport(
    plan: Plan, number: int, wiring: Wiring, w_v: Floats, w_o: Floats, norm: LayerNorms | None
) -> Transport:
    """Gains of the product of value and output weights, one number per coordinate moved."""
    _only(f"values of layer {number}", w_v, wiring.read)
    centred = norm is not None and norm.centred
    balance = plan.width + 1
    main = w_o.copy()
    if centred:
        main[balance] = 0.0
    counts = np.count_nonzero(w_v, 1), np.count_nonzero(main, 1), np.count_nonzero(main, 0)
    path = main @ w_v
    gains = path[wiring.write, wiring.read]
    path[wiring.write, wiring.read] = 0.0
    if any(int(count.max()) > 1 for count in counts) or path.any() or not (gains > 0).all():
        got = f"values of layer {number} that are mixed or go elsewhere"
        raise InvalidArgument("weights", got, "one value per coordinate written")
    sums = np.abs(w_o.sum(0)) if centred else np.zeros(1)
    sizes = np.abs(main).sum(0) if centred else np.ones(1)
    used = sizes > 0
    imbalance = float((sums[used] / sizes[used]).max()) * SLACK
    if centred and w_o[:, ~used].any():
        got = f"layer {number} writes to the balance coordinate alone"
        raise InvalidArgument("weights", got, "the sum of what is written")
    nominal = 1.0 if norm is None else norm.nominal
    return Transport(
        least=float(gains.min()) * nominal / SLACK,
        most=float(gains.max()) * nominal * SLACK,
        imbalance=imbalance,
        terms=max(w_v.shape) + 8,
    )
