"""A cached index of the catalogue, enough to report verdicts without building a single formula."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from ropeproof.proofs_check.run.items import Item
from ropeproof.proofs_check.run.library import load
from ropeproof.theory.language.claim import Claim, Source

__all__ = ["Card", "Index", "read", "written"]

_CARD = {"id", "title", "kind", "source", "uses", "needs", "repaired_by", "items"}


@dataclass(frozen=True)
class Card:
    """The parts of a claim that a report shows; any other attribute builds the claim and reads it there."""

    id: str
    title: str
    kind: str
    source: Source
    uses: tuple[str, ...]
    needs: frozenset[str]
    repaired_by: str | None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(load().claims[self.id], name)


@dataclass(frozen=True)
class Index:
    """Claims in catalogue order, the items of each, and the name under which each item's result is cached.

    An item without a name is not cached.
    """

    claims: Mapping[str, Claim]
    items: Mapping[str, Sequence[Item]]
    names: Mapping[Item, str]


def written(index: Index) -> list[dict[str, Any]]:
    """An index as a JSON value."""
    return [
        {
            "id": c.id,
            "title": c.title,
            "kind": c.kind,
            "source": asdict(c.source),
            "uses": list(c.uses),
            "needs": sorted(c.needs),
            "repaired_by": c.repaired_by,
            "items": [[i.kind, i.name, index.names.get(i)] for i in index.items[c.id]],
        }
        for c in index.claims.values()
    ]


def read(content: Any) -> Index | None:
    """The index of a JSON value; None if the value has another form."""
    claims: dict[str, Claim] = {}
    items: dict[str, list[Item]] = {}
    names: dict[Item, str] = {}
    try:
        for entry in content:
            if set(entry) != _CARD:
                return None
            card = Card(
                _text(entry["id"]),
                _text(entry["title"]),
                _text(entry["kind"]),
                Source.of_data(entry["source"]),
                tuple(map(_text, entry["uses"])),
                frozenset(map(_text, entry["needs"])),
                None if entry["repaired_by"] is None else _text(entry["repaired_by"]),
            )
            claims[card.id] = cast(Claim, card)
            items[card.id] = []
            for kind, name, kept_as in entry["items"]:
                item = Item(card.id, _text(kind), _text(name))
                items[card.id].append(item)
                if kept_as is not None:
                    names[item] = _text(kept_as)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    known = all(used in claims for card in claims.values() for used in card.uses)
    return Index(claims, items, names) if claims and known else None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value
