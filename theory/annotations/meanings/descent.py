"""Meanings of the symbols in claims about training a slash head."""

from __future__ import annotations

from ropeproof.theory.annotations.meanings.library import NUMBERS
from ropeproof.theory.annotations.meanings.table import Table, shown_as, vector

__all__ = ["DESCENT"]

_STAR = shown_as("k*", "k_{*}", "unit vector that separates the target from all other lags")
_TOKENS: Table = {
    "D": "dimension of the input",
    "u()": vector("D", "component that all tokens have in common"),
    "X()": vector("D", "tokens of the prompts, by prompt and position"),
    "c": "a coordinate of the input",
    "p": "a position",
    "P": "a prompt",
}

_INDUCTION: Table = {
    "N": "number of tokens",
    "beta": "scale of layer 2's logits",
    "a()": "weight of a lag in layer 1",
    "e()": "inner product of the last token and the one at a position",
    "p": "where the last token occurred before",
    "i": "a position",
    "t": "a lag",
    "r": "a lag",
    "j": "a position",
}

_GRADIENT: Table = {
    "G_xy": "the gradient of the loss",
    "G_x()": "first coordinate of the gradient in a plane",
    "G_y()": "second coordinate of the gradient in a plane",
}
_ARITHMETIC = (
    *("square-order", "recursion-step", "recursion-tail", "gain-arithmetic"),
    *("ceiling-arithmetic", "floor-step", "plane-arithmetic"),
)
_LOWER = ("along", "row-slope", "slope-below")

