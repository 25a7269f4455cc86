"""What the pages of one build know: the claims, how they came out, and where each is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType

from ropeproof.proofs_check.docs.sources import Place, Sources
from ropeproof.proofs_check.docs.text import plain
from ropeproof.proofs_check.listing import roles_of
from ropeproof.proofs_check.naming import Named, named
from ropeproof.proofs_check.runner import Verdict
from ropeproof.theory.claim import Claim
from ropeproof.theory.topics import TOPICS

__all__ = ["OWN", "Site", "anchor_of", "page_of"]

OWN = "own"
"""The page of the claims that a user's own file registers."""

_ROOT = "index"
_GREEK = {
    **{"γ": "gamma", "ε": "varepsilon", "η": "eta", "θ": "theta", "λ": "lambda"},
    **{"μ": "mu", "π": "pi", "τ": "tau", "Σ": "Sigma"},
}
_IN_LATEX = {letter: rf"$\{name}$" for letter, name in _GREEK.items()} | {
    **{"²": "$^2$", "⁻": "$^-$", "ᵈ": "$^d$", "−": "$-$"},
    **{"₀": "$_0$", "₁": "$_1$", "₅": "$_5$", "₉": "$_9$"},
}
_WORDS = {
    "main result": "Theorem",
    "lemma": "Lemma",
    "definition": "Definition",
    "printed": "Printed statement",
    "conjecture": "Conjecture",
}


def page_of(topic: str) -> str:
    """The name of a topic's page: the topic's own, but `index-heads` where Sphinx's root is.

    >>> page_of("slash"), page_of("index")
    ('slash', 'index-heads')
    """
    return f"{topic}-heads" if topic == _ROOT else topic


def anchor_of(id: str) -> str:
    """The anchor of a claim on its page: the id, with dashes for dots.

    >>> anchor_of("slash.gd.rate-sharp")
    'slash-gd-rate-sharp'
    """
    return id.replace(".", "-")


@dataclass(frozen=True)
class Site:
    """The claims of a catalogue with the verdicts of a run; a claim not run has none.

    `paper` is true for the one volume in LaTeX, which has no code pages to link to.
    """

    claims: Mapping[str, Claim]
    verdicts: Mapping[str, Verdict]
    paper: bool = False
    modules: tuple[str, ...] = ()
    topics: Mapping[str, ModuleType] = field(default_factory=lambda: TOPICS)
    _names: dict[str, Named] = field(default_factory=dict, init=False, repr=False)

    def named(self, claim: Claim) -> Named:
        """The names by which the claim's terms are shown."""
        if claim.id not in self._names:
            self._names[claim.id] = named(claim)
        return self._names[claim.id]

    @cached_property
    def topic_of(self) -> Mapping[str, str]:
        """The topic of each claim; `own` for a user's."""
        known = {claim.id: name for name, module in self.topics.items() for claim in module.CLAIMS}
        return {id: known.get(id, OWN) for id in self.claims}

    @cached_property
    def by_topic(self) -> Mapping[str, tuple[Claim, ...]]:
        """The claims of each page, in the order of their module."""
        found: dict[str, tuple[Claim, ...]] = {
            name: tuple(self.claims[c.id] for c in module.CLAIMS if c.id in self.claims)
            for name, module in self.topics.items()
        }
        own = tuple(self.claims[id] for id, topic in self.topic_of.items() if topic == OWN)
        return found | ({OWN: own} if own else {})

    @cached_property
    def number_of(self) -> Mapping[str, str]:
        """The number of each claim: its topic's, and its place there."""
        return {
            claim.id: f"{chapter}.{place}"
            for chapter, claims in enumerate(self.by_topic.values(), 1)
            for place, claim in enumerate(claims, 1)
        }

    @cached_property
    def roles(self) -> Mapping[str, str]:
        """What each claim is for the reader: a main result, a lemma, or its kind."""
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
    def sources(self) -> Sources:
        """Where claims, evidence and constructions are written."""
        return Sources(self.claims, self.modules)

    def title(self, claim: Claim) -> str:
        """A claim's title in Markdown; for LaTeX its letters and exponents as mathematics."""
        shown = plain(claim.title)
        return "".join(_IN_LATEX.get(c, c) for c in shown) if self.paper else shown

    def word(self, claim: Claim) -> str:
        """What a claim is called before its number."""
        return _WORDS[self.roles[claim.id]]

    def status(self, id: str) -> str:
        """The computed status of a claim, or `not run`."""
        return self.verdicts[id].status if id in self.verdicts else "not run"

    def href(self, id: str) -> str:
        """The address of a claim, relative to the root of the site."""
        return f"{page_of(self.topic_of[id])}.html#{anchor_of(id)}"

    def link(self, id: str) -> str:
        """A claim's id as a link, in Markdown."""
        return f"[`{id}`]({page_of(self.topic_of[id])}.md#{anchor_of(id)})"

    def placed(self, text: str) -> str:
        """Markdown whose links to claims lead to the page on which each claim is shown now.

        >>> from ropeproof.theory import CLAIMS
        >>> Site(CLAIMS, {}).placed("[normal](#rope-group)")
        '[normal](rope.md#rope-group)'
        """

        def link(found: re.Match[str]) -> str:
            id = self._by_anchor.get(found[1])
            return f"]({page_of(self.topic_of[id])}.md#{found[1]})" if id else found[0]

        return re.sub(r"\]\((?:[\w-]+\.md)?#([\w-]+)\)", link, text)

    @cached_property
    def _by_anchor(self) -> Mapping[str, str]:
        return {anchor_of(id): id for id in self.claims}

    def links(self, ids: Iterable[str], none: str) -> str:
        """Several ids as links, or a word for none."""
        return ", ".join(map(self.link, ids)) or none

    def code(self, place: Place) -> str:
        """A place in the code as a link to the page of its source; plain text on paper."""
        if self.paper:
            return f"`{place.file}` line {place.line}"
        return f'<a href="{place.href}"><code>{place.file}:{place.line}</code></a>'

    @property
    def failing(self) -> tuple[Verdict, ...]:
        """The verdicts that are not as expected."""
        return tuple(v for v in self.verdicts.values() if v.shortfalls)
