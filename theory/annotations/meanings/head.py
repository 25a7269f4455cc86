"""Meanings of the symbols in claims about positional and symbolic heads."""

from __future__ import annotations

from ropeproof.theory.annotations.meanings.library import NUMBERS
from ropeproof.theory.annotations.meanings.table import Table, shown_as, vector

__all__ = ["HEAD"]

_TABLE = "logit of a content (first index) placed at a position (second)"

_EXTREMES: Table = {
    "mu": "the least weight",
    "M": "the largest weight",
    "x": "a weight",
    "y": "another weight",
    "s": "any difference of two weights",
}

_IDENTIFIED: Table = {
    "D": "dimension of a token vector",
    "Q_x()": vector("D", "Re q_l, a row of W_Q, by plane and coordinate", matrix=True),
    "Q_y()": vector("D", "Im q_l, the next row", matrix=True),
    "K_x()": vector("D", "Re k_l, a row of W_K", matrix=True),
    "K_y()": vector("D", "Im k_l, the next row", matrix=True),
    "Q_x_other()": vector("D", "the other head's Re q_l", "Q′_x", "Q'_x", matrix=True),
    "Q_y_other()": vector("D", "its Im q_l", "Q′_y", "Q'_y", matrix=True),
    "K_x_other()": vector("D", "its Re k_l", "K′_x", "K'_x", matrix=True),
    "K_y_other()": vector("D", "its Im k_l", "K′_y", "K'_y", matrix=True),
    "x()": vector("D", "the query's token vector"),
    "y()": vector("D", "the key's token vector"),
    "x_0()": vector("D", "one where the form is not 0"),
    "y_0()": vector("D", "one where it is not 0"),
    "X()": vector("D", "token vectors, by position", matrix=True),
    "c_x": "real part of c",
    "c_y": "imaginary part of c",
    "n": "number of tokens",
    "a": "a coordinate",
    "s": "scale of the logits",
    "t": "a lag of the window",
    "u": "first lag of the window",
    "tau": "any lag, a real number",
    "j": "a position",
    "k": "a position",
    "l": "a plane",
    "p": "a position",
    "r": "a position beside the key's",
    "w": "a logit",
    "v": "the other head's logit",
    "o": "a logit that is 0",
    "o_other": shown_as("o′", "o'", "the other head's logit that is 0"),
    "Z": "normaliser of the row",
    "Z_other": shown_as("Z′", "Z'", "normaliser of the other head's row"),
}
_VOCABULARY: Table = {
    "E()": vector("D", "token vectors, by their number in the vocabulary", matrix=True),
    "chi()": "number of the token at a position of the prompt",
    "mu": "number of a token",
    "nu": "number of another token",
    "w_there": "a logit on another position",
    "v_there": "the other head's logit there",
}
_NUMBERS_OTHER: Table = {
    f"{letter}{number}_{part}{end}": shown_as(
        f"{letter}{below}{prime}_{part}",
        f"{letter}{prime_tex}_{{{tex}{part}}}",
        f"a part of {letter}{below}{prime}",
    )
    for letter in "qk"
    for number, below, tex in (("", "", ""), ("_0", "₀", "0,"))
    for part in "xy"
    for end, prime, prime_tex in (("", "", ""), ("_other", "′", "'"))
}

_TWO_TOKENS: Table = {
    "x_1": "first coordinate of the query's token",
    "x_2": "its second coordinate",
    "y_1": "first coordinate of the key's token",
    "y_2": "its second coordinate",
}

