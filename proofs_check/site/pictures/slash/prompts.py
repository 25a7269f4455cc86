"""Pictures of single prompts: the score and its bounds as tokens spread, and a NoPE head."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from ropeproof.constructions import slash_head
from ropeproof.numerics.bounds.slash.emergence import logit_deviation, sandwich_bounds
from ropeproof.numerics.bounds.slash.null import null_bound
from ropeproof.numerics.bounds.slash.score import slash_scores_of
from ropeproof.numerics.core.softmax import weights
from ropeproof.numerics.core.spec import logits, rotate
from ropeproof.proofs_check.site.pictures.style import Drawing, Look, Picture, canvas
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["null", "sandwiched"]


def sandwiched() -> Drawing:
    """The weight in one row with both bounds, as queries and keys spread randomly or adversely."""
    spec, offset, length = RopeSpec(64, 10_000), 8, 32
    head = slash_head(spec, offset, length, 0.3, leak=0.0, tokens=["t"])
    mean_q, mean_k = head.embeddings[0] @ head.w_q.T, head.embeddings[0] @ head.w_k.T
    sizes = float(np.linalg.norm(mean_q)), float(np.linalg.norm(mean_k))
    drawn = np.random.default_rng(5).standard_normal((2, length, spec.head_dim))
    drawn /= np.linalg.norm(drawn, axis=-1, keepdims=True)
    # The worst keys: against the last row's query at the target, with it at all other places.
    worst = rotate(np.tile(mean_q, (length, 1)), np.arange(length)[::-1], spec) / sizes[0]
    worst[length - 1 - offset] *= -1
    kinds = {
        "random tokens": (drawn[0], drawn[1]),
        "keys chosen against it": (np.zeros_like(worst), worst),
        "keys chosen for it": (np.zeros_like(worst), -worst),
    }
    spreads = np.linspace(0, 0.3, 16)
    weight: dict[str, list[float]] = {name: [] for name in kinds}
    lower, upper = [], []
    for spread in spreads:
        for name, (query_part, key_part) in kinds.items():
            queries = mean_q + spread * sizes[0] * query_part
            keys = mean_k + spread * sizes[1] * key_part
            row = logits(queries, keys, np.arange(length), np.arange(length), spec)[-1]
            weight[name].append(float(weights(row)[length - 1 - offset]))
        eta = logit_deviation(_size(sizes, spec), float(spread), float(spread)).upper
        rest = 1 / weight["random tokens"][0] - 1
        bounds = sandwich_bounds(rest, eta)
        lower.append(bounds.lower.lower)
        upper.append(bounds.upper.upper)
    at = 5

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=3.6)
        axis.fill_between(spreads, lower, upper, color=look.faint, alpha=0.6, lw=0)
        axis.plot(spreads, upper, color=look.ink, lw=1)
        axis.plot(spreads, lower, color=look.ink, lw=1, label="bounds for all tokens")
        for number, (name, values) in enumerate(weight.items()):
            axis.plot(spreads, values, **look.series(number, label=name))
        axis.set(xlim=(0, spreads[-1]), ylim=(0, 1.03))
        axis.set_xlabel("distance of queries and keys from the mean, relative to the mean")
        axis.set_ylabel(f"attention weight at lag {offset}")
        axis.legend(loc="center right", bbox_to_anchor=(1, 0.37))
        return figure

    start = weight["random tokens"][0]
    return Drawing(
        Picture(
            "slash-sandwich",
            f"Attention weight at lag {offset} in one row, {start:.2f} if all queries and all keys are "
            "equal, against how far they spread: with random tokens it hardly moves, with keys "
            "chosen against or for it it goes to 0 or to 1, always between two bounds that part "
            "faster.",
            "All queries and all keys are equal on the left, and move away from their means to the "
            "right. Whatever the tokens are, the weight stays in the grey region "
            f"(`slash.sandwich`): at a distance of {spreads[at]:.1f} between {lower[at]:.2f} and "
            f"{upper[at]:.2f}. Random tokens give {weight['random tokens'][at]:.2f} there, the worst "
            f"keys for this query {weight['keys chosen against it'][at]:.2f}: a guarantee for every "
            "prompt is a guarantee against an adversary.",
        ),
        paint,
    )


def _size(sizes: tuple[float, float], spec: RopeSpec) -> float:
    """The bound `s|q||k|` of a logit."""
    return sizes[0] * sizes[1] / float(np.sqrt(spec.head_dim))


def null() -> Drawing:
    """The bound on slash scores of heads without positions, random such heads, and a slash head."""
    length, prompts, offset = 64, 300, 12
    # One plane rotates, and the head does not use it.
    spec = RopeSpec(34, 10_000, rotary_dim=2)
    used = np.ones(spec.head_dim)
    used[list(spec.plane_coordinates()[0])] = 0
    lags = np.unique(np.geomspace(1, length // 2, 40).astype(int))
    bound = [null_bound(length, int(lag)).upper for lag in lags]
    random = np.random.default_rng(1)
    drawn = used * random.standard_normal((2, prompts, length, spec.head_dim))
    plain = np.asarray(slash_scores_of(drawn[0], drawn[1], spec).mean(0))
    head = slash_head(
        RopeSpec(64, 10_000), offset, length, 0.3, tokens=[f"t{n}" for n in range(32)]
    )
    tokens = head.embeddings[random.integers(32, size=(8, length))]
    slash = np.asarray(slash_scores_of(tokens @ head.w_q.T, tokens @ head.w_k.T, head.spec).mean(0))

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=3.5)
        axis.plot(lags, bound, color=look.ink, lw=1.8, label="bound for every NoPE head")
        axis.plot(lags, plain[lags], **look.dots(0, label="random NoPE head"))
        axis.plot(lags, slash[lags], **look.series(1, label=f"slash head, {offset} back"))
        axis.set(xscale="log", yscale="log", ylim=(1e-3, 1.5), xlabel="lag Δ (positions)")
        axis.set_ylabel("slash score")
        axis.legend(loc="lower left")
        return figure

    return Drawing(
        Picture(
            "slash-null",
            f"Slash score against lag for random prompts of {length} tokens: a bound that falls from "
            f"{bound[0]:.3f} to {bound[-1]:.3f}, the scores of a random head without positions "
            f"just below it, and those of a slash head, with a peak of {slash[offset]:.2f} at lag "
            f"{offset}.",
            "Without positions no lag can be preferred: on exchangeable tokens a NoPE head of the "
            f"first layer has on average at most the score of the line, {bound[0]:.3f} at lag 1 "
            f"and {length} tokens (`slash.null`). A random head comes close to it (means over "
            f"{prompts} prompts). The score {slash[offset]:.2f} of the slash head on random tokens "
            "can only come from positions.",
        ),
        paint,
    )
