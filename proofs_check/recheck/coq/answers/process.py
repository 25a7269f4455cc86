"""Coq as a process: its answers to a text, cached under the hash of all that they depend on.

An answer belongs to the text that was given to Coq, not to the code that wrote it: a lemma that a
change of the exporter leaves unchanged is not checked again. Answers, and the marks of compiled
files, carry the seal of the folder: what was changed, moved or written elsewhere is checked again.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ropeproof.proofs_check.run.cache.key import hashed
from ropeproof.proofs_check.run.cache.store import Seal

__all__ = ["Coq", "file_hash"]

FILE = "answers.jsonl"
SECONDS = 1200.0  # for one text


@cache
def _version() -> str:
    """The version of `coqc`, and the hash of the compiled libraries installed with it.

    A library has no version of its own that Coq would report; its compiled files identify it. They are
    those of Coq itself and of all that is installed beside it, such as Coquelicot and Interval.
    """
    said = _told("--version")
    where = Path(_told("-where").strip() or os.devnull)
    total = hashlib.sha256()
    for place in (where, *_search_path()):
        for path in sorted(place.rglob("*.vo")) if place.is_dir() else ():
            total.update(f"{path.relative_to(place)} {file_hash(path)}\n".encode())
    return f"{said}{total.hexdigest()}\n"


def _told(option: str) -> str:
    """The output of `coqc` for an option; "" if it is not installed."""
    try:
        run = subprocess.run(["coqc", option], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return run.stdout


def _search_path() -> Iterator[Path]:
    """The folders besides its own in which Coq looks for libraries."""
    for name in ("COQPATH", "ROCQPATH"):
        yield from (Path(part) for part in os.environ.get(name, "").split(os.pathsep) if part)


def file_hash(path: Path | None) -> str:
    """The SHA-256 hash of a file's content in hexadecimal; "" if there is no readable file."""
    try:
        return "" if path is None else hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


@dataclass
class Coq:
    """Coq in a folder, with cached answers.

    With `fresh` no earlier answer is used, but those of this object are kept.
    `keys` maps each module to the hash of its text, of Coq's version and of the modules that it
    requires; `theorems` maps it to its statement. An answer without the folder's seal is ignored.
    """

    folder: Path
    fresh: bool = False
    keys: dict[str, str] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    theorems: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._seal = Seal(self.folder)
        if self.fresh:
            return
        try:
            lines = (self.folder / FILE).read_bytes().split(b"\n")
        except OSError:
            return
        for line in lines:
            try:
                name, said, seal = json.loads(line)
            except (TypeError, ValueError, RecursionError):  # a line that was cut off
                continue
            if isinstance(name, str) and self._seal.holds(f"answer {name}", said, seal):
                self.answers[name] = str(said)

    def keep(self, name: str, said: str) -> None:
        """Cache an answer, sealed, under the hash of what it depends on."""
        self.answers[name] = said
        sealed = [name, said, self._seal.of(f"answer {name}", said)]
        line = json.dumps(sealed) + "\n"  # at once, as other processes write there, too
        with (self.folder / FILE).open("ab", buffering=0) as file:
            file.write(line.encode())

    def name(self, *content: object) -> str:
        """The hash of the content, of Coq's version and of the library, as a cache key."""
        return hashed([_version(), self.keys.get("Base"), self.keys.get("Axioms"), content])

    def compile(self, module: str, text: str, *, library: bool = False) -> tuple[str | None, str]:
        """The output of `coqc` for the module, or None if it refuses it; and its complaint.

        The text is written into the folder. A compiled file of the same text, over the same modules,
        is reused if Coq's output for it is known, or, for the library, is not needed.
        With `fresh` the library is compiled anew.
        """
        required = re.findall(r"^From Ropeproof Require (?:Import )?(\w+)\.", text, re.MULTILINE)
        key = hashed([_version(), text, [self.keys.get(m) for m in required]])
        source, compiled, mark = (self.folder / f"{module}.{e}" for e in ("v", "vo", "key"))
        there = self._compiled_under(module) == key and not (library and self.fresh)
        if there and (library or key in self.answers):
            if not _reads(source, text):
                source.write_text(text, encoding="utf-8")
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
        file = file_hash(compiled)
        sealed = [key, file, self._seal.of(f"module {module}", [key, file])]
        mark.write_text(json.dumps(sealed), encoding="utf-8")
        self.keep(key, said)
        return said, ""

    def known(self, module: str) -> None:
        """Register a module as it is in the folder, without compiling it.

        If its mark or compiled file is not as it was written here, it gets a random key, so that nothing
        that depends on it is found in the cache.
        """
        self.keys[module] = self._compiled_under(module) or secrets.token_hex()

    def _compiled_under(self, module: str) -> str:
        """The key under which a module was compiled here; "" if its files have changed."""
        mark, compiled = (self.folder / f"{module}.{e}" for e in ("key", "vo"))
        try:
            key, file, seal = json.loads(mark.read_bytes())
        except (OSError, TypeError, ValueError, RecursionError):
            return ""
        good = self._seal.holds(f"module {module}", [key, file], seal)
        return str(key) if good and file and file == file_hash(compiled) else ""

    def told(self, commands: str) -> str:
        """The output of `coqtop` for the commands, from the cache if it is there."""
        name = self.name(commands)
        if name not in self.answers:
            self.keep(name, self.top(commands))
        return self.answers[name]

    def top(self, commands: str) -> str:
        """The output of `coqtop` for the commands; it continues after an error."""
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


def _reads(source: Path, text: str) -> bool:
    """Whether the file has exactly this text."""
    return file_hash(source) == hashlib.sha256(text.encode()).hexdigest()
