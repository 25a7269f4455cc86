"""Flags of serving engines that override a rotation: the rotation that they give, or that they do nothing."""

from __future__ import annotations

import difflib
import json
import shlex
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.readers.engines import READERS, EngineReading
from ropeproof.theory.rotary.readers.findings import RULES, ConfigFinding

__all__ = ["Flagged", "lint_flags", "not_looked_at"]

_LLAMA = {
    "--rope-freq-base": "base",
    "--rope-scale": "factor",
    "--rope-freq-scale": "factor",
    "--yarn-orig-ctx": "original_max_position_embeddings",
    "--yarn-beta-fast": "beta_fast",
    "--yarn-beta-slow": "beta_slow",
}
_BLENDS = frozenset({"--yarn-ext-factor", "--yarn-attn-factor"})
"""Flags that change how YaRN blends, the first of them under any type of scaling; not modelled here."""
_ALL = frozenset({*_LLAMA, *_BLENDS, "--hf-overrides", "--json-model-override-args"}) | {
    "--rope-scaling",
    "--rope-theta",
}
_WHOLE = "Put rope_theta into rope_parameters, with all other rotary parameters."
_ROPE = ("rope_parameters", "rope_scaling", "rope_theta")


class Flagged(NamedTuple):
    """The engine that flags belong to, its reading of a file with them (None: unknown), and findings."""

    engine: str
    reading: EngineReading | None
    findings: tuple[ConfigFinding, ...]


def lint_flags(text: str, fields: Mapping[str, Any]) -> Flagged:
    """The reading of a configuration by vLLM 0.33, SGLang 0.5.23 or llama.cpp with the given flags.

    `text` has the flags as typed in a shell.
    vLLM replaces `rope_parameters` as a whole, SGLang merges; a base at the top of an override is not read
    where `rope_parameters` has one. Read in vllm/transformers_utils/config.py, get_config;
    sglang/srt/utils/hf_transformers/config.py, get_config; llama.cpp's src/llama-context.cpp and its
    server's list of flags.

    Raises `InvalidArgument` if the text cannot be split, a value is missing or is not what the flag takes.
    """
    given = _dotted(_split(text))
    found = _engine(text, given, fields)
    others = [
        _unknown(
            flag, f"{flag} is no flag of rotation that is known: what it does was not looked at"
        )
        for flag in given
        if flag not in _ALL
    ]
    return found._replace(findings=(*found.findings, *others))


def not_looked_at(text: str, why: str) -> ConfigFinding:
    """A finding which says that flags were not compared with a file, and why."""
    return _unknown("flags", f"{text} was not looked at: {why}")


def _engine(text: str, given: dict[str, str], fields: Mapping[str, Any]) -> Flagged:
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
    if scaling or any(flag in _LLAMA or flag in _BLENDS for flag in given):
        return _llama(given, fields)
    raise InvalidArgument(
        "flags",
        text,
        "flags of rotation: --hf-overrides, --json-model-override-args, --rope-scaling, "
        + ", ".join(_LLAMA),
    )


def _unknown(flag: str, told: str) -> ConfigFinding:
    return ConfigFinding("flag-not-modelled", "note", flag, told, RULES["flag-not-modelled"].remedy)


def _dotted(given: dict[str, str]) -> dict[str, str]:
    """The flags with dotted ones, as `--hf-overrides.rope_parameters.factor 4`, merged into one object."""
    flag = "--hf-overrides"
    dotted = {key: value for key, value in given.items() if key.startswith(f"{flag}.")}
    if not dotted:
        return given
    whole: dict[str, Any] = _object(flag, given.get(flag, "{}"))
    for key, value in dotted.items():
        *outer, last = key[len(flag) + 1 :].split(".")
        place = whole
        for name in outer:
            inner = place.setdefault(name.replace("-", "_"), {})
            if not isinstance(inner, dict):
                raise InvalidArgument(f"flags {key}", value, "keys of objects")
            place = inner
        try:
            place[last.replace("-", "_")] = json.loads(value)
        except (ValueError, RecursionError):
            place[last.replace("-", "_")] = value
    return {k: v for k, v in given.items() if k not in dotted} | {flag: json.dumps(whole)}


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
        if not flag.startswith("-"):
            continue
        if not equals and words and not _is_flag(words[0]):
            value = words.pop(0)
        name, dot, rest = flag.partition(".")
        found[name.replace("_", "-") + dot + rest] = value
    return found


