"""The report of `ropeproof measure` for a terminal or a pipe, 140 columns wide."""

from __future__ import annotations

from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ropeproof.tools.measure.report.reading import (
    Json,
    claim_counts,
    count_verdicts,
    head_name,
    headline_fit,
    heads_per_layer,
    inconsistencies,
    inconsistency_text,
    is_slash,
    number,
    peak,
    prompt_names,
    share_of_bands,
    statistics_of,
    summary_sentences,
    threshold_of,
)
from ropeproof.tools.measure.report.slash_heads import explained_sentences, explained_share

__all__ = ["render"]

_NOTE = (
    "slash: largest average weight at one lag >= 1, @lag, (null: exchangeable tokens without "
    "position); * at the threshold and above the null.\n"
    "expl. share: the best guarantee of a slash head's score over the score, on the first prompt.\n"
    "r1, r95: rank statistics of queries/keys. band share: of the amplitude, in planes of high and "
    "medium frequency.\n"
    "additive: largest correlation of a row-centred fit on causal pairs, beside its null, which "
    "random features have; R² floor: of pure noise.\n"
    "theorems: verdicts that guarantee something/are vacuous/are out of scope."
)


def render(report: Json) -> Group:
    """A report as text: per model its prompts, a line per head, and a summary in words.

    `report` is the JSON of `ropeproof measure` as Python objects. Returns a renderable of rich that
    needs 140 columns.
    """
    parts: list[Any] = []
    threshold = threshold_of(report)
    for place, model in enumerate(report["models"]):
        if place:
            parts.append(Text(""))
        parts += _model(model, threshold)
    return Group(*parts)


def _model(model: Json, threshold: float) -> list[Any]:
    rope = model["rope"]
    shape = (
        f"{model['name']}: {model['family']}, {model['layers']} layers, "
        f"{heads_per_layer(model)} heads"
    )
    title = Text(
        f"{shape}, key heads {model['key_heads']}, head_dim {model['head_dim']}, base "
        f"{rope['base']}, rotary_dim {rope['rotary_dim']}, scaling {rope['scaling'] or 'none'}, "
        f"context {model['context'] or 'not known'}",
        style="bold",
    )
    parts: list[Any] = [title]
    parts += [Text(f"warning: {warning}", style="yellow") for warning in model["warnings"]]
    parts += [
        Text(f"layer {skipped['layer']} skipped: {skipped['why']}", style="yellow")
        for skipped in model["skipped"]
    ]
    parts += [_prompts(model), _heads(model, threshold), Text(_NOTE, style="dim"), Text("")]
    parts.append(_claims(model))
    parts.append(Text(""))
    for sentence in (*explained_sentences(model, threshold), *summary_sentences(model, threshold)):
        bad = sentence.startswith("INCONSISTENT")
        parts.append(Text(sentence, style="bold red" if bad else ""))
    parts += [
        Text(f"INCONSISTENT: {inconsistency_text(head, verdict)}", style="bold red")
        for head, verdict in inconsistencies(model)
    ]
    return parts


def _new_table(*columns: tuple[str, bool]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0))
    for heading, right in columns:
        table.add_column(heading, justify="right" if right else "left", overflow="fold")
    return table


def _prompts(model: Json) -> Table:
    table = _new_table(("prompt", False), ("tokens", True), ("loss", True), ("source", False))
    for prompt in model["prompts"]:
        loss = "none" if prompt["loss"] is None else f"{prompt['loss']:.3f}"
        cells = [str(prompt["name"]), str(prompt["tokens"]), loss, str(prompt["source"])]
        table.add_row(*map(Text, cells))
    return table


def _heads(model: Json, threshold: float) -> Table:
    names = prompt_names(model)
    first = names[0]
    columns = [("layer\nhead", True)]
    columns += [(f"slash @lag (null)\non {name}", False) for name in names]
    columns += [
        ("expl.\nshare", True),
        (f"purity pos/sym\non {first}", False),
        ("r1\nq/k", False),
        ("r95\nq/k", False),
        ("band\nshare", True),
        ("addit.\ncorr.", True),
        ("\nnull", True),
        ("R²\nfloor", True),
        ("\nof the fit", False),
        ("theorems\ng/v/o", False),
    ]
    table = _new_table(*columns)
    for head in model["heads"]:
        statistics = statistics_of(head, first)
        cells = [Text(head_name(head))]
        cells += [_peak(statistics_of(head, name), threshold) for name in names]
        cells.append(Text(number(explained_share(statistics), 2)))
        cells += _statistics(statistics)
        counts = count_verdicts(head["verdicts"])
        cells.append(Text(f"{counts.guaranteed}/{counts.vacuous}/{counts.out_of_scope}"))
        if counts.inconsistent:
            cells[-1] = Text(f"{cells[-1].plain} INCONSISTENT", "bold red")
        table.add_row(*cells)
    return table


def _peak(statistics: Json | None, threshold: float) -> Text:
    found = peak(statistics)
    if found is None:
        return Text("none")
    null = "none" if found.null is None else number(found.null)
    mark = "*" if is_slash(statistics, threshold) else " "
    text = f"{number(found.score)}{mark}@{found.offset} ({null})"
    return Text(text, style="bold" if mark == "*" else "")


def _statistics(statistics: Json | None) -> list[Text]:
    if statistics is None:
        return [Text("none") for _ in range(8)]
    scores, rank = statistics["scores"], statistics["rank"]
    fit = headline_fit(statistics)
    return [
        Text(
            f"{scores['purity']} {number(scores['positional'], 2)}/{number(scores['symbolic'], 2)}"
        ),
        Text("/".join(number(rank[part]["r1"], 2) for part in ("queries", "keys"))),
        Text("/".join(number(rank[part]["r095"]) for part in ("queries", "keys"))),
        Text(number(share_of_bands(statistics), 2)),
        *_fit(fit),
    ]


def _fit(fit: Json | None) -> list[Text]:
    """Cells of a fit: its correlation, never without its null, noise floor and kind."""
    if fit is None:
        return [Text("none"), Text(""), Text(""), Text("")]
    found = number(fit["correlation"], 2), number(fit["null_correlation"], 2), number(fit["floor"])
    return [Text(cell) for cell in (*found, str(fit["kind"]))]


def _claims(model: Json) -> Table:
    table = _new_table(
        ("claim", False),
        ("guaranteed", True),
        ("vacuous", True),
        ("out of scope", True),
        ("inconsistent", True),
    )
    for claim, counts in claim_counts(model).items():
        bad = Text(str(counts.inconsistent), style="bold red" if counts.inconsistent else "")
        cells = [str(n) for n in (counts.guaranteed, counts.vacuous, counts.out_of_scope)]
        table.add_row(Text(claim), *cells, bad)
    return table
