"""Meanings of the symbols in claims about where RoPE ends: sinks, halves of all lags, mean logits."""

from __future__ import annotations

from ropeproof.theory.annotations.meanings.table import Table

__all__ = ["LIMITS"]

_SINK: Table = {
    "N": "number of lags",
    "Gamma": "logit that the query guarantees at every lag",
    "U": "a bound of what the weights see of a plane",
    "y()": "weights on the lags",
    "z()": "weights on the lags that prove the value",
    "a()": "signed shares of the amplitude, by plane",
    "v": "the best guarantee per unit amplitude",
    "mu": "logit that the other head guarantees at every lag",
    "j": "a lag",
    "A()": "amplitude of a plane",
    "varphi()": "phase of a plane",
    "h": "an index",
}
_HALF: Table = {
    "C()": "amplitudes, by plane; any sign",
    "x()": "phases, by plane",
    "u()": "other phases, by plane",
    "F()": "a function of a logit",
    "G()": "another function of a logit",
    "theta()": "angle of a plane",
    "n": "number of lags",
    "N": "another number of lags",
    "n_0": "number of lags from which on it holds",
    "epsilon": "how near the two shall be",
    "lambda": "rate of the exponential",
    "a": "factor of the exponential",
    "M": "exponent of the power",
    "k": "a whole number of turns",
    "r": "a plane",
    "h()": "whole multiples of the angles",
    "j": "a lag",
    "y": "a value of a logit",
    "z": "an index",
    "m": "number of planes",
    "p": "the plane with amplitude",
    "K": "number of turns of one plane",
    "tau": "the threshold",
    "eta": "a tolerance",
    "chi()": "1 at lags on one side of the threshold, 0 on the other",
    "zeta()": "the same marks of other lags",
}
_STEP: Table = {
    "p": "by what a factor is less than 1",
    "q": "the same at the point where the power falls",
    "s": "how much the two differ, as a part of the smaller",
    "n": "exponent of the power",
    "M": "exponent of the power",
    "y": "a number",
    "B": "the largest number that is looked at",
    "varepsilon": "the point at which the power falls",
    "delta": "half of the window about it",
    "eta": "what the power may be off elsewhere",
    "a": "factor of the exponential",
    "lambda": "rate of the exponential",
}

LIMITS: dict[str, Table] = {
    **{
        f"head.sink-{name}": _SINK
        for name in ("reflection", "even-bound", "bound", "uniform", "horizon", "slackness")
    },
    **{
        f"rope.half{name}": _HALF
        for name in ("", "-exponential", "-powers", "-shifts", "-mark", "-law")
    },
    **{f"rope.half-{name}": _STEP for name in ("power-bounds", "fall", "step")},
    "rope.half-three": {
        "K": "number of points on the circle",
        "a": "a point",
        "b": "a second point",
        "c": "a third point",
        "C": "amplitude of the cosine",
        "psi": "phase of the cosine",
        "v": "what is added to the cosine",
    },
    "sums.two-of-three": {
        "K": "how many numbers there are",
        "h()": "the numbers",
        "eta": "a number that is at most this is small",
        "a": "index of a number",
        "b": "index of a second number",
        "c": "index of a third number",
        "k": "index of a number",
    },
    "duality.minimax-signed": {
        "R": "number of rows",
        "C": "number of columns",
        "P()": "payoff, by row and column",
        "x()": "weights of the rows, of either sign",
        "y()": "probabilities of the columns",
        "r": "a row",
        "c": "a column",
        "v": "value of the game",
        "h": "an index",
    },
    "rope.mean-bias": {
        "N": "number of draws of the query",
        "M": "number of draws of the key",
        "p()": "probabilities of the draws of the query",
        "r()": "probabilities of the draws of the key",
        "h_x()": "first coordinate of the key in a plane, by draw",
        "h_y()": "second coordinate of the key in a plane, by draw",
        "q_x()": "first coordinate of the query in a plane, by draw",
        "q_y()": "second coordinate of the query in a plane, by draw",
        "u": "a draw of the query",
        "v": "a draw of the key",
        "h": "the plane in which the product of the means is not 0",
        "j": "a lag",
    },
}
