"""Printed statements about the tasks that are false, each with its repair."""

from collections.abc import Callable

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, n
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.papers.citations import DECOUPLE, HEADS
from ropeproof.theory.topics.task.absolute_index import INDEX, logit, q, sigma, v

symbols = integer("m")
angle = real("theta_2")
symbol = integer_function("sym")

# -- heads without a scale where tokens repeat ---------------------------------------------


def mass(logits: Callable[[Term], Term], token: Term, first: int, last: Term) -> Term:
    """The softmax mass of a token over these positions, without the common normaliser."""
    return sp.Sum(sp.exp(logits(i)) * indicator(sigma(i), token), (i, first, last))


def _most(logits: Callable[[Term], Term], first: int, last: Term) -> Formula:
    """The token at position q has more mass than the token v."""
    own = mass(logits, sigma(q), first, last)
    return lt(mass(logits, v, first, last), own)


def _turn(position: Term) -> Term:
    """The product of the symbols' vectors, evenly spaced: this position's and the query's."""
    return sp.cos(2 * sp.pi * (symbol(position) - symbol(q)) / symbols)


def _mixed(position: Term) -> Term:
    """The same, and a slow plane that prefers late positions."""
    return _turn(position) + sp.cos(angle * (n - position))


def _input(*tokens: int) -> dict[Any, Any]:
    """Tokens at positions 1, 2, ..., and their symbols: tokens 0 and 9 have symbol 0, 1 has 1."""
    placed = dict(enumerate(tokens, 1))
    return {sigma(at): token for at, token in placed.items()} | {
        symbol(at): 1 if token == 1 else 0 for at, token in placed.items()
    }


ANOTHER = ne(v, sigma(q))
PLACE = Both(le(2, symbols), le(1, q), le(q, n - 1))
ONCE = Every((j,), If(Both(le(1, j), le(j, n - 1), ne(j, q)), ne(symbol(j), symbol(q))))
TWICE = Some((j,), Both(le(1, j), lt(j, q), eq(symbol(j), symbol(q)), ne(sigma(j), sigma(q))))
LAST = Every((j,), If(Both(lt(q, j), le(j, n - 1)), ne(symbol(j), symbol(q))))
SLOW = Both(lt(0, angle), lt(n * angle, 2 * sp.pi / symbols))

TASK_PRINTED_SCALE = Claim(
    id="task.printed-scale",
    title="Printed: the constructed heads answer, without a scale, on every input",
    statement=(
        r"With one-hot tokens as values the answer is the token of largest softmax mass. Lemma 3: for "
        r"logits $\cos\theta(q-i)$, $\theta=\pi/n$, it is the token at index $q$ on every input of "
        r"length $n$. Lemma 4: for logits $v_{\sigma_i}^\top v_{\sigma_q}$ of evenly spaced unit "
        r"vectors it is the pair of the queried symbol, which occurs once. Lemma 6: for logits "
        r"$v_{\sigma_i}^\top v_{\sigma_q}+\cos\theta_2(n-i)$ with a small $\theta_2$ it is the last "
        r"pair of the queried symbol."
    ),
    source=DECOUPLE.at(
        "appendix B.3, Lemma 3; B.5, Lemma 4; B.8, Lemma 6 (proofs of Theorems 3, 5, 6)"
    ),
    kind="printed",
    needs=frozenset("X"),
    readings=(
        Reading(
            "Lemma 3: softmax of the logits as printed, without a scale, the mass of a token added "
            "over its positions; the proof looks at the largest single weight instead. For n = 4, "
            "index 0 and the input abbb the mass of a is e = 2.72 and that of b is exp(cos(pi/4)) + "
            "exp(cos(pi/2)) + exp(cos(3 pi/4)) = 3.52, before dividing.",
            (INDEX.formula, ANOTHER),
            _most(logit, 0, n - 1),
            where({n: 4, q: 0, v: 1, sigma(0): 0, sigma(1): 1, sigma(2): 1, sigma(3): 1}),
        ),
        Reading(
            "Lemma 4, likewise: 8 symbols, n = 4, the pairs A1 B1 B1 and the query A. A1 has the mass "
            "e = 2.72 and B1, whose symbol is next to A, 2 exp(cos(pi/4)) = 4.06.",
            (PLACE, ONCE, ANOTHER),
            _most(_turn, 1, n - 1),
            where({n: 4, symbols: 8, q: 1, v: 1, **_input(0, 1, 1)}),
        ),
        Reading(
            "Lemma 6, likewise: 8 symbols, n = 5, theta_2 = 1/100, the pairs B1 B1 A2 A1 and the query "
            "A. A1 has the mass exp(1 + cos 0.01) = 7.39 and B1 more than 11.",
            (PLACE, TWICE, LAST, SLOW, ANOTHER),
            _most(_mixed, 1, n - 1),
            where({n: 5, symbols: 8, angle: sp.Rational(1, 100), q: 4, v: 1, **_input(1, 1, 9, 0)}),
        ),
    ),
    true_when=(
        "no token occurs twice, or attention goes to the largest logit alone, or logits are scaled. "
        "Theorems 3, 5 and 6 themselves say 'there is a head', and are true: a scale may be put into "
        "the queries (task.absolute-index, task.info-retrieval, task.partial-induction-sharp)"
    ),
    repaired_by="task.absolute-index",
)

# -- a mixed head on inputs of one symbol ---------------------------------------------------


def _seen(content: Term) -> Term:
    """What the logit sees of the pair at position `content`: its symbol."""
    return sp.cos(2 * sp.pi * (symbol(content) - symbol(q)) / symbols)


