"""Steps and lines of each claim's proof, before and now: `python maintenance/steps.py b46a3d6d`.

The steps are those of the derivations, the lines those of the functions that state and prove the claims
(`@theorem`), as the files have them; a claim that is made otherwise has no number of lines. Claims
stated since the revision are counted apart. With `--changed` only the claims with other steps are printed.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from compare_catalogues import ROOT, catalogue

__all__ = ["counted", "lines_of"]


def lines_of(folder: Path) -> dict[str, int]:
    """The number of lines of each claim's function with its decorator, by the claim's id."""
    found: dict[str, int] = {}
    for path in sorted((folder / "theory").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
                if (
                    isinstance(decorator, ast.Call)
                    and getattr(decorator.func, "id", "") == "theorem"
                ):
                    (name, *_) = decorator.args
                    if isinstance(name, ast.Constant) and isinstance(node.end_lineno, int):
                        found[str(name.value)] = node.end_lineno - decorator.lineno + 1
    return found


def counted(folder: Path) -> dict[str, tuple[int, int | None]]:
    """Steps and lines of each claim with a proof, by its id, in the order of the catalogue."""
    lines = lines_of(folder)
    entries = catalogue(folder)
    return {id: (e["steps"], lines.get(id)) for id, e in entries.items() if e["steps"]}


def at_revision(revision: str) -> dict[str, tuple[int, int | None]]:
    """Steps and lines at a revision of this repository."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "sources"
        subprocess.run(
            ["git", "clone", "--quiet", "--no-checkout", str(ROOT), str(folder)], check=True
        )
        subprocess.run(["git", "checkout", "--quiet", revision], cwd=folder, check=True)
        return counted(folder)


def table(
    before: Mapping[str, tuple[int, int | None]],
    now: Mapping[str, tuple[int, int | None]],
    *,
    only_changed: bool,
) -> list[str]:
    """The lines to print: a claim each, then the sums."""
    shown = [f"{'claim':<44} steps          lines"]
    for id, (steps, lines) in before.items():
        if id in now and (not only_changed or now[id][0] != steps):
            new, new_lines = now[id]
            shown.append(
                f"{id:<44} {steps:>4} -> {new:<4}   {lines or '-':>4} -> {new_lines or '-'}"
            )
    both = [id for id in before if id in now]
    old, new = (sum(found[id][0] for id in both) for found in (before, now))
    shown.append(f"steps of the {len(both)} claims of both: {old} before, {new} now")
    shown.append(f"that is {100 * new / old:.1f} % of them")
    with_lines = [id for id in both if before[id][1] and now[id][1]]
    old, new = (sum(found[id][1] or 0 for id in with_lines) for found in (before, now))
    shown.append(f"lines of {len(with_lines)} of them: {old} before, {new} now")
    more = [id for id in now if id not in before]
    shown.append(f"claims since: {len(more)}, with {sum(now[id][0] for id in more)} steps")
    return shown


def main() -> None:
    """Print the table of one revision and now."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("revision", help="what the present proofs are compared with")
    parser.add_argument("--changed", action="store_true", help="only claims with other steps")
    given = parser.parse_args()
    print("\n".join(table(at_revision(given.revision), counted(ROOT), only_changed=given.changed)))


if __name__ == "__main__":
    main()
