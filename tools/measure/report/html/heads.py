"""The table of all heads, and each head in full."""

from __future__ import annotations

from collections.abc import Iterator

from ropeproof.tools.measure.report import reading
from ropeproof.tools.measure.report.html.charts import plane_chart, slash_chart
from ropeproof.tools.measure.report.html.chosen_heads import has_pattern, pattern_figures
from ropeproof.tools.measure.report.html.claims import verdict_rows
from ropeproof.tools.measure.report.html.markup import Content, Markup, element, table
from ropeproof.tools.measure.report.html.slash_heads import (
    HEADINGS,
    TEXT,
    learned_cells,
    learned_tables,
    share_cell,
)

__all__ = ["heads_details", "heads_table"]


MOST = 96
"""Heads of a model that are shown in full at most."""

ROOM = 1_500_000
"""Bytes that the heads in full may take: a page of three million characters opens at once."""


def heads_table(model: reading.Json, place: int, threshold: float) -> Markup:
    """All heads of a model, one row each, that can be sorted and filtered."""
    names = reading.prompt_names(model)
    first = names[0]
    headings = ["layer.head"]
    for name in names:
        headings += [f"slash score on {name}", f"its lag on {name}", f"its null on {name}"]
        headings.append(f"explained share on {name}")
    text = {0, len(headings)}
    headings += ["kind", "its score"]
    text.add(len(headings) + TEXT)
    headings += HEADINGS
    text |= {len(headings), len(headings) + 11}
    headings += [
        f"purity on {first}",
        "positional score",
        "symbolic score",
        "r1 queries",
        "r1 keys",
        "r0.95 queries",
        "r0.95 keys",
        "band share",
        "additive correlation",
        "its null",
        "its floor (R²)",
        "which fit",
        "guaranteed",
        "vacuous",
        "out of scope",
        "inconsistent",
    ]
    numeric = frozenset(range(len(headings))) - text
    full = {reading.head_key(head, place) for head in _in_full(model)}
    rows = [_row(head, place, threshold, names, numeric, full) for head in model["heads"]]
    key = f"heads-{place}"
    made = table(
        f"Heads of {model['name']}; a heading is a button that sorts",
        headings,
        rows,
        numeric=numeric,
        id=key,
        data_sortable=True,
    )
    return element("div", element("h3", model["name"]), _filters(key, str(model["name"])), made)


def _filters(key: str, name: str) -> Markup:
    def box(name: str, label: str) -> Markup:
        return element("label", element("input", type="checkbox", name=name), f" {label}")

    kinds = [
        element("option", "any", value=""),
        *(element("option", kind) for kind in reading.PURITIES),
    ]
    return element(
        "form",
        element("label", "Words in the row ", element("input", type="search", name="words")),
        element("label", "Purity ", element("select", *kinds, name="purity")),
        box("slash", "slash heads only"),
        box("broken", "inconsistent only"),
        element("span", role="status"),
        class_="filters",
        data_table=key,
        aria_label=f"Filter the heads of {name}",
        hidden=True,
    )


def _row(
    head: reading.Json,
    place: int,
    threshold: float,
    names: tuple[str, ...],
    numeric: frozenset[int],
    full: set[str],
) -> Markup:
    key = reading.head_key(head, place)
    link = (
        element("a", reading.head_name(head), href=f"#{key}")
        if key in full
        else reading.head_name(head)
    )
    order = 10_000 * int(head["layer"]) + int(head["head"])
    # A head that is not shown in full is linked to where it is.
    place_of_it = None if key in full else key
    cells: list[Content] = [element("th", link, scope="row", data_value=order, id=place_of_it)]
    slash = False
    for name in names:
        found = reading.statistics_of(head, name)
        best, marked = reading.peak(found), reading.is_slash(found, threshold)
        slash = slash or marked
        score = "none" if best is None else reading.number(best.score)
        cells.append(element("strong", score) if marked else score)
        cells.append("none" if best is None else best.offset)
        cells.append("none" if best is None else reading.number(best.null))
        cells.append(share_cell(found))
    statistics = reading.statistics_of(head, names[0])
    kind = reading.kind_of(head)
    of_kind = head["kinds"]["scores"].get(kind) if kind is not None else None
    cells += [kind or "none", "none" if of_kind is None else reading.number(of_kind["mean"])]
    cells += learned_cells(statistics)
    cells += _statistics(statistics)
    counts = reading.count_verdicts(head["verdicts"])
    cells += [counts.guaranteed, counts.vacuous, counts.out_of_scope]
    cells.append(
        element("span", f"{counts.inconsistent} INCONSISTENT", class_="bad")
        if counts.inconsistent
        else 0
    )
    written = [
        cell
        if isinstance(cell, Markup) and cell.startswith("<th")
        else element("td", cell, class_="n" if column in numeric else None)
        for column, cell in enumerate(cells)
    ]
    return element(
        "tr",
        *written,
        data_slash="yes" if slash else "no",
        data_broken="yes" if counts.inconsistent else "no",
        data_purity="" if statistics is None else statistics["scores"]["purity"],
    )


