"""Prompts for index heads, and their answers."""

from __future__ import annotations

import itertools

import numpy as np


def solve(prompts, letters):
    """The answers to Index at every row, by definition; -1 where an integer points before the start."""
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
