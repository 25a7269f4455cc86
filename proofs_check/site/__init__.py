"""The derivation site: pages generated from the catalogue and a run of the checker.

A page shows exactly what was checked: statements, hypotheses and steps are the very objects
that the kernel read, and a status is shown only as a run computed it.
"""

from __future__ import annotations

from ropeproof.proofs_check.site.build import Built, build
from ropeproof.proofs_check.site.markup.addresses import anchor_of, file_of, page_of
from ropeproof.proofs_check.site.site import Site

__all__ = ["Built", "Site", "anchor_of", "build", "file_of", "page_of"]
