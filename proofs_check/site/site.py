"""The data of one build: the claims, their verdicts, and where each claim is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from types import ModuleType

from ropeproof.proofs_check.present import Statement
from ropeproof.proofs_check.present.claim_view import ShownClaim
from ropeproof.proofs_check.present.statement import with_needs
from ropeproof.proofs_check.reports.listing import roles_of
from ropeproof.proofs_check.run.needs import needs_of
from ropeproof.proofs_check.run.runner import ClaimResult
from ropeproof.proofs_check.site.markup import addresses
from ropeproof.proofs_check.site.markup.titles import set_title
from ropeproof.proofs_check.site.sources import ClaimPlaces, Place
from ropeproof.theory.annotations.roles import HEADINGS
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.lazy_topics import claims_of
from ropeproof.theory.topics.catalogue import TOPICS

__all__ = ["OWN", "Site", "in_latex"]

OWN = "own"
"""The page of the claims that a user's own file registers."""

_TITLES = {
    "posgen": "Position generalisation",
    "conform": "When is an implementation RoPE?",
    OWN: "Claims of your own",
}
_GREEK = {
    **{"γ": "gamma", "ε": "varepsilon", "η": "eta", "θ": "theta", "λ": "lambda"},
    **{"μ": "mu", "π": "pi", "τ": "tau", "Σ": "Sigma"},
}
_IN_LATEX = {letter: rf"$\{name}$" for letter, name in _GREEK.items()} | {
    **{"²": "$^2$", "⁻": "$^-$", "ᵈ": "$^d$", "−": "$-$"},
    **{"₀": "$_0$", "₁": "$_1$", "₅": "$_5$", "₉": "$_9$"},
}
_TO_CLAIM = re.compile(rf"\]\((?:(?:[\w-]+\.md)?#([\w-]+)|{addresses.FOLDER}/([\w.=-]+)\.md)\)")


def in_latex(letter: str) -> str:
    """A letter of a title as LaTeX, with Greek letters and exponents as mathematics."""
    return _IN_LATEX.get(letter, letter)


