"""`ropeproof assess`: what a base, a scaling and a number type can do at a length.

One answer per question, each with its certified numbers; no grade of the whole.
"""

from __future__ import annotations

from ropeproof.proofs_check.apps.assess.answers import Answer
from ropeproof.proofs_check.apps.assess.draw import plot
from ropeproof.proofs_check.apps.assess.emit import FORMATS, emit
from ropeproof.proofs_check.apps.assess.recommend import (
    Recommended,
    recommend,
    recommended_json,
    recommended_table,
)
from ropeproof.proofs_check.apps.assess.scaling import read_scaling
from ropeproof.proofs_check.apps.assess.serving import Serving, ServingSetting, read_setting, serve
from ropeproof.proofs_check.apps.assess.show import as_json, rows, table, title

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
    "rows",
    "serve",
    "table",
    "title",
]
