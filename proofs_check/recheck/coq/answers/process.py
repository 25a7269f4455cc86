"""Coq as a process: what it says to a text, kept under the hash of all that the answer depends on.

An answer belongs to the words that were put to Coq, not to the code that wrote them: a lemma that a
change of the exporter leaves as it was is not put again.
"""

from __future__ import annotations

import json
import re
import subprocess
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ropeproof.proofs_check.run.cache.key import hashed

__all__ = ["Coq"]

FILE = "answers.jsonl"
SECONDS = 1200.0  # for one text


@cache
def _version() -> str:
    return subprocess.run(["coqc", "--version"], capture_output=True, text=True, check=False).stdout


@dataclass
class Coq:
    """Coq in a folder. With `fresh` no earlier answer is used, but those of this object are kept.

    `keys` are the modules, each under the hash of its text, of Coq's version and of the modules that
    it requires; `theorems` what each states.
    """

    folder: Path
    fresh: bool = False
    keys: dict[str, str] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    theorems: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.fresh:
            return
        try:
            lines = (self.folder / FILE).read_text(encoding="utf-8").splitlines()
        except OSError:
            return
        for line in lines:
            try:
                name, said = json.loads(line)
                self.answers[str(name)] = str(said)
            except (TypeError, ValueError):  # a line that was cut off
                continue

    def keep(self, name: str, said: str) -> None:
        """Keep an answer under the hash of what it depends on."""
        self.answers[name] = said
        line = json.dumps([name, said]) + "\n"  # at once, as other processes write there, too
        with (self.folder / FILE).open("ab", buffering=0) as file:
            file.write(line.encode())

    def name(self, *content: object) -> str:
        """The hash of the content, of Coq's version and of the library."""
        return hashed([_version(), self.keys.get("Base"), self.keys.get("Axioms"), content])

    def compile(self, module: str, text: str, *, library: bool = False) -> tuple[str | None, str]:
        """What `coqc` prints for the module, or None if it refuses it, and its complaint.

        The text is written into the folder. A compiled file of the same text, over the same modules,
        is taken as it is if what Coq printed for it is known, or, of the library, is of no interest.
        """
        required = re.findall(r"^From Ropeproof Require (?:Import )?(\w+)\.", text, re.MULTILINE)
        key = hashed([_version(), text, [self.keys.get(m) for m in required]])
        source, compiled, mark = (self.folder / f"{module}.{e}" for e in ("v", "vo", "key"))
        there = compiled.exists() and mark.exists() and mark.read_text(encoding="utf-8") == key
        if there and (library or key in self.answers):
            self.keys[module] = key
            return self.answers.get(key, ""), ""
        for old in (mark, compiled):
            old.unlink(missing_ok=True)
        source.write_text(text, encoding="utf-8")
        said, whole = self._run(["coqc", "-q", "-Q", ".", "Ropeproof", source.name], None)
        self.keys[module] = key
        if not whole:
            return None, said
        if not compiled.exists():
            return None, "coqc ended well and wrote nothing"
        mark.write_text(key, encoding="utf-8")
        self.keep(key, said)
        return said, ""

    def known(self, module: str) -> None:
        """Take a module as it lies in the folder."""
        with suppress(OSError):
            self.keys[module] = (self.folder / f"{module}.key").read_text(encoding="utf-8")

    def told(self, commands: str) -> str:
        """What `coqtop` says to the commands, or said before."""
        name = self.name(commands)
        if name not in self.answers:
            self.keep(name, self.top(commands))
        return self.answers[name]

    def top(self, commands: str) -> str:
        """What `coqtop` says to the commands; it goes on after an error."""
        return self._run(["coqtop", "-q", "-Q", ".", "Ropeproof"], commands)[0]

    def _run(self, command: list[str], commands: str | None) -> tuple[str, bool]:
        try:
            run = subprocess.run(
                command,
                input=commands,
                stdin=subprocess.DEVNULL if commands is None else None,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                cwd=self.folder,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            said = error.stdout or b""
            return (said.decode() if isinstance(said, bytes) else said), False
        return run.stdout, run.returncode == 0
