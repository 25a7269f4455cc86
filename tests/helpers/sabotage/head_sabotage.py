"""Wrong numbers for the functions that the evidence about heads uses."""

from __future__ import annotations

import numpy as np
from sabotaged_evidence import T, W, both_right, but, more, scaled, weaker

from ropeproof.numerics.bounds.head import ContentTable, Exclusion, Scores, Swaps
from ropeproof.proofs_check.evidence.head import behaviour, exclusion, limits, rows, scores
from ropeproof.proofs_check.evidence.head import constructed as head_constructed


def moved(found):
    """Make a content table whose logits depend a little on the place, and on the content."""
    size = found.values.shape[-1]
    values = found.values * (1 + 0.03 * np.eye(size)) + 1e-6 * np.arange(size)
    return ContentTable(values, found.own)


def other_weights(found):
    """Make swaps with other weights."""
    return Swaps(found.positional, found.symbolic, found.weights**1.02)


def first_only(found):
    """Make both scores too small."""
    return Scores(0.98 * found.positional, 0.98 * found.symbolic)


def swapped_terms(found):
    """Exchange the two terms of an exclusion."""
    return Exclusion(found.variance, found.symbolic, found.positional, found.slack)


SABOTAGE = {
    "symbolic table": ("head.nope-symbolic", T, rows, "content_table", moved),
    "positional table": ("head.constant-key-positional", T, rows, "content_table", moved),
    "symbolic terms": ("head.nope-symbolic", T, behaviour, "exclusion_terms", swapped_terms),
    "symbolic score": ("head.nope-symbolic", T, behaviour, "swap_scores", first_only),
    "positional score": ("head.constant-key-positional", T, behaviour, "swap_scores", first_only),
    "variance": ("head.exclusion", T, exclusion, "exclusion_terms", but("variance", 1.02)),
    "positional": ("head.exclusion", T, exclusion, "exclusion_terms", but("positional", 0.98)),
    "symbolic": ("head.exclusion", T, exclusion, "exclusion_terms", but("symbolic", 0.98)),
    "slack": ("head.exclusion", T, exclusion, "exclusion_terms", but("slack", 1.02)),
    "robust": ("head.robust-exclusion", T, rows, "content_table", moved),
    "swaps": ("head.score-table", T, scores, "swaps", but("positional", 0.999)),
    "weights of swaps": ("head.score-table", T, scores, "swaps", other_weights),
    "scores": ("head.score-table", T, scores, "vector_scores", first_only),
    "angles": ("head.score-geometry", T, scores, "swap_angles", scaled(1.001)),
    "residual": ("head.score-geometry", T, scores, "geometry_residual", more(1e-9)),
    "imbalance": ("head.score-geometry", T, scores, "imbalance_bound", scaled(0.97)),
    "loose imbalance": ("head.score-geometry", T, scores, "imbalance_bound", scaled(1.03)),
    "index errs": (
        "head.symbolic-cannot-index",
        T,
        limits,
        "symbolic_counterexample",
        both_right,
    ),
    "retrieval errs": (
        "head.positional-cannot-retrieve",
        T,
        limits,
        "positional_counterexample",
        both_right,
    ),
    "symbolic head": ("head.nope-symbolic", W, head_constructed, "vector_scores", first_only),
    "positional head": (
        "head.constant-key-positional",
        W,
        head_constructed,
        "vector_scores",
        first_only,
    ),
    "retrieval head errs": (
        "head.symbolic-cannot-index",
        W,
        head_constructed,
        "symbolic_counterexample",
        both_right,
    ),
    "simple head errs": (
        "head.positional-cannot-retrieve",
        W,
        head_constructed,
        "positional_counterexample",
        both_right,
    ),
    "self": (
        "head.uniform-excludes-self",
        W,
        head_constructed,
        "uniform_but_self",
        weaker(0.97),
    ),
}
