"""Python on the written pages: the build runs it and shows its output."""

from __future__ import annotations

import io
import re
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from ropeproof.theory.errors import Unsupported

__all__ = ["Ran", "blocks", "has_code", "run_code", "with_output"]

_BLOCK = re.compile(r"^```python\n(.*?)^```\n", flags=re.S | re.M)


@dataclass(frozen=True)
class Ran:
    """The output of each block of a page; `missing` names a package that was needed and missing.

    `left_out` says that the build was to run no code.
    """

    printed: tuple[str, ...] = ()
    missing: str = ""
    left_out: bool = False


def run_code(page: str, text: str, folder: Path) -> Ran:
    """Run the Python blocks of a page in order, in one namespace, in the given folder.

    A block that needs a package which is not installed ends the run; the result names the package.
    Raises `Unsupported` with the page and the block if a block fails for any other reason.
    """
    names: dict[str, object] = {"__name__": page}
    printed = []
    with chdir(folder):
        for number, match in enumerate(_BLOCK.finditer(text), 1):
            place = f"{page}, block {number}"
            out = io.StringIO()
            try:
                with redirect_stdout(out):
                    exec(compile(match[1], place, "exec"), names)
            except ModuleNotFoundError as error:
                if error.name is None or error.name.split(".")[0] == "ropeproof":
                    raise Unsupported(f"the code of {place} fails: {error}") from error
                return Ran(missing=error.name)
            except Exception as error:
                raise Unsupported(
                    f"the code of {place} fails: {type(error).__name__}: {error}"
                ) from error
            printed.append(out.getvalue())
    return Ran(tuple(printed))


def with_output(text: str, ran: Ran) -> str:
    """A page's Markdown with the output of each block below it, or the reason why none was run."""
    if ran.missing or ran.left_out:
        count = len(_BLOCK.findall(text))
        blocks = f"{count} block{'s' * (count != 1)}"
        why = (
            f"`{ran.missing}` is not installed"
            if ran.missing
            else f"it is a partial one; the outputs of {blocks} are not shown"
        )
        note = f"```{{note}}\nThis build has not run the code of this page: {why}.\n```\n\n"
        first = _BLOCK.search(text)
        assert first is not None
        return text[: first.start()] + note + text[first.start() :]
    outputs = iter(ran.printed)

    def shown(match: re.Match[str]) -> str:
        printed = next(outputs).rstrip()
        return match[0] + (f"\n*This prints*\n\n```text\n{printed}\n```\n" if printed else "")

    return _BLOCK.sub(shown, text)


def blocks(text: str) -> list[str]:
    """The Python blocks of a page, in order."""
    return _BLOCK.findall(text)


def has_code(text: str) -> bool:
    """Whether a page holds Python blocks."""
    return _BLOCK.search(text) is not None
