"""Verifies a certificate: hashes first, then sums, then drawn queries computed again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.extras import require_extra
from ropeproof.tools.certificate.make import law_of_text
from ropeproof.tools.certificate.read import read_first_layer
from ropeproof.tools.certificate.record import check_record, refuse_others
from ropeproof.tools.certificate.show import lines
from ropeproof.tools.console.terminal import console, progress_bar

__all__ = ["verify"]


def verify(file: str, source: str, *, draw: int, seed: int, text: str | None) -> int:
    """Checks a record and prints the outcome; the exit code, 0 or 1.

    Raises `InvalidArgument` for another model, code or text, by name, and for what is no record.
    """
    if draw < 1:
        raise InvalidArgument("draw", draw, "an integer >= 1")
    try:
        record = json.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidArgument("file", file, f"a record ({error.__class__.__name__})") from None
    if not isinstance(record, Mapping):
        raise InvalidArgument("file", file, "a record, which is a JSON object")
    if source.endswith(".gguf"):
        require_extra("gguf", "`ropeproof certificate`", "gguf")
    else:
        require_extra("models", "a certificate of a model's directory")
    layer = read_first_layer(source)
    law = refuse_others(record, layer)
    if text is not None:
        found = law_of_text(source, text)
        if found.text != law.text:
            raise InvalidArgument(
                "text", f"{text}, {found.text[:16]}", f"that of the record, {law.text[:16]}"
            )
        if found.identity() != law.identity():
            raise InvalidArgument("law", "other counts than the text has", "the text's counts")
    progress = progress_bar()
    with progress:
        bar = progress.add_task("queries", total=draw)

        def show(done: int, of: int) -> None:
            progress.update(bar, completed=done, total=of)

        wrong = check_record(record, layer, draw=draw, seed=seed, progress=show)
    screen = console()
    if wrong:
        screen.print("\n".join(["The record is false:", *wrong]), markup=False)
        return 1
    screen.print("\n".join(lines(record)), markup=False)
    drawn, of = min(draw, int(record["queries"])), int(record["queries"])
    said = "" if text is None else " The text has the law's counts."
    screen.print(
        f"Verified: hashes of model and code, all sums, {drawn} of {of} queries computed again.{said}",
        markup=False,
    )
    return 0
