"""Margins, decoding and odds of index heads, computed by definition."""

from __future__ import annotations

import itertools

import mpmath
import numpy as np
import sympy


def to_mp(number):
    """An exact number in mpmath, with some more digits than the precision in force."""
    return mpmath.mpf(str(sympy.N(sympy.sympify(number), mpmath.mp.dps + 10)))


def by_definition(thetas, sizes, length, integers):
    """The margin of each query `0 .. integers` from the logits of every key, at 60 digits."""
    with mpmath.workdps(60):
        angles = [to_mp(sympy.Rational(t) if isinstance(t, float) else t) for t in thetas]
        found = {}
        for query in range(min(integers, length - 1) + 1):
            logits = [
                mpmath.fsum(
                    a * mpmath.cos((length - j - query) * t)
                    for a, t in zip(sizes, angles, strict=True)
                )
                for j in range(1, length + 1)
            ]
            target = logits.pop(length - query - 1)
            found[query] = target - max(logits)
        return found


def decodes(theta, beta, length, integers, letters=2):
    """Whether the construction itself decodes every input of a length, by running it on each.

    Tokens below `letters` are letters, the others integers. Margins of the read-out decide.
    """
    alphabet = range(letters + integers)
    for tokens in itertools.product(alphabet, repeat=length):
        last = tokens[-1]
        query = last - letters + 1 if last >= letters else 0
        if query >= length:
            continue
        wanted = tokens[length - 1 - query]
        answer = wanted if wanted < letters else last
        lags = np.arange(length)[::-1]
        sizes = np.exp(beta * np.cos((lags - query) * theta))
        state = np.zeros(letters + integers)
        state[last] += 1
        for token, weight in zip(tokens, sizes / sizes.sum(), strict=True):
            if token < letters:
                state[token] += 2 * weight
        others = np.delete(state, answer)
        if not state[answer] > others.max() + 1e-12:
            return False
    return True


def odds_mp(theta, beta, length, integers):
    with mpmath.workdps(40):
        sizes = [mpmath.exp(-beta * (1 - mpmath.cos(theta * t))) for t in range(length)]
        return max(
            mpmath.fsum(sizes[1 : i + 1]) + mpmath.fsum(sizes[1 : length - i])
            for i in range(1, min(integers, length - 1) + 1)
        )
