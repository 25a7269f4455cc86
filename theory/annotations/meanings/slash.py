"""Meanings of the symbols in claims about slash heads, other than those about training."""

from __future__ import annotations

from ropeproof.theory.annotations.meanings.library import NUMBERS
from ropeproof.theory.annotations.meanings.rope import RACE
from ropeproof.theory.annotations.meanings.table import Meaning, Table, shown_as, vector

__all__ = ["SLASH"]

_TAN = shown_as("tan α", r"\tan\alpha", "width of the cone")
_ZETA = "relative spread of the tokens' sizes"
_OTHERS: Table = {
    "X()": "the target's logit, by its draw",
    "Y()": "the other lags' logits, by lag and draw",
    "W()": "logits of the row, by lag and the two draws",
    "p()": "probabilities of the draws of the target, of the others",
    "q()": "probabilities of the draws of the target, of the others",
    "n_v": "numbers of draws of the target, of the others",
    "n_r": "numbers of draws of the target, of the others",
    "v": "a draw of the target, of the others",
    "r": "a draw of the target, of the others",
    "i": "number of keys of the row",
    "j": "a lag",
    "k": "an index of thresholds",
    "h": "an index of thresholds",
    "x()": "thresholds, or quantiles, of the target's logit",
    "z()": "quantiles of the others' sum of exponentials",
    "x_low": "a threshold of the target's logit",
    "z": "a threshold of the others' sum of exponentials",
    "K": "number of thresholds, or of parts, of the target's logit",
    "L": "number of parts of the others' sum",
    "y": "the point at which the bound is tangent",
}
_GAME: Table = {
    "A()": "amplitudes of the planes, in logits",
    "a()": "shares of the amplitude, by plane",
    "z()": "weights of the lags",
    "y()": "weights of the displacements",
    "v": "value of the game: margin per unit of amplitude",
    "B": "displacements before the target",
    "C": "displacements after the target",
    "U": "most that a plane earns against the weights",
    "psi()": "angles of the planes at the target",
    "j": "a lag, or a displacement",
    "h": "an index of a list of angles, or of a sequence",
    "p": "the fastest of the slow planes",
    "a_moved()": shown_as("a′", "a'", "amplitudes moved to the one slow plane"),
    "c": "how dense the listed angles are: 1 is every angle",
    "e()": "displacements from the target",
    "mu()": "listed angles of the planes",
    "A_rival()": shown_as("A′", "A'", "amplitudes of another head"),
    "psi_rival()": shown_as("ψ′", r"\psi'", "its angles at the target"),
    "mu": shown_as("Γ′", r"\Gamma'", "its margin, in logits"),
    "p_x": "first coordinate of a point",
    "p_y": "second coordinate of a point",
    "r": "an index",
}
_ROWS: Table = {
    "g()": "logits, by lag",
    "k": "a row, by its number",
    "r": "number of rows that have weights",
    "n": "number of rows that have the target",
    "j": "a lag",
    "y()": "probabilities on the lags, by row and lag",
    "s()": "slopes of the lines, by row",
    "c()": "heights of the lines, by row",
    "U": "most that one unit of amplitude earns against them in a plane",
    "kappa": "the mean score that shall be reached",
    "x": "a weight",
}
_SOFT: Table = {
    "M": "lags on each side of the target",
    "y()": "probabilities on the lags",
    "U": "most that one unit of amplitude earns against them in a plane",
    "j": "a lag",
    "A()": "amplitudes of the planes, in logits",
    "A_rival()": shown_as("A′", "A'", "amplitudes of another head"),
    "psi_rival()": shown_as("ψ′", r"\psi'", "its phases"),
    "r": "number of keys of another row",
    "p": "lag of the target in that row",
    "lambda": "share of the other head",
}
_CONE: Table = {
    "D": "dimension of the input",
    "u()": vector("D", "the cone's axis"),
    "x()": vector("D", "any vector"),
    "tan_alpha": _TAN,
    "zeta": _ZETA,
    "a": "mean size of the tokens",
}

