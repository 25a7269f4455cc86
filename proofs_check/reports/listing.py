"""The entries of `ropeproof list` and `graph`, which need no run.

Building the catalogue's derivations takes many seconds. A list of titles needs none of them: the table of
contents has them (`titles`). What else an entry has is cached under a hash of the sources of `theory/`
and read back while these are unchanged. No status is cached here, and entries that cannot be read back
are built again.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

from ropeproof import __version__, theory
from ropeproof.proofs_check.run.cache.store import Store
from ropeproof.theory.annotations.roles import roles
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.language.claim import Claim, Source
from ropeproof.theory.topics.contents import CONTENTS

__all__ = [
    "ListedClaim",
    "ListedTitle",
    "chosen_entries",
    "claim_json",
    "entries",
    "graph_dot",
    "graph_json",
    "graph_mermaid",
    "listed_lines",
    "near",
    "roles_of",
    "select",
    "sources",
    "titles",
]

NARROWEST_TITLE = 30
"""The least width of a title in columns, beside an id on a narrow terminal."""
ROLE = len("main result")
"""The width of the column with a claim's role."""
OWN = "own"
"""The topic of the claims that a user's file registers."""


@dataclass(frozen=True)
class ListedClaim:
    """A claim's entry in a list: some fields of `Claim`, `needs` in order, topic and role."""

    id: str
    title: str
    kind: str
    source: Source
    uses: tuple[str, ...]
    repaired_by: str | None
    needs: tuple[str, ...]
    topic: str
    role: str


class ListedTitle(NamedTuple):
    """What a line of `ropeproof list` shows of a claim."""

    id: str
    role: str
    title: str


def titles() -> Mapping[str, ListedTitle]:
    """The lines of the catalogue by id, in order, from the table of contents alone."""
    return {id: ListedTitle(id, entry.role, entry.title) for id, entry in CONTENTS.items()}


def entries(modules: Sequence[str] = ()) -> Mapping[str, ListedClaim]:
    """The entries of the catalogue by id, in order, followed by those of the user's files.

    Raises the same errors as `ropeproof.proofs_check.run.library.load`, which reads the files.
    """
    if modules:
        from ropeproof.proofs_check.run.library import load

        return _listed(load(modules).claims)
    store = Store.of_user()
    if store is None:
        return _listed(_whole())
    name = sources()
    found = _read(store.read(name))
    if found is None:
        found = _listed(_whole())
        store.write(name, [asdict(entry) for entry in found.values()])
    return found


def chosen_entries(ids: Sequence[str]) -> Mapping[str, ListedClaim]:
    """The entries of some claims by id: read from their modules alone if nothing is cached."""
    store = Store.of_user()
    kept = _read(store.read(sources())) if store is not None else None
    if kept is not None:
        found: Mapping[str, ListedClaim] = kept
    elif len(ids) == len(CONTENTS):
        found = entries()
    else:
        from ropeproof.theory.topics.catalogue import CLAIMS

        found = _listed({id: CLAIMS[id] for id in ids})
    return {id: found[id] for id in ids}


def _whole() -> Mapping[str, Claim]:
    from ropeproof.theory.topics.catalogue import whole_catalogue

    return whole_catalogue()


def _listed(claims: Mapping[str, Claim]) -> dict[str, ListedClaim]:
    found = roles_of(claims)
    return {
        c.id: ListedClaim(
            c.id,
            c.title,
            c.kind,
            c.source,
            c.uses,
            c.repaired_by,
            tuple(sorted(c.needs)),
            CONTENTS[c.id].topic if c.id in CONTENTS else OWN,
            found[c.id],
        )
        for c in claims.values()
    }


def sources() -> str:
    """A hash of the sources of `theory/`, of this file and of the version."""
    ground = Path(theory.__file__).parent
    files = [Path(__file__), *sorted(ground.rglob("*.py"))]
    digest = hashlib.sha256(f"list of {__version__}".encode())
    for path in files:
        text = path.read_bytes()
        place = path.relative_to(ground).as_posix() if path.is_relative_to(ground) else path.name
        digest.update(f"\0{place}\0{len(text)}\0".encode() + text)
    return digest.hexdigest()


def _read(kept: Any) -> dict[str, ListedClaim] | None:
    """The entries read back from the cache, None if there are none."""
    if not kept:
        return None
    found = {}
    for fields in kept:
        lists = {name: tuple(fields[name]) for name in ("uses", "needs")}
        found[fields["id"]] = ListedClaim(
            **fields | lists | {"source": Source.of_data(fields["source"])}
        )
    return found


def roles_of(claims: Mapping[str, Claim]) -> Mapping[str, str]:
    """The role of each claim; a user's own claims do not turn the catalogue's into lemmas."""
    own = {id: claim for id, claim in claims.items() if id not in CONTENTS} if claims else {}
    return {**roles(own), **{id: listing.role for id, listing in CONTENTS.items()}}


