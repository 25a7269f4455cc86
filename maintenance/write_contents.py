"""List the claims anew in `theory/topics/contents.py`: `python maintenance/write_contents.py`.

Run it when a claim is added, moved or renamed, or when a proof comes to use a claim that stood after
its own. What each module of a topic states decides; the table says where to find it. The statements
are recorded beside it, in `theory/annotations/history/statements.txt`: one that changed needs a line in
`changes.txt` there, and is refused with exit status 1 without. `--same ID ...` names claims whose formula
is written in another way and says the same. With `--check` nothing is written and the exit status is 1 if
a file is not what it would be.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from ropeproof.theory.annotations.history import statements
from ropeproof.theory.annotations.roles import roles
from ropeproof.theory.language.claim import Claim, catalogue, stated_by
from ropeproof.theory.language.naming import ABBREVIATIONS
from ropeproof.theory.lazy_topics import LazyTopic
from ropeproof.theory.topics.contents import TOPIC_NAMES, package_of

PLACE = Path(__file__).resolve().parents[1] / "theory/topics/contents.py"
BEGIN = "# From here on written by `python maintenance/write_contents.py`.\n# fmt: off\n"


def stating(module: ModuleType) -> Iterator[ModuleType]:
    """Yield the modules that state a topic's claims, in the topic's order."""
    parts = vars(module).get("__getattr__")
    if not isinstance(parts, LazyTopic):
        yield module
        return
    for name in parts.modules:
        yield from stating(import_module(name))


def stated() -> list[tuple[str, ModuleType, Claim]]:
    """Each claim with its topic and the module that states it, topic by topic."""
    return [
        (topic, module, claim)
        for topic in TOPIC_NAMES
        for module in stating(import_module(package_of(topic)))
        for claim in stated_by(module)
    ]


def table() -> str:
    """The table of contents as Python text: an entry for each claim, in the order of the catalogue."""
    found = stated()
    claims = catalogue(claim for _, _, claim in found)
    role = roles(claims)
    place = {c.id: (t, m.__name__.removeprefix("ropeproof.theory.")) for t, m, c in found}
    rows = (
        f'        "{id}": Listing(\n'
        f'            "{place[id][0]}", "{place[id][1]}", "{role[id]}",\n'
        f"            {claims[id].title!r},\n        ),"
        for id in claims
    )
    opening = "CONTENTS: Mapping[str, Listing] = MappingProxyType(\n    {"
    return "\n".join(
        [
            opening,
            *rows,
            "    }\n)",
            '"""Every claim of the catalogue, each after those that it uses."""',
            "",
            "NAMING: Mapping[str, tuple[str, ...]] = MappingProxyType(\n    {",
            *(f'        "{name}": {needs!r},' for name, needs in sorted(naming().items())),
            "    }\n)",
            '"""The modules that give names to terms, and what such terms have: `Abbreviation.needs`."""',
            "",
        ]
    )


def naming() -> dict[str, tuple[str, ...]]:
    """The needs of each module's names, as strings, without those that include another of the module."""
    found: dict[str, set[frozenset[str]]] = {}
    for a in ABBREVIATIONS:
        found.setdefault(a.module.removeprefix("ropeproof.theory."), set()).add(a.needs)
    return {
        module: tuple(sorted(" ".join(sorted(n)) for n in all_ if not any(o < n for o in all_)))
        for module, all_ in found.items()
    }


def main() -> None:
    """Write both files, or check whether they are up to date."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--same", nargs="*", default=[], metavar="ID", help="says what it said")
    given = parser.parse_args()
    text = PLACE.read_text(encoding="utf-8")
    wanted = text.split(BEGIN)[0] + BEGIN + table()
    record, refused = statements.renewed((claim for _, _, claim in stated()), same=given.same)
    recorded = statements.written(record)
    for id in refused:
        print(
            f"{id} states something else than was recorded: add a line to "
            "theory/annotations/history/changes.txt (or pass --same, if only its form changed)"
        )
    if given.check:
        place = statements.PLACE
        kept = place.read_text(encoding="utf-8") if place.is_file() else ""
        raise SystemExit(bool(refused) or text != wanted or kept != recorded)
    PLACE.write_text(wanted, encoding="utf-8")
    statements.PLACE.write_text(recorded, encoding="utf-8")
    print(f"{PLACE}: {len(stated())} claims")
    raise SystemExit(bool(refused))


if __name__ == "__main__":
    main()
