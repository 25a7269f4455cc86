"""Whether the proofs of the catalogue hold, from its files as they are now: `python -m ... ID ...`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ropeproof.proofs_check.authoring.session import Session
from ropeproof.theory import CLAIMS

__all__ = ["failing"]


def failing(ids: Sequence[str]) -> dict[str, str]:
    """The claims whose proofs do not hold, each with what is wrong."""
    session, found = Session(), {}
    for id in ids:
        if not (tried := session.claim(CLAIMS[id], CLAIMS.__getitem__)).holds:
            refused = [f"step {s.number} is refused" for s in tried.steps if s.refusal]
            found[id] = "; ".join([*refused, *tried.remarks])
    return found


if __name__ == "__main__":
    for name, wrong in failing(sys.argv[1:]).items():
        print(f"{name}\t{wrong}")
