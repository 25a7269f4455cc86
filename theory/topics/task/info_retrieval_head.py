"""One softmax head finds the value of a key in every input up to a length."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.exponential import EXP_LOG_BELOW_IDENTITY, EXP_LOG_POSITIVE
from ropeproof.theory.library.exponential import x as number
from ropeproof.theory.library.order import times
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.library.sums.order import image
from ropeproof.theory.library.trigonometry.cosine import falling_cosine
from ropeproof.theory.library.trigonometry.turns import size
from ropeproof.theory.papers.citations import DECOUPLE
from ropeproof.theory.topics.softmax.margin import a, gamma, w
from ropeproof.theory.topics.softmax.token import sigma
from ropeproof.theory.topics.task.info_retrieval import NOT_NEGATIVE, TASK_INFO_RETRIEVAL, TWO
from ropeproof.theory.topics.task.lookup import (
    ROW,
    SYMBOLS,
    TASK_LOOKUP,
    answers,
    beta,
    longest,
    share,
    symbol,
    z,
)
from ropeproof.theory.topics.task.symbols import FULL, d, early, late, theta

centre = (longest + 1) * theta / 2
margin = sp.cos(centre) - sp.cos(FULL - centre)


def side(at: Any) -> Any:
    """-1 at the query's own position n, whose key is opposite to its symbol, else 1."""
    return 1 - 2 * indicator(at, n)


def unit(at: Any) -> Any:
    """The logit at beta = 1: of the symbol's angle and the lag's; the query's key is opposite."""
    turned = (symbol(at) - symbol(n)) * FULL + theta * (n - at) - centre
    return side(at) * sp.cos(turned)


def logits(at: Any) -> Any:
    """The logit at an item, or at the query's own position n."""
    return beta * unit(at)


MATCH = every(j, 0, n - 1, If(eq(symbol(j), symbol(n)), eq(sigma(j), sigma(a))))
INPUT = Both(*ROW, MATCH)
ANSWER = answers(logits)
COLD = lt(sp.log(longest + 1), beta * margin)
IN_ROW = (n, a, symbol(z), sigma(z))
AN_ITEM = Hypothesis("inputs have an item", le(1, longest))
SLOW = Hypothesis(
    "the lags turn less than from one symbol to the next", lt((longest + 1) * theta, FULL)
)

_HEAD = Claim(
    id="task.info-retrieval-head",
    title="There is a softmax head that finds the value of a key in every input up to a length",
    statement=(
        r"For every $n_0\ge1$, $r\ge2$ symbols $\omega=2\pi/r$ apart, and $\theta\ge0$ with "
        r"$(n_0+1)\theta<\omega$ (so $\theta=0$ for every $n_0$): let an item of symbol $\phi_j$ at "
        r"position $j$ have the logit $\beta\cos((\phi_j-\phi_n)\omega+(n-j)\theta-k)$, "
        r"$k=\frac{(n_0+1)\theta}2$, for a query of symbol $\phi_n$ at position $n$, whose own key is "
        r"opposite: its logit is $-\beta\cos k$. Then $\Gamma=\cos k-\cos(\omega-k)>0$, and with every "
        r"$\beta>\frac{\ln(n_0+1)}\Gamma$ the softmax head answers every input of at most $n_0$ items "
        r"right: if an item has the query's symbol and all that do show one token, that token has more "
        r"than half of the attention, and every other one less than it. So there is such a head, a "
        r"$\beta>0$."
    ),
    source=DECOUPLE.at("section 4, Theorem 5; its proof in appendix B.5", "repaired"),
    needs=frozenset("PTXW"),
    hypotheses=(TWO, AN_ITEM, NOT_NEGATIVE, SLOW),
    conclusion=Both(
        lt(0, margin),
        Every((beta, *IN_ROW), If(Both(COLD, *INPUT.args), ANSWER)),
        Some((beta,), Both(lt(0, beta), Every(IN_ROW, If(INPUT, ANSWER)))),
    ),
)


def _leads(p: Proof) -> tuple[Fact, Fact]:
    """Every other symbol at any lag loses by the margin, and the margin is positive."""
    wins, _, _, positive, _ = p.lemma(
        TASK_INFO_RETRIEVAL,
        {n: longest + 2},
        (TWO, AN_ITEM, NOT_NEGATIVE, SLOW),
        why="Among n_0 + 2 lags the right symbol leads by the margin,",
    ).parts("which is positive.")
    return wins, positive


