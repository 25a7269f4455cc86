"""`ropeproof measure` from the arguments to the report."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from ropeproof.numerics.models import load
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools import measure
from ropeproof.tools.console.versions import versions
from ropeproof.tools.measure import prompts as prompting
from ropeproof.tools.measure.kinds import (
    HeadKinds,
    KindOptions,
    KindPrompts,
    ModelKinds,
    kind_prompts,
)
from ropeproof.tools.measure.kinds.decide import FEWEST
from ropeproof.tools.measure.kinds.model import measure_kinds
from ropeproof.tools.measure.kinds.prompts import further_seed
from ropeproof.tools.measure.on_demand import patterns as attention_patterns
from ropeproof.tools.measure.on_demand import preference_lags
from ropeproof.tools.measure.on_demand.chosen_heads import ablated, check_heads
from ropeproof.tools.measure.report.reading import head_name

MOST_TOKENS = 2**16
_COST = "one head's attention at that length is 16 GiB in float32, and it grows with the square"
PROMPTS = 8
"""On how many prompts kinds are decided unless the user says otherwise."""

FURTHER = 2
"""How many times as many prompts are there for heads whose kind is likely to change on other prompts."""

KINDS_KEPT = "(kinds)"
"""The name under which a journal keeps the kinds of heads, beside those of prompts."""

__all__ = [
    "FURTHER",
    "PROMPTS",
    "Asked",
    "ShownKinds",
    "default_length",
    "inconsistent",
    "journal_of",
    "kinds_json",
    "measure_models",
    "prompts_for",
    "unmeasured",
]

Progress = Callable[[str, int, int], None]

ROTATION_TOLERANCE = 1e-3
"""Largest difference of a model's rotation tables from the exact ones without a warning."""


def default_length(config: dict[str, Any]) -> int:
    """The default length of a prompt: 512 tokens, or the model's context if that is shorter."""
    return min(512, _context(config) or 512)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The prompts for one model.

    - `prompts`: those that statistics are computed on;
    - `kinds`: those on which kinds of heads are decided, None without kinds;
    - `more`: further ones for heads whose kind is likely to change on other prompts; None if there are none.
    """

    prompts: list[prompting.Prompt]
    kinds: KindPrompts | None
    more: KindPrompts | None = None


def prompts_for(
    source: str,
    config: Mapping[str, Any],
    length: int,
    *,
    text: str | None = None,
    tokens: str | None = None,
    prompts: int = PROMPTS,
    seed: int = 0,
) -> Asked:
    """The prompts for one model: text or tokens if given, random tokens, and those for kinds.

    The prompt of random tokens has `length` tokens.

    Made from configuration and tokenizer, before any weight is read.
    Raises `InvalidArgument` as the prompts do.
    """
    vocabulary = load.vocabulary_of(config)
    if vocabulary is None:
        raise InvalidArgument("model", source, "a configuration with vocab_size")
    given: list[prompting.Prompt] = []
    count = max(1, prompts)
    further: list[prompting.Prompt] = []
    if text is not None:
        given, further = prompting.text_prompts(
            text, load.load_tokenizer(source), length, vocabulary, count, FURTHER * count
        )
    if tokens is not None:
        given, further = prompting.token_prompts(tokens, length, vocabulary, count, FURTHER * count)
    kinds = more = None
    if prompts:
        texts, others = ([prompt.tokens for prompt in each] for each in (given, further))
        shape: dict[str, Any] = {"vocabulary": vocabulary, "length": length}
        shape["source"] = text or tokens
        some = max(FEWEST, (prompts + 1) // 2)
        kinds = kind_prompts(texts or None, count=some if texts else prompts, seed=seed, **shape)
        if others or not texts:
            many = FURTHER * (some if texts else prompts)
            more = kind_prompts(others or None, count=many, seed=further_seed(seed), **shape)
    return Asked(
        prompts=[*given[:1], prompting.random_prompt(length, vocabulary, seed)],
        kinds=kinds,
        more=more,
    )


def journal_of(
    path: Path | None,
    loaded: load.LoadedModel,
    asked: Asked,
    options: measure.MeasureOptions,
    layers: list[int] | None,
) -> measure.Journal:
    """Open the journal at `path` for this run. Raises `InvalidArgument` if it is another run's."""
    facts: list[Any] = [loaded.identity, [(p.name, p.tokens) for p in asked.prompts]]
    facts += [asdict(options), layers]
    for each in (asked.kinds, asked.more):
        if each is not None:
            facts.append([each.texts.tolist(), each.repeated.tolist()])
    on = versions()
    run = hashlib.sha256(json.dumps([facts, on], sort_keys=True).encode()).hexdigest()[:32]
    return measure.Journal(path, run)


