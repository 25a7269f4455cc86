"""One softmax head finds the value of a key's last occurrence in every input up to a length."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.exponential import exp_log
from ropeproof.theory.library.sums.permutation import image
from ropeproof.theory.library.trigonometry.cosine import falling_cosine
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_POSITIVE
from ropeproof.theory.library.trigonometry.turns import size
from ropeproof.theory.papers.citations import DECOUPLE
from ropeproof.theory.topics.softmax.margin import a
from ropeproof.theory.topics.softmax.token import sigma
from ropeproof.theory.topics.task import info_retrieval_head, lookup, matching
from ropeproof.theory.topics.task.info_retrieval import TWO
from ropeproof.theory.topics.task.lookup import symbol
from ropeproof.theory.topics.task.partial_induction import sharp

MEANINGS: Meanings = {
    **sharp.MEANINGS,
    **lookup.MEANINGS,
    n: "number of items of the input",
    size: "number of keys",
    a: "position of the item that is asked for",
    sigma: "values, by position",
    lookup.beta: "inverse temperature",
    lookup.c: "any other value",
}

step = sp.pi / (2 * (lookup.longest + 1))
lead = sharp.root * sp.sin(sp.pi / (4 * (lookup.longest + 1)))


def recency(lag: Term) -> Term:
    """The logit of the recency plane at a lag."""
    return sp.cos(step * lag + sharp.quarter)


def unit(at: Term) -> Term:
    """The logit at beta = 1: a symbol plane of amplitude B and a recency plane."""
    return sharp.amount * info_retrieval_head.side(at) * sp.cos(
        (symbol(at) - symbol(n)) * matching.FULL
    ) + recency(n - at)


def logits(at: Term) -> Term:
    """The logit at an item, or at the query's own position n."""
    return lookup.beta * unit(at)


LAST = every(j, a + 1, n - 1, ne(symbol(j), symbol(n)))
INPUT = Both(*lookup.ROW, LAST)
ANSWER = lookup.answers(logits)
STRONG = le(1 + sharp.root, sharp.amount * (1 - sp.cos(matching.FULL)))
COLD = lt(sp.log(lookup.longest + 1), lookup.beta * lead)
IN_ROW = (n, a, symbol(lookup.z), sigma(lookup.z))


def _leads(p: Proof) -> tuple[Fact, Fact]:
    """A later one of two equal symbols leads, other symbols lose, over n_0 + 1 lags."""
    later, others = (
        p.under(STRONG)
        .lemma(
            sharp.TASK_PARTIAL_INDUCTION_SHARP.at(n=lookup.longest + 1),
            why="Among n_0 + 1 lags the later of two equal symbols leads, and others lose by 1.",
        )
        .parts("This is one part of the previous statement.")
    )
    return later, others


def _lead(p: Proof, roots: Fact) -> tuple[Fact, Fact]:
    """The lead is positive and at most 1."""
    part = sp.pi / (4 * (lookup.longest + 1))
    small = p.show(
        Both(lt(0, part), le(part, sp.pi / 8), lt(sp.pi, 4)),
        "The angle pi/(4 n_0 + 4) is positive and at most pi/8.",
        info_retrieval_head.AN_ITEM,
    )
    sine = p.apply(TRIG_SINE_POSITIVE, small, why="So its sine is positive.")
    positive = p.show(lt(0, lead), "So the lead, the root of 2 times this sine, is positive.", sine)
    cosine = falling_cosine(
        p,
        sharp.quarter,
        sp.pi / 2 - part,
        "The cosine of the rest of a right angle is at most that of pi/4.",
        small,
    )
    at_most = p.show(
        le(lead, 1),
        "The cosine of the rest of a right angle is the sine. So the lead is at most 1.",
        (cosine, roots, sine),
    )
    return positive, at_most


def _target(row: Scope) -> Fact:
    """The target is an item of the query's symbol: its symbol plane has the whole amplitude."""
    item = row.show(
        eq(info_retrieval_head.side(a), 1),
        "The target is an item and not the query, so its key is not reversed.",
    )
    cosine = row.show(
        eq((symbol(a) - symbol(n)) * matching.FULL, 0),
        "The target has the query's symbol, so the angle of its symbol is 0.",
        by=rules.smt(),
    ).image(sp.cos, "So the cosine of this angle is 1.")
    return row.show(
        eq(unit(a), sharp.amount + recency(n - a)),
        "So the target's logit is B plus its recency.",
        (item, cosine),
    )


