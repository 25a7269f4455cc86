"""`ropeproof measure MODEL --explain LAYER.HEAD --query TOKEN`: from the options to the text."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import typer

from ropeproof.numerics.models import load
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.tools.console.progress import working
from ropeproof.tools.console.terminal import check_target, console, write_whole
from ropeproof.tools.console.versions import versions
from ropeproof.tools.measure.on_demand.explain.directions import read_directions
from ropeproof.tools.measure.on_demand.explain.explained import ExplainedQuery, explain_query
from ropeproof.tools.measure.on_demand.explain.query import chosen_query, token_texts
from ropeproof.tools.measure.prompts import random_prompt, read_text, token_prompts
from ropeproof.tools.measure.result import HeadTable
from ropeproof.tools.measure.run import default_length

__all__ = ["explain_and_report"]


def explain_and_report(
    sources: Sequence[str],
    *,
    head: str,
    query: str | None,
    keys: int,
    directions: str | None,
    text: str | None,
    tokens: str | None,
    length: int | None,
    seed: int,
    type: str,
    json_to: str | None,
    csv_to: str | None,
    others: Mapping[str, Any],
) -> int:
    """Print why a head's query attends where it does, and return the exit code.

    `others` are options that this run has no use for, by name; one that is set is refused. 0 if all bounds
    hold, 1 if a part exceeds its bound, which would be a bug.

    Raises `InvalidArgument` for a model, head, prompt or query that does not fit and for a file without
    directions, before any weight is read, and for directions of another width.
    """
    for name, value in others.items():
        if value is not None and value is not False:
            raise InvalidArgument(name, f"--{name}", "nothing of the kind with --explain")
    if len(sources) != 1:
        raise InvalidArgument("model", f"{len(sources)} models", "one model with --explain")
    for name, target in (("json", json_to), ("csv", csv_to)):
        check_target(name, target)
    (source,) = sources
    config = load.read_config(source)
    place = _head(head, config)
    if type not in load.TYPES:
        raise InvalidArgument("type", type, ", ".join(load.TYPES))
    shown = read_integer("keys", keys, least=1)
    given = None if directions is None else read_directions(directions)
    count = default_length(config) if length is None else read_integer("length", length, least=2)
    wanted = "-1" if query is None else query
    with working("reading the prompt") as progress:
        ids, texts, name = _prompt(source, config, count, text, tokens, seed)
        chosen_query(wanted, len(ids), texts)
        progress.show(f"reading {load.name_of(source)}")
        loaded = load.load_model(source, type=type)
        progress.show(f"running up to layer {place[0]}")
        found = explain_query(
            loaded.model,
            ids,
            place,
            wanted,
            top=shown,
            texts=texts,
            directions=given,
            specs=loaded.specs(len(ids)),
        )
    _write(found, loaded.name, name, json_to, csv_to)
    for line in found.broken:
        typer.echo(f"ropeproof: a theorem is contradicted, which is a bug: {line}", err=True)
    return 1 if found.broken else 0


def _write(
    found: ExplainedQuery, model: str, prompt: str, json_to: str | None, csv_to: str | None
) -> None:
    if csv_to is not None:
        write_whole("csv", HeadTable(found.rows()).to_csv().encode("utf-8", "replace"), csv_to)
    if json_to is not None:
        about = {"schema": 1, "versions": versions(), "model": model, "prompt": prompt}
        text = json.dumps(about | {"explained": found.as_json()}, indent=1) + "\n"
        if json_to == "-":
            sys.stdout.write(text)
            return
        write_whole("json", text.encode("utf-8", "replace"), json_to)
    console().print(f"{model}, {prompt}", markup=False, highlight=False)
    sys.stdout.write(found.show())


def _prompt(
    source: str,
    config: Mapping[str, Any],
    length: int,
    text: str | None,
    tokens: str | None,
    seed: int,
) -> tuple[list[int], list[str] | None, str]:
    """The tokens of the prompt, their texts where there is a tokenizer, and where they are from.

    Of a text the first `length` tokens, or all of a shorter one.
    """
    vocabulary = load.vocabulary_of(config)
    if vocabulary is None:
        raise InvalidArgument("model", source, "a configuration with vocab_size")
    if text is not None:
        if tokens is not None:
            raise InvalidArgument("prompt", "--text and --tokens", "one of them")
        words = read_text(text, "text")
        tokenizer = load.load_tokenizer(source)
        cut = words[: 64 * length]
        ids = list(tokenizer(cut, return_attention_mask=False)["input_ids"])[:length]
        if len(ids) < 2:
            raise InvalidArgument("text", f"{text} of {len(ids)} tokens", "at least 2 tokens")
        return ids, token_texts(tokenizer, ids), f"{len(ids)} tokens of {text}"
    if tokens is not None:
        (prompt,), _ = token_prompts(tokens, length, vocabulary)
        return list(prompt.tokens), None, f"{length} tokens of {tokens}"
    prompt = random_prompt(length, vocabulary, seed)
    return list(prompt.tokens), None, f"{length} random tokens ({prompt.source})"


def _head(head: str, config: Mapping[str, Any]) -> tuple[int, int]:
    """The layer and head that `--explain` names. Raises `InvalidArgument` for none of the model."""
    names = ("num_hidden_layers", "n_layer"), ("num_attention_heads", "n_head")
    counts = [next((config[n] for n in each if n in config), None) for each in names]
    try:
        layer, number = (int(part) for part in head.split("."))
    except ValueError:
        raise InvalidArgument("explain", head, "a head such as 3.1 (layer and head)") from None
    for value, count in zip((layer, number), counts, strict=True):
        if value < 0 or (isinstance(count, int) and value >= count):
            allowed = f"a head of the model: {counts[0]} layers of {counts[1]} heads, from 0.0 on"
            raise InvalidArgument("explain", head, allowed)
    return layer, number
