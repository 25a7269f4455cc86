"""Attention weights on prompts of a vocabulary determine a RoPE head's forms of the vocabulary's tokens."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_POSITIVE
from ropeproof.theory.topics.head.identified import conclusion, forms
from ropeproof.theory.topics.head.identified.conclusion import HERE
from ropeproof.theory.topics.head.identified.forms import HEAD, OTHER, a
from ropeproof.theory.topics.head.identified.logits import forms_from
from ropeproof.theory.topics.head.identified.weights import TOKENS, last
from ropeproof.theory.topics.rope.expressive import expressive, expressive_exists
from ropeproof.theory.topics.rope.expressive.expressive import ROPE_EXPRESSIVE

lag = conclusion.lag
first, second, p, k = integer("mu nu p k")
choice, vector = integer_function("chi"), real_function("E")
total, other_total = real("Z Z_other")
MEANINGS: Meanings = {
    **NOTATION,
    **forms.MEANINGS,
    j: "a position",
    n: "number of tokens",
    first: "number of a token",
    second: "number of another token",
    k: "a position",
    choice: "number of the token at a position of the prompt",
    vector: vector_in(
        forms.dimension, "token vectors, by their number in the vocabulary", matrix=True
    ),
    other_total: shown_as("Z′", "Z'", "normaliser of the other head's row"),
}
here_x, here_y, there_x, there_y = real("w v w_there v_there")


def of(name: Term) -> Callable[..., Term]:
    """The vector of a token of the vocabulary, by its number."""
    return lambda coordinate: vector(name, coordinate)


def row_logit(head: forms.Head, place: Term, prompt: Callable[..., Term] = choice) -> Term:
    """The logit of the prompt's last token on a position."""
    return forms.logit_of(head, of(prompt(last)), of(prompt(place)), last - place)


def normaliser(head: forms.Head, prompt: Callable[..., Term] = choice) -> Term:
    """The sum of the exponentials of the last token's logits."""
    return sp.Sum(sp.exp(row_logit(head, k, prompt)), (k, 0, last))


def weight_of(head: forms.Head, place: Term) -> Term:
    """The weight of the prompt's last token on a position."""
    return sp.exp(row_logit(head, place)) / normaliser(head)


SAME = Hypothesis(
    "the last token's weights agree for both heads on all prompts of n tokens of the vocabulary",
    Every((choice(p), j), If(within(j, 0, last), eq(weight_of(HEAD, j), weight_of(OTHER, j)))),
)
SAME_FORMS = Every((first, second), every(l, 0, m - 1, forms.same_form(l, of(first), of(second))))
_place = last - lag
_window = within(lag, 1, 2 * m)


def _level(p_: Proof) -> Fact:
    """Equal weights on two positions: the two logits differ by as much for both heads."""
    there = p_.under(
        lt(0, total),
        lt(0, other_total),
        eq(sp.exp(here_x) / total, sp.exp(here_y) / other_total),
        eq(sp.exp(there_x) / total, sp.exp(there_y) / other_total),
    )
    one, two = (
        there.show(
            eq(sp.exp(left) * other_total, sp.exp(right) * total),
            "Clear the denominators of these two weights.",
            by=rules.smt(),
        )
        for left, right in ((here_x, here_y), (there_x, there_y))
    )
    powers = there.show(
        eq(sp.exp(here_x + there_y), sp.exp(here_y + there_x)),
        "Multiply the first equation by one exponential and the second by another. Divide by "
        "the normaliser, which is not 0.",
        *(
            there.show(
                eq(fact.formula.lhs * by, fact.formula.rhs * by),
                "Multiply the equation by an exponential of the other position.",
                fact,
                by=rules.smt(),
            )
            for fact, by in ((one, sp.exp(there_x)), (two, sp.exp(here_x)))
        ),
        by=rules.smt(),
    )
    logs = there.rewrite(
        eq(*(kept(sp.log, sp.exp(of)) for of in (here_x + there_y, here_y + there_x))),
        "So are their logarithms.",
        powers,
    )
    return there.show(
        eq(here_x + there_y, here_y + there_x), "The logarithm undoes the exponential.", logs
    ).for_all(
        here_x, here_y, there_x, there_y, total, other_total, why="It is so for all such numbers."
    )


