"""Every family against the code that transformers runs: what a layer turns, and tables of its default."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from shipped_families import (
    default_config,
    pairs_turned,
    rotary_class,
    seen_by_layer,
    shipped,
    small_config,
)

from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_float64
from ropeproof.theory.errors import RopeproofError
from ropeproof.theory.rotary.config import is_nested
from ropeproof.theory.rotary.families import FAMILIES, UNSUPPORTED
from ropeproof.theory.rotary.layers import layer_kinds
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.subjects.load import built_model

ROOT = Path(__file__).parents[3]
POSITIONS = [0, 1, 2, 3, 7, 20, 55, 200]
TEXT = [name for name in sorted(FAMILIES) if name in shipped() and FAMILIES[name].grid is None]


def test_what_is_shipped_is_read_or_refused_with_a_reason():
    known = FAMILIES.keys() | UNSUPPORTED.keys()
    assert sorted(set(shipped()) - known) == []


def test_the_page_of_families_is_that_of_the_tables():
    sys.path.insert(0, str(ROOT / "maintenance"))
    try:
        import family_table
    finally:
        sys.path.pop(0)
    assert family_table.PAGE.read_text(encoding="utf-8") == family_table.page()


def by_layer(fields: Any) -> dict[int, RopeSpec]:
    """The spec of each layer; of all where they are one, under each number."""
    found: dict[int, RopeSpec] = {}
    for spec, layers in layer_kinds(fields):
        # Some models have two attentions in each layer.
        for layer in layers or range(2 * (fields.get("num_hidden_layers") or 1) + 2):
            found[layer] = spec
    return found


def turned_by(x: Any, spec: RopeSpec) -> Any:
    """Vectors at `POSITIONS` turned by the plain formula, in float64."""
    out, places = x.clone(), torch.tensor(POSITIONS, dtype=torch.float64)
    turns = torch.from_numpy(np.asarray(frequencies_float64(spec)))
    for plane, (real, imaginary) in enumerate(spec.plane_coordinates()[: spec.rotary_planes]):
        angle = places * turns[plane]
        out[..., real] = x[..., real] * angle.cos() - x[..., imaginary] * angle.sin()
        out[..., imaginary] = x[..., real] * angle.sin() + x[..., imaginary] * angle.cos()
    return out


@pytest.mark.parametrize("name", TEXT)
def test_each_layer_turns_queries_and_keys_as_the_spec_says(name: str):
    config = small_config(name)
    config._attn_implementation = "eager"
    torch.manual_seed(0)
    model = built_model(config)
    specs = by_layer(config.to_dict())
    still = list(seen_by_layer(model, [0] * len(POSITIONS)))
    turned = list(seen_by_layer(model, POSITIONS))
    if not turned or name in UNSTEADY:
        _by_function(model, specs)
        return
    for before, after in zip(still, turned, strict=True):
        spec = specs[before.layer].on_text()
        assert after.queries.shape[-1] == spec.head_dim
        laid = spec
        if spec.rotary_start and spec.layout == "interleaved":
            _interleaved(after, spec)
            laid = spec if _in_place(after) else spec.changed(layout="half")
        for x, theirs in ((before.queries, after.queries), (before.keys, after.keys)):
            # At position 0 the attention factor is there already.
            torch.testing.assert_close(turned_by(x, laid), theirs, rtol=0, atol=1e-3)


UNSTEADY = {"recurrent_gemma"}
"""Families whose layers below attention change with positions, so that vectors are not the same at all."""


def _by_function(model: Any, specs: dict[int, RopeSpec]) -> None:
    """The function that rotates, in each layer that calls it: the rotated part, or whole heads."""
    pairs = pairs_turned(model, POSITIONS)
    turning = [spec.on_text() for _, spec in sorted(specs.items()) if spec.rotary_dim]
    assert 0 < len(pairs) <= len(turning)
    for spec, (given, turned) in zip(turning, pairs, strict=False):
        part = spec
        if given[0].shape[-1] != spec.head_dim:
            part = spec.changed(head_dim=spec.rotary_dim, rotary_start=0)
        for x, theirs in zip(given, turned, strict=True):
            ours = turned_by(x, part)
            ours[..., : part.rotary_dim] *= attention_factor_float64(part)
            torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-3)


def _in_place(seen: Any) -> bool:
    """Whether the first vector, at position 0, comes out with its coordinates where they were."""
    assert seen.given is not None
    x, y = seen.given[0][..., 0, :], seen.turned[0][..., 0, :]
    size = (y.norm() / x.norm()).item()
    return torch.allclose(x * size, y, atol=1e-4)


def _interleaved(seen: Any, spec: RopeSpec) -> None:
    """The logits of the rotated part alone: code may leave the coordinates in another order."""
    part = spec.changed(head_dim=spec.rotary_dim, rotary_start=0)
    ours = [turned_by(x, part) for x in seen.given]
    size = attention_factor_float64(spec) ** 2
    wanted = size * ours[0] @ ours[1].transpose(-1, -2)
    theirs = seen.turned[0] @ seen.turned[1].transpose(-1, -2)
    torch.testing.assert_close(wanted, theirs, rtol=1e-4, atol=1e-3)


SCALINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "linear": {"factor": 4.0},
    "dynamic": {"factor": 4.0},
    "yarn": {"factor": 4.0, "original_max_position_embeddings": 1024},
    "llama3": {
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 1024,
    },
    "longrope": {"factor": 4.0, "original_max_position_embeddings": 1024},
}


def scaled(rope: dict[str, Any], kind: str, planes: int) -> dict[str, Any]:
    """Rotary parameters with another scaling, their base and rotated part as they are."""
    kept = {
        k: rope[k] for k in ("rope_theta", "partial_rotary_factor", "mrope_section") if k in rope
    }
    if rope.get("rope_type") == "proportional":  # the fraction is a parameter of that scaling
        kept.pop("partial_rotary_factor")
    lists = {"short_factor": [1.5] * planes, "long_factor": [3.0] * planes}
    return kept | {"rope_type": kind} | SCALINGS[kind] | (lists if kind == "longrope" else {})


def by_type(fields: Any, length: int | None = None) -> dict[str | None, RopeSpec]:
    """The spec of each layer type that rotates, under None where they are one."""
    if not is_nested(fields):
        kinds = layer_kinds(fields, length=length)
        return {None: next(spec for spec, _ in kinds if spec.rotary_dim)}
    kinds = [kind for kind, rope in fields["rope_parameters"].items() if isinstance(rope, dict)]
    kinds = [kind for kind in kinds if kind in fields["layer_types"]]
    return {kind: RopeSpec.from_config(fields, layer_type=kind, length=length) for kind in kinds}


def agree(module: Any, specs: dict[str | None, RopeSpec]) -> int:
    """The module's frequencies and attention factors against the specs; how many were compared."""
    for kind, spec in specs.items():
        prefix = "" if kind is None else f"{kind}_"
        found = getattr(module, f"{prefix}inv_freq").double().numpy()
        wanted = frequencies_float64(spec.on_text())[: spec.rotary_planes]
        assert found.shape == wanted.shape
        if spec.axes is not None:  # in one family those of rows come before those of columns
            found, wanted = np.sort(found), np.sort(wanted)
        np.testing.assert_allclose(found, wanted, rtol=2.0**-16)
        size = getattr(module, f"{prefix}attention_scaling", 1.0)
        assert size == pytest.approx(attention_factor_float64(spec), rel=1e-6)
    return len(specs)


