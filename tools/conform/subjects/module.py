"""The rotary embedding of a model of transformers: its own tables, turned by its own function."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.subjects.layer import attention_of, layer_pair, model_positions
from ropeproof.tools.conform.subjects.subject import Form, form_of
from ropeproof.tools.conform.subjects.tables import apply_tables

__all__ = ["adapted", "as_called", "called_module", "is_module", "rotary_module"]

Pair = Callable[[Any, Any, Any], Any]


def is_module(thing: object) -> bool:
    """Whether a thing is a module of PyTorch."""
    return any(
        base.__module__.startswith("torch.nn") and base.__name__ == "Module"
        for base in type(thing).__mro__
    )


def as_called(
    given: Any, spec: RopeSpec, form: Form | None, layer: int | None, axes: str
) -> tuple[Callable[..., Any], Form]:
    """How a function or a module is called: a callable and its form.

    A form that is given decides. Of a module without one it is that of `called_module`, in layer 0 where
    none is named and a part of the head is left alone, which is seen in a layer only.
    """
    if form is not None or not is_module(given):
        return given, form or form_of(given)
    first = 0 if layer is None and spec.rotary_start else layer
    return called_module(given, spec, first, axes)[:2]


def called_module(
    module: Any, spec: RopeSpec, layer: int | None = None, axes: str = "bhld"
) -> tuple[Callable[..., Any], Form, bool]:
    """How a module is called that somebody gives without saying it: a callable, its form, and whose it is.

    A model of transformers or its rotary module is called as the pair `(q, k, positions) -> (q, k)` of
    `adapted`, and the last value is True. Of another module the parameters of its `forward` say the form,
    as those of a function do: `(x, positions)` turns vectors whose axes are `axes`, or makes tables that
    are applied to them in the spec's layout; `(q, k, positions)` turns a pair of them, `(positions)` makes
    tables; the last value is then False. Raises `Unsupported` where neither is the
    case, with the options that say how to call it.
    """
    try:
        return adapted(module, spec, layer), "pair", True
    except Unsupported as error:
        form = _own_form(module) if layer is None else None
        if form is None:
            raise Unsupported(
                f"{error}; if it turns vectors itself, say how it is called: form='rotate' for "
                "(x, positions), form='pair' for (q, k, positions), form='tables' for (positions)"
            ) from None
        return (_turned(module, spec, axes) if form == "rotate" else module), form, False


def _turned(module: Any, spec: RopeSpec, axes: str) -> Callable[..., Any]:
    """A module of `(x, positions)` as `(x, positions) -> x`, also where it returns tables (cos, sin)."""

    def rotate(x: Any, positions: Any) -> Any:
        found = module(x, positions)
        if isinstance(found, tuple) and len(found) == 2:
            return apply_tables(found, x, spec, axes)
        return found

    rotate.__name__ = type(module).__name__
    return rotate


def _own_form(module: Any) -> Form | None:
    """The form of a module's own `forward`; None if its parameters are no vectors and positions."""
    try:
        parameters = inspect.signature(module.forward).parameters.values()
    except (TypeError, ValueError):
        return None
    needed = [p for p in parameters if p.default is p.empty]
    if any(p.kind not in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in needed):
        return None
    form = form_of(module)
    if form != "rotate":
        return form
    first = needed[0].name.lower() if needed else ""
    words = any(part in first for part in ("ids", "token", "input_embeds"))
    return None if words or len(needed) != 2 else form


def rotary_module(module: Any, *, of_images: bool = False) -> Any:
    """The part of a model that makes its tables: the first whose class is a rotary embedding.

    That is a class named `...RotaryEmbedding`, with `Vision` in its name if it is `of_images` and
    without it if not, or one with GPT-J's table `embed_positions`. Raises `Unsupported` if there is
    none.
    """
    for part in module.modules():
        name = type(part).__name__
        if name.endswith("RotaryEmbedding") and ("Vision" in name) == of_images:
            return part
        if hasattr(part, "embed_positions") and hasattr(part, "rotary_dim"):
            return part
    raise Unsupported(f"{type(module).__name__}: it has no rotary embedding that is known here")


