"""What a claim states: its prose, and beside it the hypotheses and the conclusion that are checked."""

from __future__ import annotations

from collections.abc import Iterator

from ropeproof.proofs_check.docs import formulas
from ropeproof.proofs_check.docs.site import Site
from ropeproof.proofs_check.docs.steps import formula_after
from ropeproof.proofs_check.docs.text import display, plain
from ropeproof.theory.claim import Claim

__all__ = ["formal", "side_by_side"]

_HALF = 46.0
"""Characters of a line of a formula that stands beside the prose."""


def side_by_side(site: Site, claim: Claim) -> Iterator[str]:
    """The prose and the formal statement in two columns; on a narrow window one stands below the other."""
    status = site.status(claim.id).replace(" ", "-")
    bare = "" if claim.conclusion is not None or claim.hypotheses else " alone"
    yield f'<div class="stated{bare}">'
    yield f'<section class="claim claim-{status}" aria-label="In words">'
    yield ""
    yield claim.statement
    yield ""
    yield "</section>"
    if not bare:
        yield '<section class="formal" aria-label="As it is checked">'
        yield from formal(site, claim, _HALF)
        yield "</section>"
    yield "</div>"
    yield ""


def formal(site: Site, claim: Claim, line: float = formulas.LINE) -> Iterator[str]:
    """The hypotheses and the conclusion."""
    shown = site.named(claim)
    if claim.hypotheses:
        yield ""
        yield "**Hypotheses**"
        yield ""
    for hypothesis in claim.hypotheses:
        note = "needed"
        if hypothesis.idle:
            note = f"not needed: {plain(hypothesis.idle)}"
        elif hypothesis.unshown:
            note = f"needed, not shown: {plain(hypothesis.unshown)}"
        words = f"- *{plain(hypothesis.name)}* ({note}): "
        yield from formula_after(words, shown(hypothesis.formula), line)
    if claim.conclusion is not None:
        yield ""
        yield "**Conclusion**"
        yield from display(shown(claim.conclusion), line)
    yield ""
