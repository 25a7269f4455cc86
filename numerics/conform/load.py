"""An implementation by its name: code of anybody's, or the family of a model's configuration."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from typing import Any

from ropeproof.theory.errors import InvalidArgument, Unsupported

__all__ = ["family_module", "load"]


def load(target: str) -> tuple[Any, Any]:
    """What `MODULE:CALLABLE` or a model's directory names, and the configuration that comes with it.

    Raises `InvalidArgument` if there is no such module, no such name in it, or no configuration;
    `Unsupported` for a family without a rotary module.
    """
    if ":" in target and not os.path.exists(target):
        return _imported(target), None
    if not os.path.exists(os.path.join(target, "config.json")) and not target.endswith(".json"):
        raise InvalidArgument("target", target, "MODULE:CALLABLE, or a folder with a config.json")
    try:
        from transformers import AutoConfig
    except ImportError:
        raise Unsupported("a model's own module needs transformers: the extra 'hf'") from None
    try:
        config = AutoConfig.from_pretrained(target)
    except (OSError, ValueError, KeyError) as error:
        told = " ".join(str(error).split())[:200]
        raise InvalidArgument(
            "target", target, f"a configuration of transformers ({told})"
        ) from None
    return family_module(config), config


def _imported(target: str) -> Any:
    module_name, _, path = target.partition(":")
    allowed = "MODULE:CALLABLE that can be imported from here"
    with _here():
        try:
            module = importlib.import_module(module_name)
        except Exception as error:  # whatever the code does when it is imported
            told = f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
            raise InvalidArgument("target", target, f"{allowed} ({told})") from None
    try:
        found = reduce(getattr, path.split("."), module)
    except AttributeError as error:
        raise InvalidArgument("target", target, f"{allowed} ({error})") from None
    if not callable(found):
        raise InvalidArgument("target", target, f"a callable, not a {type(found).__name__}")
    return found


@contextmanager
def _here() -> Iterator[None]:
    """The current folder is where modules are looked for, as with `python -m`."""
    sys.path.insert(0, os.getcwd())
    try:
        yield
    finally:
        sys.path.remove(os.getcwd())


def family_module(config: Any) -> Any:
    """The rotary module that the installed transformers makes for a configuration.

    The class `...RotaryEmbedding` of the file of the family's model class; for GPT-J and CodeGen, whose
    attention holds its table, one attention layer. Raises `Unsupported` if there is none.
    """
    from transformers import MODEL_MAPPING

    try:
        model = MODEL_MAPPING[type(config)]
    except KeyError:
        told = f"{type(config).__name__}: no model class for it"
        raise Unsupported(told) from None
    model = model[0] if isinstance(model, tuple) else model
    home = sys.modules[model.__module__]
    own = [
        value
        for name, value in vars(home).items()
        if name.endswith("RotaryEmbedding") and "Vision" not in name and isinstance(value, type)
    ]
    if own:
        return own[0](config).eval()
    for name in ("GPTJAttention", "CodeGenAttention"):
        if hasattr(home, name):
            return getattr(home, name)(config, layer_idx=0).eval()
    raise Unsupported(f"{home.__name__}: it has no rotary module")