_NULL: Table = {
    "C()": "coupling that exchanges positions 1 and a, by a and the two prompts",
    "F()": "logit of two tokens",
    "x()": "the token, by prompt and position",
    "R": "another prompt",
    "a": "a position",
    "c": "an index",
    "j": "a position",
    "i": "a row, which has i keys",
}
_BOUNDS: Table = {"low": "lower bound of the weights", "high": "upper bound of the weights"}
_LENGTHS: Table = {**_BOUNDS, "N_P()": shown_as("N", "N", "length of a prompt")}
_ARITHMETIC = (
    "cancel",
    "relative",
    "product-of-two",
    "product-size",
    "root-fit",
    "size-order",
    "root-order",
)
_SQUARES: Table = {
    "V": "square of the axis' length",
    "Z": "square of the scatter's length",
    "P": "inner product of axis and scatter",
    "varepsilon": "bound of the scatter, relative to the axis",
}
_RISING: Table = {
    "n_v": "number of outcomes",
    "p()": "probabilities of the outcomes",
    "K": "number of thresholds, or of parts",
    "X()": "a variable, by outcome",
    "T()": "what rises with the variable, by outcome",
    "x()": "thresholds, or quantiles, of the variable",
    "G()": "heights at the thresholds",
    "v": "an outcome",
    "k": "an index of thresholds",
}
_IMAGE: Table = {
    "W()": "entries of the matrix",
    "u()": "the cone's axis",
    "xi_h()": "scatter of the token",
    "sigma": "length of the image of u",
    "rho": "what the matrix lets through across u, relatively",
    "tan_alpha": _TAN,
    "a": shown_as("ā", r"\bar a", "mean size of the tokens"),
    "a_h": shown_as("a", "a", "size of the token"),
    "zeta": _ZETA,
    "x()": "any vector",
    "b": "a coordinate",
}
_HEAD: Table = {
    "nu()": "the spaced planes, the fastest first",
    **_CONE,
    "xi()": vector("D", "scatter of the tokens"),
    "a_token()": shown_as("a", "a", "sizes of the tokens"),
    "a": shown_as("ā", r"\bar a", "mean size of the tokens"),
    "W_q()": vector("D", "query and key matrix, 2m × D", "W_Q", "W_Q", matrix=True),
    "W_k()": vector("D", "query and key matrix, 2m × D", "W_K", "W_K", matrix=True),
    "sigma_q": shown_as("σ_Q", r"\sigma_Q", "lengths of the images of u"),
    "sigma_k": shown_as("σ_K", r"\sigma_K", "lengths of the images of u"),
    "rho_q": shown_as("ρ_Q", r"\rho_Q", "leak of the matrices across u"),
    "rho_k": shown_as("ρ_K", r"\rho_K", "leak of the matrices across u"),
    "alpha()": "arguments of the mean query and key",
    "beta()": "arguments of the mean query and key",
    "r_q()": "moduli of the mean query and key",
    "r_k()": "moduli of the mean query and key",
    "chi()": "1 on the band L, else 0",
    "S()": "weight of the target",
    "P": "a prompt",
    "P_other": shown_as("P′", "P'", "another prompt"),
    "K": "number of fast planes",
    "A_low": shown_as("A₋", "A_-", "least amplitude of a fast plane"),
    "b": "base of the frequencies",
    "z": "a position",
    "N": "length of the prompts",
    "Gamma": "the margin",
    "d": "a coordinate",
    "Delta": "offset of the slash",
    "kappa": "score to be reached",
    "theta()": "frequencies",
    "i": "a row",
    "j": "a lag",
}

_MEANS: Table = {
    "q_xy": shown_as("q̄", r"\bar q", "the mean query"),
    "k_xy": shown_as("k̄", r"\bar k", "the mean key"),
    **{
        f"{of}_{axis}()": shown_as(
            f"{of}̄_{axis}",
            rf"\bar {of}_{axis}",
            f"{place} coordinate of the mean {word} in a plane",
        )
        for of, word in (("q", "query"), ("k", "key"))
        for axis, place in (("x", "first"), ("y", "second"))
    },
}

