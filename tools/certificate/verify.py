"""Verifies a certificate: what is printed was computed here, and the record was compared with it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.extras import require_extra
from ropeproof.tools.certificate.check import Comparison, check_record
from ropeproof.tools.certificate.first_layer import FirstLayer
from ropeproof.tools.certificate.law import TokenLaw, read_law
from ropeproof.tools.certificate.make import law_of_text
from ropeproof.tools.certificate.read import read_first_layer
from ropeproof.tools.certificate.show import (
    false,
    long_row_line,
    open_record,
    percent,
    printable,
    prompt_lines,
    sentences,
    table,
)
from ropeproof.tools.console.progress import working
from ropeproof.tools.console.terminal import console

__all__ = ["verify"]


def verify(
    file: str, source: str, *, draw: str, seed: int | None, law: str | None, text: str | None
) -> int:
    """Compare a record with a model and print the outcome; returns the exit code, 0 or 1.

    `draw` is how many queries of the law are computed again, or "all"; without a `seed` others are chosen
    each time. `law` names a law of the code or a JSON file, `text` a text; the record has to be about it.
    Raises `InvalidArgument` for another model, code, law or text, by name, and for what is no record.
    """
    count = _count(draw)
    if law is not None and text is not None:
        raise InvalidArgument("text", text, "only without --law")
    record = open_record(file)
    if source.endswith(".gguf"):
        require_extra("gguf", "`ropeproof certificate`", "gguf")
    else:
        require_extra("models", "a certificate of a model's directory")
    layer = read_first_layer(source)
    counts = None if law is None else read_law(law)
    counts = counts if text is None else law_of_text(source, text)
    chosen = secrets.randbits(32) if seed is None else seed
    with working("queries computed") as progress:

        def told(done: int, of: int) -> None:
            progress.show(None, done, of)

        found = check_record(record, layer, law=counts, draw=count, seed=chosen, progress=told)
    screen = console()
    if found.wrong:
        screen.print("\n".join(["The record is false:", *false(found.wrong)]), markup=False)
        return 1
    # From here on nothing is read from the record but the sizes that say what was computed.
    said = [*_computed(found, layer, record["lags"], record["long"]), ""]
    said += _summary(found, record["lags"], chosen)
    screen.print("\n".join(said), markup=False)
    return 0


def _count(draw: str) -> int | None:
    if draw == "all":
        return None
    try:
        count = int(draw)
    except ValueError:
        count = 0
    if count < 1:
        raise InvalidArgument("draw", draw, "an integer >= 1, or all")
    return count


def _law_line(law: TokenLaw, name: str | None) -> str:
    called = "name not compared" if name is None else printable(name)
    return (
        f"law: {called}, {law.total:,} tokens, {len(law.tokens):,} distinct, "
        f"counts {law.identity()[:16]}"
    )


def _computed(found: Comparison, layer: FirstLayer, lags: int, long: int) -> Iterator[str]:
    """Lines on what was computed here: the law's queries, rows with more keys, all prompts."""
    yield f"{printable(layer.name)}, layer 0, weights {layer.identity()[:16]}"
    yield _law_line(found.law, found.law_name)
    share = percent(found.mass, found.law.total)
    queries = found.queries[0]
    if queries == len(found.law.tokens):
        yield f"expected weight, rows of {lags} keys, query and keys from the law:"
    elif found.whole:
        yield f"not complete: queries of {share} of the law; the rest counts as 0 to 1"
        yield f"expected weight, rows of {lags} keys, query and keys from the law:"
    else:
        yield f"expected weight, rows of {lags} keys, keys from the law, the query from"
        yield f"those {queries} of its tokens that were computed here, {share} of it:"
    yield from table(found.computed["heads"])
    if found.computed["long_rows"]:
        yield long_row_line(found.computed["long_rows"], found.long_rows[1], long)
    if found.computed["prompts"]:
        computed, of = found.prompts
        counted = "" if computed == of else f"{computed} of {of} "
        yield f"every prompt of {lags} of all {layer.vocabulary:,} tokens, {counted}named queries:"
        yield from prompt_lines(found.computed["prompts"])


def _summary(found: Comparison, lags: int, seed: int) -> Iterator[str]:
    """Lines on what was compared, and what was not."""
    computed, of = found.queries
    parts = ["hashes of model and code, rotation, heads and vocabulary"]
    if found.whole:
        parts.append(
            f"{computed} of {of} queries computed again, and with them every head's mean at all {lags} lags"
        )
    else:
        parts.append(f"{computed} of {of} queries computed again (--seed {seed}), at the lags kept")
        parts.append("sums of the record with each other, but not with the model")
    parts.append(f"{found.long_rows[0]} of {found.long_rows[1]} long rows")
    parts.append(f"{found.prompts[0]} of {found.prompts[1]} bounds over all prompts")
    yield from sentences(
        f"Compared: {'; '.join(parts)}. Every number above was computed here, from the model and the law's "
        "counts; the record's lower bounds agree to .000002, widths to that and .0000001 a key."
    )
    rest = "; ".join(found.not_compared) or "nothing that the record states"
    more = "" if found.whole else " `--draw all` compares all queries, rows and bounds."
    yield from sentences(f"Not compared: {rest}.{more}")
