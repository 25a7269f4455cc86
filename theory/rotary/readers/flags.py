"""Flags of serving engines that override a rotation: what they do, and which of them do nothing."""

from __future__ import annotations

import difflib
import json
import shlex
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.readers.engines import READERS, EngineReading
from ropeproof.theory.rotary.readers.findings import RULES, ConfigFinding

__all__ = ["Flagged", "lint_flags"]

_LLAMA = {
    "--rope-freq-base": "base",
    "--rope-scale": "factor",
    "--rope-freq-scale": "factor",
    "--yarn-orig-ctx": "original_max_position_embeddings",
    "--yarn-beta-fast": "beta_fast",
    "--yarn-beta-slow": "beta_slow",
}
_BLENDS = frozenset({"--yarn-ext-factor", "--yarn-attn-factor"})
"""They change how YaRN blends, the first of them under any type of scaling: not modelled here."""
_WHOLE = "Put rope_theta into rope_parameters, with all other rotary parameters."
_ROPE = ("rope_parameters", "rope_scaling", "rope_theta")


class Flagged(NamedTuple):
    """The engine whose flags these are, what it reads with them (None: not known), and findings."""

    engine: str
    reading: EngineReading | None
    findings: tuple[ConfigFinding, ...]


def lint_flags(text: str, fields: Mapping[str, Any]) -> Flagged:
    """What flags of vLLM 0.33, SGLang 0.5.23 or llama.cpp make of a configuration, given as typed.

    vLLM replaces `rope_parameters` as a whole, SGLang merges; a base at the top of an override is not read
    where `rope_parameters` has one. Read in vllm/transformers_utils/config.py, get_config;
    sglang/srt/utils/hf_transformers/config.py, get_config; llama.cpp's src/llama-context.cpp and its
    server's list of flags.

    Raises `InvalidArgument` if the text cannot be split, a value is missing or is not what the flag takes.
    """
    given = _split(text)
    if "--hf-overrides" in given or "--json-model-override-args" in given:
        sglang = "--json-model-override-args" in given
        flag = "--json-model-override-args" if sglang else "--hf-overrides"
        return _overrides("SGLang" if sglang else "vLLM", flag, _object(flag, given[flag]), fields)
    scaling = given.get("--rope-scaling", "")
    if "--rope-theta" in given or scaling.lstrip().startswith("{"):
        named = [flag for flag in ("--rope-scaling", "--rope-theta") if flag in given]
        told = f"vLLM has no flag {' and no '.join(named)} any more"
        fix = "Use --hf-overrides '{\"rope_parameters\": {...}}' with base and scaling."
        found = tuple(_found(flag, told, fix, "error") for flag in named)
        return Flagged("vLLM", None, found)
    if scaling or any(flag in _LLAMA for flag in given):
        return _llama(given, fields)
    raise InvalidArgument(
        "flags",
        text,
        "flags of rotation: --hf-overrides, --json-model-override-args, --rope-scaling, "
        + ", ".join(_LLAMA),
    )


def _found(flag: str, told: str, fix: str | None = None, level: Any = "warning") -> ConfigFinding:
    return ConfigFinding(
        "flag-without-effect", level, flag, told, fix or RULES["flag-without-effect"].remedy
    )


def _split(text: str) -> dict[str, str]:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise InvalidArgument("flags", text, f"words of a shell ({error})") from None
    found: dict[str, str] = {}
    while words:
        flag, equals, value = words.pop(0).partition("=")
        if not flag.startswith("--"):
            continue
        if not equals and words and not words[0].startswith("--"):
            value = words.pop(0)
        found[flag.replace("_", "-")] = value
    return found


def _object(flag: str, value: str) -> dict[str, Any]:
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InvalidArgument(f"flags {flag}", value, "a JSON object")
    return found


def _reader(engine: str) -> Callable[[Mapping[str, Any]], EngineReading | None]:
    (reader,) = [r for r in READERS if r.name == engine]
    return lambda fields: reader.read(fields) if reader.reads(fields) else None