def _placed(content: Term, position: Term) -> Term:
    """The logit of the pair at position `content`, placed at `position`."""
    return _seen(content) + sp.cos(angle * (n - position))


VALID = Both(
    *(le(2, symbols), le(3, n), eq(q, n - 1)),
    *(eq(symbol(n - 2), symbol(q)), ne(sigma(n - 2), sigma(q))),
)
ANSWERS = Every((j,), If(Both(le(1, j), le(j, n - 2)), lt(_placed(j, j), _placed(q, q))))
# Logits of two pairs at one position differ by what is seen of them alone.
NOT_POSITIONAL = Some(
    (i, j), Both(le(1, i), le(i, n - 1), le(1, j), le(j, n - 1), ne(_seen(i), _seen(j)))
)

TASK_PRINTED_MIXED = Claim(
    id="task.printed-mixed",
    title="Printed: a head that does partial induction is positional on no input",
    statement=(
        r"If a simple model with one-hot tokens computes partial induction, its head behaves "
        r"positionally on no input of the task (nor symbolically, which is right)."
    ),
    source=DECOUPLE.at("section 4, Corollary 1 (proof in B.7)"),
    kind="printed",
    needs=frozenset("X"),
    readings=(
        Reading(
            "Positional on an input: exchanging the contents of positions changes no logit "
            "(Definition 2). The paper's own mixed head (Theorem 6) has the logit "
            "v_i v_q + cos(theta_2 (n - k)) for content i at position k, which sees of a pair its "
            "symbol only. Take n = 3: every input of the task is A1 A2 A up to names, the head "
            "prefers the later pair, which is the answer, and both pairs have one key, so that the "
            "head is positional. At larger n the same holds, with a scale, on every input whose pairs "
            "carry one symbol; the paper says so of any such keys below Definition 2.",
            (VALID, SLOW, ANSWERS),
            NOT_POSITIONAL,
            where(
                {
                    n: 3,
                    symbols: 8,
                    angle: sp.Rational(1, 100),
                    q: 2,
                    **{symbol(1): 0, symbol(2): 0, sigma(1): 0, sigma(2): 9},
                }
            ),
        ),
    ),
    true_when=(
        "read as: the head cannot behave so on every input; or of an input in which two pairs differ "
        "in what the answer depends on, exchanged. The proof exchanges two pairs of different "
        "symbols, which such an input does not have"
    ),
    repaired_by="task.partial-induction-needs-both",
)

# -- the index of the number task's answer --------------------------------------------------

hops, before, integers_in_all = integer("H n_1 n_2")
visited, steps = integer_function("k"), integer_function("j_hop")
last_place = visited(hops)
printed_index = integers_in_all - steps(last_place) + 1
reached = before + last_place - steps(last_place)
CHAIN = Both(
    *(le(1, hops), eq(visited(1), integers_in_all)),
    Every(
        (i,),
        If(Both(le(1, i), le(i, hops - 1)), eq(visited(i) - visited(i + 1), steps(visited(i)))),
    ),
)
CONDITION_2 = within(before - steps(last_place) + 1, 1, before)
LANDS = within(reached, 1, before)


def _number_input(*integers: int) -> dict[Any, Any]:
    """C B A, then these integers; the chain visits the integers 6, 5, 3, 2."""
    given = {steps(place): value for place, value in enumerate(integers, 1)}
    chain = {visited(hop): place for hop, place in enumerate((6, 5, 3, 2), 1)}
    return {before: 3, integers_in_all: 6, hops: 4} | given | chain


TASK_PRINTED_ANSWER = Claim(
    id="task.printed-answer",
    title="Printed: the index of the number task's answer",
    statement=(
        r"The input is letters $s_1\dots s_{n_1}$ and integers $j_1\dots j_{n_2}$. A chain starts at "
        r"$k_1=n_2$ and goes back by the integer met, $k_i-k_{i+1}=j_{k_i}$; its last integer has "
        r"$n_1-j_{k_H}+1\in\{1,\dots,n_1\}$, and the answer is $s_{n_2-j_{k_H}+1}$."
    ),
    source=HEADS.at("appendix B.1, condition 2 and the definition of the solution"),
    kind="printed",
    needs=frozenset("X"),
    readings=(
        Reading(
            "As printed, on the input that it refers to (Figure 1, C B A 1 4 1 3 2 1, solved by C): "
            "the chain visits the integers 6, 5, 3 and 2, the last of which is 4, and n_2 - 4 + 1 = 3 "
            "names A. (Condition 2 does not even allow this input: n_1 - 4 + 1 = 0.) Four back from "
            "the integer 2, as the text says in words, is the letter 1, which is C.",
            (CHAIN, LANDS),
            eq(printed_index, reached),
            where(_number_input(1, 4, 1, 3, 2, 1)),
        ),
        Reading(
            "On an input that condition 2 allows, C B A 1 3 1 3 2 1: the hops lead to the letter 2, "
            "B, and the printed index is 4, where no letter is.",
            (CHAIN, LANDS, CONDITION_2),
            eq(printed_index, reached),
            where(_number_input(1, 3, 1, 3, 2, 1)),
        ),
    ),
    true_when=(
        "the index is n_1 + k_H - j, counted from where the last integer stands, and condition 2 says "
        "that it lies between 1 and n_1; that is the procedure in words of section 2.1. The printed "
        "index is the same if k_H = n_2 - n_1 + 1, and with n_1 in the place of n_2 if k_H = 1"
    ),
    repaired_by="task.compose-index",
)