def measure_models(
    sources: list[str],
    *,
    text: str | None = None,
    tokens: str | None = None,
    length: int | None = None,
    layers: list[int] | None = None,
    options: measure.MeasureOptions | None = None,
    prompts: int = PROMPTS,
    ablate: str | None = None,
    patterns: str | None = None,
    preference: int | None = None,
    seed: int = 0,
    type: str = "float32",
    journal: Path | None = None,
    executor: Executor | None = None,
    workers: int | None = None,
    kinds_only: bool = False,
    progress: Progress | None = None,
    kinds_shown: ShownKinds | None = None,
) -> dict[str, Any]:
    """The report of one or several models, as in the JSON of `ropeproof measure`.

    `journal` is the path of the journals, one for each model with its number behind the name;
    they are left for the caller to remove once the report is written (`remove_journals`).
    With `kinds_only` it ends with the kinds of heads. `kinds_shown` is told of the kinds of each model as
    soon as they are known, before anything else is computed.
    `ablate` names heads whose patterns are replaced, `patterns` those whose patterns are kept, as the
    options do; `preference` is the number of lags at
    which it is computed whether heads prefer similar tokens.
    Raises `InvalidArgument` and `Unsupported` for what cannot be measured, before any model is run.
    """
    chosen = options or measure.MeasureOptions()
    read_integer("prompts", prompts, least=0, most=4096, cost="each is three forward passes")
    if kinds_only and not prompts:
        raise InvalidArgument("prompts", prompts, "at least 1 with --kinds-only")
    if type not in load.TYPES:
        raise InvalidArgument("type", type, ", ".join(load.TYPES))
    lags = preference_lags.check_lags(preference)
    for argument, file in (("text", text), ("tokens", tokens)):
        if file is not None:
            prompting.read_text(file, argument)
    configs = [load.read_config(source) for source in sources]
    for config in configs:
        _check_layers(layers, config)
        check_heads("ablate", ablate, config)
        check_heads("patterns", patterns, config, most=attention_patterns.MOST, layers=layers)
    wanted = min(map(default_length, configs)) if length is None else length
    count = read_integer("length", wanted, least=4, most=MOST_TOKENS, cost=_COST)
    names = _names(sources)
    given: dict[str, Any] = {"text": text, "tokens": tokens, "prompts": prompts, "seed": seed}
    every = [
        prompts_for(source, config, count, **given)
        for source, config in zip(sources, configs, strict=True)
    ]
    models = []
    for number, (source, asked) in enumerate(zip(sources, every, strict=True)):
        _say(progress, f"reading {names[number]}")
        loaded = load.load_model(source, name=names[number], type=type, progress=progress)
        book = journal_of(_numbered(journal, number), loaded, asked, chosen, layers)
        try:
            kinds = _kinds(loaded, asked, book, layers, chosen, progress, kinds_shown)
            if kinds_only:
                models.append(_kinds_alone(loaded, asked, count, kinds))
                continue
            models.append(
                _measure(
                    loaded, asked, count, book, layers, chosen, kinds, executor, workers, progress
                )
            )
            if patterns is not None:
                _say(progress, "patterns")
                models[-1]["patterns"] = attention_patterns.patterns_of(
                    patterns, loaded.model, models[-1], asked
                )
            if lags is not None:
                _say(progress, "preference")
                models[-1]["preference"] = preference_lags.preferences(
                    loaded.model,
                    loaded.specs(count),
                    asked.prompts[0],
                    lags=lags,
                    layers=layers,
                )
            if ablate is not None:
                models[-1]["ablation"] = ablated(ablate, loaded.model, models[-1], asked, progress)
        finally:
            book.close()
    return {
        "schema": 2,
        "versions": versions(),
        "options": asdict(chosen)
        | {"length": count, "prompts": prompts, "seed": seed, "text": text or tokens, "type": type},
        "models": models,
    }


