"""Finding the functions of bounds and softmax that name a claim, and how each computes it.

`functions` reads the sources: what a docstring names, and which claims the function's own `Stated`
constants are compiled from. What is by hand is in `by_hand.PAIRS`, what no claim states as a closed
form in `LISTED`. As a script, it writes the tables of `maintenance/bounds.md`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from by_hand import PAIRS

from ropeproof.theory.topics.contents import CONTENTS

__all__ = ["LISTED", "PAGE", "functions", "in_page", "tables"]

_ROOT = Path(__file__).resolve().parents[3]
PAGE = _ROOT / "maintenance/bounds.md"
_BEGIN, _END = "<!-- bounds: begin -->\n", "<!-- bounds: end -->\n"
_ID = re.compile(r"`([a-z]+(?:\.[a-z0-9-]+)+)`")


class NamedFunction(NamedTuple):
    """A function, the claims that its docstring names, and the claims that it is compiled from."""

    name: str
    claims: tuple[str, ...]
    compiled: tuple[str, ...]


def functions() -> list[NamedFunction]:
    """All functions and methods whose docstring names a claim, module by module."""
    bounds = _ROOT / "numerics/bounds"
    modules = {path: path.relative_to(bounds) for path in sorted(bounds.rglob("*.py"))}
    modules[_ROOT / "numerics/core/softmax.py"] = Path("softmax.py")
    return [source for path, name in modules.items() for source in _of_module(path, name)]


def _of_module(path: Path, name: Path) -> Iterator[NamedFunction]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parts = [part for part in name.with_suffix("").parts if part != "__init__"]
    stated = {
        target.id: str(node.value.args[0].value)
        for node in tree.body
        if isinstance(node, ast.Assign) and _is_stated(node.value)
        for target in node.targets
    }
    for owner, function in _defined(tree.body):
        named = (found for found in _ID.findall(ast.get_docstring(function) or ""))
        claims = tuple(dict.fromkeys(found for found in named if found in CONTENTS))
        used = (stated.get(n.id) for n in ast.walk(function) if isinstance(n, ast.Name))
        if claims:
            full = ".".join((*parts, *owner, function.name))
            yield NamedFunction(full, claims, tuple(dict.fromkeys(u for u in used if u)))


def _is_stated(value: ast.AST) -> bool:
    return isinstance(value, ast.Call) and getattr(value.func, "id", "") == "Stated"


def _defined(
    body: list[ast.stmt], owner: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], ast.FunctionDef]]:
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield owner, node
        elif isinstance(node, ast.ClassDef):
            yield from _defined(node.body, (*owner, node.name))


_REASONS: dict[str, tuple[str, ...]] = {
    "calls functions of these tables, for a head or a curve": (
        "planes.limits.upper_margin",
        "planes.spectrum.one_plane_against_all",
        "retrieval.separation.separation",
        "slash.soft.prices.window_prices",
        "slash.descent.key.Descent.rate_bound",
        "slash.descent.key.Descent.sharp_rate_bound",
        "slash.descent.key.Descent.floor",
    ),
    "searches for the largest length, the least amplitude or the fewest planes for which bounds of "
    "these tables hold": (
        "index.budget.index_budget",
        "head.sink_reach.sink_reach",
        "index.decode.decode_length",
        "perturbation.apart.lags_apart",
        "retrieval.budget.retrieval_budget",
        "retrieval.temperature.decode_length",
        "slash.spaced.spaced_planes",
    ),
    "scans lags or solves a game whose value the claim bounds, or states in numbers for one spec": (
        "head.sink.weights_bound",
        "index.staircase.staircase",
        "planes.spectrum.frozen_margins",
        "rope.base_criterion.first_negative_lag",
        "slash.game.frozen_margin",
        "slash.game.window.Window.dual_bound",
        "slash.returns.nearest_return",
    ),
    "computes what the claim says there is: the claim has no formula for it": (
        "planes.aligned.Aligned.never_returns",
        "posgen.axes.fit_axes",
        "posgen.bounds.triangle_rank",
        "rope.expressive.fit",
        "rope.expressive.expressive_cost",
        "slash.descent.joint.Flow.drift",
        "slash.descent.joint.game_of",
        "slash.soft.soft_optimum",
    ),
    "measures or draws what the claim is about": (
        "index.fading.plane_groups",
        "perturbation.longer.longer_inputs",
        "planes.limits.angles_drawn",
        "posgen.grid.GridMoments.predicted",
        "posgen.head.additive_fits_on_grid",
        "posgen.parts.two_axis_parts",
        "posgen.parts.three_axis_parts",
        "slash.descent.key.descend",
        "slash.game.bands",
        "slash.learned.rank.MeanFit.amplitudes_and_phases",
        "slash.learned.rank.mean_fit",
        "slash.learned.scaling_survival.survival",
        "slash.score.slash_scores",
        "slash.score.dominant_lags",
        "softmax.log_odds",
    ),
    "another way to `vector_scores`, for long rows": ("head.long_rows.long_row_scores",),
    "a part of `two_axis_bound` and `three_axis_bound`, or those of other fits": (
        "posgen.terms.reference_phasors",
        "posgen.terms.bounds_of",
    ),
    "the claim is a limit, and this its finite form": ("index.fading.log_mean",),
    "what rounding adds: an analysis of arithmetic, which no claim states": (
        "planes.rounding_ball.certain_in_type",
    ),
    "the claim's sums on a grid that is chosen on the way, with proved rounding": (
        "race.race_bounds",
        "race.expected_needle_score",
    ),
    "a printed statement that is refuted, and has no formula to compile": (
        "retrieval.margin.printed_bound",
    ),
}

LISTED = {name: why for why, names in _REASONS.items() for name in names}
"""Functions that name a claim and compute nothing that it states as a closed form, and why."""


def tables() -> str:
    """The tables of `maintenance/bounds.md` as they should be."""
    found = functions()
    compiled = [(s.name, s.compiled) for s in found if s.compiled]
    by_hand = {(p.why, p.function): p.claim for p in PAIRS}
    claims = {s.name: s.claims for s in found}
    rows = ["| module | compiled, from these claims |", "|---|---|"]
    for module, own in _grouped(
        (n.rpartition(".")[0], n.rpartition(".")[2], c) for n, c in compiled
    ):
        rows.append(f"| `{module}` | {own} |")
    rows += ["", "| by hand, and compared with the compiled claim | why |", "|---|---|"]
    for why, own in _grouped((why, name, (claim,)) for (why, name), claim in by_hand.items()):
        rows.append(f"| {own} | {why} |")
    rows += ["", "| no closed form of a claim | why |", "|---|---|"]
    for why, own in _grouped((why, name, claims[name]) for name, why in LISTED.items()):
        rows.append(f"| {own} | {why} |")
    return "\n".join(rows) + "\n"


def _grouped(found: Iterable[tuple[str, str, tuple[str, ...]]]) -> Iterator[tuple[str, str]]:
    """Yield each first entry, such as a module, with its functions and their claims as text."""
    groups: dict[str, list[str]] = {}
    for first, name, claims in found:
        of = ", ".join(f"`{claim}`" for claim in claims)
        groups.setdefault(first, []).append(f"`{name}` ({of})")
    for first, own in groups.items():
        yield first, ", ".join(sorted(own))


def in_page() -> str:
    """The tables of `maintenance/bounds.md` as they are."""
    text = PAGE.read_text(encoding="utf-8")
    return text.partition(_BEGIN)[2].partition(_END)[0]


if __name__ == "__main__":
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(_BEGIN)
    PAGE.write_text(f"{before}{_BEGIN}{tables()}{_END}{rest.partition(_END)[2]}", encoding="utf-8")
