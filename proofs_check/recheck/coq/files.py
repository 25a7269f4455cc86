"""Claims as files of a Coq project: the library, the claims in order, and a `Makefile`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path

from ropeproof.proofs_check.recheck.coq.arithmetic.unknowns import NotExported
from ropeproof.proofs_check.recheck.coq.export import (
    BALL,
    POWERS,
    Exported,
    axioms_file,
    claim_file,
    exported,
)
from ropeproof.theory.language.claim import Claim

__all__ = ["export_claims", "in_order", "library", "project"]


def export_claims(
    claims: Iterable[Claim], lookup: Callable[[str], Claim], folder: Path
) -> tuple[list[Exported], dict[str, str]]:
    """Write the claims and all that they use as Coq files, with a `Makefile`.

    Returns the exported claims, used ones first, and the reasons why others were not exported. Nothing
    is checked: every proof is written without being run.
    """
    library(folder)
    done: list[Exported] = []
    missing: dict[str, str] = {}
    for claim in in_order(claims, lookup):
        try:
            one = exported(claim, lookup)
        except NotExported as error:
            missing[claim.id] = str(error)
            continue
        (folder / f"{one.module}.v").write_text(claim_file(one), encoding="utf-8")
        done.append(one)
    balls = any(BALL in e.requires for e in done)
    project(folder, [e.module for e in done], with_balls=balls)
    return done, missing


def library(folder: Path) -> dict[str, str]:
    """Write `Base.v`, `Axioms.v` and modules that some claims need besides; return their texts."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {"Base": _hand_written("Base"), "Axioms": axioms_file()}
    texts |= {name: _hand_written(name) for name in (POWERS, BALL)}
    for name, text in texts.items():
        path = folder / f"{name}.v"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    return texts


def _hand_written(module: str) -> str:
    place = files("ropeproof.proofs_check.recheck.coq").joinpath(f"theories/{module}.v")
    return place.read_text(encoding="utf-8")


def project(folder: Path, modules: Sequence[str], *, with_balls: bool) -> None:
    """Write `_CoqProject` and a `Makefile` for the modules."""
    library = ["Base.v", "Axioms.v", f"{POWERS}.v", *([f"{BALL}.v"] if with_balls else [])]
    names = [*library, *(f"{m}.v" for m in modules)]
    (folder / "_CoqProject").write_text("-Q . Ropeproof\n" + "\n".join(names) + "\n")
    make = "all: CoqMakefile\n\t$(MAKE) -f CoqMakefile\nCoqMakefile: _CoqProject\n"
    (folder / "Makefile").write_text(make + "\tcoq_makefile -f _CoqProject -o CoqMakefile\n")


def in_order(claims: Iterable[Claim], lookup: Callable[[str], Claim]) -> Iterator[Claim]:
    """The claims and all that they use, each after those it uses."""
    seen: set[str] = set()

    def walk(claim: Claim) -> Iterator[Claim]:
        if claim.id not in seen:
            seen.add(claim.id)
            for used in claim.uses:
                yield from walk(lookup(used))
            yield claim

    for claim in claims:
        yield from walk(claim)
