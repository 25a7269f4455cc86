"""The loss of a whole model in nats per token at every position, plain or with displaced positions.

The bounds of single heads do not bound this loss: a network's later layers see the outputs of earlier
ones, and no claim here says how an error grows on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.numerics.core.arrays import real_array
from ropeproof.numerics.models.double import attention_in_double
from ropeproof.numerics.models.families import read_model
from ropeproof.numerics.models.prompts import check_tokens, read_tokens
from ropeproof.theory.errors import InvalidArgument

if TYPE_CHECKING:
    import torch

__all__ = ["loss_by_position", "token_losses", "unmoved"]

Floats = NDArray[np.float64]


def token_losses(model: Any, input_ids: Any, *, moves: ArrayLike | None = None) -> Floats:
    """The loss in nats of every token but the first, `(batch, length - 1)` float64.

    Entry `i` is that of token `i + 1`, given the tokens up to `i`. `input_ids` is
    `(batch, length)` integers without padding; more of them than the model has positions for are
    allowed. `moves` displaces token `i` to position `i + moves[i] - min(moves)`, `(length,)`
    integers: every query and key of it in every layer. The order of the mask does not change.

    One forward pass per prompt, in eval; no gradient is recorded and the modules' training modes
    are as before. The logits of one prompt are held at once, and the loss is taken in float32, of a
    float64 model in float64, with its attention.

    Raises `InvalidArgument` unless there are two tokens or more, all in the vocabulary, `moves`
    fits and `model` is one of transformers that predicts tokens; `Unsupported` for families that
    are not in `ropeproof.numerics.models.FAMILIES`, by name.
    """
    import torch

    base, _, family = read_model(model)
    if getattr(model, "get_output_embeddings", lambda: None)() is None:
        raise InvalidArgument("model", type(model).__name__, "a model that predicts tokens")
    tokens = read_tokens(input_ids)
    embedding = base.get_input_embeddings().weight
    context = int(base.config.max_position_embeddings) if family.interleaved else None
    check_tokens(tokens, len(embedding), context)
    length = tokens.shape[1]
    if length < 2:
        raise InvalidArgument("input_ids", f"shape {tuple(tokens.shape)}", "2 tokens or more")
    tokens = tokens.to(embedding.device, torch.long)
    places = None if moves is None else _places(moves, length, context)
    if places is not None:
        places = places.to(embedding.device)
    # Without a mask, positions that do not rise are read as several sequences in one.
    mask = torch.ones(1, length, dtype=torch.long, device=embedding.device)
    training = [module for module in model.modules() if module.training]
    found = []
    try:
        for module in training:
            module.training = False
        with torch.no_grad(), attention_in_double(base):
            for row in tokens:
                named = {"attention_mask": mask, "position_ids": places}
                output = model(input_ids=row[None], use_cache=False, **named)
                kind = torch.promote_types(output.logits.dtype, torch.float32)
                scores = output.logits[0, :-1].to(kind)
                found.append(torch.nn.functional.cross_entropy(scores, row[1:], reduction="none"))
    finally:
        for module in training:
            module.training = True
    result: Floats = torch.stack(found).double().cpu().numpy()
    return result


def loss_by_position(losses: ArrayLike, edges: Sequence[int]) -> tuple[Floats, Floats]:
    """Mean loss in each bucket of positions, `(buckets,)`, and its standard error over the prompts.

    `losses` is `(prompts, positions)`, as `token_losses` returns them; bucket `b` has the
    positions `edges[b] <= position < edges[b + 1]`. The standard error is that of the mean over the
    prompts, NaN for one prompt.

    >>> loss_by_position([[1.0, 3.0, 5.0], [1.0, 3.0, 6.0]], [0, 2, 3])[0].tolist()
    [2.0, 5.5]

    Raises `InvalidArgument` unless the edges rise within the positions.
    """
    values = real_array("losses", losses)
    if values.ndim != 2 or not values.size:
        raise InvalidArgument("losses", f"shape {values.shape}", "shape (prompts, positions)")
    ends = list(edges)
    rising = all(a < b for a, b in pairwise(ends))
    if len(ends) < 2 or ends[0] < 0 or ends[-1] > values.shape[1] or not rising:
        raise InvalidArgument("edges", ends, f"rising integers from 0 to {values.shape[1]}")
    each = np.array([values[:, a:b].mean(1) for a, b in pairwise(ends)])
    count = values.shape[0]
    error = each.std(1, ddof=1) / np.sqrt(count) if count > 1 else np.full(len(each), np.nan)
    return each.mean(1), error


def unmoved(moves: ArrayLike) -> NDArray[np.bool_]:
    """Which predictions are comparable after tokens changed places, `(length - 1,)` booleans.

    Prediction `i` is of token `i + 1` from token `i`: both have to be where they were.

    >>> unmoved([0, 0, 1, -1, 0, 0]).tolist()
    [True, False, False, False, True]
    """
    still = real_array("moves", moves) == 0
    result: NDArray[np.bool_] = still[:-1] & still[1:]
    return result


def _places(moves: ArrayLike, length: int, context: int | None) -> torch.Tensor:
    """The displaced positions, `(1, length)`, shifted to begin at 0 and checked."""
    import torch

    values = real_array("moves", moves)
    if values.shape != (length,) or not (values == np.rint(values)).all():
        got = f"shape {values.shape}, dtype {np.asarray(moves).dtype}"
        raise InvalidArgument("moves", got, f"{length} integers, one of each token")
    places = np.arange(length) + values - values.min()
    if context is not None and places.max() >= context:
        allowed = f"positions below max_position_embeddings, {context}"
        raise InvalidArgument("moves", f"position {places.max():.0f}", allowed)
    return torch.from_numpy(places.astype(np.int64))[None]