def _positive(scope: Scope, head: forms.Head, prompt: Callable[..., Term] = choice) -> Fact:
    """The sum of the exponentials is positive."""
    term = scope.show(lt(0, sp.exp(row_logit(head, k, prompt))), "An exponential is positive.")
    return term.summed(
        k,
        0,
        last,
        "The prompt has a token. So the sum of these exponentials is positive.",
        (TOKENS, HERE[0]),
    )


def _differences() -> tuple[Term, Term]:
    """By what the two heads' coefficients of cosine and sine differ, for a token on itself."""
    token = of(first)
    cosine = s * (forms.real_part(HEAD, token, token) - forms.real_part(OTHER, token, token))
    sine = -s * (
        forms.imaginary_part(HEAD, token, token) - forms.imaginary_part(OTHER, token, token)
    )
    return cosine, sine


def _one_step(p_: Proof) -> Fact:
    """A wave whose step from one lag to the next has the coefficients 0 has the coefficients 0."""
    cosine, sine, turn_x, turn_y = real("X Y C S")
    at = p_.under(
        eq(cosine * (turn_x - 1) + sine * turn_y, 0),
        eq(sine * (turn_x - 1) - cosine * turn_y, 0),
        lt(0, turn_y),
    )
    given = [
        at.given(part, "Let this coefficient of the step be 0.")
        for part in (
            eq(cosine * (turn_x - 1) + sine * turn_y, 0),
            eq(sine * (turn_x - 1) - cosine * turn_y, 0),
        )
    ]
    scaled = [
        fact.times(factor, "Multiply by a part of the turn.")
        for fact in given
        for factor in (turn_x - 1, turn_y)
    ]
    size = (turn_x - 1) ** 2 + turn_y**2
    products = at.show(
        Both(eq(size * cosine, 0), eq(size * sine, 0)),
        "So the wave's coefficients times the square of the step's modulus are 0.",
        scaled,
    )
    positive = at.show(lt(0, size), "This square is positive.", by=rules.smt())
    return at.show(
        Both(eq(cosine, 0), eq(sine, 0)), "So the wave's coefficients are 0.", products, positive
    ).for_all(cosine, sine, turn_x, turn_y, why="It is so for all such numbers.")


def _itself(p_: Proof, rule: Fact) -> Fact:
    """A prompt of one token alone: its logit on itself is the same for both heads."""
    alone = sp.Lambda(p, first)
    at = p_.under(within(lag, 0, 2 * m - 1))
    ratios = [
        at.use(SAME, {choice: alone, j: place}, TOKENS, HERE[0], why=why)
        for place, why in (
            (last - lag, "In a prompt of one token alone the weights at the lag are the same."),
            (last - lag - 1, "So are those at the next lag."),
        )
    ]
    level = at.use(
        rule,
        {
            here_x: row_logit(HEAD, last - lag, alone),
            here_y: row_logit(OTHER, last - lag, alone),
            there_x: row_logit(HEAD, last - lag - 1, alone),
            there_y: row_logit(OTHER, last - lag - 1, alone),
            total: normaliser(HEAD, alone),
            other_total: normaliser(OTHER, alone),
        },
        *(_positive(at, head, alone) for head in (HEAD, OTHER)),
        *ratios,
        why="So the two heads' logits differ by as much at the lag as at the next one.",
    )
    cosine, sine = _differences()
    turn_x, turn_y = sp.cos(theta(l)) - 1, sp.sin(theta(l))
    steps = cosine * turn_x + sine * turn_y, sine * turn_x - cosine * turn_y
    token = of(first)
    difference = p_.show(
        eq(
            expressive_exists.combination(m, lag, *(sp.Lambda(l, step) for step in steps)),
            forms.logit_of(HEAD, token, token, lag + 1)
            - forms.logit_of(OTHER, token, token, lag + 1)
            - forms.logit_of(HEAD, token, token, lag)
            + forms.logit_of(OTHER, token, token, lag),
        ),
        "The step of this difference is a combination of the planes' cosines and sines.",
    )
    vanishes = at.show(
        eq(difference.formula.lhs, 0), "So this combination vanishes at the lag.", level, difference
    ).for_all(lag, why="It vanishes at each of the 2m lags.")
    determined = p_.lemma(
        ROPE_EXPRESSIVE.at(n=2 * m),
        HERE,
        why="By the claim on logits, 2m lags determine the coefficients of such a combination.",
    ).parts("This is one part of that claim.")[1]
    none = p_.use(
        determined,
        {
            expressive_exists.a: sp.Lambda(l, steps[0]),
            expressive_exists.c: sp.Lambda(l, steps[1]),
            conclusion.u: 0,
        },
        vanishes,
        why="So its coefficients are 0.",
    )
    here = p_.under(conclusion.plane_)
    own = here.use(expressive.IN_RANGE, why="The frequency lies in (0, pi).")
    turned = here.apply(TRIG_SINE_POSITIVE, own, why="So its sine is positive.")
    numbers = dict(
        zip(real("X Y C S"), (cosine, sine, sp.cos(theta(l)), sp.sin(theta(l))), strict=True)
    )
    both = here.use(
        _one_step(p_),
        numbers,
        (none, turned),
        why="In particular those of this plane are 0. So the two heads' coefficients are the same.",
    )
    terms = [forms.logit_of(head, token, token, 0).function for head in (HEAD, OTHER)]
    return here.show(
        eq(*terms), "So the plane adds the same to a token's logit on itself.", both
    ).summed(l, 0, m - 1, "So a token's logit on itself is the same for both heads.")


