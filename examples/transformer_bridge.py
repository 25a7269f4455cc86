"""A planted head seen through TransformerLens 4, and the scores of heads from its cache.

pip install 'ropeproof[lens]'
python examples/transformer_bridge.py

A slash head is written into a Llama, which a `TransformerBridge` then runs: its attention pattern is
what the certificate says. The positional and symbolic scores of all heads follow from the queries and
keys in the bridge's cache, and are those that `head_scores` reads from the model itself.
"""

from __future__ import annotations

from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer, models
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoTokenizer,
    PreTrainedTokenizerFast,
)

from ropeproof import RopeSpec, Unsupported, build_model, certify_head, head_scores, slash_head
from ropeproof.numerics.bounds.head import vector_scores

OFFSET, LENGTH, WORDS = 3, 32, 16
TAU = 1e-2
"""In attention weight: swaps of nearly equal differences count alike, as float32 rounds them."""


def bridge_of(model: Any) -> Any:
    """A bridge over a model that is already here; nothing is asked of a network.

    The bridge replaces modules inside `model`, so measure the model itself before, or a copy.
    """
    from transformer_lens.model_bridge import TransformerBridge

    words = {f"token{number}": number for number in range(model.config.vocab_size)}
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(models.WordLevel(words, unk_token="token0")),
        bos_token="token0",
        eos_token="token0",
        pad_token="token0",
    )
    model.config.architectures = [type(model).__name__]
    with TemporaryDirectory() as folder:  # the bridge reads its tokenizer once more, by its path
        tokenizer.save_pretrained(folder)
        return TransformerBridge.boot_transformers(
            "planted",
            hf_model=model,
            tokenizer=AutoTokenizer.from_pretrained(folder),
            dtype=torch.float32,
        )


def heads_of_cache(cache: Any, layer: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Unrotated queries `(batch, heads, length, head_dim)` and keys, one for each query head.

    Where a family norms its queries and keys, what is rotated is behind the norms: the hooks
    `hook_q_normed` and `hook_k_normed`, whose heads come before the positions.
    """
    names = set(cache.keys())
    sides = []
    for side in "qk":
        normed = f"blocks.{layer}.attn.hook_{side}_normed"
        if normed in names:
            sides.append(cache[normed])
        else:
            sides.append(cache[f"blocks.{layer}.attn.hook_{side}"].transpose(1, 2))
    queries, keys = sides
    return queries, keys.repeat_interleave(queries.shape[1] // keys.shape[1], 1)


def scores_of_cache(cache: Any, layer: int, spec: RopeSpec, **options: Any) -> np.ndarray:
    """`s_pos` of the heads of a layer, `(batch, heads)`; options as in `vector_scores`."""
    queries, keys = heads_of_cache(cache, layer)
    found: np.ndarray = vector_scores(queries, keys, spec, tau=TAU, **options).positional.numpy()
    return found


def random_model(family: str, **fields: Any) -> Any:
    """Two layers of four heads with random weights."""
    torch.manual_seed(0)
    shape = {"hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 2}
    shape |= {"num_attention_heads": 4, "vocab_size": WORDS, "tie_word_embeddings": False}
    rope = {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 1.0}
    config = AutoConfig.for_model(family, **shape, rope_parameters=rope, **fields)
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager").eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    return model


def compare(model: Any, tokens: torch.Tensor) -> float:
    """The largest difference of the scores from a bridge's cache to the model's own."""
    spec = RopeSpec.from_config(model.config, length=tokens.shape[1])
    own = head_scores(model, tokens, tau=TAU)
    _, cache = bridge_of(model).run_with_cache(tokens)
    layers = range(own.s_pos.shape[1])
    seen = np.stack([scores_of_cache(cache, layer, spec) for layer in layers], 1)
    return float(abs(seen - own.s_pos).max())


def main() -> None:
    seed = torch.Generator().manual_seed(0)
    tokens = torch.randint(WORDS, (2, LENGTH), generator=seed)

    words = [f"token{number}" for number in range(WORDS)]
    head = slash_head(RopeSpec(32, 10000), OFFSET, LENGTH, 0.9, tokens=words)
    model = build_model("llama", head)
    promise = certify_head(model, offset=OFFSET, length=LENGTH).quantities["score"]
    own = head_scores(model, tokens, tau=TAU)
    bridge = bridge_of(model)
    _, cache = bridge.run_with_cache(tokens)
    pattern = cache["blocks.0.attn.hook_pattern"][:, 0]
    score = float(pattern.diagonal(-OFFSET, 1, 2).mean())
    print(f"planted head: score {score:.4f} in the bridge's pattern, certified {promise:.4f}")
    assert score >= promise
    seen = scores_of_cache(cache, 0, head.spec)
    print(f"  s_pos {seen.min():.4f}, from the model {own.s_pos.min():.4f}: {own.purity[0, 0, 0]}")
    assert np.allclose(seen, own.s_pos[:, 0], atol=1e-4)

    for family in ("qwen2", "gpt_neox", "phi3", "qwen3"):
        fields = {"head_dim": 16} if family == "qwen3" else {}
        fields |= {} if family == "gpt_neox" else {"num_key_value_heads": 2, "pad_token_id": None}
        gap = compare(random_model(family, **fields), tokens)
        print(f"{family}: scores from the cache are off by {gap:.1e}")
        assert gap < 1e-3

    # Without its norms a Qwen3 head is another one.
    model = random_model("qwen3", head_dim=16, num_key_value_heads=4)
    spec = RopeSpec.from_config(model.config)
    own = head_scores(model, tokens, tau=TAU)
    bridge = bridge_of(model)
    _, cache = bridge.run_with_cache(tokens)
    raw = [cache[f"blocks.0.attn.hook_{side}"].transpose(1, 2) for side in "qk"]
    wrong = vector_scores(*raw, spec, tau=TAU).positional.numpy()
    print(f"qwen3, before its norms: off by {abs(wrong - own.s_pos[:, 0]).max():.2f}")
    try:
        head_scores(bridge, tokens)
    except Unsupported as refusal:
        print(f"qwen3, the bridge in place of the model: {refusal}")


if __name__ == "__main__":
    main()
