"""The first page: certain results, one sentence for each claim, beside one picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ropeproof.proofs_check.site.markup.pictures_shown import DrawnPicture
from ropeproof.proofs_check.site.markup.text import badge
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory.errors import InvalidArgument

__all__ = ["KNOWN", "MARK", "PICTURE", "with_known"]

MARK = "<!-- what is known -->"
"""The line of the written page that the sentences and the picture replace."""

KNOWN: Mapping[str, str] = {
    "rope.relative": "RoPE's logits depend on positions through their distance alone.",
    "slash.head": "Queries and keys near one direction, with the right frequencies, make a head that attends "
    "a fixed distance back on every prompt: a slash head.",
    "slash.low-only": "Low frequencies alone cannot pick out one distance sharply among nearer and farther "
    "ones.",
    "slash.gd.head": "Gradient descent on keys from zero makes such a head, at a proved rate, and it works "
    "on unseen tokens.",
    "head.exclusion": "No head goes by position alone and by symbol alone at once, unless its logits are "
    "constant.",
    "head.symbolic-cannot-index": "A head that goes by symbols alone cannot pick the token a given number of "
    "places back.",
    "separation.discrepancy": "With one rotated pair of coordinates the target's logit leads by order n⁻² at "
    "most among n positions; among unrotated symbols by a constant.",
    "index.temperature": "To find each of n positions, such a pair needs logits scaled up by order n² (an "
    "inverse temperature).",
    "retrieval.temperature": "To find a symbol, a pair that does not turn needs logits scaled up by order "
    "ln n only.",
    "task.compose-retrieval-chain": "Stacked heads that look up a symbol follow a chain from symbol to "
    "symbol if it is unique, whatever stands beside it.",
    "posgen.anova": "Where content varies alike in all directions, how much of a logit is distance plus "
    "content has an exact formula: fast pairs spoil it.",
}
"""Eleven sentences by claim id; each claim must be proved."""

PICTURE = "retrieval-separation"
"""The picture beside the sentences, one of those on a topic's page."""

_CAPTION = (
    "The factor by which logits must be scaled up to find a position, and to find a symbol, computed by the "
    "code that the claims are tested with."
)


def with_known(site: Site, written: str, pictures: Sequence[DrawnPicture]) -> str:
    """The written first page with the certain results in place of its mark.

    A build without the picture leaves it out. Raises `InvalidArgument` unless the mark is
    on exactly one line of the page.
    """
    lines = written.splitlines()
    if lines.count(MARK) != 1:
        raise InvalidArgument("pages", "index.md", f"one line {MARK}")
    place = lines.index(MARK)
    return "\n".join([*lines[:place], *_known(site, pictures), *lines[place + 1 :], ""])


def _known(site: Site, pictures: Sequence[DrawnPicture]) -> Iterator[str]:
    known = {id: sentence for id, sentence in KNOWN.items() if id in site.claims}
    statuses = {id: site.status(id) for id in known}
    proved = sum(status == "proved" for status in statuses.values())
    yield '<div class="first">'
    yield '<div class="known">'
    yield ""
    yield f"**Known for certain**, {proved} of {len(known)} [proved](trust.md) in this build:"
    yield ""
    for id, sentence in known.items():
        shown = "" if statuses[id] == "proved" else f" {badge(statuses[id])}"
        yield f"1. [{sentence}]({site.target(id)}){shown}"
    yield ""
    yield "</div>"
    yield '<div class="seen">'
    yield ""
    for picture in pictures:
        if picture.stem == PICTURE:
            for variant in ("light", "dark"):
                yield f"```{{figure}} pictures/{picture.stem}-{variant}.svg"
                yield f":alt: {' '.join(picture.alt.split())}"
                yield f":figclass: only-{variant}"
                yield ""
                yield _CAPTION
                yield "```"
                yield ""
    yield "</div>"
    yield "</div>"
