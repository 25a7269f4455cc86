"""Attention weights alone determine a RoPE head up to one complex number per plane."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.head.identified import conclusion, forms
from ropeproof.theory.topics.head.identified.conclusion import HERE, heads, lag
from ropeproof.theory.topics.head.identified.forms import (
    HEAD,
    OTHER,
    Head,
    a,
    dimension,
    logit_of,
    same_logit,
    x,
    y,
)
from ropeproof.theory.topics.head.identified.logits import HEAD_IDENTIFIED
from ropeproof.theory.topics.rope.expressive import expressive_exists

k, p, spare = integer("k p r")
prompt = real_function("X")
last = n - 1
w, v = real("w v")
still, other_still, total, other_total = real("o o_other Z Z_other")
MEANINGS: Meanings = {
    **NOTATION,
    **forms.MEANINGS,
    j: "a position",
    n: "number of tokens",
    k: "a position",
    prompt: vector_in(dimension, "token vectors, by position", matrix=True),
    other_still: shown_as("o′", "o'", "the other head's logit that is 0"),
    other_total: shown_as("Z′", "Z'", "normaliser of the other head's row"),
}


def token(place: Term) -> Callable[..., Term]:
    """The token vector at a position of the prompt."""
    return lambda coordinate: prompt(place, coordinate)


def row_logit(head: Head, place: Term) -> Term:
    """The logit of the prompt's last token on a position."""
    return logit_of(head, token(last), token(place), last - place)


def normaliser(head: Head) -> Term:
    """The sum of the exponentials of the last token's logits."""
    return sp.Sum(sp.exp(row_logit(head, k)), (k, 0, last))


def weight_of(head: Head, place: Term) -> Term:
    """The weight of the prompt's last token on a position."""
    return sp.exp(row_logit(head, place)) / normaliser(head)


TOKENS = Hypothesis("the prompts have at least 2m + 1 tokens", le(2 * m + 1, n))
SAME_WEIGHTS = Hypothesis(
    "the last token's attention weights are the same for both heads on all prompts of n tokens",
    Every((prompt(p, a), j), If(within(j, 0, last), eq(weight_of(HEAD, j), weight_of(OTHER, j)))),
)
_place = last - lag
_window = within(lag, 1, 2 * m)


def _entry(tokens: Function) -> Formula:
    """The last token is x, the one at the lag y, and every other one the zero vector."""
    return Both(
        If(eq(p, last), eq(tokens(p, a), x(a))),
        If(eq(p, _place), eq(tokens(p, a), y(a))),
        If(Both(ne(p, last), ne(p, _place)), eq(tokens(p, a), 0)),
    )


def _written(place: Term, coordinate: Term) -> Term:
    """The prompt with x in the last place, y at the lag, and zero vectors elsewhere."""
    return sp.Piecewise(
        (x(coordinate), eq(place, last)), (y(coordinate), eq(place, _place)), (0, True)
    )


_tokens = Every((p, a), _entry(prompt))


def _prompt(p_: Proof) -> Fact:
    """There is a prompt whose last token is x, with y at the lag and zero vectors elsewhere."""
    at = p_.under(_window)
    return at.witness(
        Some((prompt(p, a),), _tokens),
        {prompt: _written},
        why="Write a prompt that ends with x, has y at the lag and zero vectors elsewhere. It is "
        "so at every position and in every coordinate. So there is such a prompt.",
    )


def _row_times(known: Fact, rows: Function, why: str) -> Fact:
    """A row of W_Q or W_K times a token that is known coordinate by coordinate."""
    return known.times(rows(l, a), "Multiply by an entry of the matrix.").summed(
        a, 0, dimension - 1, why
    )


def _logit(key: Function | None, place: Term, head: Head, query: Fact, token_: Fact) -> Fact:
    """The logit on a position whose token is known: that of x and the vector there."""
    rows = [
        _row_times(query, row, "So this row times the last token is the row times x.")
        for row in head[:2]
    ]
    rows += [
        _row_times(token_, row, "So this row times the token there is known.") for row in head[2:]
    ]
    scope = rows[-1].scope
    term = row_logit(head, place).function
    wanted = 0 if key is None else logit_of(head, x, key, last - place).function
    sides = (term, wanted) if key is None else (wanted, term)
    return scope.rewrite(
        eq(*sides), "So the plane adds what it adds for these two vectors.", *rows
    ).summed(l, 0, m - 1, "So the logit is that of these two vectors.")


def _same_number(p_: Proof) -> Fact:
    """Equal weights on two positions, of which one has the logit 0 for both heads, give equal logits."""
    there = p_.under(
        lt(0, total),
        lt(0, other_total),
        eq(still, 0),
        eq(other_still, 0),
        eq(sp.exp(still) / total, sp.exp(other_still) / other_total),
        eq(sp.exp(w) / total, sp.exp(v) / other_total),
    )
    ones = [
        there.given(eq(of, 0), "Let this logit be 0.").image(sp.exp, "Then its exponential is 1.")
        for of in (still, other_still)
    ]
    powers = there.show(
        eq(sp.exp(w), sp.exp(v)),
        "So the two normalisers are the same. So the other two exponentials are the same.",
        ones,
        by=rules.smt(),
    )
    logs = there.rewrite(
        eq(*(kept(sp.log, sp.exp(of)) for of in (w, v))), "So are their logarithms.", powers
    )
    return there.show(eq(w, v), "The logarithm undoes the exponential.", logs).for_all(
        w, v, still, other_still, total, other_total, why="It is so for all such numbers."
    )


