"""A class of named pytest tests for the rotary embedding of any project.

    from ropeproof.tools.conform.pytest_tests import RopeConformance

    class TestRope(RopeConformance):
        config = "config.json"

        def rotate(self, x, positions):
            return my_rope(x, positions)

gives one test for each name in `ropeproof.conform.TESTS`. All of them come from one check.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import pytest

from ropeproof.theory.errors import RopeproofError
from ropeproof.tools.conform import TESTS, Report, check

__all__ = ["RopeConformance"]


class RopeConformance:
    """A base class of pytest tests for a rotary embedding: set `config` and override `rotate`.

    Name the subclass `Test...`; `implementation` can be overridden instead of `rotate`.

    - `config`: a `RopeSpec`, a configuration's path or mapping, as in `ropeproof.conform.check`;
    - `options`: further arguments of `check`, such as `{"axes": "blhd"}`.
    """

    config: ClassVar[Any] = None
    options: ClassVar[Mapping[str, Any]] = MappingProxyType({})

    def rotate(self, x: Any, positions: Any) -> Any:
        """The vectors `x` rotated to their positions; to be overridden."""
        raise NotImplementedError("override rotate(self, x, positions) or implementation(self)")

    def implementation(self) -> Any:
        """What is checked: `rotate`, or a module, or a function of the form in `options`."""
        return self.rotate

    @pytest.fixture
    def rope_report(self, request: pytest.FixtureRequest) -> Report:
        """The report of the check, made once for the class; an error in its arguments is kept, too."""
        own = request.cls
        # Kept by hand: a fixture of the class's scope may not be a method in later versions of pytest.
        kept: Report | RopeproofError | None = own.__dict__.get("_rope_report")
        if kept is None:
            try:
                made = own()
                kept = check(made.implementation(), own.config, name=own.__name__, **own.options)
            except RopeproofError as error:
                kept = error
            own._rope_report = kept
        if isinstance(kept, RopeproofError):
            raise kept.with_traceback(
                None
            )  # raised again, it would be told with all earlier places
        return kept

    @pytest.mark.parametrize("test", TESTS)
    def test_rope(self, rope_report: Report, test: str) -> None:
        """Passes if the named test holds; one that does not apply is a skip with its reason."""
        found = {t.name: t for t in rope_report.tests}.get(test)
        if found is None:
            broken = [t.line() for t in rope_report.failures]
            needed = test in ("contract.returns", "rotation.float32") and not broken
            if needed:
                pytest.fail(str(rope_report), pytrace=False)
            pytest.skip(broken[0] if broken else "does not apply to this implementation")
        if found.result == "unsupported":
            pytest.skip(found.detail)
        if found.result == "warns":
            warnings.warn(found.line(), stacklevel=1)
        if found.result == "fails":
            cause = found.cause or rope_report.cause
            told = f"{cause.text}: " if cause is not None else ""
            pytest.fail(told + found.line(), pytrace=False)
