"""The conformance kit on rotary embeddings of other libraries, as far as they are installed.

    pip install rotary-embedding-torch x-transformers torchtune torchao litgpt keras keras-hub timm
    pip install equinox jax mlx-lm 'mlx[cpu]' onnx onnxruntime
    python experiments/conform_libraries.py

Each row is a variant that a ready adapter of `ropeproof.conform.adapters` makes, judged as it is. The table
is that of the page "Is this RoPE right?": library and version, variant, verdict, diagnosis, and a call that
repeats the row. Nothing of a library is changed.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ropeproof import RopeSpec, conform
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.axes import Axes
from ropeproof.theory.rotary.scaling import Dynamic, Linear, Llama3, Yarn

adapters = conform.adapters
LENGTH, ORIGINAL = 2048, 512
SCALINGS: dict[str, Any] = {
    "none": None,
    "linear": Linear(4),
    "dynamic": Dynamic(4, ORIGINAL),
    "yarn": Yarn(factor=4, original_length=ORIGINAL),
    "yarn, truncate false": Yarn(factor=4, original_length=ORIGINAL, truncate=False),
    "yarn, attention 1": Yarn(factor=4, original_length=ORIGINAL, attention=1),
    "llama3": Llama3(factor=8, low_freq_factor=1, high_freq_factor=4, original_length=ORIGINAL),
}


@dataclass(frozen=True)
class Variant:
    """A rotation of a library: its name, how to make its adapter, and a call that repeats it."""

    library: str
    name: str
    make: Callable[[], conform.adapters.Adapter]
    call: str
    context: int | None = None


def _spec(layout: str, scaling: Any = None, **fields: Any) -> RopeSpec:
    return RopeSpec(64, 10000, layout=layout, scaling=scaling, length=LENGTH, **fields)  # type: ignore[arg-type]


def _scaled(library: str, layout: str, names: Sequence[str]) -> Iterator[Variant]:
    adapter = getattr(adapters, library)
    for name in names:
        spec = _spec(layout, SCALINGS[name])
        scaling = "" if SCALINGS[name] is None else f", scaling={SCALINGS[name]!r}"
        shape = f"RopeSpec(64, 10000, layout={layout!r}, length={LENGTH}{scaling})"
        title = name if layout == "half" else f"{name}, interleaved"
        yield Variant(
            library, title, partial(adapter, spec), f"adapters.{library}({shape}).check()"
        )


def _partial(library: str, layout: str = "half") -> Variant:
    adapter, spec = getattr(adapters, library), _spec(layout, rotary_dim=32)
    shape = f"RopeSpec(64, 10000, layout={layout!r}, length={LENGTH}, rotary_dim=32)"
    call = f"adapters.{library}({shape}).check()"
    return Variant(library, "half of the head", partial(adapter, spec), call)


def _transformers(name: str, parameters: dict[str, Any]) -> Variant:
    def make() -> conform.adapters.Adapter:
        from transformers import LlamaConfig

        given = {"hidden_size": 128, "num_attention_heads": 2, "num_hidden_layers": 1}
        context = ORIGINAL if name == "dynamic" else LENGTH
        config = LlamaConfig(**given, max_position_embeddings=context, rope_parameters=parameters)
        return adapters.transformers(config)

    shown = f"adapters.transformers(LlamaConfig(..., rope_parameters={parameters!r}))"
    # Of a dynamic scaling the configuration's context is the original length.
    return Variant("transformers", name, make, f"{shown}.check(context={LENGTH})", LENGTH)


def _equinox_second() -> conform.adapters.Adapter:
    """The adapter of a second equinox module with another base, made in the same program."""
    first = adapters.equinox(RopeSpec(64, 10000, length=512))
    first.check(explain=False)
    return adapters.equinox(RopeSpec(64, 500000, length=512))


def variants() -> Iterator[Variant]:
    """Yield all variants that are tested, library by library."""
    plain = {"rope_theta": 10000.0}
    more = {"original_max_position_embeddings": ORIGINAL}
    yield _transformers("none", plain | {"rope_type": "default"})
    yield _transformers("linear", plain | {"rope_type": "linear", "factor": 4.0})
    yield _transformers("dynamic", plain | {"rope_type": "dynamic", "factor": 4.0})
    yield _transformers("yarn", plain | more | {"rope_type": "yarn", "factor": 4.0})
    bands = {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
    yield _transformers("llama3", plain | more | bands | {"rope_type": "llama3", "factor": 8.0})
    whole = ("none", "linear", "dynamic", "yarn", "yarn, truncate false", "yarn, attention 1")
    yield from _scaled("mlx_lm", "half", (*whole, "llama3"))
    yield from _scaled("mlx_lm", "interleaved", ("none",))
    yield _partial("mlx_lm")
    yield from _scaled("keras_hub", "half", (*whole[:5], "llama3"))
    yield from _scaled("torchtune", "interleaved", ("none", "llama3"))
    yield from _scaled(
        "litgpt", "half", ("none", "linear", "yarn", "yarn, truncate false", "llama3")
    )
    yield _partial("litgpt")
    yield from _scaled("x_transformers", "interleaved", ("none", "linear"))
    yield _partial("x_transformers", "interleaved")
    yield from _scaled("rotary_embedding_torch", "interleaved", ("none", "linear"))
    for layout in ("half", "interleaved"):
        grid = _spec(layout).changed(base=100, axes=Axes.grid(32), length=64)
        shape = f"RopeSpec(64, 100, layout={layout!r}, axes=Axes.grid(32), length=64)"
        call = f"adapters.timm({shape}).check()"
        yield Variant("timm", f"images, {layout}", partial(adapters.timm, grid), call)
    small = RopeSpec(64, 10000, length=512)
    call = "adapters.equinox(RopeSpec(64, 10000, length=512)).check()"
    yield Variant("equinox", "none", partial(adapters.equinox, small), call)
    call = f"{call}; adapters.equinox(RopeSpec(64, 500000, length=512)).check()"
    yield Variant("equinox", "then base 500000", _equinox_second, call)
    for domain in ("ai.onnx", "com.microsoft"):
        for axes, layout in (("bhld", "half"), ("bhld", "interleaved"), ("bl(hd)", "half")):
            spec = _spec(layout)
            shape = f"RopeSpec(64, 10000, layout={layout!r}, length={LENGTH})"
            call = f"adapters.onnx({shape}, domain={domain!r}, axes={axes!r}).check()"
            made = partial(adapters.onnx, spec, domain=domain, axes=axes)
            yield Variant("onnx", f"{domain}, {axes}, {layout}", made, call)
    yield from _scaled("ggml", "half", ("none", "linear", "yarn", "llama3"))


def row(one: Variant) -> tuple[str, conform.Report | None, str]:
    """The library with its version, the report or None, and the reason if there is none."""
    try:
        adapter = one.make()
        report = adapter.check(name=f"{adapter.library} {adapter.release}", context=one.context)
    except Unsupported as error:
        return one.library, None, " ".join(str(error).split())
    return report.subject, report, ""


def told(report: conform.Report) -> str:
    """The diagnosis of a failed report, or its warnings."""
    if not report.passed:
        cause = report.cause
        failing = ", ".join(t.name for t in report.failures)
        return cause.text if cause is not None else f"fails {failing}"
    return "; ".join(f"{t.name}: {t.detail}" for t in report.warnings)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("libraries", nargs="*", help="names such as litgpt; all without them")
    parser.add_argument("--calls", action="store_true", help="below, a call that repeats each row")
    given = parser.parse_args(arguments)
    os.environ.setdefault("KERAS_BACKEND", "torch")
    warnings.simplefilter("ignore")
    print("| library | variant | verdict | diagnosis |\n| --- | --- | --- | --- |")
    calls, missing = [], {}
    for one in variants():
        if given.libraries and one.library not in given.libraries:
            continue
        subject, report, why = row(one)
        if report is None:
            missing[one.library, why] = one.name
            continue
        verdict = "conforms" if report.passed else "deviates"
        print(f"| {subject} | {one.name} | {verdict} | {told(report)} |", flush=True)
        if not report.passed:
            calls.append(f"{subject}, {one.name}: {one.call}")
    for (library, why), name in missing.items():
        print(f"\n{library}, {name}: {why}")
    if given.calls:
        print("\n" + "\n".join(calls))


if __name__ == "__main__":
    main()
