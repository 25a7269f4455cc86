"""Prints a certificate's record in lines of at most 80 columns, also one that nobody compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.certificate.law import TokenLaw
from ropeproof.tools.certificate.structure import UNITS, parse_record, read_record
from ropeproof.tools.certificate.sums import contradictions
from ropeproof.tools.console.terminal import console

__all__ = [
    "false",
    "lines",
    "long_row_line",
    "open_record",
    "percent",
    "printable",
    "prompt_lines",
    "sentences",
    "show",
    "table",
]

_SHOWN = 3
_DECIMALS = 10**4
_WIDTH = 80
_MOST_POINTS, _LONGEST = 20, 300


def open_record(file: str) -> Any:
    """The JSON value in a file. Raises `InvalidArgument` if it cannot be read or has a key twice."""
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InvalidArgument("file", file, f"a record ({error.__class__.__name__})") from None
    return parse_record(text, name="file")


def show(file: str) -> int:
    """Print what a record states, and that nothing was compared; returns the exit code, 0 or 1.

    Raises `InvalidArgument` for what is no record. A record that contradicts itself is not shown.
    """
    record = read_record(open_record(file))
    screen = console()
    wrong = contradictions(record, TokenLaw.from_json(record["law"]))
    if wrong:
        screen.print("\n".join(["The record contradicts itself:", *false(wrong)]), markup=False)
        return 1
    said = (
        "Not compared: all that follows is what the record states of itself, its names included. "
        "`ropeproof certificate verify FILE MODEL` compares it."
    )
    weights = (
        f"It is about a model with weights {printable(record['model']['weights'][:16])} and a text with the "
        f"hash {printable(record['law']['text'][:16])}. Neither was read: nothing was compared."
    )
    text = [*sentences(said), *lines(record), *sentences(weights)]
    screen.print("\n".join(text), markup=False)
    return 0


def lines(record: Mapping[str, Any]) -> Iterator[str]:
    """All that a record states, as lines: the law, each head's strongest lags, and what follows.

    After each head's lags with the largest expected weight come rows with more keys, and all prompts.
    `record` is one that was made in this process, or that `read_record` has checked.
    """
    law = record["law"]
    seen, total = record["mass"]
    yield (
        f"{printable(record['model']['name'])}, layer 0; law: {printable(law['name'])}, {total:,} tokens, "
        f"{len(law['tokens']):,} distinct"
    )
    if not record["complete"]:
        share = percent(seen, total)
        yield f"not complete: queries of {share} of the law; the rest counts as 0 to 1"
    yield f"expected weight, rows of {record['lags']} keys, query and keys from the law:"
    yield from table(record["heads"])
    if record["long_rows"]:
        yield long_row_line(record["long_rows"], len(record["long_rows"]), record["long"])
    if record["prompts"]:
        words = record["model"]["vocabulary"]
        yield f"every prompt of {record['lags']} of all {words:,} tokens, named queries:"
        yield from prompt_lines(record["prompts"])


def table(heads: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Lines of a table: the width of a head's enclosures, and the lags of its largest lower bounds."""
    yield "head  width   lag: from to"
    for head in heads:
        lower = head["lower"]
        best = sorted(range(len(lower)), key=lambda lag: -lower[lag])[:_SHOWN]
        shown = "   ".join(
            f"{lag}: {_down(lower[lag])} {_up(lower[lag] + head['slack'])}" for lag in sorted(best)
        )
        yield f"{head['head']:>4}  {_up(head['slack'])}  {shown}"


def long_row_line(rows: Sequence[Mapping[str, Any]], of: int, keys: int) -> str:
    """A line that says how wide the enclosures behind named queries are in rows with more keys."""
    widest = _up(max(max(row["slack"]) for row in rows))
    counted = f"{of}" if len(rows) == of else f"{len(rows)} of {of}"
    return f"rows of {keys} keys: {counted} named queries, enclosures at most {widest} wide"


def prompt_lines(prompts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Lines of a table: at how many lags no prompt has much weight, and lag 0's least weight."""
    yield "head  lags never above 1/2, never above 1/100; least weight of lag 0"
    for head in range(len(prompts[0]["heads"])):
        found = [one["heads"][head] for one in prompts]
        half, few = ([one[name] for one in found] for name in ("below_half", "below_hundredth"))
        own = [one["own"][0] for one in found]
        yield (
            f"{head:>4}  {min(half)} to {max(half)}, {min(few)} to {max(few)}; "
            f"{_small(min(own))} to {_small(max(own))}"
        )


def _down(units: int) -> str:
    """A lower bound as a text of four decimals, rounded down."""
    return f"{units * _DECIMALS // UNITS / _DECIMALS:.4f}"


def _up(units: int) -> str:
    """An upper bound as a text of four decimals, rounded up."""
    return f"{-(-units * _DECIMALS // UNITS) / _DECIMALS:.4f}"


def _small(units: int) -> str:
    """A lower bound as a text of two digits and a power of ten, rounded down."""
    exponent = len(str(units)) - 1
    digits = units * 10 // 10**exponent
    return f"{digits // 10}.{digits % 10}e{exponent - len(str(UNITS)) + 1:+03d}" if units else "0"


def percent(part: int, of: int) -> str:
    """A share in percent, rounded down."""
    return f"{part * 1000 // of / 10:.1f}%"


def false(wrong: Sequence[str]) -> list[str]:
    """The first of the points in which a record is false, as lines of limited length."""
    told = [
        one if len(one) <= _LONGEST else f"{one[:_LONGEST]} ..." for one in wrong[:_MOST_POINTS]
    ]
    more = len(wrong) - len(told)
    return [*told, *([f"and {more} more"] if more else [])]


def sentences(text: str) -> list[str]:
    """Prose in lines of at most 80 columns."""
    return wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


def printable(text: str) -> str:
    """A name from a file, shortened, and escaped if a terminal might execute it."""
    short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."
    return short if short.isprintable() else ascii(short)
