"""Inputs of composed networks, their answers by definition, and the networks' attention on them."""

from __future__ import annotations

import numpy as np
import torch

from ropeproof.numerics.task import letter_task, number_task

TYPES = {"float64": torch.float64, "float32": torch.float32, "bfloat16": torch.bfloat16}
TASKS = ["number", "letter"]
PLANES = ["one", "several"]


def drawn(network, count=3000, seed=0):
    draw = number_task if network.task == "number" else letter_task
    return draw(count, seed=seed)


def indexed(network, tokens):
    """The answers of iterated Index at the last position, and where its chain stays inside."""
    vocabulary, rows = network.plan.vocabulary, np.arange(len(tokens))
    back = vocabulary.integer(tokens)
    place = np.full(len(tokens), tokens.shape[1] - 1)
    for _ in range(network.hops):
        place = np.where(place < 0, place, place - back[rows, np.maximum(place, 0)])
    inside = place >= 0
    found = tokens[rows, np.maximum(place, 0)]
    return np.where(found < vocabulary.letters, found, tokens[:, -1]), inside


def retrieved(network, tokens):
    """The answers of iterated Retrieval at the last position of functional tokens, and where it goes on."""
    vocabulary, rows = network.plan.vocabulary, np.arange(len(tokens))
    left, right = vocabulary.left(tokens), vocabulary.right(tokens)
    place, inside = np.full(len(tokens), tokens.shape[1] - 1), np.ones(len(tokens), dtype=bool)
    for _ in range(network.hops):
        wanted = right[rows, place]
        same = left == wanted[:, None]
        inside &= (wanted < 0) | same.any(1)
        place = np.where(wanted < 0, place, same.argmax(1))
    return tokens[rows, place], inside


def wild(network, length, count, seed=0):
    """Tokens that need not be valid inputs: uniform ones, and repeats of few, made functional for letters."""
    rng, tokens = np.random.default_rng(seed), network.plan.tokens
    rows = [rng.integers(0, tokens, (count, length))]
    rows.append(rng.choice(tokens, 3)[rng.integers(0, 3, (count, length))])
    if network.task == "letter":
        vocabulary = network.plan.vocabulary
        named = rng.integers(0, tokens, (count, tokens))
        left = vocabulary.left(np.arange(tokens))
        for row in range(count):
            first = np.array([rng.choice(np.flatnonzero(left == x)) for x in range(max(left) + 1)])
            named[row] = first[left]
        rows = [np.take_along_axis(named, block, 1) for block in rows]
    return np.concatenate(rows)


def sought(network, tokens, place):
    """The positions that the next head has to attend to, given the place that the chain has reached."""
    vocabulary, rows, last = network.plan.vocabulary, np.arange(len(tokens)), tokens.shape[1] - 1
    if network.task == "number":
        return np.arange(last + 1) == (last - vocabulary.integer(tokens[:, -1]))[:, None]
    right = vocabulary.right(tokens)[rows, place]
    letter = np.where(right < 0, vocabulary.left(tokens)[rows, place], right)
    return vocabulary.left(tokens) == letter[:, None]


def measured(network, tokens, dtype):
    """The weights, margins and logits on the chain of the last row, and the read-out's margins.

    Attention of `HeadModule` itself; the chain is followed in the tokens.
    """
    module = network.to_module(dtype=dtype)
    rows, last = np.arange(len(tokens)), tokens.shape[1] - 1
    if network.task == "number":
        expected, inside = indexed(network, tokens)
    else:
        expected, inside = retrieved(network, tokens)
    weights, margins, sizes = [], [], []
    with torch.no_grad():
        x = module.embeddings[torch.from_numpy(tokens)]
        place = np.full(len(tokens), last)
        for head in module.heads:
            update, attention = head(x, return_attention=True)
            logits = head.logits(x).double().numpy()[:, last]
            row = attention.double().numpy()[:, last]
            match = sought(network, tokens, place)
            place = place if network.task == "number" else match.argmax(1)
            weights.append(np.where(match, row, 0.0).sum(1)[inside])
            least = np.where(match, logits, np.inf).min(1)
            margins.append((least - np.where(match, -np.inf, logits).max(1))[inside])
            sizes.append(np.abs(logits).max())
            x = x + update
        out = (x[:, last] @ module.readout.T).double().numpy()
    right = out[rows, expected].copy()
    out[rows, expected] = -np.inf
    return (
        min(w.min() for w in weights),
        min(m.min() for m in margins),
        max(sizes),
        (right - out.max(1))[inside].min(),
    )
