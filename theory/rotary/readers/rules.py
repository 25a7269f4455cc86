"""The rules that judge a configuration, applied to one section (one model's fields) at a time."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator, Mapping
from typing import Any

from ropeproof.theory.rotary.families import FAMILIES, UNSUPPORTED
from ropeproof.theory.rotary.layout import MOST_COORDINATES
from ropeproof.theory.rotary.readers.engines import BY_TYPE, DEFAULT_BASES
from ropeproof.theory.rotary.readers.family_names import ROTATING
from ropeproof.theory.rotary.readers.findings import RULES, ConfigFinding, Level
from ropeproof.theory.rotary.readers.text import unreadable
from ropeproof.theory.rotary.tables.allowed_values import LEAST_SIZE, MOST_SIZE, refused_values

__all__ = ["LEAST_SIZE", "MOST_SIZE", "is_model", "lint_fields", "sections", "without_rotation"]

_MOST_LAYERS = 1 << 16

_ORIGINAL = "original_max_position_embeddings"
_DICTS = ("rope_parameters", "rope_scaling")
_BASES = ("rope_theta", "rotary_emb_base", "rope_embedding_base")
_OTHER_BASES = ("rope_local_base_freq", "local_rope_theta", "global_rope_theta", "swa_rope_theta")
_WHOLE_BASES = (
    "rope_theta",
    "rotary_emb_base",
    "rope_embedding_base",
    "global_rope_theta",
    "swa_rope_theta",
)
_TOP = (*_DICTS, *_BASES, "partial_rotary_factor", "rope_local_base_freq", _ORIGINAL)
_FRACTIONS = ("partial_rotary_factor", "rotary_pct", "rope_pct", "rope_percent")
_NUMBERS = frozenset(
    {"factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim", "attention_factor"}
    | {"low_freq_factor", "high_freq_factor", "alpha", _ORIGINAL, "rope_theta"}
    | {"llama_4_scaling_beta", "max_position_embeddings", "max_trained_positions"}
    | {"short_mscale", "long_mscale", "attn_factor", "extrapolation_factor", *_FRACTIONS}
)
_ANYWHERE = frozenset(
    {"rope_type", "type", "rope_theta", "mrope_section", "mrope_interleaved", "finetuned"}
    | {"xdrope_section", "llama_4_scaling_beta", "max_position_embeddings", "rope_dim"}
    | {"use_fope", "num_inv_freq", "fope_sep_head", "fope_init_factor", *_FRACTIONS}
)
_YARN = frozenset(
    {"factor", _ORIGINAL, "beta_fast", "beta_slow", "mscale", "mscale_all_dim"}
    | {"attention_factor", "attn_factor", "extrapolation_factor", "truncate", "apply_yarn_scaling"}
)
_DEFAULTS: Mapping[str, float] = {"beta_fast": 32, "beta_slow": 1}
_DYNAMIC = frozenset({"factor", "alpha", "max_trained_positions", _ORIGINAL}) | _YARN
_LONG = frozenset(
    {"factor", _ORIGINAL, "short_factor", "long_factor", "attention_factor"}
    | {"short_mscale", "long_mscale", "original_max_positions"}
)
_KEYS: Mapping[str, frozenset[str]] = {
    "default": frozenset(),
    "mrope": frozenset(),
    "axial": frozenset(),
    "linear": frozenset({"factor"}),
    "proportional": frozenset({"factor"}),
    "ntk": frozenset({"factor", "mixed_b"}),
    "dynamic": frozenset({"factor", "alpha", "max_trained_positions", _ORIGINAL}),
    "xdrope": _DYNAMIC,
    "yarn": _YARN,
    "deepseek_yarn": _YARN,
    "telechat3-yarn": _YARN,
    "longrope": _LONG,
    "su": _LONG,
    "llama3": frozenset({"factor", _ORIGINAL, "low_freq_factor", "high_freq_factor"}),
    "mllama4": frozenset(),
    "bailing_mrope": frozenset(),
    "openpangu": frozenset(),
}
_EVERY_KEY = frozenset().union(*_KEYS.values()) | _ANYWHERE
_SAME_TYPE = ({"su", "longrope"}, {"mrope", "default"})
_NO_ROPE = frozenset(
    {"bert", "roberta", "gpt2", "opt", "bloom", "mpt", "mamba", "mamba2", "falcon_mamba", "jamba"}
    | {
        "t5",
        "bart",
        "whisper",
        "albert",
        "distilbert",
        "electra",
        "deberta-v2",
        "gpt_neo",
        "biogpt",
    }
    | {"rwkv", "gpt_bigcode", "marian", "xlm-roberta", "mt5", "clip", "siglip", "vit"}
    | {"clip_vision_model", "siglip_vision_model", "siglip2_vision_model"}
)
_BASE_IN_CODE = frozenset({"gptj", "codegen", "chatglm", "esm", "baichuan", "falcon"})
_NATIVE = 1.5
"""The most original lengths in a context that still counts as that of the model before scaling.

