"""Reading the files of an untrusted model: bounded sizes, nothing executed, no link followed."""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Mapping
from json import JSONDecodeError
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, NamedTuple

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.readers import engines, rules
from ropeproof.theory.rotary.readers.coverage import Coverage
from ropeproof.theory.rotary.readers.findings import RULES, ConfigFinding
from ropeproof.theory.rotary.readers.text import MOST_BYTES, parse, position

__all__ = ["Linted", "gguf_header", "lint_file"]


class Linted(NamedTuple):
    """One file: its path, its findings, and what each engine reads from it.

    `fields` is the whole file, `model` the section of the text model, which engines read, and
    `section` the key path of it, empty at the top. `coverage` says what was looked at; it is None where
    rules alone were applied (`lint_file`).
    """

    path: str
    findings: tuple[ConfigFinding, ...]
    readers: Mapping[str, engines.EngineReading]
    fields: Mapping[str, Any]
    model: Mapping[str, Any] = MappingProxyType({})
    section: str = ""
    coverage: Coverage | None = None

    def as_json(self) -> dict[str, Any]:
        """The file in the form of `ropeproof lint --json`."""
        return {
            "path": self.path,
            "findings": [finding.as_json() for finding in self.findings],
            "readers": {name: reading.as_json() for name, reading in self.readers.items()},
            "coverage": None if self.coverage is None else self.coverage.as_json(),
        }


def lint_file(path: Path | str) -> list[Linted]:
    """All findings in a config.json, params.json or GGUF file, or in those of a model's folder.

    Raises `InvalidArgument` if there is no such file, or the folder has none of them.
    """
    if not str(path):  # to a path it would be the current folder
        raise InvalidArgument("path", path, "a file or a folder that exists")
    path = Path(path)
    try:
        folder, file = path.is_dir(), path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        folder = file = False
    if folder:
        return _folder(path)
    if not file:
        raise InvalidArgument("path", str(path), "a file or a folder that exists")
    return [_gguf(path) if path.suffix == ".gguf" else _config(path)]


def _folder(folder: Path) -> list[Linted]:
    inside = folder.resolve()
    names = [folder / "config.json", folder / "params.json", *sorted(folder.glob("*.gguf"))]
    beside = [folder / "generation_config.json", *sorted(folder.glob("*.safetensors"))]
    own = [f for f in names if _inside(f, inside)]
    files = own + [f for f in beside if _inside(f, inside)]
    if not own:
        raise InvalidArgument(
            "path", str(folder), "a folder with config.json, params.json or *.gguf"
        )
    found = [_one(f) for f in files]
    config = next(
        (f for f in found if f.path.endswith(("config.json", "params.json")) and f.fields), None
    )
    if config is not None:
        found = [_beside(f, config) for f in found]
    # A file of weights or of generation about which there is nothing to say is not listed.
    quiet = tuple(str(f) for f in beside)
    return [f for f in found if f.findings or f.path not in quiet]


def _inside(file: Path, folder: Path) -> bool:
    return file.is_file() and file.resolve().is_relative_to(folder)


def _one(path: Path) -> Linted:
    if path.suffix == ".gguf":
        return _gguf(path)
    if path.suffix == ".safetensors":
        return _safetensors(path)
    return _generation(path) if path.name == "generation_config.json" else _config(path)


def _beside(file: Linted, config: Linted) -> Linted:
    if file.path.endswith(".gguf"):
        return _compared(file, config)
    return _buffers(file, config) if file.path.endswith(".safetensors") else file


def _generation(path: Path) -> Linted:
    """Findings in a generation_config.json: broken JSON, and rotary keys, which nobody reads there."""
    read = _config(path)
    told = [f for f in read.findings if f.id in ("file-invalid", "duplicate-key")]
    remedy = RULES["key-unread"].remedy
    for key in read.fields:
        if key in ("rope_theta", "rope_scaling", "rope_parameters"):
            message = f"{key} is read from config.json only"
            told.append(ConfigFinding("key-unread", "warning", key, message, remedy))
    return Linted(read.path, tuple(told), {}, {})


_FORMS = {"F64": "d", "F32": "f", "F16": "e", "BF16": "H"}


