"""What was found of a user's rotation: a proof, a counterexample, or what stops the proof."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ropeproof.theory.language.claim import Claim

__all__ = ["RotationProof", "Verdict", "WrongCall"]

Verdict = Literal["proved", "proved in part", "refuted", "not proved"]


@dataclass(frozen=True)
class WrongCall:
    """A call on which the user's function gives something else than the spec.

    - `positions`: the positions of the call, of its first row;
    - `vector`: the coordinate of the vector that is 1, all others are 0; None where the vectors are those
      that `Setup.arguments` draws from the seed `FINE`; `index` is (batch, head, token);
    - `coordinate`: the coordinate of the result that is wrong;
    - `formula` and `expected`: what the code's formula gives there and what the spec says, as decimals of
      balls that lie apart; `observed`: what the function returned when it was run on it. Without a
      formula (`formula` is None) a run is further from the spec than rounding explains.
    - `setting`: the sizes and types of the call, in words; `batch`, `heads` and `dtype` are those of it.
    - `history`: the calls before this one, of a function that keeps something between calls, or may do so:
      the positions of each, its batch, heads and type.
    - `diagnosis`: what differs, by the formulas.
    """

    positions: tuple[int, ...]
    index: tuple[int, int, int]
    vector: int | None
    coordinate: int
    formula: float | None
    expected: float
    observed: float
    diagnosis: str
    history: tuple[tuple[tuple[int, ...], int, int, str], ...] = ()
    setting: str = ""
    batch: int = 1
    heads: int = 1
    dtype: str = "float32"

    def __str__(self) -> str:
        batch, head, token = self.index
        where = f"positions {list(self.positions)}, row {batch}, head {head}, token {token}"
        if self.vector is None or self.formula is None:
            told = f"coordinate {self.coordinate} of a run is {self.observed:.9g}"
        else:
            told = f"x_{self.vector} = 1 gives coordinate {self.coordinate} = {self.formula:.9g}"
            told += f" (run: {self.observed:.9g})"
        seen = f"{told}, the spec says {self.expected:.9g}"
        if self.setting:
            seen += f"; in a call with {self.setting}"
        if self.history:
            largest = [max(one[0], default=0) for one in self.history]
            seen += f"; after {len(largest)} calls, with the largest positions {largest[-12:]}"
        return f"{self.diagnosis}\n  {where}: {seen}"


@dataclass(frozen=True)
class RotationProof:
    """The verdict on one function, in its own words.

    - `verdict`: `proved`; `proved in part` (the statement leaves out positions of the context);
      `refuted`, with `counterexample`, or with `reasons` where it returns another shape or changes its
      arguments; `not proved`, with `reasons`.
    - `statement`: what is proved, for which calls, and what it rests on, line by line.
    - `claims`: the statements that the kernel accepted, each with its derivation.
    - `covers`: the sizes and types of the calls that were recorded.
    - `seconds`: what it took, in seconds of a core.
    """

    subject: str
    verdict: Verdict
    statement: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    counterexample: WrongCall | None = None
    claims: tuple[Claim, ...] = ()
    covers: tuple[str, ...] = ()
    seconds: float = 0.0
    numbers: dict[str, Any] = field(default_factory=dict)

    def __bool__(self) -> bool:
        raise TypeError("a verdict has four values and no truth value: compare `verdict`")

    def claims_named(self, name: str) -> tuple[Claim, ...]:
        """The claims of the proof with ids `name.way-1` and so on, for the `CLAIMS` of a file of claims.

        Each says, for all real numbers that may stand for entries and constants, that the lines of the
        program which compute a coordinate give its formula; `name.frequencies` says how far the frequencies
        of the code are from the exact ones, where that is no equality of rational numbers. Such a file can
        be checked, shown and exported to Coq like any other (`--module FILE`).
        """
        return tuple(replace(c, id=f"{name}.{c.id.rpartition('.')[2]}") for c in self.claims)

    def text(self) -> str:
        """The verdict in full, as `ropeproof conform --prove` prints it."""
        lines = [f"{self.subject}: {self.verdict} ({self.seconds:.1f} s)"]
        lines += [f"  {line}" for line in self.statement]
        word = "because" if self.verdict == "refuted" else "stopped by"
        lines += [f"  {word}: {line}" for line in self.reasons]
        if self.counterexample is not None:
            lines.append(f"  counterexample: {self.counterexample}")
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        """The verdict as plain data."""
        found: dict[str, Any] = {"subject": self.subject, "verdict": self.verdict}
        found |= {"statement": list(self.statement), "reasons": list(self.reasons)}
        found |= {"covers": list(self.covers), "seconds": round(self.seconds, 3)}
        found["claims"] = [claim.id for claim in self.claims]
        if self.counterexample is not None:
            own = self.counterexample
            found["counterexample"] = {n: getattr(own, n) for n in own.__dataclass_fields__}
        return found | {"numbers": self.numbers}
