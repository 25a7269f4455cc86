"""One softmax head finds the value of a key in every input up to a length."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.exponential import exp_log
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.library.sums.permutation import image
from ropeproof.theory.library.trigonometry.cosine import falling_cosine
from ropeproof.theory.library.trigonometry.turns import size
from ropeproof.theory.papers.citations import DECOUPLE
from ropeproof.theory.topics.softmax.margin import a
from ropeproof.theory.topics.softmax.token import sigma
from ropeproof.theory.topics.task import lookup, matching
from ropeproof.theory.topics.task.info_retrieval import NOT_NEGATIVE, TASK_INFO_RETRIEVAL, TWO
from ropeproof.theory.topics.task.lookup import symbol

MEANINGS: Meanings = {
    **lookup.MEANINGS,
    **matching.MEANINGS,
    n: "number of items of the input",
    size: "number of keys",
    a: "position of the item that is asked for",
    sigma: "values, by position",
    lookup.beta: "inverse temperature",
    lookup.c: "any other value",
}

centre = (lookup.longest + 1) * matching.theta / 2
margin = sp.cos(centre) - sp.cos(matching.FULL - centre)


def side(at: Term) -> Term | int:
    """-1 at the query's own position n, whose key is opposite to its symbol, else 1."""
    return 1 - 2 * indicator(at, n)


def unit(at: Term) -> Term:
    """The logit at beta = 1: of the symbol's angle and the lag's; the query's key is opposite."""
    turned = (symbol(at) - symbol(n)) * matching.FULL + matching.theta * (n - at) - centre
    return side(at) * sp.cos(turned)


def logits(at: Term) -> Term:
    """The logit at an item, or at the query's own position n."""
    return lookup.beta * unit(at)


MATCH = every(j, 0, n - 1, If(eq(symbol(j), symbol(n)), eq(sigma(j), sigma(a))))
INPUT = Both(*lookup.ROW, MATCH)
ANSWER = lookup.answers(logits)
COLD = lt(sp.log(lookup.longest + 1), lookup.beta * margin)
IN_ROW = (n, a, symbol(lookup.z), sigma(lookup.z))
AN_ITEM = Hypothesis("inputs have an item", le(1, lookup.longest))
SLOW = Hypothesis(
    "the lags turn less than from one symbol to the next",
    lt((lookup.longest + 1) * matching.theta, matching.FULL),
)


def _leads(p: Proof) -> tuple[Fact, Fact]:
    """Every other symbol at any lag loses by the margin, and the margin is positive."""
    wins, _, _, positive, _ = p.lemma(
        TASK_INFO_RETRIEVAL.at(n=lookup.longest + 2),
        (TWO, AN_ITEM, NOT_NEGATIVE, SLOW),
        why="Among n_0 + 2 lags the right symbol leads by this margin.",
    ).parts("This is one part of the previous statement.")
    return wins, positive


def _target(row: Scope, angles: Fact) -> tuple[Fact, Fact]:
    """The target's logit is the cosine of its lag, at least that of half the window."""
    turned = matching.theta * (n - a) - centre
    cosine = row.show(
        eq((symbol(a) - symbol(n)) * matching.FULL + turned, turned),
        "The target has the query's symbol, so its angle is that of its lag alone.",
        by=rules.smt(),
    ).image(sp.cos, "So its cosine is that of this angle.")
    item = row.show(
        eq(side(a), 1), "The target is an item and not the query, so its key is not reversed."
    )
    own = row.show(
        eq(unit(a), sp.cos(turned)),
        "So the target's logit is the cosine of its lag's angle.",
        (cosine, item),
    )
    lags = row.show(
        within(turned, -centre, centre),
        "The target's angle lies within half of the window's on both sides.",
        angles,
    )
    known = (lags, angles)
    sides = [
        falling_cosine(
            row.under(le(0, lag)),
            lag,
            centre,
            "So on this side its cosine is at least that of half of the window.",
            known,
        )
        for lag in (turned, -turned)
    ]
    at_least = row.show(
        le(sp.cos(centre), unit(a)), "So the target's logit is at least that cosine.", own, sides
    )
    return own, at_least