def _positive(at: Scope, head: Head) -> Fact:
    """The sum of the exponentials is positive."""
    term = at.show(lt(0, sp.exp(row_logit(head, k))), "An exponential is positive.")
    return term.summed(
        k, 0, last, "The prompt has a token. So the sum of these exponentials is positive.", TOKENS
    )


def _logits_at(p_: Proof) -> Fact:
    """The logits of all token vectors are the same at the lags 1..2m."""
    rule = _same_number(p_)
    at = p_.under(_window, _tokens)
    known = at.given(_tokens, "Take such a prompt.")
    query, key = (
        at.use(known, {p: place, a: a}, why=why, goal=eq(prompt(place, a), value(a)))
        for place, value, why in (
            (last, x, "Its last token is x."),
            (_place, y, "Its token at the lag is y."),
        )
    )
    beside = at.under(within(spare, 0, last - 1), ne(spare, _place))
    empty = beside.use(
        known,
        {p: spare, a: a},
        why="At any other position it has the zero vector.",
        goal=eq(prompt(spare, a), 0),
    )
    there = [_logit(y, _place, head, query, key) for head in (HEAD, OTHER)]
    none = [_logit(None, spare, head, query, empty) for head in (HEAD, OTHER)]
    ratios = [
        scope.use(SAME_WEIGHTS, {prompt: prompt, j: place}, TOKENS, why=why)
        for scope, place, why in (
            (at, _place, "The weights at the lag are the same."),
            (beside, spare, "The weights on the zero vector are the same."),
        )
    ]
    positive = [_positive(at, head) for head in (HEAD, OTHER)]
    same = beside.use(
        rule,
        {
            w: row_logit(HEAD, _place),
            v: row_logit(OTHER, _place),
            still: row_logit(HEAD, spare),
            other_still: row_logit(OTHER, spare),
            total: normaliser(HEAD),
            other_total: normaliser(OTHER),
        },
        (*positive, *none, *ratios),
        why="So the logits at the lag are the same, as those of the zero vector are 0.",
    )
    logit_ = beside.step(
        same_logit(lag), rules.chain(), "So the logits of x and y are.", there[0], same, there[1]
    ).for_all(spare, why="It is so for any other position before the last.")
    places = [
        at.under(relation(lag, 1)).use(logit_, {spare: place}, TOKENS, why=why)
        for relation, place, why in (
            (ne, last - 1, "If the lag is not 1, take the position before the last."),
            (eq, last - 2, "If the lag is 1, take the position before that one."),
        )
    ]
    either = at.show(same_logit(lag), "So the logits of x and y are the same at this lag.", places)
    return p_.under(_window).choose(
        _prompt(p_), either, "There is such a prompt, and the logits do not depend on it."
    )


_first_row = ((1 - a) * 0 + a, a - 1, 1 - a, a)
_other_row = (-a, a - 1, 1 - a, -a)


@theorem(
    "head.identified-weights",
    source=Source(
        "ropeproof",
        "own statement and proof; compare the abstract of Tran et al., Functional Equivalence in "
        "Attention (arXiv 2606.17830)",
    ),
    needs="PTX",
    hypotheses=(*HERE, TOKENS, SAME_WEIGHTS),
    conclusion=Both(conclusion.forms, conclusion.factors, conclusion.logits),
    example=conclusion.TURNED,
    attack=Attack(
        conclusion.MUTANTS,
        at=conclusion.MUTANTS_AT,
        idle={expressive_exists.PLANES: "without planes nothing is said"},
        without={
            **conclusion.WITHOUT,
            TOKENS: heads(_first_row, _other_row, frequency=sp.pi / 2, D=2, n=2),
            SAME_WEIGHTS: heads((1, 0, 1, 0), (2, 0, 1, 0)),
        },
    ),
)
def HEAD_IDENTIFIED_WEIGHTS(p_: Proof) -> None:
    r"""Attention weights alone determine a RoPE head up to one complex number per plane

    Two heads as in `head.identified`. If the attention weights of the last token are the same for
    both on all prompts of $n\ge2m+1$ token vectors, then
    $q_l(x)\overline{k_l(y)}=q_l'(x)\overline{k_l'(y)}$ for all $x,y$ in each plane; where this
    form is not 0 for some $x,y$, there is one complex number $c\ne0$ with $q_l'=cq_l$ and
    $k_l'=k_l/\overline c$; and the logits agree at every lag.
    """
    same = _logits_at(p_).for_all(
        x(a), y(a), lag, why="So it is for all token vectors and at each of these 2m lags."
    )
    p_.lemma(
        HEAD_IDENTIFIED.at(u=1),
        (*HERE, same),
        why="So logits at 2m lags determine both heads up to one number per plane.",
    )
