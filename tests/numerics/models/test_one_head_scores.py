"""One name for scores, of a model's heads and of given queries and keys."""

from __future__ import annotations

import numpy as np
import pytest
from tiny_models import make_model, make_prompts

import ropeproof
from ropeproof.numerics.bounds.head import vector_scores
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

SPEC = RopeSpec(8, 100)


def vectors():
    return np.random.default_rng(0).normal(size=(2, 3, 9, 8))


@pytest.mark.parametrize("options", [{}, {"rows": "all", "block": 2}, {"window": 5, "scale": 2.0}])
def test_queries_and_keys_are_scored_under_the_one_name(options):
    queries, keys = vectors()
    one = ropeproof.head_scores(queries, keys, SPEC, **options)
    other = vector_scores(queries, keys, SPEC, **options)
    assert (one.positional == other.positional).all()
    assert (one.symbolic == other.symbolic).all()


def test_an_option_of_the_other_one_is_refused():
    queries, keys = vectors()
    with pytest.raises(InvalidArgument, match="gamma"):
        ropeproof.head_scores(queries, keys, SPEC, gamma=0.2)
    with pytest.raises(InvalidArgument, match="scale"):
        ropeproof.head_scores(make_model("llama"), make_prompts(), scale=1.0)
