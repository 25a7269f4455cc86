"""Nearly rank one is not enough: queries and keys that meet the rank condition, and no slash."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.lags import offset, weight
from ropeproof.theory.topics.slash.rival import SLASH_RIVAL
from ropeproof.theory.topics.softmax.margin import SOFTMAX_MARGIN_LOWER

tokens, token = integer("n c")
sign = real_function("a_token")
q_x, q_y, k_x, k_y, amp, u_x, u_y = real("q_x q_y k_x k_y A u_x u_y")
MEANINGS: Meanings = {
    **lags.MEANINGS,
    j: "a lag",
    tokens: "number of tokens",
    token: "a token",
    sign: shown_as("a", "a", "signs of the tokens"),
    q_x: "real part of the mean query",
    q_y: "imaginary part of the mean query",
    k_x: "real part of the mean key",
    k_y: "imaginary part of the mean key",
    amp: "amplitude of the mean head",
    u_x: "real part of any direction",
    u_y: "imaginary part of any direction",
}

TILT = sp.sqrt(19) / 19
LONGEST = 12
HALF = sp.Rational(1, 2)
LEAD, MARGIN = sp.Rational(104, 1000), sp.Rational(1224, 10000)


def query(of: Term | int) -> tuple[Term, Term]:
    """The query q (1 + i a eps) of a token of this sign."""
    return q_x - of * TILT * q_y, q_y + of * TILT * q_x


def key(of: Term | int) -> tuple[Term, Term]:
    """The key k (1 - i a eps) of a token of this sign."""
    return k_x + of * TILT * k_y, k_y - of * TILT * k_x


def between(of_query: tuple[Term, Term], of_key: tuple[Term, Term], lag: Term) -> Term:
    """The logit s Re q conj(k) e^{i lag/2} of one plane of the angle 1/2."""
    aligned = of_query[0] * of_key[0] + of_query[1] * of_key[1]
    crossed = of_query[1] * of_key[0] - of_query[0] * of_key[1]
    return s * (aligned * sp.cos(lag / 2) - crossed * sp.sin(lag / 2))


def mean(lag: Term) -> Term:
    """The mean head's logit."""
    return between((q_x, q_y), (k_x, k_y), lag)


def plus(lag: Term) -> Term:
    """The head's logit on a prompt whose tokens all have the sign +1."""
    return between(query(1), key(1), lag)


def minus(lag: Term) -> Term:
    """The head's logit on a prompt whose tokens all have the sign -1."""
    return between(query(-1), key(-1), lag)


def along(vector: Callable[..., tuple[Term, Term]], direction: tuple[Term, Term]) -> Term:
    """The squares of all tokens' components along a direction."""
    x, y = vector(sign(token))
    return sp.Sum((x * direction[0] + y * direction[1]) ** 2, (token, 1, tokens))


def squares(vector: Callable[..., tuple[Term, Term]]) -> Term:
    """The squared lengths of all tokens' vectors, added up."""
    x, y = vector(sign(token))
    return sp.Sum(x**2 + y**2, (token, 1, tokens))


def share(vector: Callable[..., tuple[Term, Term]], of_mean: tuple[Term, Term]) -> Formula:
    """The direction u has at most .95 of all squares, and that of the mean has exactly so much."""
    most = sp.Rational(19, 20) * squares(vector)
    return Both(
        le(along(vector, (u_x, u_y)), most * (u_x**2 + u_y**2)),
        eq(along(vector, of_mean), most * (of_mean[0] ** 2 + of_mean[1] ** 2)),
    )


low, high = 1 / (1 + sp.exp(LEAD * amp)), 1 / (1 + 11 * sp.exp(-MARGIN * amp))


def rows(first: Term, body: Formula) -> Formula:
    """The statement for every row from one to the twelfth."""
    return every(i, first, LONGEST, body)


LOST, LOST_TOO = (rows(offset + 1, le(weight(plus), low)), rows(offset + 2, le(weight(minus), low)))
KEPT = rows(offset + 1, le(high, weight(mean)))

SIGNS = Hypothesis(
    "each token has the sign 1 or -1", every(token, 1, tokens, eq(sign(token) ** 2, 1))
)
HALVES = Hypothesis(
    "half of the tokens have each sign", eq(sp.Sum(sign(token), (token, 1, tokens)), 0)
)
OFFSET = Hypothesis("the offset is at least 1", le(1, offset))
STRENGTH = Hypothesis("the amplitude is not negative", le(0, amp))
PHASE = Hypothesis(
    "the mean head is in phase at the offset",
    Both(
        eq(s * (q_x * k_x + q_y * k_y), amp * sp.cos(offset / 2)),
        eq(s * (q_y * k_x - q_x * k_y), -amp * sp.sin(offset / 2)),
    ),
)


