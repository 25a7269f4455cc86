"""SymPy, imported when it is first used: reading and judging a configuration needs none of it."""

from __future__ import annotations

from typing import Any

__all__ = ["sympy"]


class _Later:
    """Stands for the module `sympy`, whose import takes most of a second."""

    def __getattr__(self, name: str) -> Any:
        import sympy as module

        return getattr(module, name)


sympy: Any = _Later()