Model cards tell to add YaRN and leave the context as it is, which may have room for an answer beside the
original length: 40,960 of 32,768 in Qwen3.
"""
_NESTED = ("text_config", "llm_config", "language_config", "thinker_config", "talker_config")
_ATTENTION = ("full_attention", "sliding_attention", "chunked_attention")


def sections(fields: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the models in a configuration, itself and those inside it, each with its key path."""
    inner = [(key, fields[key]) for key in _NESTED if isinstance(fields.get(key), Mapping)]
    has_own = any(fields.get(key) is not None for key in (*_DICTS, *_BASES, "num_attention_heads"))
    if has_own or not inner:
        yield "", fields
    for key, value in inner:
        for path, section in sections(value):
            yield f"{key}.{path}" if path else key, section
    vision = fields.get("vision_config")
    if isinstance(vision, Mapping) and any(vision.get(key) is not None for key in _DICTS):
        yield "vision_config", vision


def text_section(fields: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The section of the text model with its key path: an inner one, if it has fields of attention."""
    found = [(at, section) for at, section in sections(fields) if at != "vision_config"]
    keys = (*_DICTS, *_BASES, "num_attention_heads", "hidden_size")
    inner = [
        (at, section)
        for at, section in found
        if at and any(section.get(key) is not None for key in keys)
    ]
    return next(iter(inner or found), ("", fields))


_ROTARY = frozenset({"rope", "mrope", "xdrope", "rotary"})


def is_model(fields: Mapping[str, Any]) -> bool:
    """Whether a JSON object is the configuration of a model: it has a model type, or a key of rotation.

    The class name of a diffusers transformer counts as a model type, since its positions may rotate
    whatever its keys are called; that of an autoencoder or a scheduler does not.
    """
    for key, value in fields.items():
        name = str(key).lower()
        if name in ("model_type", "architectures") and value:
            return True
        if name == "_class_name" and "transformer" in str(value).lower():
            return True
        if _ROTARY & set(name.split("_")):
            return True
        if name in _NESTED and isinstance(value, Mapping):
            return True
    return any(key in fields for key in ("qk_rope_head_dim", "freqs_dim")) or (
        "n_heads" in fields and "dim" in fields  # Llama's own params.json
    )


def without_rotation(model: Mapping[str, Any], whole: Mapping[str, Any]) -> str | None:
    """The reason why nothing rotates in the models of a family, None where something may."""
    name = model.get("model_type") or whole.get("model_type")
    if not isinstance(name, str):
        return None
    told = UNSUPPORTED.get(name, "")
    if told.endswith("no RoPE"):
        return told
    if name in _NO_ROPE and not any(model.get(key) for key in (*_DICTS, *_BASES)):
        return "a family without RoPE"
    return "position biases, no RoPE" if model.get("alibi") is True else None


def lint_fields(fields: object) -> list[ConfigFinding]:
    """All findings of a configuration given as a mapping, in the order of its sections.

    A value that is no mapping, or is nested deeper or has longer numbers than a file may have, gets the
    single finding `file-invalid`.
    """
    if not isinstance(fields, Mapping):
        return [_invalid("", f"the configuration is no object but a {type(fields).__name__}")]
    if (broken := unreadable(fields)) is not None:
        return [_invalid(*broken)]
    found: list[ConfigFinding] = []
    for path, section in sections(fields):
        found += _Section(path, section, fields).run()
    return found + _outside(fields)


def _outside(fields: Mapping[str, Any]) -> list[ConfigFinding]:
    """Findings for rotary parameters at the top of a wrapper that differ from those of its text model.

    Code reads the text model's. It may have other parameters or none.
    """
    at, model = text_section(fields)
    if not at:
        return []
    inside = [model.get("rope_theta")]
    for key in _DICTS:
        rope = model.get(key)
        if isinstance(rope, Mapping):
            inner = [v for v in rope.values() if isinstance(v, Mapping)]
            inside += [each.get("rope_theta") for each in (rope, *inner)]
    own = {number for value in inside if (number := _number(value)) is not None}
    named = any(model.get(key) is not None for key in (*_BASES, *_OTHER_BASES))
    top, found = _number(fields.get("rope_theta")), []
    if top is not None and own and top not in own:
        told = f"rope_theta is {top:g} at the top and {min(own):g} in {at}, which code reads"
        found.append(("base-conflict", "rope_theta", told, RULES["base-conflict"].remedy))
    elif top is not None and not own and not named:
        told = f"rope_theta is {top:g} at the top; code reads {at}, where there is none"
        found.append(("base-conflict", "rope_theta", told, f"Write it into {at}."))
    if not any(isinstance(model.get(key), Mapping) and model[key] for key in _DICTS):
        for key in _DICTS:
            rope = fields.get(key)
            if isinstance(rope, Mapping) and rope and _type(rope) not in (None, "default", "mrope"):
                told = f"code reads {at}, where there is no {key}"
                found.append(("key-unread", key, told, f"Write it into {at}."))
    return [ConfigFinding(id, "warning", where, told, fix) for id, where, told, fix in found]


def _invalid(where: str, told: str) -> ConfigFinding:
    return ConfigFinding("file-invalid", "error", where, told, RULES["file-invalid"].remedy)


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


class _Section:
    def __init__(self, path: str, fields: Mapping[str, Any], whole: Mapping[str, Any]) -> None:
        self.path, self.fields = path, fields
        self.found: list[ConfigFinding] = []
        name = fields.get("model_type") or whole.get("model_type")
        self.name = name if isinstance(name, str) else None
        self.remote = "auto_map" in whole or "auto_map" in fields

    def add(self, id: str, level: Level, where: str, message: str, fix: str | None = None) -> None:
        path = f"{self.path}.{where}" if self.path and where else self.path or where
        self.found.append(ConfigFinding(id, level, path, message, fix or RULES[id].remedy))

    def run(self) -> list[ConfigFinding]:
        for key in (*_BASES, *_OTHER_BASES):
            self.base(key, self.fields.get(key))
        for key in _FRACTIONS:
            self.fraction(key, self.fields.get(key))
        self.original(_ORIGINAL, self.fields.get(_ORIGINAL))
        given = []
        for key in _DICTS:
            value = self.fields.get(key)
            if value is None or value is False or value == {}:
                continue
            if not isinstance(value, Mapping):
                self.add("value-type", "error", key, f"{key} is {value!r}, not an object or null")
                continue
            inner = {k: v for k, v in value.items() if isinstance(v, Mapping)}
            kinds = {k: v for k, v in value.items() if v is None and k in _ATTENTION} | inner
            if inner:
                self.layers(key, kinds)
                for kind, own in inner.items():
                    self.rope(f"{key}.{kind}", own)
                    given.append((f"{key}.{kind}", own))
            else:
                self.rope(key, value)
                given.append((key, value))
        self.misspelt()
        self.dialects()
        self.bases(given)
        self.heads()
        self.by_type()
        self.rotated_part(given)
        self.layer_flags()
        self.allowed()
        return self.found

    def allowed(self) -> None:
        """Add a finding for each value that `RopeSpec.from_config` refuses and no other rule has reported."""
        if self.name in _NO_ROPE or self.path == "vision_config" or not self.rotates():
            return
        named = {found.where for found in self.found if found.level == "error"}
        for refused in refused_values(self.fields):
            where = f"{self.path}.{refused.where}" if self.path else refused.where
            if where in named:
                continue
            key, value = refused.where.rsplit(".", maxsplit=1)[-1], refused.value
            id = "value-type"
            if isinstance(value, str):
                id = "value-string"
            elif isinstance(value, float) and not math.isfinite(value):
                id = "value-not-finite"
            elif isinstance(value, int | float) and not isinstance(value, bool):
                id = "value-range"
            told_of = f"{key} is {repr(value)[:60]}, not {refused.allowed}: {refused.meaning}"
            self.add(id, "error", refused.where, told_of)

    def misspelt(self) -> None:
        """Add a finding for each top-level key that nearly spells a rotary parameter, which nobody reads."""
        for key in self.fields:
            near = difflib.get_close_matches(str(key), _TOP, 1, 0.9)
            if not near or key in _TOP:
                continue
            # Code of the model's own may read it, and so may other code where the known key is there, too.
            own = self.remote or self.fields.get(near[0]) is not None
            told = f"{key} is not known; did you mean {near[0]!r}?"
            level: Level = "warning" if own else "error"
            self.add("key-unknown", level, str(key), told, f"Rename it to {near[0]!r}.")

    def finite(self, where: str, value: object) -> float | None:
        """The value as a finite number, or None, with a finding unless the value is null."""
        if value is None:
            return None
        if isinstance(value, str):
            self.add(
                "value-string",
                "error",
                where,
                f"{where.rsplit('.', maxsplit=1)[-1]} is the string {value!r}",
            )
            return None
        if isinstance(value, float) and not math.isfinite(value):
            self.add(
                "value-not-finite",
                "error",
                where,
                f"{where.rsplit('.', maxsplit=1)[-1]} is {value}",
            )
            return None
        number = _number(value)
        if number is None:
            told = f"{where.rsplit('.', maxsplit=1)[-1]} is {str(value)[:60]}, not a number"
            self.add("value-type", "error", where, told)
        return number

    def sized(self, where: str, number: float) -> bool:
        """Whether floats can compute with a number of this size; if not, a finding is added."""
        if number == 0 or LEAST_SIZE <= abs(number) <= MOST_SIZE:
            return True
        told = f"{where.rsplit('.', maxsplit=1)[-1]} is {number:g}"
        size = f"its size must lie between {LEAST_SIZE:g} and {MOST_SIZE:g}"
        self.add("value-range", "error", where, f"{told}; {size}")
        return False

    def base(self, where: str, value: object) -> None:
        if isinstance(value, list):  # one base per layer
            for place, item in enumerate(value):
                number = self.finite(f"{where}[{place}]", item)
                if number is not None and number < 0:
                    self.add("value-range", "error", f"{where}[{place}]", f"a base of {number:g}")
            return
        number = self.finite(where, value)
        if number is None:
            return
        if number <= 1:
            self.add("value-range", "error", where, f"a base of {number:g}; it must be above 1")
        elif self.sized(where, number) and not 50 <= number <= 1e12:
            self.add("base-improbable", "warning", where, f"a base of {number:g}")

    def fraction(self, where: str, value: object) -> None:
        if isinstance(value, list):
            return
        number = self.finite(where, value)
        most = self.most_heads()
        if number is not None and not 0 < number <= most:
            name = where.rsplit(".", maxsplit=1)[-1]
            told = f"{name} is {number:g}; it must be above 0 and at most {most:g}"
            self.add("partial-range", "error", where, told)

    def most_heads(self) -> float:
        """The largest rotated fraction of a head: 1, or the number of heads if they rotate as one vector.

        In EfficientLoFTR the tables are as wide as the whole row of heads; its class has the fraction 4.
        """
        heads = self.fields.get("num_attention_heads", 8)
        whole = self.name == "efficientloftr" and type(heads) is int and heads > 0
        return float(heads) if whole else 1.0

    def original(self, where: str, value: object) -> None:
        number = self.finite(where, value)
        if number is not None and (number < 1 or number != int(number)):
            told = f"{where.rsplit('.', maxsplit=1)[-1]} is {number:g}, not a positive integer"
            self.add("value-range", "error", where, told)

    def kind(self, at: str, rope: Mapping[str, Any]) -> str | None:
        stated = {key: rope[key] for key in ("rope_type", "type") if rope.get(key) is not None}
        for key, value in stated.items():
            if not isinstance(value, str):
                self.add("value-type", "error", f"{at}.{key}", f"{key} is {value!r}, not a name")
                return None
        names = set(stated.values())
        if len(names) > 1 and names not in _SAME_TYPE:
            told = f"rope_type is {stated['rope_type']!r} and type is {stated['type']!r}"
            self.add("type-conflict", "error", f"{at}.type", told)
        if not stated:
            if parameters := sorted(set(rope) & (_EVERY_KEY - _ANYWHERE)):
                told = f"{', '.join(parameters)} without rope_type"
                self.add("type-missing", "error", at, told)
            return None
        for key, kind in stated.items():
            if kind not in _KEYS:
                near = difflib.get_close_matches(str(kind).lower(), _KEYS, 1, 0.6)
                level: Level = "warning" if self.remote and not near else "error"
                hint = f"; did you mean {near[0]!r}?" if near else ""
                fix = f"Write {near[0]!r}." if near else f"One of {', '.join(_KEYS)}."
                self.add(
                    "type-unknown", level, f"{at}.{key}", f"{key} {kind!r} is not known{hint}", fix
                )
                return None
        return str(next(iter(stated.values())))

    def rope(self, at: str, rope: Mapping[str, Any]) -> None:
        kind = self.kind(at, rope)
        for key, value in rope.items():
            where = f"{at}.{key}"
            if key not in _EVERY_KEY:
                near = difflib.get_close_matches(str(key), _EVERY_KEY, 1, 0.75)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                fix = f"Rename it to {near[0]!r}." if near else None
                self.add(
                    "key-unknown",
                    "error" if near else "warning",
                    where,
                    f"{key} is not known{hint}",
                    fix,
                )
            elif key == "rope_theta":
                self.base(where, value)
            elif key in _FRACTIONS:
                if not (kind == "proportional" and value == 0):
                    self.fraction(where, value)
            elif key == _ORIGINAL:
                self.original(where, value)
            elif key in _NUMBERS:
                self.positive(where, key, value)
            known = _KEYS.get(kind or "")
            if known is not None and key in _EVERY_KEY and key not in known | _ANYWHERE:
                self.add("key-unread", "warning", where, f"{key} is no parameter of {kind!r}")
        if kind is not None:
            self.scaling(at, kind, rope)
        self.sizes(at, rope)

    def positive(self, where: str, key: str, value: object) -> None:
        if isinstance(value, list) and key == "factor":
            return
        number = self.finite(where, value)
        if number is None or not self.sized(where, number):
            return
        if key == "factor" and number < 1:
            self.add(
                "value-range", "error", where, f"a factor of {number:g}; it must be at least 1"
            )
        elif key in ("mscale", "mscale_all_dim"):
            if number < 0:
                self.add("value-range", "error", where, f"{key} is {number:g}, below 0")
        elif number <= 0:
            self.add("value-range", "error", where, f"{key} is {number:g}; it must be above 0")

    def scaling(self, at: str, kind: str, rope: Mapping[str, Any]) -> None:
        family = {"su": "longrope", "deepseek_yarn": "yarn", "telechat3-yarn": "yarn"}.get(
            kind, kind
        )
        needed = {
            "linear": ("factor",),
            "ntk": ("factor",),
            "yarn": ("factor",),
            "llama3": ("factor", "low_freq_factor", "high_freq_factor"),
            "longrope": ("short_factor", "long_factor"),
        }.get(family, ())
        if family == "dynamic" and rope.get("alpha") is None:
            needed = ("factor",)
        for key in needed:
            if rope.get(key) is None:
                self.add("key-missing", "error", f"{at}.{key}", f"{kind} without {key}")
        fast, slow = _number(rope.get("beta_fast", 32)), _number(rope.get("beta_slow", 1))
        if family == "yarn" and fast is not None and slow is not None and fast < slow:
            self.add(
                "betas-crossed",
                "error",
                f"{at}.beta_fast",
                f"beta_fast {fast:g} < beta_slow {slow:g}",
            )
        low, high = _number(rope.get("low_freq_factor")), _number(rope.get("high_freq_factor"))
        if low is not None and high is not None and high < low:
            told = f"high_freq_factor {high:g} is below low_freq_factor {low:g}"
            self.add("frequencies-crossed", "error", f"{at}.high_freq_factor", told)
        if family in ("yarn", "llama3", "longrope"):
            self.lengths(at, family, rope)
        if family == "yarn":
            self.attention(at, rope)

    def lengths(self, at: str, family: str, rope: Mapping[str, Any]) -> None:
        inside, top = rope.get(_ORIGINAL), self.fields.get(_ORIGINAL)
        if inside is None and top is None:
            self.add(
                "original-missing", "error", f"{at}.{_ORIGINAL}", f"{family} without {_ORIGINAL}"
            )
            return
        if inside is not None and top is not None and inside != top:
            told = f"{_ORIGINAL} is {inside!r} here and {top!r} at the top"
            self.add("original-mismatch", "error", f"{at}.{_ORIGINAL}", told)
        original, factor = _number(top if inside is None else inside), _number(rope.get("factor"))
        context = _number(self.fields.get("max_position_embeddings"))
        if original is None or context is None or original < 1:
            return
        if original > context:
            told = f"original length {original:g} is above the context {context:g}"
            self.add("original-mismatch", "warning", f"{at}.{_ORIGINAL}", told)
        elif family == "llama3" and original == context:
            told = f"original length {original:g} is the whole context: nothing is extended"
            self.add("original-mismatch", "warning", f"{at}.{_ORIGINAL}", told)
        elif (
            family == "yarn"
            and factor
            and context / original > _NATIVE
            and abs(original * factor / context - 1) > 0.01
        ):
            told = f"original length {original:g} times factor {factor:g} is not {context:g}"
            self.add("original-mismatch", "warning", f"{at}.factor", told)

    def attention(self, at: str, rope: Mapping[str, Any]) -> None:
        factor, given = _number(rope.get("factor")), _number(rope.get("attention_factor"))
        one, all_dim = _number(rope.get("mscale")), _number(rope.get("mscale_all_dim"))
        if (one is None) != (all_dim is None) and (one or all_dim) and given is None:
            self.add("mscale-alone", "warning", at, "mscale and mscale_all_dim belong together")
        if given is None or factor is None or factor < 1 or (one is None and all_dim is None):
            return
        whole = (1 + (one or 0) / 10 * math.log(factor)) / (
            1 + (all_dim or 0) / 10 * math.log(factor)
        )
        if abs(given / whole - 1) > 1e-3:
            told = f"attention_factor is {given:g}, mscale gives {whole:.6g}"
            self.add("attention-conflict", "error", f"{at}.attention_factor", told)

    def rotated_part(self, given: list[tuple[str, Mapping[str, Any]]]) -> None:
        """Add a finding where two fields give different rotated parts of a head."""
        if self.fields.get("qk_rope_head_dim") is not None:
            return
        flat = [(at, rope) for at, rope in given if at.count(".") == 0]
        if len(flat) < len(given) or any(_type(rope) == "proportional" for _, rope in flat):
            return  # layer types have parts of their own, or the fraction is one of the planes
        stated = [(key, self.fields.get(key)) for key in _FRACTIONS]
        stated += [(f"{at}.{key}", rope.get(key)) for at, rope in flat for key in _FRACTIONS]
        fractions = [(at, number) for at, value in stated if (number := _number(value)) is not None]
        if any(not 0 < number <= self.most_heads() for _, number in fractions):
            return
        for at, number in fractions[1:]:
            if number != fractions[0][1]:
                told = f"{at} is {number:g}, {fractions[0][0]} is {fractions[0][1]:g}"
                self.add("rotated-part", "error", at, told)
                return
        head, rotated = self.head_dim(), self.fields.get("rotary_dim")
        if head is None or type(rotated) is not int or not 0 < rotated <= head:
            return
        for at, number in fractions:
            if abs(head * number - rotated) >= 1:  # a fraction may be rounded
                told = f"rotary_dim is {rotated}, {at} {number:g} of head_dim {head} is {int(head * number)}"
                self.add("rotated-part", "error", "rotary_dim", told)
                return

    def layer_flags(self) -> None:
        """Add findings where flags or layer types do not fit the number of layers or the file's own rule."""
        count = self.fields.get("num_hidden_layers")
        if type(count) is not int or not 0 < count <= _MOST_LAYERS:
            return
        family = FAMILIES.get(self.name or "")
        types = self.fields.get("layer_types")
        if isinstance(types, list | tuple) and types and family is not None and len(types) != count:
            level: Level = "error" if len(types) < count else "warning"
            told = f"{len(types)} layer types for {count} layers"
            self.add("layer-flags", level, "layer_types", told, "Write one for each layer.")
        elif isinstance(types, list | tuple) and family is not None:
            self.against_pattern([str(kind) for kind in types])
        flags = self.fields.get("no_rope_layers")
        if family is None or family.no_rope != "flags" or flags is None or flags == []:
            return
        if not isinstance(flags, list | tuple) or any(
            type(flag) not in (int, bool) or flag not in (0, 1) for flag in flags
        ):
            self.add("layer-flags", "error", "no_rope_layers", f"{str(flags)[:60]} are no flags")
            return
        if len(flags) < count:
            told = f"{len(flags)} flags for {count} layers"
            self.add("layer-flags", "error", "no_rope_layers", told)
            return
        if len(flags) > count:
            told = f"{len(flags)} flags for {count} layers; mlx-lm refuses them"
            self.add("layer-flags", "warning", "no_rope_layers", told)
        self.against_interval([bool(flag) for flag in flags[:count]], family.no_rope_interval)

    def against_pattern(self, types: list[str]) -> None:
        """Add a finding where layer types are throughout the opposite of `sliding_window_pattern`."""
        every = self.fields.get("sliding_window_pattern")
        if type(every) is not int or every < 3 or len(types) < every:
            return
        rule = [(layer + 1) % every != 0 for layer in range(len(types))]
        windowed = [kind == "sliding_attention" for kind in types]
        named = set(types) == {"sliding_attention", "full_attention"}
        if named and all(one != other for one, other in zip(windowed, rule, strict=True)):
            told = f"the types are the opposite of what sliding_window_pattern {every} says"
            told += f": {sum(windowed)} of {len(types)} layers have a window, not {sum(rule)}"
            fix = "Correct the one that is wrong; where both are there, code reads the types."
            self.add("layers-inverted", "warning", "layer_types", told, fix)

    def against_interval(self, flags: list[bool], default: int) -> None:
        stated = self.fields.get("no_rope_layer_interval")
        every = default if stated is None else stated
        if type(every) is not int or every < 2 or all(flags):
            return
        rule = [(layer + 1) % every != 0 for layer in range(len(flags))]
        wrong = [layer for layer, flag in enumerate(flags) if flag != rule[layer]]
        if not wrong:
            return
        rotating = f"{sum(flags)} of {len(flags)} layers rotate"
        whose = f"no_rope_layer_interval {every}" if stated is not None else f"the family's {every}"
        if len(wrong) == len(flags) and every > 2:
            told = f"the flags are the opposite of what {whose} says: {rotating}, not {sum(rule)}"
            id = "layers-inverted" if stated is not None else "layer-flags"
            self.add(id, "warning", "no_rope_layers", told)
        elif stated is not None:
            places = ", ".join(map(str, wrong[:6])) + (", ..." if len(wrong) > 6 else "")
            told = f"the flags are not those of {whose} in layers {places}: {rotating}"
            fix = "Correct the one that is wrong; where both are there, code reads the flags."
            self.add("layer-flags", "warning", "no_rope_layers", told, fix)

    def rotary_dim(self, rope: Mapping[str, Any]) -> int | None:
        """The number of coordinates of a head that rotate, None if the file alone does not determine it."""
        latent, fixed = self.fields.get("qk_rope_head_dim"), self.fields.get("rotary_dim")
        if type(latent) is int:
            return latent
        if type(fixed) is int:
            return fixed
        head = self.head_dim()
        stated = [self.fields.get(key) for key in _FRACTIONS] + [
            rope.get(key) for key in _FRACTIONS
        ]
        fractions = [number for value in stated if (number := _number(value)) is not None]
        if head is None or len(set(fractions)) > 1:
            return None
        if fractions and not 0 <= fractions[0] <= self.most_heads():
            return None  # a finding of its own
        return int(head * fractions[0]) if fractions else head

    def head_dim(self) -> int | None:
        """The head dimension, None if the file alone does not determine it or no float can hold it."""
        given = self.fields.get("head_dim") or self.fields.get("attention_head_dim")
        if type(given) is int:
            return given if _number(given) is not None else None
        width = self.fields.get("hidden_size") or self.fields.get("n_embd")
        heads = self.fields.get("num_attention_heads") or self.fields.get("n_head")
        if type(width) is not int or type(heads) is not int or heads < 1 or width % heads:
            return None
        if _number(width) is None:
            return None
        return width // heads

    def sizes(self, at: str, rope: Mapping[str, Any]) -> None:
        lists = {k: rope[k] for k in ("short_factor", "long_factor") if rope.get(k) is not None}
        rotated = self.rotary_dim(rope)
        for key, values in lists.items():
            where = f"{at}.{key}"
            if not isinstance(values, list | tuple):
                self.add("value-type", "error", where, f"{key} is no list of numbers")
                continue
            for place, value in enumerate(values):
                number = self.finite(f"{where}[{place}]", value)
                if number is not None and number <= 0:
                    self.add("value-range", "error", f"{where}[{place}]", f"a factor of {number:g}")
                elif number is not None:
                    self.sized(f"{where}[{place}]", number)
            other = next((v for k, v in lists.items() if k != key and isinstance(v, list)), values)
            if rotated is not None and len(values) != rotated // 2:
                told = f"{len(values)} factors for {rotated // 2} rotated planes"
                self.add("list-length", "error", where, told)
            elif len(values) != len(other):
                self.add("list-length", "error", where, f"{len(values)} and {len(other)} factors")
        self.exchanged(at, lists)
        for key in ("mrope_section", "xdrope_section"):
            sizes = rope.get(key)
            if sizes is None:
                continue
            whole = isinstance(sizes, list | tuple) and all(
                type(n) is int and n >= 0 for n in sizes
            )
            if not whole or not 2 <= len(sizes) <= 4:
                self.add("sections-sum", "error", f"{at}.{key}", f"{key} is {str(sizes)[:60]}")
            elif rotated is not None and sum(sizes) != rotated // 2:
                told = f"{key} adds up to {sum(sizes)}, not to {rotated // 2} rotated planes"
                self.add("sections-sum", "error", f"{at}.{key}", told)

    def exchanged(self, at: str, lists: Mapping[str, Any]) -> None:
        """Add a finding where the short factors slow every plane at least as much as the long ones."""
        pair = [lists.get(key) for key in ("short_factor", "long_factor")]
        if not all(isinstance(v, list | tuple) and v for v in pair):
            return
        numbers = [
            [number for v in each or () if (number := _number(v)) is not None] for each in pair
        ]
        short, long = numbers
        if len(short) != len(long) or len(short) != len(pair[0] or ()):
            return
        slower = [a >= b for a, b in zip(short, long, strict=True)]
        if all(slower) and sum(short) > 1.5 * sum(long) > 0:
            told = "the factors of short sequences are all at least those of long ones"
            self.add("lists-exchanged", "warning", f"{at}.short_factor", told)

    def layers(self, key: str, kinds: Mapping[str, Any]) -> None:
        types = self.fields.get("layer_types")
        if not isinstance(types, list) or not types:
            return
        for kind in kinds:
            if kind not in types:
                near = difflib.get_close_matches(kind, [str(t) for t in types], 1, 0.75)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                if not near and kind not in _ATTENTION:
                    continue  # some families name their parameters otherwise than their layers
                self.add(
                    "layer-type-absent",
                    "warning",
                    f"{key}.{kind}",
                    f"no layer is of type {kind!r}{hint}",
                )
        for kind in sorted({str(t) for t in types} & set(_ATTENTION) - set(kinds)):
            told = f"layers of type {kind!r} have no rotary parameters"
            self.add("layer-without-parameters", "error", key, told)

    def dialects(self) -> None:
        new, old = (self.fields.get(key) for key in _DICTS)
        new, old = (v if isinstance(v, Mapping) and v else None for v in (new, old))
        if new is None:
            return
        nested = any(isinstance(v, Mapping) for v in new.values())
        # Beside parameters by layer type the older dialect is that of full attention.
        flat = new.get("full_attention") if nested else new
        if isinstance(flat, Mapping) and old is not None:
            for key, (one, other) in _conflicts(flat, old).items():
                told = f"{key} is {one!r} in rope_parameters and {other!r} in rope_scaling"
                self.add("dialect-conflict", "error", f"rope_scaling.{key}", told)
        scaled = isinstance(flat, Mapping) and _type(flat) not in (None, "default")
        tops = BY_TYPE.get(self.name or "")
        told_twice = tops is not None and all(self.fields.get(key) is not None for key in tops)
        hidden = "rope_theta" in new and self.fields.get("rope_theta") is None
        if hidden or (nested and not told_twice) or (scaled and old is None):
            told = "base or scaling are only in rope_parameters, which older readers do not know"
            self.add("dialect-new", "warning", "rope_parameters", told)

    def by_type(self) -> None:
        """Add a finding for flat parameters in a family that has some per layer type: no code reads them."""
        new = self.fields.get("rope_parameters")
        if self.name is None or self.name not in BY_TYPE:
            return
        if not isinstance(new, Mapping) or not new:
            return
        if any(isinstance(value, Mapping) or value is None for value in new.values()):
            return
        base = _number(new.get("rope_theta"))
        plain = _type(new) in (None, "default") and base in (None, DEFAULT_BASES[self.name][0])
        if self.fields.get("rope_scaling") or plain:
            return
        told = "rope_parameters has no entry for a layer type, so that its values are not read"
        fix = "Write an entry for full_attention and one for sliding_attention."
        self.add("layer-without-parameters", "warning", "rope_parameters", told, fix)

    def bases(self, given: list[tuple[str, Mapping[str, Any]]]) -> None:
        top = {key: n for key in _BASES if (n := _number(self.fields.get(key))) is not None}
        inside = {
            f"{at}.rope_theta": n
            for at, rope in given
            if (n := _number(rope.get("rope_theta"))) is not None
        }
        for key, number in list(top.items())[1:]:
            first = next(iter(top))
            if number != top[first]:
                self.add(
                    "base-conflict", "error", key, f"{key} is {number:g}, {first} is {top[first]:g}"
                )
        flat = {at: n for at, n in inside.items() if at.count(".") == 1}
        for kind, key in zip(_ATTENTION, BY_TYPE.get(self.name or "", ()), strict=False):
            at, stated = f"rope_parameters.{kind}.rope_theta", _number(self.fields.get(key))
            if stated is not None and inside.get(at, stated) != stated:
                told = f"the base of {kind} is {inside[at]:g}, {key} is {stated:g}"
                self.add("base-conflict", "error", at, told)
        if self.name in BY_TYPE and not flat:
            pass
        elif top and inside and next(iter(top.values())) not in inside.values():
            key, number = next(iter(top.items()))
            at, other = next(iter(inside.items()))
            self.add("base-conflict", "error", at, f"{at} is {other:g}, {key} is {number:g}")
        elif len(set(flat.values())) > 1:
            at, number = list(flat.items())[-1]
            self.add("base-conflict", "error", at, f"two bases, {set(flat.values())}")
        self.no_base(given, bool(top or inside))

    def no_base(self, given: list[tuple[str, Mapping[str, Any]]], stated: bool) -> None:
        # The base of local layers alone says nothing of the others.
        named = any(self.fields.get(key) is not None for key in _WHOLE_BASES)
        if stated or named or any(rope.get("rope_theta") is not None for _, rope in given):
            return
        if (
            self.path == "vision_config" or self.name in _NO_ROPE | _BASE_IN_CODE or not self.name
        ) and (self.name or not given):
            return
        if self.fields.get("alibi") or self.fields.get("position_embedding_type") in (
            "absolute",
            "nope",
        ):
            return
        kinds = [_type(rope) for _, rope in given]
        if not given and self.name not in _KNOWN_ROPE:
            self.add("family-unknown", "note", "", f"model_type {self.name!r} is not known")
            return
        level: Level = (
            "error" if any(k in ("yarn", "llama3", "longrope") for k in kinds) else "warning"
        )
        self.add("base-missing", level, "rope_theta", "no base: each reader takes its own default")

    def rotates(self) -> bool:
        """Whether the file has a field of rotary embedding, or its family is known to have one."""
        named = any(self.fields.get(key) is not None for key in (*_DICTS, *_BASES, *_FRACTIONS))
        latent = any(key in self.fields for key in ("rotary_dim", "qk_rope_head_dim"))
        return named or latent or self.name in _KNOWN_ROPE

    def heads(self) -> None:
        if self.name in _NO_ROPE or self.path == "vision_config" or not self.rotates():
            return
        latent = self.fields.get("qk_rope_head_dim")
        for key in ("head_dim", "qk_rope_head_dim", "rotary_dim"):
            value = self.fields.get(key)
            if (
                value is None
                or isinstance(value, list)
                or (key == "head_dim" and latent is not None)
            ):
                continue
            if key != "head_dim" and type(value) is int and value == 0:
                continue  # nothing rotates
            if type(value) is not int or value < 2 or value % 2 or value > MOST_COORDINATES:
                told = f"{key} is {value!r}, not an even integer from 2 to {MOST_COORDINATES}"
                self.add("head-dim", "error", key, told)
        width, heads = self.fields.get("hidden_size"), self.fields.get("num_attention_heads")
        if (
            self.fields.get("head_dim") is None
            and latent is None
            and type(width) is int
            and type(heads) is int
            and heads > 0
        ):
            if width % heads:
                self.add(
                    "head-dim", "warning", "hidden_size", f"{width} is no multiple of {heads} heads"
                )
            elif width // heads > MOST_COORDINATES:
                told = f"heads of more than {MOST_COORDINATES} coordinates"
                self.add("head-dim", "error", "hidden_size", told)
            elif width // heads % 2:
                told = f"{width} / {heads} heads is {width // heads}, an odd head dimension"
                self.add("head-dim", "error", "hidden_size", told)
        head, rotated = self.head_dim(), self.fields.get("rotary_dim")
        if head is not None and type(rotated) is int and rotated > head:
            self.add(
                "head-dim", "error", "rotary_dim", f"rotary_dim {rotated} is above head_dim {head}"
            )
        for key in _FRACTIONS:
            number = _number(self.fields.get(key))
            if (
                head is not None
                and number is not None
                and 0 < number <= 1
                and head % 2 == 0
                and (int(head * number) % 2 or int(head * number) < 2)
            ):
                told = f"{number:g} of head_dim {head} is {int(head * number)}, not even"
                self.add("head-dim", "error", key, told)


def _conflicts(new: Mapping[str, Any], old: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The parameters in which the two dialects differ, with both values; an absent one counts as None.

    A parameter that only one dialect has is a conflict unless its value is the default.
    """
    found = {key: (new[key], old[key]) for key in old if key in new and new[key] != old[key]}
    kind = (_type(new), _type(old))
    if kind[0] != kind[1] and set(kind) not in _SAME_TYPE and None not in kind:
        found["rope_type"] = kind
    for key, value in {**new, **old}.items():
        alone = (key in new) != (key in old) and key in _NUMBERS - {"rope_theta", *_FRACTIONS}
        if alone and value is not None and value != _DEFAULTS.get(key):
            found[key] = (new.get(key), old.get(key))
    return {
        key: pair
        for key, pair in found.items()
        if key not in ("type", "rope_theta") and set(map(str, pair)) not in _SAME_TYPE
    }


def _type(rope: Mapping[str, Any]) -> str | None:
    value = rope.get("rope_type") or rope.get("type")
    return "longrope" if value == "su" else value if isinstance(value, str) else None


_KNOWN_ROPE = frozenset(FAMILIES) | ROTATING
