"""The names that a claim's prose uses and a reader of its page finds nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ropeproof.proofs_check.present.statement import Statement

__all__ = ["bound_in", "names_in", "unplaced"]

_MARKS = {"widehat": "hat", "widetilde": "tilde"}
_GREEK = frozenset(
    re.findall(
        r"\w+",
        "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi "
        "pi rho varrho sigma tau phi varphi chi psi omega ell "
        "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega",
    )
)
_MATHEMATICS = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)
_NO_NAME = re.compile(
    r"\\(?:text|mathrm|operatorname|mathit|mathsf|mathbf|mathtt|begin|end)\*?\s*(?:\{[^{}]*\}|[A-Za-z])"
    r"|\\math(?:bb|cal)\s*(?:\{[A-Z]\}|[A-Z])"  # sets, expectations and losses, said in words
    r"|\{\\(?:rm|sf|bf)[^{}]*\}"
    r"|\\[a-z]*dots\b|\\not(?![a-z])"
    r"|(?<![A-Za-z\\])O(?=\s*\\?[Bb]?i?g?g?\()"  # the O-notation
    r"|(?<=\^)\\top|(?<=\^)T(?![A-Za-z])|\^\{-?\\?top\}"
)
_EULER = re.compile(
    r"(?<!\\)(?<![A-Za-z])(\\[A-Za-z]+(?=\s*e\^)|)\s*e(?=\s*\^)|(?<=[A-Za-z0-9)\]}])e(?=\^)"
)
_IMAGINARY = re.compile(r"(e\^|\\mathrm\{?e\}?\^)(\{?-?\s*)i(?![a-z])")
_NAME = re.compile(
    r"\\(bar|hat|tilde|vec|widehat|widetilde)\s*(?:\{\s*\\?([A-Za-z]+)\s*\}|\\([A-Za-z]+)|([A-Za-z]))"
    r"|\\([A-Za-z]+)|([A-Za-z])"
)
_ONE = r"(?:\\(?:bar|hat|tilde)\s*)?(?:\{\s*)?(?:\\[A-Za-z]+|[A-Za-z])(?:\s*\})?"
_SCRIPTS = r"(?:'|_(?:\{[^{}]*\}|\\?[A-Za-z0-9*]+)|\^(?:\{[^{}]*\}|[A-Za-z0-9*]))*"
_LIST = re.compile(rf"\s*({_ONE}{_SCRIPTS}(?:\s*,\s*{_ONE}{_SCRIPTS})*)\s*(.*)", re.DOTALL)
_DEFINED = re.compile(
    rf"\s*(?:\\(?:cos|sin|tan)\s*)?({_ONE}{_SCRIPTS}(?:\(\s*[^()=<>]*\))?)\s*(?::=|=(?!=)|\\mapsto|\\propto)"
)
_BETWEEN = re.compile(rf"[\w\\{{}}\s+-]*(?:<|\\le|\\lt)\s*({_ONE})\s*(?:<|\\le|\\lt)")
_QUANTIFIED = re.compile(
    r"\b(?:for|at|in|of|to|from|with)?\s*(?:all|every|each|any|some|no)\s*$"
    r"|\b(?:there (?:is|are)(?: an?)?)\s*$"
    r"|\bfor\s*$",
    re.IGNORECASE,
)
_BINDER = re.compile(
    r"\\(?:sum|prod|max|min|sup|inf|lim|arg\s*max|bigcup|bigcap|coprod"
    r"|operatorname\*?\{[^{}]*\}|mathrm\{[^{}]*\}|mathbb\s*\{?E\}?|mathbb\s*\{?P\}?)"
    r"\s*(?:\\limits)?\s*_(?:\{((?:[^{}]|\{[^{}]*\})*)\}|(\\[A-Za-z]+|[A-Za-z]))"
)
_INSIDE = re.compile(
    rf"\\forall\s*\\?,?\s*({_ONE})|\\exists\s*\\?,?\s*({_ONE})|({_ONE})\s*\\mapsto"
    rf"|\\\{{\s*({_ONE}){_SCRIPTS}[^{{}}:|]*(?::|\\mid|\|)|\\,d({_ONE})"
)


def names_in(latex: str) -> set[str]:
    r"""The letters of a formula, with the marks above them and without indices' meaning.

    A line above an expression (`overline`) is the conjugate. Not names are words, functions, sets,
    the transposed sign, O(...), Euler's number where it is raised, the imaginary unit in its
    exponent, and π.

    >>> sorted(names_in(r"\bar q_i + \eta\,\mathrm{Slash}(\Delta) \le \ln x"))
    ['Delta', 'bar q', 'eta', 'i', 'x']
    """
    latex = _IMAGINARY.sub(r"\1\2 ", latex)
    latex = _EULER.sub(r"\1 ", _NO_NAME.sub(" ", latex))
    found = set()
    for mark, braced, command, plain, greek, letter in _NAME.findall(latex):
        if mark:
            base = braced or command or plain
            if command and command not in _GREEK:
                continue
            found.add(f"{_MARKS.get(mark, mark)} {base}")
        elif greek in _GREEK:
            found.add(greek)
        elif letter:
            found.add(letter)
    return found - {"pi"}


def _first(text: str) -> set[str]:
    """The names that a range such as `t\\ne a`, `x,y\\in M` or `0\\le j<n` speaks of."""
    between = _BETWEEN.match(text)
    if between:
        return names_in(between[1])
    listed = _LIST.match(text)
    return names_in(listed[1]) if listed else set()


def bound_in(latex: str) -> set[str]:
    r"""The names that a formula binds itself: indices of sums and maxima, ∀, members of a set.

    >>> sorted(bound_in(r"\sum_{t\ne a} x_t \le \max_j y_j, \{z: z>0\}"))
    ['j', 't', 'z']
    """
    found: set[str] = set()
    for braced, plain in _BINDER.findall(latex):
        found |= _first(braced or plain)
    for groups in _INSIDE.findall(latex):
        for name in groups:
            found |= names_in(name)
    return found


def _formulas(prose: str) -> Iterator[tuple[str, str]]:
    """The formulas of a text, each with the words just before it."""
    end = 0
    for match in _MATHEMATICS.finditer(prose):
        yield match[1] or match[2], " ".join(prose[end : match.start()].split())
        end = match.end()


def unplaced(prose: str, statement: Statement) -> set[str]:
    """The names in a claim's prose that stand neither in its formulas nor in its table of symbols.

    A name that the prose itself defines, as the left side of an equation, or binds ("for every x",
    the index of a sum), has its place there.
    """
    placed: set[str] = set()
    for part in (*statement.hypotheses, *statement.parts):
        placed |= names_in(part.latex)
    for entry in statement.where:
        placed |= names_in(entry.latex) | names_in(entry.definition_latex)
    used: set[str] = set()
    for formula, before in _formulas(prose):
        used |= names_in(formula)
        placed |= bound_in(formula)
        if _QUANTIFIED.search(before):
            placed |= _first(formula)
        for part in re.split(
            r",(?![^{(]*[})])|;|\\quad|\\Rightarrow|\\iff|\\[lg]eq?(?![a-z])|[<>]", formula
        ):
            defined = _DEFINED.match(part)
            if defined:
                placed |= names_in(defined[1])
    return used - placed
