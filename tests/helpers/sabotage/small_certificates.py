"""Small first layers, one of them as a GGUF file, a law of tokens, and the record of a certificate."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.certificate.first_layer import FirstLayer
from ropeproof.tools.certificate.law import TokenLaw
from ropeproof.tools.certificate.record import Maker

__all__ = ["LAW", "made", "tiny", "write_gguf"]

LAW = TokenLaw.of_ids("letters", b"abacabe", [0, 1, 0, 2, 0, 1, 4])


def tiny(strength: float = 3.0, seed: int = 0) -> FirstLayer:
    """A first layer of six tokens, width 8, and four heads of two planes that share two key heads."""
    random = np.random.default_rng(seed)

    def draw(*shape: int) -> np.ndarray:
        return random.normal(size=shape).astype(np.float32)

    return FirstLayer(
        embedding=draw(6, 8),
        norm=np.ones(8, dtype=np.float32) + draw(8) / 4,
        eps=1e-5,
        query=draw(4, 2, 2, 8) * np.float32(strength / 3),
        key=draw(2, 2, 2, 8) * np.float32(0.5),
        spec=RopeSpec(4, base=100),
        scale=0.5,
        name="tiny",
    )


@cache
def _text(lags: int, long: int, named: int) -> str:
    maker = Maker(tiny(), LAW, lags=lags, long=long, named=named)
    while maker.step():
        pass
    return json.dumps(maker.record())


def made(*, lags: int = 5, long: int = 7, named: int = 2) -> Any:
    """The record of a certificate for `tiny()` and `LAW`, as it is read from a file."""
    return json.loads(_text(lags, long, named))


def write_gguf(path: Path, *, seed: int = 0) -> None:
    """Write a llama's first layer to a GGUF file: 12 tokens, width 16, four heads, two key heads."""
    import gguf

    random = np.random.default_rng(seed)

    def draw(*shape: int) -> np.ndarray:
        return random.normal(size=shape).astype(np.float32)

    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(64)
    writer.add_embedding_length(16)
    writer.add_block_count(1)
    writer.add_feed_forward_length(8)
    writer.add_head_count(4)
    writer.add_head_count_kv(2)
    writer.add_rope_freq_base(100.0)
    writer.add_rope_dimension_count(4)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(12)
    writer.add_tensor("token_embd.weight", draw(12, 16))
    writer.add_tensor("blk.0.attn_norm.weight", np.ones(16, dtype=np.float32) + draw(16) / 4)
    writer.add_tensor("blk.0.attn_q.weight", draw(16, 16) * np.float32(0.3))
    writer.add_tensor("blk.0.attn_k.weight", draw(8, 16) * np.float32(0.3))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
