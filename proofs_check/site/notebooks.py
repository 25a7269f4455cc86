"""Tutorials as notebooks: a Markdown page with Python blocks, converted cell by cell.

A tutorial is written once, as a page. The site shows it with the output of its code; this module writes
the same page as a notebook without outputs, for the reader to run and change.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import ropeproof
from ropeproof.theory.errors import InvalidArgument

__all__ = ["FOLDER", "notebook", "pages", "write_notebooks"]

FOLDER = "tutorials"
"""The folder of the tutorials, beside the other written pages."""
_BLOCK = re.compile(r"^```python\n(.*?)^```\n", flags=re.S | re.M)
_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:)[^)\s]*\.md(?:#[^)\s]*)?\)")
_ONLY_ON_THE_SITE = re.compile(r"^\{download\}.*\n+", flags=re.M)


def pages(folder: Path | None = None) -> list[Path]:
    """The paths of the tutorials, by default the package's own, in order.

    Raises `InvalidArgument` if the folder has none.
    """
    source = folder or Path(ropeproof.__file__).parent / "pages"
    found = sorted((source / FOLDER).glob("[0-9]*.md"))
    if not found:
        raise InvalidArgument("pages", str(source), f"a folder with {FOLDER}/1_....md")
    return found


def notebook(text: str) -> dict[str, Any]:
    """The notebook (nbformat 4.5) of a page: the text between Python blocks becomes Markdown cells.

    Links to other pages of the site lose their address, since there is no site beside a notebook.
    """
    text = _LINK.sub(r"\1", _ONLY_ON_THE_SITE.sub("", text))
    cells: list[dict[str, Any]] = []
    for number, part in enumerate(_BLOCK.split(text)):
        if not (source := part.strip("\n")):
            continue
        kind = "code" if number % 2 else "markdown"
        cell: dict[str, Any] = {"cell_type": kind, "id": f"cell-{len(cells)}", "metadata": {}}
        if kind == "code":
            cell |= {"execution_count": None, "outputs": []}
        cells.append(cell | {"source": source.splitlines(keepends=True)})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def write_notebooks(output: Path, folder: Path | None = None) -> list[Path]:
    """Write each tutorial as `NAME.ipynb` into a folder, which is created; return the files' paths.

    Raises the errors of `pages`, and `InvalidArgument` if the output is a file or one of its files exists.
    """
    sources = pages(folder)
    if output.exists() and not output.is_dir():
        raise InvalidArgument("notebooks", str(output), "a folder")
    targets = [output / f"{path.stem}.ipynb" for path in sources]
    for target in targets:
        if target.exists():
            raise InvalidArgument(
                "notebooks", str(target), "a folder without it: it may be changed"
            )
    output.mkdir(parents=True, exist_ok=True)
    for path, target in zip(sources, targets, strict=True):
        made = notebook(path.read_text(encoding="utf-8"))
        target.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return targets