def _entry(prompt: Function) -> Formula:
    """The token at the lag is the second one, and every other token the first."""
    return Both(If(eq(p, _place), eq(prompt(p), second)), If(ne(p, _place), eq(prompt(p), first)))


def _written(place: Term) -> Term:
    """The prompt with the second token at the lag and the first everywhere else."""
    return sp.Piecewise((second, eq(place, _place)), (first, True))


def _row(known: Fact, rows: Function) -> Fact:
    """A row of W_Q or W_K times the vector of a token that is known."""
    return known.image(
        lambda name: rows(l, a) * vector(name, a), "So an entry times this coordinate is known."
    ).summed(a, 0, forms.dimension - 1, "So this row times the token's vector is known.")


def _there(head: forms.Head, place: Term, query: Fact, key: Fact) -> Fact:
    """The logit on a position whose token is known."""
    rows = [_row(query, row) for row in head[:2]] + [_row(key, row) for row in head[2:]]
    scope = rows[-1].scope
    wanted = forms.logit_of(head, of(first), of(key.formula.rhs), last - place).function
    return scope.rewrite(
        eq(row_logit(head, place).function, wanted),
        "So the plane adds what it adds for these two tokens.",
        *rows,
    ).summed(l, 0, m - 1, "So the logit is that of these two tokens.")


def _logits(p_: Proof) -> Fact:
    """The logits of all tokens of the vocabulary are the same at the lags 1..2m."""
    rule = _level(p_)
    itself = _itself(p_, rule)
    entry = Every((p,), _entry(choice))
    at = p_.under(_window)
    exist = at.witness(
        Some((choice(p),), entry),
        {choice: _written},
        why="Write the second token at the lag and the first everywhere else. It is so at every "
        "position. So there is such a prompt.",
    )
    inner = at.under(entry)
    known = inner.given(entry, "Take such a prompt.")
    query = inner.use(
        known, {p: last}, why="Its last token is the first.", goal=eq(choice(last), first)
    )
    key = inner.use(
        known,
        {p: _place},
        why="Its token at the lag is the second.",
        goal=eq(choice(_place), second),
    )
    own = [_there(head, last, query, query) for head in (HEAD, OTHER)]
    far = [_there(head, _place, query, key) for head in (HEAD, OTHER)]
    ratios = [
        inner.use(SAME, {choice: choice, j: place}, TOKENS, why=why)
        for place, why in (
            (_place, "The weights at the lag are the same."),
            (last, "The weights on the last token itself are the same."),
        )
    ]
    level = inner.use(
        rule,
        {
            here_x: row_logit(HEAD, _place),
            here_y: row_logit(OTHER, _place),
            there_x: row_logit(HEAD, last),
            there_y: row_logit(OTHER, last),
            total: normaliser(HEAD),
            other_total: normaliser(OTHER),
        },
        *(_positive(inner, head) for head in (HEAD, OTHER)),
        *ratios,
        why="So the two heads' logits differ by as much at the lag as on the last token itself.",
    )
    same = inner.show(
        forms.same_logit(lag, of(first), of(second)),
        "As the last token's logit on itself is the same, that at the lag is.",
        level,
        own,
        far,
        itself,
    )
    return at.choose(exist, same, "There is such a prompt, and the logits do not depend on it.")


