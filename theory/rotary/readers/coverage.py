"""The coverage of a verdict: what was looked at in a file, and what was not.

A verdict without findings says nothing about the parts that were not looked at.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

__all__ = ["Coverage", "State"]

State: TypeAlias = Literal["checked", "not checked", "no model"]


class Coverage(NamedTuple):
    """What a verdict covers.

    - `state`: `"checked"`, if the rotation was read and compared, in the parts that `missing` leaves;
      `"not checked"`, if it was not, so that nothing follows from the absence of findings; `"no model"`, if
      the file has neither a model type nor a key of rotation.
    - `readers`: the engines whose reading of the file was compared, or what it was compared with.
    - `unread`: the engines that are modelled for other families, but not for this one.
    - `missing`: the parts that were not looked at, each as a phrase.
    - `why`: why it was not checked, or why only rules were applied; `advice`: what to do about that.
    """

    state: State
    readers: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    why: str = ""
    advice: str = ""

    def __str__(self) -> str:
        if self.state == "no model":
            return f"passed over: {self.why}"
        if self.state == "not checked":
            return f"not checked: {self.why}. {self.advice}".rstrip()
        if self.why:
            return f"checked by rules alone: {self.why}"
        against = ""
        if self.readers:
            what = "reader" if len(self.readers) == 1 else "readers"
            against = f"against {len(self.readers)} {what}: {', '.join(self.readers)}"
        unread = f"not modelled for this family: {', '.join(self.unread)}" if self.unread else ""
        if not self.missing:
            parts = [f"checked {against}".rstrip(), unread]
        else:
            told = ", ".join(self.missing)
            parts = [f"checked, but these parts are not modelled: {told}", against, unread]
        return "; ".join(part for part in parts if part)

    def as_json(self) -> dict[str, Any]:
        """The coverage in the form of `ropeproof lint --json`."""
        return {
            "state": self.state,
            "readers": list(self.readers),
            "engines_not_modelled": list(self.unread),
            "parts_not_modelled": list(self.missing),
            "why": self.why,
            "advice": self.advice,
        }