def _is_flag(word: str) -> bool:
    return word.startswith("-") and not word[1:2].isdigit() and word[1:2] != "."


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
            told = f"this override has no effect, because {engine} reads no {key}; did you mean {near[0]!r}?"
            found.append(_found(f"{flag}.{key}", told, f"Write {near[0]!r}."))
        elif key not in _ROPE:
            told = f"what {engine} makes of {key} in an override is not modelled"
            found.append(_unknown(f"{flag}.{key}", told))
    stated = {key: fields.get(key) or {} for key in ("rope_parameters", "rope_scaling")}
    before = _reader(engine)(fields)
    if before is None or not all(isinstance(rope, Mapping) for rope in stated.values()):
        return Flagged(engine, None, (*found, _unknown(flag, _not_modelled(engine, fields, flag))))
    if before.refused:
        told = f"{engine} refuses the file, whatever the override: {before.refused}"
        return Flagged(engine, before, (*found, _unknown(flag, told)))
    if before.others:
        told = f"what {engine} makes of {flag} where layer types have bases of their own is not modelled"
        return Flagged(engine, None, (*found, _unknown(flag, told)))
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
        taken = current["rope_theta"]
        shown = f"{taken:g}" if isinstance(taken, int | float) else repr(taken)
        told = f"this override has no effect, because {engine} takes the base {shown} of rope_parameters"
        found.append(_found(f"{flag}.rope_theta", told, _WHOLE))
    if "rope_theta" not in current and "rope_theta" not in after:
        told = "the override replaces rope_parameters as a whole and has no rope_theta: the base is None"
        finding = ConfigFinding("base-missing", "error", f"{flag}.rope_parameters", told, _WHOLE)
        return Flagged(engine, EngineReading(refused="the override has no base"), (*found, finding))
    reading = _reader(engine)(after)
    named = [key for key in _ROPE[:2] if key in given]
    if reading == before and named:
        told = f"this override has no effect, because {engine} reads {before} with it and without"
        found.append(_found(f"{flag}.{named[0]}", told))
    if reading is None:
        found.append(_unknown(flag, _not_modelled(engine, after, flag)))
    return Flagged(engine, reading, tuple(found))


def _not_modelled(engine: str, fields: Mapping[str, Any], flag: str) -> str:
    """A message that an engine is not modelled for the family, or for a parameter of the file."""
    name = "llama.cpp converter" if engine == "llama.cpp" else engine
    (reader,) = [r for r in READERS if r.name == name]
    family = fields.get("model_type")
    what = "with these parameters" if family in reader.families else f"for this family ({family})"
    return f"{engine} is not modelled {what}: what {flag} does is not known"


def _llama(given: Mapping[str, str], fields: Mapping[str, Any]) -> Flagged:
    engine = "llama.cpp"
    before = _reader("llama.cpp converter")(fields)
    named = " ".join(flag for flag in given if flag in _ALL)
    if before is None:
        told = _not_modelled(engine, fields, named)
        return Flagged(engine, None, (_unknown(named, told),))
    if before.refused:
        told = f"the converter refuses the file: {before.refused}"
        return Flagged(engine, None, (_unknown(named, told),))
    if blends := sorted(_BLENDS & given.keys()):
        told = f"how {engine} blends with {', '.join(blends)} is not modelled"
        return Flagged(engine, None, (_unknown(named, told),))
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
            told = (
                "this flag has no effect, because llama.cpp does not read it with scaling "
                f"{kind or after['type']!r}"
            )
            found.append(_found(flag, told))
            continue
        after[_LLAMA[flag]] = 1 / number if flag == "--rope-freq-scale" else number
    if after["type"] in ("linear", "yarn") and after.get("factor", 1.0) == 1.0:
        if kind:
            told = f"this flag has no effect, because {kind} without a factor scales by 1"
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
        told = f"this flag has no effect, because llama.cpp reads {before} with it and without"
        found.append(_found(named, told))
    return Flagged(engine, reading, tuple(found))


def _positive(flag: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise InvalidArgument(f"flags {flag}", value, "a number above 0")
    return number
