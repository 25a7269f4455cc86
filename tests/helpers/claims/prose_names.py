"""The names that a claim's prose uses and a reader of its page finds nowhere."""

from __future__ import annotations

import re

from ropeproof.proofs_check.present.statement import Statement

__all__ = ["names_in", "unplaced"]

_MARKS = "bar|hat|tilde|vec|overline"
_LETTERS = frozenset(
    re.findall(
        r"\w+",
        "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi "
        "pi rho varrho sigma tau phi varphi chi psi omega ell "
        "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega",
    )
)
_MATHEMATICS = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)
_NO_NAME = re.compile(
    r"\\(?:text|mathrm|operatorname|mathit|mathsf|begin|end)\*?\{[^{}]*\}"
    r"|\\math(?:bb|cal)\s*\{?[A-Z]\}?"  # sets, expectations and losses, which are said in words
    r"|\\[a-z]*dots\b|(?<![A-Za-z\\])e(?=\^)"
)
_NAME = re.compile(
    rf"\\({_MARKS})\s*(?:\{{\s*\\?([A-Za-z]+)\s*\}}|\\?([A-Za-z]+?)(?![a-z]))"
    r"|\\([A-Za-z]+)|([A-Za-z])"
)
_DEFINED = re.compile(r"\s*([^=<>]+?)\s*:?=")


def names_in(latex: str) -> set[str]:
    r"""The letters of a formula, with the marks above them and without indices' meaning.

    >>> sorted(names_in(r"\bar q_i + \eta\,\mathrm{Slash}(\Delta) \le \ln x"))
    ['Delta', 'bar q', 'eta', 'i', 'x']
    """
    found = set()
    for mark, braced, plain, command, letter in _NAME.findall(_NO_NAME.sub(" ", latex)):
        if mark:
            found.add(f"{mark} {braced or plain}")
        elif command in _LETTERS:
            found.add(command)
        elif letter:
            found.add(letter)
    return found


def unplaced(prose: str, statement: Statement) -> set[str]:
    """The names in a claim's prose that stand neither in its formulas nor in its table of symbols.

    A name that the prose itself defines, as the left side of an equation, has its place there.
    """
    placed: set[str] = set()
    for part in (*statement.hypotheses, *statement.parts):
        placed |= names_in(part.latex)
    for entry in statement.where:
        placed |= names_in(entry.latex) | names_in(entry.definition_latex)
    used: set[str] = set()
    for displayed, inline in _MATHEMATICS.findall(prose):
        formula = displayed or inline
        used |= names_in(formula)
        for part in re.split(r",(?![^{(]*[})])|;|\\quad", formula):
            defined = _DEFINED.match(part)
            if defined:
                placed |= names_in(defined[1])
    return used - placed
