"""`ropeproof check`: run the proofs, attacks, tests and certificates, and say what holds."""

from __future__ import annotations

from pathlib import Path

import typer

from ropeproof.proofs_check.run.running import run
from ropeproof.tools.console import options

__all__ = ["check_command"]


def check_command(
    ids: options.Ids = None,
    config: options.Config = None,
    preset: options.Preset = None,
    module: options.Modules = None,
    profile: options.ProfileName = "default",
    jobs: options.Jobs = None,
    fresh: options.Fresh = False,
    json_to: options.Json = None,
    second_solver: options.SecondSolver = False,
    coq: options.Coq = False,
    layer: options.Layer = None,
    part: options.Part = None,
) -> None:
    """Run the proofs, attacks, tests and certificates; say what holds."""
    from ropeproof.proofs_check.reports import report
    from ropeproof.tools.console.model_choice import chosen_kinds
    from ropeproof.tools.console.terminal import console, write_json

    ids, config = _without_config(ids or [], config)
    kinds = chosen_kinds(config, preset, layer=layer, part=part)
    if coq:
        from ropeproof.proofs_check.recheck.coq.answers.check import require_coq

        require_coq()
    verdicts = run(ids, module or [], profile, jobs, fresh=fresh, second_solver=second_solver)
    if coq:
        from ropeproof.proofs_check.commands.export import asked_of_coq

        verdicts = asked_of_coq(verdicts, module or [], jobs=jobs, fresh=fresh)
    models = []
    if kinds:
        from ropeproof.proofs_check.instantiate.model import instantiate

        ids = [v.claim.id for v in verdicts]
        models = [instantiate(spec, ids, layers=layers) for spec, layers in kinds]
    if json_to is not None:
        first, others = (m.as_json() for m in models[:1]), [m.as_json() for m in models[1:]]
        write_json(report.as_json(verdicts, next(first, None), others), json_to)
    if json_to != "-":
        screen = console()
        screen.print(report.table(verdicts, screen.width))
        for model in models:
            screen.print(model.table())
    bad = any(v.shortfalls for v in verdicts) or not all(model.sound for model in models)
    raise typer.Exit(1 if bad else 0)


def _without_config(words: list[str], config: str | None) -> tuple[list[str], str | None]:
    """The ids among the words, and the configuration that is one of them or was given as `config`.

    A word is a configuration if it ends in `.json` or is a folder that has a `config.json`: no id is either.
    Raises `InvalidArgument` for two configurations.
    """
    files = [w for w in words if w.endswith(".json") or (Path(w) / "config.json").is_file()]
    for file in files:
        config = options.one_config(file, config)
    return [word for word in words if word not in files], config