def _other_symbol(row: Scope, leads: Fact, own: Fact) -> Fact:
    """An item with another symbol loses by the margin."""
    item = row.under(within(j, 0, n - 1))
    turned = matching.theta * (n - j) - centre
    letters = row.given(lookup.SYMBOLS, "All symbols are in the alphabet, by hypothesis.")
    letter = item.use(letters, why="In particular the item's symbol is in the alphabet.")
    asked = row.use(letters, {j: n}, why="In particular the query's symbol is in the alphabet.")
    known = (letter, asked)
    after, before = item.under(lt(symbol(n), symbol(j))), item.under(lt(symbol(j), symbol(n)))
    steps = symbol(j) - symbol(n)

    def lose(case: Scope, on: Term, why: str) -> Fact:
        values = {matching.d: on, matching.early: n - j, matching.late: n - a}
        return case.use(leads, values, known, AN_ITEM, why=why)

    further = lose(
        after,
        steps,
        "If the item's symbol comes after the query's, the target leads it by the margin.",
    )
    earlier = lose(
        before,
        steps + size,
        "If it comes before, it is counted once around, and the target leads it too.",
    )
    around = item.show(
        eq((steps + size) * matching.FULL + turned, steps * matching.FULL + turned + 2 * sp.pi),
        "Counting around adds a whole turn to the angle.",
        TWO,
    )
    same = item.rewrite(
        eq(
            sp.cos((steps + size) * matching.FULL + turned),
            sp.cos(steps * matching.FULL + turned + 2 * sp.pi, evaluate=False),
        ),
        "So the cosine of this angle is that with the whole turn.",
        around,
    )
    plain = item.show(eq(side(j), 1), "The key of an item is not reversed.")
    different = item.under(ne(symbol(j), symbol(n)))
    return different.show(
        le(margin, unit(a) - unit(j)),
        "So an item with another symbol is below the target by the margin.",
        (further, earlier, same, plain, own),
    )


def _rivals(p: Proof, leads: Fact, warm: Fact) -> Fact:
    """Positions with another token are lower by beta times the margin."""
    row = warm.scope
    angles = p.show(
        Both(
            le(0, centre),
            le(centre, matching.FULL - centre),
            le(matching.FULL - centre, sp.pi - centre),
        ),
        "Half the window turns by at most half a step of the symbols.",
        (TWO, AN_ITEM, NOT_NEGATIVE, SLOW),
    )
    own, at_least = _target(row, angles)
    other = _other_symbol(row, leads, own)
    far = falling_cosine(
        p,
        matching.FULL - centre,
        sp.pi - centre,
        "The opposite of half the window's angle is farther than a step less it.",
        angles,
    )
    query = row.under(eq(j, n))
    symbols = image(
        row, symbol, j, n, "Consider the query's own position.", "There the symbol is the query's."
    )
    there = query.show(
        eq((symbol(j) - symbol(n)) * matching.FULL + matching.theta * (n - j) - centre, -centre),
        "So its angle is minus half of the window's.",
        symbols,
    ).image(sp.cos, "So its cosine is that of half of the window.")
    flipped = query.show(eq(side(j), -1), "The query's own key is reversed.")
    mirrored = p.show(
        eq(kept(sp.cos, sp.pi - centre), -sp.cos(centre)),
        "Half a turn reverses the sign of the cosine.",
    )
    self_logit = query.show(
        le(margin, unit(a) - unit(j)),
        "So the query's own key is below the target by the margin too.",
        (at_least, far, there, flipped, mirrored),
    )
    matches = row.given(
        MATCH, "Suppose that items with the query's symbol have the target's token."
    )
    same_token = row.under(within(j, 0, n - 1), eq(symbol(j), symbol(n))).use(
        matches, why="In particular the item j has the target's token then."
    )
    rival = row.under(within(j, 0, n), ne(sigma(j), sigma(a)))
    scaled = rival.show(
        le(margin, unit(a) - unit(j)),
        "So every position with another token is below the target by the margin.",
        (other, self_logit, same_token),
    ).times(lookup.beta, "Multiply this inequality by beta, which is positive.", warm)
    return rival.show(
        le(logits(j) + lookup.beta * margin, logits(a)),
        "Multiply out: this is the margin of the scaled logits.",
        scaled,
    ).for_all(j, why="The position was arbitrary, so this holds for every one.")


def _input(*symbols: int, longest_input: int, tokens: tuple[int, ...]) -> Values:
    """An input of two symbols whose last one is the query's, of which the first item is the target."""
    row = {n: len(symbols) - 1, lookup.longest: longest_input, a: 0, size: 2, matching.theta: 0}
    return row | listed(symbol, *symbols) | listed(sigma, *tokens)


_crowd = _input(0, *[1] * 7, 0, longest_input=8, tokens=(1, *[2] * 7, 3)) | {
    lookup.beta: sp.Rational(4, 5)
}
_doubled = _input(0, 0, 0, longest_input=2, tokens=(1, 2, 3)) | {lookup.beta: 2}