def _target(row: Scope, angles: Fact) -> tuple[Fact, Fact]:
    """The target's logit is the cosine of its lag, at least that of half the window."""
    turned = theta * (n - a) - centre
    same = row.show(
        eq((symbol(a) - symbol(n)) * FULL + turned, turned),
        "The target has the query's symbol,",
        by=rules.smt(),
    )
    cosine = row.rewrite(
        eq(sp.cos((symbol(a) - symbol(n)) * FULL + turned), sp.cos(turned)), "so", same
    )
    item = row.show(eq(side(a), 1), "and is an item:", by=rules.smt())
    own = row.show(eq(unit(a), sp.cos(turned)), "its logit is its lag's cosine,", cosine, item)
    lags = row.show(within(turned, -centre, centre), "which is within half the window,", angles)
    known = (lags, angles)
    sides = [
        falling_cosine(row.under(le(0, lag)), lag, centre, "on either side,", known)
        for lag in (turned, -turned)
    ]
    at_least = row.show(le(sp.cos(centre), unit(a)), "and at least its cosine.", own, sides)
    return own, at_least


def _other_symbol(row: Scope, leads: Fact, own: Fact) -> Fact:
    """An item with another symbol loses by the margin."""
    item = row.under(within(j, 0, n - 1))
    turned = theta * (n - j) - centre
    letters = row.given(SYMBOLS, "Symbols are in the alphabet,")
    letter = item.use(letters, {j: j}, why="an item's")
    asked = row.use(letters, {j: n}, why="and the query's.")
    known = (letter, asked)
    after, before = item.under(lt(symbol(n), symbol(j))), item.under(lt(symbol(j), symbol(n)))
    steps = symbol(j) - symbol(n)

    def lose(case: Scope, on: Any, why: str) -> Fact:
        values = {d: on, early: n - j, late: n - a}
        return case.use(leads, values, known, AN_ITEM, why=why)

    further = lose(after, steps, "A symbol further on loses,")
    earlier = lose(before, steps + size, "so does one before, counted once around,")
    around = item.show(
        eq((steps + size) * FULL + turned, steps * FULL + turned + 2 * sp.pi),
        "which is a whole turn more",
        TWO,
    )
    same = item.rewrite(
        eq(
            sp.cos((steps + size) * FULL + turned),
            sp.cos(steps * FULL + turned + 2 * sp.pi, evaluate=False),
        ),
        "and the same cosine.",
        around,
    )
    plain = item.show(eq(side(j), 1), "(an item's key is not turned)", by=rules.smt())
    different = item.under(ne(symbol(j), symbol(n)))
    return different.show(
        le(margin, unit(a) - unit(j)),
        "So an item with another symbol is lower.",
        (further, earlier, same, plain, own),
        by=rules.smt(),
    )


def _rivals(p: Proof, leads: Fact, warm: Fact) -> Fact:
    """Positions with another token are lower by beta times the margin."""
    row = warm.scope
    angles = p.show(
        Both(le(0, centre), le(centre, FULL - centre), le(FULL - centre, sp.pi - centre)),
        "Half the window turns by half a symbol at most,",
        (TWO, AN_ITEM, NOT_NEGATIVE, SLOW),
    )
    own, at_least = _target(row, angles)
    other = _other_symbol(row, leads, own)
    far = falling_cosine(
        p, FULL - centre, sp.pi - centre, "The opposite of it is farther than a symbol,", angles
    )
    query = row.under(eq(j, n))
    symbols = image(row, symbol, j, n, "where the query's own key is,", "having its symbol:")
    turned = query.show(
        eq((symbol(j) - symbol(n)) * FULL + theta * (n - j) - centre, -centre),
        "its angle is minus half the window's,",
        symbols,
        by=rules.smt(),
    )
    there = query.rewrite(
        eq(sp.cos(turned.formula.lhs), sp.cos(centre)), "(and the cosine)", turned
    )
    flipped = query.show(eq(side(j), -1), "and it is turned around,", by=rules.smt())
    mirrored = p.show(eq(kept(sp.cos, sp.pi - centre), -sp.cos(centre)), "(half a turn)")
    self_logit = query.show(
        le(margin, unit(a) - unit(j)),
        "so it is lower, too.",
        (at_least, far, there, flipped, mirrored),
    )
    matches = row.given(MATCH, "Items with the query's symbol")
    same_token = row.under(within(j, 0, n - 1), eq(symbol(j), symbol(n))).use(
        matches, {j: j}, why="show the target's token.", goal=eq(sigma(j), sigma(a))
    )
    rival = row.under(within(j, 0, n), ne(sigma(j), sigma(a)))
    lower = rival.show(
        le(margin, unit(a) - unit(j)),
        "So another token is lower,",
        other,
        self_logit,
        same_token,
        by=rules.smt(),
    )
    scaled = times(rival, lower, beta, "also times beta,", warm)
    at_beta = rival.show(le(logits(j) + beta * margin, logits(a)), "in the logits.", scaled)
    return at_beta.for_all(j, why="(Whichever it is.)")


