"""The pictures of the derivation site, drawn by the code when the site is built.

One module per topic yields its drawings; `style` defines the look. Every number in a caption is
computed from the drawn data.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import get_args

from ropeproof.proofs_check.site.pictures.style import Drawing, Form, Picture, save
from ropeproof.theory.errors import InvalidArgument

__all__ = ["ILLUSTRATED", "Picture", "draw", "draw_topic", "drawings"]

ILLUSTRATED = (
    "rope",
    "softmax",
    "slash",
    "head",
    "index",
    "retrieval",
    "planes",
    "task",
    "posgen",
    "conform",
    "sums",
    "duality",
    "trigonometry",
    "exponential",
)
"""The topics with pictures, in the order of the catalogue."""


def draw(
    folder: Path, topics: Iterable[str] | None = None, *, form: Form = "svg"
) -> dict[str, tuple[Picture, ...]]:
    """Write the pictures of some topics, by default all, and return them by topic.

    Each is written twice, as `<stem>-light.svg` and `<stem>-dark.svg` in `folder`, which is created
    if it does not exist; with `form="pdf"` as PDF, for LaTeX. A topic without pictures has the empty
    tuple. Every call writes the same bytes.

    Cost: about half a minute for all topics on one core. Raises `InvalidArgument` for an unknown topic
    or form, and if `folder` is a file.
    """
    chosen = _read(topics)
    if form not in get_args(Form):
        raise InvalidArgument("form", form, f"one of {', '.join(get_args(Form))}")
    if folder.exists() and not folder.is_dir():
        raise InvalidArgument("folder", str(folder), "a folder")
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for topic in chosen:
        made = drawings(topic)
        for drawing in made:
            save(drawing, folder, form)
        found[topic] = tuple(drawing.picture for drawing in made)
    return found


def draw_topic(folder: Path, topic: str, form: Form = "svg") -> tuple[Picture, ...]:
    """Write the pictures of one topic and return them, as `draw` does."""
    return draw(folder, [topic], form=form)[topic]


def drawings(topic: str) -> tuple[Drawing, ...]:
    """The drawings of a topic, with their numbers computed but not yet painted.

    Raises `InvalidArgument` for an unknown topic.
    """
    (name,) = _read([topic])
    if name not in ILLUSTRATED:
        return ()
    # Imported when it is drawn: some modules run heads in PyTorch.
    module = import_module(f"{__name__}.{name}")
    return tuple(module.pictures())


def _read(topics: Iterable[str] | None) -> tuple[str, ...]:
    from ropeproof.theory import TOPICS  # the whole catalogue

    if topics is None:
        return tuple(TOPICS)
    if isinstance(topics, str) or not isinstance(topics, Iterable):
        raise InvalidArgument("topics", topics, "a list of topics")
    chosen = tuple(topics)
    for name in chosen:
        if name not in TOPICS:
            raise InvalidArgument("topics", name, f"topics of the catalogue: {', '.join(TOPICS)}")
    return chosen