DESCENT: dict[str, Table] = {
    "slash.gd": {
        "N": "length of the prompts",
        "beta": "inverse of the step; the loss's curvature is at most this",
        "psi_xy": "features of the lags, s R_t q̄",
        "psi_x()": "first coordinate of a lag's feature in a plane",
        "psi_y()": "second coordinate of a lag's feature in a plane",
        "kappa_xy": shown_as("k", "k", "the key after so many steps"),
        "kappa_x()": shown_as("k_x", "k_{x}", "its first coordinate in a plane, by step"),
        "kappa_y()": shown_as("k_y", "k_{y}", "its second coordinate in a plane, by step"),
        "Gamma_xy": shown_as("G", "G", "gradient of the loss at that key"),
        "Gamma_x()": shown_as(
            "G_x", "G_{x}", "first coordinate of the gradient, by step and plane"
        ),
        "Gamma_y()": shown_as(
            "G_y", "G_{y}", "second coordinate of the gradient, by step and plane"
        ),
        "kstar_xy": _STAR,
        "kstar_x()": shown_as("k*_x", "k_{*,x}", "first coordinate of k* in a plane"),
        "kstar_y()": shown_as("k*_y", "k_{*,y}", "second coordinate of k* in a plane"),
        "v_xy": "a move of the key",
        "v_x()": "first coordinate of the move in a plane",
        "v_y()": "second coordinate of the move in a plane",
        "k_xy": "the key",
        "gamma": "margin by which k* separates the target",
        "tau": "a step of the training",
        "tau_0": "the step from which the rate holds",
        "T": "number of steps",
        "n": "number of further steps",
        "p": "the plane",
        "D_mean": shown_as("D̄", r"\bar D", "mean distance that the plane's feature wastes"),
        "h": "a step before T",
        "i": "a row, which has i keys",
        "j": "a lag",
    },
    **{f"slash.gd.{end}": NUMBERS for end in _ARITHMETIC},
    "slash.gd.comparator": {
        "kstar_xy": shown_as("k*", "k_{*}", "vector that separates the target from all other lags")
    },
    "slash.gd.telescope": {
        "c": "a factor",
        "u": "loss of the comparator",
        "L()": "losses, by step",
        "D()": "squared distances from the comparator, by step",
    },
    "slash.gd.recursion": {
        "n": "number of steps",
        "a": "a factor",
        "L()": "losses, by step",
        "h": "a step",
    },
    **{f"slash.gd.{end}": {"c": "how much lower other lags lie"} for end in _LOWER},
    "slash.gd.wasted-growth": {"c": "how much a lag more takes, at most"},
    "slash.gd.row-losses": {"r": "a row"},
    "slash.gd.plane-bound": {"B": "bound of the features' distances in the plane"},
    "slash.gd.step": {"u_xy": "any key", **_GRADIENT},
    "slash.gd.gradient-ceiling": _GRADIENT,
    "slash.gd.same-loss": {
        "a_xy": "another key",
        "a_x()": "first coordinate of another key in a plane",
        "a_y()": "second coordinate of another key in a plane",
    },
    "slash.gd.offset-signs": _INDUCTION,
    "slash.gd.offset-step": {
        "N": "number of lags",
        "a()": "weight of a lag in layer 1",
        "D()": "derivative of the loss in the weight of a lag",
        "g()": "logit of a lag before the step",
        "h()": "logit of a lag after the step",
        "eta": "size of the step",
        "s": "another lag than 1",
        "t": "a lag",
        "r": "a lag",
    },
    "slash.gd.offset-lead": {
        "N": "number of lags",
        "a()": "weight of a lag in layer 1",
        "D()": "derivative of the loss in the weight of a lag",
        "g()": "logit of a lag before the step",
        "h()": "logit of a lag after the step",
        "eta": "size of the step",
        "c": "by how much the loss falls faster with lag 1 than with any other",
        "t": "a lag",
        "r": "a lag",
        "l": "a lag",
    },
    "slash.gd.offset-last-place": _INDUCTION,
    "slash.gd.offset-found": {
        **_INDUCTION,
        "a()": "weight of a lag in layer 1, by step",
        "g()": "logit of a lag in layer 1, by step",
        "D()": "derivative of the mean loss in the weight of a lag, by step",
        "e()": "inner product of the last token and the one at a position, by place p",
        "pi()": "probability of a place",
        "eta": "size of the step",
        "k": "a step",
        "n": "number of steps",
    },
    **{
        f"slash.gd.offset-causal{end}": {
            **_INDUCTION,
            "a()": "weight of a lag in a row of layer 1",
            "D()": "derivative of the mean loss in a weight of a row",
            "e()": "inner product of the last token and the one at a position, by place p",
            "P()": "probability of a place",
            "g()": "logit of a lag in layer 1, before the step",
            "h()": "logit of a lag in layer 1, after the step",
            "mu()": "by how much the loss falls faster with lag 1, by row",
            "eta": "size of the step",
            "i": "a row of layer 1",
            "s": "a lag above 1",
            "t": "a lag",
            "v": "a position",
        }
        for end in ("-rewards", "-shares", "-step", "-step-own")
    },
    "slash.gd.offset-causal-row": {
        "a()": "weight of a lag",
        "D()": "derivative of the loss in the weight of a lag",
        "mu": "by how much the loss falls faster with lag 1 than with t",
        "i": "the last lag of the row",
        "l": "a lag",
        "r": "a lag",
        "t": "another lag",
    },
    "slash.gd.offset-causal": {
        **_INDUCTION,
        "a()": "weight of a lag, by step and row",
        "g()": "logit of a lag, by step",
        "D()": "derivative of the mean loss in a weight",
        "e()": "product of the last token and another, by p and position",
        "P()": "probability of a place",
        "eta": "size of the step",
        "i": "a row of layer 1",
        "s": "a lag above 1",
        "v": "a position",
        "k": "a step",
        "n": "number of steps",
    },
    **{
        f"slash.gd.offset-{end}": {
            **_INDUCTION,
            "a()": "weight of a lag, by step and row",
            "g()": "logit of a lag, by step",
            "D()": "derivative of the mean loss in a weight",
            "G()": "minus that in a lag's logit",
            "e()": "product of the last token and another, by p and position",
            "P()": "probability of a place",
            "eta": "size of the step",
            "i": "a row of layer 1",
            "s": "a lag above 1",
            "u": "a lag",
            "v": "a position",
            "k": "a step",
            "n": "number of steps",
            **more,
        }
        for end, more in (
            (
                "kernel",
                {
                    "K()": "by how much the pull of one lag moves the logit of another",
                    "b": "by how much a lag's own pull moves its logit",
                    "c": "by how much the pull of any other lag does",
                },
            ),
            (
                "rope",
                {
                    "c_xy": "the learned key",
                    "c_x()": "real part of the learned key, by step and plane",
                    "c_y()": "imaginary part of the learned key, by step and plane",
                    "d": "a difference of two lags",
                },
            ),
        )
    },
    "slash.gd.offset-rope-apart": {"d": "a difference of two lags"},
    "slash.gd.offset-rope-slow": {"eta": "size of the step", "theta": "angle of the plane"},
    "slash.flow-limit": {
        "v_x()": "real part of the head, by plane",
        "v_y()": "imaginary part of the head, by plane",
        "a()": "size of the head's plane",
        "w_x()": "real part of another head, by plane",
        "w_y()": "imaginary part of another head, by plane",
        "b()": "size of the other head's plane",
        "y()": "shares of the lags",
        "d()": "distance of a lag from the target",
        "lambda_": "the rate at which planes grow",
        "c": "a bound of the other head's margins",
        "i": "a lag",
        "j": "a lag",
        "n": "number of lags other than the target",
    },
    "slash.gd.rank-one": {
        **_TOKENS,
        "W()": vector("D", "key matrix, by step", "W", "W", matrix=True),
        "psi()": vector("m", "features of the lags"),
        "k()": vector("m", "the key"),
        "m": "dimension of keys",
        "l": "a coordinate of the key",
        "h": "a coordinate",
    },
    "slash.gd.ood": {
        **_TOKENS,
        "X()": vector("D", "tokens of the sequence, by position"),
        "n": "length of the sequence",
        "i": "the row",
    },
    "slash.gd.head": {
        **_TOKENS,
        "W()": vector("D", "key matrix, 2m × D, by step", "W", "W", matrix=True),
        "Y()": vector("D", "tokens of any sequence, by position"),
        "q()": "the mean query, by coordinate: plane l has l and l + m",
        "q_turned()": shown_as("q⊥", r"q^{\perp}", "the mean query turned by a right angle"),
    },
    "slash.gd.head-cone": {
        "r": "largest scatter of a token, the tangent of the cone's angle",
        "rho": "how much of the scatter a query sees",
        "omega": "frequency of the plane, radians per position",
        "eta": "size of a step",
        "T": "number of steps",
        "tau": "a step",
        "x": "scatter of the first token",
        "y": "scatter of the second token",
        "k_x()": "first coordinate of W_K u, by step",
        "k_y()": "second coordinate of W_K u, by step",
        "c_x()": "first coordinate of W_K s, by step",
        "c_y()": "second coordinate of W_K s, by step",
    },
}