def _head(lag: int, size: int, *changes: tuple[Term, Term | int]) -> Values:
    """The head of this amplitude for this offset, one token of each sign, and the direction (1, 0)."""
    at: Values = {
        tokens: 2,
        sign(1): 1,
        sign(2): -1,
        s: 1,
        q_x: 1,
        q_y: 0,
        amp: size,
        u_x: 1,
        u_y: 0,
    }
    at |= {offset: lag, k_x: size * sp.cos(lag * HALF), k_y: size * sp.sin(lag * HALF)}
    return at | dict(changes)


_EXAMPLE = (
    *where({tokens: 2, s: 1, q_x: 1, q_y: 0, k_x: 0, k_y: 0, amp: 0, offset: 1, u_x: 1, u_y: 0}),
    Every((token,), eq(sign(token), (-1) ** token)),
)


def _ranks(
    p: Proof, vector: Callable[..., tuple[Term, Term]], of_mean: tuple[Term, Term], name: str
) -> Fact:
    """The share of the mean's direction in the squares of all queries, or of all keys."""
    x, y = vector(sign(token))
    inside = p.under(within(token, 1, tokens))
    unit = inside.use(SIGNS, why="The square of the token's sign is 1.")
    length = of_mean[0] ** 2 + of_mean[1] ** 2
    whole = inside.show(
        eq(x**2 + y**2, sp.Rational(20, 19) * length),
        f"So the {name}'s squared length is 20/19 of that of the mean.",
        unit,
    ).summed(token, 1, tokens, "Sum this equation over the tokens.")
    out = vector(1)
    turn = ((out[0] - of_mean[0]) / TILT, (out[1] - of_mean[1]) / TILT)

    def projected(direction: tuple[Term, Term], why: str) -> tuple[Fact, tuple[Term, Term]]:
        a = of_mean[0] * direction[0] + of_mean[1] * direction[1]
        b = sp.expand(turn[0] * direction[0] + turn[1] * direction[1])
        component = inside.show(
            eq(
                (x * direction[0] + y * direction[1]) ** 2,
                a**2 + b**2 / 19 + sign(token) * (2 * TILT * a * b),
            ),
            f"The squared component of the {name} along {why} has a part that changes its sign.",
            unit,
        ).summed(token, 1, tokens, "Sum this equation over the tokens.")
        if b == 0:
            return component, (a, b)
        total = p.show(
            eq(component.formula.lhs, sp.Sum(a**2 + b**2 / 19, (token, 1, tokens))),
            "The part that changes its sign is a multiple of the sum of the signs. As the "
            "signs add up to 0, this part vanishes.",
            (component, HALVES),
        )
        return total, (a, b)

    total, (a, b) = projected((u_x, u_y), "a direction")
    size = u_x**2 + u_y**2
    bound = p.show(
        le(a**2 + b**2 / 19, length * size),
        "A square is not negative. By Lagrange's identity both squares together are at most "
        "the product of the lengths.",
    ).summed(token, 1, tokens, "Sum this bound over the tokens.")
    first = p.show(
        share(vector, of_mean).args[0],
        "The factor 20/19 is common to the squares of all tokens. The squared length of the "
        "direction is a common factor. So a direction has at most 19/20 of all squares.",
        (total, bound, whole),
    )
    own, (a, b) = projected(of_mean, "the mean")
    return p.show(
        share(vector, of_mean),
        "The squared length of the mean is a common factor. So the mean's direction has "
        "exactly 19/20 of all squares. "
        f"Both hold for the {name}.",
        (first, own, whole),
    )


_far = (j - offset) / 2
_first, _second, _third, _fourth = real("X Y U V")
STRAIGHT = sp.Rational(18, 19)


def _spread(first: Term, second: Term, of: int) -> Term:
    """The tilted logit, by s q.k and s (q x k)."""
    c, d = sp.cos(j / 2), sp.sin(j / 2)
    return STRAIGHT * (first * c - second * d) - 2 * of * TILT * (first * d + second * c)


def _aligned(p: Proof, form: Callable[..., Term], why: str) -> Fact:
    """A form of s q.k and s (q x k) at the values that the phase gives them."""
    aligned, crossed = s * (q_x * k_x + q_y * k_y), s * (q_y * k_x - q_x * k_y)
    c, d = amp * sp.cos(offset / 2), -amp * sp.sin(offset / 2)
    known = p.under(eq(_first, c), eq(_second, d))
    values = [
        known.given(eq(_first, c), "Suppose that X is A cos(Delta/2)."),
        known.given(eq(_second, d), "Suppose that Y is -A sin(Delta/2)."),
    ]
    general = known.rewrite(
        eq(form(_first, _second), form(c, d)), "Put these values for X and Y.", values
    )
    return p.use(general, {_first: aligned, _second: crossed}, PHASE, why=why)


