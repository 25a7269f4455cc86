"""Parts of the page on chosen heads: their attention patterns, and the loss of replacing these."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Iterator, Sequence

from ropeproof.tools.measure.on_demand.ablation import PATTERNS
from ropeproof.tools.measure.report.html.links import head_link
from ropeproof.tools.measure.report.html.markup import Content, Markup, element, table
from ropeproof.tools.measure.report.overview import ablation_change, ablation_sentence
from ropeproof.tools.measure.report.reading import Json, head_name, on_prompt

__all__ = ["ablation_table", "has_pattern", "pattern_figures"]

_INK = (0x1B, 0x86, 0xC8)
"""Seen on a white page and on a dark one: weight 0 is the page itself."""


def has_pattern(model: Json, head: Json) -> bool:
    """Whether the report has patterns of this head."""
    return _of(model, head) is not None


def _of(model: Json, head: Json) -> Json | None:
    found = model.get("patterns") or {"heads": ()}
    place = head["layer"], head["head"]
    return next((h for h in found["heads"] if (h["layer"], h["head"]) == place), None)


def pattern_figures(model: Json, head: Json, label: str) -> Iterator[Markup]:
    """Yield a picture of a head's attention pattern for each prompt on which the report has it."""
    found = _of(model, head)
    for name, rows in (found or {"rows": {}})["rows"].items():
        size = model["patterns"]["prompts"][name]
        tokens, block = size["tokens"], size["block"]
        said = (
            f"Attention pattern of {label} {on_prompt(name)}, {tokens} tokens: queries from top to bottom, "
            "keys from left to right; the shade grows with the square root of the weight."
        )
        if block > 1:
            said += f" A point is the largest weight of {block} by {block} pairs."
        source = "data:image/png;base64," + base64.b64encode(_png(rows)).decode()
        picture = element("img", src=source, alt=said, class_="pattern")
        yield element("figure", picture, element("figcaption", said))


def _png(rows: Sequence[str]) -> bytes:
    """A square PNG of sixteen shades from rows of hexadecimal digits, empty above the diagonal."""
    count = len(rows)
    width = count + count % 2
    lines = b"".join(b"\0" + bytes.fromhex(row.ljust(width, "0")) for row in rows)
    shades = bytes(17 * level for level in range(16))
    header = struct.pack(">IIBBBBB", count, count, 4, 3, 0, 0, 0)
    chunks = (
        (b"IHDR", header),
        (b"PLTE", bytes(_INK) * 16),
        (b"tRNS", shades),
        (b"IDAT", zlib.compress(lines, 9)),
        (b"IEND", b""),
    )
    written = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(written)


def ablation_table(model: Json, place: int) -> Markup | None:
    """Table of the change of the loss by ablated head and pattern; None without an ablation."""
    found = model.get("ablation")
    if not found:
        return None
    measured = set(map(head_name, model["heads"]))
    rows: list[list[Content]] = []
    for head in found["heads"]:
        cells = [ablation_change(head["change"][p], head["error"][p]) for p in PATTERNS]
        rows.append([head_link(head, place, measured), *cells])
    made = table(
        f"Loss of {model['name']} when the pattern of one head is replaced: change in nats per token",
        ["layer.head", *PATTERNS],
        rows,
        numeric=range(1, 1 + len(PATTERNS)),
    )
    return element("div", made, element("p", ablation_sentence(found), class_="quiet"))