def _statistics(statistics: reading.Json | None) -> list[Content]:
    if statistics is None:
        return ["none"] * 12
    scores, rank, fit = statistics["scores"], statistics["rank"], reading.headline_fit(statistics)
    cells: list[Content] = [
        scores["purity"],
        reading.number(scores["positional"]),
        reading.number(scores["symbolic"]),
        *(reading.number(rank[part]["r1"]) for part in ("queries", "keys")),
        *(reading.number(rank[part]["r095"]) for part in ("queries", "keys")),
        reading.number(reading.share_of_bands(statistics)),
    ]
    if fit is None:
        return [*cells, "none", "none", "none", "none"]
    found = [reading.number(fit[name]) for name in ("correlation", "null_correlation", "floor")]
    return [*cells, *found, fit["kind"]]


def heads_details(model: reading.Json, place: int, threshold: float) -> Markup:
    """The heads that are shown in full, each in a box that opens."""
    chosen = _in_full(model)
    boxes = [_details(model, head, place, threshold) for head in chosen]
    left_out = len(model["heads"]) - len(chosen)
    said = (
        f"In full: the {len(chosen)} heads with the largest slash scores, those whose patterns were asked "
        f"for, and any that contradicts a theorem. The other {left_out} are in the table above, and in full "
        "in the JSON."
    )
    note = element("p", said) if left_out else None
    return element("div", element("h3", model["name"]), note, *boxes)


def _in_full(model: reading.Json) -> list[reading.Json]:
    """The heads that are shown in full: so many that a browser can hold the page."""

    def rank(head: reading.Json) -> tuple[bool, bool, float]:
        found = [
            reading.peak(reading.statistics_of(head, name)) for name in reading.prompt_names(model)
        ]
        broken = any(not verdict["consistent"] for verdict in head["verdicts"])
        return (
            broken,
            has_pattern(model, head),
            max((best.score for best in found if best is not None), default=0.0),
        )

    heads = model["heads"]
    order = sorted(range(len(heads)), key=lambda place: rank(heads[place]), reverse=True)
    kept = sum(any(rank(head)[:2]) for head in heads)
    most, room = 0, ROOM
    for place in order[:MOST]:
        room -= _size(heads[place])
        most += room >= 0
    return [heads[place] for place in sorted(order[: max(min(MOST, most), kept)])]


def _size(head: reading.Json) -> int:
    """About how many bytes the box of a head takes."""
    return 34_000 * len(head["prompts"]) + 900 * len(head["verdicts"])


