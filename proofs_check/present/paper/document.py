"""The LaTeX document around a claim: its packages, its preamble, and a line that fits the page."""

from __future__ import annotations

__all__ = ["FIT", "PACKAGES", "document", "needs_line"]

PACKAGES = ("amsmath", "amssymb", "graphicx")
"""The packages that the LaTeX of a claim needs; all of them belong to every LaTeX distribution."""

FIT = r"""\providecommand{\fitline}[2]{\hspace*{#1}\begingroup\setbox0=\hbox{$\displaystyle #2$}%
\dimen0=\linewidth\advance\dimen0 by -#1\relax
\ifdim\wd0>\dimen0\resizebox{\dimen0}{!}{\box0}\else\box0\fi\endgroup}"""
r"""A macro for one line of a formula: `\fitline{indentation}{formula}` is never wider than the text.

Formulas are broken into lines before they are handed to LaTeX, by an estimate of their width for a page of
one column. In a narrower column a line that is still too long is made smaller.
"""


def needs_line(id: str, packages: tuple[str, ...] = PACKAGES) -> str:
    r"""The comment that names the packages which the LaTeX of a claim needs.

    >>> needs_line("rope.group")
    '% rope.group: needs \\usepackage{amsmath,amssymb,graphicx}'
    """
    return rf"% {id}: needs \usepackage{{{','.join(packages)}}}"


def document(fragment: str) -> str:
    """The LaTeX of a claim as a file that `pdflatex` compiles as it stands, with a preamble."""
    return "\n".join(
        (
            r"\documentclass[11pt]{article}",
            r"\usepackage[a4paper,margin=2.5cm]{geometry}",
            *(rf"\usepackage{{{name}}}" for name in PACKAGES),
            r"\setlength{\emergencystretch}{3em}",
            r"\begin{document}",
            fragment.rstrip("\n"),
            r"\end{document}",
            "",
        )
    )
