"""Find the idle steps of files, ask Coq if wanted, and write the files without them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path

from ropeproof.proofs_check.merging.calls import Place
from ropeproof.proofs_check.merging.coq import lost_in_coq, removals_into
from ropeproof.proofs_check.merging.judge import Judge
from ropeproof.proofs_check.merging.load import Loaded
from ropeproof.proofs_check.merging.rewriting import rewritten
from ropeproof.proofs_check.merging.search import Merge, Removal, Thinned

__all__ = ["Merged", "failing_now", "merged"]

ROUNDS = 4
"""How often Coq is asked about a claim, with more of its steps put back each time."""
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Merged:
    """Files without idle steps: their new texts, and the claims with fewer steps.

    `counts` has the steps of each changed claim before and after, `idle` the numbers of those that are
    left out, `coq` Coq's verdict on each claim that it was asked about. `complete` says whether every
    step was tried.
    """

    texts: dict[str, str]
    counts: dict[str, tuple[int, int]]
    idle: dict[str, tuple[int, ...]]
    removals: tuple[Removal, ...]
    coq: dict[str, str] = field(default_factory=dict)
    complete: bool = True

    def difference(self, path: str) -> str:
        """The change of one file, as a unified diff."""
        before = Path(path).read_text(encoding="utf-8").splitlines(keepends=True)
        lines = unified_diff(before, self.texts[path].splitlines(keepends=True), path, path, n=1)
        return "".join(lines)


def merged(
    loaded: Loaded,
    *,
    coq: Path | None = None,
    second: bool | None = None,
    seconds: float = float("inf"),
    progress: Progress = lambda *_: None,
) -> Merged:
    """The files without the steps that kernel and cvc5 do not need, nor Coq with a folder for its files.

    Nothing is written, except by Coq. `second` says whether cvc5 is asked: by default where it is
    installed. Raises `Unsupported` where Coq is wanted and not there.
    """
    judge = Judge(loaded.lookup) if second is None else Judge(loaded.lookup, second)
    kept: set[Place] = set()
    said: dict[str, tuple[tuple[str, ...], str]] = {}
    for number in range(1, ROUNDS + 1):
        merge = Merge(loaded.claims, loaded.made, loaded.paths, judge, progress, loaded.chosen)
        complete = merge.run(kept, seconds)
        back = (
            _put_back(merge, loaded, coq, said, all_of_them=number == ROUNDS - 1) if coq else set()
        )
        if not back:
            break
        kept |= back
    changed = [p for p in merge.proofs if p.gone]
    texts = {
        path: rewritten(merge, source)
        for path, source in merge.sources.items()
        if any(r.source is source for r in merge.removed.values())
    }
    return Merged(
        texts,
        {p.claim.id: (len(p.using), len(p.steps)) for p in changed},
        {p.claim.id: _numbers(p) for p in changed},
        tuple(merge.removed.values()),
        {id: verdict for id, (_, verdict) in said.items()},
        complete,
    )


def _numbers(proof: Thinned) -> tuple[int, ...]:
    return tuple(n for n, label in enumerate(proof.using, 1) if label in proof.gone)


def _put_back(
    merge: Merge,
    loaded: Loaded,
    folder: Path,
    said: dict[str, tuple[tuple[str, ...], str]],
    *,
    all_of_them: bool,
) -> set[Place]:
    """The places of calls to put back, as Coq refuses a step that has taken over their premises.

    `said` has what Coq said about each claim, with the steps that were left out. With `all_of_them` a
    refused claim gets back all its steps.
    """
    back: set[Place] = set()
    for proof in merge.proofs:
        left_out = tuple(proof.gone)
        if not left_out or said.get(proof.claim.id, ((), ""))[0] == left_out:
            continue
        verdict, refused = lost_in_coq(proof, loaded.lookup, folder)
        said[proof.claim.id] = (left_out, verdict)
        found = removals_into(proof, refused)
        if found and all_of_them:
            found = list(proof.gone.values())
        back |= {r.place for r in found}
        merge.progress(f"Coq: {proof.claim.id}", 1, 1)
    return back


def failing_now(ids: Sequence[str]) -> dict[str, str]:
    """The claims of the catalogue whose proofs do not hold, read from the files in a new process."""
    command = [sys.executable, "-m", "ropeproof.proofs_check.merging.again", *ids]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        return dict.fromkeys(ids, done.stderr.strip().splitlines()[-1])
    return dict(line.split("\t", 1) for line in done.stdout.splitlines())
