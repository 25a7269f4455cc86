"""One question about serving a model, and its answer in words and numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.tools.assess.quantities import (
    LEVELS,
    AngleErrors,
    BlindTables,
    Criterion,
    DecodingKept,
    Rerotation,
    Returns,
    SinkKept,
    SlashKept,
    Turns,
)

__all__ = [
    "Answer",
    "of_angles",
    "of_criterion",
    "of_decoding",
    "of_rerotation",
    "of_returns",
    "of_sink",
    "of_slash",
    "of_tables",
    "of_turns",
    "refused",
    "slash_question",
    "without_meaning",
]


@dataclass(frozen=True)
class Answer:
    """A question with the verdict True (yes), False (no) or None (not known).

    `text` says why in one or two sentences; `numbers` are plain data for JSON, `claims` what they stand on.
    `applies` is False of a question that has no meaning for this setting; its verdict is None then.
    """

    id: str
    question: str
    verdict: bool | None
    text: str
    numbers: dict[str, Any]
    claims: tuple[str, ...]
    applies: bool = True

    @property
    def said(self) -> str:
        """The verdict as a word: "yes", "no", "not known", or that the question does not apply."""
        if not self.applies:
            return "does not apply"
        return {True: "yes", False: "no", None: "not known"}[self.verdict]


def _ends(found: Enclosure) -> list[float]:
    return [found.lower, found.upper]


def up(value: float, digits: int = 3) -> str:
    """A number as text with that many significant digits, rounded up."""
    return _digits(value, digits, math.ceil)


def down(value: float, digits: int = 3) -> str:
    """A number as text with that many significant digits, rounded down."""
    return _digits(value, digits, math.floor)


def _digits(value: float, digits: int, whole: Callable[[float], int]) -> str:
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    power = digits - 1 - math.floor(math.log10(abs(value)))
    scaled = value * 10.0**power
    # A double that was rounded to `digits` is not to be rounded again.
    near = round(scaled)
    shown = near if abs(scaled - near) < 1e-9 * abs(scaled) else whole(scaled)
    return f"{shown / 10.0**power:.{digits}g}"


def planes(count: int, of: int) -> str:
    """How many of all planes, in words: "3 of 64 planes"."""
    return f"{count} of {of} planes"


def of_angles(found: AngleErrors, table: float) -> Answer:
    """The answer to whether angles formed in a number type are nearest to their own exact ones."""
    count, worst = len(found.planes), found.worst
    wrong = [n for n, m in enumerate(found.mistaken) if m]
    verdict: bool | None = not wrong
    if not wrong and None in found.mistaken:
        verdict = None
    same = [p for p in found.same if p is not None]
    text = (
        f"The largest error is {up(found.planes[worst].upper)} radians, on plane {worst} at position "
        f"{found.positions[worst]:,}; {planes(len(wrong), count)} have an angle that is nearer to a "
        f"neighbour's. "
    )
    if same:
        text += f"From position {min(same):,} on neighbours get the same angle. "
    text += (
        f"A logit moves by at most {up(found.worst_logit)} per unit amplitude "
        f"({up(found.logit)} if all planes have the same), and by {up(table)} more if cosines and "
        f"sines are kept in {found.dtype}."
    )
    numbers = {
        "largest_error": _ends(found.planes[worst]),
        "plane": worst,
        "position": found.positions[worst],
        "planes_mistaken": wrong,
        "first_equal_neighbours": min(same) if same else None,
        "logit_per_amplitude": found.worst_logit,
        "logit_per_amplitude_uniform": found.logit,
        "logit_per_amplitude_tables": table,
        "planes": [
            {"error": _ends(e), "position": p, "first_equal_neighbours": s, "mistaken": m}
            for e, p, s, m in zip(
                found.planes, found.positions, found.same, found.mistaken, strict=True
            )
        ],
    }
    question = (
        f"Is every angle that is formed in {found.dtype} nearer to its own position's than to a "
        "neighbour's?"
    )
    return Answer("angles", question, verdict, text, numbers, ("slash.precision",))


def of_tables(found: BlindTables) -> Answer:
    """The answer to whether tables in a number type tell neighbours apart on every plane."""
    blind = [n for n, pairs in enumerate(found.pairs) if pairs]
    always = [n for n, pairs in enumerate(found.pairs) if pairs == found.length - 1]
    if blind:
        least = min(p for p in found.first if p is not None)
        worst = max(blind, key=lambda n: found.pairs[n])
        share = found.pairs[worst] / (found.length - 1)
        text = (
            f"{planes(len(blind), len(found.pairs))} have neighbours with equal cosines and sines, the "
            f"first at position {least:,}; on plane {worst} it is {down(100 * share)}% of all "
            f"neighbours. {len(found.pairs) - len(blind)} planes tell all of them apart."
        )
    else:
        text = f"All {len(found.pairs)} planes have different entries at any two neighbours."
    numbers = {
        "blind_planes": blind,
        "always_blind": always,
        "planes": [
            {"equal_neighbours": n, "first": p}
            for n, p in zip(found.pairs, found.first, strict=True)
        ],
    }
    question = f"Do tables of exact angles in {found.dtype} tell neighbours apart on every plane?"
    return Answer("neighbours", question, not blind, text, numbers, ())


def of_returns(found: Returns) -> Answer:
    """The answer to whether lag 1 is the lag nearest to lag 0, with all planes counted alike."""
    back = [lag for lag in found.planes if lag is not None]
    ghost = found.ghost
    text = (
        f"With the same amplitude on all planes a logit falls by {down(found.step.lower, 4)} at lag 1 "
        f"and by at least {down(found.least.lower, 4)} at every lag (lag {found.least.lag:,}). "
        f"Alone, {planes(len(back), len(found.planes))} come nearer to where they were than at lag 1"
        + (f", the first at lag {min(back):,}." if back else ".")
    )
    numbers = {
        "fall_at_lag_1": _ends(found.step),
        "least_fall": _ends(found.least),
        "least_fall_lag": found.least.lag,
        "planes_first_return": list(found.planes),
    }
    question = "Is lag 1 the lag nearest to lag 0, all planes counted alike?"
    verdict = None if ghost is None else not ghost
    return Answer("returns", question, verdict, text, numbers, ("index.staircase", "slash.uniform"))


def of_criterion(found: Criterion) -> Answer:
    """The answer to whether the base criterion holds at the length, and at other bases."""
    first = found.first_negative
    told = "no lag" if first is None else f"lag {first:,} is the first that"
    text = (
        f"The base is {found.base:g}; {told} breaks it. Other bases: "
        + ", ".join(
            f"{base:g} {'holds' if lag is None else f'fails at {lag:,}'}"
            for base, lag in found.others
        )
        + ". "
    )
    pair = found.not_monotone
    text += (
        f"Here {pair[0]:g} holds and the larger {pair[1]:g} does not: "
        if pair is not None
        else "It says little: "
    )
    text += (
        "it is not monotone in the base, and is about queries and keys with the same amplitude on every "
        "plane only."
    )
    numbers = {
        "base": found.base,
        "first_negative_lag": first,
        "other_bases": [{"base": b, "first_negative_lag": lag} for b, lag in found.others],
    }
    question = "Do the cosines of all planes add up to 0 or more at every lag?"
    return Answer("criterion", question, first is None, text, numbers, ("rope.base-criterion",))


def of_turns(found: Turns) -> Answer:
    """The answer to whether planes without a full turn in training meet only trained angles."""
    count = len(found.seen)
    text = (
        f"Over {found.trained:,} positions {planes(len(found.partial), count)} turn less than once; "
        f"{len(found.new)} of these come, within {found.length:,}, to the angle of position "
        f"{found.trained:,}, the first that training did not have, or beyond it."
    )
    if found.new:
        far = max(found.new, key=lambda n: found.served[n].lower / found.seen[n].upper)
        times = found.served[far].lower / found.seen[far].upper
        text += f" Plane {far} turns {down(times)} times as far."
    numbers = {
        "trained": found.trained,
        "partial_planes": list(found.partial),
        "new_angles": list(found.new),
        "planes": [
            {"turns_trained": _ends(a), "turns_served": _ends(b)}
            for a, b in zip(found.seen, found.served, strict=True)
        ],
    }
    question = "Do planes that saw less than one turn in training stay within what they saw?"
    return Answer("turns", question, not found.new, text, numbers, ())


def of_sink(found: SinkKept, window: int | None = None) -> Answer:
    """The answer to whether a query can guarantee the first token a logit at every position.

    `window` is the number of positions that a layer with a sliding window sees, None without such layers.
    """
    part = "half" if found.share == 0.5 else f"{found.share:g}"
    text = (
        f"Wherever it stands within {found.length:,} positions, some query guarantees the first token a "
        f"logit of {down(found.least, 4)} per unit amplitude, and none more than {up(found.most, 4)}"
    )
    if found.lost is None:
        text += "; a plane that stands still keeps all of it at any length."
    else:
        text += (
            f". At least {part} of the amplitude is guaranteed up to {found.kept + 1:,} positions, and no "
            f"query guarantees {part} from {found.lost + 1:,} on."
        )
    text += " This is a logit, not a weight: what the other keys get is not counted."
    if window is not None and window < found.length:
        text += (
            f" Layers with the sliding window of {window:,} do not see the first token from position "
            f"{window:,} on."
        )
    if found.verdict is None:
        text += f" Whether it is {part} here is not decided by these bounds."
    numbers = {
        "share": found.share,
        "guaranteed_per_amplitude": [found.least, found.most],
        "guaranteed_up_to": None if found.lost is None else found.kept + 1,
        "not_guaranteed_from": None if found.lost is None else found.lost + 1,
        "sliding_window": window,
        "closed_form": found.closed,
    }
    question = (
        f"Can a query guarantee the first token (a sink, instructions) a logit of {part} "
        f"{'its' if part == 'half' else 'of its'} amplitude wherever it stands?"
    )
    claims = ("head.sink-horizon", "head.sink-uniform")
    return Answer("sink", question, found.verdict, text, numbers, claims)


def slash_question(offset: int) -> str:
    """The question about a slash head that attends `offset` positions back."""
    return (
        f"Does a head that attends {offset:,} back keep more weight there than on all other "
        "positions together?"
    )


def of_slash(found: SlashKept, dtype: str) -> Answer:
    """The answer to whether a slash head made for the trained length keeps most of its weight.

    Its weights are run at the served length, in the number type.
    """
    theorem = (
        f"slash.scaling-survival promises a margin of {down(found.guaranteed)} logits"
        if found.guaranteed > 0
        else "slash.scaling-survival promises no margin"
    )
    text = (
        f"A head of amplitude {up(found.amplitude, 4)} with the score {down(found.before)} in training "
        f"has {down(found.after.lower)} .. {up(found.after.upper)} here; tables in {dtype} and angles in "
        f"float32 move a logit by at most {up(found.moved)}, which leaves {down(found.in_type)} or more; "
        f"{theorem}. A head made for this length needs the amplitude {down(found.needed, 4)} at least."
    )
    if found.kept is None:
        text += " Whether it is more than half in the type is not decided by these bounds."
    numbers = {
        "offset": found.offset,
        "score": found.score,
        "amplitude": found.amplitude,
        "score_trained": found.before,
        "score_served": _ends(found.after),
        "logit_moves": found.moved,
        "logit_moves_any_rounding": found.moved_any,
        "score_in_type": found.in_type,
        "margin_guaranteed": found.guaranteed,
        "amplitude_needed": found.needed,
    }
    question = slash_question(found.offset)
    claims = ("slash.emergence", "slash.scaling-survival", "slash.precision")
    return Answer(f"slash-{found.offset}", question, found.kept, text, numbers, claims)


_TASKS = {
    "index": "every integer up to the length (index head)",
    "retrieval": "8 letters wherever they stand (retrieval head)",
}


def of_decoding(found: DecodingKept, dtype: str) -> Answer:
    """The answer to whether some index or retrieval head decodes all served inputs in a type."""

    def size(value: float | None) -> str:
        return "no head found" if value is None else f"amplitude {up(value, 4)}"

    in_type = found.in_type if math.isfinite(found.in_type) else None
    text = f"In exact arithmetic: {size(found.before)} in training, {size(found.after)} here"
    if found.needed is not None:
        text += f", where every head needs {down(found.needed, 4)}"
    text += f". In {dtype} with angles in float32: "
    text += "not decided by balls." if found.undecided else f"{size(in_type)}."
    numbers = {
        "amplitude_trained": found.before,
        "amplitude_served": found.after,
        "amplitude_needed": found.needed,
        "amplitude_in_type": in_type,
        "undecided": found.undecided,
    }
    question = f"Is there a head that decodes {_TASKS[found.task]} in {dtype}?"
    return Answer(found.task, question, found.kept, text, numbers, (f"{found.task}.temperature",))


def refused(id: str, question: str, reason: str) -> Answer:
    """The answer "not known" to a question that could not be decided, with the reason."""
    return Answer(id, question, None, f"Not computed: {reason}.", {}, ())


def without_meaning(id: str, question: str, reason: str) -> Answer:
    """The answer to a question that does not apply to a setting, with the reason."""
    return Answer(id, question, None, f"{reason}.", {}, (), applies=False)


_STAYS = 0.1
"""The part of its norm within which a key that was turned again is asked to stay."""


def of_rerotation(found: Sequence[Rerotation], dtype: str) -> Answer:
    """The answer to whether a cached key stays near its place when it is rotated many times."""
    single = [one for one in found if one.by == 1]
    own = next(one for one in single if one.dtype == one.inside == dtype)
    text = ""
    for one in single:
        counts = ", ".join(f"{turns:,}" for turns in one.allowed)
        done, error = max(one.seen)
        start = (
            ""
            if text
            else "After so many turns by one position a key is off by 1 %, 10 %, 100 % of "
        )
        start += "" if text else "its norm at most: "
        text += f"{start}{_arithmetic(one)} {counts} ({down(error, 2)} seen after {done:,}); "
    text = text.removesuffix("; ") + ". One turn by the sum of all: "
    text += ", ".join(f"{_arithmetic(one)} {up(one.once, 2)}" for one in single) + "."
    numbers = {
        "turns": own.turns,
        "arithmetics": [
            {
                "type": one.dtype,
                "operations": one.inside,
                "by": one.by,
                "turns": one.turns,
                "per_turn": one.per_turn,
                "bound": one.bound if math.isfinite(one.bound) else None,
                "one_turn": one.once,
                "turns_within": dict(zip(map(str, LEVELS), one.allowed, strict=True)),
                "seen": [{"turns": turns, "error": error} for turns, error in one.seen],
            }
            for one in found
        ],
    }
    question = (
        f"Does a cached key that is turned on by one position {own.turns:,} times in {dtype} stay within "
        "a tenth of its norm of where it belongs?"
    )
    return Answer(
        "rerotation", question, own.within(_STAYS), text, numbers, ("rope.rerotation", "rope.group")
    )


def _arithmetic(one: Rerotation) -> str:
    """The number types of a cache and of the operations on it, in words."""
    return one.dtype if one.inside == one.dtype else f"{one.dtype} turned in {one.inside}"