def _safetensors(path: Path) -> Linted:
    """The `inv_freq` buffers of a safetensors file, by name; only the header and these buffers are read."""
    found: dict[str, Any] = {}
    try:
        with path.open("rb") as file:
            (size,) = _unpack(file, "Q")
            if size > MOST_BYTES:
                raise ValueError("a header larger than what is read")
            head = parse(file.read(size).decode("utf-8")).value
            if not isinstance(head, dict):
                raise ValueError("the header is no object")
            last = path.stat().st_size - 8 - size
            for name, told in head.items():
                if name == "__metadata__":
                    continue
                start, end = (int(n) for n in told["data_offsets"])
                if not 0 <= start <= end <= last:
                    raise ValueError(f"{name} lies outside the file, which is truncated")
                form = _FORMS.get(told["dtype"])
                if not name.endswith("inv_freq") or form is None or end - start > 1 << 16:
                    continue
                file.seek(8 + size + start)
                count = (end - start) // struct.calcsize("<" + form)
                values = _unpack(file, form * count)
                if form == "H":  # the upper half of a float32
                    values = tuple(
                        struct.unpack("<f", struct.pack("<I", v << 16))[0] for v in values
                    )
                found[name] = values
    except (ValueError, KeyError, TypeError, OSError) as error:
        return _broken(path, f"no safetensors: {error}")
    return Linted(str(path), (), {}, found)


def _buffers(weights: Linted, config: Linted) -> Linted:
    """The weights file with a finding for the first `inv_freq` buffer that differs from the configuration.

    Only plain and linear frequencies are compared.
    """
    reading = config.readers.get("transformers 5")
    if reading is None or reading.refused or reading.others:
        return weights
    taken = dict(reading.rotation)
    if taken["type"] not in ("default", "linear"):
        return weights
    for name, values in weights.fields.items():
        count, factor = len(values), taken.get("factor", 1.0)
        wanted = [taken["base"] ** (-l / count) / factor for l in range(count)]
        # bfloat16 is off by at most 1 in 256.
        far = [l for l in range(count) if not abs(values[l] / wanted[l] - 1) < 2**-7]
        if far:
            place = far[0]
            told = (
                f"{name}[{place}] is {values[place]:.6g}, "
                f"base {taken['base']:g} gives {wanted[place]:.6g}"
            )
            remedy = RULES["buffer-differs"].remedy
            finding = ConfigFinding("buffer-differs", "warning", name, told, remedy)
            return weights._replace(findings=(*weights.findings, finding))
    return weights


def _broken(path: Path, told: str, line: int = 1, column: int = 1) -> Linted:
    finding = ConfigFinding(
        "file-invalid", "error", "", told, RULES["file-invalid"].remedy, line, column
    )
    return Linted(str(path), (finding,), {}, {})


def _config(path: Path) -> Linted:
    if path.stat().st_size > MOST_BYTES:
        return _broken(path, f"larger than {MOST_BYTES} bytes")
    try:
        text = path.read_bytes().decode("utf-8-sig")
        document = parse(text)
    except UnicodeDecodeError as error:
        return _broken(path, f"no UTF-8 at byte {error.start}")
    except JSONDecodeError as error:
        return _broken(path, f"no valid JSON: {error.msg}", error.lineno, error.colno)
    if not isinstance(document.value, dict):
        return _broken(path, "the JSON is no object")
    fields = document.value
    found = []
    for key, offset in document.duplicates:
        line, column = position(text, offset)
        told = f"{key} is there twice; the last value is kept"
        remedy = RULES["duplicate-key"].remedy
        found.append(ConfigFinding("duplicate-key", "error", key, told, remedy, line, column))
    own = rules.lint_fields(fields)
    readings: dict[str, engines.EngineReading] = {}
    text_model = rules.text_section(fields)
    if not any(f.level == "error" for f in own):
        readings = {
            r.name: r.read(text_model[1]) for r in engines.READERS if r.reads(text_model[1])
        }
        own = _without_need(own, text_model, readings) + _differ(text_model[0], readings)
    for finding in own:
        line, column = document.place(finding.where)
        found.append(dataclasses.replace(finding, line=line, column=column))
    return Linted(str(path), tuple(found), readings, fields, text_model[1], text_model[0])


