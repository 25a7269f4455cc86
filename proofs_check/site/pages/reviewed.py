"""The page of the review: which part of the formula carries each part of the prose."""

from __future__ import annotations

from collections.abc import Iterator

from ropeproof.proofs_check.site.markup.text import plain
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory.annotations.review import Part, review

__all__ = ["review_page"]


def review_page(site: Site) -> Iterator[str]:
    """The review as a table, with a line for each main result that has been reviewed."""
    yield "# Review: prose and formulas"
    yield ""
    yield "For each main result, part by part of its prose, the part of the conclusion (a), (b), ... or"
    yield "the hypothesis that carries it. *Remark* marks what the formula does not say. The labels are"
    yield "those of the claim's page and of `ropeproof show ID --statement`. Every hypothesis and every"
    yield "part of the conclusion stands in its line; a test compares the lines with the claims."
    yield ""
    yield "| claim | words of the statement: what carries them |"
    yield "| --- | --- |"
    for id, parts in review().items():
        if id in site.claims:
            yield f"| {site.link(id)} | {'<br>'.join(_part(site, p) for p in parts)} |"


def _part(site: Site, part: Part) -> str:
    words = part.words.replace("|", r"\|").replace("`", "")
    return f"`{words}`: {', '.join(_carrier(site, c) for c in part.carriers)}"


def _carrier(site: Site, carrier: str) -> str:
    kind, _, rest = carrier.partition(" ")
    if kind == "claim":
        return site.link(rest) if rest in site.claims else f"`{rest}`"
    if kind == "hypothesis":
        return f"hypothesis “{plain(rest)}”"
    return plain(carrier)
