"""Makes a certificate: shows progress, keeps unfinished work, and writes the record in the end."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.extras import require_extra
from ropeproof.tools.certificate.law import TokenLaw, read_law
from ropeproof.tools.certificate.read import read_first_layer
from ropeproof.tools.certificate.record import Maker
from ropeproof.tools.certificate.show import lines, sentences
from ropeproof.tools.certificate.structure import MOST_KEYS
from ropeproof.tools.console.interrupt import advice
from ropeproof.tools.console.progress import working
from ropeproof.tools.console.terminal import check_target, console, write_whole

__all__ = ["law_of_text", "make"]

_SECONDS = 20.0
"""Seconds after which unfinished work is written again."""


def law_of_text(source: str, path: str) -> TokenLaw:
    """The law of a text's tokens under a model's tokenizer.

    Raises `InvalidArgument` if the text cannot be read.
    """
    try:
        data = Path(path).read_bytes()
        words = data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidArgument(
            "text", path, f"a text in UTF-8 ({error.__class__.__name__})"
        ) from None
    require_extra("models", "--text")
    from ropeproof.numerics.models.load import load_tokenizer

    return TokenLaw.of_ids(Path(path).name, data, load_tokenizer(source)(words)["input_ids"])


def make(
    source: str,
    output: str,
    *,
    law: str | None,
    text: str | None,
    short: bool,
    lags: int,
    long: int,
    named: int | None,
) -> None:
    """Makes the record and prints what it says; goes on from `output`.kept if that is there."""
    check_target("output", output)
    if output == "-":
        raise InvalidArgument("output", output, "a file")
    if law is not None and text is not None:
        raise InvalidArgument("text", text, "only without --law")
    for name, keys in (("lags", lags), ("long", long)):
        if not 2 <= keys <= MOST_KEYS:
            raise InvalidArgument(name, keys, f"an integer from 2 to {MOST_KEYS}")
    if named is not None and named < 0:
        raise InvalidArgument("named", named, "an integer >= 0")
    counts = read_law(law or ("apache-2.0" if short else "python-topics")) if text is None else None
    if source.endswith(".gguf"):
        require_extra("gguf", "`ropeproof certificate`", "gguf")
    else:
        require_extra("models", "a certificate of a model's directory")
    layer = read_first_layer(source)
    counts = counts or law_of_text(source, str(text))
    kept = Path(f"{output}.kept")
    maker = Maker(
        layer,
        counts,
        lags=lags,
        long=long,
        named=(4 if short else 8) if named is None else named,
        kept=kept,
    )
    with (
        advice(f"the same command goes on from {kept}"),
        working("queries") as progress,
    ):
        progress.show(None, maker.done, maker.pieces)
        last = time.monotonic()
        try:
            while maker.step():
                progress.show(None, maker.done, maker.pieces)
                if time.monotonic() - last > _SECONDS:
                    maker.keep()
                    last = time.monotonic()
        except KeyboardInterrupt:
            maker.keep()
            if maker.state["entries"]:  # what queries of the law are there already bound the rest
                _write(maker, output)
            raise
    record = _write(maker, output)
    with suppress(OSError):
        kept.unlink()
    said = list(lines(record))
    if maker.resumed:
        said += sentences(
            f"{maker.resumed} of {maker.pieces} pieces were read from {kept.name}, and not computed by this "
            "run: `ropeproof certificate verify --draw all` computes them again."
        )
    console().print("\n".join(said), markup=False)


def _write(maker: Maker, output: str) -> dict[str, Any]:
    """Writes the record, a few megabytes of integers, without indentation."""
    record = maker.record()
    text = json.dumps(record, separators=(",", ":")) + "\n"
    write_whole("output", text.encode(), output)
    return record
