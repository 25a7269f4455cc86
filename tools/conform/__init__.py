"""Is this rotary embedding right? Exact angles decide, and a failure is explained.

`check` runs all named tests of an implementation against a `RopeSpec` or a model configuration and
returns a `Report`. Claims `conform.*` say what a passed run leaves possible.
"""

from ropeproof.tools.conform import adapters
from ropeproof.tools.conform.check import DTYPES, TESTS, check
from ropeproof.tools.conform.record import NONE_KNOWN, Cause, Found, Report

__all__ = ["DTYPES", "NONE_KNOWN", "TESTS", "Cause", "Found", "Report", "adapters", "check"]
