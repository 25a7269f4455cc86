"""Build the site: run the checker, write the pages, draw the pictures, run Sphinx on them."""

from __future__ import annotations

import gc
import io
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from ropeproof.proofs_check.run import runner
from ropeproof.proofs_check.run.cache import Kept
from ropeproof.proofs_check.run.items import Result
from ropeproof.proofs_check.run.library import load
from ropeproof.proofs_check.site import code as page_code
from ropeproof.proofs_check.site import extension, notebooks, parts, records, volume
from ropeproof.proofs_check.site.kept import Products
from ropeproof.proofs_check.site.markup import addresses
from ropeproof.proofs_check.site.markup.pictures_shown import DrawnPicture
from ropeproof.proofs_check.site.pages import first_page
from ropeproof.proofs_check.site.pages.generated import generated_pages
from ropeproof.proofs_check.site.pages.reference import with_signatures
from ropeproof.proofs_check.site.site import OWN, Site
from ropeproof.theory.errors import InvalidArgument, Unsupported

__all__ = ["FORMS", "Built", "Form", "build"]

Form = Literal["html", "pdf"]
FORMS: tuple[Form, ...] = ("html", "pdf")
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Built:
    """A finished build: the file to open, and the site with the verdicts on its pages."""

    opens: Path
    site: Site


def build(
    output: Path,
    pages: Path = Path("docs"),
    *,
    ids: Iterable[str] = (),
    modules: Sequence[str] = (),
    verdicts: Iterable[runner.ClaimResult] | None = None,
    form: Form = "html",
    pictures: bool = True,
    reference: bool = True,
    code: bool = True,
    second_solver: bool = False,
    coq: bool = False,
    profile_name: str = "quick",
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
    kept: Kept | None = None,
    products: Products | None = None,
) -> Built:
    """Write the site, or one volume as a PDF, into the folder `output`, and return the build.

    `pages` is the folder with the hand-written pages, `docs` of a checkout. The claims that match
    `ids` (by default all) are checked with the profile, in the processes of `executor` if there
    is one; the others are shown by their statement, as not run. Given `verdicts` replace a run, and
    results in `kept` replace the run of the items they belong to, as `products` replace the drawing of
    pictures, the run of the pages' code and the colouring of source files.
    The Python of the written pages is run at the same time, and the pages show its output.
    With `second_solver` the pages say what cvc5 confirms, with `coq` what Coq has checked again.
    `pictures=False` leaves out the pictures, `reference=False` the reference of the code and
    `code=False` the run of the pages' Python, all for a quicker build; `jobs` are Sphinx's processes,
    and `progress` is called with a phase, the number done and the total (0: not known).

    Raises `Unsupported` if Sphinx, or LaTeX for a PDF, is not installed or refuses a page, or if the
    code of a page fails, and `InvalidArgument` if `output` is a file, `pages` holds no `conf.py`, or
    `form` is neither.
    Cost: a run of the checker, and a minute or two for all pages.
    """
    report = progress or (lambda phase, done, of: None)
    _check_arguments(output, pages, form)
    written = _written(pages)
    library = load(modules)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source"
        ignored = shutil.ignore_patterns("_build", "topics", "paper", "__pycache__")
        shutil.copytree(pages, source, ignore=ignored)
        making = parts.Making(source, pages, form, executor, products)
        drawn = making.pictures() if pictures else dict
        of_records = making.records() if pictures else dict
        ran = making.code(_pages(source)) if code and form == "html" else _no_code(source, form)
        if verdicts is None:
            verdicts = runner.check(
                ids,
                modules=modules,
                profile_name=profile_name,
                second_solver=second_solver,
                executor=executor,
                progress=lambda result, done, of: report(_phase(result), done, of),
                kept=kept,
            )
        if coq:
            from ropeproof.proofs_check.commands.export import with_coq

            verdicts = with_coq(list(verdicts), modules, lambda r: report(f"Coq: {r.id}", 0, 0))
        shown = {verdict.claim.id: verdict for verdict in verdicts}
        claims = {id: shown[id].claim if id in shown else c for id, c in library.claims.items()}
        site = Site(claims, shown, form == "pdf", tuple(modules))
        report("drawing pictures", 0, 0)
        illustrations, recorded = drawn(), of_records()
        report("running the code of pages", 0, 0)
        for path, result in ran().items():
            text = path.read_text(encoding="utf-8")
            path.write_text(page_code.with_output(text, result), encoding="utf-8")
        report("writing pages", 0, 0)
        for name, lines in generated_pages(
            site, written, illustrations, reference, _files(source), products
        ):
            target = source / f"{name}.md"
            # The volume has a first page of its own; nothing else that was written is replaced.
            if target.exists() and not (site.paper and name == "index"):
                raise InvalidArgument("pages", target.name, "no page with the name of a made one")
            target.parent.mkdir(exist_ok=True)
            target.write_text("\n".join(lines) + "\n", encoding="utf-8")
        names = source / "public_names.md"
        if reference and form == "html" and names.is_file():
            names.write_text(with_signatures(names.read_text(encoding="utf-8")), encoding="utf-8")
        if not site.paper:
            _say_what_is_known(site, source / "index.md", illustrations)
        for path in _pages(source):
            text = records.with_pictures(path.read_text(encoding="utf-8"), site, recorded)
            path.write_text(_from_folder(site.placed(text), path, source), encoding="utf-8")
        if OWN in site.by_topic and not site.paper:
            _list_own(source / "index.md")
        if form == "html" and (source / notebooks.FOLDER).is_dir():
            notebooks.write_notebooks(source / notebooks.FOLDER, pages)
        extension.serve(source, site, products)
        if form == "pdf":
            _sphinx(source, Path(folder) / "latex", "latex", jobs, report)
            report("typesetting", 0, 0)
            return Built(volume.typeset(Path(folder) / "latex", output), site)
        _sphinx(source, output, "html", jobs, report)
    if products is not None:
        products.write()
    return Built(output / "index.html", site)


