"""Tables of predictions and observations in Markdown, made from report.json alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["explained", "head_of", "shares", "show", "show_predictions"]

Row = dict[str, Any]
TOKENS = ("random", "text")


def head_of(row: Row) -> tuple[Any, ...]:
    """The key that identifies a row's head: model, tokens, layer, head."""
    return row["model"], row["tokens"], row["layer"], row["head"]


def show(report: dict[str, Any]) -> None:
    """Print all tables of a report, in Markdown."""
    for number, entry in enumerate(report["models"]):
        for tokens in TOKENS:
            print(f"\n## {entry['folder']}, {tokens}: slash heads at {entry['length']} tokens\n")
            heads_table(report, number, tokens)
        print(f"\n## {entry['folder']}: each prompt at its own best lag\n")
        prompts_table(entry)
        print(f"\n## {entry['folder']}: by setting, means over the slash heads\n")
        settings_table([row for row in report["predictions"] if row["model"] == number])
    print("\n## Predicted and observed, head by head\n")
    whole_table(report)
    print()
    print(json.dumps(report["summary"], indent=1))


def show_predictions(predictions: dict[str, Any]) -> None:
    """Print the guarantees at the models' own lengths beside the scores seen before the predictions."""
    shares: dict[tuple[int, str], list[float]] = {}
    lines: list[list[str]] = []
    for row in predictions["predictions"]:
        if row["setting"] != "none x1":
            continue
        heads = predictions["models"][row["model"]]["heads"][row["tokens"]]
        head = next(h for h in heads if (h["layer"], h["head"]) == (row["layer"], row["head"]))
        share = min(1.0, row["predicted"]["lower"] / head["score"])
        shares.setdefault((row["model"], row["tokens"]), []).append(share)
        pairs = (head["r1"], head["negative"], head["mean_over_size"])
        lines.append(
            [
                predictions["models"][row["model"]]["folder"],
                row["tokens"],
                f"{row['layer']}.{row['head']}",
                str(row["lag"]),
                f"{head['score']:.3f}",
                interval(row),
                f"{share:.2f}",
                f"{row['predicted']['margin']:.2f}",
                *(f"{a:.2f}, {b:.2f}" for a, b in pairs),
            ]
        )
    table(
        "model,tokens,head,lag,score,guaranteed,share,mean's margin,`r1` q and k,"
        "negative q and k,mean/size q and k",
        lines,
    )
    for (number, tokens), each in shares.items():
        some = sum(share > 0 for share in each)
        print(
            f"{predictions['models'][number]['folder']}, {tokens}: {some} of {len(each)} slash heads "
            f"have a guarantee, median share {np.median(each):.2f}"
        )


def heads_table(report: dict[str, Any], number: int, tokens: str) -> None:
    """Print the slash heads of a model at its own length: guarantees, observations, properties."""
    table(
        "head,lag,score,guaranteed,share,drawn,contextual,another leads,`signed` at most,"
        "mean's margin,`r1` q and k,negative q and k,mean/size q and k",
        [
            [
                f"{head['layer']}.{head['head']}",
                str(head["lag"]),
                f"{row['model_run']['score']:.3f}",
                interval(row),
                f"{explained(row):.2f}",
                f"{row['predicted']['estimate']:.3f}",
                f"{row['model_run']['score'] - row['predicted']['estimate']:+.3f}",
                f"{row['predicted']['behind']:.2f}",
                f"{row['predicted']['signed']:.3f}",
                f"{row['predicted']['margin']:.2f}",
                *(
                    f"{pair[0]:.2f}, {pair[1]:.2f}"
                    for pair in (head["r1"], head["negative"], head["mean_over_size"])
                ),
            ]
            for head in report["models"][number]["heads"][tokens]
            for row in report["predictions"]
            if head_of(row) == (number, tokens, head["layer"], head["head"])
            and row["setting"] == "none x1"
        ],
    )


