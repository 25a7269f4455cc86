"""Scores of all heads of a GPT-J from tables, against one forward pass of the layer per swap.

    python benchmarks/head_scores.py [--prompts 64] [--repeats 9] [--long 256] [--sample 48]

The model is that of arXiv 2605.31558: 12 layers of one head, width 128, all planes rotated, random
weights, float32. At 17 tokens there are 16 positions before the query and 120 swaps. Both sides
count the model's own forward pass; ours also batches prompts, and is timed for one prompt and for
many. The definition runs one block of the model per swap and layer, as its authors do; it is also
timed with the attention alone per swap, and with all swaps of a layer in one batch, the leanest
execution of it that we know. At `--long` tokens it needs `(long - 1) (long - 2) / 2` swaps per
layer, 32,385 at 256: it is timed on a sample of them and extrapolated, which the output says.

Agreement is measured in float64 with the softmax in float64; as run, GPT-J computes its weights in
float32, and `1/tau = 10,000` magnifies that rounding.
"""

from __future__ import annotations

import argparse
import itertools
import math
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import torch
import transformers
from transformers import GPTJConfig, GPTJForCausalLM
from transformers.models.gptj.modeling_gptj import GPTJAttention

from ropeproof.numerics.models import head_scores

LAYERS, WIDTH, TOKENS, VOCABULARY, TAU = 12, 128, 17, 200, 1e-4
Swap = tuple[int, int]


def make_model(dtype: torch.dtype) -> GPTJForCausalLM:
    torch.manual_seed(0)
    config = GPTJConfig(
        vocab_size=VOCABULARY,
        n_embd=WIDTH,
        n_head=1,
        n_layer=LAYERS,
        n_positions=1024,
        rotary_dim=WIDTH,
        bos_token_id=None,
        eos_token_id=None,
        tie_word_embeddings=False,
    )
    model = GPTJForCausalLM(config).eval()
    with torch.no_grad():
        for block in model.transformer.h:
            # Logits that differ, so that the scores of a random model do too.
            block.attn.q_proj.weight.mul_(12)
            block.attn.k_proj.weight.mul_(12)
    return model.to(dtype)


def all_swaps(length: int) -> list[Swap]:
    return list(itertools.combinations(range(length - 1), 2))


def order_of(swap: Swap, length: int) -> list[int]:
    order = list(range(length))
    order[swap[0]], order[swap[1]] = swap[1], swap[0]
    return order