def remove_journals(journal: Path | None, models: int) -> None:
    """Removes the journals of a run whose report has been written."""
    for number in range(models):
        path = _numbered(journal, number)
        if path is not None:
            path.unlink(missing_ok=True)


def inconsistent(found: dict[str, Any]) -> list[str]:
    """A sentence for each theorem that guarantees more than was observed: each is a bug."""
    return [
        f"{model['name']}, layer {head['layer']}, head {head['head']}, {verdict['prompt']}: "
        f"{verdict['claim']} guarantees {verdict['about']} {verdict['guaranteed']['relation']} "
        f"{verdict['guaranteed']['value']:.6g}, observed {verdict['observed']:.6g}"
        for model in found["models"]
        for head in model["heads"]
        for verdict in head["verdicts"]
        if not verdict["consistent"]
    ]


def unmeasured(found: dict[str, Any]) -> list[str]:
    """A sentence for each model of which all layers were skipped, with the first layer's reason."""
    return [
        f"every layer of {model['name']} was skipped, the first one for {model['skipped'][0]['why']}"
        for model in found["models"]
        if model["skipped"] and not model["heads"]
    ]


def _check_layers(layers: list[int] | None, config: Mapping[str, Any]) -> None:
    """Raises `InvalidArgument` for layers that the configuration does not have."""
    found = next((config[n] for n in ("num_hidden_layers", "n_layer") if n in config), None)
    if layers is not None and isinstance(found, int) and max(layers) >= found:
        raise InvalidArgument("layers", layers, f"some layers from 0 to {found - 1}")


def _kinds(
    loaded: load.LoadedModel,
    asked: Asked,
    book: measure.Journal,
    layers: list[int] | None,
    options: measure.MeasureOptions,
    progress: Progress | None,
    shown: ShownKinds | None,
) -> dict[str, Any] | None:
    """The kinds of the heads as JSON, from the journal if it has them; None if not asked for."""
    if asked.kinds is None:
        return None
    if KINDS_KEPT in book.prompts:
        kinds = book.prompts[KINDS_KEPT]
    else:
        if shown is not None:
            shown.begin(loaded.name, asked.kinds)
        found = measure_kinds(
            loaded.model,
            asked.kinds,
            more=asked.more,
            layers=layers,
            options=KindOptions(tau=options.tau),
            progress=progress,
            first=None if shown is None else shown.first,
        )
        kinds = kinds_json(found)
        book.add_prompt(KINDS_KEPT, kinds)
    if shown is not None:
        shown.whole(loaded.name, kinds)
    return kinds


class ShownKinds(Protocol):
    """Is told of the kinds of a model's heads as they become known."""

    def begin(self, name: str, prompts: KindPrompts) -> None:
        """The kinds of the model that is called `name` are about to be decided on these prompts."""

    def first(self, heads: Sequence[HeadKinds], to_come: int) -> None:
        """The kinds of a layer's heads on the first prompts alone, and the number of layers to come."""

    def whole(self, name: str, kinds: dict[str, Any]) -> None:
        """The kinds of all heads of the model that is called `name`, as `kinds_json` gives them."""


def kinds_json(found: ModelKinds) -> dict[str, Any]:
    """The kinds of a model's heads as JSON: prompts, counts, and each head by `layer.head`."""
    prompts = found.prompts
    return {
        "confidence": found.options.confidence,
        "prompts": len(prompts.texts),
        "most": found.most,
        "tokens": int(prompts.texts.shape[1]),
        "source": prompts.source,
        "repeated": len(prompts.repeated),
        "period": prompts.period,
        "counts": found.counts(),
        "skipped": [{"layer": layer, "why": why} for layer, why in sorted(found.skipped.items())],
        "heads": {f"{head.layer}.{head.head}": head.as_json() for head in found.heads},
    }


