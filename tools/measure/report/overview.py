"""What one wants to know first of a measured model: one screen of 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from statistics import median
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ropeproof.tools.measure.kinds import KINDS, LABELS
from ropeproof.tools.measure.kinds import table as labels
from ropeproof.tools.measure.on_demand.ablation import PATTERNS
from ropeproof.tools.measure.on_demand.preference_lags import sentences
from ropeproof.tools.measure.report.reading import (
    Json,
    count_verdicts,
    head_name,
    heads_per_layer,
    inconsistencies,
    inconsistency_text,
    is_slash,
    number,
    on_prompt,
    peak,
    prompt_names,
    statistics_of,
    summaries,
    threshold_of,
)
from ropeproof.tools.measure.report.slash_heads import explained_share

__all__ = [
    "WIDTH",
    "ablation_change",
    "ablation_lines",
    "ablation_sentence",
    "guaranteed_of",
    "leading_heads",
    "overview",
    "race_sentences",
]

WIDTH = 80
SHOWN = 10
"""Heads in the table."""

_RARE = [kind.name for kind in KINDS if kind.name not in labels.UNLEARNED]


def overview(report: Json) -> Group:
    """The report as text of 80 columns: a screen for each model, then options that show more."""
    parts: list[Any] = []
    threshold = threshold_of(report)
    for place, model in enumerate(report["models"]):
        if place:
            parts.append(Text(""))
        parts += _model(model, threshold)
    more = "--all: every head. --html FILE, --csv FILE, --json FILE, --plots DIR: to keep."
    return Group(*parts, Text(more, style="dim"))


def _wrapped(text: str, style: str = "") -> Text:
    return Text("\n".join(textwrap.wrap(text, WIDTH, break_on_hyphens=False)), style=style)


def _model(model: Json, threshold: float) -> Iterator[Any]:
    losses = ", ".join(
        f"{prompt['name']} {'none' if prompt['loss'] is None else format(prompt['loss'], '.2f')}"
        for prompt in model["prompts"]
    )
    tokens = max((int(prompt["tokens"]) for prompt in model["prompts"]), default=0)
    scaling = model["rope"]["scaling"]
    said = (
        f"{model['name']}: {model['family']}, {model['layers']} layers of {heads_per_layer(model)} "
        f"heads, head_dim {model['head_dim']}, base {model['rope']['base']}"
        + (f", scaling {scaling}" if scaling else "")
    )
    yield _wrapped(said, "bold")
    yield _wrapped(f"{tokens} tokens; loss in nats: {losses}.")
    for warning in model["warnings"]:
        yield _wrapped(f"warning: {warning}", "yellow")
    if model["skipped"]:
        first = model["skipped"][0]
        count = len(model["skipped"])
        yield _wrapped(f"{count} layers skipped; layer {first['layer']}: {first['why']}", "yellow")
    if not model["heads"]:
        yield _wrapped("Nothing was measured: every layer was skipped.")
        return
    kinds = model.get("kinds")
    if kinds:
        yield Text("")
        yield from _counts(kinds)
    yield Text("")
    yield _leading(model, threshold)
    yield Text("")
    if model.get("ablation"):
        yield from map(Text, ablation_lines(model["ablation"]))
        yield Text("")
    if model.get("preference"):
        yield from map(_wrapped, sentences(model["preference"]))
        yield Text("")
    for sentence in (*_additive(model, threshold), *_theory(model, threshold)):
        yield _wrapped(sentence)
    for head, verdict in inconsistencies(model):
        yield _wrapped(f"INCONSISTENT: {inconsistency_text(head, verdict)}", "bold red")


def _counts(kinds: Json) -> Iterator[Text]:
    counts = [f"{kinds['counts'].get(name, 0)} {name}" for name in LABELS]
    whole = sum(kinds["counts"].values())
    labelled = whole - sum(kinds["counts"].get(name, 0) for name in labels.UNLEARNED)
    # Journals and reports of former versions know of no further prompts.
    most = kinds.get("most", kinds["prompts"])
    further = f", up to {most} for heads near a threshold" if most > kinds["prompts"] else ""
    yield _wrapped(
        f"{labelled} of {whole} heads have a kind at {100 * kinds['confidence']:g} % confidence "
        f"({kinds['prompts']} prompts{further}; {kinds['repeated']} of repeated random tokens): "
        + ", ".join(counts)
        + "."
    )
    if (
        whole
        and sum(kinds["counts"].get(name, 0) for name in (labels.UNIFORM, labels.MIXED)) == whole
    ):
        yield _wrapped("No head has a pattern: nothing learned that these scores can see.")


def leading_heads(model: Json, most: int = SHOWN) -> list[Json]:
    """The heads that matter: the strongest of each kind in turn, then the largest slash scores."""
    by_kind: dict[str, list[tuple[float, Json]]] = {}
    for head in model["heads"]:
        kinds = head.get("kinds")
        label = kinds["label"] if kinds else None
        if label in _RARE:
            by_kind.setdefault(label, []).append((float(kinds["scores"][label]["mean"]), head))
        elif label is None:
            best = _best(model, head)
            if best > 0:
                by_kind.setdefault("slash", []).append((best, head))
    order = [
        [head for _, head in sorted(by_kind[name], key=lambda pair: -pair[0])]
        for name in _RARE
        if name in by_kind
    ]
    found: list[Json] = []
    turn = 0
    while len(found) < most and any(len(heads) > turn for heads in order):
        found += [heads[turn] for heads in order if len(heads) > turn]
        turn += 1
    if not found:
        found = sorted(model["heads"], key=lambda head: -_best(model, head))
    chosen = found[:most]
    place = {name: number for number, name in enumerate(_RARE)}

    def rank(head: Json) -> int:
        kinds = head.get("kinds")
        return place.get(kinds["label"], len(place)) if kinds else 0

    return sorted(chosen, key=rank)


def _best(model: Json, head: Json) -> float:
    found = [peak(statistics_of(head, name)) for name in prompt_names(model)]
    return max((best.score for best in found if best is not None), default=0.0)


def _leading(model: Json, threshold: float) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0))
    first = prompt_names(model)[0]
    headings = (
        ("head", True),
        ("kind", False),
        ("score\n±spread", True),
        ("null", True),
        (f"slash@lag\non {first}", True),
        ("expec-\nted", True),
        ("order\nadds", True),
        ("guaranteed\n(32 rows)", True),
    )
    for heading, right in headings:
        table.add_column(heading, justify="right" if right else "left", no_wrap=True)
    for head in leading_heads(model):
        statistics = statistics_of(head, first)
        best = peak(statistics)
        kinds = head.get("kinds")
        label = kinds["label"] if kinds else "slash" if is_slash(statistics, threshold) else "none"
        score = kinds["scores"].get(label) if kinds else None
        cells = [head_name(head), label]
        if score:
            cells += [f"{score['mean']:.2f}±{score['spread']:.2f}", f"{score['null']:.2f}"]
        else:
            cells += ["", ""]
        cells.append("none" if best is None else f"{best.score:.2f}@{best.offset}")
        cells += _expected(statistics)
        table.add_row(*map(Text, cells))
    return table


def _expected(statistics: Json | None) -> list[str]:
    """Cells of a slash head: expected score, what token order adds, and its guarantee."""
    race = (statistics or {}).get("race")
    promised = guaranteed_of(statistics)
    if not race:
        return ["", "", promised]
    middle = (race["lower"] + race["upper"]) / 2
    added = race["measured"] - middle
    return [f"{middle:.3f}", f"{added:+.2f}±{race['error']:.2f}", promised]


def guaranteed_of(statistics: Json | None) -> str:
    """`>=G of S`: the best guarantee of a head and the score that it bounds; empty without one.

    That of the law is about the expected score of 32 rows on independent tokens, of which S is the mean over
    draws; a deterministic one is about the measured score.
    """
    share = (statistics or {}).get("explained")
    if statistics is None or not share:
        return ""
    law = statistics["slash"].get("law")
    sampled = share["confidence"] is not None and law
    return f">={share['guaranteed']:.2f} of {law['score'] if sampled else share['observed']:.2f}"


def _additive(model: Json, threshold: float) -> Iterator[str]:
    said = []
    for summary in summaries(model, threshold):
        if summary.correlation is not None:
            said.append(
                f"{summary.correlation:.3f} {on_prompt(summary.prompt)} (null {number(summary.null)}, "
                f"noise floor of R² {number(summary.floor)})"
            )
    if said:
        yield (
            "Additive fit of row-centred logits, median correlation beside that of random features: "
            + "; ".join(said)
            + "."
        )
    else:
        yield "No head has logits with a variance to fit additively."


def race_sentences(model: Json) -> Iterator[str]:
    """Yield sentences that compare slash heads' scores on independent tokens and on the prompt."""
    for name in prompt_names(model):
        found = [
            statistics["race"]
            for head in model["heads"]
            if (statistics := statistics_of(head, name)) is not None and statistics.get("race")
        ]
        if not found:
            continue
        added = [race["measured"] - (race["lower"] + race["upper"]) / 2 for race in found]
        widest = max(race["upper"] - race["lower"] for race in found)
        rows = max(len(race["rows"]) for race in found)
        yield (
            f"Of {len(found)} slash heads {on_prompt(name)}, on {rows} rows each: measured score "
            f"{median(race['measured'] for race in found):.3f}, expected on independent tokens "
            f"{median((race['lower'] + race['upper']) / 2 for race in found):.3f} (enclosed, at most "
            f"{widest:.1e} wide), the order of the tokens adds {median(added):+.3f} (medians)."
        )


