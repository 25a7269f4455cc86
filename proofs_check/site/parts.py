"""The costly parts of a build, begun beside the run of the checker: pictures, and the output of code.

Each method starts its work, in the processes of an executor if there is one, and returns the function that
waits for it. What an earlier build kept of it is not made again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

from ropeproof.proofs_check.site import code as page_code
from ropeproof.proofs_check.site import records
from ropeproof.proofs_check.site.kept import Products, hash_of_files
from ropeproof.proofs_check.site.markup.pictures_shown import DrawnPicture

__all__ = ["Making"]

T = TypeVar("T")
_PICTURES = "ropeproof.proofs_check.site.pictures"
_LARGEST = 1 << 23
"""Bytes of pictures that are kept as one product."""


@dataclass(frozen=True)
class Making:
    """The parts of one build, made from the written `pages` for the copy of them in `source`."""

    source: Path
    pages: Path
    form: Literal["html", "pdf"]
    executor: Executor | None
    products: Products | None

    def pictures(self) -> Callable[[], Mapping[str, Sequence[DrawnPicture]]]:
        """Start to draw each topic's pictures into the folder `pictures`."""
        from ropeproof.proofs_check.site import pictures

        self._folder.mkdir()
        begun = {
            topic: self._drawn(
                ["topic", topic],
                [f"{_PICTURES}.{topic}"],
                partial(pictures.draw_topic, self._folder, topic, self._kind),
            )
            for topic in pictures.ILLUSTRATED
        }
        return lambda: {topic: wait() for topic, wait in begun.items()}

    def records(self) -> Callable[[], Mapping[str, DrawnPicture]]:
        """Start to draw the pictures of the experiments' records; the result has them by their stem."""
        begun = [
            self._drawn(
                ["record", path.name, hashlib.sha256(path.read_bytes()).hexdigest()],
                [records.drawing_module(path)],
                partial(records.draw_record, path, self._folder, self._kind),
            )
            for path in records.recorded(self.source)
        ]
        return lambda: {picture.stem: picture for wait in begun for picture in wait()}

    def code(self, written: Iterable[Path]) -> Callable[[], Mapping[Path, page_code.Ran]]:
        """Start to run the Python of the written pages, in the folder around `pages`."""
        found = {path: path.read_text(encoding="utf-8") for path in written}
        folder = self.pages.resolve().parent
        # What the code may read beside the package: examples, records, a model that the user names.
        around = [
            *(hash_of_files(folder / name, "*") for name in ("examples", "docs/experiments")),
            {
                name: value
                for name, value in os.environ.items()
                if name.startswith("ROPEPROOF_MODEL")
            },
        ]
        begun = {
            path: self._begin(
                ["code", path.name, page_code.blocks(text), around],
                lambda products: products.everything,
                partial(page_code.run_code, path.name, text, folder),
                lambda ran: None if ran.missing or ran.left_out else list(ran.printed),
                lambda content: page_code.Ran(tuple(content)),
            )
            for path, text in found.items()
            if page_code.has_code(text)
        }
        return lambda: {path: wait() for path, wait in begun.items()}

    @property
    def _folder(self) -> Path:
        return self.source / "pictures"

    @property
    def _kind(self) -> Literal["svg", "pdf"]:
        return "pdf" if self.form == "pdf" else "svg"

    def _drawn(
        self,
        what: Sequence[Any],
        modules: Sequence[str],
        draw: Callable[[], Sequence[DrawnPicture]],
    ) -> Callable[[], Sequence[DrawnPicture]]:
        """Start to draw some pictures; only those in SVG, which are text, are kept."""
        from ropeproof.proofs_check.site.pictures import Picture

        def pack(drawn: Sequence[DrawnPicture]) -> Any:
            if self._kind != "svg":
                return None
            names = [f"{p.stem}-{look}.svg" for p in drawn for look in ("light", "dark")]
            files = {name: (self._folder / name).read_text(encoding="utf-8") for name in names}
            small = sum(map(len, files.values())) < _LARGEST
            told = [{"stem": p.stem, "alt": p.alt, "caption": p.caption} for p in drawn]
            return {"pictures": told, "files": files} if small else None

        def unpack(content: Any) -> Sequence[DrawnPicture]:
            for name, text in content["files"].items():
                (self._folder / name).write_text(text, encoding="utf-8")
            return tuple(Picture(**each) for each in content["pictures"])

        return self._begin(
            [*what, self._kind], lambda products: products.reach(*modules), draw, pack, unpack
        )

    def _begin(
        self,
        what: Any,
        sources: Callable[[Products], str],
        make: Callable[[], T],
        pack: Callable[[T], Any],
        unpack: Callable[[Any], T],
    ) -> Callable[[], T]:
        """Start to make one part unless it is kept."""

        def start() -> Callable[[], T]:
            return make if self.executor is None else self.executor.submit(make).result

        if self.products is None:
            return start()
        return self.products.begin([what, sources(self.products)], start, pack, unpack)
