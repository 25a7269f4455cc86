"""Pictures of the index construction: how it works, how its margin falls, its near-returns."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import sympy
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from ropeproof.constructions import index_head
from ropeproof.numerics.bounds.index import (
    best_one_plane_limit,
    index_margin,
    one_plane_limit,
    staircase,
)
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.proofs_check.site.pictures.style import Drawing, Look, Picture, canvas

__all__ = ["pictures"]


def pictures() -> Iterator[Drawing]:
    """Three pictures: the fan of queries, the printed and the correct bound, margins by length."""
    yield _fan()
    yield _bounds()
    yield _staircase()


def _fan() -> Drawing:
    length, asked = 8, 3
    head = index_head(["A", "B", "C"], length - 1, length, inverse_temperature=1.0)
    theta = float(frequencies_float64(head.spec)[0])
    plane = list(head.spec.plane_coordinates()[0])
    queries = (head.embeddings @ head.w_q.T)[:, plane] @ [1, 1j]
    keys = (head.embeddings @ head.w_k.T)[:, plane] @ [1, 1j]
    queries, keys = queries / np.abs(queries).max(), keys / np.abs(keys).max()
    lags = np.arange(length)
    # Seen from the query's own position, the key at lag t has turned back by t steps.
    places = keys[0] * np.exp(-1j * theta * lags)
    query = queries[head.number(str(asked))]
    values = (query * places.conj()).real
    margin = index_margin(theta, length=length, inputs=asked).lower

    def paint(look: Look) -> Figure:
        figure, (left, right) = canvas(1, 2, height=3.3, width_ratios=(1, 1.25))
        left.add_patch(Circle((0, 0), 1, fill=False, color=look.muted, lw=0.8))
        for lag, place in enumerate(places):
            chosen = lag == asked
            left.plot(place.real, place.imag, **look.dots(int(chosen), filled=chosen, ms=8))
            at = 1.3 * place
            left.text(at.real, at.imag, f"lag {lag}", ha="center", va="center", fontsize=9)
        left.annotate(
            "",
            (0.88 * query.real, 0.88 * query.imag),
            (0, 0),
            arrowprops={"arrowstyle": "-|>", "color": look.colours[1], "lw": 2},
        )
        left.set(xlim=(-1.6, 1.6), ylim=(-1.5, 1.5), aspect="equal", xticks=[], yticks=[])
        left.set_title(f"query “{asked}” and the keys it sees")
        for side in ("left", "bottom"):
            left.spines[side].set_visible(False)
        smooth = np.linspace(0, length - 1, 200)
        right.plot(smooth, np.cos((smooth - asked) * theta), color=look.muted, lw=0.9)
        right.vlines(lags, 0, values, color=look.colours[0], lw=1)
        right.plot(lags, values, **look.dots(0, ms=7))
        right.plot([asked], [values[asked]], **look.dots(1, filled=True, ms=8))
        right.axhline(0, color=look.muted, lw=0.8)
        right.axhline(1 - margin, color=look.ink, lw=0.8, ls="--")
        right.annotate(
            "",
            (asked + 0.45, 1.0),
            (asked + 0.45, 1 - margin),
            arrowprops={"arrowstyle": "<->", "color": look.ink, "shrinkA": 0, "shrinkB": 0},
        )
        right.text(asked + 0.7, 1.04, f"margin {margin:.3f}", **look.note())
        right.set(ylim=(-1.1, 1.25), xlabel="lag t (positions)", xticks=lags)
        right.set_ylabel("logit per unit amplitude")
        return figure

    return Drawing(
        Picture(
            "index-fan",
            f"Left, {length} keys evenly on a circle, one per lag, and an arrow, the query, that "
            f"points at the key of lag {asked}. Right, the logits at the {length} lags: points of a "
            f"cosine with its top at lag {asked}.",
            f"The index construction at {length} positions, $\\theta=2\\pi/{length}$. All keys are one "
            f"vector, and position turns the key at lag $t$ back by $t$ steps; the query “{asked}” is "
            f"turned back by {asked} steps, so it meets the key {asked} back, whatever the token "
            f"(`index.logit`). Its neighbours are below it by the margin "
            f"$1-\\cos(2\\pi/{length})={margin:.3f}$ (`index.margin`).",
        ),
        paint,
    )


def _bounds() -> Drawing:
    every = np.arange(4, 513)
    marked = (4, 6, 8, 12, 16, 24, 32, 64, 128, 256, 512)
    squares, marks = every.astype(float) ** 2, np.array(marked, dtype=float) ** 2
    best = [best_one_plane_limit(int(n)).upper for n in every]
    worst = [one_plane_limit(int(n)).upper for n in every]
    # A little beside the best angle, so that no input ties.
    near = {n: 2 * sympy.pi / (n // 2 + 1) * (1 + sympy.Rational(1, 100 * n)) for n in marked}
    easy = [index_margin(near[n], length=n, inputs="best").lower for n in marked]
    hard = [index_margin(2 * sympy.pi / n, length=n).lower for n in marked]
    witness = index_margin(sympy.pi / 2 + sympy.Rational(1, 100), length=7, inputs=3).lower
    printed = 2 * np.pi**2

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=4.0)
        axis.axhline(
            printed, color=look.colours[1], ls="--", lw=2, label="printed, for every input"
        )
        axis.plot(every, squares * best, color=look.colours[0], lw=1.1, label="proved, best input")
        axis.plot(marked, marks * easy, **look.dots(0, label="a head, best input"))
        axis.plot(
            every, squares * worst, color=look.colours[2], ls="-.", label="proved, worst input"
        )
        axis.plot(marked, marks * hard, **look.dots(2, label="a head, worst input"))
        axis.plot(
            [7], [49 * witness], "*", ms=13, mfc=look.colours[1], mec=look.ink, label="witness"
        )
        axis.set(xscale="log", ylim=(0, 92), xlabel="length n (positions)")
        axis.set_ylabel("margin times n² (per unit amplitude)")
        axis.legend(loc="center right", bbox_to_anchor=(1, 0.55), ncols=1)
        return figure

    return Drawing(
        Picture(
            "index-bounds",
            "Margin times length squared against length: the printed bound is a horizontal line at "
            f"{printed:.1f}; the curve for worst inputs comes up to it from below; the curve for best "
            "inputs, with marks on it, and a star are far above it.",
            r"The printed bound $2\pi^2/n^2$ was stated for the largest margin over inputs. The star is a "
            f"head of 7 positions with the margin {witness:.3f} on one input, above "
            f"{printed / 49:.3f} (`index.printed-bound` is refuted). It does hold for the worst "
            r"input, with $1-\cos(2\pi/n)$, attained at $\theta=2\pi/n$; the best input can have "
            r"$1-\cos(2\pi/\lceil(n+1)/2\rceil)$, four times as much in the long run (`index.margin`).",
        ),
        paint,
    )


def _staircase() -> Drawing:
    most = 1_000_000
    one = staircase(1, [most])
    golden = staircase(sympy.pi * (sympy.sqrt(5) - 1), [most])
    lengths = np.unique(np.geomspace(3, most, 50).astype(int)).tolist()
    limit = [one_plane_limit(n).upper for n in lengths]
    named = [drop for drop in one.drops if drop.length in (7, 45, 711, 103_994)]

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=4.0)
        axis.plot(lengths, limit, color=look.ink, lw=1.4, ls=":", label="no angle has more")
        rows = ((one, "θ = 1, RoPE’s fastest plane"), (golden, "θ at the golden ratio of a turn"))
        for number, (steps, name) in enumerate(rows):
            at = [*(drop.length for drop in steps.drops), most]
            margins = [drop.margin.lower for drop in steps.drops]
            axis.step(at, [*margins, margins[-1]], where="post", **look.line(number, label=name))
        for drop in named:
            axis.annotate(
                f"lag {drop.lag:,}",
                (drop.length, drop.margin.lower),
                (-4, -3),
                textcoords="offset points",
                ha="right",
                va="top",
                fontsize=9,
                color=look.colours[0],
            )
        axis.set(xscale="log", yscale="log", xlabel="length n (positions)")
        axis.set_ylabel("worst margin per unit amplitude")
        axis.legend(loc="upper right")
        return figure

    worst = one.drops[-1]
    return Drawing(
        Picture(
            "index-staircase",
            "Worst margin against length up to a million, on logarithmic scales: two falling "
            "staircases under a dotted line. The one of angle 1 has a few deep drops, that of the "
            "golden angle many small ones close to the line.",
            "A fixed angle keeps its margin until a lag comes nearer to whole turns than all "
            "shorter ones, and drops there (`index.staircase`). One radian per position nearly "
            f"returns after {', '.join(f'{d.lag:,}' for d in named[:3])} positions: the fractions "
            f"22/7 and 355/113 of $\\pi$; at {most:,} positions it has {worst.margin.lower:.1e} left. The "
            r"golden angle, which avoids near-returns, stays close to the limit $1-\cos(2\pi/n)$ of "
            "any angle (`index.margin`).",
        ),
        paint,
    )