def _theory(model: Json, threshold: float) -> Iterator[str]:
    yield from race_sentences(model)
    first = prompt_names(model)[0]
    every = [statistics_of(head, first) for head in model["heads"]]
    slashes = [found for found in every if is_slash(found, threshold)]
    shares = [share for share in map(explained_share, slashes) if share is not None]
    if shares:
        yield (
            f"Theory guarantees a score to {sum(share > 0 for share in shares)} of {len(slashes)} slash "
            f"heads {on_prompt(first)}: median {median(shares):.2f} of what is measured."
        )
    verdicts = [verdict for head in model["heads"] for verdict in head["verdicts"]]
    if not verdicts:
        yield "The theorems were not asked (--no-verdicts)."
        return
    counts = count_verdicts(verdicts)
    tail = (
        f"INCONSISTENT: {counts.inconsistent} guarantee more than is observed, which is a bug."
        if counts.inconsistent
        else "No theorem guarantees more than is observed."
    )
    yield (
        f"Of {counts.total} verdicts {counts.guaranteed} guarantee something, {counts.vacuous} are "
        f"vacuous, {counts.out_of_scope} out of scope. {tail}"
    )


def ablation_lines(ablation: Json) -> Iterator[str]:
    """The ablation as lines of a table of at most 80 columns, and what it cost."""
    yield "Loss when the pattern of one head is replaced, change in nats per token:"
    yield "head    " + "".join(f"{name:>20}" for name in PATTERNS)
    for head in ablation["heads"]:
        cells = [ablation_change(head["change"][name], head["error"][name]) for name in PATTERNS]
        yield head_name(head).ljust(8) + "".join(f"{c:>20}" for c in cells)
    yield from textwrap.wrap(ablation_sentence(ablation), WIDTH, break_on_hyphens=False)


def ablation_sentence(ablation: Json) -> str:
    """A sentence on the loss without a change, the prompts, the expected patterns, and the cost."""
    return (
        f"Loss without change {ablation['loss']:.3f}; {ablation['prompts']} prompts of "
        f"{ablation['tokens']} tokens. Expected: the head's mean pattern on {ablation['draws']} "
        f"prompts of independent tokens, drawn from those of the prompts. Cost: "
        f"{ablation['passes']} forward passes, {ablation['seconds']:.1f} s."
    )


def ablation_change(change: float, error: float | None) -> str:
    """The change of a loss with its standard error, where there is one."""
    return f"{change:+.4f}" + ("" if error is None else f" ± {error:.4f}")
