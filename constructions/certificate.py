"""What a construction guarantees: a certificate, by the claim it is from and the type it is about."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ropeproof.theory.errors import InvalidArgument

__all__ = ["ARITHMETICS", "QUANTITIES", "Certificate"]

QUANTITIES: Mapping[str, str] = MappingProxyType(
    {
        "amplitude": "no logit is larger, in logits",
        "deviation": "tokens and rounding together move a logit by no more, in logits",
        "inverse_temperature": "what the scores are multiplied by, per logit",
        "length": "the longest sequence covered, in positions",
        "margin": "the target's logit minus the best other one, in logits, at least",
        "score": "the average weight on the target, a number from 0 to 1, at least; 0 is no guarantee",
        "weight": "the weight on the target at every row, a number from 0 to 1, at least",
    }
)
"""The quantities that a certificate can guarantee, and what each means."""

ARITHMETICS = ("float64", "float32", "bfloat16")
"""The types that a certificate can be about, by their names in torch."""


@dataclass(frozen=True)
class Certificate:
    """What a head guarantees, from which claim, and how that was computed.

    - `claim`: the id of the claim in the catalogue;
    - `quantities`: guaranteed values by a name of `QUANTITIES`;
    - `precision`: `"certified"` if each value is a bound computed in balls, or in float64 with its
      own rounding bounded, `"exact"` if it holds by construction, `"float64"` if it is only rounded;
    - `arithmetic`: the type in which the head may be run for the values to hold of what comes out,
      one of `ARITHMETICS`; None if they are about exact arithmetic;
    - `runs`: what is run in it: `"module"`, the construction's own (`to_module`), or `"model"`, one
      of transformers, whose norms and tables round in other places.

    Raises `InvalidArgument`.
    """

    claim: str
    quantities: Mapping[str, float] = field(default_factory=dict)
    precision: str = "exact"
    arithmetic: str | None = None
    runs: str = "module"

    def __post_init__(self) -> None:
        if not isinstance(self.claim, str) or not self.claim or any(map(str.isspace, self.claim)):
            raise InvalidArgument("claim", self.claim, "a claim id")
        if self.precision not in ("certified", "exact", "float64"):
            raise InvalidArgument("precision", self.precision, "'certified', 'exact' or 'float64'")
        if self.arithmetic is not None and self.arithmetic not in ARITHMETICS:
            allowed = f"None, {', '.join(ARITHMETICS)}"
            raise InvalidArgument("arithmetic", self.arithmetic, allowed)
        if self.runs not in ("module", "model"):
            raise InvalidArgument("runs", self.runs, "'module' or 'model'")
        for name, value in self.quantities.items():
            if name not in QUANTITIES:
                raise InvalidArgument("quantities", name, f"one of {', '.join(QUANTITIES)}")
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise InvalidArgument("quantities", value, "numbers")
            if not math.isfinite(value):
                raise InvalidArgument("quantities", value, "finite numbers")
        object.__setattr__(self, "quantities", MappingProxyType(dict(self.quantities)))

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only view of a dict has no pickle: the certificate is made again, and checked again.
        values = dict(self.quantities)
        return type(self), (self.claim, values, self.precision, self.arithmetic, self.runs)

    def to_dict(self) -> dict[str, Any]:
        """Claim, quantities, precision, arithmetic and what is run, as values that JSON can hold."""
        return {
            "claim": self.claim,
            "quantities": dict(self.quantities),
            "precision": self.precision,
            "arithmetic": self.arithmetic,
            "runs": self.runs,
        }

    def brief(self) -> str:
        """The claim and the quantities in one line."""
        values = ", ".join(f"{name} {value:.6g}" for name, value in self.quantities.items())
        said = f" ({self.note})" if self.note else ""
        return f"{self.claim}{': ' if values else ''}{values}{said}"

    @property
    def note(self) -> str:
        """A note that the numbers are the module's and not a model's; empty where none is needed.

        It is needed where the guarantee is about the module in a type narrower than float64.
        """
        if self.runs == "model" or self.arithmetic in (None, "float64"):
            return ""
        own = f"of the module in {self.arithmetic}"
        return f"{own}; a model's rounding is another: certify_head, certify_network"

    def __repr__(self) -> str:
        values = ", ".join(f"{name} {value:.6g}" for name, value in self.quantities.items())
        about = f"{self.precision}, {self.arithmetic or 'exact arithmetic'}"
        return (
            f"<Certificate by {self.claim}{': ' if values else ''}{values}; {about}, {self.runs}>"
        )

    def __str__(self) -> str:
        return f"{self!r} ({self.note})" if self.note else repr(self)

    def _repr_markdown_(self) -> str:
        about = "exact arithmetic" if self.arithmetic is None else self.arithmetic
        rows = [f"| {n} | {v:.10g} | {QUANTITIES[n]} |" for n, v in self.quantities.items()]
        said = f": {self.note}" if self.note else ""
        lines = [f"Certificate from `{self.claim}`, {self.precision}, for {about}{said}"]
        if rows:
            lines += ["", "| quantity | value | meaning |", "| --- | ---: | --- |", *rows]
        return "\n".join(lines)
