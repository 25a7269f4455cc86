"""A stack of soft layers: how cold each must be for the product of the right weights."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.topics.softmax.margin import MEANINGS as OF_MARGIN
from ropeproof.theory.topics.softmax.margin import SOFTMAX_MARGIN_LOWER, gamma

layers, r = integer("h r")
beta, root = real("beta rho")
logits, product, target = real_function("z"), real_function("P"), integer_function("tau")
MEANINGS: Meanings = {
    **OF_MARGIN,
    layers: "number of layers",
    r: "a layer",
    beta: "inverse temperature",
    root: "the h-th root of 2",
    logits: "logits of a layer, by layer and key",
    product: "product of the right weights of the first layers",
    target: "targets, by layer",
}
needed = sp.log((n - 1) / (root - 1)) / gamma


def right(layer: Term = r) -> Term:
    """The weight of the right key in a layer."""
    total = sp.Sum(sp.exp(beta * logits(layer, j)), (j, 0, n - 1))
    return sp.exp(beta * logits(layer, target(layer))) / total


IN_STACK = within(r, 0, layers - 1)
LAYERS = Hypothesis("there is a layer", le(1, layers), idle="an empty product is 1")
KEYS = Hypothesis(
    "there is a competitor", le(2, n), idle="a key without a competitor has all the weight"
)
ROOT = Hypothesis("rho is the h-th root of 2", Both(lt(1, root), eq(root**layers, 2)))
A_MARGIN = Hypothesis("the margin is positive", lt(0, gamma))
TARGETS = Hypothesis(
    "targets are keys",
    every(r, 0, layers - 1, within(target(r), 0, n - 1)),
    idle="what leads all keys by gamma outweighs them, be it one of them or not",
)
MARGINS = Hypothesis(
    "every layer has the margin",
    every(
        r,
        0,
        layers - 1,
        every(j, 0, n - 1, If(ne(j, target(r)), le(logits(r, j) + gamma, logits(r, target(r))))),
    ),
)
EMPTY = Hypothesis("the empty product is 1", eq(product(0), 1))
PRODUCT = Hypothesis(
    "each layer multiplies P by its right weight",
    every(r, 0, layers - 1, eq(product(r + 1), product(r) * right())),
)
NOT_HOT = Hypothesis(
    "the inverse temperature is not negative",
    le(0, beta),
    idle="rho is at most 2, so the least inverse temperature is not negative",
)
COLD = Hypothesis("every layer is cold enough", le(needed, beta))


_half = sp.Rational(1, 2)
_one_layer = {
    **{layers: 1, root: 2, n: 2, gamma: 1, beta: 0, target(0): 0, product(0): 1},
    **{logits(0, 0): 1, logits(0, 1): 0},
}


@theorem(
    "task.soft-stack",
    needs="PTX",
    hypotheses=(LAYERS, KEYS, ROOT, A_MARGIN, TARGETS, MARGINS, EMPTY, PRODUCT, NOT_HOT, COLD),
    conclusion=le(sp.Rational(1, 2), product(layers)),
    example=(
        *where({layers: 1, root: 2, n: 2, gamma: 1, beta: 0}),
        Every((r,), eq(target(r), 0)),
        Every((r, j), eq(logits(r, j), -j)),
        Every((r,), eq(product(r), sp.Integer(2) ** (-r))),
    ),
    attack=Attack(
        {
            "six tenths": le(_half + sp.Rational(1, 10), product(layers)),
            "the square, too": le(_half, product(layers) ** 2),
        },
        at={"six tenths": _one_layer, "the square, too": _one_layer},
        without={
            ROOT: {**_one_layer, n: 11, root: 11},
            A_MARGIN: {**_one_layer, n: 11, gamma: -1, logits(0, 1): 2},
            MARGINS: {**_one_layer, beta: 1, logits(0, 1): 2},
            EMPTY: {**_one_layer, product(0): 0},
            PRODUCT: {**_one_layer, product(1): 0},
            COLD: {**_one_layer, n: 11},
        },
    ),
)
def TASK_SOFT_STACK(p: Proof) -> None:
    r"""How cold the layers of a stack must be

    $h$ layers with margin $\gamma$ each and soft attention over $n\ge2$ keys:
    $\beta\ge\gamma^{-1}\ln\frac{n-1}{2^{1/h}-1}$ keeps the product of the right weights at least
    $\frac12$.
    """
    odds = (n - 1) / (root - 1)
    layer = p.under(IN_STACK)
    key = layer.under(within(j, 0, n - 1), ne(j, target(r)))
    in_layer = layer.use(MARGINS, why="By hypothesis the target leads by gamma in every layer.")
    margin = key.use(in_layer, why="In particular it leads the key j by gamma in the layer r.")
    warm = p.show(lt(0, odds), "The odds (n - 1)/(rho - 1) are positive.", KEYS, ROOT)
    least = p.show(
        le(sp.log(odds), beta * gamma),
        "By the margin beta gamma is at least the logarithm of the odds.",
        (COLD, A_MARGIN),
    )
    cold = exponentials(
        p,
        sp.log(odds),
        beta * gamma,
        "Take the exponential of both sides, which is monotone.",
        least,
    )
    cooled = key.show(
        le(beta * logits(r, j) + beta * gamma, beta * logits(r, target(r))),
        "Multiply the margin by beta, which is not negative.",
        (margin, NOT_HOT),
    )
    weight = layer.apply(
        SOFTMAX_MARGIN_LOWER,
        (
            layer.use(
                TARGETS, None, why="The target of every layer is one of the keys, by hypothesis."
            ),
            cooled.for_all(j),
        ),
        why="The margin bounds the target's weight from below.",
    )
    reached = layer.show(
        le(1 / root, right()),
        "As the odds are positive, exp undoes their logarithm. Both of the two exponentials "
        "are positive. Each of the two exponentials is the inverse of the other. So the "
        "competitors weigh at most rho - 1 times the target. So the target's weight is at "
        "least 1/rho.",
        (weight, cold, warm, KEYS, ROOT),
    )

    def so_far(count: Term) -> Formula:
        share = Both(le(root ** (-count), product(count)), lt(0, product(count)))
        return If(le(count, layers), share)

    start = p.show(so_far(sp.S.Zero), "Without layers the product is 1.", EMPTY)
    more = p.under(le(0, r), so_far(r))
    inside = more.under(le(r + 1, layers))
    factor = inside.use(
        PRODUCT, None, why="One layer more multiplies the product by the target's weight."
    )
    one_more = more.show(
        so_far(r + 1),
        "One power of rho more divides by rho. Suppose that the product of r layers is at "
        "least rho^-r. So the product of r + 1 layers is at least rho^-(r+1).",
        (factor, ROOT, reached),
    )
    always = p.under(le(0, r)).induction(so_far(r), r, 0, start, one_more)
    all_of_them = p.use(
        always, {r: layers}, LAYERS, why="So the product of all h layers is at least rho^-h."
    )
    p.qed("As rho is the h-th root of 2, the product is at least one half.", all_of_them, ROOT)