def _other_symbol(row: Scope, loses: Fact, own: Fact) -> Fact:
    """An item with another symbol loses by 1."""
    item = row.under(within(j, 0, n - 1))
    letters = row.given(lookup.SYMBOLS, "All symbols are in the alphabet, by hypothesis.")
    letter = item.use(letters, why="In particular the item's symbol is in the alphabet.")
    asked = row.use(letters, {j: n}, why="In particular the query's symbol is in the alphabet.")
    after, before = item.under(lt(symbol(n), symbol(j))), item.under(lt(symbol(j), symbol(n)))
    steps = symbol(j) - symbol(n)

    def lose(case: Scope, on: Term, why: str) -> Fact:
        values = {matching.d: on, matching.early: n - j, matching.late: n - a}
        return case.use(loses, values, letter, asked, why=why)

    further = lose(
        after, steps, "If the item's symbol comes after the query's, it loses by at least 1."
    )
    earlier = lose(
        before, steps + size, "If it comes before, it is counted once around, and it loses too."
    )
    around = item.show(
        eq((steps + size) * matching.FULL, steps * matching.FULL + 2 * sp.pi),
        "Counting around adds a whole turn to the angle.",
        TWO,
    )
    same = item.rewrite(
        eq(sp.cos((steps + size) * matching.FULL), kept(sp.cos, steps * matching.FULL + 2 * sp.pi)),
        "So the cosine of this angle is that with the whole turn.",
        around,
    )
    plain = item.show(eq(info_retrieval_head.side(j), 1), "The key of an item is not reversed.")
    different = item.under(ne(symbol(j), symbol(n)))
    return different.show(
        le(1, unit(a) - unit(j)),
        "So an item with another symbol is below the target by at least 1.",
        (further, earlier, same, plain, own),
    )


def _earlier_item(row: Scope, later: Fact, own: Fact) -> Fact:
    """An earlier item with the query's symbol loses by the lead, and there is no later one."""
    item = row.under(within(j, 0, n - 1), eq(symbol(j), symbol(n)), ne(j, a))
    last = row.given(LAST, "Suppose that no item after the target has the query's symbol.")
    not_later = item.under(lt(a, j)).use(
        last, why="In particular an item j after the target does not have it."
    )
    behind = item.use(
        later,
        {matching.early: n - a, matching.late: n - j},
        not_later,
        why="So a rival with the query's symbol comes before the target. So its recency is below "
        "the target's by the lead.",
    )
    cosine = item.show(
        eq((symbol(j) - symbol(n)) * matching.FULL, 0),
        "The rival has the query's symbol, so the angle of its symbol is 0.",
        by=rules.smt(),
    ).image(sp.cos, "So the cosine of this angle is 1.")
    plain = item.show(eq(info_retrieval_head.side(j), 1), "The key of an item is not reversed.")
    return item.show(
        le(lead, unit(a) - unit(j)),
        "So a rival with the query's symbol is below the target by the lead.",
        (behind, cosine, plain, own),
    )


