"""Pictures of head behaviour: score tables, the positional-symbolic plane, exclusion."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ropeproof.constructions import Head, RetrievalHead, index_head, retrieval_head, slash_head
from ropeproof.numerics.bounds.head import (
    content_table,
    exclusion_terms,
    imbalance_bound,
    swap_angles,
    swaps,
    vector_scores,
)
from ropeproof.proofs_check.site.pictures.style import Drawing, Floats, Look, Picture, canvas
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["pictures"]

_TOKENS, _PROMPTS = 17, 12
_SPEC = RopeSpec(64, 10_000)


def pictures() -> Iterator[Drawing]:
    """Three pictures: tables of logits, the plane of the two scores, and the exclusion bound."""
    yield _tables()
    yield _plane()
    yield _exclusion()


def _tables() -> Drawing:
    length = 11
    random = np.random.default_rng(2)
    index = index_head(6, length - 1, length, inverse_temperature=3.0)
    asked = 4
    numbers = np.append(random.integers(6, size=length - 1), 6 + asked - 1)
    lookup = retrieval_head(6, length, inverse_temperature=3.0)
    contents = _functional(lookup, random, length)
    mixed = 0.6 * _drawn(np.random.default_rng(1), length, common=np.array([[1.4]]))
    shown = {
        "positional": (*_sides(index, index.embeddings[numbers]), index.spec),
        "symbolic": (*_sides(lookup, lookup.embeddings[contents]), lookup.spec),
        "neither": (mixed[0], mixed[1], _SPEC),
    }
    tables = {
        name: np.asarray(content_table(q, k, spec).values) for name, (q, k, spec) in shown.items()
    }
    scores = {name: vector_scores(q, k, spec) for name, (q, k, spec) in shown.items()}

    def paint(look: Look) -> Figure:
        figure, axes = canvas(1, 3, height=2.7, sharey=True)
        for axis, (name, table) in zip(axes, tables.items(), strict=True):
            axis.imshow(table, origin="upper")
            axis.grid(False)
            axis.plot(*(np.arange(length - 1),) * 2, "o", ms=4.5, color=look.paper, mec=look.ink)
            found = scores[name]
            axis.set_title(
                f"{name}\npos {float(found.positional):.2f}, sym {float(found.symbolic):.2f}"
            )
            axis.set(xlabel="position p", xticks=range(0, length - 1, 3))
        axes[0].set(ylabel="content k", yticks=range(0, length - 1, 3))
        return figure

    return Drawing(
        Picture(
            "head-tables",
            "Three square tables of logits, content down and position across: vertical stripes for "
            "the positional head, horizontal stripes for the symbolic one, no order in the third. "
            "Small circles mark the diagonal.",
            "The logit of every content at every position, bright where it is large; the circles "
            "are the prompt as it is. In a positional head the columns are constant, in a symbolic "
            "one the rows. Both scores of a head follow from this table alone "
            "(`head.score-table`); they are "
            f"{float(scores['neither'].positional):.2f} and "
            f"{float(scores['neither'].symbolic):.2f} for the drawn head on the right. Where rows "
            "and columns are both constant, so is everything (`head.exclusion`).",
        ),
        paint,
    )


def _plane() -> Drawing:
    random = np.random.default_rng(0)
    spread = _drawn(random, _TOKENS, common=np.linspace(0, 5, 60)[:, np.newaxis, np.newaxis])
    table = content_table(spread[0], spread[1], _SPEC)
    found, angles = swaps(table), swap_angles(table)[0]
    upper = np.triu_indices(_TOKENS - 1, 1)
    chosen = random.choice(60 * len(upper[0]), size=500, replace=False)
    symbolic, positional, imbalance = (
        part[:, upper[0], upper[1]].ravel()[chosen]
        for part in (found.symbolic, found.positional, np.abs(np.tan(angles)))
    )
    heads = _constructed(random)
    heads["drawn heads"] = _scores(spread[0], spread[1], _SPEC)
    radius = float(np.hypot(symbolic, positional).min())
    level = 0.1
    most = imbalance_bound(str(level)).upper
    both = (symbolic > 1 - level) & (positional > 1 - level)
    largest = float(imbalance[both].max())

    def paint(look: Look) -> Figure:
        figure, (left, right) = canvas(1, 2, height=3.9, sharey=True)
        for axis in (left, right):
            _disc(axis, look)
            axis.set(xlim=(-0.03, 1.06), ylim=(-0.03, 1.06), aspect="equal")
            axis.set_xlabel("symbolic score")
        left.set_ylabel("positional score")
        left.set_title("heads, a mark per prompt")
        right.set_title("single swaps of the drawn heads")
        left.plot([0, 1], [1, 0], ls=":", color=look.ink, lw=1)
        for number, (name, (sym, pos)) in enumerate(heads.items()):
            style = look.dots(number, label=name, markerfacecolor="none", ms=(11, 7, 9, 4)[number])
            left.plot(sym, pos, **style)
        left.legend(loc="lower left", fontsize=8)
        right.scatter(
            symbolic, positional, c=imbalance, s=6, vmin=0, vmax=1, cmap=look.shades, zorder=3
        )
        right.plot(
            [1 - level] * 2 + [1.06], [1.06] + [1 - level] * 2, color=look.ink, lw=1.2, ls="--"
        )
        return figure

    return Drawing(
        Picture(
            "head-plane",
            "Two squares with the symbolic score across and the positional score up. Left, marks "
            "of heads: index and slash heads at the upper left, retrieval heads at the lower right, "
            "drawn heads between. Right, dots of single swaps, all outside the quarter disc of "
            "radius 1 around the origin.",
            r"No swap of two tokens lies in the hatched quarter disc, $s_{\rm pos}^2+s_{\rm sym}^2<1$ "
            f"(`head.score-disc`): the nearest of these {len(chosen)} has radius {radius:.4f}. A "
            "head's scores are means over swaps and lie above the dotted line. In the upper right "
            "corner, cut off by the dashed line, both scores exceed "
            f"{1 - level}; there the two weights differ by at most {most:.2f} of their sum "
            f"(`head.score-geometry`), {largest:.2f} among these: a head that is both attends "
            "evenly. Brighter dots: larger difference.",
        ),
        paint,
    )


def _exclusion() -> Drawing:
    random = np.random.default_rng(4)
    rows = []
    for common, count in ((0.0, 60), (2.0, 60)):
        sides = random.standard_normal((2, count, _TOKENS, _SPEC.head_dim))
        sides += common * random.standard_normal((2, count, 1, _SPEC.head_dim))
        sides *= np.sqrt(random.uniform(0.05, 3, size=(count, 1, 1)))
        terms = exclusion_terms(content_table(sides[0], sides[1], _SPEC))
        rows.append((np.asarray(terms.variance), np.asarray(terms.positional + terms.symbolic)))
    # A head whose logits are content plus position has equality.
    sums = []
    for size in np.geomspace(0.1, 6, 7):
        part = size * random.standard_normal(_TOKENS - 1)
        table = content_table(np.ones((_TOKENS, 2)), np.ones((_TOKENS, 2)), RopeSpec(2, 10_000))
        even = type(table)((part[:, None] + part) / 2, np.array(0.0))
        terms = exclusion_terms(even)
        sums.append((float(terms.variance), float(terms.positional + terms.symbolic)))
    equal = np.array(sums).T
    ratio = min(float((bound / variance).min()) for variance, bound in rows)

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=3.6)
        span = np.array([1e-3, 60.0])
        axis.fill_between(
            span, 1e-4, span, facecolor="none", edgecolor=look.faint, hatch="///", lw=0
        )
        axis.plot(span, span, color=look.ink, lw=1.4, label="variance = bound")
        names = ("random heads", "random heads with nearly equal keys")
        for number, (name, (variance, bound)) in enumerate(zip(names, rows, strict=True)):
            axis.plot(variance, bound, **look.dots(number, ms=4, label=name))
        axis.plot(*equal, **look.dots(2, ms=6, label="content plus position, in equal parts"))
        axis.set(xscale="log", yscale="log", xlim=(3e-3, 60), ylim=(3e-3, 400))
        axis.set_xlabel("variance of the logits")
        axis.set_ylabel("mean squared deviations")
        axis.legend(loc="upper left")
        return figure

    return Drawing(
        Picture(
            "head-exclusion",
            "Scatter on logarithmic scales: variance of a head's logits across, the sum of its two "
            "mean squared deviations up. All marks are on or above the diagonal, and those of one "
            "kind are exactly on it.",
            "How far a head is from positional and how far from symbolic, summed, is at least the "
            "variance of its logits (`head.exclusion`): no mark in the hatched region. A head that "
            "is both has constant logits. Equality holds where every logit is the mean of a part of "
            f"its content and one of its position; the random heads keep a factor of {ratio:.2f} or "
            "more.",
        ),
        paint,
    )


def _disc(axis: Axes, look: Look) -> None:
    """Draw the disc of score pairs that no swap reaches."""
    turn = np.linspace(0, math.pi / 2, 100)
    axis.fill(
        [0, *np.cos(turn)],
        [0, *np.sin(turn)],
        facecolor="none",
        edgecolor=look.faint,
        hatch="///",
        lw=0,
        zorder=0,
    )
    axis.plot(np.cos(turn), np.sin(turn), color=look.ink, lw=1.4)


def _sides(head: Head, x: Floats) -> tuple[Floats, Floats]:
    return x @ head.w_q.T, x @ head.w_k.T


def _scores(queries: Floats, keys: Floats, spec: RopeSpec) -> tuple[Floats, Floats]:
    """Symbolic and positional scores, `(prompts,)` each."""
    found = vector_scores(queries, keys, spec)
    return np.asarray(found.symbolic), np.asarray(found.positional)


def _constructed(random: np.random.Generator) -> dict[str, tuple[Floats, Floats]]:
    """The scores of the index, the slash and the retrieval head on prompts of their own."""
    index = index_head(8, _TOKENS - 1, _TOKENS)
    letters = random.integers(8, size=(_PROMPTS, _TOKENS - 1))
    asked = 8 + random.integers(_TOKENS - 1, size=(_PROMPTS, 1))
    slash = slash_head(_SPEC, 3, _TOKENS, 0.9, tokens=[f"t{n}" for n in range(32)])
    lookup = retrieval_head(8, _TOKENS)
    rows = np.array([_functional(lookup, random, _TOKENS) for _ in range(_PROMPTS)])
    prompts = {
        "index head": (index, index.embeddings[np.hstack((letters, asked))]),
        "slash head": (slash, slash.embeddings[random.integers(32, size=(_PROMPTS, _TOKENS))]),
        "retrieval head": (lookup, lookup.embeddings[rows]),
    }
    return {name: _scores(*_sides(head, x), head.spec) for name, (head, x) in prompts.items()}


def _drawn(random: np.random.Generator, length: int, *, common: Floats) -> Floats:
    """Queries and keys of random heads, `(2, ..., length, head_dim)`.

    A part shared by all tokens is `common` times as large as each token's own part.
    """
    shape = (2, *common.shape[:-2], length, _SPEC.head_dim)
    shared = (2, *common.shape[:-2], 1, _SPEC.head_dim)
    sides = random.standard_normal(shape) + common * random.standard_normal(shared)
    result: Floats = 1.3 * sides / np.sqrt(np.hypot(1, common))
    return result


def _functional(head: RetrievalHead, random: np.random.Generator, length: int) -> list[int]:
    """A prompt in which equal left letters mean equal tokens and the queried letter occurs."""
    letters = head.letters
    seconds = random.permutation(len(letters))
    token = {n: head.number(name + letters[seconds[n]]) for n, name in enumerate(letters)}
    own = int(random.choice([n for n in range(len(letters)) if seconds[n] != n]))
    before = random.integers(len(letters), size=length - 1)
    before[random.integers(length - 1)] = seconds[own]
    return [*(token[int(n)] for n in before), token[own]]