def _check_arguments(output: Path, pages: Path, form: Form) -> None:
    """Raise the errors that `build` documents for its arguments and missing programs."""
    if form not in FORMS:
        raise InvalidArgument("format", form, ", ".join(FORMS))
    if not (pages / "conf.py").is_file():
        raise InvalidArgument("pages", str(pages), "the docs folder of a checkout of ropeproof")
    if find_spec("sphinx") is None or find_spec("myst_parser") is None:
        raise Unsupported("the docs need the extra: pip install 'ropeproof[docs]'")
    extension.mathjax_file()
    if form == "pdf":
        volume.programmes()
    if output.exists() and not output.is_dir():
        raise InvalidArgument("output", str(output), "a folder")


def _phase(result: Result) -> str:
    return f"checking {result.item.claim}"


def _written(pages: Path) -> Mapping[str, str]:
    """The written introductions by topic. Raises `InvalidArgument` for a name without a topic."""
    folder = pages / "topics"
    found = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.md"))}
    unknown = [name for name in found if name not in Site({}, {}).topics]
    if unknown:
        raise InvalidArgument("pages", f"topics/{unknown[0]}.md", "a file with the name of a topic")
    return found


def _no_code(source: Path, form: str) -> Callable[[], Mapping[Path, page_code.Ran]]:
    """The written pages with Python that a build leaves out: the pages of a site say so."""
    found = {path: path.read_text(encoding="utf-8") for path in _pages(source)}
    with_code = [path for path, text in found.items() if page_code.has_code(text)]
    return lambda: {p: page_code.Ran(left_out=True) for p in with_code if form == "html"}


def _files(source: Path) -> frozenset[str]:
    """The names of the written pages, before any page is generated."""
    return frozenset(path.name for path in source.glob("*.md"))


def _pages(source: Path) -> list[Path]:
    """The paths of the written pages, including the tutorials in their folder."""
    return [*sorted(source.glob("*.md")), *sorted(source.glob(f"{notebooks.FOLDER}/*.md"))]


def _from_folder(text: str, page: Path, source: Path) -> str:
    """A page's text with links relative to the page's own folder.

    Links are written relative to the root folder.
    """
    if page.parent == source:
        return text
    return re.sub(r"\]\((?!https?:|#|\.\./)([^)\s]+\.md)", r"](../\1", text)


def _say_what_is_known(
    site: Site, index: Path, illustrations: Mapping[str, Sequence[DrawnPicture]]
) -> None:
    """Insert the known results into the first page, if it has a place for them."""
    text = index.read_text(encoding="utf-8")
    if first_page.MARK in text:
        pictures = [picture for made in illustrations.values() for picture in made]
        index.write_text(first_page.with_known(site, text, pictures), encoding="utf-8")


def _list_own(index: Path) -> None:
    """Add a link on the first page to the page of the user's own claims."""
    listed = [
        "",
        "```{toctree}",
        ":caption: Your claims",
        ":maxdepth: 1",
        "",
        addresses.page_of(OWN),
        "```",
        "",
    ]
    index.write_text(index.read_text(encoding="utf-8") + "\n".join(listed), encoding="utf-8")


def _sphinx(source: Path, output: Path, builder: str, jobs: int, report: Progress) -> None:
    """Run Sphinx with every warning as an error. Raises `Unsupported` with its messages."""
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    messages = io.StringIO()
    with patch_docutils(str(source)), docutils_namespace():
        app = Sphinx(
            srcdir=source,
            confdir=source,
            outdir=output,
            doctreedir=source.parent / "doctrees",
            buildername=builder,
            confoverrides={"suppress_warnings": ["myst.xref_missing"]} if builder != "html" else {},
            status=None,
            warning=messages,
            warningiserror=builder == "html",
            parallel=jobs,
        )
        _watch(app, report)
        with _few_collections():
            app.build(force_all=True)
    if app.statuscode != 0:
        said = re.sub(r"\x1b\[[0-9;]*m", "", messages.getvalue()).strip()
        raise Unsupported(f"Sphinx refused the pages:\n{said}")


@contextmanager
def _few_collections() -> Iterator[None]:
    """Within it Python seldom looks for cyclic garbage, and never among what is there at the beginning.

    The catalogue's formulas and the trees of the pages are millions of objects that stay.
    """
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def _watch(app: Any, report: Progress) -> None:
    """Report each page that Sphinx reads and writes; with several processes only the phase."""
    done = {"reading pages": 0, "writing pages": 0}

    def step(phase: str) -> None:
        done[phase] += 1
        report(phase, done[phase], len(app.env.found_docs))

    app.connect("source-read", lambda *_: step("reading pages"))
    app.connect("doctree-resolved", lambda *_: step("writing pages"))


def own_page(site: Site) -> bool:
    """Whether the site has a page for the claims of a user's own file."""
    return OWN in site.by_topic
