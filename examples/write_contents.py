"""List the claims anew in `theory/topics/contents.py`: `python examples/write_contents.py`.

Run it when a claim is added, moved or renamed, or when a proof comes to use a claim that stood after
its own. What each module of a topic states decides; the table says where to find it. With `--check`
nothing is written and the exit status is 1 if the table is not what it would be.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from ropeproof.theory.annotations.roles import roles
from ropeproof.theory.joined import Joined
from ropeproof.theory.language.claim import catalogue
from ropeproof.theory.language.naming import ABBREVIATIONS
from ropeproof.theory.topics.contents import TOPIC_NAMES, package_of

PLACE = Path(__file__).resolve().parents[1] / "theory/topics/contents.py"
BEGIN = "# From here on written by `python examples/write_contents.py`.\n# fmt: off\n"


def stating(module: ModuleType) -> Iterator[ModuleType]:
    """The modules that state a topic's claims, in the topic's order."""
    parts = vars(module).get("__getattr__")
    if not isinstance(parts, Joined):
        yield module
        return
    for name in parts.modules:
        yield from stating(import_module(name))


def table() -> str:
    """The tables as Python text: claims in the order of the catalogue, and modules with names."""
    found = [
        (topic, module, claim)
        for topic in TOPIC_NAMES
        for module in stating(import_module(package_of(topic)))
        for claim in module.CLAIMS
    ]
    claims = catalogue(claim for _, _, claim in found)
    role = roles(claims)
    place = {c.id: (t, m.__name__.removeprefix("ropeproof.theory.")) for t, m, c in found}
    rows = (
        f'        "{id}": Listing("{place[id][0]}", "{place[id][1]}", "{role[id]}"),'
        for id in claims
    )
    named = {a.module for a in ABBREVIATIONS}
    opening = "CONTENTS: Mapping[str, Listing] = MappingProxyType(\n    {"
    return "\n".join(
        [
            opening,
            *rows,
            "    }\n)",
            '"""Every claim of the catalogue, each after those that it uses."""',
            "",
            "NAMING = (",
            *(f'    "{name.removeprefix("ropeproof.theory.")}",' for name in sorted(named)),
            ")",
            '"""The modules that give names to terms, by `ropeproof.theory.language.named`."""',
            "",
        ]
    )


def main() -> None:
    """Write the table, or say whether it is up to date."""
    text = PLACE.read_text(encoding="utf-8")
    wanted = text.split(BEGIN)[0] + BEGIN + table()
    if "--check" in sys.argv[1:]:
        raise SystemExit(text != wanted)
    PLACE.write_text(wanted, encoding="utf-8")
    print(f"{PLACE}: {wanted.count('Listing(')} claims")


if __name__ == "__main__":
    main()
