"""How thoroughly to test: the profiles quick, default and deep."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from secrets import randbits
from types import MappingProxyType

from ropeproof.numerics.core.profiles import CASES
from ropeproof.theory.errors import InvalidArgument

__all__ = ["PROFILES", "Profile", "profile"]


@dataclass(frozen=True)
class Profile:
    """The numbers of cases, points and attempts of each check; `fresh` draws new ones every run."""

    name: str
    cases: int
    witness_points: int
    attack_tries: int
    fresh: bool = False

    def random(self, *purpose: str) -> tuple[Random, str]:
        """A random generator for a purpose and its seed, the same at every run unless `fresh`."""
        seed = "/".join((*purpose, *([str(randbits(64))] if self.fresh else [])))
        return Random(seed), seed


PROFILES = MappingProxyType(
    {
        "quick": Profile("quick", cases=CASES["quick"], witness_points=2, attack_tries=1500),
        "default": Profile("default", cases=CASES["default"], witness_points=8, attack_tries=4000),
        "deep": Profile(
            "deep", cases=CASES["deep"], witness_points=40, attack_tries=20000, fresh=True
        ),
    }
)


def profile(name: str) -> Profile:
    """The profile with that name; raises `InvalidArgument` for an unknown name."""
    if name not in PROFILES:
        raise InvalidArgument("profile", name, ", ".join(PROFILES))
    return PROFILES[name]
