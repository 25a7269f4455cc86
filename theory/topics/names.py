"""The names by which the catalogue's terms are shown."""

from __future__ import annotations

from ropeproof.theory.language.logic import real_function
from ropeproof.theory.language.naming import Notation
from ropeproof.theory.language.notation import l, logit, t
from ropeproof.theory.topics.slash.ceiling.aligned_head import energy
from ropeproof.theory.topics.slash.descent.notation import row_loss
from ropeproof.theory.topics.slash.sandwich.cluster import spread

__all__ = ["NAMES"]

NAMES: tuple[Notation, ...] = (
    Notation("g(t)", logit, "g({})", "g({})", "the logit at lag t", t, letters=("g",)),
    Notation(
        "E_t",
        energy,
        "E_{{{}}}",
        "E({})",
        "the fall of an aligned head at lag t",
        t,
        letters=("E",),
    ),
    Notation(
        "eta", spread, r"\eta", "eta", "how far a logit lies from the mean head's", letters=("eta",)
    ),
    Notation(
        "ell_i(a)",
        row_loss,
        r"\ell_{{i}}({})",
        "ell[i]({})",
        "the loss of row i of a head with the key vector a",
        (real_function("a_x")(l), real_function("a_y")(l)),
        of_vector=True,
        letters=("ell",),
    ),
)
"""Earlier entries are tried first."""
