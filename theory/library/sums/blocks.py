"""A sum over K N integers as a sum over K blocks of N, and telescoping sums."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l
from ropeproof.theory.library.order import ORDER_PRODUCT_SIGN

blocks, width, r, h = integer("K N r h")
f = real_function("f")
MEANINGS: Meanings = {
    l: "an index",
    blocks: "number of blocks",
    width: "length of a block",
    r: "a block",
    h: "number of terms",
    f: "the terms, by index",
}

COUNT = Hypothesis("the number of blocks is not negative", le(0, blocks))
WIDTH = Hypothesis("blocks have a length", le(0, width))


def in_a_row(count: Term | int) -> Term:
    """The sum over the terms of the first `count` blocks, in one range."""
    return sp.Sum(f(l), (l, 0, count * width - 1))


def by_block(count: Term | int) -> Term:
    """The sum over the terms of the first `count` blocks, block by block."""
    return sp.Sum(sp.Sum(f(l + r * width), (l, 0, width - 1)), (r, 0, count - 1))


@theorem(
    "sums.blocks",
    source=Source("textbook", "finite sums"),
    hypotheses=(COUNT, WIDTH),
    conclusion=eq(in_a_row(blocks), by_block(blocks)),
    attack=Attack(
        {
            "the first block each time": eq(
                in_a_row(blocks), blocks * sp.Sum(f(l), (l, 0, width - 1))
            ),
            "one block more": eq(in_a_row(blocks), by_block(blocks + 1)),
        },
        at={
            "the first block each time": {blocks: 2, width: 1, f(0): 0, f(1): 1},
            "one block more": {blocks: 1, width: 1, f(0): 0, f(1): 1},
        },
        idle={
            COUNT: "with fewer than no blocks both sums are empty",
            WIDTH: "blocks of fewer than no terms are empty, and so is the whole",
        },
    ),
)
def SUMS_BLOCKS(p: Proof) -> None:
    r"""A sum over K N integers, block by block

    $\sum_{l<KN}f_l=\sum_{r<K}\sum_{l<N}f_{l+rN}$ for integers $K,N\ge0$.
    """

    def so_far(count: Term) -> Formula:
        return eq(in_a_row(count), by_block(count))

    start = p.show(so_far(sp.Integer(0)), "Without a block both sums are empty.")
    more = p.under(le(0, h))
    sign = more.apply(
        ORDER_PRODUCT_SIGN.at(x=h),
        WIDTH,
        why="The number of terms in h blocks, h N, is not negative.",
    )
    cut = more.split(
        in_a_row(h + 1),
        h * width - 1,
        "Split the sum before the first term of the next block.",
        sign,
        WIDTH,
    )
    last = more.last(by_block(h + 1), "Split the last block off the sum over h + 1 blocks.")
    following = more.under(so_far(h)).show(
        so_far(h + 1),
        "Number the terms of the next block from 0. If the sums over h blocks agree, so do "
        "those over h + 1 blocks.",
        (cut, last),
    )
    always = more.induction(
        so_far(h),
        h,
        0,
        start,
        following,
        why="By induction the two sums agree for any number of blocks.",
    )
    p.use(always, {h: blocks}, COUNT, why="In particular they agree for K blocks.")


# -- differences ---------------------------------------------------------------------------

STEPS = Hypothesis("the number of steps is not negative", le(0, h))


def _falls(count: Term) -> Formula:
    return eq(sp.Sum(f(l - 1) - f(l), (l, 1, count)), f(0) - f(count))


@theorem(
    "sums.telescope",
    source=Source("textbook", "finite sums"),
    hypotheses=(STEPS,),
    conclusion=_falls(h),
    attack=Attack(
        {"reversed": eq(_falls(h).lhs, f(h) - f(0))},
        at={"reversed": {h: 1, f(0): 1, f(1): 0}},
        without={STEPS: {h: -1, f(0): 1, f(-1): 0}},
    ),
)
def SUMS_TELESCOPE(p: Proof) -> None:
    r"""Differences of neighbours add up to that of the ends

    $\sum_{l=1}^n(f_{l-1}-f_l)=f_0-f_n$ for $n\ge0$.
    """
    start = p.show(kept_at(_falls(r), r, 0), "Without a step both sides are 0.")
    more = p.under(le(0, r))
    last = more.last(_falls(r + 1).lhs, "Split the last difference off the sum over r + 1 steps.")
    following = more.under(_falls(r)).show(
        _falls(r + 1), "The last difference turns f_0 - f_r into f_0 - f_(r+1).", last
    )
    always = more.induction(
        _falls(r), r, 0, start, following, why="By induction this holds for any number of steps."
    )
    p.use(always, {r: h}, STEPS, why="In particular it holds for the given number of steps.")