def _measure(
    loaded: load.LoadedModel,
    asked: Asked,
    length: int,
    book: measure.Journal,
    layers: list[int] | None,
    options: measure.MeasureOptions,
    kinds: dict[str, Any] | None,
    executor: Executor | None,
    workers: int | None,
    progress: Progress | None,
) -> dict[str, Any]:
    prompts = asked.prompts
    specs = loaded.specs(length)
    context = _context(loaded.config)
    warnings = []
    if context is not None and length > context:
        warnings.append(f"{length} tokens are more than the {context} positions of the model")
    found = measure.measure_model(
        loaded.model,
        {prompt.name: prompt.tokens for prompt in prompts},
        specs,
        layers=layers,
        options=options,
        executor=executor,
        workers=workers,
        journal=book,
        progress=_part("statistics and verdicts" if options.verdicts else "statistics", progress),
    )
    gap = max(facts["rotation"] for facts in found["prompts"].values())
    if gap > ROTATION_TOLERANCE:
        warnings.append(f"the model's own rotation differs from the exact one by up to {gap:.2g}")
    if kinds is not None:
        of_head = kinds["heads"]
        kinds = {name: value for name, value in kinds.items() if name != "heads"}
        for head in found["heads"]:
            head["kinds"] = of_head.get(head_name(head))
    return _facts(loaded, specs) | {
        "rope": _rotation(specs) | {"table_difference": gap},
        "warnings": warnings,
        "skipped": found["skipped"],
        "prompts": [
            {"name": p.name, "source": p.source, "tokens": len(p.tokens)}
            | {"loss": found["prompts"][p.name]["loss"]}
            for p in prompts
        ],
        "kinds": kinds,
        "heads": found["heads"],
    }


def _facts(loaded: load.LoadedModel, specs: Sequence[RopeSpec]) -> dict[str, Any]:
    config = loaded.model.config
    heads = int(config.num_attention_heads)
    return {
        "name": loaded.name,
        "path": loaded.source,
        "family": loaded.family,
        "layers": int(config.num_hidden_layers),
        "query_heads": heads,
        "key_heads": int(getattr(config, "num_key_value_heads", None) or heads),
        "head_dim": specs[0].head_dim,
        "parameters": sum(values.numel() for values in loaded.model.parameters()),
        "context": _context(loaded.config),
    }


def _rotation(specs: Sequence[RopeSpec]) -> dict[str, Any]:
    return {
        "base": _each(str(spec.base) for spec in specs),
        "rotary_dim": specs[0].rotary_dim,
        "layout": specs[0].layout,
        "scaling": _scalings(specs),
    }


def _kinds_alone(
    loaded: load.LoadedModel, asked: Asked, length: int, kinds: dict[str, Any] | None
) -> dict[str, Any]:
    """The entry of a model of which only the kinds of heads were asked for."""
    specs, found = loaded.specs(length), kinds or {"heads": {}, "skipped": []}
    groups = _facts(loaded, specs)
    shared = groups["query_heads"] // groups["key_heads"]
    heads = [
        {"layer": layer, "head": head, "key_head": head // shared}
        | {"prompts": {}, "verdicts": [], "kinds": each}
        for name, each in found["heads"].items()
        for layer, head in [map(int, name.split("."))]
    ]
    return groups | {
        "rope": _rotation(specs) | {"table_difference": None},
        "warnings": [],
        "skipped": found["skipped"],
        "prompts": [
            {"name": p.name, "source": p.source, "tokens": len(p.tokens), "loss": None}
            for p in asked.prompts
        ],
        "kinds": {name: value for name, value in found.items() if name != "heads"} or None,
        "heads": heads,
    }


def _each(values: Iterable[str]) -> str:
    """The distinct values of the layers, in the order in which they occur, joined by "and"."""
    return " and ".join(dict.fromkeys(values))


def _scalings(specs: Iterable[RopeSpec]) -> str | None:
    found = [spec.scaling for spec in specs]
    if not any(found):
        return None
    return _each("none" if scaling is None else str(scaling) for scaling in found)


def _context(config: dict[str, Any]) -> int | None:
    for name in ("max_position_embeddings", "n_positions"):
        if isinstance(config.get(name), int):
            return int(config[name])
    return None


def _names(sources: list[str]) -> list[str]:
    """The names of the models: the last part of each path, or whole paths if those coincide."""
    short = [load.name_of(source) for source in sources]
    return short if len(set(short)) == len(short) else list(sources)


def _numbered(journal: Path | None, number: int) -> Path | None:
    return None if journal is None else journal.with_name(f"{journal.name}.{number}")


def _part(name: str, progress: Progress | None) -> Progress | None:
    """A progress that says which part of a measurement goes on."""
    if progress is None:
        return None
    return lambda doing, done, of: progress(f"{name}, {doing}", done, of)


def _say(progress: Progress | None, what: str) -> None:
    if progress is not None:
        progress(what, 0, 0)
