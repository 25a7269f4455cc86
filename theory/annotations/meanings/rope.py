"""Symbols of the claims about RoPE itself and about softmax."""

from __future__ import annotations

from ropeproof.theory.annotations.meanings.table import Table, shown_as, vector

__all__ = ["RACE", "ROPE", "SOFTMAX"]

_PAIR: Table = {
    "x()": "first coordinates of a vector, by plane",
    "y()": "second coordinates of a vector, by plane",
}
_FITTED: Table = {
    "a()": "coefficients of the cosines",
    "c()": "coefficients of the sines",
    "f()": "the target, a function of the lag",
}

RACE: Table = {
    "V": "number of values of a key",
    "p()": "chances of the values, by key and value",
    "w()": "logits, by key and value",
    "omega": "an outcome: its digits to the base V are the values of the keys, the first key's lowest",
    "u": "a key",
    "t": "a key",
    "x": "a value",
    "v()": "points of the grid",
    "K": "number of cells",
    "k": "a cell",
    "Delta": "the key whose weight is enclosed",
}

ROPE: dict[str, Table] = {
    "rope.group": {"alpha": "an angle", "beta": "an angle", **_PAIR},
    "rope.base-expectation": {
        "N": "number of draws of the query with its own key",
        "M": "number of draws of another's key",
        "p()": "probabilities of the draws of the query with its own key",
        "r()": "probabilities of the draws of another's key",
        "h_x()": "first coordinate of another's key in a plane, by draw",
        "h_y()": "second coordinate of another's key in a plane, by draw",
        "epsilon_x()": "first coordinate of the noise in a plane, by draw",
        "epsilon_y()": "second coordinate of the noise in a plane, by draw",
        "u": "a draw of the query with its own key",
        "v": "a draw of another's key",
    },
    "rope.slow-channel": {
        "q_x": "first coordinate of the query",
        "q_y": "second coordinate of the query",
        "k_x": "first coordinate of the one key",
        "k_y": "second coordinate of the one key",
        "h_x": "first coordinate of the other key",
        "h_y": "second coordinate of the other key",
        "n": "number of lags in half a turn, rounded up",
        "u": "a lag",
    },
    "rope.no-forced-decay": {
        "N": "number of outcomes",
        "p()": "chances of the outcomes",
        "K_x()": "first coordinate of the drawn key in a plane, by outcome",
        "K_y()": "second coordinate of the drawn key in a plane, by outcome",
        "u": "an outcome",
        "j": "a plane",
        "r": "any lag",
        "t_0": shown_as("t₀", "t_0", "the lag at which a key shall have its largest logit"),
    },
    "rope.toeplitz": {
        "Q_xy": "queries, by position",
        "K_xy": "keys, by position",
        "Q_x()": "first coordinates of the queries, by position and plane",
        "Q_y()": "second coordinates of the queries, by position and plane",
        "K_x()": "first coordinates of the keys, by position and plane",
        "K_y()": "second coordinates of the keys, by position and plane",
        "h": "a shift of positions",
        "i": "position of the query",
        "j": "position of the key",
    },
    "rope.relative": {"i": "position of the query", "j": "position of the key"},
    "rope.layout": {
        "x()": vector("2*m", "the query in the interleaved layout"),
        "y()": vector("2*m", "the key in the interleaved layout"),
        "u()": vector("2*m", "the query in the half layout"),
        "v()": vector("2*m", "the key in the half layout"),
        "i": "position of the query",
        "j": "position of the key, or a plane",
    },
    "rope.partial": {
        **_PAIR, "r": "number of planes that rotate", "i": "position of the query",
        "j": "position of the key",
    },
    "rope.nonresonant": {"k": "a number of turns"},
    "rope.expressive": {
        **_FITTED,
        "M": "length of the period",
        "n": "number of consecutive lags",
        "u": "first lag of the window",
        "h": "half the period, rounded down",
        "j": "a plane",
    },
    "rope.expressive-cost": _FITTED,
    "rope.scaling": {
        "x": "frequency of the slower plane",
        "y": "frequency of the faster plane",
        "f": "factor of the scaling",
        "s": "stretch of the context",
        "r_x": "ramp at the slower plane",
        "r_y": "ramp at the faster plane",
        "e_x": "factor of the slower plane",
        "e_y": "factor of the faster plane",
        "c": "turns of a plane in the original context, per unit of frequency",
        "low": shown_as("u₋", "u_-", "turns below which a plane is slowed in full"),
        "high": shown_as("u₊", "u_+", "turns above which a plane is left alone"),
        "l": "the plane",
    },
}  # fmt: skip

SOFTMAX: dict[str, Table] = {
    "softmax": {
        "a": "the target",
        "j": "a key",
        "i": "a key",
        "k": "number of keys at the top",
        "B": "bound of the logits",
        "w_moved()": shown_as("w′", "w'", "the logits after a move"),
        "w_top": shown_as("w*", "w_{*}", "the largest logit"),
        "p()": "a distribution on the keys",
        "d()": "tilts of the keys",
        "tau()": "1 on the keys that are tilted, else 0",
        "epsilon": "bound of the tilts",
        "lambda_": "how far the other logits are below the top",
        "delta": "lead of the right class on the average-hard output",
        "V()": vector("D", "values of the keys"),
        "D": "dimension of the values",
        "F_right_hard": shown_as("F", "F", "score of the right class on the average-hard output"),
        "F_right_soft": shown_as("F̃", r"\tilde F", "score of the right class on the soft output"),
        "F_wrong_hard": shown_as("G", "G", "score of a wrong class on the average-hard output"),
        "F_wrong_soft": shown_as("G̃", r"\tilde G", "score of a wrong class on the soft output"),
    },
    "softmax.race": RACE,
    "softmax.race-longer": RACE,
    "softmax.race-width": RACE,
}