def _query(row: Scope, own: Fact, squares: Fact, roots: Fact) -> Fact:
    """The query's own key loses by 1."""
    query = row.under(eq(j, n))
    symbols = image(
        row, symbol, j, n, "Consider the query's own position.", "There the symbol is the query's."
    )
    cosine = query.show(
        eq((symbol(j) - symbol(n)) * matching.FULL, 0), "So the angle of its symbol is 0.", symbols
    ).image(sp.cos, "So the cosine of this angle is 1.")
    flipped = query.show(eq(info_retrieval_head.side(j), -1), "The query's own key is reversed.")
    now = query.show(
        eq(step * (n - j) + sharp.quarter, sharp.quarter),
        "At lag 0 the angle of the recency plane is pi/4.",
        by=rules.smt(),
    )
    here = query.rewrite(
        eq(recency(n - j), sharp.cos_quarter), "So its recency is the cosine of pi/4.", now
    )
    part = step * (n - a)
    angle = row.show(
        Both(
            le(sharp.quarter, part + sharp.quarter),
            le(part + sharp.quarter, 3 * sharp.quarter),
            lt(0, sp.pi),
        ),
        "The angle of the target's recency lies between pi/4 and 3 pi/4.",
        info_retrieval_head.AN_ITEM,
    )
    lowest = falling_cosine(
        row,
        part + sharp.quarter,
        3 * sharp.quarter,
        "So the target's recency is at least the cosine of 3 pi/4.",
        angle,
    )
    strong = row.given(STRONG, "Suppose that the symbol plane's amplitude is large enough.")
    spread = row.show(
        within(sp.cos(matching.FULL), -1, 1), "The cosine of one step lies between -1 and 1."
    )
    twice = row.show(
        le(1 + sharp.root, 2 * sharp.amount),
        "So twice the amplitude is at least 1 plus the root of 2.",
        (strong, spread),
    )
    return query.show(
        le(1, unit(a) - unit(j)),
        "So the query's own key is below the target by at least 1.",
        (twice, lowest, squares, roots, here, flipped, cosine, own),
    )


def _rivals(row: Scope, leads: tuple[Fact, ...], half: tuple[Fact, ...], warm: Fact) -> Fact:
    """Positions with another token are lower by beta times the lead."""
    (later, loses, at_most), (squares, roots) = leads, half
    own = _target(row)
    lower = (
        _other_symbol(row, loses, own),
        _earlier_item(row, later, own),
        _query(row, own, squares, roots),
    )
    itself = image(
        row,
        sigma,
        j,
        a,
        "Consider the target's own position.",
        "The target's position has the target's token.",
    )
    rival = row.under(within(j, 0, n), ne(sigma(j), sigma(a)))
    scaled = rival.show(
        le(lead, unit(a) - unit(j)),
        "So every position with another token is below the target by the lead.",
        (*lower, itself, at_most),
    ).times(lookup.beta, "Multiply this inequality by beta, which is positive.", warm)
    return rival.show(
        le(logits(j) + lookup.beta * lead, logits(a)),
        "Multiply out: this is the margin of the scaled logits.",
        scaled,
    ).for_all(j, why="The position was arbitrary, so this holds for every one.")


def _input(*symbols: int, longest_input: int, tokens: tuple[int, ...]) -> Values:
    """An input of two symbols, all but the last position items, of which the first is the target."""
    row: Values = {
        n: len(symbols) - 1,
        lookup.longest: longest_input,
        a: 0,
        size: 2,
        sharp.amount: sp.Rational(5, 4),
    }
    return row | listed(symbol, *symbols) | listed(sigma, *tokens)


_crowd = _input(0, *[1] * 7, 0, longest_input=8, tokens=(1, *[2] * 7, 3))
_earlier = _input(0, 0, 0, longest_input=2, tokens=(1, 2, 3)) | {lookup.beta: 4}


