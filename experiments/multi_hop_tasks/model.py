"""The paper's model: transformers' GPT-J, one head per layer, every plane of it turning."""

from __future__ import annotations

from torch import Tensor
from transformers import GPTJConfig, GPTJForCausalLM

from multi_hop_tasks.data import vocabulary_of
from multi_hop_tasks.settings import Settings

__all__ = ["POSITIONS", "answers_of", "fresh_model"]

POSITIONS = 1_024
"""Rows of GPT-J's table of angles, which has to reach the longest test; no weight depends on it."""


def fresh_model(task: str, settings: Settings) -> GPTJForCausalLM:
    """A new model with weights as transformers draws them, from torch's generator."""
    size = len(vocabulary_of(task, settings))
    config = GPTJConfig(
        vocab_size=size,
        n_positions=POSITIONS,
        n_embd=settings.width,
        n_layer=settings.layers,
        n_head=1,
        rotary_dim=settings.width,
        n_inner=4 * settings.width,
        activation_function="gelu",
        resid_pdrop=settings.dropout,
        attn_pdrop=settings.dropout,
        embd_pdrop=0.0,
        bos_token_id=None,
        eos_token_id=None,
        use_cache=False,
        attn_implementation="eager",
    )
    return GPTJForCausalLM(config)


def answers_of(model: GPTJForCausalLM, tokens: Tensor) -> Tensor:
    """The logits of the answer, `(sequences, vocabulary)`, read off the last position."""
    last: Tensor = model.lm_head(model.transformer(tokens).last_hidden_state[:, -1])
    return last