def prompts_table(entry: Row) -> None:
    """Print all heads, each on prompts whose best lags may differ."""
    table(
        "tokens,head,best lags,score there,drawn,contextual,`r1` q and k",
        [
            [
                tokens,
                f"{head['layer']}.{head['head']}",
                f"{len(set(found['lags']))} in {len(found['lags'])} prompts",
                f"{found['score']:.3f}",
                f"{found['independent']:.3f}",
                f"{found['score'] - found['independent']:+.3f}",
                f"{head['r1'][0]:.2f}, {head['r1'][1]:.2f}",
            ]
            for tokens in TOKENS
            for head in entry["heads"][tokens]
            for found in [head["by_prompt"]]
        ],
    )


def settings_table(rows: Sequence[Row]) -> None:
    """Print the mean scores of a model's slash heads under each setting."""
    lines: list[list[str]] = []
    for name in dict.fromkeys(row["setting"] for row in rows):
        cells = [name]
        for tokens in TOKENS:
            group = [r for r in rows if r["setting"] == name and r["tokens"] == tokens]
            if not group:
                cells += [""] * 4
                continue
            said = [row["predicted"] for row in group]
            ends = (float(np.mean([each[end] for each in said])) for end in ("lower", "upper"))
            verdicts = [row["verdict"] for row in group]
            cells += [
                "{:.3f} to {:.3f}".format(*ends),
                f"{np.mean([row['guaranteed_run']['score'] for row in group]):.3f}",
                f"{np.mean([row['model_run']['score'] for row in group]):.3f}",
                "/".join(str(verdicts.count(each)) for each in ("survives", "open", "falls")),
            ]
        lines.append(cells)
    columns = ("guaranteed", "its run", "model's run", "survive/open/fall")
    names = [f"{tokens}: {name}" for tokens in TOKENS for name in columns]
    table(",".join(["setting", *names]), lines)


def whole_table(report: dict[str, Any]) -> None:
    """Print every prediction beside its observations."""
    table(
        "model,tokens,head,lag,setting,guaranteed,its run,model's run,margin at least,seen,says",
        [
            [
                Path(report["models"][row["model"]]["folder"]).parent.name,
                row["tokens"],
                f"{row['layer']}.{row['head']}",
                str(row["lag"]),
                row["setting"],
                interval(row),
                f"{row['guaranteed_run']['score']:.3f}",
                f"{row['model_run']['score']:.3f}",
                f"{row['predicted']['margin_guaranteed']:.2f}",
                f"{row['guaranteed_run']['margin']:.2f}",
                row["verdict"] + "".join(f", violated: {name}" for name in row["violated"]),
            ]
            for row in report["predictions"]
        ],
    )


def table(columns: str, lines: Sequence[Sequence[str]]) -> None:
    """Print a table in Markdown; `columns` has the names of its columns, separated by commas."""
    names = columns.split(",")
    for line in (names, ["---"] * len(names), *lines):
        print("| " + " | ".join(line) + " |")


def interval(row: Row) -> str:
    """The guaranteed interval of a score, as text."""
    return f"{row['predicted']['lower']:.3f} to {row['predicted']['upper']:.3f}"


def explained(row: Row) -> float:
    """The guaranteed lower bound as a share of the observed score, at most 1."""
    return float(min(1.0, row["predicted"]["lower"] / row["model_run"]["score"]))


def shares(rows: Sequence[Row]) -> dict[str, Any]:
    """The guaranteed shares by model and kind of tokens: numbers of slash heads, and the median share."""
    found: dict[str, Any] = {}
    for row in rows:
        if row["setting"] == "none x1":
            found.setdefault(f"{row['model']} {row['tokens']}", []).append(explained(row))
    return {
        name: {
            "slash_heads": len(each),
            "with_a_guarantee": sum(share > 0 for share in each),
            "median_share": float(np.median(each)),
        }
        for name, each in found.items()
    }
