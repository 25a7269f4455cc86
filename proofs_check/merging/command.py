"""`ropeproof try FILE --merge`: the file without the steps that no checker needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from tempfile import mkdtemp

from ropeproof.proofs_check.merging.load import (
    Loaded,
    files_of_catalogue,
    loaded_catalogue,
    loaded_file,
)
from ropeproof.proofs_check.merging.run import Merged, failing_now, merged
from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.console.progress import working
from ropeproof.tools.console.terminal import console

__all__ = ["idle_words", "merge_steps"]

SECONDS = 10.0
"""By the clock: as long `ropeproof try` looks for steps that are not needed, without --merge."""


def idle_words(file: str, patterns: Sequence[str]) -> Iterator[str]:
    """Sentences that say which steps of the file's proofs are not needed, by their numbers."""
    loaded = loaded_file(file, patterns)
    # cvc5 is left out: it takes longest, and what is said here changes nothing.
    done = merged(loaded, second=False, seconds=SECONDS)
    for id, numbers in done.idle.items():
        if not patterns or any(fnmatchcase(id, p) for p in patterns):
            several = len(numbers) > 1
            count = f"{len(numbers)} steps are" if several else "1 step is"
            more = "" if done.complete else " (not every step was tried)"
            yield f"{id}: {count} not needed: {', '.join(map(str, numbers))}{more}"
    if done.idle:
        yield f"`ropeproof try {file} --merge` shows the file without them; --write writes it"


def merge_steps(file: str, patterns: Sequence[str], *, write: bool, coq: bool) -> int:
    """Show, or write, the file without idle steps. Returns the exit status.

    Raises `InvalidArgument` for a file that cannot be run and a name that is none of the catalogue's.
    """
    if Path(file).is_file() and not (paths := files_of_catalogue([file])):
        loaded = loaded_file(file, patterns)
        return _merge(loaded, patterns, own=True, write=write, coq=coq)
    paths = files_of_catalogue([file, *patterns])
    if not paths:
        raise InvalidArgument("FILE", file, "a Python file with claims, or an id of the catalogue")
    with working("reading") as progress:
        progress.show("the catalogue", 0, 1)
        loaded = loaded_catalogue(paths)
    return _merge(loaded, (), own=False, write=write, coq=coq)


def _merge(loaded: Loaded, patterns: Sequence[str], *, own: bool, write: bool, coq: bool) -> int:
    screen = console()
    chosen = tuple(patterns)
    if chosen:  # steps of other claims are counted, and stay
        ids = {c.id for c in loaded.claims if any(fnmatchcase(c.id, p) for p in chosen)}
        loaded = loaded.only(ids)
    folder = _coq_folder() if coq else None
    with working("steps") as progress:
        done = merged(loaded, coq=folder, progress=progress.show)
    for id, (before, after) in done.counts.items():
        said = f"; Coq: {done.coq[id]}" if id in done.coq else ""
        numbers = ", ".join(map(str, done.idle[id]))
        screen.print(
            f"{id}: {before} steps, {after} of them needed; not needed: {numbers}{said}",
            markup=False,
            soft_wrap=True,
        )
    if not done.counts:
        screen.print("every step is needed")
        return 0
    if not write:
        for path in done.texts:
            screen.print(done.difference(path), markup=False, highlight=False, soft_wrap=True)
        return 0
    return _written(done, own=own)


def _coq_folder() -> Path:
    """The folder of Coq's files among the cached results, or a new one where none can be written."""
    from ropeproof.proofs_check.run.cache.folder import folder
    from ropeproof.proofs_check.run.cache.refused import is_writable

    place = folder()
    if place is not None and is_writable(place / "coq-merge"):
        return place / "coq-merge"
    return Path(mkdtemp(prefix="ropeproof-merge-"))


def _written(done: Merged, *, own: bool) -> int:
    """Write the files, check the proofs in them, and take back what does not hold."""
    screen = console()
    before = {path: Path(path).read_text(encoding="utf-8") for path in done.texts}
    try:
        for path, text in done.texts.items():
            Path(path).write_text(text, encoding="utf-8")
        wrong = _own_failing(next(iter(before))) if own else failing_now(list(done.counts))
    except BaseException:
        _restore(before)
        raise
    if wrong:
        _restore(before)
        for id, what in wrong.items():
            screen.print(f"{id}: {what}; nothing is written", style="red", markup=False)
        return 1
    for path in before:
        screen.print(f"{path}: written", markup=False)
    return 0


def _restore(texts: dict[str, str]) -> None:
    for path, text in texts.items():
        Path(path).write_text(text, encoding="utf-8")


def _own_failing(path: str) -> dict[str, str]:
    """The claims of a user's file whose proofs do not hold as it is now."""
    from ropeproof.proofs_check.authoring import try_file
    from ropeproof.proofs_check.authoring.session import Session

    trial = try_file(path, session=Session(keep=False))
    return {
        c.claim.id: "; ".join(("a step is refused", *c.remarks))
        for c in trial.claims
        if not c.holds
    }
