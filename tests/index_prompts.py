"""Prompts for index heads, and their answers."""

from __future__ import annotations

import itertools

import numpy as np

from ropeproof.theory.spec import Linear, RopeSpec, Yarn

SPECS = {
    "half": RopeSpec(16, 10000),
    "interleaved": RopeSpec(8, 500, layout="interleaved"),
    "partial half": RopeSpec(24, 10000, rotary_dim=12),
    "partial interleaved": RopeSpec(12, 500, rotary_dim=8, layout="interleaved"),
    "linear": RopeSpec(32, 10000, scaling=Linear(4)),
    "yarn": RopeSpec(32, 10000, rotary_dim=16, scaling=Yarn(factor=4, original_length=64)),
    "model": RopeSpec(128, 10000),
}


def solve(prompts, letters):
    """Index at every row by definition; -1 where an integer points before the start."""
    answers = np.array(prompts)
    for row, tokens in enumerate(prompts):
        for place, token in enumerate(tokens):
            if token < letters:
                continue
            target = place - (token - letters + 1)
            if target < 0:
                answers[row, place] = -1
            elif tokens[target] < letters:
                answers[row, place] = tokens[target]
    return answers


def every_input(letters, integers, length):
    return np.array(list(itertools.product(range(letters + integers), repeat=length)))


def all_right(head, prompts, letters, arithmetic):
    expected = solve(prompts, letters)
    found = head.decode_numbers(
        prompts, arithmetic=arithmetic, every_row=True, beyond_guarantee=True
    )
    return bool(((found == expected) | (expected == -1)).all())