HEAD: dict[str, Table] = {
    "head.one-factor": {
        **_NUMBERS_OTHER, "c_x": "real part of c", "c_y": "imaginary part of c",
    },
    "head.identified": _IDENTIFIED,
    "head.identified-weights": _IDENTIFIED,
    "head.identified-vocabulary": {**_IDENTIFIED, **_VOCABULARY},
    "head.identified-tokens-needed": {
        **_TWO_TOKENS,
        "t": "a lag",
        "l": "a plane",
        "j": "another plane",
        "z_xy": "numbers z_l, one for each plane",
        "z_x()": "real part of the number z_l of a plane",
        "z_y()": "imaginary part of it",
    },
    "head.identified-two-tokens": _TWO_TOKENS,
    "head": {
        "a()": _TABLE,
        "n": "number of positions before the query",
        "N": "number of contents",
        "k": "a content",
        "p": "a position",
        "r": "another position, or content",
        "i": "a position",
        "j": "a position",
        "K_xy": "keys of the contents",
        "K_x()": "first coordinates of the contents' keys",
        "K_y()": "second coordinates of the contents' keys",
        "P": "number of permutations in the list",
        "h": "a permutation of the list",
        "l": "a content, or a plane",
        "pi()": "permutation of the positions; of a list, by its number",
        "rho()": "the inverse permutation",
        "c": "in how many permutations a content comes to a position, or a coordinate",
        "G()": "factorials",
        "eta()": "the permutation that exchanging two contents makes of another",
        "R": "size of the vocabulary",
        "A": "a token",
        "B": "another token",
        "V()": "value of a token, by token and coordinate",
        "V_own()": shown_as("V°", r"V^{\circ}", "value of the query's own token"),
        "o": "logit of the query's own token",
        "s()": "logits, by token",
        "s_1": "a place",
        "s_2": "another place",
        "t": "the place asked for, or a lag",
        "d": "a token",
        "r()": "scores of the read-out, by token",
        "r_after()": shown_as("r′", "r'", "scores after the exchange"),
        "w()": "weights of the positions",
        "sigma_1()": "the first input",
        "sigma_2()": "the second input",
        "D": "dimension of the values",
        "mu": "margin",
        "delta": "weight that is not on the own token",
        "a": "the common logit before the query",
    },
    "head.norm-scale": NUMBERS,
    "head.cosine-scale": {**NUMBERS, "Z_swapped": shown_as("Z′", "Z'", "a number")},
    "head.swap-sum": NUMBERS,
    "head.cosine-one": NUMBERS,
    "head.diagonal-order": _EXTREMES,
    "head.swaps-exclusion": {
        **_EXTREMES,
        "D_i()": "weight at the first place of a swap",
        "D_j()": "weight at its second place",
        "D_i_swapped()": shown_as("D′_i", "D'_i", "weight at the first place after the swap"),
        "D_j_swapped()": shown_as("D′_j", "D'_j", "weight at the second place after the swap"),
        "r": "a swap",
        "r_max": shown_as("r₊", "r_+", "the swap of the largest with the least weight"),
        "n_swaps": shown_as("P", "P", "number of swaps"),
        "tau": "cut-off of the scores",
        "kappa": "the level that both scores reach",
    },
    "head.score-table": {
        "Z": "normaliser of the row",
        "Z_swapped": shown_as("Z′", "Z'", "normaliser after the swap"),
    },
    "head.score-disc": {
        "x": "first weight before the swap", "y": "second weight before the swap",
        "u": "first weight after the swap", "v": "second weight after the swap",
    },
    "head.score-geometry": {
        "x": "first weight before the swap", "y": "second weight before the swap",
        "u": "first weight after the swap", "v": "second weight after the swap",
        "r": "length of (x, y)",
        "r_swapped": shown_as("r′", "r'", "length of (u, v)"),
        "phi": "angle of (x, y) with the diagonal",
        "psi": "angle of (u, v) with the diagonal",
        "kappa": "the level that both scores reach",
    },
    "head.row-exclusion": {
        "D()": "weights of the row",
        "D_i_swapped()": shown_as("D′", "D'", "weight at the first place after the swap"),
        "D_j_swapped()": shown_as("D″", "D''", "weight at the second place after the swap"),
        "iota()": "first place of a swap",
        "iota_other()": shown_as("ι′", r"\iota'", "second place of a swap"),
        "j_max": shown_as("j₊", "j_+", "place of the largest weight"),
        "j_min": shown_as("j₋", "j_-", "place of the least weight"),
        "r": "a swap",
        "r_max": shown_as("r₊", "r_+", "the swap of these two places"),
        "n_swaps": shown_as("P", "P", "number of swaps"),
        "tau": "cut-off of the scores",
        "kappa": "the level that both scores reach",
        "s": "any difference of two weights",
    },
    "head.positional-read-out": {
        "key()": shown_as("key", r"\mathrm{key}", "keys of the tokens"),
        "K": "the key asked for",
        "y()": "what the read-out adds, by token",
        "c": "a token",
    },
    "head.perceptron-retrieves": {
        "lamda_1": "weight of the first pair",
        "lamda_2": "weight of the second pair",
        "lamda_3": "weight of the query",
        "sigma": "the symbol asked for",
        "sigma_1": "symbol of the first pair",
        "sigma_2": "symbol of the second pair",
        "i_1": "integer of the first pair",
        "i_2": "integer of the second pair",
        "x": "a symbol",
        "y": "an integer",
    },
    "head.discrepancy": {
        "n_inputs": shown_as("n_x", "n_x", "number of inputs"),
        "n": "number of positions",
        "x": "an input",
        "lead()": shown_as("lead", r"\mathrm{lead}", "lead over a position, by input and position"),
        "rival()": shown_as("rival", r"\mathrm{rival}", "1 at the target's rivals, by input and position"),
        "Delta_min": "the smallest discrepancy",
        "Delta_max": "the largest discrepancy",
    },
    "head.reflexive": {
        "n_0": "length of the longest input",
        "r": "number of tokens",
        "n": "length of the input",
        "c": "a token",
        "z": "a place",
        "beta": "inverse temperature",
    },
}  # fmt: skip
