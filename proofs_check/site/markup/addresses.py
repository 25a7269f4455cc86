"""Stable addresses of topics and claims: names of pages, files and anchors."""

from __future__ import annotations

import re
from hashlib import sha256

__all__ = ["FOLDER", "anchor_of", "file_of", "from_folder", "lemmas_page_of", "page_of"]

FOLDER = "claims"
"""The folder of the pages, one per claim."""

_ROOT = "index"
_PLAIN = re.compile(r"[a-z0-9._-]")
_LONGEST = 120
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)|\.")
"""Forbidden beginnings of file names on some system: a device's name, or the dot that hides it."""


def page_of(topic: str) -> str:
    """The name of a topic's page, which is the topic's own except for `index`.

    Sphinx's root page is `index`, so that topic's page has another name.

    >>> page_of("slash"), page_of("index")
    ('slash', 'index-heads')
    """
    return f"{topic}-heads" if topic == _ROOT else topic


def lemmas_page_of(topic: str) -> str:
    """The name of the page with a topic's lemmas.

    >>> lemmas_page_of("slash")
    'slash-lemmas'
    """
    return f"{page_of(topic)}-lemmas"


def anchor_of(id: str) -> str:
    """The anchor of a claim: its id, with dashes for dots and other special characters.

    >>> anchor_of("slash.gd.rate-sharp")
    'slash-gd-rate-sharp'
    """
    return re.sub(r"[^A-Za-z0-9_-]", "-", id)[:80]


def file_of(id: str) -> str:
    """The name of a claim's page in the folder `claims`: its id, in characters every system allows.

    Two ids never have the same name, even on systems that ignore the case of letters: any character
    that is no small letter, digit, dot, dash or underscore is written as `=` and its bytes. A name
    that would be too long for a file ends in a hash.

    >>> file_of("slash.gd.rate-sharp"), file_of("own.a/b?"), file_of("own.T"), file_of("aux.lemma")
    ('slash.gd.rate-sharp', 'own.a=2fb=3f', 'own.=54', '=61ux.lemma')
    """
    first = _RESERVED.match(id) is not None
    name = "".join(
        c if _PLAIN.match(c) and not (first and place == 0) else _bytes(c)
        for place, c in enumerate(id)
    )
    if len(name) <= _LONGEST:
        return name
    rest = sha256(id.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{name[: _LONGEST - 20]}==={rest}"


def _bytes(letter: str) -> str:
    return "".join(f"={byte:02x}" for byte in letter.encode("utf-8", "surrogatepass"))


_LOCAL = re.compile(r"""(\]\(|(?:href|src)=")(?=[\w.=/-]+\.(?:md|html|svg|pdf)\b)(?!/)""")


def from_folder(text: str) -> str:
    """Markdown or HTML with the links to the site's files changed for a page in a subfolder.

    >>> from_folder('[rules](rules.md#rule-smt), <a href="code/theory.html#L-3">code</a>, [here](#x)')
    '[rules](../rules.md#rule-smt), <a href="../code/theory.html#L-3">code</a>, [here](#x)'
    """
    return _LOCAL.sub(r"\1../", text)
