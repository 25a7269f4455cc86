"""What each extra of the distribution installs, and the line to type where one is missing.

The base install lists and shows claims, reads configurations and computes with balls. The keys of
`EXTRAS` are those of `[project.optional-dependencies]` in `pyproject.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from types import MappingProxyType

from ropeproof.theory.errors import Unsupported

__all__ = ["EXTRAS", "explained", "installed", "line_of", "require_extra"]

EXTRAS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "proofs": ("z3", "scipy", "hypothesis"),
        "models": ("torch", "transformers", "safetensors", "tokenizers", "scipy", "threadpoolctl"),
        "plots": ("matplotlib",),
        "gguf": ("gguf", "accelerate"),
        "lens": ("transformer_lens",),
        "dask": ("distributed",),
        "second-solver": ("cvc5",),
        "docs": ("sphinx", "myst_parser"),
        "test": ("pytest", "jsonschema"),
    }
)
"""The modules that each extra brings, the one that stands for it first."""


def installed(extra: str) -> bool:
    """Whether all modules of an extra can be imported; none of them is."""
    return not _missing(extra)


def require_extra(extra: str, what: str, *modules: str) -> None:
    """Raise `Unsupported` with the line to type if `what` needs an extra that is not installed.

    With `modules` it needs only these of the extra.
    """
    missing = _missing(extra, modules)
    if missing:
        raise Unsupported(f"{what} needs {missing[0]}: {line_of(extra)}")


def explained(error: ModuleNotFoundError) -> Unsupported | None:
    """The same for an import that has failed; None if it was of none of these modules."""
    name = (error.name or "").partition(".")[0]
    extra = next((extra for extra, modules in EXTRAS.items() if name in modules), None)
    return None if extra is None else Unsupported(f"{name} is not installed: {line_of(extra)}")


def line_of(extra: str) -> str:
    """The line to type that installs an extra."""
    return f"pip install 'ropeproof[{extra}]'"


def _missing(extra: str, modules: Sequence[str] = ()) -> list[str]:
    # What is not imported yet is looked for in all folders of the path.
    wanted = [name for name in EXTRAS[extra] if not modules or name in modules]
    return [name for name in wanted if not _found(name)]


def _found(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):  # a module without a spec, made by hand
        return False