@torch.no_grad()
def layer_inputs(model: GPTJForCausalLM, prompt: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """The hidden states that enter each layer, from the model's own forward pass."""
    found = model.transformer(prompt, use_cache=False, output_hidden_states=True)
    return tuple(found.hidden_states[:LAYERS])


@torch.no_grad()
def rows_by_swaps(
    model: GPTJForCausalLM, inputs: tuple[torch.Tensor, ...], swaps: list[Swap], way: str
) -> np.ndarray:
    """The attention weights of the last query, `(layers, 1 + swaps, length)`, unswapped first."""
    length = inputs[0].shape[1]
    positions = torch.arange(length)[None]
    smallest = torch.finfo(inputs[0].dtype).min
    mask = torch.full((1, 1, length, length), smallest, dtype=inputs[0].dtype).triu(1)
    orders = [list(range(length)), *(order_of(swap, length) for swap in swaps)]
    named = {"attention_mask": mask, "position_ids": positions}
    rows = []
    for block, hidden in zip(model.transformer.h, inputs, strict=True):
        if way == "one batch":
            weights = block(hidden[0][orders], **named)[1]
            rows.append(weights[:, 0, -1].double().numpy())
            continue
        each = []
        for order in orders:
            if way == "block":
                weights = block(hidden[:, order], **named)[1]
            else:
                weights = block.attn(block.ln_1(hidden[:, order]), **named)[1]
            each.append(weights[0, 0, -1].double().numpy())
        rows.append(np.stack(each))
    return np.stack(rows)


def scores_of_rows(rows: np.ndarray, swaps: list[Swap]) -> np.ndarray:
    """The scores by their definition, from the rows of all swaps, `(2, layers)`."""
    pairs = np.array(swaps)
    before, number = rows[:, 0], np.arange(len(swaps))
    v = np.stack([before[:, pairs[:, side]] for side in (0, 1)])
    u = np.stack([rows[:, 1 + number, pairs[:, side]] for side in (0, 1)])
    norm = np.sqrt((v * v).sum(0) * (u * u).sum(0))
    gaps = abs(v[0] - v[1]) / TAU
    weights = np.exp(gaps - gaps.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    cosines = np.stack([(u * v).sum(0) / norm, (u * v[::-1]).sum(0) / norm])
    scores: np.ndarray = (weights * cosines).sum(-1)
    return scores


def definition(model: GPTJForCausalLM, prompt: torch.Tensor, way: str = "block") -> np.ndarray:
    """The scores of one prompt by their definition, `(2, layers)`, by running layers again for each swap."""
    swaps = all_swaps(prompt.shape[1])
    return scores_of_rows(rows_by_swaps(model, layer_inputs(model, prompt), swaps, way), swaps)


def ours(model: GPTJForCausalLM, prompts: torch.Tensor) -> np.ndarray:
    """The scores of all prompts by `head_scores`, `(2, prompts, layers)`."""
    found = head_scores(model, prompts, tau=TAU)
    return np.stack([found.s_pos[..., 0], found.s_sym[..., 0]])


def attention_in_float64(
    self: GPTJAttention,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """GPT-J's attention without its casts to float32."""
    scores = query @ key.transpose(-1, -2) / self.scale_attn
    weights = (scores if attention_mask is None else scores + attention_mask).softmax(-1)
    return weights @ value, weights


def seconds(runs: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """The median time of each run, in alternating turns, so that all meet the same load of the machine.

    A turn is as many calls as a fifth of a second takes, at least one.
    """
    times: dict[str, list[float]] = {what: [] for what in runs}
    for turn in range(repeats + 1):
        for what, run in runs.items():
            calls, start = 0, time.perf_counter()
            while not calls or time.perf_counter() - start < 0.2:
                run()
                calls += 1
            if turn:  # the first is for warming up
                times[what].append((time.perf_counter() - start) / calls)
    return {what: statistics.median(each) for what, each in times.items()}


def disagreement(prompts: torch.Tensor) -> tuple[float, float]:
    """The largest difference to the definition over prompts and layers: in float64, and as run."""
    single = make_model(torch.float32)
    as_run = abs(ours(single, prompts) - _each(single, prompts)).max()
    plain = GPTJAttention._attn
    GPTJAttention._attn = attention_in_float64
    try:
        double = make_model(torch.float64)
        exact = abs(ours(double, prompts) - _each(double, prompts)).max()
    finally:
        GPTJAttention._attn = plain
    return float(exact), float(as_run)


def _each(model: GPTJForCausalLM, prompts: torch.Tensor) -> np.ndarray:
    return np.stack([definition(model, prompt[None]) for prompt in prompts], 1)


def draw(count: int, length: int) -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng(1).integers(0, VOCABULARY, (count, length)))


def line(what: str, time_per_prompt: float, slowest: float) -> None:
    ratio = slowest / time_per_prompt
    print(f"  {what:46} {time_per_prompt * 1e3:12.3f} ms per prompt   {ratio:9.1f} x faster")


def short_prompts(model: GPTJForCausalLM, options: argparse.Namespace) -> None:
    many = draw(options.prompts, TOKENS)
    one, batch = many[:1], f"ours, {len(many)} prompts at a time"
    print(f"{TOKENS} tokens, {math.comb(TOKENS - 1, 2)} swaps in each of {LAYERS} layers:")
    slow = "definition, one block per swap"
    found = seconds(
        {
            slow: lambda: definition(model, one),
            "definition, attention alone per swap": lambda: definition(model, one, "attention"),
            "definition, all swaps of a layer in one batch": lambda: definition(
                model, one, "one batch"
            ),
            "ours, 1 prompt at a time": lambda: ours(model, one),
            batch: lambda: ours(model, many),
            "for comparison: the model's forward pass, 1": lambda: layer_inputs(model, one),
        },
        options.repeats,
    )
    found[batch] /= len(many)
    for what, each in found.items():
        line(what, each, found[slow])


def long_prompts(model: GPTJForCausalLM, options: argparse.Namespace) -> None:
    length, swaps = options.long, all_swaps(options.long)
    count = min(options.sample, len(swaps))
    chosen = np.random.default_rng(2).choice(len(swaps), size=count, replace=False)
    sample = [swaps[number] for number in chosen]
    prompt = draw(1, length)
    inputs = layer_inputs(model, prompt)
    mine = "ours, 1 prompt at a time"
    found = seconds(
        {
            "forward": lambda: layer_inputs(model, prompt),
            "sample": lambda: rows_by_swaps(model, inputs, sample, "block"),
            mine: lambda: ours(model, prompt),
        },
        min(options.repeats, 3),
    )
    # The sample also has the row without a swap.
    whole = found["forward"] + found["sample"] / (count + 1) * (len(swaps) + 1)
    print(f"{length} tokens, {len(swaps):,} swaps in each of {LAYERS} layers:")
    print(f"  the definition was run on {count} swaps per layer and extrapolated to all of them")
    line("definition, one block per swap, extrapolated", whole, whole)
    line(mine, found[mine], whole)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--prompts", type=int, default=64)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--long", type=int, default=256)
    parser.add_argument("--sample", type=int, default=48)
    options = parser.parse_args()
    transformers.logging.set_verbosity_error()
    print(
        f"GPT-J, {LAYERS} layers, one head, width {WIDTH}, float32; {platform.machine()}, "
        f"{os.cpu_count()} cores, torch {torch.__version__} with {torch.get_num_threads()} threads"
    )
    model = make_model(torch.float32)
    short_prompts(model, options)
    long_prompts(model, options)
    prompts = draw(8, TOKENS)
    exact, as_run = disagreement(prompts)
    print(f"largest disagreement of {2 * LAYERS * len(prompts)} scores with the definition:")
    print(f"  {exact:.1e} in float64, {as_run:.1e} as run, with weights in float32")
    if exact > 1e-10:
        raise SystemExit("the scores are not those of the definition")


if __name__ == "__main__":
    main()
