"""Write the certificates of claims for Coq: `python maintenance/write_coq_certificates.py 'softmax.*'`.

A certificate is kept for each arithmetical goal for which the search took at least `SECONDS` of a core: the
exporter then takes the script from it and does not search. All certificates of the claims named are written
anew; those that still answer a question stay as they are, unless `--anew` is given. For each claim its steps,
its certificates and the finer steps in them are printed. No Coq is asked here: what a certificate is worth is
said by `ropeproof export ID --coq DIR --check`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from contextlib import nullcontext
from fnmatch import fnmatchcase
from typing import Any

from ropeproof import CLAIMS
from ropeproof.proofs_check.recheck.coq.arithmetic import certificates, closing
from ropeproof.proofs_check.recheck.coq.export import exported
from ropeproof.tools.console.progress import working

SECONDS = 0.2


def made(id: str) -> tuple[int, dict[str, str | None]]:
    """The number of the claim's steps, and its certificates by the hash of their question."""
    found: dict[str, str | None] = {}

    def hear(question: str, script: str | None, seconds: float | None) -> None:
        if seconds is None or seconds >= SECONDS:
            found[certificates.hash_of(question)] = script

    closing.forget()
    token = closing.LISTENERS.set((hear,))
    try:
        steps = len(exported(CLAIMS[id], CLAIMS.__getitem__, alone=True).steps)
    finally:
        closing.LISTENERS.reset(token)
    return steps, found


def finer(scripts: Iterable[str | None]) -> int:
    """How many facts the scripts name on the way to their goals."""
    return sum(script.count("assert (") for script in scripts if script)


def write(topic: str, found: dict[str, dict[str, str | None]]) -> None:
    """Put the certificates of the claims in place of those that the topic's file has of them."""
    path = certificates.FOLDER / f"{topic}.json"
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    kept = {id: of for id, of in kept.items() if id in CLAIMS} | found
    kept = {id: kept[id] for id in sorted(kept) if kept[id]}
    certificates.FOLDER.mkdir(exist_ok=True)
    if kept:
        text = json.dumps(kept, indent=1, sort_keys=True, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")
    else:
        path.unlink(missing_ok=True)


def main() -> None:
    """Write the certificates of the claims that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("patterns", nargs="+", metavar="ID|GLOB")
    parser.add_argument(
        "--anew", action="store_true", help="search also where a certificate is kept"
    )
    options = parser.parse_args()
    ids = [
        id
        for id in CLAIMS
        if any(fnmatchcase(id, p) for p in options.patterns) and CLAIMS[id].derivation is not None
    ]
    searching = certificates.without_certificates() if options.anew else nullcontext()
    with working("certificates") as progress, searching:
        for number, id in enumerate(ids):
            progress.show(id, number, len(ids))
            steps, found = made(id)
            write(id.split(".")[0], {id: found})
            vain = sum(script is None for script in found.values())
            print(
                f"{id}: {steps} steps, {len(found)} certificates with {finer(found.values())} finer steps"
                + (f", {vain} of a search in vain" if vain else "")
            )


if __name__ == "__main__":
    main()
