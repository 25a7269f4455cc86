"""Pictures of written pages that are drawn from the record of an experiment.

A record is a JSON file in `experiments/` beside the pages, written by the command that it names. A
page includes a picture by a line of its own, `<!-- picture STEM -->`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from ropeproof.proofs_check.site.markup.pictures_shown import DrawnPicture, picture_lines
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory.errors import InvalidArgument

__all__ = ["draw_records", "with_pictures"]

_LINE = re.compile(r"^<!-- picture ([\w-]+) -->$", flags=re.M)


def draw_records(pages: Path, folder: Path, form: Literal["svg", "pdf"]) -> dict[str, DrawnPicture]:
    """Draw the pictures of all records of `pages` into `folder`, and return them by their stem.

    Raises `InvalidArgument` for a record without a drawing function.
    """
    from ropeproof.proofs_check.site.pictures import canonical, released
    from ropeproof.proofs_check.site.pictures.hops import multi_hop, multi_hop_seeds, one_hop
    from ropeproof.proofs_check.site.pictures.style import Drawing, save

    known: Mapping[str, Callable[[Mapping[str, object]], Iterator[Drawing]]] = {
        "additive_heads": released.replaced,
        "additive_training": released.course,
        "canonical_tasks": canonical.pictures_of,
        "multi_hop_tasks-reduced": multi_hop.pictures_of,
        "multi_hop_tasks-full": multi_hop.pictures_of,
        "multi_hop_seeds": multi_hop_seeds.pictures_of,
        "one_hop_prompts": one_hop.pictures_of,
        "small_lm_kinds": released.beyond,
        "smollm2_kinds": released.kinds,
        "smollm2_posgen": released.posgen,
        "smollm2_slash": released.slash,
    }
    found: dict[str, DrawnPicture] = {}
    for path in sorted((pages / "experiments").glob("*.json")):
        if path.stem not in known:
            raise InvalidArgument("pages", f"experiments/{path.name}", ", ".join(sorted(known)))
        for drawing in known[path.stem](json.loads(path.read_text(encoding="utf-8"))):
            save(drawing, folder, form)
            found[drawing.picture.stem] = drawing.picture
    return found


def with_pictures(text: str, site: Site, pictures: Mapping[str, DrawnPicture]) -> str:
    """A page's Markdown with the pictures that it includes; unchanged if no pictures were drawn.

    Raises `InvalidArgument` for a name of which no record has a picture.
    """

    def shown(found: re.Match[str]) -> str:
        if found[1] not in pictures:
            raise InvalidArgument("pages", found[0], f"a picture of {', '.join(pictures)}")
        return "\n".join(picture_lines(site, pictures[found[1]]))

    return _LINE.sub(shown, text) if pictures else text
