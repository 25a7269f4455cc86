"""The site's Sphinx extension: source pages, links on claim ids, search, plain docstrings.

Nothing of Sphinx is imported before Sphinx loads this module through `setup`.
"""

from __future__ import annotations

import html
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from ropeproof.proofs_check.site import search
from ropeproof.proofs_check.site.kept import Products
from ropeproof.proofs_check.site.markup.addresses import FOLDER, file_of, lemmas_page_of, page_of
from ropeproof.proofs_check.site.pages.reference import as_restructured_text, readable_signature
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory.errors import Unsupported

__all__ = ["MATHJAX", "current", "mathjax_file", "serve", "setup"]

MATHJAX = "mathjax/tex-svg.js"
"""The path of MathJax in the built site; this file draws its letters itself and loads nothing."""

_SITES: dict[str, Site] = {}
T = TypeVar("T")
_PRODUCTS: dict[str, Products | None] = {}


def serve(source: Path, site: Site, products: Products | None = None) -> None:
    """Register a site for the Sphinx run that reads `source`, with what earlier builds kept."""
    _SITES[str(source.resolve())] = site
    _PRODUCTS[str(source.resolve())] = products


def current(source: Any) -> Site:
    """The site of the Sphinx run that reads `source`. Raises `Unsupported` outside of a build."""
    try:
        return _SITES[str(Path(source).resolve())]
    except KeyError as error:
        raise Unsupported("the pages are built by `ropeproof docs`, not by Sphinx alone") from error


def mathjax_file() -> Path:
    """The path of the installed MathJax file. Raises `Unsupported` if there is none."""
    spec = find_spec("sphinx-mathjax-offline")
    places = spec.submodule_search_locations if spec else None
    for place in places or ():
        file = Path(place) / "static" / MATHJAX
        if file.is_file():
            return file
    raise Unsupported("the docs need the extra: pip install 'ropeproof[docs]'")


