"""Why a head attends where it does: the parts of single logits, with what the theorems bound.

`explained` is the function for a model and what it returns, `parts` splits logits by plane and by direction,
`directions` finds the parts of directions that the user gives, `query` finds the query that is meant, `show`
prints the result in 80 columns, `command` is `ropeproof measure --explain`. Importing this package imports
neither torch nor transformers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ropeproof.tools.lazy_names import lazy_names

if TYPE_CHECKING:
    from ropeproof.tools.measure.on_demand.explain.explained import (
        ExplainedKey,
        ExplainedQuery,
        explain_query,
    )
    from ropeproof.tools.measure.on_demand.explain.parts import LogitPart, PlanePart

__all__ = ["ExplainedKey", "ExplainedQuery", "LogitPart", "PlanePart", "explain_query"]

__getattr__ = lazy_names(
    __name__,
    {
        "ExplainedKey": "explained",
        "ExplainedQuery": "explained",
        "explain_query": "explained",
        "LogitPart": "parts",
        "PlanePart": "parts",
    },
)


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return list(__all__)