def _without_need(
    found: list[ConfigFinding],
    model: tuple[str, Mapping[str, Any]],
    readings: Mapping[str, engines.EngineReading],
) -> list[ConfigFinding]:
    """The findings without the one of a missing base, if all engines fill in the same base.

    At least two engines have to agree. If they agree on 10000, the default of nearly every class, and the
    model has a long context, that says nothing: there the finding stays.
    """
    where = f"{model[0]}.rope_theta".lstrip(".")
    taken = {
        tuple((kind, dict(rotation)["base"]) for kind, rotation in reading.by_type())
        for reading in readings.values()
        if not reading.refused
    }
    refused = any(reading.refused for reading in readings.values())
    if len(readings) < 2 or refused or len(taken) != 1:
        return found
    context = model[1].get("max_position_embeddings")
    plain = any(base == 10000.0 and kind in (None, "full_attention") for kind, base in min(taken))
    if plain and not (type(context) is int and context <= _OLD_CONTEXT):
        return found
    return [
        each
        for each in found
        if (each.id, each.level, each.where) != ("base-missing", "warning", where)
    ]


_OLD_CONTEXT = 4096
"""The longest context of models that were released before their base was a field."""
_NO_FILE = (
    "The file cannot change that: serve the model at lengths at which they agree (`--price`)."
)


def _differ(at: str, readings: Mapping[str, engines.EngineReading]) -> list[ConfigFinding]:
    first = readings.get("transformers 5")
    if first is None:
        return []
    if first.refused:
        read = [
            f"{name} reads {reading}" for name, reading in readings.items() if not reading.refused
        ]
        if not read:
            return []
        message = f"transformers 5 {first}; {'; '.join(read)}"
        fix = "Write base and scaling in one dialect, or in both with the same values, as `--fix` does."
        return [ConfigFinding("readers-differ", "warning", at, message, fix)]
    others = {n: r for n, r in readings.items() if not r.refused and not r.same(first)}
    if not others:
        return []
    told = "; ".join(f"{name} reads {reading}" for name, reading in others.items())
    apart = {
        key
        for reading in others.values()
        for (_, one), (_, other) in zip(first.by_type(), reading.by_type(), strict=False)
        for key in {key for key, _ in {*one} ^ {*other}}
    }
    lengths = apart <= {"lists", "original_max_position_embeddings"}
    remedy = _NO_FILE if lengths else RULES["readers-differ"].remedy
    return [
        ConfigFinding(
            "readers-differ", "warning", at, f"transformers 5 reads {first}; {told}", remedy
        )
    ]


_SIZES = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_MOST_KEYS, _MOST_ITEMS, _MOST_STRING = 4096, 4 << 20, 1 << 20


def gguf_header(path: Path) -> tuple[dict[str, Any], list[str]]:
    """The metadata of a GGUF file and the names of its tensors; long lists are replaced by None.

    Raises `ValueError` if the header is truncated, or larger than what is read.
    """
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise ValueError("it does not begin with GGUF")
        (version,) = _unpack(file, "I")
        if version not in (2, 3):
            raise ValueError(f"GGUF version {version} is not read")
        tensors, keys = _unpack(file, "QQ")
        if keys > _MOST_KEYS or tensors > 1 << 20:
            raise ValueError("more keys or tensors than are read")
        found = {}
        for _ in range(keys):
            name = _string(file)
            (kind,) = _unpack(file, "I")
            found[name] = _value(file, kind, 0)
        names = []
        for _ in range(tensors):
            names.append(_string(file))
            (dims,) = _unpack(file, "I")
            if dims > 8:
                raise ValueError("a tensor of more than 8 dimensions")
            _unpack(file, "Q" * dims + "IQ")
        return found, names


def _unpack(file: BinaryIO, form: str) -> tuple[Any, ...]:
    size = struct.calcsize("<" + form)
    data = file.read(size)
    if len(data) != size:
        raise ValueError("the header is truncated")
    return struct.unpack("<" + form, data)


def _string(file: BinaryIO) -> str:
    (size,) = _unpack(file, "Q")
    if size > _MOST_STRING:
        raise ValueError("a string longer than what is read")
    data = file.read(size)
    if len(data) != size:
        raise ValueError("the header is truncated")
    return data.decode("utf-8", "replace")


