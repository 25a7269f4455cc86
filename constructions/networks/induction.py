r"""Induction in two layers: the token after the last earlier occurrence of the last token.

Layer 1 is a slash head at offset 1 (`slash.game`): its query and its key are constant, so that it
attends one place back whatever the tokens are, and it writes the token there into a register. Layer
2 matches the present token with that register, on planes that are slow or not rotated, and prefers
the latest place by one plane more. Claim `task.induction`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.head import Certificate
from ropeproof.constructions.networks.compose import plane_vectors, write_heads
from ropeproof.constructions.networks.margins import class_logits, induction_margins
from ropeproof.constructions.networks.network import AttentionNetwork
from ropeproof.constructions.networks.plan import induction_plan
from ropeproof.numerics.bounds.slash.game import optimal_slash
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["induction_network"]

Floats = NDArray[np.float64]
_REST = 2.0**-18
"""The weight that each layer may leave elsewhere, in exact arithmetic."""


def induction_network(
    *,
    tokens: int = 32,
    length: int = 64,
    spec: RopeSpec | None = None,
    inverse_temperature: float | None = None,
) -> AttentionNetwork:
    r"""An attention-only network of two layers, one RoPE head each, that does induction.

    - `tokens`: the size of the vocabulary; `length`: the longest prompt that it is made for;
    - `spec`: the RoPE of both heads, `RopeSpec(128, 10000)` by default. Codes of two tokens share a
      plane, the slowest ones; the recency plane is the fastest one that turns by a quarter turn at
      most over the length;
    - `inverse_temperature`: what unit scores of the second layer are multiplied by, in logits. By
      default it leaves at most `2**-18` of the weight on wrong tokens in exact arithmetic.

    On every prompt of at most the certified length whose last token occurred before, the answer is
    the token after its last earlier occurrence, whatever the other tokens are and wherever they
    stand (`A B A` too: the first position, which has none before it, is behind all others). The
    certificates count soft attention in both layers and the rounding of every step.
    `export_network` makes it a GPT-J or Llama model.

    >>> network = induction_network(tokens=4, length=8)
    >>> prompts = network.plan.vocabulary.encode(["A B A C D A", "B D C C A C"])
    >>> network.plan.vocabulary.decode(network.decode(prompts))
    'C A'
    >>> network.certificate.claim, network.certificate.quantities["length"] >= 8
    ('task.induction', True)

    Cost: the game of `slash.game`, and certified tables of logits. Raises `InvalidArgument`, naming
    the argument, also if the spec has no planes for the codes, for recency, or no margin.
    """
    plan = induction_plan(tokens=tokens)
    length = read_integer("length", length, least=2)
    spec = RopeSpec(128, 10000) if spec is None else spec
    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec or None")
    queries, keys, lead = _matching(plan.tokens, spec, length)
    if inverse_temperature is None:
        cold = math.log((length - 1) / _REST) / lead * (1 + 2.0**-20)
    else:
        cold = float(read_rational("inverse_temperature", inverse_temperature))
        if not cold > 0:
            raise InvalidArgument("inverse_temperature", inverse_temperature, "a number > 0")
    longest = (np.linalg.norm(side[:-1] + side[-1], axis=1).max() for side in (queries, keys))
    amplitude = math.prod(map(float, longest)) / math.sqrt(spec.head_dim)
    query, key = _one_back(spec, length, rest=min(_REST, 1 / (4 * cold * amplitude)))
    certificate = Certificate("slash.game", {"length": length}, "float64")
    return AttentionNetwork(
        plan=plan,
        heads=write_heads(plan, [(query, key), (queries * cold, keys)], spec, certificate),
        embeddings=plan.embeddings,
        readout=plan.readout,
        length=length,
        inverse_temperature=cold,
    ).certified()


def _one_back(spec: RopeSpec, length: int, *, rest: float) -> tuple[Floats, Floats]:
    """Query and key, `(1, head_dim)`, of a slash head at offset 1 that leaves `rest` elsewhere."""
    game = optimal_slash(spec, before=1, after=max(length - 2, 1), tolerance=1e-4)
    sizes, theta = np.sqrt(game.amplitudes), frequencies_float64(spec)
    turned = sizes * np.exp(1j * (game.phases - theta))
    query, key = (plane_vectors(side[np.newaxis], spec) for side in (turned, sizes))
    found = induction_margins(0, query, key, spec, limit=length)
    unit = found.least(length)
    if not unit > 0:
        allowed = f"a spec whose planes tell {length} positions apart"
        raise InvalidArgument("spec", f"a margin of {unit:.3g} per unit amplitude", allowed)
    return query * (math.log((length - 1) / rest) / unit), key


def _matching(tokens: int, spec: RopeSpec, length: int) -> tuple[Floats, Floats, float]:
    """Layer 2's queries and keys of the tokens and the constant, and its smallest lead."""
    theta = frequencies_float64(spec)
    turning = [l for l in range(spec.planes) if 0 < theta[l] * (length - 1) <= math.pi / 2]
    if not turning:
        allowed = f"a plane that turns by at most a quarter turn over {length} positions"
        raise InvalidArgument("spec", spec, allowed)
    recent = max(turning, key=lambda l: theta[l])
    slowest = [l for l in spec.frequency_order()[::-1] if l != recent]
    if tokens > 2 * len(slowest):
        raise InvalidArgument("tokens", tokens, f"at most head_dim - 2, {2 * len(slowest)}")
    codes = np.zeros((tokens, spec.planes), dtype=np.complex128)
    for token in range(tokens):
        codes[token, slowest[token // 2]] = 1j if token % 2 else 1
    recency = np.zeros(spec.planes, dtype=np.complex128)
    recency[recent] = 1
    later = recency * np.exp(1j * math.pi / 4)
    lead = math.sqrt(2) * math.sin(theta[recent] / 2)
    # At amplitude 1: how far the right code is ahead of any other, whatever their lags.
    bare, own = plane_vectors(codes, spec), np.eye(tokens, dtype=bool)
    logits = class_logits(bare, bare, spec, np.arange(length, dtype=np.float64))
    ahead = float(logits[own].min() - logits[~own].max())
    if not ahead > 0:
        allowed = f"slow planes for {tokens} tokens over {length} positions"
        raise InvalidArgument("spec", f"codes that lose by {-ahead:.3g}", allowed)
    size = (math.sqrt(2) + 2 * lead) / ahead
    queries = plane_vectors(np.vstack((size * codes, later)), spec)
    keys = plane_vectors(np.vstack((codes, recency)), spec)
    least = induction_margins(1, queries, keys, spec, limit=length).least(length)
    if not least > 0:
        raise InvalidArgument("spec", f"a lead of {least:.3g}", f"a lead over {length} positions")
    return queries, keys, least
