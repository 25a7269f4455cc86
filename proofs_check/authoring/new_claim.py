"""The file that `ropeproof new` writes: one true claim with its proof and its attack."""

from __future__ import annotations

import re
from pathlib import Path

from ropeproof.theory.errors import InvalidArgument

__all__ = ["TEMPLATE", "write_new"]

TEMPLATE = '''\
"""A claim of your own: stated, proved, attacked.

    ropeproof try {file} --watch     # check the proof at each save
    ropeproof check --module {file} 'own.*'
"""

from ropeproof.theory.language import *

# Symbols: real, integer, real_function, integer_function; nothing else is assumed of them.
k, n = integer("k n")
c = real("c")
f = real_function("f")

# Hypotheses have a name and a formula: eq, ne, le, lt, Both, Either, If, every, some.
COUNT = Hypothesis("there is a number of terms", le(0, n))
BOUNDED = Hypothesis("no term exceeds c", every(k, 0, n - 1, le(f(k), c)))

total = sp.Sum(f(k), (k, 0, n - 1))


@theorem(
    "own.{name}",
    hypotheses=(COUNT, BOUNDED),
    conclusion=le(total, n * c),  # what is proved
    # False neighbours of the conclusion, by name: each must be refuted by an instance, and refused by
    # the last step. A claim without one was never seen to fail.
    attack=Attack(
        {{
            "one term less": le(total, (n - 1) * c),
            "reversed": le(n * c, total),
        }}
    ),
)
def CLAIM(p: Proof) -> None:
    r"""A sum is at most the number of its terms times their bound

    $\\sum_{{k<n}}f(k)\\le nc$ where $f(k)\\le c$ for all $k<n$.
    """
    # The title, and the statement for the reader, are above; from here on each line is a step that
    # the kernel checks, and gives a fact that is a premise of later lines.
    inside = p.under(le(0, k), le(k, n - 1))  # what is assumed of k
    term = inside.use(BOUNDED, why="No term exceeds c.")
    terms = term.summed(k, 0, n - 1, "So the sum of the terms is at most the sum of n times c.")
    # keep: for the reader; the checkers would find the next step without it, which `try` tells.
    count = p.show(eq(sp.Sum(c, (k, 0, n - 1)), n * c), "That sum is n c.", COUNT, keep=True)
    p.qed("Hence the sum of the terms is at most n c.", terms, count)
'''


def write_new(file: str) -> Path:
    """Write the template file, whose claim is named after it, and return its path.

    Raises `InvalidArgument` if the file exists.
    """
    path = Path(file)
    if path.suffix != ".py":
        raise InvalidArgument("file", file, "the name of a Python file, ending in .py")
    if path.exists():
        raise InvalidArgument("file", file, "a file that is not there yet")
    if not path.parent.is_dir():
        raise InvalidArgument("file", file, "a file in a folder that exists")
    name = re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-") or "claim"
    path.write_text(TEMPLATE.format(file=file, name=name), encoding="utf-8")
    return path
