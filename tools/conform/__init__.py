"""Is this rotary embedding right? Exact angles decide, and a failure is explained.

`check` runs all named tests of an implementation against a `RopeSpec` or a model configuration and
returns a `Report`. Claims `conform.*` say what a passed run leaves possible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ropeproof.tools.lazy_names import lazy_names

if TYPE_CHECKING:
    from ropeproof.tools.conform import adapters
    from ropeproof.tools.conform.record import NONE_KNOWN, Cause, Found, Report
    from ropeproof.tools.conform.run import DTYPES, TESTS, check

__all__ = ["DTYPES", "NONE_KNOWN", "TESTS", "Cause", "Found", "Report", "adapters", "check"]

__getattr__ = lazy_names(
    __name__,
    {
        "adapters": "adapters",
        "DTYPES": "run",
        "TESTS": "run",
        "check": "run",
        "NONE_KNOWN": "record",
        "Cause": "record",
        "Found": "record",
        "Report": "record",
    },
)


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return list(__all__)
