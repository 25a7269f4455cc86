"""Training keeps the keys rank one and blind to the token, so other prompts change nothing.

A token at position p of prompt P is the vector X(P, p, c) = u(c) + s(c) with s orthogonal to the
unit vector u, and s of mean 0 at every position. The key matrix W(tau, l, c) is trained in full.
"""

from __future__ import annotations

from ropeproof.theory.slash.descent.rank import ood, rank_one

__all__ = ["CLAIMS"]

CLAIMS = (*rank_one.CLAIMS, *ood.CLAIMS)
