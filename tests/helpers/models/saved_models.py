"""A small model with a tokenizer, saved in a folder as released models are."""

from __future__ import annotations

from pathlib import Path

import torch
import transformers
from tiny_models import GROUPED, PLAIN
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

WORDS = 300


def save_tokenizer(folder: Path) -> None:
    """Save a tokenizer with one token for each byte."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: number for number, letter in enumerate(letters)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer).save_pretrained(folder)


def save_model(
    folder: Path, *, seed: int = 0, tokenizer: bool = True, family: str = "llama", **fields: object
) -> Path:
    """Save a model of two layers with four heads, 64 positions and random weights in `folder`."""
    torch.manual_seed(seed)
    options = {**GROUPED, "vocab_size": WORDS, "num_hidden_layers": 2, "rope_parameters": PLAIN}
    options |= {"max_position_embeddings": 64, "attn_implementation": None}
    config = transformers.AutoConfig.for_model(family, **{**options, **fields})
    model = transformers.AutoModelForCausalLM.from_config(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.15)
    model.save_pretrained(folder)
    if tokenizer:
        save_tokenizer(folder)
    return folder


def weights_in(folder: Path) -> dict[str, torch.Tensor]:
    """All weights of the model that is saved in a folder, by name."""
    return transformers.AutoModelForCausalLM.from_pretrained(folder).state_dict()


def equal(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    """Whether two sets of weights are the same to the last bit."""
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)
