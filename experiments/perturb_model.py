"""What disturbed positions and longer inputs do to heads and to a model, beside the proved bounds.

    python experiments/perturb_model.py [--model FOLDER [--text FILE]] --output FOLDER

Constructed heads: total variation of attention when keys are displaced, against the bound of
`posgen.transposition`; outputs as the input grows, against `posgen.length`; lags told apart,
against `posgen.bounded-capacity`. With `--model`, a folder that `transformers` loads: the same for
each of its heads; its loss by position on inputs longer than its context, with and without capped
distances; and its loss when neighbouring tokens change places or positions are displaced. The text
is by default `held_out.txt` beside the model's folder.

Prints tables and writes `numbers.json`, `displaced.png`, `longer.png` and, with a model,
`model_heads.png` and `model_loss.png`. About half a minute without a model, some minutes with a
small one.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt

sys.path.insert(0, str(Path(__file__).resolve().parent))

from disturbances.figures import (
    displaced_figure,
    heads_figure,
    longer_figure,
    loss_figure,
)
from disturbances.heads import constructed
from disturbances.model import (
    SHOWN_DISTURBED,
    SHOWN_POSITION,
    disturbed_table,
    load,
    model_heads,
    position_table,
)
from disturbances.tables import (
    SHOWN_APART,
    SHOWN_DISPLACED,
    SHOWN_LONGER,
    apart_table,
    displaced_table,
    longer_table,
    show,
)

LENGTHS = (4, 16, 64, 256, 1024, 4096)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the measurements and write tables and pictures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="folder for what is written")
    parser.add_argument("--model", type=Path, help="a folder that transformers loads")
    parser.add_argument("--text", type=Path, help="a text file that the model was not trained on")
    parser.add_argument("--prompts", type=int, default=16, help="prompts of the model")
    parser.add_argument("--factor", type=int, default=4, help="their length over the context")
    options = parser.parse_args(arguments)
    for name, least in (("prompts", 2), ("factor", 1)):
        if getattr(options, name) < least:
            parser.error(f"--{name}: {getattr(options, name)}, allowed: an integer >= {least}")
    loaded = None
    if options.model is not None:
        loaded = load(options.model, options.text, options.prompts, options.factor)
    options.output.mkdir(parents=True, exist_ok=True)
    heads = constructed()
    numbers = {
        "displaced": displaced_table(heads),
        "longer": longer_table(heads, LENGTHS),
        "apart": apart_table(heads),
    }
    show("Keys displaced: total variation of attention", numbers["displaced"], SHOWN_DISPLACED)
    show("Longer inputs: outputs of the last query", numbers["longer"], SHOWN_LONGER)
    show("Lags told apart, in squared logits", numbers["apart"], SHOWN_APART)
    figures = {
        "displaced.png": displaced_figure(numbers["displaced"]),
        "longer.png": longer_figure(numbers["longer"], list(heads)),
    }
    if loaded is not None:
        model, tokens = loaded
        context = int(model.config.max_position_embeddings)
        of_model = model_heads(model, tokens[:, :context])
        numbers["model_displaced"] = displaced_table(of_model)
        numbers["model_longer"] = longer_table(of_model, (context // 4, context))
        numbers["model_position"] = position_table(model, tokens, context)
        numbers["model_disturbed"] = disturbed_table(model, tokens[:, :context], of_model)
        show("Heads of the model (layer.head)", numbers["model_displaced"], SHOWN_DISPLACED)
        show("Heads of the model, longer inputs", numbers["model_longer"], SHOWN_LONGER)
        show("Loss by position, nats", numbers["model_position"], SHOWN_POSITION)
        show("Loss when disturbed, nats", numbers["model_disturbed"], SHOWN_DISTURBED)
        figures["model_heads.png"] = heads_figure(numbers["model_displaced"])
        figures["model_loss.png"] = loss_figure(
            numbers["model_position"], numbers["model_disturbed"], context
        )
    (options.output / "numbers.json").write_text(json.dumps(numbers, indent=1), encoding="utf-8")
    for name, figure in figures.items():
        figure.savefig(options.output / name, dpi=110)
        plt.close(figure)
    print()
    for name in ("numbers.json", *figures):
        print(options.output / name)


if __name__ == "__main__":
    main()
