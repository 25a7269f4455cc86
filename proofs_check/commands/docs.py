"""`ropeproof docs`: build the site or the volume, open it, serve it.

It stands outside `ropeproof.proofs_check.site` so that the help of the command loads none of that.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

import ropeproof
from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.console.options import Coq, ProfileName

__all__ = ["docs_command"]


def docs_command(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID|GLOB]...", show_default=False)
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            help="Folder of the result.",
            show_default="docs/_build/FORMAT, or ropeproof-docs/FORMAT",
        ),
    ] = None,
    pages: Annotated[
        str | None,
        typer.Option(
            "--pages",
            help="Folder with the written pages.",
            show_default="docs, or ropeproof's own",
        ),
    ] = None,
    module: Annotated[
        list[str] | None,
        typer.Option("--module", metavar="FILE", help="A Python file that registers claims."),
    ] = None,
    form: Annotated[
        str, typer.Option("--format", help="html, or pdf through LaTeX: one volume.")
    ] = "html",
    jobs: Annotated[
        int | None, typer.Option("--jobs", help="Processes; all cores without it.")
    ] = None,
    second_solver: Annotated[
        bool, typer.Option("--second-solver", help="Put what z3 accepts to cvc5, too (an extra).")
    ] = False,
    coq: Coq = False,
    profile: ProfileName = "quick",
    show: Annotated[bool, typer.Option("--open", help="Open the result in a browser.")] = False,
    serve: Annotated[
        bool, typer.Option("--serve", help="Serve the site on this machine until Ctrl-C.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Run everything again, whatever results are cached.")
    ] = False,
    notebooks: Annotated[
        str | None,
        typer.Option(
            "--notebooks",
            metavar="DIR",
            help="Write the tutorials as notebooks here, and nothing else.",
        ),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", help="Port of --serve; 0 takes a free one.")
    ] = 8000,
) -> None:
    """Build the derivation site from the catalogue and a run of the checker, by default a quick one.

    Exit 1 if a claim is not as expected; the pages then show it as failing.
    """
    if notebooks is not None:
        from ropeproof.proofs_check.site.notebooks import write_notebooks

        for path in write_notebooks(Path(notebooks), Path(pages) if pages else None):
            typer.echo(path)
        return
    from ropeproof.proofs_check.reports.listing import select
    from ropeproof.proofs_check.run.cache import Kept
    from ropeproof.proofs_check.run.library import load
    from ropeproof.proofs_check.semantics.profiles import profile as profile_of
    from ropeproof.proofs_check.site.build import FORMS, build
    from ropeproof.proofs_check.site.kept import Products
    from ropeproof.tools.console.progress import working
    from ropeproof.tools.console.terminal import workers

    profile_of(profile)  # refused before pictures are drawn beside it
    if form not in FORMS:
        raise InvalidArgument("format", form, ", ".join(FORMS))
    if serve and form != "html":
        raise InvalidArgument("serve", form, "--format html")
    if not 0 <= port < 65536:
        raise InvalidArgument("port", port, "an integer from 0 to 65535")
    if coq:
        from ropeproof.proofs_check.recheck.coq.answers.check import require_coq

        require_coq()
    kept = None if fresh else Kept.open(profile, module or [])
    chosen = select(load(module or []).claims, ids or [])
    here = Path("docs/conf.py").is_file()
    source = (
        Path(pages)
        if pages
        else Path("docs")
        if here
        else Path(ropeproof.__file__).parent / "pages"
    )
    folder = Path(output or f"{'docs/_build' if here else 'ropeproof-docs'}/{form}")
    with workers(jobs, len(chosen)) as pool, working("checking") as progress:
        built = build(
            folder,
            source,
            ids=ids or [],
            modules=module or [],
            form=form,
            code=bool(pages) or here,  # in a checkout; the packaged pages' Python reads examples
            second_solver=second_solver,
            coq=coq,
            profile_name=profile,
            jobs=jobs or os.cpu_count() or 1,
            executor=pool,
            progress=progress.show,
            kept=kept,
            products=None if fresh else Products.of_user(),
        )
    typer.echo(f"{'The pages are in' if form == 'html' else 'The volume is'} {built.opens}")
    for verdict in built.site.failing:
        typer.echo(f"NOT AS EXPECTED {verdict.claim.id}: {'; '.join(verdict.shortfalls)}")
    if serve:
        from ropeproof.proofs_check.site.serve import serve as serve_folder

        serve_folder(folder, port, show)
    elif show:
        import webbrowser

        webbrowser.open(built.opens.resolve().as_uri())
    raise typer.Exit(1 if built.site.failing else 0)
