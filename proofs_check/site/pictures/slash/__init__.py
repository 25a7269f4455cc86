"""Pictures of slash heads: attention maps, the game, bounds on prompts, the null, descent."""

from __future__ import annotations

from collections.abc import Iterator

from ropeproof.proofs_check.site.pictures.slash.descent import training
from ropeproof.proofs_check.site.pictures.slash.game import spectrum, values
from ropeproof.proofs_check.site.pictures.slash.maps import maps
from ropeproof.proofs_check.site.pictures.slash.prompts import null, sandwiched
from ropeproof.proofs_check.site.pictures.style import Drawing

__all__ = ["pictures"]


def pictures() -> Iterator[Drawing]:
    """The pictures, from what a slash head looks like to how gradient descent makes one."""
    yield maps()
    yield spectrum()
    yield values()
    yield sandwiched()
    yield null()
    yield training()