@pytest.mark.parametrize("name", TEXT)
def test_the_default_tables_are_those_of_the_spec_in_each_scaling(name: str):
    config = default_config(name)
    module = rotary_class(config)
    plain = by_type(config.to_dict())
    assert agree(module(config), plain)
    refused = []
    for scaling in SCALINGS:
        ropes = config.to_dict()["rope_parameters"]
        for kind, spec in plain.items():
            if kind is None:
                ropes = scaled(ropes, scaling, spec.rotary_planes)
            else:
                ropes[kind] = scaled(ropes[kind], scaling, spec.rotary_planes)
        try:
            changed = default_config(name, rope_parameters=ropes)
            rotary = module(changed)
        except Exception:  # the class has no such scaling, or cannot compute it
            continue
        # LongRoPE's tables begin with the short factors.
        length = 1024 if scaling == "longrope" else None
        try:
            specs = by_type(changed.to_dict(), length)
        except RopeproofError:
            refused.append(scaling)
            continue
        agree(rotary, specs)
        spec = specs.get(None)
        if scaling in ("dynamic", "longrope") and spec is not None:
            far = (changed.max_position_embeddings or 1024) * 2
            rotary(torch.zeros(1, 1, spec.head_dim), torch.tensor([[far]]))
            agree(rotary, by_type(changed.to_dict(), far + 1))
    assert set(refused) <= NOT_READ.get(name, set()), refused


_AXES = {name: {"dynamic", "longrope"} for name in TEXT if FAMILIES[name].sections is not None}
NOT_READ: dict[str, set[str]] = {**_AXES, "jetmoe": {"longrope"}, "bailing_hybrid": {"dynamic"}}
"""Scalings that are not read of a family, though its code may have them: of positions with axes, those
that depend on the length."""


def test_many_different_classes_are_among_them():
    """The rotary classes of these families, apart by their code and not by their names."""
    found = set()
    for name in TEXT:
        text = inspect.getsource(rotary_class(default_config(name)))
        found.add(
            re.sub(r"\w+(RotaryEmbedding|Config)\b|\"\"\".*?\"\"\"", "", text, flags=re.DOTALL)
        )
    assert len(TEXT) >= 60
    assert len(found) >= 20, len(found)