_OWN: Table = {
    **_MEANS,
    "Q_xy": shown_as("q", "q", "the row's own query"),
    "K_xy": shown_as("k", "k", "the row's own keys, by lag"),
}

SLASH: dict[str, Table] = {
    "slash": {
        "t_peak": shown_as("t*", "t^{*}", "the lag that wins after scaling"),
        "f": "factor of the scaling",
        "vartheta()": "scaled frequencies of the planes",
        "Delta_lag": shown_as("Δ", r"\Delta", "the target's lag, a real number here"),
        "chi()": "1 on the planes of the band, else 0",
        "S()": "weight of the target, by prompt and row",
        "M": "number of lags on each side",
        "omega": "bound of the frequencies",
        "Q": "number of parts of a turn",
        "tau": "a lag",
        "T": "number of lags",
        "i": "number of keys of the row",
        "varepsilon_q": "relative distance of queries from their mean",
        "varepsilon_k": "relative distance of keys from their mean",
        "Q_xy": "the row's own query",
        "K_xy": "the row's own keys, by lag",
        "q~_xy": shown_as(
            "q̃", r"\tilde q", "another query: of a prompt's row, or of another prompt"
        ),
        "k~_xy": shown_as("k̃", r"\tilde k", "other keys: of a prompt, or of another prompt"),
        **{
            f"{a}_{b}()": "coordinates, in a plane, of a query or key"
            for a in "QKXY"
            for b in "xyqk"
        },
    },
    **{
        f"slash.{end}": _MEANS if end in ("emergence", "ood") else _OWN
        for end in ("emergence", "logit-close", "ood", "sandwich")
    },
    "slash.score": _LENGTHS,
    "slash.dominance": _LENGTHS,
    "slash.score-one-length": _BOUNDS,
    "slash.rank-statistics": {
        "n": "number of singular values",
        "sigma_squared()": shown_as("σ²", r"\sigma^2", "squares of the singular values"),
        "r": "an index",
    },
    "slash.contextual": {
        "S_ind()": "score of a row on independently drawn positions, by prompt and row",
        "S_low()": "lower bound of this score",
        "S_high()": "upper bound of this score",
    },
    **{f"slash.{end}": NUMBERS for end in _ARITHMETIC},
    "slash.cone-angle": _SQUARES,
    "slash.fit": {
        **_SQUARES,
        "X": "square of the distance from the mean",
        "A": "size of the token",
        "a": "mean size of the tokens",
        "zeta": _ZETA,
    },
    "slash.cone-vectors": {
        "n": "number of vectors",
        "a_token()": shown_as("a", "a", "sizes of the vectors"),
        "m": "dimension of the vectors",
        "v()": "the axis",
        "z()": "scatter of the vectors",
        "varepsilon": "bound of the scatter, relative to the axis",
        "top": shown_as("σ₁²", r"\sigma_1^2", "the most that one direction has of the squares"),
        "a": shown_as("ā", r"\bar a", "mean size of the vectors"),
        "zeta": "relative spread of the sizes",
        "j": "a vector",
        "l": "a coordinate",
        "x()": "any vector",
    },
    "slash.rival": {"r": "the rival's lag", "g()": "logits, by lag"},
    "slash.share-order": {
        "b": "the target's part",
        "q": "the part of the rest",
        "u": "the factor by which parts may move",
        "a": "the target's part after a move",
        "r": "the part of the rest after a move",
    },
    "slash.row-sandwich": {"g()": "logits of the mean head, by lag"},
    "slash.row-emergence": {"g()": "logits of the mean head, by lag"},
    "slash.row-one-direction": {
        "a": "least component of the row and of its target",
        "b": "largest component of the row",
        "c": "the row's own component",
        "u()": "components of the keys' tokens, by lag",
        "f()": "a ceiling of the logits g, by lag",
        "g()": "logits of component 1, by lag",
    },
    **{f"slash.{end}": _RISING for end in ("cells", "quantile-floor", "quantile-mean")},
    "slash.odds": {
        "g()": "logits of the row, by lag",
        "x": "the target's logit",
        "y()": "the other lags' logits, by lag",
    },
    "slash.odds-order": {
        "x_low": "the target's lower logit",
        "x_high": "the target's higher logit",
        "z_low": "a smaller sum of the others' exponentials",
        "z_high": "a larger sum of the others' exponentials",
    },
    "slash.emergence-typical": {
        **_OTHERS,
        "g()": "logits of the mean head, by lag",
        "sigma": "typical noise of a logit",
    },
    "slash.window": {"g()": "logits, by lag", "E()": "falls of a pair, by distance"},
    "slash.amplitudes": {
        "x()": "what a plane earns per unit of amplitude",
        "c": "most that a plane earns",
    },
    "slash.crossing": {"p": "a plane whose angle lies between 1 and π"},
    "slash.cone-mean": _IMAGE,
    "slash.cone-planes": _IMAGE,
    "slash.cone": {
        **_CONE,
        "xi()": vector("D", "scatter of the tokens"),
        "a_token()": shown_as("a", "a", "sizes of the tokens"),
        "a": shown_as("ā", r"\bar a", "mean size of the tokens"),
        "W()": vector("D", "the matrix, m × D", matrix=True),
        "sigma": "length of the image of u",
        "rho": "what the matrix lets through across u, relatively",
        "varepsilon": "relative width of the images",
        "top": shown_as("σ₁²", r"\sigma_1^2", "the most that one direction has of the squares"),
        "x()": "any vector",
        "b": "a coordinate",
        "j": "a token",
        "l": "a coordinate of the query",
        "m": "dimension of the query",
        "n": "number of tokens",
    },
    "slash.rank-not-enough": {
        **_MEANS,
        "a_token()": shown_as("a", "a", "signed sizes of the queries, by row"),
        "c": "a row",
        "r": "the rival's lag",
        "j": "a row, or a lag",
        "n": "number of rows",
    },
    "slash.rank-condition-not-enough": {
        "a_token()": shown_as("a", "a", "signs of the tokens"),
        "q_x": "real part of the mean query",
        "q_y": "imaginary part of the mean query",
        "k_x": "real part of the mean key",
        "k_y": "imaginary part of the mean key",
        "u_x": "real part of any direction",
        "u_y": "imaginary part of any direction",
        "A": "amplitude of the mean head",
        "c": "a token",
        "n": "number of tokens",
        "j": "a lag",
    },
    "slash.factor": {
        "a": "the query's multiple of the factor's",
        "b": "the key's multiple of the factor's",
        "j": "the lag",
    },
    "slash.factor-emergence": {
        "a()": "sizes of the queries along the factor, by prompt and position",
        "b()": "sizes of the keys along the factor, by prompt and position",
        "a_low": shown_as("a₋", "a_-", "least size of a query"),
        "b_low": shown_as("b₋", "b_-", "least size of a key"),
        "b_high": shown_as("b₊", "b_+", "largest size of a key"),
        "W()": "logits, by prompt, row and lag",
        "gamma": "the factor's margin",
    },
    "slash.one-direction": {
        **_OWN,
        "a": "least component of the row and of its target",
        "b": "largest component of the row",
        "c": "the row's own component, by which its query is near a multiple",
        "u()": "components of the keys' tokens, by lag",
        "f()": "a ceiling of the mean head's logits, by lag",
        "delta_q": "how far the query is from its multiple",
        "delta_k": "how far a key is from its multiple",
    },
    "slash.signed": {
        "W()": "logits, by prompt, row and lag",
        "chi()": "1 in some of the rows where another lag leads by gamma, by prompt and row, else 0",
        "gamma": "how far the target stays behind in rows of the wrong sign",
    },
    "slash.precision": {
        "u": "unit roundoff",
        "p_q": "position of the query",
        "p_k": "position of the key",
        "alpha_q()": "computed angles of the query's planes",
        "alpha_k()": "computed angles of the key's planes",
        "C()": "cosine tables, of the query (0) and of the key (1), by plane",
        "S_t()": shown_as("S", "S", "sine tables, of the query (0) and of the key (1), by plane"),
    },
    "slash.law": _OTHERS,
    "slash.quantiles": _OTHERS,
    "slash.moments": _OTHERS,
    "slash.race": {
        **RACE,
        "Delta": "the offset of the slash: the lag whose weight is enclosed",
        "N": "number of rows, the length of the prompt",
        "V": "number of tokens",
        "P()": "probabilities of the tokens",
        "W()": "logits, by lag, token of the query and token of the key",
        "omega": "an outcome: its digits to the base V are the tokens at the lags, lag 0 the lowest",
        "y": "token of the query",
        "x": "token of a key",
        "u": "a lag",
        "t": "a lag",
        "i": "number of keys of the row",
    },
    "slash.composition": {
        "a": "the target",
        "S()": "attention weights",
        "v()": vector("D", "values of the keys"),
        "loss": Meaning("how far the rest of the network's output moves"),
        "D": "dimension of the values",
        "epsilon": "weight that is not on the target, at most",
    },
    **{f"slash.null{end}": _NULL for end in ("", "-exchange", "-row")},
    **{f"slash.game{end}": _GAME for end in ("", "-one-sided", "-slackness", "-bands")},
    **{
        f"slash.{end}": _SOFT
        for end in (
            *("mean-fall", "soft-ceiling", "soft-optimal", "soft-convex"),
            "amplitude-needed-window",
        )
    },
    "slash.weights-fall": {
        "g()": "logits, by lag",
        "i": "number of keys of a row",
        "c": "number of keys of a longer row",
    },
    **{f"slash.{end}": _ROWS for end in ("fall-of-rows", "fall-needed", "amplitude-needed-mean")},
    "slash.game-reached": {**_GAME, "N": "number of displacements"},
    "slash.game-certificate": {
        **_GAME,
        "v": "what the shares keep at every lag, per unit of amplitude",
        "y()": "weights of the lags",
    },
    "slash.game-upper": {**_GAME, "y()": "weights of the lags"},
    "slash.game-dense": {
        **_GAME,
        "v": "the most that a listed plane gains",
        "N": "number of displacements",
    },
    **{
        f"slash.{end}": {
            "K": "number of spaced planes",
            "nu()": "the spaced planes, the fastest first",
            "A_low": "least amplitude of a spaced plane",
            "r": "the stride: every r-th plane is spaced",
        }
        for end in ("spaced", "spaced-standard", "band-spaced")
    },
    "slash.band-uniform": {
        "K": "number of fast planes",
        "A_low": "least amplitude of a fast plane",
    },
    "slash.uniform": {"j": "a lag"},
    "slash.head": _HEAD,
    "slash.head-typical": {
        **_HEAD,
        **{k: _OTHERS[k] for k in ("p()", "q()", "n_v", "n_r", "v", "r")},
        "W()": shown_as("X", "X", "logits of the row, by lag and the two draws"),
        "sigma": "typical noise of a logit",
    },
    "slash.flow": {
        "a_x": "velocity of q_x",
        "a_y": "velocity of q_y",
        "b_x": "velocity of k_x",
        "b_y": "velocity of k_y",
        "q_x": "first coordinate of the query in the plane",
        "q_y": "second coordinate of the query in the plane",
        "k_x": "first coordinate of the key in the plane",
        "k_y": "second coordinate of the key in the plane",
        "G_x": "first coordinate of the negative gradient in w = q k̄",
        "G_y": "second coordinate of the negative gradient in w = q k̄",
    },
}
