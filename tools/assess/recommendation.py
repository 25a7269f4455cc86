"""Which scaling and factor serve a length: every candidate with its certified numbers, and a stated rule.

The candidates are no scaling, the model's own, and each kind that a configuration can name, at the least
factor that brings the served length to the trained one (in quarters) and at twice that. The rule: of those
under which every plane that turned less than once in training stays before the angle of the first position
that training did not have, the one whose slash heads, 1 and
half the trained length back, keep most of their weight in the type, the worse of the two. Bounds that overlap
do not distinguish scalings, and the report says so. It does not cover heads of another kind, or a model that
is trained further with its scaling.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ropeproof.theory.errors import Unsupported
from ropeproof.tools.assess import quantities as numbers
from ropeproof.tools.assess.answers import down, up
from ropeproof.tools.assess.quantities.types import read_type
from ropeproof.tools.assess.serving import ServingSetting, read_setting
from ropeproof.tools.assess.show import described

__all__ = ["Candidate", "Recommended", "recommend", "recommended_json", "recommended_table"]

KINDS = ("linear", "dynamic", "yarn", "llama3")


@dataclass(frozen=True)
class Candidate:
    """A scaling as `--scaling` takes it (None: the model's own), and its numbers at the length.

    - `least`: a certified lower bound of what the worse slash head keeps in the type, `most` an upper one;
    - `reach`: the position, counted at the trained frequencies, whose angle is the furthest that a plane
      with less than one turn in training comes to, rounded up, 0 if every plane saw a whole turn;
    - `seen`: whether every plane stays before the first position that training did not have, which is
      decided exactly (`ropeproof.tools.assess.quantities.Turns`);
    - `ghost`: a lag other than 1 that is nearest to lag 0, None without;
    - `first_negative`: the first lag that breaks the base criterion, None without.
    """

    scaling: str | None
    setting: ServingSetting
    slash: tuple[numbers.SlashKept, ...]
    reach: float
    seen: bool
    partial_planes: int
    ghost: int | None
    first_negative: int | None

    @property
    def least(self) -> float:
        """What the worse slash head keeps in the type, at least."""
        return min(kept.in_type for kept in self.slash)

    @property
    def most(self) -> float:
        """What the worse slash head keeps in the type, at most."""
        return min(kept.most_in_type for kept in self.slash)

    @property
    def said(self) -> str:
        """The candidate's scaling in words."""
        return "the model's own" if self.scaling is None else self.scaling


@dataclass(frozen=True)
class Recommended:
    """All candidate scalings, best first: those whose angles were seen in training before the others."""

    dtype: str
    candidates: tuple[Candidate, ...]

    @property
    def best(self) -> Candidate:
        """The candidate that the rule names, by lower bounds."""
        return self.candidates[0]

    @property
    def close(self) -> tuple[Candidate, ...]:
        """Candidates that the rule allows and that may keep as much as the best one."""
        best, rest = self.candidates[0], self.candidates[1:]
        return tuple(c for c in rest if c.most >= best.least and c.seen is best.seen)


def _texts(ratio: Fraction, *, own: bool) -> Iterator[str | None]:
    if own:
        yield None
    yield "none"
    if ratio <= 1:
        return
    # A step more than what was seen is allowed, so that 4 times the length is the factor 4.
    least = Fraction(math.ceil(ratio * 4), 4)
    for kind in KINDS:
        for factor in (least, 2 * least):
            yield f"{kind}:{float(factor):g}"


def recommend(
    config: str | None,
    preset: str | None,
    *,
    length: int,
    dtype: str,
    trained: int | None = None,
    layer: int | None = None,
    part: str | None = None,
    score: float = 0.9,
    progress: Callable[[str, int, int], None] | None = None,
) -> Recommended:
    """The scalings with which a model can be served at a length, certified, best first.

    Arguments and errors as of `read_setting` and `assess`; a scaling that is not possible for the
    model, such as one that needs more planes, is left out. Cost: the heads are sought once, and each
    candidate is some passes over all lags.
    """
    read_type(dtype)
    first = read_setting(config, preset, length=length, trained=trained, layer=layer, part=part)
    plain = read_setting(
        config, preset, length=length, scaling="none", layer=layer, trained=trained, part=part
    )
    own = first.after != plain.after
    texts = list(_texts(Fraction(length, plain.trained), own=own))
    if not own:
        texts = [t for t in texts if t is not None]
    offsets = sorted({1, max(min(plain.trained, length) // 2, 1)})
    found = []
    for number, text in enumerate(texts):
        if progress is not None:
            progress(text or "own", number, len(texts))
        try:
            setting = read_setting(
                config, preset, length=length, scaling=text, trained=trained, layer=layer, part=part
            )
            found.append(_candidate(text, setting, offsets, dtype, score))
        except Unsupported:
            continue
    if not found:
        raise Unsupported("slash heads for this model: there is nothing to choose by")
    found.sort(key=lambda one: (not one.seen, -one.least))
    return Recommended(dtype, tuple(found))


def _candidate(
    text: str | None, setting: ServingSetting, offsets: list[int], dtype: str, score: float
) -> Candidate:
    before, after, length = setting.before, setting.after, setting.length
    slash = tuple(
        numbers.slash_kept(
            before,
            after,
            offset=offset,
            trained=setting.trained,
            length=length,
            dtype=dtype,
            score=score,
            needed=False,
        )
        for offset in offsets
    )
    turns = numbers.turns(before, after, trained=setting.trained, length=length)
    back = numbers.returns(after, length=length)
    return Candidate(
        text,
        setting,
        slash,
        _reach(turns),
        not turns.new,
        len(turns.partial),
        back.least.lag if back.ghost else None,
        numbers.first_negative_lag(after, below=length),
    )


def _reach(turns: numbers.Turns) -> float:
    """The trained position whose angle the furthest partial plane comes to when served, rounded up.

    Partial planes are those that turned less than once in training; 0 without any.
    """
    ends = [turns.served[l].upper / turns.seen[l].lower for l in turns.partial]
    last = (turns.length - 1) / turns.length
    return max(ends, default=0.0) * turns.trained * last * (1 + 2.0**-48)


def _numbers(one: Candidate) -> dict[str, Any]:
    return {
        "scaling": one.said,
        "served": described(one.setting.after),
        "slash": [
            {
                "offset": kept.offset,
                "amplitude": kept.amplitude,
                "score_trained": kept.before,
                "score_served": [kept.after.lower, kept.after.upper],
                "score_in_type": [kept.in_type, kept.most_in_type],
                "logit_moves": kept.moved,
                "margin_guaranteed": kept.guaranteed,
            }
            for kept in one.slash
        ],
        "worse_score_in_type": [one.least, one.most],
        "partial_planes": one.partial_planes,
        "reach": one.reach,
        "angles_seen": one.seen,
        "ghost": one.ghost,
        "first_negative_lag": one.first_negative,
    }


def recommended_json(found: Recommended) -> dict[str, Any]:
    """The candidate scalings as plain data, schema 1, best first, and which of them are not distinguished."""
    setting = found.best.setting
    return {
        "schema": 1,
        "name": setting.name,
        "dtype": found.dtype,
        "length": setting.length,
        "trained": setting.trained,
        "trained_as": described(setting.before),
        "recommended": found.best.said,
        "not_told_apart": [one.said for one in found.close],
        "candidates": [_numbers(one) for one in found.candidates],
    }


def recommended_table(found: Recommended) -> Group:
    """The candidate scalings as a table for a reader."""
    setting, best = found.best.setting, found.best
    title = (
        f"{setting.name} for {setting.length:,} positions in {found.dtype}; "
        f"trained at {setting.trained:,}: {described(setting.before)}"
    )
    shown = Table(box=None, header_style="bold", pad_edge=False)
    shown.add_column("scaling")
    for kept in best.slash:
        shown.add_column(f"slash {kept.offset:,} back: exact", justify="right")
        shown.add_column(f"in {found.dtype}", justify="right")
        shown.add_column("margin", justify="right")
    shown.add_column("slow planes reach", justify="right")
    shown.add_column("ghost", justify="right")
    shown.add_column("criterion", justify="right")
    for one in found.candidates:
        cells = []
        for kept in one.slash:
            cells += [down(kept.after.lower), f"{down(kept.in_type)} .. {up(kept.most_in_type)}"]
            cells.append(down(kept.guaranteed) if kept.guaranteed > 0 else "none")
        cells.append(f"{math.ceil(one.reach):,}" + ("" if one.seen else ", not seen"))
        cells.append("none" if one.ghost is None else f"lag {one.ghost:,}")
        broken = one.first_negative
        cells.append("holds" if broken is None else f"fails at {broken:,}")
        shown.add_row(one.said, *cells)
    told = f"Recommended: {best.said}. "
    if best.seen:
        told += "No plane meets an angle that it did not see in training, and where that is so "
        told += f"the worse of the two slash heads keeps most, at least {down(best.least)}."
    else:
        told += "Every scaling here meets angles that were not seen in training; "
        told += f"the worse of the two slash heads keeps most, at least {down(best.least)}."
    if found.close:
        names = ", ".join(one.said for one in found.close)
        told += f" These bounds do not distinguish it from {names}."
    if best.most < 0.5:
        told += " That is less than half: the heads as trained do not survive it."
    told += " A model that is trained further with its scaling may behave differently."
    return Group(Text(title, style="bold"), shown, Text(told))