def _details(model: reading.Json, head: reading.Json, place: int, threshold: float) -> Markup:
    tokens = {prompt["name"]: int(prompt["tokens"]) for prompt in model["prompts"]}
    found = {
        name: statistics
        for name in reading.prompt_names(model)
        if (statistics := reading.statistics_of(head, name)) is not None
    }
    label = f"layer {head['layer']}, head {head['head']}"
    children: list[Content] = []
    wrong = [verdict for verdict in head["verdicts"] if not verdict["consistent"]]
    for verdict in wrong:
        said = f"INCONSISTENT: {reading.inconsistency_text(head, verdict)}"
        children.append(element("p", said, class_="bad alarm"))
    if found:
        first = tokens[next(iter(found))]
        charts = slash_chart(found, label), plane_chart(found, first, label)
        children.append(element("div", *charts, class_="charts"))
        children += [_numbers(found), *_lags(found), *learned_tables(found), _fits(found, label)]
    patterns = list(pattern_figures(model, head, label))
    if patterns:
        children.insert(len(wrong), element("div", *patterns, class_="charts"))
    children.append(
        table(
            f"Verdicts on {label}",
            ["claim", "prompt", "about", "verdict", "hypotheses", "guaranteed", "observed"],
            verdict_rows(head["verdicts"]),
        )
    )
    marks = [
        reading.on_prompt(name)
        for name, statistics in found.items()
        if reading.is_slash(statistics, threshold)
    ]
    short = f"{label} (key head {head['key_head']})"
    said = f"; slash head {' and '.join(marks)}" if marks else ""
    title = element("h4", f"{short}{said}")
    bad = element("span", " INCONSISTENT", class_="bad") if wrong else None
    return element(
        "details", element("summary", title, bad), *children, id=reading.head_key(head, place)
    )


def _numbers(found: dict[str, reading.Json]) -> Markup:
    """Table of the statistics that have one value per prompt."""
    quantities: dict[str, list[str]] = {}

    def add(name: str, value: float | None) -> None:
        quantities.setdefault(name, []).append(reading.number(value))

    for statistics in found.values():
        rank, bands = statistics["rank"], statistics["bands"] or {}
        scores, logits = statistics["scores"], statistics["logits"]
        add(f"positional score, blocks of {scores['block']}", scores["positional"])
        add("symbolic score", scores["symbolic"])
        for part in ("queries", "keys"):
            add(f"r1 of {part}", rank[part]["r1"])
            add(f"r0.95 of {part}", rank[part]["r095"])
            add(f"cone of {part}: epsilon", rank[part]["epsilon"])
        add("eta, logits that the cone leaves open", rank["eta"])
        for band in ("high", "medium", "low", "unrotated"):
            add(f"share of amplitude, {band}", bands.get(band))
        add("mean logit", logits["mean"])
        add("standard deviation of logits", logits["deviation"])
        add("largest logit", logits["largest"])
        add("entropy of a row, 1 is uniform", statistics["entropy"])
    rows = [[name, *values] for name, values in quantities.items()]
    headings = ["quantity", *found]
    return table("Figures", headings, rows, numeric=range(1, len(headings)))


def _lags(found: dict[str, reading.Json]) -> Iterator[Markup]:
    """Tables of the lags whose slash score reaches the threshold, one per prompt."""
    for name, statistics in found.items():
        lags = [
            [str(lag["offset"]), reading.number(lag["score"]), reading.number(lag["null"])]
            for lag in statistics["slash"]["dominant"]
        ]
        if lags:
            headings = ["lag", "slash score", "null"]
            caption = f"Lags at the threshold on {name}"
            yield table(caption, headings, lags, numeric=(1, 2))


def _fits(found: dict[str, reading.Json], label: str) -> Markup:
    headings = [
        "fit",
        "prompt",
        "correlation",
        "its null",
        "over the null",
        "R²",
        "its null",
        "noise floor of R²",
        "predicted R²",
        "guaranteed correlation",
        "residual, logits",
        "its bound",
    ]
    rows = []
    for name, statistics in found.items():
        for fit in statistics["additive"]:
            over = reading.excess(fit)
            rows.append(
                [
                    element("th", reading.fit_name(fit), scope="row", class_="one-line"),
                    name,
                    reading.number(fit["correlation"]),
                    reading.number(fit["null_correlation"]),
                    "none" if over is None else f"{over:+.3f}",
                    reading.number(fit["r_squared"]),
                    reading.number(fit["null_r_squared"]),
                    reading.number(fit["floor"]),
                    reading.number(fit["predicted"]),
                    reading.number(fit["guaranteed"]),
                    reading.number(fit["residual"]),
                    reading.number(fit["bound"]),
                ]
            )
    return table(f"Additive fits of {label}", headings, rows, numeric=range(2, 12))
