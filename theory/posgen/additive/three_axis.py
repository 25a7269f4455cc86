"""A logit is nearly a function of the lag plus one of the query plus one of the key."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    chain,
    identity,
    instance,
    smt,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import key_x, key_y, l, m, over_planes, query_x, query_y, s, t, theta
from ropeproof.theory.posgen.additive.common import (
    DEV,
    INSIDE,
    KEY,
    MARKS,
    OFF,
    QUERY,
    SCALE,
    SPEED,
    WINDOW,
    alpha,
    beta,
    close_step,
    cross_part,
    dev_x,
    dev_y,
    dot_part,
    factor,
    full_sum,
    length,
    marked,
    middle,
    off_x,
    off_y,
    p_,
    product_of,
    q_,
    size_steps,
    slow,
    slow_sum,
    x,
    y_,
)
from ropeproof.theory.posgen.plane import a, c, part, phi, psi
from ropeproof.theory.posgen.plane import size as radius


def _three_axis() -> Claim:
    logit = full_sum((QUERY[0] + DEV[0], QUERY[1] + DEV[1]), (KEY[0] + OFF[0], KEY[1] + OFF[1]))
    mean = full_sum(QUERY, KEY)
    of_query, of_key = slow_sum(DEV, KEY), slow_sum(QUERY, OFF)
    sizes = product_of(QUERY, KEY)
    share = alpha(l) * beta(l) + (alpha(l) + beta(l)) * slow()
    bound = over_planes(s * (sizes * share))
    goal = le(sp.Abs(logit - mean - of_query - of_key), bound)
    small_query = every(l, 0, m - 1, le(length(DEV), alpha(l) * length(QUERY)))
    small_key = every(l, 0, m - 1, le(length(OFF), beta(l) * length(KEY)))
    cross = full_sum(DEV, OFF)
    parts = (
        ("query's", DEV, KEY, over_planes(s * (product_of(DEV, KEY) * slow()))),
        ("key's", QUERY, OFF, over_planes(s * (product_of(QUERY, OFF) * slow()))),
    )
    cross_bound = over_planes(s * product_of(DEV, OFF))
    term = s * part(theta(l) * t, dot_part(DEV, OFF), cross_part(DEV, OFF))
    turned = part(theta(l) * t, dot_part(DEV, OFF), cross_part(DEV, OFF))
    still = dot_part(DEV, OFF)
    shares = (
        ("query's", "of the query", product_of(DEV, KEY), alpha(l) * length(QUERY) * length(KEY)),
        ("key's", "of the key", length(OFF) * length(QUERY), beta(l) * length(KEY) * length(QUERY)),
    )
    names = ("queries deviate by alpha", "keys deviate by beta")
    each = (
        s * (product_of(DEV, KEY) * slow())
        + s * (product_of(QUERY, OFF) * slow())
        + s * product_of(DEV, OFF)
    )
    unit = (
        *(eq(m, 1), eq(s, 1), eq(query_x(0), 1), eq(query_y(0), 0), eq(key_x(0), 1)),
        *(eq(key_y(0), 0), eq(off_x(0), 1), eq(off_y(0), 0), eq(dev_x(0), 1), eq(dev_y(0), 0)),
    )
    wide = (eq(theta(0), 3), eq(t, 0), eq(middle, 1))
    ones = (eq(alpha(0), 1), eq(beta(0), 1))
    return Claim(
        id="posgen.three-axis",
        title="A logit is nearly a function of the lag plus one of the query plus one of the key",
        statement=(
            r"With $q=\bar q+\delta$, $k=\bar k+\kappa$, $a_t=w(t,\bar q,\bar k)$, the slow planes' "
            r"query and key terms at the middle of the window, $|\delta_l|\le\alpha_l|\bar q_l|$ and "
            r"$|\kappa_l|\le\beta_l|\bar k_l|$: the error is at most $s\sum_l|\bar q_l||\bar k_l|"
            r"[\alpha_l\beta_l+(\alpha_l+\beta_l)\min\{1,\theta_lt_0\}]$."
        ),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis(
                SCALE.name, SCALE.formula, without=(*unit[:1], eq(s, -1), *unit[2:], *wide, *ones)
            ),
            Hypothesis(
                SPEED.name,
                SPEED.formula,
                without=(*unit, eq(theta(0), -9), eq(t, 0), eq(middle, 1), *ones),
            ),
            Hypothesis(
                WINDOW.name,
                WINDOW.formula,
                without=(
                    *(
                        *unit[:-2],
                        eq(dev_x(0), 0),
                        eq(dev_y(0), 0),
                        eq(alpha(0), 0),
                        eq(beta(0), 1),
                    ),
                    *(eq(theta(0), sp.Rational(1, 2)), eq(t, 6), eq(middle, sp.Rational(1, 2))),
                ),
            ),
            Hypothesis(MARKS.name, MARKS.formula, without=(*unit, *wide, *ones, eq(marked(0), -9))),
            Hypothesis(
                names[0], small_query, without=(*unit, *wide, eq(alpha(0), 0), eq(beta(0), 1))
            ),
            Hypothesis(
                names[1], small_key, without=(*unit, *wide, eq(alpha(0), 1), eq(beta(0), 0))
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "expand",
                    eq(logit - mean, full_sum(DEV, KEY) + full_sum(QUERY, OFF) + cross),
                    identity(),
                    "Expand: the query's deviation, the key's, and both.",
                ),
                *(
                    step
                    for label, first, second, _ in parts
                    for step in (
                        *size_steps(label, first, second),
                        close_step(label, first, second),
                    )
                ),
                *size_steps("cross", DEV, OFF),
                Step(
                    "cross size",
                    Both(
                        le(0, product_of(DEV, OFF)),
                        eq(
                            product_of(DEV, OFF) ** 2,
                            dot_part(DEV, OFF) ** 2 + cross_part(DEV, OFF) ** 2,
                        ),
                    ),
                    instance({l: l}),
                    "Of both together",
                    ("cross sizes",),
                    INSIDE,
                ),
                Step(
                    "cross plane at t",
                    Both(
                        le(sp.Abs(turned), product_of(DEV, OFF)),
                        le(sp.Abs(turned - still), 2 * product_of(DEV, OFF)),
                        le(sp.Abs(turned - still), product_of(DEV, OFF) * sp.Abs(theta(l) * t - 0)),
                    ),
                    by_claim(
                        "posgen.plane",
                        {
                            a: dot_part(DEV, OFF),
                            c: cross_part(DEV, OFF),
                            radius: product_of(DEV, OFF),
                            phi: theta(l) * t,
                            psi: 0,
                        },
                    ),
                    "a plane adds no more than its size,",
                    ("cross size",),
                    INSIDE,
                ),
                Step(
                    "cross scaled",
                    le(sp.Abs(turned) * s, product_of(DEV, OFF) * s),
                    by_claim(
                        "order.times", {x: sp.Abs(turned), y_: product_of(DEV, OFF), factor: s}
                    ),
                    "also after scaling,",
                    ("cross plane at t", SCALE.name),
                    INSIDE,
                ),
                Step(
                    "a term from above",
                    le(s * x, s * y_),
                    smt(),
                    "(with either",
                    (SCALE.name,),
                    (le(sp.Abs(x) * s, y_ * s),),
                ),
                Step(
                    "a term from below",
                    le(-(s * y_), s * x),
                    smt(),
                    "sign)",
                    (SCALE.name,),
                    (le(sp.Abs(x) * s, y_ * s),),
                ),
                Step(
                    "cross from above",
                    le(term, s * product_of(DEV, OFF)),
                    instance({x: turned, y_: product_of(DEV, OFF)}),
                    "from above",
                    ("a term from above", "cross scaled"),
                    INSIDE,
                ),
                Step(
                    "cross from below",
                    le(-(s * product_of(DEV, OFF)), term),
                    instance({x: turned, y_: product_of(DEV, OFF)}),
                    "and from below,",
                    ("a term from below", "cross scaled"),
                    INSIDE,
                ),
                Step(
                    "cross upper",
                    le(cross, cross_bound),
                    termwise(),
                    "all planes",
                    ("cross from above",),
                ),
                Step(
                    "cross lower",
                    le(over_planes(-(s * product_of(DEV, OFF))), cross),
                    termwise(),
                    "together.",
                    ("cross from below",),
                ),
                Step(
                    "negative",
                    eq(over_planes(-(s * product_of(DEV, OFF))), -cross_bound),
                    identity(),
                    "(A sum is linear.)",
                ),
                Step(
                    "alpha",
                    le(length(DEV), alpha(l) * length(QUERY)),
                    instance({l: l}),
                    "The deviations",
                    (names[0],),
                    INSIDE,
                ),
                Step(
                    "beta",
                    le(length(OFF), beta(l) * length(KEY)),
                    instance({l: l}),
                    "are shares of the means:",
                    (names[1],),
                    INSIDE,
                ),
                Step(
                    "lengths",
                    Both(
                        le(0, length(QUERY)),
                        le(0, length(KEY)),
                        le(0, length(DEV)),
                        le(0, length(OFF)),
                    ),
                    smt(),
                    "lengths are not negative,",
                    ("query's roots", "key's roots"),
                ),
                Step(
                    "of the query",
                    le(product_of(DEV, KEY), alpha(l) * length(QUERY) * length(KEY)),
                    by_claim(
                        "order.times",
                        {x: length(DEV), y_: alpha(l) * length(QUERY), factor: length(KEY)},
                    ),
                    "so the query's part",
                    ("alpha", "lengths"),
                    INSIDE,
                ),
                Step(
                    "of the key",
                    le(length(OFF) * length(QUERY), beta(l) * length(KEY) * length(QUERY)),
                    by_claim(
                        "order.times",
                        {x: length(OFF), y_: beta(l) * length(KEY), factor: length(QUERY)},
                    ),
                    "and the key's",
                    ("beta", "lengths"),
                    INSIDE,
                ),
                Step(
                    "of both",
                    le(product_of(DEV, OFF), alpha(l) * length(QUERY) * (beta(l) * length(KEY))),
                    by_claim(
                        "order.products",
                        {
                            x: length(DEV),
                            p_: alpha(l) * length(QUERY),
                            y_: length(OFF),
                            q_: beta(l) * length(KEY),
                        },
                    ),
                    "and that of both are shares.",
                    ("alpha", "beta", "lengths"),
                    INSIDE,
                ),
                Step(
                    "speed",
                    le(0, theta(l)),
                    instance({l: l}),
                    "(frequencies are not negative)",
                    (SPEED.name,),
                    INSIDE,
                ),
                Step(
                    "middle",
                    le(0, middle),
                    smt(),
                    "(nor is the middle of the window)",
                    (WINDOW.name,),
                ),
                Step(
                    "speed angle",
                    le(0, theta(l) * middle),
                    by_claim("order.product-sign", {x: theta(l), y_: middle}),
                    "(nor the angle)",
                    ("speed", "middle"),
                    INSIDE,
                ),
                Step("turn", le(0, slow()), smt(), "(nor is the turn)", ("speed angle",), INSIDE),
                Step(
                    "turn and scale",
                    le(0, slow() * s),
                    by_claim("order.product-sign", {x: slow(), y_: s}),
                    "(nor that scaled)",
                    ("turn", SCALE.name),
                    INSIDE,
                ),
                *(
                    Step(
                        f"{label} turn",
                        le(small * (slow() * s), large * (slow() * s)),
                        by_claim("order.times", {x: small, y_: large, factor: slow() * s}),
                        "Times the turn and the scale,",
                        (premise, "turn and scale"),
                        INSIDE,
                    )
                    for label, premise, small, large in shares
                ),
                Step(
                    "both scaled",
                    le(
                        product_of(DEV, OFF) * s,
                        alpha(l) * length(QUERY) * (beta(l) * length(KEY)) * s,
                    ),
                    by_claim(
                        "order.times",
                        {
                            x: product_of(DEV, OFF),
                            y_: alpha(l) * length(QUERY) * (beta(l) * length(KEY)),
                            factor: s,
                        },
                    ),
                    "or the scale alone,",
                    ("of both", SCALE.name),
                    INSIDE,
                ),
                Step(
                    "share",
                    le(each, s * (sizes * share)),
                    smt(),
                    "a plane's errors add up to its share.",
                    ("query's turn", "key's turn", "both scaled"),
                    INSIDE,
                ),
                Step("shares", le(over_planes(each), bound), termwise(), "Add up.", ("share",)),
                Step(
                    "apart",
                    eq(over_planes(each), parts[0][3] + parts[1][3] + cross_bound),
                    identity(),
                    "(One by one.)",
                ),
                Step(
                    "triangle",
                    le(sp.Abs(logit - mean - of_query - of_key), over_planes(each)),
                    smt(),
                    "The error is at most the sum of the three,",
                    (
                        *("expand", "query's close", "key's close", "cross upper", "cross lower"),
                        *("negative", "apart"),
                    ),
                ),
                Step("bound", goal, chain(), "which is at most that.", ("triangle", "shares")),
            )
        ),
        uses=(
            "posgen.slow-part",
            "posgen.plane",
            "order.product-sign",
            "order.products",
            "order.times",
        ),
        mutants=(
            Mutant(
                "half",
                le(2 * sp.Abs(logit - mean - of_query - of_key), bound),
                at=(*unit, *wide, *ones),
            ),
            Mutant(
                "deviations at random",
                le(
                    sp.Abs(logit - mean - of_query - of_key),
                    over_planes(s * (sizes * (alpha(l) * beta(l)))),
                ),
                at=(*unit, *wide, *ones),
            ),
        ),
    )


POSGEN_THREE_AXIS = _three_axis()

CLAIMS = (POSGEN_THREE_AXIS,)
