"""The rotation that a model uses, read from its own tables, in the state before any prompt was run.

Dynamic scaling remembers the longest prompt that a model has seen, and turns a later, shorter one by
that prompt's frequencies. A measurement must not depend on what ran before it, so it begins with the
tables of a new model and restores the model's own afterwards.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ropeproof.numerics.bounds.head.rotation import Rotation
from ropeproof.theory.errors import Unsupported

if TYPE_CHECKING:
    import torch

__all__ = ["fresh_tables", "given_rotation", "own_rotation"]

_FREQUENCIES, _ORIGINAL, _LENGTH = "inv_freq", "original_inv_freq", "max_seq_len_cached"


@contextlib.contextmanager
def fresh_tables(model: Any) -> Iterator[None]:
    """A context in which the model has a new model's frequencies; its own are restored after."""
    rotary = getattr(model, "rotary_emb", None)
    if rotary is None:
        yield
        return
    found, buffers = dict(vars(rotary)), dict(rotary._buffers)
    values = {name: buffer.clone() for name, buffer in buffers.items() if buffer is not None}
    for name in list(buffers):
        if not name.endswith(_FREQUENCIES) or name.endswith(_ORIGINAL):
            continue
        prefix = name.removesuffix(_FREQUENCIES)
        original = getattr(rotary, prefix + _ORIGINAL, None)
        if original is not None:
            rotary._buffers[name] = original.clone()
        if hasattr(rotary, prefix + _LENGTH):
            setattr(rotary, prefix + _LENGTH, rotary.original_max_seq_len)
    try:
        yield
    finally:
        rotary._buffers.clear()
        rotary._buffers.update(buffers)
        for name, value in values.items():
            # In place: a table may have been overwritten rather than replaced.
            buffers[name].copy_(value)
        for name in set(vars(rotary)) - set(found):
            delattr(rotary, name)
        vars(rotary).update(found)


def given_rotation(tables: Any, length: int, head_dim: int, *, interleaved: bool) -> Rotation:
    """The rotation in the cosines and sines given to a layer, `(batch, length, rotary_dim)` each.

    Raises `Unsupported` if `tables` are not such a pair.
    """
    import torch

    if not isinstance(tables, tuple | list) or len(tables) != 2:
        raise Unsupported("attention that is not given its rotation")
    for table in tables:
        shape = tuple(table.shape) if isinstance(table, torch.Tensor) else ()
        good = len(shape) == 3 and shape[1] >= length and not shape[2] % 2
        if not good or not 0 < shape[2] <= head_dim:
            wanted = f"(batch, {length}, at most {head_dim})"
            raise Unsupported(f"a table of cosines or sines of shape {shape}, not {wanted}")
    cosines, sines = (table[0, :length].double() for table in tables)
    size = cosines.shape[-1]
    rest = range(size, head_dim, 2)
    if interleaved:
        cosines, sines = cosines[:, ::2], sines[:, ::2]
        real = tuple(range(0, head_dim, 2))
        return _padded(cosines, sines, real, tuple(place + 1 for place in real))
    planes = size // 2
    real = (*range(planes), *rest)
    imaginary = (*range(planes, size), *(place + 1 for place in rest))
    return _padded(cosines[:, :planes], sines[:, :planes], real, imaginary)


def own_rotation(attention: Any, length: int, keys: torch.Tensor) -> Rotation:
    """The rotation in the table of a GPT-J attention: sines first, in the type of the keys."""
    rows = attention.embed_positions[:length].to(keys.device, keys.dtype).double()
    sines, cosines = rows.chunk(2, -1)
    pairs = range(0, keys.shape[-1], 2)
    return _padded(cosines, sines, tuple(pairs), tuple(pair + 1 for pair in pairs))


def _padded(
    cosines: torch.Tensor, sines: torch.Tensor, real: tuple[int, ...], imaginary: tuple[int, ...]
) -> Rotation:
    """The rotation extended by the unrotated planes, with cosine 1 and sine 0."""
    import torch

    missing = (0, len(real) - cosines.shape[-1])
    pad = torch.nn.functional.pad
    return Rotation(pad(cosines, missing, value=1.0), pad(sines, missing), real, imaginary)
