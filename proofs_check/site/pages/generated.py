"""All generated pages: topics, claims, the tables over all of them, and the reference."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ropeproof.proofs_check.site import volume
from ropeproof.proofs_check.site.kept import Products
from ropeproof.proofs_check.site.markup import addresses
from ropeproof.proofs_check.site.markup.pictures_shown import DrawnPicture
from ropeproof.proofs_check.site.pages.catalogue import overview_page
from ropeproof.proofs_check.site.pages.claim_page import claim_page
from ropeproof.proofs_check.site.pages.graph import graph_page
from ropeproof.proofs_check.site.pages.papers import paper_pages, papers_page
from ropeproof.proofs_check.site.pages.printed import errata_page
from ropeproof.proofs_check.site.pages.reference import reference_pages
from ropeproof.proofs_check.site.pages.reviewed import review_page
from ropeproof.proofs_check.site.pages.rules import rules_page
from ropeproof.proofs_check.site.pages.topic_page import lemmas_of, lemmas_page, topic_page
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory.language.claim import Claim

__all__ = ["generated_pages"]


def generated_pages(
    site: Site,
    written: Mapping[str, str],
    pictures: Mapping[str, Sequence[DrawnPicture]],
    reference: bool,
    files: Collection[str],
    products: Products | None = None,
) -> Iterator[tuple[str, Iterable[str]]]:
    """The name and the lines of each generated page; claims' pages that `products` keep are not made anew."""
    for topic in site.by_topic:
        module = site.topics.get(topic)
        introduction = written.get(topic, (module.__doc__ if module else "") or "")
        yield (
            addresses.page_of(topic),
            topic_page(site, topic, introduction, pictures.get(topic, ())),
        )
        if not site.paper and lemmas_of(site, topic):
            yield addresses.lemmas_page_of(topic), lemmas_page(site, topic)
    yield "errata", errata_page(site)
    yield "rules", rules_page(site)
    if site.paper:
        yield "index", volume.contents([addresses.page_of(topic) for topic in site.by_topic])
        return
    for claim in site.claims.values():
        yield f"{addresses.FOLDER}/{addresses.file_of(claim.id)}", _kept(site, claim, products)
    yield "overview", overview_page(site)
    yield "graph", graph_page(site)
    yield "review", review_page(site)
    yield "papers", papers_page(site)
    yield from paper_pages(site, files)
    yield from reference_pages(brief=not reference)


def _kept(site: Site, claim: Claim, products: Products | None) -> Iterable[str]:
    """The lines of a claim's page, as they were kept if all that it shows is the same.

    It shows the sources, the verdict on the claim and the statuses of others.
    """
    verdict = site.verdicts.get(claim.id)
    if products is None or site.modules or (verdict and (verdict.coq or verdict.second)):
        return claim_page(site, claim)
    found: Any = None
    if verdict is not None:
        records = [{**asdict(r), "seconds": 0.0, "kept": False} for r in verdict.records]
        kills = [verdict.kills.tried, verdict.kills.killed]
        found = [verdict.status, records, verdict.axioms, kills, verdict.shortfalls]
    depends = ["claim", claim.id, products.everything, site.statuses_hash, found]

    def start() -> Callable[[], list[str]]:
        return lambda: list(claim_page(site, claim))

    def same(lines: list[str]) -> list[str]:
        return lines

    return products.begin(depends, start, same, same)()
