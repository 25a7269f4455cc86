"""The mean of a falling sequence bounds its terms and the means of its beginnings."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, n

k, r = integer("k r")
mean = real("kappa")
f = real_function("f")
MEANINGS: Meanings = {
    l: "an index",
    n: "number of terms",
    k: "an index",
    r: "a place",
    mean: "the least that the mean is",
    f: "the terms, by index",
}


def upto(last: Term | int) -> Term:
    """The sum f(1) + ... + f(last)."""
    return sp.Sum(f(k), (k, 1, last))


FALLS = Hypothesis(
    "the sequence falls", Every((k, l), If(Both(le(1, k), le(k, l), le(l, n)), le(f(l), f(k))))
)
AT_MOST_1 = Hypothesis("no term exceeds 1", every(k, 1, n, le(f(k), 1)))
MEAN = Hypothesis("the mean is at least kappa", le(n * mean, upto(n)))
TERM = Hypothesis("r is one of the places", within(r, 1, n))

first_terms = le(r * mean, upto(r))
one_term = le(n * mean, r - 1 + (n - r + 1) * f(r))


@theorem(
    "sums.falling-mean",
    hypotheses=(FALLS, AT_MOST_1, MEAN, TERM),
    conclusion=Both(first_terms, one_term),
    attack=Attack(
        {
            "a mean that is higher": le(r * mean + sp.Rational(1, 10), upto(r)),
            "one term less": le(n * mean, r - 2 + (n - r + 1) * f(r)),
            "one weight less": le(n * mean, r - 1 + (n - r) * f(r)),
        }
    ),
)
def SUMS_FALLING_MEAN(p: Proof) -> None:
    r"""The mean of a falling sequence bounds its terms and the means of its beginnings

    If $f(1)\ge\dots\ge f(n)$, no term exceeds 1 and the mean is at least $\kappa$, then for
    $1\le r\le n$ the mean of the first $r$ terms is at least $\kappa$, too, and
    $n\kappa\le r-1+(n-r+1)f(r)$.
    """
    apart = p.split(upto(n), r, "Split the sum after the place r.", TERM)
    again = p.split(upto(r), r - 1, "Split off the term at r itself.", TERM)
    early = p.under(within(k, 1, r)).use(
        FALLS, {l: r}, TERM, why="A term up to the place r is at least f(r)."
    )
    late = p.under(within(k, r + 1, n)).use(
        FALLS, {k: r, l: k}, TERM, why="A later term is at most f(r)."
    )
    least = early.summed(k, 1, r, "So the first r terms sum to at least r f(r).")
    most = late.summed(k, r + 1, n, "The later terms sum to at most (n - r) f(r).", TERM)
    small = p.under(within(k, 1, r - 1)).use(AT_MOST_1, TERM, why="A term is at most 1.")
    count = small.summed(k, 1, r - 1, "So the terms before r sum to at most r - 1.", TERM)
    p.qed(
        "Add the three parts. Multiply by the number of later terms, which is not negative. "
        "So n times the first r terms is at least r times the whole sum; divide by n.",
        (least, TERM, apart, most, MEAN, again, count),
    )
