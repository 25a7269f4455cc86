"""The Sphinx extension of the site: pages of source code, links on claim ids, plain docstrings.

Nothing of Sphinx is imported before Sphinx loads this module through `setup`.
"""

from __future__ import annotations

import html
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ropeproof.proofs_check.docs.reference import as_restructured_text
from ropeproof.proofs_check.docs.site import Site, anchor_of
from ropeproof.theory.errors import Unsupported

__all__ = ["MATHJAX", "current", "mathjax_file", "serve", "setup"]

MATHJAX = "mathjax/tex-svg.js"
"""Where the built site keeps MathJax; this file draws its letters itself and loads nothing."""

_SITES: dict[str, Site] = {}


def serve(source: Path, site: Site) -> None:
    """Make a site known to the Sphinx run that reads `source`."""
    _SITES[str(source.resolve())] = site


def current(source: Any) -> Site:
    """The site of the Sphinx run that reads `source`. Raises `Unsupported` outside of a build."""
    try:
        return _SITES[str(Path(source).resolve())]
    except KeyError as error:
        raise Unsupported("the pages are built by `ropeproof docs`, not by Sphinx alone") from error


def mathjax_file() -> Path:
    """The MathJax file of the installed package. Raises `Unsupported` if it is not there."""
    spec = find_spec("sphinx-mathjax-offline")
    places = spec.submodule_search_locations if spec else None
    for place in places or ():
        file = Path(place) / "static" / MATHJAX
        if file.is_file():
            return file
    raise Unsupported("the docs need the extra: pip install 'ropeproof[docs]'")


def setup(app: Any) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("doctree-read", _claims_as_links)
    app.connect("html-collect-pages", _code_pages)
    app.connect("html-page-context", _level_of_captions, priority=900)  # after the theme's
    app.connect("build-finished", _copy_mathjax)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def _docstring(_app: Any, _what: str, _name: str, _thing: Any, _options: Any, lines: Any) -> None:
    lines[:] = as_restructured_text(list(lines))


def _claims_as_links(app: Any, document: Any) -> None:
    """Turn the id of a claim, where it stands as code in a text, into a link to the claim."""
    from docutils import nodes
    from sphinx import addnodes

    site = current(app.srcdir)
    for literal in list(document.findall(nodes.literal)):
        id = literal.astext()
        inside = literal.parent
        while inside is not None and not isinstance(
            inside, nodes.reference | nodes.title | addnodes.pending_xref | addnodes.desc
        ):
            inside = inside.parent
        if id not in site.claims or inside is not None:
            continue
        link = addnodes.pending_xref(
            "",
            refdomain="std",
            reftype="ref",
            reftarget=anchor_of(id),
            refexplicit=True,
            refwarn=True,
            refdoc=app.env.docname if hasattr(app, "env") else "",
        )
        literal.replace_self(link)
        link += literal


def _code_pages(app: Any) -> Iterator[tuple[str, dict[str, Any], str]]:
    """A page for each source file that a claim links to, each line with an anchor."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    site = current(app.srcdir)
    form = HtmlFormatter(
        linenos="inline", lineanchors="L", anchorlinenos=False, cssclass="highlight"
    )
    for shown, path in site.sources.files().items():
        code = highlight(path.read_text(encoding="utf-8"), PythonLexer(), form)
        body = (
            f"<h1><code>{html.escape(shown)}</code></h1>"
            f'<div class="code-page" role="region" tabindex="0" aria-label="Source of {shown}">'
            f"{code}</div>"
        )
        yield f"code/{shown.removesuffix('.py')}", {"title": shown, "body": body}, "page.html"


def _level_of_captions(_app: Any, _page: str, _template: str, context: Any, _tree: Any) -> None:
    """Sphinx calls the captions of the contents headings; a heading for screen readers has a level."""
    for part in ("furo_navigation_tree", "body"):
        if part in context:
            marked = str(context[part]).replace('role="heading">', 'role="heading" aria-level="2">')
            context[part] = marked


def _copy_mathjax(app: Any, failed: Any) -> None:
    if failed is None and app.builder.format == "html":
        target = Path(app.outdir) / "_static" / MATHJAX
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(mathjax_file(), target)
