"""`ropeproof assess`: what a base, a scaling and a number type can do at a length.

One answer per question, each with its certified numbers; no grade of the whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ropeproof.tools.lazy_names import lazy_names

if TYPE_CHECKING:
    from ropeproof.tools.assess.answers import Answer
    from ropeproof.tools.assess.draw import plot
    from ropeproof.tools.assess.engine_settings import FORMATS, emit
    from ropeproof.tools.assess.recommendation import (
        Recommended,
        recommend,
        recommended_json,
        recommended_table,
    )
    from ropeproof.tools.assess.scaling import read_scaling
    from ropeproof.tools.assess.serving import Serving, ServingSetting, read_setting, serve
    from ropeproof.tools.assess.show import as_json, brief, rows, table, title

__all__ = [
    "FORMATS",
    "Answer",
    "Recommended",
    "Serving",
    "ServingSetting",
    "as_json",
    "brief",
    "emit",
    "plot",
    "read_scaling",
    "read_setting",
    "recommend",
    "recommended_json",
    "recommended_table",
    "rows",
    "serve",
    "table",
    "title",
]

__getattr__ = lazy_names(
    __name__,
    {
        "Answer": "answers",
        "plot": "draw",
        "FORMATS": "engine_settings",
        "emit": "engine_settings",
        "Recommended": "recommendation",
        "recommend": "recommendation",
        "recommended_json": "recommendation",
        "recommended_table": "recommendation",
        "read_scaling": "scaling",
        "Serving": "serving",
        "ServingSetting": "serving",
        "read_setting": "serving",
        "serve": "serving",
        "as_json": "show",
        "brief": "show",
        "rows": "show",
        "table": "show",
        "title": "show",
    },
)


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return list(__all__)