def _turned(p: Proof, logits: Callable[..., Term], of: int) -> Fact:
    """The logit on a prompt of one sign, by its distance from the offset."""
    aligned, crossed = s * (q_x * k_x + q_y * k_y), s * (q_y * k_x - q_x * k_y)

    def form(first: Term, second: Term) -> Term:
        return _spread(first, second, of)

    apart = p.show(
        eq(logits(j), form(aligned, crossed)),
        "The tilts of query and key add up to a turn and a factor 1 - eps^2.",
    )
    put = _aligned(p, form, "As the mean head is in phase, its two products are known.")
    added = p.show(
        eq(put.formula.rhs, amp * (STRAIGHT * sp.cos(_far) - 2 * of * TILT * sp.sin(_far))),
        "By the addition theorems this depends on the lag's distance from the offset.",
    )
    return p.chain(apart, put, added, why="So the logit depends on this distance.")


def _cosine(p: Proof) -> Fact:
    """The mean head's logit is A cos((j - Delta)/2)."""

    def form(first: Term, second: Term) -> Term:
        return first * sp.cos(j / 2) - second * sp.sin(j / 2)

    aligned, crossed = s * (q_x * k_x + q_y * k_y), s * (q_y * k_x - q_x * k_y)
    apart = p.show(eq(mean(j), form(aligned, crossed)), "Multiply the scale out.")
    put = _aligned(p, form, "As the mean head is in phase at the offset, its products are known.")
    added = p.show(
        eq(put.formula.rhs, amp * sp.cos(_far)),
        "By the addition theorem the mean head's logit is a cosine of the distance.",
    )
    return p.chain(apart, put, added, why="So the mean head's logit is that cosine.")


def _loses(p: Proof, logits: Callable[..., Term], of: int) -> Fact:
    """The target's weight on a prompt of one sign, where the rival's lag is in the row."""
    aim = offset - of
    turned = _turned(p, logits, of)
    here = turned.at({j: offset}, why="This holds at the offset.")
    there = turned.at({j: aim}, why="This holds at the rival's lag, too.")
    ahead = STRAIGHT * sp.cos(HALF) + 2 * TILT * sp.sin(HALF) - STRAIGHT
    lead = p.show(
        le(LEAD, ahead), "The rival leads by more than .104 per unit of amplitude.", by=rules.ball()
    ).times(amp, "Multiply this bound by the amplitude, which is not negative.", STRENGTH)
    general = p.under(
        eq(_third, here.formula.rhs), eq(_fourth, there.formula.rhs), lead.formula
    ).show(le(LEAD * amp, _fourth - _third), "So V exceeds U by at least .104 A.")
    gap = p.use(
        general, {_third: logits(offset), _fourth: logits(aim)}, here, there, lead,
        why="So the rival's logit exceeds the target's by at least .104 A.",
    ).image(sp.exp, "So its odds against the target are at least e^(.104 A).")  # fmt: skip
    row = p.under(within(i, offset + (1 if of > 0 else 2), LONGEST))
    taken = row.lemma(
        SLASH_RIVAL.at(g=logits, r=aim), OFFSET, why="One rival bounds the target's weight."
    )
    x, y = real("x y")
    order = p.under(lt(0, x), le(x, y)).show(
        le(1 / (1 + y), 1 / (1 + x)), "If x <= y are positive, 1/(1 + y) is at most 1/(1 + x)."
    )
    below = p.use(
        order,
        {x: sp.exp(LEAD * amp), y: gap.formula.rhs},
        gap,
        why="The number e^(.104 A) is positive. Take e^(.104 A) for x and the rival's odds for y.",
    )
    return row.show(
        le(weight(logits), low), "So the target has at most 1/(1 + e^(.104 A)).", taken, below
    ).for_all(i, why="This holds for every such row.")


