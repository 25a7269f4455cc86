"""Names that the prose of a claim uses and its formulas write out: each with what it stands for."""

from __future__ import annotations

from collections.abc import Mapping

from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.types.meaning import Meaning, shown_as
from ropeproof.theory.topics.catalogue import is_of_catalogue

__all__ = ["PROSE", "said_in"]

_S = shown_as(
    "S", "S", "attention weights by row and position: in each row the softmax of the logits"
)
_S_KEYS = shown_as("S", "S", "weights of the keys: the softmax of the logits")
_S_ROW = shown_as(
    "S_k", "S_k", "the target's attention weight in row k: the softmax of the logits at the lag Δ"
)
_W_LAG = shown_as("w", "w", "the logit by lag, w(t) = Σ_l A_l cos(t θ_l + φ_l)")
_W = shown_as("w", "w", "the logit by lag, query and key, w(t, q, k) = s ⟨R_t q, k⟩")
_E = shown_as("E_t", "E_t", "fall of an aligned head at the distance t, Σ_l A_l (1 − cos(t θ_l))")
_I = shown_as("I", "I", "the identity matrix")
_L = shown_as("L_u", "L_u", "transform of key u, L_u(v) = E exp(−v exp(w_u))")
_BAND = shown_as("L", "L", "the band: the planes l with χ_l = 1")
_DELTA = shown_as("δ", r"\delta", "misalignment of the planes, δ_l = θ_l Δ + φ_l")
_DISTANCE = shown_as("e", "e", "distance of a lag from the target, e = t − Δ")
_R_1 = shown_as("r₁, r₀.₉₅", "r_1, r_{0.95}", "the rank statistics of `slash.rank-statistics`")
_D_HEAD = shown_as("d", "d", "dimension of the head; the scale is s = 1/√d")
_TOKENS = shown_as("x", "x", "vectors of the tokens, by position")
_COSINE = shown_as("c_s", "c_s", "cosine of the angle of (M, μ + s) with the diagonal")
_RHO = shown_as("ρ(θ)", r"\rho(\theta)", "the rotation of every plane l by the angle θ_l")
_LETTERS = shown_as("(x, y)", "(x,y)", "left and right letter of the query's token")
_P = shown_as("P", "P", "share of the last token's code in a position, by position")
_TARGET = shown_as(
    r"w_target", r"w_{\mathrm{target}}", "attention weight of the target on n positions"
)
_SUM = shown_as("Y", "Y", "the sum Y of `slash.gd.offset-causal`")

_WITH_S = (
    *("rival", "row-sandwich", "sandwich", "row-one-direction", "one-direction", "row-emergence"),
    *("ood", "null-exchange", "null-row", "null", "window", "ceiling"),
    *(
        "amplitude-needed",
        "low-only",
        "lipschitz-ceiling",
        "soft-ceiling",
        "amplitude-needed-window",
        "weights-fall",
        "race",
    ),
    *("gd.rank-one", "gd.row-convex", "gd.gradient", "gd.row-slope", "gd.head", "gd.wasted-growth"),
    *("gd.wasted-distance", "rank-not-enough"),
)
_KEYS_WITH_S = ("softmax.perturb", "softmax.entropy", "softmax.race-lower", "softmax.race")

