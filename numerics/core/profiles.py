"""How thorough the property tests are, as Hypothesis settings: quick, default and deep.

`quick` and `default` are derandomised: the same examples at every run. `deep` draws fresh ones.
The numbers of cases are defined here, on the lowest floor that draws anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from ropeproof.theory.errors import InvalidArgument

if TYPE_CHECKING:
    from hypothesis import settings

__all__ = ["CASES", "FRESH", "settings_for"]

CASES: Mapping[str, int] = MappingProxyType({"quick": 25, "default": 150, "deep": 1500})
FRESH = frozenset({"deep"})


def settings_for(name: str, *, cases: int | None = None) -> settings:
    """The Hypothesis settings of a profile, without a deadline and without a database.

    `cases` replaces the number of examples. Raises `InvalidArgument` for an unknown profile or
    `cases < 1`.
    """
    if name not in CASES:
        raise InvalidArgument("profile", name, ", ".join(CASES))
    if cases is not None and (isinstance(cases, bool) or not isinstance(cases, int) or cases < 1):
        raise InvalidArgument("cases", cases, "an integer >= 1")
    from hypothesis import HealthCheck, settings

    return settings(
        max_examples=CASES[name] if cases is None else cases,
        derandomize=name not in FRESH,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        print_blob=False,
    )