def _head(p: Proof) -> None:
    leads, positive = _leads(p)
    row = p.under(COLD, *INPUT.args)
    log = p.lemma(
        EXP_LOG_POSITIVE, {number: longest + 1}, AN_ITEM, why="A logarithm beyond 1 is positive,"
    )
    cold = row.given(COLD, "and the head is cold enough:")
    warm = row.show(lt(0, beta), "beta is positive.", cold, log, positive)
    rivals = _rivals(p, leads, warm)
    wins = row.lemma(
        TASK_LOOKUP, {w: logits, gamma: beta * margin}, (rivals, cold), why="So the answer is right"
    )
    every_input = wins.for_all(beta, *IN_ROW, why="on every input, if it is cold enough.")
    less = p.lemma(
        EXP_LOG_BELOW_IDENTITY, {number: longest + 1}, AN_ITEM, why="Take n_0 + 1 over the margin,"
    )
    value = (longest + 1) / margin
    enough = p.show(
        Both(lt(0, value), lt(sp.log(longest + 1), kept(sp.Mul, value, margin))),
        "which is enough and positive,",
        (less, positive, AN_ITEM),
        by=rules.smt(),
    )
    chosen = {beta: value, n: n, a: a, symbol: symbol, sigma: sigma}
    answered = p.under(INPUT).use(every_input, chosen, enough, why="so the head answers")
    found = p.witness(
        p.goal.args[2],
        {beta: value},
        (enough, answered.for_all(*IN_ROW, why="every input.")),
        why="That is a head.",
    )
    p.qed("All three.", positive, every_input, found)


def _input(*symbols: int, longest_input: int, tokens: tuple[int, ...]) -> dict[Any, Any]:
    """An input of two symbols whose last one is the query's, of which the first item is the target."""
    row = {n: len(symbols) - 1, longest: longest_input, a: 0, size: 2, theta: 0}
    return row | listed(symbol, *symbols) | listed(sigma, *tokens)


_crowd = _input(0, *[1] * 7, 0, longest_input=8, tokens=(1, *[2] * 7, 3)) | {
    beta: sp.Rational(4, 5)
}
_doubled = _input(0, 0, 0, longest_input=2, tokens=(1, 2, 3)) | {beta: 2}

TASK_INFO_RETRIEVAL_HEAD = prove(
    _HEAD,
    _head,
    Attack(
        {
            "half the inverse temperature": If(
                Both(lt(sp.log(longest + 1), 2 * beta * margin), *INPUT.args), ANSWER
            ),
            "any inverse temperature": If(INPUT, ANSWER),
            "two tokens of the query's symbol": If(Both(COLD, *ROW), ANSWER),
            "the query's token": If(
                Both(COLD, *INPUT.args), lt(share(sigma(a), logits), share(sigma(n), logits))
            ),
            "a margin of 1": le(1, margin),
        },
        at={
            "half the inverse temperature": _crowd,
            "any inverse temperature": _crowd | {beta: sp.Rational(1, 10)},
            "two tokens of the query's symbol": _doubled,
            "the query's token": _input(0, 0, longest_input=1, tokens=(1, 2)) | {beta: 2},
            "a margin of 1": {size: 8, longest: 1, theta: 0},
        },
        without={
            AN_ITEM: {size: 2, longest: -2, theta: 6},
            NOT_NEGATIVE: {size: 2, longest: 1, theta: -3},
            SLOW: {size: 2, longest: 1, theta: 3},
        },
        unshown={
            TWO: "with one symbol the margin is exactly 0, a tie that drawn instances cannot decide"
        },
    ),
)

CLAIMS = (TASK_INFO_RETRIEVAL_HEAD,)
