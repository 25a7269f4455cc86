"""A symbolic head sees no order: it cannot index."""

from ropeproof.theory.derivation import Derivation, Step, by_claim, instance, rewrite, smt
from ropeproof.theory.head.cannot.common import c, content, d, own, sigma, size, t, value
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, n
from ropeproof.theory.papers import DECOUPLE
from ropeproof.theory.sums import back, f, forth, k


def _permutation() -> tuple[Hypothesis, ...]:
    because = "it follows from the other three by counting"
    return (
        Hypothesis(
            "pi stays in the range",
            every(j, 0, n - 1, Both(le(0, forth(j)), le(forth(j), n - 1))),
            idle=because,
        ),
        Hypothesis(
            "rho too", every(k, 0, n - 1, Both(le(0, back(k)), le(back(k), n - 1))), idle=because
        ),
        Hypothesis("rho undoes pi", every(j, 0, n - 1, eq(back(forth(j)), j)), idle=because),
        Hypothesis("pi undoes rho", every(k, 0, n - 1, eq(forth(back(k)), k)), idle=because),
    )


def _symbolic() -> Claim:
    def exponential(token: Any) -> Any:
        return sp.exp(content(token))

    def output(sequence: Any, coordinate: Any) -> Any:
        top = sp.Sum(exponential(sequence(j)) * value(sequence(j), coordinate), (j, 0, n - 1))
        bottom = sp.Sum(exponential(sequence(j)), (j, 0, n - 1))
        return (top + sp.exp(own) * value(-1, coordinate)) / (bottom + sp.exp(own))

    def permuted(at: Any) -> Any:
        return sigma(forth(at))

    def picks(sequence: Any, answer: Any) -> Any:
        return every(
            d, 0, size - 1, If(ne(d, answer), lt(output(sequence, d), output(sequence, answer)))
        )

    same = eq(output(permuted, c), output(sigma, c))
    errs = If(Both(picks(sigma, sigma(t)), picks(permuted, permuted(t))), eq(sigma(t), permuted(t)))
    goal = Both(same, errs)
    both = (picks(sigma, sigma(t)), picks(permuted, permuted(t)))
    permutation = _permutation()
    names = tuple(h.name for h in permutation)
    vocabulary, position = "tokens are in the vocabulary", "t is a position"
    in_range = Both(le(0, sigma(j)), le(sigma(j), size - 1))
    apart = ne(sigma(t), permuted(t))

    def sums(label: str, term: Any) -> Step:
        return Step(
            label,
            eq(sp.Sum(term(forth(j)), (j, 0, n - 1)), sp.Sum(term(j), (j, 0, n - 1))),
            by_claim("sums.permute", {f: sp.Lambda(j, term(j))}),
            f"The {label} is a sum over all tokens,",
            names,
        )

    def at(label: str, coordinate: Any) -> Step:
        return Step(
            label,
            eq(output(permuted, coordinate), output(sigma, coordinate)),
            instance({c: coordinate}),
            "The same at each of the two coordinates.",
            ("same",),
        )

    swap = (eq(n, 2), eq(size, 3), eq(forth(0), 1), eq(forth(1), 0), eq(back(0), 1), eq(back(1), 0))
    tokens = (eq(sigma(0), 1), eq(sigma(1), 2), eq(t, 0), eq(c, 1), eq(own, 0), eq(value(-1, 1), 0))
    return Claim(
        id="head.symbolic-cannot-index",
        title="A symbolic head cannot index",
        statement=(
            r"A one-layer model with a symbolic head (logits $s(\sigma_j)$ that see the content alone) "
            r"gives the same output after any permutation of the tokens before the query. So an arg "
            r"max read-out that names the token at position $t$ both before and after the permutation "
            r"needs the two tokens to be equal: on one of two such inputs it errs."
        ),
        source=DECOUPLE.at("Theorem 2", "repaired"),
        needs=frozenset("PTXW"),
        hypotheses=(
            *permutation,
            Hypothesis(
                vocabulary,
                every(j, 0, n - 1, in_range),
                without=(
                    *(eq(n, 2), eq(size, 0), eq(forth(0), 1), eq(forth(1), 0), eq(back(0), 1)),
                    *(eq(back(1), 0), eq(sigma(0), 1), eq(sigma(1), 2), eq(t, 0), eq(c, 1)),
                ),
            ),
            Hypothesis(
                position,
                Both(le(0, t), le(t, n - 1)),
                without=(
                    *(eq(n, 1), eq(size, 1), eq(forth(0), 0), eq(back(0), 0), eq(sigma(0), 0)),
                    *(eq(t, 5), eq(sigma(5), 3), eq(forth(5), 7), eq(sigma(7), 4), eq(c, 0)),
                    *(eq(own, 0), eq(content(0), 0), eq(value(0, 0), -1), eq(value(-1, 0), -1)),
                    *(
                        eq(value(0, 3), 1),
                        eq(value(-1, 3), 1),
                        eq(value(0, 4), 1),
                        eq(value(-1, 4), 1),
                    ),
                ),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                sums("normaliser", lambda at: exponential(sigma(at))),
                sums("numerator", lambda at: exponential(sigma(at)) * value(sigma(at), c)),
                Step(
                    "same",
                    same,
                    rewrite(),
                    "so the output does not see their order.",
                    ("normaliser", "numerator"),
                ),
                Step(
                    "its token",
                    in_range.xreplace({j: t}),
                    instance({j: t}),
                    "The token at t",
                    (vocabulary, position),
                ),
                Step(
                    "its new place",
                    Both(le(0, forth(t)), le(forth(t), n - 1)),
                    instance({j: t}),
                    "and the one that comes there",
                    (names[0], position),
                ),
                Step(
                    "its new token",
                    in_range.xreplace({j: forth(t)}),
                    instance({j: forth(t)}),
                    "are in the vocabulary.",
                    (vocabulary, "its new place"),
                ),
                at("at the first", sigma(t)),
                at("at the second", permuted(t)),
                Step(
                    "first read",
                    picks(sigma, sigma(t)),
                    smt(),
                    "Suppose both answers are read off",
                    (),
                    both,
                ),
                Step(
                    "first wins",
                    lt(output(sigma, permuted(t)), output(sigma, sigma(t))),
                    instance({d: permuted(t)}),
                    "and differ: then the first beats the second",
                    ("first read", "its new token"),
                    (*both, apart),
                ),
                Step(
                    "second read", picks(permuted, permuted(t)), smt(), "on the one input", (), both
                ),
                Step(
                    "second wins",
                    lt(output(permuted, sigma(t)), output(permuted, permuted(t))),
                    instance({d: sigma(t)}),
                    "and the second the first on the other,",
                    ("second read", "its token"),
                    (*both, apart),
                ),
                Step(
                    "errs",
                    errs,
                    smt(),
                    "with one output: impossible.",
                    ("first wins", "second wins", "at the first", "at the second"),
                ),
                Step("both", goal, smt(), "Both.", ("same", "errs")),
            )
        ),
        uses=("sums.permute",),
        mutants=(
            Mutant(
                "the token at t counts double",
                eq(
                    output(permuted, c) + value(permuted(t), c),
                    output(sigma, c) + value(sigma(t), c),
                ),
                at=(*swap, *tokens, eq(value(1, 1), 1), eq(value(2, 1), 0)),
            ),
            Mutant(
                "nothing is attended",
                eq(output(permuted, c), 0),
                at=(
                    *(*swap, *tokens, eq(value(1, 1), 1), eq(value(2, 1), 0)),
                    *(eq(content(1), 0), eq(content(2), 0)),
                ),
            ),
        ),
    )


HEAD_SYMBOLIC_CANNOT_INDEX = _symbolic()

CLAIMS = (HEAD_SYMBOLIC_CANNOT_INDEX,)
