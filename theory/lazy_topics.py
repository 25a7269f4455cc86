"""A topic's claims from its modules, which are imported when they are asked for and not before."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from ropeproof.theory.language.claim import Claim, stated_by

__all__ = ["LazyTopic", "claims_of", "joined"]


@dataclass(frozen=True)
class LazyTopic:
    """The `__getattr__` of a package: its `CLAIMS`, and its modules by their last names."""

    package: str
    modules: tuple[str, ...]

    def __call__(self, name: str) -> Any:
        """The attribute of the package, which has it from then on. Raises `AttributeError`."""
        homes = {home.removeprefix(f"{self.package}."): home for home in self.modules}
        if name == "CLAIMS":
            from ropeproof.theory import sympy_speed  # SymPy: only where claims are read

            with sympy_speed.faster():
                found = [claims_of(import_module(home)) for home in self.modules]
            value: Any = tuple(claim for claims in found for claim in claims)
        elif name in homes:
            value = import_module(homes[name])
        else:
            raise AttributeError(f"module {self.package!r} has no attribute {name!r}")
        setattr(sys.modules[self.package], name, value)
        return value


def claims_of(module: ModuleType) -> tuple[Claim, ...]:
    """The claims of a topic: those that a module states, or those of the modules that a package joins."""
    if isinstance(vars(module).get("__getattr__"), LazyTopic):
        return tuple(module.CLAIMS)
    return stated_by(module)


def joined(package: str, *modules: str) -> LazyTopic:
    """The `__getattr__` of a package whose tuple `CLAIMS` joins those of its modules.

    `modules` are names within the package (`"lags"`, `"game.bands"`), or whole ones that begin with
    `ropeproof.`, in the order in which a reader meets their claims. They are imported when `CLAIMS`
    is first read.
    """
    whole = (m if m.startswith("ropeproof.") else f"{package}.{m}" for m in modules)
    return LazyTopic(package, tuple(whole))
