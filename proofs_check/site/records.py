"""Pictures of written pages that are drawn from the record of an experiment.

A record is a JSON file in `experiments/` beside the pages, written by the command that it names. A
page includes a picture by a line of its own, `<!-- picture STEM -->`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Literal

from ropeproof.proofs_check.site.markup.pictures_shown import DrawnPicture, picture_lines
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory.errors import InvalidArgument

__all__ = ["draw_record", "drawing_module", "recorded", "with_pictures"]

_LINE = re.compile(r"^<!-- picture ([\w-]+) -->$", flags=re.M)


def recorded(pages: Path) -> list[Path]:
    """The records of the experiments whose pages these are.

    Raises `InvalidArgument` for a record without a drawing function.
    """
    found = sorted((pages / "experiments").glob("*.json"))
    unknown = [path.name for path in found if path.stem not in _DRAWN_BY]
    if unknown:
        raise InvalidArgument("pages", f"experiments/{unknown[0]}", ", ".join(sorted(_DRAWN_BY)))
    return found


_DRAWN_BY = {
    "additive_heads": ("released", "replaced"),
    "additive_training": ("released", "course"),
    "canonical_tasks": ("canonical", "pictures_of"),
    "multi_hop_tasks-reduced": ("multi_hop", "pictures_of"),
    "multi_hop_tasks-full": ("multi_hop", "pictures_of"),
    "multi_hop_seeds": ("multi_hop_seeds", "pictures_of"),
    "one_hop_prompts": ("one_hop", "pictures_of"),
    "small_lm_kinds": ("released", "beyond"),
    "smollm2_kinds": ("released", "kinds"),
    "smollm2_posgen": ("released", "posgen"),
    "smollm2_slash": ("released", "slash"),
}
"""The module in `pictures/recorded` and the function that draws each record."""


def drawing_module(record: Path) -> str:
    """The name of the module that draws a record."""
    return f"ropeproof.proofs_check.site.pictures.recorded.{_DRAWN_BY[record.stem][0]}"


def draw_record(
    record: Path, folder: Path, form: Literal["svg", "pdf"]
) -> tuple[DrawnPicture, ...]:
    """Draw the pictures of a record into `folder`, and return them."""
    from ropeproof.proofs_check.site.pictures.style import Drawing, save

    draw: Callable[[Mapping[str, object]], Iterator[Drawing]] = getattr(
        import_module(drawing_module(record)), _DRAWN_BY[record.stem][1]
    )
    found = []
    for drawing in draw(json.loads(record.read_text(encoding="utf-8"))):
        save(drawing, folder, form)
        found.append(drawing.picture)
    return tuple(found)


def with_pictures(text: str, site: Site, pictures: Mapping[str, DrawnPicture]) -> str:
    """A page's Markdown with the pictures that it includes; unchanged if no pictures were drawn.

    Raises `InvalidArgument` for a name of which no record has a picture.
    """

    def shown(found: re.Match[str]) -> str:
        if found[1] not in pictures:
            raise InvalidArgument("pages", found[0], f"a picture of {', '.join(pictures)}")
        return "\n".join(picture_lines(site, pictures[found[1]]))

    return _LINE.sub(shown, text) if pictures else text
