"""The conformance kit on rotary embeddings of other libraries, as far as they are installed.

    pip install rotary-embedding-torch x-transformers equinox jax
    python examples/conform_libraries.py

Each function wraps a library's own call as `(x, positions) -> x`; nothing of theirs is changed. What
was found in which version is on the page "Is this RoPE right?".
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from ropeproof import RopeSpec, conform

SPEC = RopeSpec(64, 10000, layout="interleaved", length=2048)


def rotary_embedding_torch() -> conform.Report:
    """Takes an offset, so positions come as runs."""
    from rotary_embedding_torch import RotaryEmbedding

    module = RotaryEmbedding(dim=64)

    def rotate(x: Any, positions: Any) -> Any:
        return module.rotate_queries_or_keys(x, offset=int(positions[0]))

    return conform.check(rotate, SPEC, contiguous=True, name="rotary-embedding-torch")


def x_transformers() -> conform.Report:
    from x_transformers.x_transformers import RotaryEmbedding, apply_rotary_pos_emb

    module = RotaryEmbedding(dim=64)

    def rotate(x: Any, positions: Any) -> Any:
        frequencies, _ = module(positions)
        return apply_rotary_pos_emb(x, frequencies)

    return conform.check(rotate, SPEC, name="x-transformers")


def _equinox(theta: float, spec: RopeSpec, name: str) -> conform.Report:
    """Counts from 0 and takes one head; the vectors at other positions are read off."""
    import jax.numpy as jnp
    from equinox.nn import RotaryPositionalEmbedding

    module = RotaryPositionalEmbedding(embedding_size=64, theta=theta)

    def rotate(x: Any, positions: Any) -> Any:
        places = positions.astype(int)
        whole = jnp.zeros((int(places.max()) + 1, 64), dtype=x.dtype).at[places].set(x)
        return module(whole)[places]

    return conform.check(
        rotate,
        spec,
        array=jnp.asarray,
        axes="ld",
        dtypes=("float32", "float16"),
        contiguous=True,
        name=name,
    )


def equinox() -> conform.Report:
    return _equinox(10000.0, RopeSpec(64, 10000, length=512), "equinox, base 10000")


def equinox_second() -> conform.Report:
    """A second module with another base, in the same program."""
    return _equinox(500000.0, RopeSpec(64, 500000, length=512), "equinox, then base 500000")


LIBRARIES: tuple[tuple[str, Callable[[], conform.Report]], ...] = (
    ("rotary_embedding_torch", rotary_embedding_torch),
    ("x_transformers", x_transformers),
    ("equinox", equinox),
    ("equinox", equinox_second),
)


def main() -> None:
    for package, run in LIBRARIES:
        try:
            importlib.import_module(package)
        except ImportError:
            print(f"{package} is not installed")
            continue
        report = run()
        print(report, f"\n  cause: {report.cause.text}\n" if report.cause else "\n")


if __name__ == "__main__":
    main()
