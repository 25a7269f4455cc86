"""Queries and keys of example heads, and the verdicts on them."""

from __future__ import annotations

import math

import numpy as np

from ropeproof.constructions import index_head, retrieval_head
from ropeproof.theory.rotary.spec import Linear, RopeSpec
from ropeproof.tools.measure import HeadVectors, MeasureOptions, measure_head
from ropeproof.tools.measure.verdicts import judge

ONE = RopeSpec(2, 10000)
"""One plane of frequency 1."""


def vectors_of(queries, keys, spec, *, tokens=None, scale=1.0, prompt="text", first=True, cap=None):
    count = len(queries)
    return HeadVectors(
        queries=np.asarray(queries, np.float64),
        keys=np.asarray(keys, np.float64),
        tokens=np.arange(count) if tokens is None else np.asarray(tokens, np.int64),
        spec=spec,
        scale=scale,
        soft_cap=cap,
        layer=0,
        head=0,
        key_head=0,
        first=first,
        prompt=prompt,
    )


def judged(vectors, **options):
    return judge(vectors, measure_head(vectors, MeasureOptions(**options)))


def find(verdicts, claim, about=""):
    return [v for v in verdicts if v.claim == claim and about in v.about]


def only(verdicts, claim, about=""):
    (found,) = find(verdicts, claim, about)
    return found


def planes(*numbers):
    """Complex planes as real vectors of the interleaved layout."""
    return np.stack([np.real(numbers), np.imag(numbers)], -1).reshape(-1)


def random_vectors(length=40, dim=16, *, seed=0, mean=1.0, size=1.0, spec=None, **options):
    random = np.random.default_rng(seed)
    sides = [
        size * (random.normal(size=(length, dim)) + mean * random.normal(size=dim))
        for _ in range(2)
    ]
    tokens = random.integers(0, max(2, length // 3), length)
    spec = RopeSpec(dim, 10000) if spec is None else spec
    return vectors_of(*sides, spec, tokens=tokens, scale=dim**-0.5, **options)


# --- a stronger bound is seen --------------------------------------------------------------------


def one_plane(length, phase=0.0, amplitude=1.0):
    """A head with constant query and key in one plane, whose logit is `A cos(t + phase)`."""
    queries = np.tile(planes(amplitude * np.exp(1j * phase)), (length, 1))
    return vectors_of(queries, np.tile(planes(1.0), (length, 1)), ONE)


def sizes_apart(length=12):
    """A head whose queries and keys have one direction and alternate between two lengths."""
    sizes = np.where(np.arange(length) % 2, 1.25, 0.75)[:, np.newaxis]
    return vectors_of(2 * sizes * planes(1.0), sizes * planes(1.0), ONE)


def self_avoiding(length=16):
    """A head that avoids the query's own token, so that earlier keys share all weight."""
    spec = RopeSpec(length + 2, 10000, rotary_dim=2)
    keys = np.eye(length + 2)[2:]
    return vectors_of(-30 * keys, keys, spec, prompt="random")


def opposite_keys(length=12):
    """A head with two opposite keys in turn, in a plane that hardly turns."""
    signs = np.where(np.arange(length) % 2, 1.0, -1.0)[:, np.newaxis]
    spec = RopeSpec(2, 10000, scaling=Linear(10**6))
    return vectors_of(np.tile(planes(1.0), (length, 1)), signs * planes(1.0), spec)


def index_vectors():
    made = index_head(4, 3, 9, inverse_temperature=40.0)
    tokens = [0, 1, 2, 3, 0, 1, 2, 3, 0]
    rows = made.embeddings[tokens]
    scale = made.spec.head_dim**-0.5
    return vectors_of(rows @ made.w_q.T, rows @ made.w_k.T, made.spec, tokens=tokens, scale=scale)


def retrieval_vectors():
    made = retrieval_head(4, 9)
    names = ["A1", "BA", "CB", "DC", "A1", "BA", "CB", "DC", "AB"]
    letters = [str(letter) for letter in made.letters]
    names = [
        "".join(letters["ABCD".index(c)] if c in "ABCD" else c for c in name) for name in names
    ]
    tokens = [made.tokens.index(name) for name in names[:-1]]
    tokens.append(made.tokens.index(letters[3] + letters[0]))
    rows = made.embeddings[tokens]
    scale = made.spec.head_dim**-0.5
    return vectors_of(rows @ made.w_q.T, rows @ made.w_k.T, made.spec, tokens=tokens, scale=scale)


def even_split(length=10):
    """A head with one query and keys all around the circle."""
    turns = np.exp(2j * np.pi * np.arange(length) * 0.37)
    return vectors_of(
        np.tile(planes(1.0), (length, 1)), np.array([planes(x) for x in turns]), ONE, scale=0.05
    )


def steep(length=240):
    """A head whose last row has all logits 0, which change the most when a key is moved."""
    spec = RopeSpec(2, 10000, scaling=Linear(10))
    lags = np.arange(length)[::-1]
    keys = np.array([planes(0.4 * np.exp(0.1j * lag)) for lag in lags])
    return vectors_of(np.tile(planes(1j), (length, 1)), keys, spec)


TIGHT = {
    "flat": one_plane(20, amplitude=0.0),
    "one plane": one_plane(20),
    "two keys": one_plane(2, phase=math.pi / 2 - 0.5 + math.pi, amplitude=3.0),
    "three keys": one_plane(3, phase=-1.0, amplitude=9.0),
    "three keys, light": one_plane(3, phase=-1.0, amplitude=5.0),
    "kept": one_plane(60, phase=-1.0, amplitude=9.0),
    "sizes": sizes_apart(),
    "self": self_avoiding(),
    "opposite": opposite_keys(),
    "index": index_vectors(),
    "retrieval": retrieval_vectors(),
    "circle": even_split(),
    "steep": steep(),
    "random": random_vectors(30, 8, size=0.4),
    "slow": random_vectors(30, 4, size=0.3, spec=RopeSpec(4, 10000, scaling=Linear(200))),
}


# --- the same numbers another way ----------------------------------------------------------------


def value(verdict):
    return verdict.guaranteed.value
