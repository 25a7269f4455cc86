"""`ropeproof presets`: the released models that `--preset` knows."""

from __future__ import annotations

__all__ = ["presets_command"]


def presets_command() -> None:
    """The models that `--preset` knows, with their rotary embedding and context."""
    from rich.table import Table

    from ropeproof.theory.rotary.layers import layer_kinds
    from ropeproof.theory.rotary.presets import PRESETS
    from ropeproof.theory.rotary.released import RELEASED
    from ropeproof.tools.console.terminal import console

    grid = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0))  # 80 columns
    for heading in ("preset", "model", "head_dim", "rotary_dim", "base", "scaling", "context"):
        grid.add_column(heading, no_wrap=True)
    for name, preset in PRESETS.items():
        spec = preset.spec
        scaling = "none" if spec.scaling is None else type(spec.scaling).__name__.lower()
        numbers = (spec.head_dim, spec.rotary_dim, spec.base, scaling, preset.context)
        grid.add_row(name, preset.model, *map(str, numbers))
    for name, model in RELEASED.items():
        for number, (spec, _) in enumerate(layer_kinds(model.to_config())):
            if not spec.rotary_dim:
                continue  # the other layers of a model some of whose layers rotate
            scaling = "none" if spec.scaling is None else type(spec.scaling).__name__.lower()
            numbers = (spec.head_dim, spec.rotary_dim, spec.base, scaling, model.context)
            shown = (name, model.model) if number == 0 else ("", "")
            grid.add_row(*shown, *map(str, numbers))
    console().print(grid)
