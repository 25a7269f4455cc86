"""`ropeproof assess`: what a base, a scaling and a number type can do at a length.

One answer per question, each with its certified numbers; no grade of the whole.
"""

from __future__ import annotations

from ropeproof.tools.assess.answers import Answer
from ropeproof.tools.assess.draw import plot
from ropeproof.tools.assess.emit import FORMATS, emit
from ropeproof.tools.assess.recommend import (
    Recommended,
    recommend,
    recommended_json,
    recommended_table,
)
from ropeproof.tools.assess.scaling import read_scaling
from ropeproof.tools.assess.serving import Serving, ServingSetting, read_setting, serve
from ropeproof.tools.assess.show import as_json, table

__all__ = [
    "FORMATS",
    "Answer",
    "Recommended",
    "Serving",
    "ServingSetting",
    "as_json",
    "emit",
    "plot",
    "read_scaling",
    "read_setting",
    "recommend",
    "recommended_json",
    "recommended_table",
    "serve",
    "table",
]
