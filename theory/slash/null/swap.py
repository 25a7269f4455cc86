"""Exchangeable keys get the same weight on average."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    identity,
    instance,
    rewrite,
    smt,
    split,
    swap,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j
from ropeproof.theory.slash.null.common import (
    COUPLING,
    IN_OTHER,
    IN_PROMPT,
    PAIR,
    _trivial,
    content,
    coupling,
    logit,
    mean,
    normaliser,
    other,
    place,
    term,
    weight,
)
from ropeproof.theory.slash.score import length, probability, prompt, prompts

HALF = sp.Rational(1, 2)


def _law(
    contents: list[list[int]], chances: list[Any], masses: dict[tuple[int, int, int], Any]
) -> tuple[Any, ...]:
    """Prompts by their contents 0 and 1, their law, where the couplings lie; content 1 is liked."""
    size, count = len(contents[0]), len(contents)
    return (
        eq(prompts, count),
        eq(length, size),
        eq(i, size),
        eq(place, 2),
        *(eq(probability(which), chance) for which, chance in enumerate(chances)),
        *(
            eq(content(which, position), value)
            for which, values in enumerate(contents)
            for position, value in enumerate(values, 1)
        ),
        *(
            eq(coupling(*key), masses.get(key, 0))
            for key in (
                (position, first, second)
                for position in range(2, size + 1)
                for first in range(count)
                for second in range(count)
            )
        ),
        eq(logit(0, 0), 0),
        eq(logit(0, 1), 0),
        eq(logit(1, 0), 0 if size == 2 else 3),
        eq(logit(1, 1), 3),
    )


def _swap() -> Claim:
    inside = (*PAIR, le(place, i - 1), le(i, length), ne(coupling(place, prompt, other), 0))
    both = (*PAIR, le(place, i - 1), le(i, length))
    exchanged = Both(
        eq(content(other, 1), content(prompt, place)),
        eq(content(other, place), content(prompt, 1)),
        If(Both(ne(j, 1), ne(j, place)), eq(content(other, j), content(prompt, j))),
    )
    goal = eq(mean(place), mean(1))
    joint = coupling(place, prompt, other)
    left = sp.Sum(joint * weight(prompt, place), (other, 0, prompts - 1))
    right = sp.Sum(joint * weight(other, sp.Integer(1)), (other, 0, prompts - 1))
    flipped = sp.Sum(joint * weight(other, sp.Integer(1)), (prompt, 0, prompts - 1))

    def over_prompts(t: Any) -> Any:
        return sp.Sum(t, (prompt, 0, prompts - 1))

    def over_others(t: Any) -> Any:
        return sp.Sum(t, (other, 0, prompts - 1))

    def pieces(which: Any, label: str) -> tuple[Step, ...]:
        upto = sp.Sum(term(which, j), (j, 1, place))
        return (
            Step(
                f"{label} after",
                eq(normaliser(which), upto + sp.Sum(term(which, j), (j, place + 1, i))),
                split(place),
                "Split the normaliser after position a,",
                (),
                both,
            ),
            Step(
                f"{label} before",
                eq(upto, sp.Sum(term(which, j), (j, 1, place - 1)) + term(which, place)),
                split(place - 1),
                "before it",
                (),
                both,
            ),
            Step(
                f"{label} first",
                eq(
                    sp.Sum(term(which, j), (j, 1, place - 1)),
                    sp.Sum(term(which, j), (j, 1, 1)) + sp.Sum(term(which, j), (j, 2, place - 1)),
                ),
                split(sp.Integer(1)),
                "and after position 1,",
                (),
                both,
            ),
            Step(
                f"{label} one",
                eq(sp.Sum(term(which, j), (j, 1, 1)), term(which, 1)),
                identity(),
                "which gives one term.",
            ),
        )

    def kept(label: str, low: Any, high: Any) -> tuple[Step, ...]:
        where = (*inside, le(low, j), le(j, high))
        return (
            Step(
                f"{label} content",
                eq(content(other, j), content(prompt, j)),
                smt(),
                f"A position {label} keeps its content,",
                ("exchanged",),
                (*where, le(1, j), le(j, length)),
            ),
            Step(
                f"{label} term",
                eq(term(other, j), term(prompt, j)),
                rewrite(),
                "so its term",
                (f"{label} content", "query"),
                (*where, le(1, j), le(j, length)),
            ),
            Step(
                f"{label} sum",
                eq(sp.Sum(term(other, j), (j, low, high)), sp.Sum(term(prompt, j), (j, low, high))),
                termwise(),
                "and their sum.",
                (f"{label} term",),
                inside,
            ),
        )

    return Claim(
        id="slash.null-exchange",
        title="Exchangeable keys get the same weight on average",
        statement=(
            r"For a head without positions and exchangeable tokens, "
            r"$\mathbb E S_{i,a}=\mathbb E S_{i,1}$ for $2\le a\le i-1$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                "the position is in the row before the query",
                Both(le(2, place), le(place, i - 1), le(i, length)),
                without=_law([[0, 1], [1, 0]], [HALF, HALF], {(2, 0, 1): HALF, (2, 1, 0): HALF}),
            ),
            COUPLING[0],
            Hypothesis(
                COUPLING[1].name,
                COUPLING[1].formula,
                without=_law([[0, 1, 1], [1, 0, 1]], [0, 1], {(2, 0, 1): 1, (3, 1, 1): 1}),
            ),
            Hypothesis(
                COUPLING[2].name,
                COUPLING[2].formula,
                without=_law([[0, 1, 0], [1, 0, 0]], [1, 0], {(2, 0, 1): 1, (3, 0, 0): 1}),
            ),
            Hypothesis(
                COUPLING[3].name,
                COUPLING[3].formula,
                without=_law([[1, 0, 0]], [1], {(2, 0, 0): 1, (3, 0, 0): 1}),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "exchanged",
                    exchanged,
                    instance({place: place, prompt: prompt, other: other, j: j}),
                    "The two prompts differ by the exchange.",
                    ("it exchanges positions 1 and a",),
                    (*PAIR, le(1, j), le(j, length), ne(coupling(place, prompt, other), 0)),
                ),
                Step(
                    "at the query",
                    Both(
                        eq(content(other, 1), content(prompt, place)),
                        eq(content(other, place), content(prompt, 1)),
                        If(Both(ne(i, 1), ne(i, place)), eq(content(other, i), content(prompt, i))),
                    ),
                    instance({j: i}),
                    "Positions 1 and a exchange their contents,",
                    ("exchanged",),
                    inside,
                ),
                Step(
                    "first content",
                    eq(content(other, 1), content(prompt, place)),
                    smt(),
                    "the one",
                    ("at the query",),
                    inside,
                ),
                Step(
                    "second content",
                    eq(content(other, place), content(prompt, 1)),
                    smt(),
                    "and the other;",
                    ("at the query",),
                    inside,
                ),
                Step(
                    "query",
                    eq(content(other, i), content(prompt, i)),
                    smt(),
                    "the query keeps its own.",
                    ("at the query",),
                    inside,
                ),
                Step(
                    "first term",
                    eq(term(other, 1), term(prompt, place)),
                    rewrite(),
                    "So the terms exchange,",
                    ("first content", "query"),
                    inside,
                ),
                Step(
                    "second term",
                    eq(term(other, place), term(prompt, 1)),
                    rewrite(),
                    "both ways,",
                    ("second content", "query"),
                    inside,
                ),
                *kept("between", sp.Integer(2), place - 1),
                *kept("beyond", place + 1, i),
                *pieces(prompt, "own"),
                *pieces(other, "other"),
                Step(
                    "normalisers",
                    eq(normaliser(other), normaliser(prompt)),
                    smt(),
                    "and the normaliser stays.",
                    (
                        "own after",
                        "own before",
                        "own first",
                        "own one",
                        "other after",
                        "other before",
                        "other first",
                        "other one",
                        "between sum",
                        "beyond sum",
                        "first term",
                        "second term",
                    ),
                    inside,
                ),
                Step(
                    "weights",
                    eq(weight(other, sp.Integer(1)), weight(prompt, place)),
                    rewrite(),
                    "The weight of a on one prompt is that of 1 on the other.",
                    ("first term", "normalisers"),
                    inside,
                ),
                Step(
                    "joint",
                    eq(joint * weight(prompt, place), joint * weight(other, sp.Integer(1))),
                    smt(),
                    "Weighted by the coupling this holds for every pair,",
                    ("weights",),
                    both,
                ),
                Step(
                    "joint sum",
                    eq(left, right),
                    termwise(),
                    "summed over the second prompt",
                    ("joint",),
                    (*IN_PROMPT, le(2, place), le(place, i - 1), le(i, length)),
                ),
                Step(
                    "double",
                    eq(over_prompts(left), over_prompts(right)),
                    termwise(),
                    "and the first.",
                    ("joint sum", "the position is in the row before the query"),
                ),
                Step(
                    "first law",
                    eq(
                        sp.Sum(coupling(place, prompt, other), (other, 0, prompts - 1)),
                        probability(prompt),
                    ),
                    instance({place: place, prompt: prompt}),
                    "On the left the second prompt",
                    (
                        "its first law is the prompts'",
                        "the position is in the row before the query",
                    ),
                    IN_PROMPT,
                ),
                Step(
                    "left factor",
                    eq(
                        left,
                        weight(prompt, place)
                        * sp.Sum(coupling(place, prompt, other), (other, 0, prompts - 1)),
                    ),
                    identity(),
                    "sums out,",
                ),
                Step(
                    "left term",
                    eq(left, probability(prompt) * weight(prompt, place)),
                    smt(),
                    "which leaves",
                    ("first law", "left factor"),
                    IN_PROMPT,
                ),
                Step(
                    "left mean",
                    eq(over_prompts(left), mean(place)),
                    termwise(),
                    "the mean weight of a.",
                    ("left term",),
                ),
                Step(
                    "exchange",
                    eq(over_prompts(right), over_others(flipped)),
                    swap(),
                    "On the right",
                ),
                Step(
                    "second law",
                    eq(
                        sp.Sum(coupling(place, prompt, other), (prompt, 0, prompts - 1)),
                        probability(other),
                    ),
                    instance({place: place, other: other}),
                    "the first prompt",
                    (
                        "its second law is the prompts'",
                        "the position is in the row before the query",
                    ),
                    IN_OTHER,
                ),
                Step(
                    "right factor",
                    eq(
                        flipped,
                        weight(other, sp.Integer(1))
                        * sp.Sum(coupling(place, prompt, other), (prompt, 0, prompts - 1)),
                    ),
                    identity(),
                    "sums out,",
                ),
                Step(
                    "right term",
                    eq(flipped, probability(other) * weight(other, sp.Integer(1))),
                    smt(),
                    "which leaves",
                    ("second law", "right factor"),
                    IN_OTHER,
                ),
                Step(
                    "right mean",
                    eq(
                        over_others(flipped),
                        over_others(probability(other) * weight(other, sp.Integer(1))),
                    ),
                    termwise(),
                    "the mean weight of 1.",
                    ("right term",),
                ),
                Step(
                    "renamed",
                    eq(over_others(probability(other) * weight(other, sp.Integer(1))), mean(1)),
                    identity(),
                    "(whatever the prompt is called)",
                ),
                Step(
                    "equal",
                    goal,
                    smt(),
                    "So they agree.",
                    ("double", "left mean", "exchange", "right mean", "renamed"),
                ),
            )
        ),
        mutants=(
            Mutant("half the first", eq(mean(place), mean(1) / 2), at=_trivial(3)),
            Mutant("twice the first", eq(mean(place), 2 * mean(1)), at=_trivial(3)),
        ),
    )


SLASH_NULL_EXCHANGE = _swap()

CLAIMS = (SLASH_NULL_EXCHANGE,)
