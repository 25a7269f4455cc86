"""Modules under the names that they had before version 0.3, for this version alone.

A former name, or one below it, gives the module of today, the same object, with a `DeprecationWarning`. For
a former package it gives a module of its own with the names of today's package, so that importing a module
below it sets nothing in today's package.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

__all__ = ["MOVED", "Former", "name_today"]

MOVED = {
    "numerics.assess": "tools.assess.quantities",
    "numerics.certificate": "tools.certificate",
    "numerics.conform": "tools.conform",
    "numerics.conform.check": "tools.conform.run",
    "numerics.conform.budget": "tools.conform.expected.budget",
    "numerics.conform.calls": "tools.conform.named_tests.calls",
    "numerics.conform.exact": "tools.conform.expected.exact",
    "numerics.conform.grid": "tools.conform.expected.grid",
    "numerics.conform.rerotation": "tools.conform.named_tests.rerotation",
    "numerics.conform.reused_tables": "tools.conform.named_tests.reused_tables",
    "numerics.conform.subjects.contract": "tools.conform.named_tests.contract",
    "numerics.conform.trials": "tools.conform.named_tests.trials",
    "numerics.kinds": "tools.measure.kinds",
    "numerics.measure": "tools.measure",
    "numerics.measure.ablation": "tools.measure.on_demand.ablation",
    "numerics.measure.attention": "tools.measure.head.attention",
    "numerics.measure.explained": "tools.measure.head.explained_share",
    "numerics.measure.law": "tools.measure.head.law",
    "numerics.measure.preference": "tools.measure.head.preference",
    "numerics.measure.race": "tools.measure.head.race",
    "numerics.measure.scaled": "tools.measure.head.survival",
    "numerics.measure.statistics": "tools.measure.head.statistics",
    "numerics.measure.swaps": "tools.measure.head.swaps",
    "numerics.measure.vectors": "tools.measure.head.vectors",
    "proofs_check.apps.assess": "tools.assess",
    "proofs_check.apps.assess.emit": "tools.assess.engine_settings",
    "proofs_check.apps.assess.recommend": "tools.assess.recommendation",
    "proofs_check.apps.budget": "tools.budget",
    "proofs_check.apps.certificate": "tools.certificate",
    "proofs_check.apps.conform": "tools.conform",
    "proofs_check.apps.conform.files": "tools.conform.report.files",
    "proofs_check.apps.instantiate": "proofs_check.instantiate",
    "proofs_check.apps.lint": "tools.lint",
    "proofs_check.apps.measure": "tools.measure.report",
    "proofs_check.apps.measure.ablate": "tools.measure.on_demand.chosen_heads",
    "proofs_check.apps.measure.command": "tools.measure.measure_and_report",
    "proofs_check.apps.measure.html.chosen": "tools.measure.report.html.chosen_heads",
    "proofs_check.apps.measure.html.learned": "tools.measure.report.html.slash_heads",
    "proofs_check.apps.measure.learned": "tools.measure.report.slash_heads",
    "proofs_check.apps.measure.patterns": "tools.measure.on_demand.patterns",
    "proofs_check.apps.measure.preference": "tools.measure.on_demand.preference_lags",
    "proofs_check.apps.measure.prompts": "tools.measure.prompts",
    "proofs_check.apps.measure.run": "tools.measure.run",
    "proofs_check.apps.picture_file": "tools.console.picture_file",
    "proofs_check.cli": "cli",
    "proofs_check.commands.assess_command": "tools.assess.command",
    "proofs_check.commands.certificate_command": "tools.certificate.command",
    "proofs_check.commands.conform_command": "tools.conform.command",
    "proofs_check.commands.coq_command": "proofs_check.commands.export",
    "proofs_check.commands.coverage_command": "proofs_check.commands.coverage",
    "proofs_check.commands.docs_command": "proofs_check.commands.docs",
    "proofs_check.commands.golden_command": "tools.conform.golden.command",
    "proofs_check.commands.lint_command": "tools.lint.command",
    "proofs_check.commands.show_claim_command": "proofs_check.commands.show_claim",
    "proofs_check.commands.statement_command": "proofs_check.commands.statement",
    "proofs_check.commands.try_command": "proofs_check.commands.try_file",
    "proofs_check.conformance": "tools.conform.pytest_tests",
    "proofs_check.console": "tools.console",
    "proofs_check.console.folded": "tools.console.folding",
    "proofs_check.present.shown": "proofs_check.present.claim_view",
    "proofs_check.present.where": "proofs_check.present.symbol_table",
    "proofs_check.recheck.coq.taken": "proofs_check.recheck.coq.lemma_instances",
    "proofs_check.recheck.coq.written": "proofs_check.recheck.coq.polynomial_terms",
    "proofs_check.run.known": "proofs_check.run.cached_verdict",
    "proofs_check.semantics.denied": "proofs_check.semantics.for_some",
    "proofs_check.semantics.shown": "proofs_check.semantics.for_all",
    "theory.joined": "theory.lazy_topics",
    "theory.language.calculation": "theory.language.tactics.calculation",
    "theory.language.kinds": "theory.language.instance",
    "theory.rotary.readers.known": "theory.rotary.readers.family_names",
}
"""Former names of modules and packages, and those of today; both are below `ropeproof`."""

_US = "ropeproof."
_HOLDERS = frozenset({"proofs_check.apps"})
"""Former packages of which nothing is left but the former names of what they held."""


def name_today(former: str) -> "str | None":
    """The full name of today for a former full name; None if that module has not moved.

    >>> name_today("ropeproof.numerics.conform.exact")
    'ropeproof.tools.conform.expected.exact'
    """
    name = former.removeprefix(_US)
    head, tail = name, ""
    while head:
        if head in MOVED:
            return f"{_US}{MOVED[head]}{tail}"
        head, _, last = head.rpartition(".")
        tail = f".{last}{tail}"
    return None


class _Package(type(sys)):  # type: ignore[misc]  # a module; `types` is not imported for it
    """Today's package under its former name: what is imported below takes no public name's place."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (isinstance(value, type(sys)) and name in vars(self).get("__all__", ())):
            super().__setattr__(name, value)


