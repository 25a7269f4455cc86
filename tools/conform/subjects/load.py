"""An implementation by its name: the user's code, or the family of a model's configuration."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from pathlib import Path
from types import ModuleType
from typing import Any

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.extras import line_of

__all__ = ["built_model", "family_model", "family_module", "load"]


def load(target: str, *, part: str = "text") -> tuple[Any, Any]:
    """What `MODULE:CALLABLE` or a model's directory names, and the configuration that comes with it.

    Of a directory that is a function `layer -> module`, where `layer` is None for the rotary module
    alone. Of a model with a `text_config` and a `vision_config` the `part` says which is meant.
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
        raise Unsupported(f"a model's own module needs transformers: {line_of('models')}") from None
    try:
        config = AutoConfig.from_pretrained(target)
    except (OSError, ValueError, KeyError) as error:
        told = " ".join(str(error).split())[:200]
        raise InvalidArgument(
            "target", target, f"a configuration of transformers ({told})"
        ) from None
    wrapped = getattr(config, f"{part}_config", None)
    if wrapped is None and part != "text":
        raise InvalidArgument("part", part, f"text; {target} has no {part}_config")
    config = config if wrapped is None else wrapped

    def module(layer: int | None = None) -> Any:
        return family_module(config) if layer is None else family_model(config)

    return module, config


def family_model(config: Any) -> Any:
    """The model of a configuration without memory for its weights, but with its rotary module."""
    import torch

    with torch.device("meta"):
        model = built_model(config)
    owners: list[Any] = [model, getattr(model, "model", None)]
    for owner in owners:
        if hasattr(owner, "rotary_emb"):
            owner.rotary_emb = family_module(config)
            return model.eval()
    raise Unsupported(f"{type(model).__name__}: it has no rotary_emb")


def built_model(config: Any) -> Any:
    """The model or the tower of a configuration, on the device that is set, not trained.

    Raises `Unsupported` if the installed transformers has no class that is made from it.
    """
    from transformers import MODEL_MAPPING, AutoModel, PreTrainedModel

    try:
        MODEL_MAPPING[type(config)]
    except KeyError:
        home = _home(config)
        classes: list[Any] = [
            found
            for found in vars(home).values()
            if isinstance(found, type)
            and issubclass(found, PreTrainedModel)
            and getattr(found, "config_class", None) is type(config)
            and not found.__name__.endswith("PreTrainedModel")
        ]
        if not classes:
            raise Unsupported(f"{type(config).__name__}: no model class for it") from None
        # What others are made of is the shortest: no head for a task on top of it.
        return min(classes, key=lambda one: len(one.__name__))._from_config(config).eval()
    return AutoModel.from_config(config).eval()


def _imported(target: str) -> Any:
    module_name, _, path = target.rpartition(":")
    allowed = "MODULE:CALLABLE that can be imported from here"
    file = Path(module_name)
    if file.suffix == ".py" and not file.is_file():
        raise InvalidArgument("target", target, f"a file that exists; there is no {file}")
    with _here():
        try:
            module = (
                _of_file(file) if file.suffix == ".py" else importlib.import_module(module_name)
            )
        except (Exception, SystemExit) as error:  # whatever the code does when it is imported
            told = f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
            raise InvalidArgument("target", target, f"{allowed} ({told})") from None
    try:
        found = reduce(getattr, path.split("."), module)
    except AttributeError as error:
        raise InvalidArgument("target", target, f"{allowed} ({error})") from None
    if not callable(found):
        raise InvalidArgument("target", target, f"a callable, not a {type(found).__name__}")
    return found


def _of_file(file: Path) -> ModuleType:
    """The module of a Python file, which finds what lies beside it; imported once."""
    name, place = file.stem, str(file.resolve())
    known = sys.modules.get(name)
    if known is not None:
        if getattr(known, "__file__", None) == place:
            return known
        name = f"{name} of {place}"
        if name in sys.modules:
            return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, place)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(place))
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        sys.path.remove(os.path.dirname(place))
    return module


@contextmanager
def _here() -> Iterator[None]:
    """A context in which modules are also looked for in the current folder, as with `python -m`."""
    sys.path.insert(0, os.getcwd())
    try:
        yield
    finally:
        sys.path.remove(os.getcwd())


def _home(config: Any) -> ModuleType:
    """The Python module in which the model class of a configuration is defined."""
    from transformers import MODEL_MAPPING

    try:
        model = MODEL_MAPPING[type(config)]
    except KeyError:
        model = None
    model = model[0] if isinstance(model, tuple) else model
    # A tower of images has a file in common with its model, if no class of its own.
    file = type(config).__module__.replace(".configuration_", ".modeling_")
    try:
        return importlib.import_module(file if model is None else model.__module__)
    except ImportError:
        told = f"{type(config).__name__}: no model class for it"
        raise Unsupported(told) from None


def family_module(config: Any) -> Any:
    """The rotary module that the installed transformers makes for a configuration.

    The class `...RotaryEmbedding` of the file of the family's model class; for GPT-J and CodeGen, whose
    attention holds its table, one attention layer. Raises `Unsupported` if there is none.
    """
    home = _home(config)
    of_images = "Vision" in type(config).__name__
    own = [
        value
        for name, value in vars(home).items()
        if name.endswith("RotaryEmbedding")
        and ("Vision" in name) == of_images
        and isinstance(value, type)
    ]
    if own:
        return own[0](config).eval()
    for name in ("GPTJAttention", "CodeGenAttention"):
        if hasattr(home, name):
            return getattr(home, name)(config, layer_idx=0).eval()
    raise Unsupported(f"{home.__name__}: it has no rotary module")
