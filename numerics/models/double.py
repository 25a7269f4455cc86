"""A float64 model whose attention is float64 throughout, whatever its code casts to float32.

The eager attention of transformers takes its softmax in float32 for every number type, and GPT-J forms
its logits in float32 as well. Their rounding depends on how many keys a row is computed with, masked ones
included, so that a float64 model would give a token other numbers in a longer prompt or beside padding, in
the layers after the first. Casts of one vector at a time (norms, and Cohere's rotation) give each token
the same numbers in any prompt; they belong to the model and are left.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

__all__ = ["attention_in_double"]


@contextlib.contextmanager
def attention_in_double(base: Any) -> Iterator[None]:
    """A context in which a float64 model takes the softmax of its attention in float64.

    `base` is the model without its map to the vocabulary, as `read_model` gives it. Each of its forward
    passes in the context is changed, by whatever implementation of attention; a model of another type is
    not. The model is as it was found afterwards, on errors too.
    """
    import torch

    if base.get_input_embeddings().weight.dtype != torch.float64:
        yield
        return
    forward, own = base.forward, base.__dict__.get("forward")
    mode = _mode(products=base.config.model_type == "gptj")

    def run(*arguments: Any, **named: Any) -> Any:
        with mode():
            return forward(*arguments, **named)

    base.forward = run
    try:
        yield
    finally:
        if own is None:
            del base.forward
        else:
            base.forward = own


def _mode(*, products: bool) -> Any:
    """The class of a mode of torch functions without casts from float64 to float32.

    Those of softmax are left out, and with `products` also those of whole arrays of heads, `(batch, heads,
    length, head_dim)`.
    """
    import torch
    from torch.overrides import TorchFunctionMode

    softmaxes = {torch.softmax, torch.Tensor.softmax, torch.nn.functional.softmax}

    class Double(TorchFunctionMode):
        def __torch_function__(
            self, function: Any, _types: Any, arguments: Any = (), named: Any = None
        ) -> Any:
            named = dict(named or {})
            wide = bool(arguments) and getattr(arguments[0], "dtype", None) == torch.float64
            if wide and function in softmaxes and named.get("dtype") == torch.float32:
                named["dtype"] = torch.float64
            if wide and products and function is torch.Tensor.to and arguments[0].ndim == 4:
                arguments = tuple(torch.float64 if a is torch.float32 else a for a in arguments)
            return function(*arguments, **named)

    return Double