@theorem(
    "task.partial-induction-head",
    source=DECOUPLE.at("section 4, Theorem 6; its proof in appendix B.8", "repaired"),
    needs="PTXW",
    hypotheses=(TWO, info_retrieval_head.AN_ITEM),
    conclusion=Both(
        lt(0, lead),
        Every((sharp.amount, lookup.beta, *IN_ROW), If(Both(STRONG, COLD, *INPUT.args), ANSWER)),
        Some(
            (sharp.amount, lookup.beta), Both(lt(0, lookup.beta), Every(IN_ROW, If(INPUT, ANSWER)))
        ),
    ),
    attack=Attack(
        {
            "any inverse temperature": If(Both(STRONG, *INPUT.args), ANSWER),
            "any symbol plane": If(Both(COLD, *INPUT.args), ANSWER),
            "any occurrence": If(Both(STRONG, COLD, *lookup.ROW), ANSWER),
            "the query's token": If(
                Both(STRONG, COLD, *INPUT.args),
                lt(lookup.share(sigma(a), logits), lookup.share(sigma(n), logits)),
            ),
            "a lead of 1": le(1, lead),
        },
        at={
            "any inverse temperature": _crowd | {lookup.beta: sp.Rational(1, 10)},
            "any symbol plane": _crowd | {lookup.beta: 20, sharp.amount: 0},
            "any occurrence": _earlier,
            "the query's token": _earlier | {a: 1},
            "a lead of 1": {lookup.longest: 3},
        },
        without={info_retrieval_head.AN_ITEM: {lookup.longest: -3, size: 2}},
        idle={TWO: "with one symbol recency alone decides, and with none there is no input"},
    ),
)
def TASK_PARTIAL_INDUCTION_HEAD(p: Proof) -> None:
    r"""There is a softmax head that finds the last value of a key in every input up to a length

    For every $n_0\ge1$ and $Q\ge2$ symbols $\omega=2\pi/Q$ apart: let an item of symbol $\phi_j$
    at position $j$ have the logit
    $\beta\big[B\cos((\phi_j-\phi_n)\omega)+\cos((n-j)\theta+\frac\pi4)\big]$,
    $\theta=\frac\pi{2(n_0+1)}$, for a query of symbol $\phi_n$ at position $n$, whose own key is
    opposite in the symbol plane: its logit is $\beta(\cos\frac\pi4-B)$. With every $B$ with
    $B(1-\cos\omega)\ge1+\sqrt2$ and every $\beta>\frac{\ln(n_0+1)}{\sqrt2\sin(\pi/(4(n_0+1)))}$,
    the softmax head answers every input of at most $n_0$ items right: the token of the last item
    with the query's symbol has more than half of the attention, and every other token less than
    it. So there is such a head, a $B$ and a $\beta>0$.
    """
    later, loses = _leads(p)
    _, squares, roots = sharp.diagonal(p)
    positive, at_most = _lead(p, roots)
    row = p.under(STRONG, COLD, *INPUT.args)
    log = p.lemma(
        exp_log.EXP_LOG_POSITIVE.at(x=lookup.longest + 1),
        info_retrieval_head.AN_ITEM,
        why="The logarithm of a number beyond 1 is positive.",
    )
    warm = row.show(
        lt(0, lookup.beta),
        "Suppose that beta times the lead exceeds log(n_0 + 1). So the inverse temperature "
        "is positive.",
        (log, positive),
    )
    rivals = _rivals(row, (later, loses, at_most), (squares, roots), warm)
    every_input = row.apply(
        lookup.TASK_LOOKUP.at(w=logits),
        rivals,
        why="So the target's token wins with more than half of the attention.",
    ).for_all(
        sharp.amount,
        lookup.beta,
        *IN_ROW,
        why="The input was arbitrary, so the head answers all if B and beta are large enough.",
    )
    full = p.show(
        Both(lt(0, matching.FULL), le(matching.FULL, sp.pi)),
        "With at least two symbols a step is at most half a turn.",
        TWO,
    )
    falls = falling_cosine(
        p,
        sp.S.Zero,
        matching.FULL,
        "So the cosine of one step is less than that of 0.",
        full,
        strict=True,
    )
    strength, chill = 3 / (1 - sp.cos(matching.FULL)), (lookup.longest + 1) / lead
    less = p.lemma(
        exp_log.EXP_LOG_BELOW_IDENTITY.at(x=lookup.longest + 1),
        info_retrieval_head.AN_ITEM,
        why="The logarithm of n_0 + 1 is at most n_0.",
    )
    chosen: Substitution = {
        sharp.amount: strength,
        lookup.beta: chill,
        n: n,
        a: a,
        symbol: symbol,
        sigma: sigma,
    }
    answered = p.under(INPUT).use(
        every_input,
        chosen,
        (falls, less, positive, info_retrieval_head.AN_ITEM),
        why="So the amplitude 3/(1 - cos(2 pi/Q)) is large enough. So this inverse temperature "
        "is positive and large enough. So the head with these numbers answers this input.",
    )
    found = p.witness(
        p.goal.args[2],
        {sharp.amount: strength, lookup.beta: chill},
        (
            less,
            positive,
            info_retrieval_head.AN_ITEM,
            answered.for_all(*IN_ROW, why="The input was arbitrary, so it answers every input."),
        ),
        why="So there are an amplitude and an inverse temperature of this kind.",
    )
    p.qed("The three statements together are the claim.", positive, every_input, found)