class Former:
    """The finder of modules by the names that they had before version 0.3.

    It stands before Python's own finders, since a file in a package's folder may have the last part of a
    former name.
    """

    def find_spec(
        self, fullname: str, path: "Sequence[str] | None", target: "ModuleType | None" = None
    ) -> "ModuleSpec | None":
        """The specification of a module of a former name; None for every other name."""
        if not fullname.startswith(_US):
            return None
        holder = fullname.removeprefix(_US) in _HOLDERS
        if not holder and name_today(fullname) is None:
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(fullname, self, is_package=True)  # type: ignore[arg-type]  # without the ABC

    def create_module(self, spec: "ModuleSpec") -> "ModuleType":
        """An empty module, which `exec_module` fills or replaces."""
        return _Package(spec.name)

    def exec_module(self, module: "ModuleType") -> None:
        """Make the module of a former name stand for today's module, with a `DeprecationWarning`.

        A module is replaced by today's; for a package, `module` gets the names of today's package. Raises
        whatever importing today's module raises.
        """
        former = module.__name__
        today = name_today(former)
        if today is None:
            return
        import warnings

        warnings.warn(
            f"{former} is now {today}; the former name goes with the next version",
            DeprecationWarning,
            stacklevel=2,
        )
        found = import_module(today)
        if not hasattr(found, "__path__"):
            sys.modules[former] = found
            return
        module.__doc__ = found.__doc__
        if hasattr(found, "__all__"):
            vars(module)["__all__"] = found.__all__

        def attribute(name: str) -> Any:
            return getattr(found, name)

        vars(module)["__getattr__"] = attribute
