"""Pictures on a page: the Markdown of a figure in a light and a dark variant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from ropeproof.proofs_check.site.site import Site

__all__ = ["DrawnPicture", "picture_lines"]


class DrawnPicture(Protocol):
    """A picture that the build has drawn in a light and a dark variant."""

    @property
    def stem(self) -> str:
        """The common name of the picture's files, without `-light.svg` and `-dark.svg`."""
        ...

    @property
    def alt(self) -> str:
        """The alternative text, for readers who do not see the picture."""
        ...

    @property
    def caption(self) -> str:
        """The caption, which says what to see in the picture."""
        ...


def picture_lines(site: Site, picture: DrawnPicture) -> Iterator[str]:
    """The Markdown that shows a picture of the folder `pictures`, its caption below."""
    variants = ("light",) if site.paper else ("light", "dark")
    ending = "pdf" if site.paper else "svg"
    for variant in variants:
        only = "" if site.paper else f"\n:figclass: only-{variant}"
        alt = " ".join(picture.alt.split())
        yield ""
        yield f"```{{figure}} pictures/{picture.stem}-{variant}.{ending}"
        yield f":alt: {alt}{only}"
        yield ""
        yield " ".join(picture.caption.split())
        yield "```"
        yield ""
