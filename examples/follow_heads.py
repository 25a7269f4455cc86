"""Heads of a small model followed through its training, and then asked why they attend where they do.

pip install 'ropeproof[hf]'
python examples/follow_heads.py

The model learns to repeat the token three positions back. A `HeadMonitor` reads its heads from the
forward passes that the training makes anyway; at the end one query's logits are taken apart.
"""

from __future__ import annotations

import torch
from transformers import LlamaConfig, LlamaForCausalLM

from ropeproof import HeadMonitor
from ropeproof.tools.measure import explain_query

LAG, LENGTH, WORDS = 3, 40, 32


def batch(generator: torch.Generator, size: int = 16) -> tuple[torch.Tensor, torch.Tensor]:
    """Random tokens, and what is to be predicted at each: the token `LAG` positions back."""
    tokens = torch.randint(WORDS, (size, LENGTH), generator=generator)
    wanted = torch.full_like(tokens, -100)
    wanted[:, LAG:] = tokens[:, :-LAG]
    return tokens, wanted


def main(steps: int = 60) -> None:
    """Train, print the best lag of each head along the way, and explain the last query of one."""
    torch.manual_seed(0)
    rope = {"rope_type": "default", "rope_theta": 100.0}
    shape = {"hidden_size": 64, "num_attention_heads": 2, "num_hidden_layers": 1}
    config = LlamaConfig(vocab_size=WORDS, intermediate_size=64, rope_parameters=rope, **shape)
    model = LlamaForCausalLM(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    generator = torch.Generator().manual_seed(0)
    monitor = HeadMonitor(None, lags=(LAG,))
    with monitor.watch(model):
        for step in range(steps + 1):
            tokens, wanted = batch(generator)
            logits = model(input_ids=tokens).logits
            loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), wanted.flatten())
            if step % 15 == 0:
                monitor.record(step)
                print(f"step {step:2}: loss {float(loss.detach()):.3f}")
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print(f"passes beyond those of the training: {monitor.extra_passes}")
    for row in monitor.table:
        if row["quantity"] in ("slash", "additive_r2_three_axes"):
            lag = "" if row["lag"] is None else f" at lag {row['lag']}"
            print(
                f"step {row['step']:2}, head {row['layer']}.{row['head']}: {row['quantity']} "
                f"{row['value']:.3f}{lag} (null {row['null']:.3f})"
            )
    best = max(
        (row for row in monitor.table if row["quantity"] == "slash" and row["step"] == steps),
        key=lambda row: row["value"],
    )
    print(explain_query(model, tokens[0].tolist(), (best["layer"], best["head"]), top=1).show())


if __name__ == "__main__":
    main()