def _keeps(p: Proof) -> Fact:
    """The target's weight in the mean head."""
    cosine = _cosine(p)
    x = real("x")
    near = p.under(within(x, 1, LONGEST - 1)).show(
        le(sp.cos(x / 2), 1 - MARGIN),
        "From the distance 1 to 11 the cosine of half of it is at most .8776.",
        by=rules.ball(),
    )
    row = p.under(within(i, offset + 1, LONGEST))
    lag = row.under(within(j, 0, i - 1))
    above = lag.under(lt(offset, j)).use(
        near, {x: j - offset}, OFFSET, why="A lag above the offset is at most 11 lags away."
    )
    below = lag.under(lt(j, offset)).use(
        near, {x: offset - j}, OFFSET, why="A lag below the offset is at most 11 lags away, too."
    )
    other = lag.under(ne(j, offset))
    most = other.show(
        le(sp.cos(_far), 1 - MARGIN),
        "So for another lag the cosine is at most .8776.",
        above,
        below,
    )
    scaled = most.times(
        amp, "Multiply this bound by the amplitude, which is not negative.", STRENGTH
    )
    here = cosine.at({j: offset}, why="At the offset the logit is A.")
    general = p.under(eq(_third, cosine.formula.rhs), eq(_fourth, amp), scaled.formula).show(
        le(_third + MARGIN * amp, _fourth), "So U lies at least .1224 A below V."
    )
    gap = other.use(
        general, {_third: mean(j), _fourth: mean(offset)}, cosine, here, scaled,
        why="So the mean head's margin is at least .1224 A.",
    )  # fmt: skip
    bound = row.lemma(
        SOFTMAX_MARGIN_LOWER.at(w=mean, a=offset, n=i, gamma=MARGIN * amp),
        (gap.for_all(j, why="This holds for every other lag."), OFFSET),
        why="So the target has at least the weight that this margin guarantees among i lags.",
    )
    e, count = real("F M")
    fewer = p.under(lt(0, e), le(0, count), le(count, 11)).show(
        le(1 / (1 + 11 * e), 1 / (1 + count * e)), "Fewer competitors leave at least as much."
    )
    least = row.use(
        fewer,
        {e: sp.exp(-MARGIN * amp), count: i - 1},
        OFFSET,
        why="The number e^(-.1224 A) is positive. A row has at most 11 competitors.",
    )
    return row.chain(
        least, bound, why="So the mean head gives the target at least this much."
    ).for_all(i, why="This holds for every row.")


@theorem(
    "slash.rank-condition-not-enough",
    needs="PTXW",
    hypotheses=(SIGNS, HALVES, OFFSET, STRENGTH, PHASE),
    example=_EXAMPLE,
    conclusion=Both(share(query, (q_x, q_y)), share(key, (k_x, k_y)), LOST, LOST_TOO, KEPT),
    attack=Attack(
        {
            "nine tenths along the mean": eq(
                10 * along(query, (q_x, q_y)), 9 * squares(query) * (q_x**2 + q_y**2)
            ),
            "the keys are rank one": eq(along(key, (k_x, k_y)), squares(key) * (k_x**2 + k_y**2)),
            "the target keeps the mean head's weight": rows(offset + 1, le(high, weight(plus))),
            "twice the lead": rows(offset + 1, le(weight(plus), 1 / (1 + sp.exp(2 * LEAD * amp)))),
            "the first row of the other prompt loses, too": rows(
                offset + 1, le(weight(minus), low)
            ),
            "thirteen tokens": every(i, offset + 1, LONGEST + 1, le(high, weight(mean))),
        },
        at={
            "nine tenths along the mean": _head(2, 1),
            "the keys are rank one": _head(2, 1),
            "the target keeps the mean head's weight": _head(3, 10),
            "twice the lead": _head(3, 10),
            "the first row of the other prompt loses, too": _head(1, 10),
            "thirteen tokens": _head(12, 50),
        },
        without={
            SIGNS: _head(2, 1, (sign(1), 3), (sign(2), -3)),
            HALVES: _head(2, 1, (sign(2), 1), (u_y, TILT)),
            OFFSET: _head(0, 10),
            STRENGTH: _head(1, -10),
            PHASE: _head(1, 10, (k_x, 0), (k_y, 0)),
        },
    ),
)
def SLASH_RANK_CONDITION_NOT_ENOUGH(p: Proof) -> None:
    r"""Queries and keys of rank one up to a twentieth of their squares need not make a slash

    One plane of the angle $\frac12$, $\varepsilon^2=\frac1{19}$; tokens of the signs $a=\pm1$,
    half of each, with queries $q(1+\mathrm ia\varepsilon)$ and keys $k(1-\mathrm ia\varepsilon)$.
    No direction $u$ has more than $\frac{19}{20}$ of all squares of the queries, $q$ has exactly
    so much, and likewise $k$ for the keys: $r_1=.95$, so $r_{0.95}=1$. Let the mean head's logit
    be $A\cos\frac{j-\Delta}2$, $A\ge0$, that is $s\,q\overline{k}=Ae^{-\mathrm i\Delta/2}$, with
    $\Delta\ge1$. In each row $\Delta<i\le12$ it gives the target at least $1/(1+11e^{-.1224A})$.
    On a prompt whose tokens all have the sign 1 the head itself gives it at most
    $1/(1+e^{.104A})$ in each of these rows, and on a prompt of the sign $-1$ in each of them but
    the first, $i=\Delta+1$.
    """
    queries = _ranks(p, query, (q_x, q_y), "query")
    keys = _ranks(p, key, (k_x, k_y), "key")
    lost, lost_too = _loses(p, plus, 1), _loses(p, minus, -1)
    p.qed("These are the parts of the claim.", queries, keys, lost, lost_too, _keeps(p))
