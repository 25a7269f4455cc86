"""What a measurement has found so far, on disk: an interrupted run goes on where it stopped.

One line of JSON for each result, written and flushed as it comes. A line that was cut short by the
interruption is the last one and is dropped; a result that is there twice counts once.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeAlias

from ropeproof.theory.errors import InvalidArgument

__all__ = ["Journal", "Key"]

Key: TypeAlias = tuple[str, int, int]
"""Prompt, layer and head of a result."""


class Journal:
    """The results of a run so far, by prompt, layer and head, and the facts about each prompt.

    `run` identifies what is measured and how: model, tokens and options. Without a `path` nothing
    is written. Raises `InvalidArgument` if the file belongs to another run or is no journal, or
    cannot be written.
    """

    def __init__(self, path: Path | None = None, run: str = "") -> None:
        self.path, self.run = path, run
        self.results: dict[Key, dict[str, Any]] = {}
        self.prompts: dict[str, dict[str, Any]] = {}
        self._file: Any = None
        if path is None:
            return
        try:
            kept = self._read(path) if path.exists() else b""
            if path.exists():
                with path.open("r+b") as file:
                    file.truncate(len(kept))
            self._file = path.open("ab")
            if not kept:
                self._write({"run": run})
        except OSError as error:
            raise InvalidArgument("journal", str(path), f"a file ({error.strerror})") from None

    def add(self, key: Key, result: dict[str, Any]) -> None:
        """Records the result of one head on one prompt; a second one is dropped."""
        if key not in self.results:
            self.results[key] = result
            self._write({"prompt": key[0], "layer": key[1], "head": key[2], "result": result})

    def add_prompt(self, name: str, facts: dict[str, Any]) -> None:
        """Records what holds for a prompt as a whole."""
        self.prompts[name] = facts
        self._write({"prompt": name, "facts": facts})

    def close(self, *, remove: bool = False) -> None:
        """Closes the file; removes it if the report that it was for has been written."""
        if self._file is not None:
            self._file.close()
            self._file = None
            if remove and self.path is not None:
                self.path.unlink(missing_ok=True)

    def _write(self, entry: dict[str, Any]) -> None:
        if self._file is not None:
            self._file.write(json.dumps(entry).encode() + b"\n")
            self._file.flush()

    def _read(self, path: Path) -> bytes:
        """Load the complete lines of a journal file, and return them."""
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        try:
            entries = [json.loads(line) for line in whole.splitlines()]
            found = entries[0]["run"] if entries else self.run
            for entry in entries[1:]:
                if "facts" in entry:
                    self.prompts[entry["prompt"]] = entry["facts"]
                else:
                    key = (entry["prompt"], entry["layer"], entry["head"])
                    self.results.setdefault(key, entry["result"])
        except (ValueError, KeyError, TypeError, IndexError):
            raise InvalidArgument(
                "journal", str(path), "a journal of `ropeproof measure`"
            ) from None
        if found != self.run:
            what = "the journal of another run (other model, weights, tokens or options)"
            raise InvalidArgument("journal", f"{path}, {what}", "a new file, or that run again")
        return whole
