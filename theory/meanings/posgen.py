"""Symbols of the claims about position generalisation, and about conformance."""

from __future__ import annotations

from ropeproof.theory.meanings.table import Table, shown_as, vector

__all__ = ["CONFORM", "POSGEN"]

_PLANE: Table = {
    "R()": "sizes of the planes' products of query and key",
    "a()": "real parts of the planes' products of query and key",
    "c()": "imaginary parts of the planes' products of query and key",
}

POSGEN: dict[str, Table] = {
    "posgen": {
        "t_0": "middle of the window",
        "chi()": "1 on the slow planes, else 0",
        "kappa_xy": "fluctuation of the key",
        "kappa_x()": "first coordinate of the key's fluctuation in a plane",
        "kappa_y()": "second coordinate of the key's fluctuation in a plane",
        "delta_xy": "fluctuation of the query",
        "delta_x()": "first coordinate of the query's fluctuation in a plane",
        "delta_y()": "second coordinate of the query's fluctuation in a plane",
        "alpha()": "relative size of the query's fluctuation, by plane",
        "beta()": "relative size of the key's fluctuation, by plane",
        "j": "an index of keys, cells or planes",
        "n": "number of keys, or of lags",
        "V": "number of keys",
        "v": "a key",
        "p()": "probabilities of the keys",
        "epsilon": "a bound",
    },
    "posgen.pearson": {"h()": "the fit, centred", "r()": "the residual, centred"},
    "posgen.anova": {
        "N": "number of lags of the window",
        "C()": "mean cosine of a plane over the window",
        "S()": "mean sine of a plane over the window",
        "a()": "the positional part, by lag",
        "a_mean": shown_as("ā", r"\bar a", "its mean over the window"),
        "e()": "energies of the planes' fluctuations",
        "f()": "any function of the lag",
        "g()": "any function of the key",
        "x()": "real parts of the fluctuations, by plane and key",
        "y()": "imaginary parts of the fluctuations, by plane and key",
        "h": "a plane",
        "k": "a plane",
    },
    "posgen.concentration": {"N": "number of lags of the window", "k": "a lag"},
    "posgen.null": {
        "c()": "|c|² of the planes: how concentrated their turns are",
        "e()": "energies of the planes' fluctuations",
        "E_0": "the common energy",
    },
    "posgen.gauge": {
        "a()": "the axis of the lag",
        "b()": "the axis of the query",
        "c()": "the axis of the key",
        "n": "number of positions",
    },
    "posgen.noise-floor": {
        "M": "number of cells",
        "P()": "the projection of the fit beside the constant, by two cells",
        "rho": "rank of the fit beside the constant",
        "E_own": shown_as("E₌", "E_=", "mean of a cell's share, squared"),
        "E_other": shown_as("E≠", r"E_{\ne}", "mean of the product of two cells' shares"),
        "i": "a cell",
    },
    "posgen.transposition": {
        **_PLANE,
        "Delta": "bound of the displacements",
        "p()": "attention before",
        "d()": "changes of the logits",
        "tau()": "1 for keys that are displaced, else 0",
        "shift()": shown_as("δ", r"\delta", "displacements of the keys"),
        "t()": "lags of the keys",
        "epsilon": "bound of the changes of the logits",
    },
    "posgen.effective-length": {"f()": "positional logits, by lag", "B": "their bound"},
    "posgen.length": {
        "Omega": "number of outcomes",
        "omega": "an outcome",
        "P()": "probabilities of the outcomes",
        "E()": "content weights, by lag and outcome",
        "v()": "values, by lag and outcome",
        "pi()": "positional weights, by lag",
        "c": "lower bound of content weights",
        "r": "the value that the output settles at",
        "V": "variance of a content's part",
        "u": "a lag",
        "t": "a lag",
    },
    "posgen.bounded-capacity": {
        **_PLANE,
        "S": "bound of a key's amplitude",
        "G": "number of cells of a turn",
        "tau()": "the lags",
        "epsilon": "mean square by which two lags' logits differ",
        "i": "a lag of the list",
        "k": "a lag of the list",
        "n": "number of lags",
    },
}

CONFORM: dict[str, Table] = {
    "conform": {
        "x()": vector("d", "a vector"),
        "K": "number of vectors tried",
        "F()": vector("d", "matrix of the one map", matrix=True),
        "G()": vector("d", "matrix of the other map", matrix=True),
        "a()": "coefficients of the combination",
        "b()": vector("d", "the vectors tried"),
        "d": "dimension",
        "k": "a vector of the list",
        "r": "a row",
    },
    "conform.probe": {
        "e()": vector("d", "a row of the difference of the two maps"),
        "s()": vector("d", "vectors of signs"),
        "t()": vector("d", "their partners"),
        "u()": "1 where a vector shows no difference",
        "v()": "1 where a partner shows no difference",
        "h": "the coordinate in which partners differ",
        "N": "number of pairs",
        "i": "a pair",
    },
    "conform.group": {
        "u()": "first coordinates of F(x, p), by position and plane",
        "v()": "second coordinates of F(x, p), by position and plane",
        "a()": "first coordinates of F(F(x, p), 1), by position and plane",
        "b()": "second coordinates of F(F(x, p), 1), by position and plane",
        "x()": "first coordinates of a vector, by plane",
        "y()": "second coordinates of a vector, by plane",
    },
    "conform.blind": {
        "omega()": "frequencies of the implementation",
        "x()": "first coordinates of a vector, by plane",
        "y()": "second coordinates of a vector, by plane",
        "h": "the plane that is wrong",
        "i": "position of the query",
        "j": "position of the key",
    },
}
