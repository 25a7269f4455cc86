"""The site as one printed volume, by LaTeX if it is installed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from ropeproof.theory.errors import Unsupported

__all__ = ["PACKAGES", "PREAMBLE", "contents", "programmes", "typeset"]

PACKAGES = (
    "latexmk texlive-latex-recommended texlive-latex-extra texlive-fonts-recommended tex-gyre"
)
"""The Debian packages that typesetting needs."""

PREAMBLE = r"""
\usepackage{adjustbox}
\setcounter{secnumdepth}{0}
\setcounter{tocdepth}{1}
\allowdisplaybreaks
"""

NAME = "ropeproof"


def programmes() -> tuple[str, ...]:
    """The LaTeX programs that typesetting runs. Raises `Unsupported` if one is missing."""
    needed = ("latexmk", "pdflatex")
    missing = [name for name in needed if shutil.which(name) is None]
    if missing:
        raise Unsupported(
            f"a PDF needs LaTeX, and {' and '.join(missing)} "
            f"{'are' if len(missing) > 1 else 'is'} not installed; "
            f"on Debian: apt-get install {PACKAGES}"
        )
    return needed


def contents(topics: Sequence[str]) -> Iterator[str]:
    """The contents page of the volume, with its chapters in order."""
    yield "# ropeproof"
    yield ""
    yield "```{toctree}"
    yield from ("trust", "notation", *topics, "rules", "errata")
    yield "```"


def typeset(folder: Path, output: Path) -> Path:
    """Run LaTeX in `folder` and move the PDF into `output`.

    Raises `Unsupported` with the end of LaTeX's log if it fails. Cost: a minute or two.
    """
    run = subprocess.run(
        ["latexmk", "-pdf", "-interaction=nonstopmode", "-halt-on-error", "-quiet", f"{NAME}.tex"],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    made = folder / f"{NAME}.pdf"
    if run.returncode != 0 or not made.is_file():
        log = folder / f"{NAME}.log"
        text = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else run.stdout
        raise Unsupported(f"LaTeX refused the volume:\n{text[-2000:]}")
    output.mkdir(parents=True, exist_ok=True)
    target = output / f"{NAME}.pdf"
    shutil.copyfile(made, target)
    return target
