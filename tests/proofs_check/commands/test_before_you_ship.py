"""The page "Before you ship a long-context model": its commands print what it says they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from needs import need, need_program

PAGE = Path(__file__).parents[3] / "docs" / "before_you_ship.md"
_BLOCK = re.compile(r"```console\n(.*?)```", re.S)
_TIME = re.compile(r"in \d+\.\d+s")


def commands(block: str) -> list[tuple[str, str]]:
    """The commands of a block, each with what it is said to print."""
    found: list[tuple[list[str], list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append(([line[2:]], []))
        elif line.startswith("> ") and not found[-1][1]:
            found[-1][0].append(line[2:])
        else:
            found[-1][1].append(line)
    return [("\n".join(typed), "\n".join(told)) for typed, told in found]


def printed(command: str, folder: Path) -> str:
    """What a command prints, both streams, in a folder."""
    bin = str(Path(sys.executable).parent)
    env = {**os.environ, "PATH": f"{bin}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80"}
    env.pop("PYTEST_ADDOPTS", None)
    run = subprocess.run(
        [need_program("bash"), "-c", command],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return run.stdout.rstrip("\n")


def written(text: str, folder: Path) -> str:
    """The page with what its commands really print."""

    def block(match: re.Match[str]) -> str:
        lines = []
        for command, _ in commands(match[1]):
            first, *rest = command.split("\n")
            lines += [f"$ {first}", *(f"> {line}" for line in rest)]
            if told := printed(command, folder):
                lines.append(told)
        return "```console\n" + "\n".join(lines) + "\n```"

    return _BLOCK.sub(block, text)


def test_the_commands_print_what_the_page_says(tmp_path):
    text = PAGE.read_text()
    assert len(_BLOCK.findall(text)) >= 8
    found = written(text, tmp_path)
    assert _TIME.sub("", found) == _TIME.sub("", text)


def test_the_python_of_the_page_prints_what_it_says(capsys):
    need("transformers")
    text = PAGE.read_text()
    (code,) = re.findall(r"```python\n(.*?)```", text, re.S)
    (told,) = re.findall(r"```text\n(.*?)```", text, re.S)
    exec(code, {})
    assert capsys.readouterr().out == told


if __name__ == "__main__":  # the page is written again
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        PAGE.write_text(written(PAGE.read_text(), Path(place)))
