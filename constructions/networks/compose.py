"""Networks composed of constructed heads, one per hop, that solve the number or the letter task."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.head import Certificate, Head
from ropeproof.constructions.networks.margins import class_margins
from ropeproof.constructions.networks.network import AttentionNetwork
from ropeproof.constructions.networks.plan import Code, Plan, Task, letter_plan, number_plan
from ropeproof.numerics.bounds.slash.game import optimal_slash
from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary import exact
from ropeproof.theory.rotary.spec import Linear, RopeSpec

__all__ = ["compose", "plane_vectors", "write_heads"]

Floats = NDArray[np.float64]
_CUTS = 1 << 20


def compose(
    task: Task,
    *,
    hops: int = 4,
    length: int = 17,
    letters: int | None = None,
    integers: int | None = None,
    digits: int | None = None,
    spec: RopeSpec | None = None,
    planes: Literal["one", "several"] = "one",
    code: Code = "one-hot",
    inverse_temperature: float | None = None,
) -> AttentionNetwork:
    r"""An attention-only network of `hops` layers, one RoPE head each, that solves a task.

    - `task`: `"number"` (`letters`, 120 by default, and `integers` from 1 up, 16) or `"letter"`
      (`letters`, 8, and `digits`, 8), with the tokens of `ropeproof.numerics.task`;
    - `hops`: the longest chain that is followed; `length`: the longest sequence it is made for;
    - `planes="one"`, as in the paper: the number task has one plane of angle `2 pi/length`, or the
      plane of `spec` with the largest margin; the letter task one plane on which the letters are
      `omega = 2 pi/letters` apart, unrotated, or the slowest one of `spec`;
    - `planes="several"`: the number task has the amplitudes and phases of the largest margin over
      all planes of `spec` (`slash.game`); the letter task gives every letter a coordinate of its
      own, two letters to a plane, on the slowest planes. `spec` is `RopeSpec(128, 10000)` then;
    - `code` of the number task's letters: `"one-hot"`, or `"pairs"` of fewer coordinates;
    - `inverse_temperature`: what scores of unit amplitude are multiplied by, in logits. By default
      it leaves at most `2**-(hops + 16)` of the weight on wrong tokens in exact arithmetic.

    **What differs from the paper, and why the claim survives.** (1) Heads add to a residual stream.
    For the number task the paper's output `x + a` overwrites the token, and the next layer reads its
    query and values from it; here the query is always that of the *original* token and values are
    what the register `letter` holds. Position `p` with target `p - i` therefore adds, in every
    layer, what is known at `p - i`: nothing, or multiples of its answer. So after `r` layers the
    register holds multiples (up to `2**r`) of the answer if the chain has at most `r` hops and
    nothing otherwise, which is `Index^r` (`task.compose-index`); the read-out returns the integer
    itself in the latter case. (2) The paper's Retrieval replaces the whole stream, `W_V = I` without
    residual. Here layer `l` writes the letter to look for next into a register of its own; keys and
    values are always the original tokens. So register `l` of position `n` holds a fact about
    `sigma_{p^l(n)}`, the token of `Retrieval^l` (`task.compose-retrieval-chain`: other tokens may
    have no parent, or several). (3) Queries of a rotated
    letter plane are centred on the middle lag.

    The certificates count soft attention and the rounding of every step; see
    `ropeproof.constructions.networks.certify`.

    >>> network = compose("letter", hops=2, length=5, letters=3, digits=2)
    >>> tokens = network.plan.vocabulary.encode(["A1 BA CB BA CB", "C2 B1 B1 AC AC"])
    >>> network.plan.vocabulary.decode(network.decode(tokens))
    'A1 C2'
    >>> network.certificate.claim, network.certificate.quantities["length"] >= 5
    ('task.compose-retrieval-chain', True)

    Cost: the game of `slash.game` for `planes="several"`, and certified tables of logits. Raises
    `InvalidArgument`, naming the argument, also if the spec has no margin at that length.
    """
    hops = exact.read_integer("hops", hops, least=1)
    length = exact.read_integer("length", length, least=2)
    if planes not in ("one", "several"):
        raise InvalidArgument("planes", planes, "'one' or 'several'")
    if spec is not None and not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec or None")
    if task == "number":
        if digits is not None:
            raise InvalidArgument("digits", digits, "None for the number task")
        plan = number_plan(
            hops=hops,
            letters=120 if letters is None else letters,
            integers=16 if integers is None else integers,
            code=code,
        )
        spec = _number_spec(length, planes) if spec is None else spec
        queries, keys = _number_vectors(plan, spec, length, planes)
    elif task == "letter":
        for name, value in (("integers", integers), ("code", None if code == "one-hot" else code)):
            if value is not None:
                raise InvalidArgument(name, value, "its default for the letter task")
        plan = letter_plan(
            hops=hops,
            letters=8 if letters is None else letters,
            digits=8 if digits is None else digits,
        )
        if spec is None:
            spec = _letter_spec(len(plan.layers[0].key), planes)
        queries, keys = _letter_vectors(len(plan.layers[0].key), spec, length, planes)
    else:
        raise InvalidArgument("task", task, "'number' or 'letter'")
    margins = class_margins(plan, queries, keys, spec, limit=length)
    unit = margins.least(length)
    if not unit > 0:
        allowed = f"a spec whose planes tell {length} positions and the letters apart"
        raise InvalidArgument("spec", f"a margin of {unit:.3g} per unit amplitude", allowed)
    if inverse_temperature is None:
        # Part of the doubles' rounding is in `unit`; the factor takes the rest.
        beta = math.log((length - 1) * 2.0 ** (hops + 16)) / unit * (1 + 2.0**-20)
    else:
        beta = float(exact.read_rational("inverse_temperature", inverse_temperature))
        if not beta > 0:
            raise InvalidArgument("inverse_temperature", inverse_temperature, "a number > 0")
    claim = "index.margin" if task == "number" else "retrieval.margin"
    quantities = {"inverse_temperature": beta, "length": length, "margin": beta * unit}
    certificate = Certificate(claim, quantities, "float64")
    return AttentionNetwork(
        plan=plan,
        heads=write_heads(plan, [(queries * beta, keys)] * hops, spec, certificate),
        embeddings=plan.embeddings,
        readout=plan.readout,
        length=length,
        inverse_temperature=beta,
    ).certified()


def write_heads(
    plan: Plan,
    layers: Sequence[tuple[Floats, Floats]],
    spec: RopeSpec,
    certificate: Certificate,
) -> tuple[Head, ...]:
    """One head per layer, from queries and keys of its classes, `(classes, head_dim)`.

    Layers that are wired alike share the first one's.
    """
    found: dict[int, Head] = {}
    for wiring, (queries, keys) in zip(plan.layers, layers, strict=True):
        if id(wiring) in found:
            continue
        count = len(wiring.read)
        w_q, w_k = np.zeros((spec.head_dim, plan.width)), np.zeros((spec.head_dim, plan.width))
        w_v, w_o = np.zeros((count, plan.width)), np.zeros((plan.width, count))
        w_q[:, wiring.query], w_k[:, wiring.key] = queries.T, keys.T
        w_v[np.arange(count), wiring.read] = 1
        w_o[wiring.write, np.arange(count)] = 1
        found[id(wiring)] = Head(w_q, w_k, w_v, w_o, spec, certificate, plan.directions)
    return tuple(found[id(wiring)] for wiring in plan.layers)


def _number_spec(length: int, planes: str) -> RopeSpec:
    """One plane of angle `2 pi/length`, or for several planes `RopeSpec(128, 10000)`."""
    if planes == "several":
        return RopeSpec(128, 10000)
    # Position interpolation makes the largest angle 1/factor; below 7 positions 1 serves as well.
    factor = max(Fraction(1), Fraction(length / (2 * math.pi)).limit_denominator(_CUTS))
    return RopeSpec(2, 10000, scaling=Linear(factor))


def _letter_spec(letters: int, planes: str) -> RopeSpec:
    """One unrotated plane beside a rotated one that is not used, or 64 planes or more."""
    if planes == "several":
        return RopeSpec(max(128, letters + letters % 2), 10000)
    return RopeSpec(4, 10000, rotary_dim=2)


def _number_vectors(plan: Plan, spec: RopeSpec, length: int, planes: str) -> tuple[Floats, Floats]:
    """Queries of the integers 0, 1, ... and the one key, of amplitude 1."""
    integers, theta = len(plan.layers[0].query), frequencies_float64(spec)
    amplitudes, phases = np.zeros(spec.planes), np.zeros(spec.planes)
    if planes == "one":
        lags = np.arange(1, length)
        gaps = np.where(theta > 0, (1 - np.cos(np.outer(lags, theta))).min(0), -1.0)
        amplitudes[int(gaps.argmax())] = 1
    else:
        before = min(integers - 1, length - 1)
        game = optimal_slash(spec, before=before, after=length - 1, tolerance=1e-4)
        amplitudes[:], phases[:] = game.amplitudes, game.phases
    turns = phases - np.outer(np.arange(integers), theta)
    radii = np.sqrt(amplitudes) * np.ones((integers, 1))
    queries = plane_vectors(radii * np.exp(1j * turns), spec)
    return queries, plane_vectors(np.sqrt(amplitudes)[np.newaxis], spec)


def _letter_vectors(
    letters: int, spec: RopeSpec, length: int, planes: str
) -> tuple[Floats, Floats]:
    """Queries and keys of the letters, of amplitude 1."""
    theta = frequencies_float64(spec)
    slowest = spec.frequency_order()[::-1]
    vectors = np.zeros((letters, spec.planes), dtype=np.complex128)
    if planes == "one":
        vectors[:, slowest[0]] = np.exp(-2j * np.pi * np.arange(letters) / letters)
    else:
        if letters > 2 * spec.planes:
            raise InvalidArgument("letters", letters, f"at most head_dim, {spec.head_dim}")
        for letter in range(letters):
            vectors[letter, slowest[letter // 2]] = 1j if letter % 2 else 1
    # Lags go from 0 to length - 1; the middle one is where queries and keys agree.
    centred = vectors * np.exp(-1j * theta * (length - 1) / 2)
    return plane_vectors(centred, spec), plane_vectors(vectors, spec)


def plane_vectors(values: NDArray[Any], spec: RopeSpec) -> Floats:
    """Queries or keys `(classes, head_dim)` from complex planes, whose products are the logits.

    The scale `1/sqrt(head_dim)` and the attention factor are taken back.
    """
    real, imaginary = (list(side) for side in zip(*spec.plane_coordinates(), strict=True))
    grown = np.ones(spec.planes)
    grown[: spec.rotary_planes] = attention_factor_float64(spec)
    sizes = values * spec.head_dim**0.25 / grown
    result = np.zeros((len(values), spec.head_dim))
    result[:, real], result[:, imaginary] = sizes.real, sizes.imag
    return result
