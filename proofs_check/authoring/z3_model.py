"""z3 in a process of its own, to find a model of assertions that do not contradict each other.

Started by `model`, by its path: reads the search path and (assertions, effort) from stdin, writes
a JSON object from the names of the unknowns to their values; null if z3 finds none.
Nothing is decided here: a model helps the author of a proof.
"""

from __future__ import annotations

import json
import marshal
import sys
from typing import Any


def main() -> None:
    """Answer one question from standard input."""
    sys.path[:] = marshal.load(sys.stdin.buffer)
    assertions, effort = marshal.load(sys.stdin.buffer)
    import z3

    from ropeproof.proofs_check.kernel.solvers.z3_process import Printer

    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", effort)
    shown = Printer(z3, context)
    shown.assert_in(solver, assertions)
    found = None
    if solver.check() == z3.sat:
        model = solver.model()
        found = {str(name): _text(model[name]) for name in model.decls()}
    json.dump(found, sys.stdout)


def _text(value: Any) -> str:
    """The text of a z3 number: a fraction, or a decimal number if it is algebraic."""
    return str(value.approx(12).as_fraction() if hasattr(value, "approx") else value)


if __name__ == "__main__":
    main()
