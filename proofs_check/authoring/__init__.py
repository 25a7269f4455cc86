"""Help with proofs while they are written: every refused step with reasons and remedies.

Nothing here is trusted and no status rests on it: the kernel checks each step, and a cached
step only saves its check at the next try.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ropeproof.proofs_check.authoring.trial import ProofTrial, try_claims, try_file

__all__ = ["ProofTrial", "try_claims", "try_file"]


def __getattr__(name: str) -> Any:
    """Load the code that tries proofs on first use, since a search does not need it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("ropeproof.proofs_check.authoring.trial"), name)
