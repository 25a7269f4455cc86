"""Functions that notice a tracer, and functions of which a tracer does not notice all."""

from __future__ import annotations

from attack.tracer import noticed, unseen

__all__ = ["noticed", "unseen"]