_WORDS: tuple[tuple[str, tuple[Meaning, ...]], ...] = (
    *((f"slash.{end}", (_S,)) for end in _WITH_S),
    *((id, (_S_KEYS,)) for id in (*_KEYS_WITH_S, "retrieval.race")),
    *(
        (id, (_W_LAG,))
        for id in ("rope.lipschitz", "rope.band", "rope.partial", "head.index-budget")
    ),
    *(
        (id, (_W,))
        for id in (
            *("rope.expressive", "rope.base-expectation", "rope.mean-bias", "slash.logit-size"),
            *("slash.factor", "slash.gd.features", "posgen.two-axis", "posgen.three-axis"),
        )
    ),
    *((id, (_E,)) for id in ("slash.alias", "slash.game-bands", "slash.soft-convex")),
    *((id, (_E,)) for id in ("planes.digits", "planes.log")),
    *((id, (_I,)) for id in ("rope.group", "rope.only-two-sided", "rope.only")),
    *((id, (_I,)) for id in ("duality.injective", "slash.cone", "slash.cone-planes", "slash.head")),
    ("retrieval.feasible", (_I,)),
    *((id, (_L,)) for id in ("softmax.race-split", "softmax.race-product", "softmax.race-lower")),
    ("slash.band-dominance", (_BAND, _DELTA)),
    ("slash.band-uniform", (_DELTA,)),
    ("slash.band-spaced", (_BAND, _DELTA)),
    (
        "slash.head",
        (shown_as("L", "L", "the planes with χ_l = 1"), shown_as("φ", r"\varphi", "phases")),
    ),
    ("slash.scaling-survival", (_DISTANCE,)),
    ("slash.cone-vectors", (_R_1,)),
    ("slash.gd.features", (_D_HEAD,)),
    ("slash.gd.rate", (_D_HEAD, shown_as("q", "q", "the query, which is held fixed"))),
    ("slash.gd.low-suppressed", (_D_HEAD,)),
    ("slash.gd.offset-signs", (_TOKENS,)),
    ("slash.gd.offset-causal-rewards", (_TOKENS,)),
    ("head.swaps-exclusion", (_COSINE,)),
    ("index.logit", (_RHO,)),
    ("retrieval.logit", (_RHO,)),
    ("retrieval.margin", (_LETTERS,)),
    ("separation.discrepancy", (_LETTERS,)),
    ("task.induction-any", (_P,)),
    ("task.induction-last", (_P,)),
    ("index.weyl", (_TARGET,)),
    ("index.weyl-groups", (_TARGET,)),
    ("slash.gd.offset-kernel", (_SUM, shown_as("ψ", r"\psi", "features of the lags"))),
    ("slash.gd.offset-rope", (_SUM,)),
    (
        "rope.toeplitz",
        (
            shown_as("w", "w", "the logits, by positions of query and key"),
            shown_as("g", "g", "the logit by lag, g(t) = s ⟨R_t q, k⟩"),
        ),
    ),
    ("rope.only-planes", (shown_as("y", "y", "coordinates of the vector V⊤R₀k"),)),
    ("rope.gauge", (shown_as("R_t", "R_t", "the rotation of every plane l by the angle t θ_l"),)),
    (
        "conform.blind",
        (shown_as("R_t", "R_t", "the rotation of every plane l by the angle t ω_l"),),
    ),
    (
        "rope.rerotation",
        (
            shown_as("k̂_n", r"\hat k_n", "the key after n turns, with coordinates X_n and Y_n"),
            shown_as("R", "R", "the exact turn of every plane by the sum of its angles"),
        ),
    ),
    (
        "rope.base-criterion",
        (shown_as("θ", r"\theta", "frequencies of the planes, θ_l = b^(−l/64) for the base b"),),
    ),
    (
        "rope.half-mark",
        (shown_as("D_x", "D_x", "difference of two logits by lag, Σ_l C_l cos(x_l + j θ_l)"),),
    ),
    (
        "sums.expand",
        (
            shown_as("p", "p", "probabilities of the values, by draw"),
            shown_as("h", "h", "factors of the product, by draw and value"),
        ),
    ),
    (
        "slash.cone-angle",
        (
            shown_as("v", "v", "a vector, of squared length V"),
            shown_as("z", "z", "a vector, of squared length Z"),
        ),
    ),
    ("slash.factor-emergence", (shown_as("f", "f", "logits of the factor, f(t) = s ⟨R_t q, k⟩"),)),
    (
        "slash.signed",
        (
            shown_as(
                "p",
                "p",
                "expected share of the rows with a leader: the mean of χ over prompts and rows",
            ),
        ),
    ),
    ("slash.alias", (shown_as("Δ", r"\Delta", "the lag that the planes are aligned at"),)),
    ("slash.pair", (shown_as("g", "g", "the logit by lag, g(t) = Σ_l A_l cos(t θ_l + φ_l)"),)),
    ("slash.race", (shown_as("X_t", "X_t", "the token at lag t, drawn from P"),)),
    ("slash.fall-needed", (_S_ROW,)),
    ("slash.amplitude-needed-mean", (_S_ROW,)),
    ("slash.gd.row-slope", (shown_as("ℓ_i", r"\ell_i", "loss of row i, −ln S_{i,i−Δ}"),)),
    (
        "slash.gd.head-cone",
        (
            shown_as("W_K", "W_K", "the matrix of the keys"),
            shown_as("q̄", r"\bar q", "query of the token u"),
            shown_as("α", r"\alpha", "width of the cone, as an angle"),
        ),
    ),
    ("slash.gd.plane-feature", (shown_as("ψ", r"\psi", "features of the lags, ψ(t) = s R_t q"),)),
    ("slash.flow-limit", (shown_as("N", "N", "largest distance of a lag from the target"),)),
    (
        "slash.gd.offset-last-place",
        (shown_as("D_t", "D_t", "derivative of the loss in a_t, as in `slash.gd.offset-signs`"),),
    ),
    (
        "slash.gd.offset-rope-slow",
        (shown_as("G", "G", "minus the derivative of the mean loss in a lag's logit, by lag"),),
    ),
    (
        "head.exclusion",
        (shown_as("n", "n", "length of the input, which has N = n − 1 contents before the query"),),
    ),
    (
        "head.exclusion-all",
        (
            shown_as("n", "n", "length of the input"),
            shown_as("λ", r"\lambda", "the table's diagonal, λ_j = a_{jj}"),
            shown_as(
                "δ",
                r"\delta^{\mathrm{pos}},\delta^{\mathrm{sym}}",
                "changes of the logits by a permutation, as in `head.exclusion`",
            ),
        ),
    ),
    (
        "head.score-table",
        (
            shown_as("v_{ij}(x)", "v_{ij}(x)", "weights of the positions i and j on the input x"),
            shown_as("πx", r"\pi x", "the input with the positions i and j exchanged"),
            shown_as("k, p", "k,p", "a content and a position of the table"),
        ),
    ),
    (
        "head.score-disc",
        (
            shown_as(
                "s_pos, s_sym",
                r"s_{\mathrm{pos}},s_{\mathrm{sym}}",
                "positional and symbolic score of the swap",
            ),
        ),
    ),
    (
        "head.row-exclusion",
        (shown_as("c_s", "c_s", "cosine of the angle of (D_max, D_min + s) with the diagonal"),),
    ),
    (
        "head.symbolic-any-read-out",
        (
            shown_as("F", "F", "the activation, a function of the attention vector"),
            shown_as("x", "x", "the tokens, by position"),
        ),
    ),
    (
        "head.simple-cannot-retrieve",
        (shown_as("A", "A", "the pair that is asked for, at place s₁"),),
    ),
    ("head.reflexive", (shown_as("a_n", "a_n", "output of the last row's attention"),)),
    (
        "head.identified",
        (
            shown_as("D", "D", "dimension of the token vectors"),
            shown_as("W_Q, W_K", "W_Q,W_K", "matrices of the queries and of the keys"),
        ),
    ),
    (
        "head.identified-vocabulary",
        (shown_as("q", "q", "queries by plane, as complex numbers, as in `head.identified`"),),
    ),
    (
        "index.feasible",
        (
            shown_as("x", "x", "the residual stream at the last position"),
            shown_as("E", "E", "embedding of the tokens"),
            shown_as("W_V", "W_V", "the matrix of the values"),
        ),
    ),
    ("index.staircase", (shown_as("n", "n", "length of the input"),)),
    (
        "index.softmax",
        (
            shown_as("x", "x", "the residual stream at the last position"),
            shown_as("a", "a", "output of the last row's attention"),
        ),
    ),
    (
        "index.fading",
        (
            shown_as("w", "w", "logits, by position"),
            shown_as("j", "j", "a position"),
            shown_as("n", "n", "number of positions"),
        ),
    ),
    (
        "retrieval.race",
        (shown_as("L", "L", "transform of a key, L(v) = E exp(−v exp(w)); L_* is the needle's"),),
    ),
    ("planes.digits", (shown_as("n", "n", "number of positions"),)),
    ("planes.log", (shown_as("A", "A", "total amplitude, A/m in each plane"),)),
    ("posgen.two-axis", (shown_as("k̄", r"\bar k", "the mean key"),)),
    (
        "posgen.pearson",
        (
            shown_as("σ", r"\sigma", "standard deviation of the fit h"),
            shown_as("ε", r"\varepsilon", "standard deviation of the residual r"),
        ),
    ),
    (
        "posgen.anova",
        (
            shown_as(
                "k̄, κ", r"\bar k,\kappa", "mean key and the key's deviation from it, k = k̄ + κ"
            ),
            shown_as("s", "s", "scale of the logits"),
        ),
    ),
    (
        "posgen.null",
        (shown_as("c", "c", "mean turn of a plane on the window, c_l = (1/N) Σ_t exp(i θ_l t)"),),
    ),
    (
        "posgen.noise-floor",
        (
            shown_as("ϵ", r"\epsilon", "the noise, by cell"),
            shown_as("n", "n", "length of the prompt, whose causal triangle is fitted"),
        ),
    ),
    (
        "posgen.transposition",
        (
            shown_as("q", "q", "the query, by plane"),
            shown_as("k", "k", "the keys, by position and plane"),
        ),
    ),
    (
        "posgen.length",
        (
            shown_as("f", "f", "part of the logit that depends on the lag"),
            shown_as("g", "g", "part of the logit that depends on the content"),
            shown_as("k", "k", "keys, by lag"),
        ),
    ),
    (
        "posgen.bounded-capacity",
        (
            shown_as("w_t", "w_t", "the logit at lag t, by draw of the key"),
            shown_as("q", "q", "the query, by plane"),
        ),
    ),
)


def _joined() -> Mapping[str, tuple[Meaning, ...]]:
    found: dict[str, tuple[Meaning, ...]] = {}
    for id, names in _WORDS:
        found[id] = (*found.get(id, ()), *names)
    return found


PROSE: Mapping[str, tuple[Meaning, ...]] = _joined()
"""Names by claim: only the prose uses them, and the formulas have the terms that they stand for."""


def said_in(claim: Claim) -> tuple[Meaning, ...]:
    """The names that only the prose of a claim of the catalogue uses; none for a user's own claim."""
    return PROSE.get(claim.id, ()) if is_of_catalogue(claim) else ()
