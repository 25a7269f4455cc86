"""The items of a paper that a reader may look for, such as a theorem, a figure or a definition."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import Claim, Paper

__all__ = ["Illustration", "PaperCoverage", "PaperItem", "command", "example", "page", "picture"]


@dataclass(frozen=True)
class Illustration:
    """A place where an item can be seen: a command, a picture or page of the docs, an example.

    `what` is the command line, the picture's name, the page's file or the example's path.
    """

    kind: Literal["command", "picture", "page", "example"]
    what: str


def command(line: str) -> Illustration:
    """An illustration by a command line, from `ropeproof` on."""
    return Illustration("command", line)


def picture(name: str) -> Illustration:
    """An illustration by a picture that `ropeproof docs` draws, by its name without the ending."""
    return Illustration("picture", name)


def page(file: str) -> Illustration:
    """An illustration by a written page of the docs."""
    return Illustration("page", file)


def example(path: str) -> Illustration:
    """An illustration by an example program of a checkout."""
    return Illustration("example", path)


@dataclass(frozen=True)
class PaperItem:
    """One item of a paper, by the name that the paper gives it, such as `Theorem 3.1`.

    A claim states it if the claim's locator names it: no list of these is typed here. `place` is
    the section, `states` what it says in our words. `see` are claims of our own that sharpen it or
    bear on it, `shown` where it can be seen. `because` says why no claim states it, and is given only then.
    """

    name: str
    place: str
    states: str
    see: tuple[str, ...] = ()
    shown: tuple[Illustration, ...] = ()
    because: str = ""

    def __post_init__(self) -> None:
        for field in ("name", "place", "states"):
            if not getattr(self, field).strip():
                raise InvalidClaim(f"an item {self.name!r} of a paper has no {field}")

    def named_in(self, locator: str) -> bool:
        """Whether a claim's locator names this item.

        >>> item = PaperItem("Theorem 3", "section 3", "Something.")
        >>> item.named_in("section 3, Theorem 3; its proof"), item.named_in("Theorem 3.1")
        (True, False)
        """
        return re.search(rf"(?<![\w.]){re.escape(self.name)}(?!\w|\.\d)", locator) is not None


@dataclass(frozen=True)
class PaperCoverage:
    """The items of one paper, in the paper's order.

    `key` names it on the command line and in addresses, `title` is the paper's, `read` says what of
    it was read: a table is complete only for a text that was.
    """

    key: str
    paper: Paper
    title: str
    read: str
    items: tuple[PaperItem, ...]
    complete: bool = False

    def __post_init__(self) -> None:
        names = [item.name for item in self.items]
        doubled = {name for name in names if names.count(name) > 1}
        if doubled:
            raise InvalidClaim(f"coverage of {self.key}: twice: {', '.join(sorted(doubled))}")

    def claims(self, claims: Mapping[str, Claim]) -> tuple[Claim, ...]:
        """The claims that name this paper as their source."""
        return tuple(c for c in claims.values() if c.source.paper == self.paper.cited)

    def compared(self, claims: Mapping[str, Claim]) -> tuple[Claim, ...]:
        """The claims that name this paper as prior work on their ground."""
        return tuple(
            c
            for c in claims.values()
            if any(work.paper == self.paper.cited for work in c.source.compare)
        )

    def stating(self, item: PaperItem, claims: Mapping[str, Claim]) -> tuple[Claim, ...]:
        """The claims whose locator names this item."""
        return tuple(c for c in self.claims(claims) if item.named_in(c.source.locator))

    def astray(self, claims: Mapping[str, Claim]) -> tuple[Claim, ...]:
        """The claims of this paper whose locator names none of its items."""
        return tuple(
            c
            for c in self.claims(claims)
            if not any(item.named_in(c.source.locator) for item in self.items)
        )

    def unexplained(self, claims: Mapping[str, Claim]) -> tuple[PaperItem, ...]:
        """The items that no claim states, without a reason (`because`) given for it."""
        return tuple(i for i in self.items if not i.because and not self.stating(i, claims))

    def unknown(self, claims: Iterable[str]) -> tuple[str, ...]:
        """The ids in the items' `see` that belong to no claim."""
        known = set(claims)
        return tuple(id for item in self.items for id in item.see if id not in known)
