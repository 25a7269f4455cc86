"""An engine that writes dumps: its own rotation in NumPy, in bfloat16 and float32."""

from __future__ import annotations

import numpy as np

from ropeproof.theory.rotary.spec import RopeSpec, Yarn

__all__ = ["DOCUMENTS", "LONG", "SPEC", "rotated", "rounded", "write", "written", "zigzag"]

SPEC = RopeSpec(64, 500000, length=32768)
LONG = RopeSpec(64, 10000, scaling=Yarn(factor=8, original_length=4096), length=32768)
DOCUMENTS = np.concatenate((np.arange(20), np.arange(30), np.arange(14)))


def rounded(x):
    """Values rounded to bfloat16, in float32."""
    bits = np.asarray(x, dtype=np.float32).view(np.uint32)
    nearest = bits + 0x7FFF + ((bits >> 16) & 1)
    return (nearest & 0xFFFF0000).astype(np.uint32).view(np.float32)


def rotated(x, positions, base=500000.0, layout="half", scale=1.0, sign=1.0, thetas=None, factor=1):
    """Vectors `(batch, heads, length, head_dim)` turned at positions `(batch, length)`."""
    m = x.shape[-1] // 2
    thetas = base ** -(np.arange(m) / m) / scale if thetas is None else thetas
    angles = (np.asarray(positions)[..., None] * thetas)[:, None]
    c, s = factor * np.cos(angles), factor * sign * np.sin(angles)
    out = np.empty_like(x)
    re, im = (
        (slice(m), slice(m, None)) if layout == "half" else (slice(0, None, 2), slice(1, None, 2))
    )
    out[..., re] = x[..., re] * c - x[..., im] * s
    out[..., im] = x[..., im] * c + x[..., re] * s
    return out


def zigzag(rank, ranks, chunk):
    """The positions of a rank whose chunks are one from each end of the sequence."""
    first, second = rank * chunk, (2 * ranks - 1 - rank) * chunk
    return np.concatenate((first + np.arange(chunk), second + np.arange(chunk)))


def written(used, *, rows=1, heads=4, dim=64, half=True, seed=0, keys_used=None, **how):
    """The arrays of queries and keys that this engine turned at the positions `used`."""
    rng = np.random.default_rng(seed)
    length = np.asarray(used).shape[-1]
    found = {}
    for letter, count in (("q", heads), ("k", 2)):
        outliers = np.exp(rng.standard_normal(dim))  # real vectors have large and small channels
        x = rng.standard_normal((rows, count, length, dim)) * outliers
        x = rounded(x) if half else x.astype(np.float32)
        places = used if letter == "q" or keys_used is None else keys_used
        places = np.broadcast_to(places, (rows, length))
        out = rotated(x.astype(np.float64), places, **how)
        found[f"{letter}_before"] = x
        found[f"{letter}_after"] = rounded(out) if half else out.astype(np.float32)
    return found


def write(path, used, stated, *, more=None, **how):
    """Write a dump of vectors turned at `used` that states other positions; returns its path."""
    file = path / "dump.npz"
    arrays = written(used, **how) | {"positions": stated, "axes": "bhld"}
    np.savez(file, **arrays, **(more or {}))
    return file