def adapted(module: Any, spec: RopeSpec, layer: int | None = None) -> Pair:
    """`(q, k, positions) -> (q, k)` of a module, with vectors `(batch, heads, length, head_dim)`.

    The tables are those of the module's `forward(x, position_ids)`; they are applied by the function
    `apply_rotary_pos_emb` of the file that the module's class is from, to the first `rotary_dim`
    coordinates where it takes no others. With `layer`, what the attention of that layer of a model
    does (`ropeproof.tools.conform.subjects.layer`). Raises `Unsupported` where one of them is missing.
    """
    of_images = spec.axes is not None and not spec.axes.of_text
    part = rotary_module(module, of_images=of_images)
    if of_images:
        return _named(_of_images(part), part)
    if layer is not None:
        return layer_pair(part, attention_of(module, layer), spec)
    home = sys.modules[type(part).__module__]
    apply = getattr(home, "apply_rotary_pos_emb", None)
    if apply is None:
        raise Unsupported(f"{home.__name__}: it has no function apply_rotary_pos_emb")
    if hasattr(part, "embed_positions"):
        return _named(_of_table(part, apply, spec), part)
    return _named(_of_tables(part, apply, spec), part)


def _named(pair: Pair, part: Any) -> Pair:
    pair.__name__ = type(part).__name__
    return pair


def _of_tables(part: Any, apply: Any, spec: RopeSpec) -> Pair:
    types = inspect.signature(part.forward).parameters
    kinds = [k for k in getattr(part, "layer_types", ()) or () if k]
    more = {"layer_type": kinds[0]} if "layer_type" in types and kinds else {}

    def pair(q: Any, k: Any, positions: Any) -> Any:
        tables = part(q, model_positions(positions, spec), **more)
        if not isinstance(tables, tuple) or len(tables) != 2:
            told = (
                "it gives no pair of tables (cos, sin); if it turns vectors itself, form='rotate'"
            )
            raise Unsupported(f"{type(part).__name__}: {told}")
        cosines, sines = tables
        width = spec.rotary_dim
        if width == spec.head_dim or _cuts(apply):
            return apply(q, k, cosines, sines)
        import torch

        turned = apply(q[..., :width], k[..., :width], cosines, sines)
        return tuple(
            torch.cat((a, b[..., width:]), -1) for a, b in zip(turned, (q, k), strict=True)
        )

    return pair


def _of_images(part: Any) -> Pair:
    """The rotation of a vision tower: tables of the patches of one row of a batch at a time."""
    home = sys.modules[type(part).__module__]
    apart = getattr(home, "apply_rotary_pos_emb_vision", None)
    apply = apart or getattr(home, "apply_rotary_pos_emb", None)
    if apply is None or len(inspect.signature(part.forward).parameters) != 2:
        raise Unsupported(f"{type(part).__name__}: its tables are not made from positions")

    def pair(q: Any, k: Any, positions: Any) -> Any:
        import torch

        rows = positions if positions.ndim == 3 else positions.expand(q.shape[0], -1, -1)
        found = []
        for query, key, places in zip(q, k, rows, strict=True):
            tables = part(query, places)
            if apart is None:
                found.append(apply(query, key, *tables, unsqueeze_dim=0))
            else:  # patches before heads
                turned = apply(query.transpose(0, 1), key.transpose(0, 1), *tables)
                found.append(tuple(x.transpose(0, 1) for x in turned))
        return tuple(torch.stack(side) for side in zip(*found, strict=True))

    return pair


def _cuts(apply: Any) -> bool:
    """Whether a function rotates only as many coordinates as the tables have."""
    return "shape[-1]" in inspect.getsource(apply)


def _of_table(part: Any, apply: Any, spec: RopeSpec) -> Pair:
    """The rotation of GPT-J and CodeGen: a table of sines and cosines, the length before the heads."""

    def pair(q: Any, k: Any, positions: Any) -> Any:
        import torch

        rows = positions if positions.ndim == 2 else positions[None]
        sines, cosines = torch.chunk(part.embed_positions[rows], 2, dim=-1)
        width = spec.rotary_dim
        found = []
        for x in (q, k):
            y = x.transpose(1, 2)
            turned = apply(y[..., :width], sines, cosines)
            found.append(torch.cat((turned, y[..., width:]), -1).transpose(1, 2).to(x.dtype))
        return tuple(found)

    return pair
