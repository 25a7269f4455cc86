"""`ropeproof try`: check the proofs of one file, once or again at each save."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ropeproof.theory.errors import InvalidArgument, RopeproofError
from ropeproof.theory.extras import require_extra

if TYPE_CHECKING:
    from ropeproof.proofs_check.authoring import ProofTrial
    from ropeproof.proofs_check.authoring.session import Session

__all__ = ["try_command"]

EVERY = 0.25
"""Seconds between two checks for changed files."""


def try_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A Python file with claims.")],
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID|GLOB]...", show_default=False)
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Again at each save, until Ctrl-C.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Check every step, not only what changed.")
    ] = False,
    write: Annotated[
        bool,
        typer.Option(
            "--write", help="Write into the file the rule, premises or products that a step lacks."
        ),
    ] = False,
    merge: Annotated[
        bool,
        typer.Option(
            "--merge", help="Show the file without steps that are not needed; --write writes it."
        ),
    ] = False,
    coq: Annotated[
        bool, typer.Option("--coq", help="With --merge: keep the steps that Coq needs, too.")
    ] = False,
) -> None:
    """Check the proofs of a file as you write it, and say why a step is refused.

    Steps that held before and have not changed are not run again. Exit 1 if a proof fails.
    `ropeproof check --module FILE` also attacks the claims and gives them a status.
    What --write has written is tried at once; a change after which a step is still refused is taken
    back. --merge leaves out steps without which the kernel, and cvc5 where it is installed, accept the
    rest, each within a tenth of the kernel's limit of work. Their premises and reasons go to the steps
    that used them; a step with keep=True stays. FILE may then also be a file, a folder or an id of the
    project's catalogue.
    """
    from ropeproof.tools.console.terminal import console

    require_extra("proofs", "`ropeproof try`")
    from ropeproof.proofs_check.authoring.session import Session

    patterns = tuple(ids or ())
    if coq and not merge:
        raise InvalidArgument("--coq", "no --merge", "`ropeproof try FILE --merge --coq`")
    if merge:
        if watch:
            raise InvalidArgument("--merge", "--merge --watch", "one of --merge and --watch")
        from ropeproof.proofs_check.merging.command import merge_steps

        raise typer.Exit(merge_steps(file, patterns, write=write, coq=coq))
    session = Session(keep=not fresh)
    if write:
        if watch:
            raise InvalidArgument("--write", "--write --watch", "one of --write and --watch")
        _write(file, _tried(file, patterns, session))
    if not watch:
        trial = _tried(file, patterns, session)
        _print(trial)
        if trial.holds:
            _advise(file, patterns)
        raise typer.Exit(0 if trial.holds else 1)
    screen = console()
    try:
        for _ in _saves(file):
            screen.clear()
            screen.print(f"{file} at {time.strftime('%H:%M:%S')}; Ctrl-C ends", style="dim")
            _forget(file)
            try:
                _print(_tried(file, patterns, session))
            except RopeproofError as error:
                notes = "".join(f"\n  {note}" for note in getattr(error, "__notes__", ()))
                screen.print(f"{error}{notes}", style="red", markup=False)
    except KeyboardInterrupt:
        raise typer.Exit(0) from None


def _tried(file: str, patterns: tuple[str, ...], session: Session) -> ProofTrial:
    from ropeproof.proofs_check.authoring import try_file
    from ropeproof.tools.console.progress import working

    with working("reading") as progress:
        return try_file(file, patterns, session=session, progress=progress.show)


def _write(file: str, trial: ProofTrial) -> None:
    """Write the remedies into the file where its steps then hold, and print what was done."""
    from ropeproof.proofs_check.authoring import try_file
    from ropeproof.proofs_check.authoring.session import Session
    from ropeproof.proofs_check.authoring.writing import with_remedies
    from ropeproof.tools.console.terminal import console

    screen, path = console(), Path(file)
    found = trial.remedies()
    before = path.read_text(encoding="utf-8")
    new = with_remedies(file, found)
    told = list(new.left)
    try:
        while new.changed:
            path.write_text(new.text, encoding="utf-8")
            _forget(file)
            again = try_file(file, session=Session(keep=False))
            refused = {
                again.places[id(s.step)].line for s in again.refused if id(s.step) in again.places
            }
            kept = [(place, remedy) for place, remedy in found if place.line not in refused]
            if len(kept) == len(found):
                break
            told += [
                f"line {n}: still refused with {new.changed[n]}" for n in refused & set(new.changed)
            ]
            path.write_text(before, encoding="utf-8")
            new, found = with_remedies(file, kept), kept
    except BaseException:
        path.write_text(before, encoding="utf-8")
        raise
    for line, what in new.changed.items():
        screen.print(f"{file}:{line}: {what}", markup=False)
    for reason in told:
        screen.print(f"{file}, {reason}", style="red", markup=False)
    if not (new.changed or told):
        screen.print("nothing was found to write")


def _print(trial: ProofTrial) -> None:
    from ropeproof.proofs_check.authoring.show import text
    from ropeproof.tools.console.terminal import console

    console().print(text(trial.claims))


def _advise(file: str, patterns: tuple[str, ...]) -> None:
    """Print which steps of proofs that hold are not needed, as far as that is known soon."""
    from ropeproof.proofs_check.merging.command import idle_words
    from ropeproof.tools.console.terminal import console

    for line in idle_words(file, patterns):
        console().print(line, markup=False)


def _saves(file: str) -> Iterator[None]:
    """Yield at once, and whenever the file or a file beside it that it imports was saved."""
    seen: dict[str, float] = {}
    while True:
        now = _written(file)
        if now != seen:
            yield
            seen = _written(file) | now  # a save while the last was checked is another one
        time.sleep(EVERY)


def _written(file: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for path in (Path(file).resolve(), *_beside(file).values()):
        try:
            found[str(path)] = path.stat().st_mtime
        except OSError:
            found[str(path)] = 0.0  # being replaced
    return found


def _beside(file: str) -> dict[str, Path]:
    """The loaded modules whose files are in the file's folder or below it."""
    folder = Path(file).resolve().parent
    found: dict[str, Path] = {}
    for name, module in list(sys.modules.items()):
        origin = getattr(module, "__file__", None)
        if name.partition(".")[0] == "ropeproof" or not origin or not origin.endswith(".py"):
            continue
        path = Path(origin).resolve()
        if path.is_relative_to(folder) and "site-packages" not in path.parts:
            found[name] = path
    return found


def _forget(file: str) -> None:
    """Remove the file's own modules from the loaded ones, so that they are read again."""
    for name in _beside(file):
        if name != "__main__":
            sys.modules.pop(name, None)