_ones = Every((first, a), eq(vector(first, a), 1))


def _conjugate() -> Formula:
    """The formula that a form is the conjugate of the other head's."""
    left, right = of(first), of(second)
    return Every(
        (first, second),
        every(
            l,
            0,
            m - 1,
            Both(
                eq(forms.real_part(HEAD, left, right), forms.real_part(OTHER, left, right)),
                eq(
                    forms.imaginary_part(HEAD, left, right),
                    -forms.imaginary_part(OTHER, left, right),
                ),
            ),
        ),
    )


def _doubled() -> Formula:
    """The formula that a form is twice the other head's."""
    left, right = of(first), of(second)
    return Every(
        (first, second),
        every(
            l,
            0,
            m - 1,
            eq(forms.real_part(HEAD, left, right), 2 * forms.real_part(OTHER, left, right)),
        ),
    )


@theorem(
    "head.identified-vocabulary",
    source=Source(
        "ropeproof",
        "own statement and proof; compare the abstract of Tran et al., Functional Equivalence in "
        "Attention (arXiv 2606.17830)",
    ),
    needs="PTX",
    hypotheses=(*HERE, TOKENS, SAME),
    conclusion=SAME_FORMS,
    example=(*conclusion.heads((1, 0, 1, 0), (0, 1, 0, 1)), _ones),
    attack=Attack(
        {"conjugate forms": _conjugate(), "half the form": _doubled()},
        at={
            "conjugate forms": (*conclusion.heads((0, 1, 1, 0), (0, 1, 1, 0)), _ones),
            "half the form": (*conclusion.heads((1, 0, 1, 0), (0, 1, 0, 1)), _ones),
        },
        idle={expressive_exists.PLANES: "without planes nothing is said"},
        without={
            expressive.SCALE: (*conclusion.heads((1, 0, 1, 0), (2, 0, 1, 0), s=0), _ones),
            expressive.IN_RANGE: (
                *conclusion.heads((1, 1, 1, 0), (1, 0, 1, 0), frequency=0),
                _ones,
            ),
            expressive.DISTINCT: (
                *conclusion.heads((1 + l, 0, 1, 0), (2 - l, 0, 1, 0), 2, n=5),
                _ones,
            ),
            TOKENS: (*conclusion.heads((1, 0, 1, 0), (2, 0, 1, 0), n=1), _ones),
            SAME: (*conclusion.heads((1, 0, 1, 0), (2, 0, 1, 0)), _ones),
        },
    ),
)
def HEAD_IDENTIFIED_VOCABULARY(p_: Proof) -> None:
    r"""Attention weights on prompts of a vocabulary determine a head's forms of its tokens

    Two heads as in `head.identified`, and token vectors $E_\nu\in\mathbb R^D$, one for each
    integer $\nu$; a finite vocabulary repeats its own. If the attention weights of the last token
    are the same for both heads on all prompts of $n\ge2m+1$ of these tokens, then
    $q_l(E_\mu)\overline{k_l(E_\nu)}=q_l'(E_\mu)\overline{k_l'(E_\nu)}$ for all tokens in each
    plane.
    """
    known = forms_from(p_, _logits(p_), sp.Integer(1), of(first), of(second))
    p_.qed(
        "So all forms of two tokens are the same.",
        known.for_all(l, why="It is so in every plane.").for_all(
            first, second, why="It is so for all tokens of the vocabulary."
        ),
    )
