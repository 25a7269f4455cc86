"""Running the checker for a command: in several processes, with a progress bar, cached results first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ropeproof.theory.errors import Unsupported

if TYPE_CHECKING:
    from ropeproof.proofs_check.run.items import Result
    from ropeproof.proofs_check.run.runner import ClaimResult

__all__ = ["run"]


def run(
    ids: list[str],
    modules: list[str],
    profile: str,
    jobs: int | None,
    *,
    fresh: bool = False,
    second_solver: bool = False,
) -> list[ClaimResult]:
    """The results of a check of these claims, with their progress on standard error.

    Arguments as those of `ropeproof check`; cached results are used unless `fresh`. Raises
    `Unsupported` if a worker process ends abruptly: nothing is said of the claims then.
    """
    from concurrent.futures.process import BrokenProcessPool

    from ropeproof.proofs_check.run.cache import Kept
    from ropeproof.proofs_check.run.runner import plan
    from ropeproof.tools.console.interrupt import advice
    from ropeproof.tools.console.progress import working
    from ropeproof.tools.console.terminal import collect_seldom, one_thread, workers

    one_thread()
    collect_seldom()
    kept = None if fresh else Kept.open(profile, modules)
    work = plan(ids, modules=modules, profile_name=profile, second_solver=second_solver, kept=kept)
    with workers(jobs, len(work.left), forked=True) as pool, working("checking") as progress:

        def show(result: Result, done: int, of: int) -> None:
            progress.show(result.item.claim, done, of)

        how = (
            "the same command goes on from the results that are cached"
            if kept is not None
            else "without --fresh the same command goes on from what is kept"
            if fresh
            else "nothing of it was cached"
        )
        try:
            with advice(how):
                return work.run(pool, show)
        except BrokenProcessPool:
            raise Unsupported(
                "a worker process was ended before its evidence was (out of memory, say), so nothing is "
                f"said of the claims; {how}"
            ) from None