def _overrides(
    engine: str, flag: str, given: Mapping[str, Any], fields: Mapping[str, Any]
) -> Flagged:
    found = []
    for key in given:
        near = difflib.get_close_matches(key, _ROPE, 1, 0.75)
        if near and key not in _ROPE:
            told = f"{engine} reads no {key}; did you mean {near[0]!r}?"
            found.append(_found(f"{flag}.{key}", told, f"Write {near[0]!r}."))
    stated = {key: fields.get(key) or {} for key in ("rope_parameters", "rope_scaling")}
    if not all(isinstance(rope, Mapping) for rope in stated.values()):
        return Flagged(engine, None, tuple(found))
    before = _reader(engine)(fields)
    if before is None or before.refused:
        return Flagged(engine, None, tuple(found))
    base = dict(before.rotation)["base"]
    current = {**stated["rope_parameters"], **stated["rope_scaling"], "rope_theta": base}
    after = dict(fields)
    for key in _ROPE[:2]:
        rope = given.get(key)
        if not isinstance(rope, Mapping):
            continue
        current = {**current, **rope} if engine == "SGLang" else dict(rope)
    for key in ("rope_scaling", "rope_theta", "rotary_emb_base"):
        after.pop(key, None)
    after["rope_parameters"] = current
    if "rope_theta" in given and "rope_theta" not in current:
        after["rope_theta"] = given["rope_theta"]
    elif "rope_theta" in given:
        told = f"{engine} takes the base {current['rope_theta']:g} of rope_parameters"
        found.append(_found(f"{flag}.rope_theta", told, _WHOLE))
    if "rope_theta" not in current and "rope_theta" not in after:
        told = "the override replaces rope_parameters as a whole and has no rope_theta: the base is None"
        finding = ConfigFinding("base-missing", "error", f"{flag}.rope_parameters", told, _WHOLE)
        return Flagged(engine, EngineReading(refused="the override has no base"), (*found, finding))
    reading = _reader(engine)(after)
    named = [key for key in _ROPE[:2] if key in given]
    if reading == before and named:
        found.append(_found(f"{flag}.{named[0]}", f"{engine} reads {before} with it and without"))
    return Flagged(engine, reading, tuple(found))


def _llama(given: Mapping[str, str], fields: Mapping[str, Any]) -> Flagged:
    engine = "llama.cpp"
    before = _reader("llama.cpp converter")(fields)
    if before is None or before.refused or _BLENDS & given.keys():
        return Flagged(engine, None, ())
    after = dict(before.rotation)
    kind = given.get("--rope-scaling", "")
    if kind not in ("", "none", "linear", "yarn"):
        raise InvalidArgument("flags --rope-scaling", kind, "none, linear or yarn")
    numbers = {}
    for flag in _LLAMA:
        if flag in given:
            numbers[flag] = _positive(flag, given[flag])
    found = []
    if kind:
        after["type"] = "default" if kind == "none" else kind
    elif after["type"] == "default" and {"--rope-scale", "--rope-freq-scale"} & numbers.keys():
        after["type"] = "linear"  # the type of a model that names none
    for flag, number in numbers.items():
        idle = flag.startswith("--yarn") and after["type"] != "yarn"
        if idle or (_LLAMA[flag] == "factor" and after["type"] == "default"):
            told = f"llama.cpp does not read it with scaling {kind or after['type']!r}"
            found.append(_found(flag, told))
            continue
        after[_LLAMA[flag]] = 1 / number if flag == "--rope-freq-scale" else number
    if after["type"] in ("linear", "yarn") and after.get("factor", 1.0) == 1.0:
        if kind:
            told = f"{kind} without a factor scales by 1"
            found.append(_found("--rope-scaling", told, "Add --rope-scale N."))
        after["type"] = "default"
    if after["type"] == "default":
        after = {key: after[key] for key in ("base", "type")}
    if after["type"] == "yarn":
        after = {"beta_fast": 32.0, "beta_slow": 1.0, **after}
        context = fields.get("max_position_embeddings")
        if type(context) is int:
            after.setdefault("original_max_position_embeddings", float(context))
    reading = EngineReading(tuple(sorted(after.items())))
    if reading == before and not found:
        found.append(_found(" ".join(given), f"llama.cpp reads {before} with it and without"))
    return Flagged(engine, reading, tuple(found))


def _positive(flag: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise InvalidArgument(f"flags {flag}", value, "a number above 0")
    return number