@dataclass(frozen=True)
class Site:
    """The claims of a catalogue with the verdicts of a run; a claim that was not run has none.

    `paper` is true for the one volume in LaTeX, which has no code pages to link to.
    """

    claims: Mapping[str, Claim]
    verdicts: Mapping[str, ClaimResult]
    paper: bool = False
    modules: tuple[str, ...] = ()
    topics: Mapping[str, ModuleType] = field(default_factory=lambda: TOPICS)
    _shown: dict[str, ShownClaim] = field(default_factory=dict, init=False, repr=False)

    def shown(self, claim: Claim) -> ShownClaim:
        """The claim's formulas as they are shown, cached."""
        if claim.id not in self._shown:
            self._shown[claim.id] = ShownClaim(claim)
        return self._shown[claim.id]

    def stated(self, claim: Claim) -> Statement:
        """The claim's statement as it is shown, with what this build knows of the need of hypotheses."""
        verdict = self.verdicts.get(claim.id)
        needs = needs_of(claim, verdict.records if verdict is not None else ())
        return with_needs(self.shown(claim).statement, claim, needs)

    @cached_property
    def topic_of(self) -> Mapping[str, str]:
        """The topic of each claim; `own` for a user's claims."""
        known = {
            claim.id: name for name, module in self.topics.items() for claim in claims_of(module)
        }
        return {id: known.get(id, OWN) for id in self.claims}

    @cached_property
    def by_topic(self) -> Mapping[str, tuple[Claim, ...]]:
        """The claims of each topic's page, in the order of the topic's module."""
        found: dict[str, tuple[Claim, ...]] = {
            name: tuple(self.claims[c.id] for c in claims_of(module) if c.id in self.claims)
            for name, module in self.topics.items()
        }
        own = tuple(self.claims[id] for id, topic in self.topic_of.items() if topic == OWN)
        return found | ({OWN: own} if own else {})

    @cached_property
    def number_of(self) -> Mapping[str, str]:
        """The number of each claim: its topic's number and its place there."""
        return {
            claim.id: f"{chapter}.{place}"
            for chapter, claims in enumerate(self.by_topic.values(), 1)
            for place, claim in enumerate(claims, 1)
        }

    @cached_property
    def roles(self) -> Mapping[str, str]:
        """The role of each claim: a main result, a lemma, or its kind."""
        return roles_of(self.claims)

    @cached_property
    def used_by(self) -> Mapping[str, tuple[str, ...]]:
        """The claims whose proofs use each claim."""
        users: dict[str, list[str]] = {id: [] for id in self.claims}
        for claim in self.claims.values():
            for used in claim.uses:
                users[used].append(claim.id)
        return {id: tuple(ids) for id, ids in users.items()}

    @cached_property
    def repairs(self) -> Mapping[str, tuple[str, ...]]:
        """The printed statements that each claim repairs."""
        found: dict[str, list[str]] = {}
        for claim in self.claims.values():
            if claim.repaired_by:
                found.setdefault(claim.repaired_by, []).append(claim.id)
        return {id: tuple(ids) for id, ids in found.items()}

    @cached_property
    def falls_with(self) -> Mapping[str, tuple[str, ...]]:
        """The claims that would fall with each claim: all that use it, directly or not."""
        found: dict[str, dict[str, None]] = {}
        for id in reversed(list(self.claims)):  # each claim comes after what it uses
            above: dict[str, None] = {}
            for user in self.used_by[id]:
                above[user] = None
                above.update(found[user])
            found[id] = above
        return {id: tuple(other for other in self.claims if other in found[id]) for id in found}

    @cached_property
    def sources(self) -> ClaimPlaces:
        """The places in the code of claims, evidence and constructions."""
        return ClaimPlaces(self.claims, self.modules)

    def title(self, claim: Claim) -> str:
        """A claim's title in Markdown, with its formulas set as formulas."""
        return set_title(claim.title)

    def topic_title(self, topic: str) -> str:
        """The title of a topic's page."""
        return _TITLES.get(topic, topic.capitalize())

    def word(self, claim: Claim) -> str:
        """The word before a claim's number, such as "Theorem"."""
        return HEADINGS[self.roles[claim.id]]

    def status(self, id: str) -> str:
        """The computed status of a claim, or `not run`."""
        return self.verdicts[id].status if id in self.verdicts else "not run"

    @cached_property
    def statuses_hash(self) -> str:
        """The hash of the ids and the statuses of all claims."""
        told = "\n".join(f"{id} {self.status(id)}" for id in self.claims)
        return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()

    def href(self, id: str) -> str:
        """The address of a claim's page, relative to the root of the site; it never changes."""
        return f"{addresses.FOLDER}/{addresses.file_of(id)}.html"

    def target(self, id: str) -> str:
        """The target of a Markdown link to a claim.

        On the site that is the claim's own page, in the volume its place in the chapter of its topic.
        """
        if self.paper:
            return f"{addresses.page_of(self.topic_of[id])}.md#{self.anchors[id]}"
        return f"{addresses.FOLDER}/{addresses.file_of(id)}.md"

    def link(self, id: str) -> str:
        """A claim's id as a link, in Markdown."""
        return f"[`{id}`]({self.target(id)})"

    def placed(self, text: str) -> str:
        """Markdown with its links to claims, by page or anchor, changed to where each is shown now.

        >>> from ropeproof.theory import CLAIMS
        >>> Site(CLAIMS, {}).placed("[normal](#rope-group), [lag](claims/rope.relative.md)")
        '[normal](claims/rope.group.md), [lag](claims/rope.relative.md)'
        """

        def link(found: re.Match[str]) -> str:
            id = self._by_anchor.get(found[1]) if found[1] else self.by_file.get(found[2])
            return f"]({self.target(id)})" if id else found[0]

        return _TO_CLAIM.sub(link, text)

    @cached_property
    def anchors(self) -> Mapping[str, str]:
        """The anchor of each claim in its topic's list, where the whole claim once stood.

        If two ids have the same anchor, such as `own.a-b` and `own.a.b`, the second ends with a hash.
        """
        found: dict[str, str] = {}
        for id in self.claims:
            anchor, hashed = (
                addresses.anchor_of(id),
                sha256(id.encode("utf-8", "surrogatepass")).hexdigest(),
            )
            found[id] = f"{anchor}.{hashed[:8]}" if anchor in found.values() else anchor
        return found

    @cached_property
    def _by_anchor(self) -> Mapping[str, str]:
        return {anchor: id for id, anchor in self.anchors.items()}

    @cached_property
    def by_file(self) -> Mapping[str, str]:
        """The id of each claim, by the name of its page."""
        return {addresses.file_of(id): id for id in self.claims}

    def links(self, ids: Iterable[str], none: str) -> str:
        """The ids as links, or the text `none` if there are none."""
        return ", ".join(map(self.link, ids)) or none

    def code(self, place: Place) -> str:
        """A place in the code as a link to its source page; plain text in the volume."""
        if self.paper:
            return f"`{place.file}` line {place.line}"
        return f'<a href="{place.href}"><code>{place.file}:{place.line}</code></a>'

    @property
    def failing(self) -> tuple[ClaimResult, ...]:
        """The verdicts that are not as expected."""
        return tuple(v for v in self.verdicts.values() if v.shortfalls)
