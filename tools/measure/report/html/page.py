"""The page as a whole: what was measured, what was found, and where everything is."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator

from ropeproof.tools.measure.report import reading
from ropeproof.tools.measure.report.html.chosen_heads import ablation_table
from ropeproof.tools.measure.report.html.claims import claims_section
from ropeproof.tools.measure.report.html.glossary import glossary
from ropeproof.tools.measure.report.html.headmap import head_map
from ropeproof.tools.measure.report.html.heads import heads_details, heads_table
from ropeproof.tools.measure.report.html.markup import Content, Markup, element, table
from ropeproof.tools.measure.report.html.preference import preference_table
from ropeproof.tools.measure.report.html.style import SCRIPT, STYLE
from ropeproof.tools.measure.report.overview import race_sentences
from ropeproof.tools.measure.report.slash_heads import explained_sentences

__all__ = ["page"]

_SECTIONS = {
    "map": "Overview",
    "summary": "Summary",
    "measured": "What was measured",
    "heads": "All heads",
    "theorems": "Theorem by theorem",
    "details": "Head by head",
    "glossary": "What the columns mean",
}


def page(report: reading.Json) -> Markup:
    """The page of a report, as text. Cost: some milliseconds per head and prompt."""
    names = ", ".join(str(model["name"]) for model in report["models"])
    title = f"Attention heads of {names}, measured against the theory of RoPE"
    body = element(
        "body",
        element("a", "Skip to the summary", href="#summary", class_="skip"),
        element("header", element("h1", title), _contents()),
        element("main", *_sections(report)),
        element("script", Markup(SCRIPT)),
    )
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("link", rel="icon", href="data:,"),
        element("title", title),
        element("style", Markup(STYLE)),
    )
    return Markup(f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n")


def _contents() -> Markup:
    links = [element("li", element("a", title, href=f"#{key}")) for key, title in _SECTIONS.items()]
    return element("nav", element("ul", *links), aria_label="Contents")


def _sections(report: reading.Json) -> Iterator[Markup]:
    threshold = reading.threshold_of(report)
    models = list(enumerate(report["models"]))
    yield _section("map", *(head_map(model, place, threshold) for place, model in models))
    yield _section("summary", *_summary(report))
    yield _section("measured", *_measured(report))
    yield _section("heads", *(heads_table(model, place, threshold) for place, model in models))
    yield _section("theorems", *(claims_section(model, place) for place, model in models))
    yield _section("details", *(heads_details(model, place, threshold) for place, model in models))
    yield _section("glossary", glossary(report))


def _section(key: str, *children: Content) -> Markup:
    heading = element("h2", _SECTIONS[key], id=f"{key}-heading")
    return element("section", heading, *children, id=key, aria_labelledby=f"{key}-heading")


def _summary(report: reading.Json) -> Iterator[Markup]:
    threshold = reading.threshold_of(report)
    yield _side_by_side(report, threshold)
    for place, model in enumerate(report["models"]):
        yield element("h3", model["name"])
        sentences = (
            *race_sentences(model),
            *explained_sentences(model, threshold),
            *reading.summary_sentences(model, threshold),
        )
        marked = [
            element("li", text, class_="bad" if text.startswith("INCONSISTENT") else None)
            for text in sentences
        ]
        yield element("ul", *marked)
        for asked in (preference_table(model, place), ablation_table(model, place)):
            if asked is not None:
                yield asked
        wrong = [
            element("li", reading.inconsistency_text(head, verdict), class_="bad")
            for head, verdict in reading.inconsistencies(model)
        ]
        if wrong:
            said = element("p", "INCONSISTENT, every case:", class_="bad")
            yield element("div", said, element("ul", *wrong), class_="alarm")


def _side_by_side(report: reading.Json, threshold: float) -> Markup:
    """The summary as a table with one column per model and prompt."""
    headings = ["quantity"]
    columns: list[list[str]] = []
    for model in report["models"]:
        counts = reading.count_verdicts([v for head in model["heads"] for v in head["verdicts"]])
        losses = {prompt["name"]: prompt["loss"] for prompt in model["prompts"]}
        for found in reading.summaries(model, threshold):
            headings.append(f"{model['name']}, {found.prompt}")
            columns.append(
                [
                    reading.number(losses[found.prompt]),
                    f"{found.slash} of {found.heads}",
                    *(str(count) for count in found.purity.values()),
                    reading.number(found.correlation),
                    reading.number(found.null),
                    reading.number(found.floor),
                    "none" if found.excess is None else f"{found.excess:+.3f}",
                    f"{counts.guaranteed} / {counts.vacuous} / {counts.out_of_scope}",
                    str(counts.inconsistent),
                ]
            )
    quantities = [
        "loss, nats per next token",
        f"slash heads (score {threshold:g} or more, above the null)",
        *(f"heads: {kind}" for kind in ("positional", "symbolic", "both", "neither")),
        "additive correlation, median (optimal, grid, row-centred)",
        "its null: random features, median",
        "its noise floor (R²), median",
        "correlation over the null, median",
        "verdicts of the model: guaranteed / vacuous / out of scope",
        "verdicts of the model that are inconsistent",
    ]
    rows = [[name, *(column[place] for column in columns)] for place, name in enumerate(quantities)]
    return table(
        "Every model on every prompt, side by side",
        headings,
        rows,
        numeric=range(1, len(headings)),
    )


def _measured(report: reading.Json) -> Iterator[Markup]:
    models, options = report["models"], report["options"]
    rows: list[list[Content]] = [
        ["path", *(model["path"] for model in models)],
        ["family", *(model["family"] for model in models)],
        ["parameters", *(f"{model['parameters']:,}" for model in models)],
        ["layers", *(model["layers"] for model in models)],
        ["heads per layer", *(reading.heads_per_layer(model) for model in models)],
        ["key heads per layer", *(model["key_heads"] for model in models)],
        ["head dimension", *(model["head_dim"] for model in models)],
        ["dimensions that rotate", *(model["rope"]["rotary_dim"] for model in models)],
        ["base of the frequencies", *(model["rope"]["base"] for model in models)],
        ["layout of the planes", *(model["rope"]["layout"] for model in models)],
        ["scaling of the frequencies", *(model["rope"]["scaling"] or "none" for model in models)],
        [
            "the model's own rotation, largest difference",
            *(reading.number(model["rope"].get("table_difference")) for model in models),
        ],
        ["context, positions", *(model["context"] or "not known" for model in models)],
    ]
    yield table("The models", ["property", *(model["name"] for model in models)], rows)
    prompts = [
        [
            model["name"],
            prompt["name"],
            prompt["source"],
            prompt["tokens"],
            reading.number(prompt["loss"]),
        ]
        for model in models
        for prompt in model["prompts"]
    ]
    headings = ["model", "prompt", "source", "tokens", "loss, nats per token"]
    yield table("The prompts", headings, prompts, numeric=(3, 4))
    for model in models:
        for warning in model["warnings"]:
            yield element("p", f"{model['name']}: {warning}", class_="warning")
        for skipped in model["skipped"]:
            said = f"{model['name']}: layer {skipped['layer']} was skipped: {skipped['why']}"
            yield element("p", said, class_="warning")
    chosen: list[list[Content]] = [
        [name, "none" if value is None else str(value)] for name, value in options.items()
    ]
    yield table("The options", ["option", "value"], chosen)
    versions: list[list[Content]] = [
        [name, str(value)] for name, value in report["versions"].items()
    ]
    yield table("The versions", ["package", "version"], versions)