@theorem(
    "task.info-retrieval-head",
    source=DECOUPLE.at("section 4, Theorem 5; its proof in appendix B.5", "repaired"),
    needs="PTXW",
    hypotheses=(TWO, AN_ITEM, NOT_NEGATIVE, SLOW),
    conclusion=Both(
        lt(0, margin),
        Every((lookup.beta, *IN_ROW), If(Both(COLD, *INPUT.args), ANSWER)),
        Some((lookup.beta,), Both(lt(0, lookup.beta), Every(IN_ROW, If(INPUT, ANSWER)))),
    ),
    attack=Attack(
        {
            "half the inverse temperature": If(
                Both(lt(sp.log(lookup.longest + 1), 2 * lookup.beta * margin), *INPUT.args), ANSWER
            ),
            "any inverse temperature": If(INPUT, ANSWER),
            "two tokens of the query's symbol": If(Both(COLD, *lookup.ROW), ANSWER),
            "the query's token": If(
                Both(COLD, *INPUT.args),
                lt(lookup.share(sigma(a), logits), lookup.share(sigma(n), logits)),
            ),
            "a margin of 1": le(1, margin),
        },
        at={
            "half the inverse temperature": _crowd,
            "any inverse temperature": _crowd | {lookup.beta: sp.Rational(1, 10)},
            "two tokens of the query's symbol": _doubled,
            "the query's token": _input(0, 0, longest_input=1, tokens=(1, 2)) | {lookup.beta: 2},
            "a margin of 1": {size: 8, lookup.longest: 1, matching.theta: 0},
        },
        without={
            AN_ITEM: {size: 2, lookup.longest: -2, matching.theta: 6},
            NOT_NEGATIVE: {size: 2, lookup.longest: 1, matching.theta: -3},
            SLOW: {size: 2, lookup.longest: 1, matching.theta: 3},
        },
        unshown={
            TWO: "with one symbol the margin is exactly 0, a tie that drawn instances cannot decide"
        },
    ),
)
def TASK_INFO_RETRIEVAL_HEAD(p: Proof) -> None:
    r"""There is a softmax head that finds the value of a key in every input up to a length

    For every $n_0\ge1$, $Q\ge2$ symbols $\omega=2\pi/Q$ apart, and $\theta\ge0$ with
    $(n_0+1)\theta<\omega$ (so $\theta=0$ for every $n_0$): let an item of symbol $\phi_j$ at
    position $j$ have the logit $\beta\cos((\phi_j-\phi_n)\omega+(n-j)\theta-k)$,
    $k=\frac{(n_0+1)\theta}2$, for a query of symbol $\phi_n$ at position $n$, whose own key is
    opposite: its logit is $-\beta\cos k$. Then $\Gamma=\cos k-\cos(\omega-k)>0$, and with every
    $\beta>\frac{\ln(n_0+1)}\Gamma$ the softmax head answers every input of at most $n_0$ items
    right: if an item has the query's symbol and all that do show one token, that token has more
    than half of the attention, and every other one less than it. So there is such a head, a
    $\beta>0$.
    """
    leads, positive = _leads(p)
    row = p.under(COLD, *INPUT.args)
    log = p.lemma(
        exp_log.EXP_LOG_POSITIVE.at(x=lookup.longest + 1),
        AN_ITEM,
        why="The logarithm of a number beyond 1 is positive.",
    )
    cold = row.given(COLD, "Suppose that beta times the margin exceeds log(n_0 + 1).")
    warm = row.show(
        lt(0, lookup.beta), "So the inverse temperature is positive.", cold, log, positive
    )
    rivals = _rivals(p, leads, warm)
    every_input = row.apply(
        lookup.TASK_LOOKUP.at(w=logits),
        (rivals, cold),
        why="So the target's token wins with more than half of the attention.",
    ).for_all(
        lookup.beta,
        *IN_ROW,
        why="The input was arbitrary, so the head answers every input if beta is large enough.",
    )
    less = p.lemma(
        exp_log.EXP_LOG_BELOW_IDENTITY.at(x=lookup.longest + 1),
        AN_ITEM,
        why="The logarithm of n_0 + 1 is at most n_0.",
    )
    value = (lookup.longest + 1) / margin
    enough = p.show(
        Both(lt(0, value), lt(sp.log(lookup.longest + 1), kept(sp.Mul, value, margin))),
        "So n_0 + 1 over the margin is positive and large enough.",
        (less, positive, AN_ITEM),
    )
    chosen: Substitution = {lookup.beta: value, n: n, a: a, symbol: symbol, sigma: sigma}
    answered = p.under(INPUT).use(
        every_input,
        chosen,
        enough,
        why="So the head with this inverse temperature answers this input.",
    )
    found = p.witness(
        p.goal.args[2],
        {lookup.beta: value},
        (
            enough,
            answered.for_all(*IN_ROW, why="The input was arbitrary, so it answers every input."),
        ),
        why="So there is an inverse temperature at which the head answers every input.",
    )
    p.qed("The three statements together are the claim.", positive, every_input, found)