def _value(file: BinaryIO, kind: int, depth: int) -> Any:
    if kind in _SIZES:
        return _unpack(file, _SIZES[kind])[0]
    if kind == 8:
        return _string(file)
    if kind != 9 or depth > 2:
        raise ValueError(f"a value of kind {kind}")
    inner, count = _unpack(file, "IQ")
    if count > _MOST_ITEMS:
        raise ValueError("a list longer than what is read")
    if inner in _SIZES and count > 1024:
        file.seek(count * struct.calcsize("<" + _SIZES[inner]), 1)
        return None
    items = [_value(file, inner, depth + 1) for _ in range(count)]
    return items if count <= 1024 else None


_WHOLE_KEYS = frozenset({"llama", "deci", "falcon", "llama-embed"})
"""Architectures whose keys rotate as a whole, or llama.cpp refuses the file (src/llama-model.cpp)."""


def _gguf(path: Path) -> Linted:
    try:
        found, names = gguf_header(path)
    except (ValueError, OSError) as error:
        return _broken(path, str(error))
    arch = str(found.get("general.architecture"))
    fields = {k.removeprefix(f"{arch}."): v for k, v in found.items() if k.startswith(f"{arch}.")}
    fields = {"architecture": arch, **fields}
    fields |= {n: True for n in names if n.startswith("rope_f")}
    base, findings = fields.get("rope.freq_base"), []
    if base is not None and not (isinstance(base, float) and 1 < base < float("inf")):
        remedy = RULES["value-range"].remedy
        findings.append(
            ConfigFinding("value-range", "error", "rope.freq_base", f"a base of {base}", remedy)
        )
    elif base is None and any(k.startswith("rope.") for k in fields):
        told = "no rope.freq_base: llama.cpp takes 10000"
        remedy = RULES["base-missing"].remedy
        findings.append(ConfigFinding("base-missing", "warning", "rope.freq_base", told, remedy))
    whole, turned = fields.get("attention.key_length"), fields.get("rope.dimension_count")
    if arch in _WHOLE_KEYS and None not in (whole, turned) and whole != turned:
        told = f"{turned} of {whole} coordinates of a key rotate, and llama.cpp refuses that of {arch!r}"
        remedy = RULES["rotated-part"].remedy
        findings.append(
            ConfigFinding("rotated-part", "error", "rope.dimension_count", told, remedy)
        )
    reading = None if findings else engines.loaded(arch, fields)
    readings = {} if reading is None else {"llama.cpp loader": reading}
    return Linted(str(path), tuple(findings), readings, fields)


def _compared(gguf: Linted, config: Linted) -> Linted:
    reading = config.readers.get("transformers 5")
    if not gguf.fields or reading is None or reading.refused:
        return gguf
    base = dict(reading.rotation).get("base")
    told = []
    own = gguf.fields.get("rope.freq_base", 10000.0)
    if isinstance(base, float) and abs(own / base - 1) > 1e-6:
        told.append(
            ("rope.freq_base", f"the base is {own:g} here and {base:g} in the configuration")
        )
    for _, rotation in reading.others:  # the base of layers with a window
        swa, said = gguf.fields.get("rope.freq_base_swa"), dict(rotation)["base"]
        if swa is not None and abs(swa / said - 1) > 1e-6:
            text = f"the base is {swa:g} here and {said:g} in the configuration"
            told.append(("rope.freq_base_swa", text))
    kind = dict(reading.rotation).get("type")
    stated = gguf.fields.get("rope.scaling.type")
    if kind in ("linear", "yarn") and stated != kind:
        told.append(
            ("rope.scaling.type", f"scaling is {stated!r} here and {kind!r} in the configuration")
        )
    if kind == "default" and stated in ("linear", "yarn"):
        told.append(
            ("rope.scaling.type", f"scaling is {stated!r} here and none in the configuration")
        )
    if kind == "llama3" and "rope_freqs.weight" not in gguf.fields:
        told.append(("rope_freqs.weight", "the tensor with the factors of llama3 is not there"))
    factor, said = gguf.fields.get("rope.scaling.factor"), dict(reading.rotation).get("factor")
    if (
        kind in ("linear", "yarn")
        and isinstance(said, float)
        and isinstance(factor, float | int)
        and abs(factor / said - 1) > 1e-6
    ):
        told.append(
            ("rope.scaling.factor", f"factor {factor:g} here, {said:g} in the configuration")
        )
    remedy = RULES["gguf-differs"].remedy
    found = [ConfigFinding("gguf-differs", "error", where, text, remedy) for where, text in told]
    return gguf._replace(findings=(*gguf.findings, *found))
