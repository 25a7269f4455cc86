"""Symbols of the claims about Index, Retrieval, planes, and tasks made of them."""

from __future__ import annotations

from ropeproof.theory.annotations.meanings.rope import RACE
from ropeproof.theory.annotations.meanings.table import Table, shown_as

__all__ = ["TASKS"]

_LETTERS: Table = {
    "omega": "angle between neighbouring letters",
    "phi": "place of the token's left letter in its alphabet",
    "phi()": "places of the left letters, by position",
    "psi": "place of the letter asked for",
    "r": "number of letters",
}
_INDEX: Table = {
    "n": "length of the input",
    "n_0": "length of the longest input",
    "a": "the target",
    "i": "the integer of the query: how far back it points",
    "j": "a position",
    "k": "a position",
    "c": "a token, or a coordinate",
    "p()": "average-hard weights",
    "L()": "1 for letters, 0 for integers, by token",
    "t": "a lag",
    "v_xy": "the key of every token",
    "v_x()": "first coordinate of the key in a plane",
    "v_y()": "second coordinate of the key in a plane",
    "z": "a place",
}
_STACK: Table = {
    "s()": "the stream: token after so many heads (first index) at a position (second)",
    "letter()": shown_as("letter", r"\mathrm{letter}", "1 for letters, 0 for integers, by token"),
    "pos()": shown_as("pos", r"\mathrm{pos}", "where so many hops from a position lead"),
    "left()": shown_as("left", r"\mathrm{left}", "left sides of the tokens"),
    "right()": shown_as("right", r"\mathrm{right}", "right sides of the tokens"),
    "fixed()": shown_as("fixed", r"\mathrm{fixed}", "1 for fixed tokens"),
    "c()": "position that a head copies from, by head and position",
    "p()": "parents of the positions",
    "P()": "where so many steps up from a position lead",
    "C()": "places of the chain",
    "o()": "where a token of the stream comes from, by head and position",
    "h": "a head",
    "k": "a number of hops",
    "d": "number of hops to the first letter",
    "q": "a position",
    "r": "number of heads",
    "i": "a position",
    "j": "a position",
    "n": "length of the input",
}
_SYMBOL: Table = {
    "Q": "number of symbols",
    "d": "how far apart two symbols are",
    "early": shown_as("t′", "t'", "lag of the other occurrence"),
    "late": shown_as("t", "t", "lag of the occurrence that shall win"),
    "n": "number of lags",
}

TASKS: dict[str, Table] = {
    "index": {
        **_INDEX,
        "B()": "amplitudes of the planes, with the inverse temperature",
        "M()": "mean of exp(B cos) over the circle, by plane",
        "h()": "integers",
        "epsilon": "any positive number",
        "N": "number of points on the circle",
        "p": "position of the target",
    },
    "retrieval": {
        **_INDEX,
        **_LETTERS,
        "x()": "token at a position, by position and coordinate",
        "g()": "a lower bound of the row's gaps",
        "x_letter()": shown_as("x", "x", "angles of the left letters"),
        "u": "a lag",
        "i": "a position",
    },
    "retrieval.race": {
        **RACE,
        "P()": "chances of a distractor's values",
        "W()": "logits of a distractor's values",
        "Delta": "the needle",
    },
    "separation": {**_INDEX, **_LETTERS},
    "separation.discrepancy": {
        **_INDEX,
        **_LETTERS,
        "Delta_min": "smallest discrepancy over the inputs",
        "Delta_max": "largest discrepancy over the inputs",
    },
    "planes": {
        "n": "number of positions",
        "t": "a lag",
        "Q": "number of digits, or of parts of a turn",
        "A": "amplitude of the head",
        "kappa()": "multipliers of the planes' angles",
        "varepsilon": "share of the margin that is given away",
        "rho": "share of the amplitude",
        "c": "margin, as a share of the amplitude",
        "x": "a number",
        "z": "a place",
        "K": "number of addresses",
        "psi()": "angles of the addresses",
        "A_a()": shown_as("A", "A", "amplitudes, by address"),
        "a": "an address",
        "b": "another address",
        "k": "an index",
        "j": "a position",
        "i": "a position",
    },
    "task": {
        **_STACK,
        **_SYMBOL,
        "z()": "logits of a layer, by layer and key",
        "tau()": "targets, by layer",
        "P()": "product of the right weights of the first layers",
        "rho": "the h-th root of 2",
    },
    "task.compose-index": _STACK,
    "task.compose-retrieval": _STACK,
    "task.compose-retrieval-chain": _STACK,
    "task.soft-stack": {"h": "number of layers", "r": "a layer", "j": "a key"},
    "task.absolute-index": {
        "q": "the index asked for",
        "i": "a position",
        "n": "number of positions",
    },
    **{
        f"task.{task}-head": {
            "n": "number of items of the input",
            "n_0": "largest number of items",
            "Q": "number of keys",
            "phi()": "keys, by position, that of the query last",
            "sigma()": "values, by position",
            "a": "position of the item that is asked for",
            "B": "amplitude of the symbol plane",
            "c": "any other value",
            "j": "a position",
        }
        for task in ("info-retrieval", "partial-induction")
    },
    "task.partial-induction-sharp": {"B": "amplitude of the symbol plane"},
    "task.partial-induction-needs-both": {
        "pi()": "permutation of the positions",
        "rho()": "the inverse permutation",
        "R": "size of the vocabulary",
        "A": "a token",
        "B": "another token",
        "V()": "value of a token, by token and coordinate",
        "o": "logit of the query's own token",
        "s()": "logits, by token",
        "s_1": "a place",
        "s_2": "another place",
        "t": "the place asked for",
        "c": "a coordinate",
        "d": "a token",
        "w()": "weights of the positions",
        "sigma_1()": "the first input",
        "sigma_2()": "the second input",
        "n": "number of positions before the query",
        "k": "a position",
    },
    **{
        f"task.u-shape{end}": {
            "n": "length of the input",
            "ell": "location of the target",
            "k": "location of the target",
            "m": "the middle",
            "beta": "scale of the logits",
            "j": "a position",
        }
        for end in ("", "-index", "-symbol")
    },
}