def claim_json(claim: Claim | ListedClaim, role: str) -> dict[str, Any]:
    """The part of a claim's JSON entry that does not depend on a run."""
    return {
        "id": claim.id,
        "title": claim.title,
        "kind": claim.kind,
        "role": role,
        "source": {
            "paper": claim.source.paper,
            "locator": claim.source.locator,
            "fidelity": claim.source.fidelity,
            "compare": [
                {
                    "paper": c.paper,
                    "version": c.version,
                    "where_read": c.where_read,
                    "words": c.words,
                }
                for c in claim.source.compare
            ],
        },
        "uses": list(claim.uses),
        "repaired_by": claim.repaired_by,
    }


def listed_lines(
    claims: Sequence[ListedClaim | ListedTitle], width: int | None = None
) -> list[str]:
    """A line for each claim: id, role, title; a long title is wrapped if `width` requires it.

    Without a width the terminal's is used, or `COLUMNS`; in a pipe each claim is one line.
    """
    if width is None and (sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit()):
        from ropeproof.tools.console.terminal import console

        width = console().width
    names = max((len(c.id) for c in claims), default=0)
    if width is not None:
        names = min(names, max(width - NARROWEST_TITLE - ROLE - 4, 0))
    lines: list[str] = []
    for c in claims:
        start = f"{c.id:<{names}}  {c.role:<{ROLE}}  "
        title = (
            [c.title]
            if width is None
            else wrap(c.title, max(width - names - ROLE - 4, 1), break_on_hyphens=False)
        )
        if len(c.id) > names:  # a long id is a line of its own
            lines.append(f"{c.id}  {c.role}")
            start = " " * (names + ROLE + 4)
        lines += [start + title[0], *(" " * len(start) + line for line in title[1:])]
    return lines


def select(claims: Mapping[str, object], patterns: Iterable[str]) -> list[str]:
    """The ids that match any pattern, in catalogue order; all without patterns.

    One string is one pattern. Raises `InvalidArgument` for an id or glob that matches nothing.
    """
    patterns = [patterns] if isinstance(patterns, str) else list(patterns)
    for pattern in patterns:
        if not isinstance(pattern, str):
            raise InvalidArgument("id", pattern, "ids or globs as strings")
        if not any(fnmatchcase(id, pattern) for id in claims):
            raise InvalidArgument(
                "id", pattern, f"an id or glob that matches {near(claims, pattern)}"
            )
    return [id for id in claims if not patterns or any(fnmatchcase(id, p) for p in patterns)]


def near(claims: Mapping[str, object], pattern: str) -> str:
    """Ids similar to a wrong one, or with the same last part: `a claim, such as rope.band`."""
    close = get_close_matches(pattern, claims, n=3, cutoff=0.6)
    last = pattern.rpartition(".")[2]
    if "." in pattern:
        turned = ".".join(reversed(pattern.split(".")))
        close = [turned] * (turned in claims) + [id for id in close if id != turned]
    close += [id for id in claims if last and last in id.split(".") and id not in close][:3]
    return f"a claim, such as {', '.join(close)}" if close else "a claim"


def graph_json(claims: Iterable[ListedClaim]) -> dict[str, Any]:
    """The dependency graph as nodes and edges, from each claim to those that its proof uses."""
    listed = list(claims)
    return {
        "schema": 1,
        "nodes": [{"id": c.id, "title": c.title, "topic": c.topic, "role": c.role} for c in listed],
        "edges": [
            {"from": c.id, "to": u, "kind": kind}
            for c in listed
            for kind, others in (("uses", c.uses), ("repaired by", _repairs(c)))
            for u in others
        ],
    }


def _repairs(claim: ListedClaim) -> tuple[str, ...]:
    return (claim.repaired_by,) if claim.repaired_by else ()


def graph_mermaid(claims: Iterable[ListedClaim]) -> str:
    """The dependency graph as Mermaid text; a lemma's box is round."""
    data = graph_json(claims)
    names = {node["id"]: f"n{k}" for k, node in enumerate(data["nodes"])}
    lines = ["graph TD"]
    for node in data["nodes"]:
        box = '("{}")' if node["role"] == "lemma" else '["{}"]'
        lines.append(f"  {names[node['id']]}{box.format(node['id'])}")
    lines += [
        f"  {names[e['from']]} {'-.->' if e['kind'] == 'repaired by' else '-->'} {names[e['to']]}"
        for e in data["edges"]
        if e["to"] in names
    ]
    return "\n".join(lines)


def graph_dot(claims: Iterable[ListedClaim]) -> str:
    """The dependency graph as DOT text for Graphviz; a lemma's box is round."""
    data = graph_json(claims)
    lines = ["digraph claims {", "  rankdir=BT;", "  node [shape=box];"]
    for node in data["nodes"]:
        style = " [style=rounded]" if node["role"] == "lemma" else ""
        lines.append(f'  "{node["id"]}"{style};')
    lines += [f'  "{e["from"]}" -> "{e["to"]}";' for e in data["edges"]]
    return "\n".join([*lines, "}"])