def setup(app: Any) -> dict[str, Any]:
    """Register the extension's handlers with Sphinx."""
    app.connect("builder-inited", _without_search)
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("autodoc-process-signature", _signature)
    app.connect("doctree-read", _claims_as_links)
    app.connect("html-collect-pages", _code_pages)
    app.connect("html-collect-pages", _search_page)
    app.connect("html-page-context", _one_contents(), priority=100)  # before the theme's
    app.connect("html-page-context", _contents, priority=900)  # after the theme's
    app.connect("html-page-context", _tab_title)
    app.connect("build-finished", _copy_mathjax)
    app.connect("build-finished", _write_index)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def _tab_title(app: Any, page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    """Give a browser's tab the words of a claim's title as text, where the heading has formulas."""
    told = app.env.metadata.get(page, {}).get("tab")
    if told:
        context["title"] = html.escape(str(told), quote=False)


def _docstring(_app: Any, _what: str, _name: str, _thing: Any, _options: Any, lines: Any) -> None:
    lines[:] = as_restructured_text(list(lines))


def _signature(
    _app: Any, _what: str, _name: str, _thing: Any, _options: Any, signature: Any, returned: Any
) -> Any:
    return (readable_signature(signature), returned) if signature else None


def _claims_as_links(app: Any, document: Any) -> None:
    """Turn a claim id that stands as code in a text into a link to the claim."""
    from docutils import nodes
    from sphinx import addnodes

    site, page = current(app.srcdir), app.env.docname
    for literal in list(document.findall(nodes.literal)):
        id = literal.astext()
        inside = literal.parent
        while inside is not None and not isinstance(
            inside, nodes.reference | nodes.title | addnodes.pending_xref | addnodes.desc
        ):
            inside = inside.parent
        if id not in site.claims or inside is not None or site.target(id) == f"{page}.md":
            continue
        link: Any
        if site.paper:
            link = addnodes.pending_xref(
                "",
                refdomain="std",
                reftype="ref",
                reftarget=site.anchors[id],
                refexplicit=True,
                refwarn=True,
                refdoc=page,
            )
        else:
            link = nodes.reference("", "", internal=True)
            link["refuri"] = app.builder.get_relative_uri(page, f"{FOLDER}/{file_of(id)}")
        literal.replace_self(link)
        link += literal


def _code_pages(app: Any) -> Iterator[tuple[str, dict[str, Any], str]]:
    """A page for each source file that a claim links to, each line with an anchor."""
    from ropeproof.proofs_check.site.pages import source_page

    products = _PRODUCTS.get(str(Path(app.srcdir).resolve()))
    for shown, path in current(app.srcdir).sources.files().items():
        text = path.read_text(encoding="utf-8")
        make: Callable[[], str] = partial(source_page.source_body, shown, text)
        if products is not None:
            depends = ["source", products.reach(source_page.__name__), shown, text]
            make = products.begin(depends, partial(_itself, make), _itself, _itself)
        yield f"code/{shown.removesuffix('.py')}", {"title": shown, "body": make()}, "page.html"


def _itself(body: T) -> T:
    return body


def _one_contents() -> Callable[..., None]:
    """A handler by which pages of claims and of source share one table of contents for each depth of folders.

    None of them stands in it, so it differs in nothing but the way up to the root, and Sphinx takes most of a
    page's time to set it.
    """
    made: dict[tuple[Any, ...], str] = {}

    def share(app: Any, page: str, _template: str, context: Any, _tree: Any) -> None:
        whole = context.get("toctree")
        if whole is None or not page.startswith((f"{FOLDER}/", "code/")):
            return

        def once(**options: Any) -> str:
            key = (app.outdir, page.count("/"), *sorted(options.items()))
            if key not in made:
                made[key] = whole(**options)
            return made[key]

        context["toctree"] = once

    return share


def _contents(app: Any, page: str, _template: str, context: Any, _tree: Any) -> None:
    """Correct the table of contents beside a page.

    Sphinx marks captions as headings; for screen readers a heading needs a level. A claim's page
    is not in the table of contents, so its topic's page is marked as current.
    """
    for part in ("furo_navigation_tree", "body"):
        if part in context:
            marked = str(context[part]).replace('role="heading">', 'role="heading" aria-level="2">')
            context[part] = marked
    topic = _topic_of_page(app, page)
    if topic and "furo_navigation_tree" in context:
        start, link = (
            '<li class="toctree-l1',
            f'<a class="reference internal" href="../{topic}.html">',
        )
        context["furo_navigation_tree"] = context["furo_navigation_tree"].replace(
            f'{start}">{link}', f'{start} current current-page">{link}'
        )


def _topic_of_page(app: Any, page: str) -> str:
    """The topic page of a claim's page; "" for other pages."""
    folder, _, name = page.rpartition("/")
    if folder != FOLDER:
        return ""
    site = current(app.srcdir)
    return page_of(site.topic_of[site.by_file[name]])


def _without_search(app: Any) -> None:
    """Disable Sphinx's own search, which finds pages by all words of proofs, for `_search_page`."""
    app.builder.search = False


def _search_page(_app: Any) -> Iterator[tuple[str, dict[str, Any], str]]:
    yield "search", {"title": "Search", "body": search.PAGE}, "page.html"


def _write_index(app: Any, failed: Any) -> None:
    """Write the search index once all pages are known."""
    if failed is None and app.builder.format == "html":
        script = search.index_script(current(app.srcdir), _sections(app))
        target = Path(app.outdir) / "_static" / search.INDEX
        target.write_text(script, encoding="utf-8")


_TITLE_ONLY = ("overview", "graph", "errata")
"""Pages that are found by title only, since their words are those of the claims."""


def _sections(app: Any) -> Iterator[search.Section]:
    """The sections of written pages; of topics' pages only the part before the list of claims."""
    from docutils import nodes

    topics = {
        page(topic) for topic in current(app.srcdir).by_topic for page in (page_of, lemmas_page_of)
    }
    for name in sorted(app.env.found_docs):
        if name.startswith((f"{FOLDER}/", "api-")):
            continue
        tree = app.env.get_doctree(name)
        for section in tree.findall(nodes.section):
            above = isinstance(section.parent, nodes.section)
            if above and (name in topics or name in _TITLE_ONLY):
                continue
            titles = [
                child.astext() for child in section.children if isinstance(child, nodes.title)
            ]
            words = [] if name in _TITLE_ONLY else [_words(c) for c in section.children]
            yield search.Section(
                " › ".join([*([app.env.titles[name].astext()] if above else []), *titles]),
                f"{name}.html#{section['ids'][0]}" if above else f"{name}.html",
                " ".join(filter(None, words)),
            )


def _words(node: Any) -> str:
    """The text of a part of a section, without hidden text and subsections."""
    from docutils import nodes
    from sphinx import addnodes

    if isinstance(node, nodes.section | nodes.title | nodes.raw | addnodes.toctree | nodes.target):
        return ""
    if isinstance(node, nodes.math):
        return search.readable(f"${node.astext()}$")
    if isinstance(node, nodes.Text):
        return str(node.astext())
    gap = "" if isinstance(node, nodes.TextElement) else " "
    return " ".join(gap.join(_words(child) for child in node.children).split("\n"))


def _copy_mathjax(app: Any, failed: Any) -> None:
    if failed is None and app.builder.format == "html":
        target = Path(app.outdir) / "_static" / MATHJAX
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(mathjax_file(), target)
