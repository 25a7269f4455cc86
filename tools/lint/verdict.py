"""The verdict of `ropeproof lint`: all findings of a file, and the parts of it that were checked."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ropeproof.theory.errors import InvalidArgument, RopeproofError, Unsupported
from ropeproof.theory.rotary.exact import fraction_of
from ropeproof.theory.rotary.families import FAMILIES, UNSUPPORTED
from ropeproof.theory.rotary.readers import Linted, lint_file, rules
from ropeproof.theory.rotary.readers.coverage import Coverage
from ropeproof.theory.rotary.readers.engines import READERS
from ropeproof.theory.rotary.readers.findings import RULES, ConfigFinding
from ropeproof.theory.rotary.scaling import Dynamic, Linear
from ropeproof.tools.lint import gguf
from ropeproof.tools.lint.suggest import suggestion
from ropeproof.tools.lint.whole import Whole, finding_of, whole_of

__all__ = ["by_hand", "judged", "passed", "verdicts"]

_SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages"})
_ERRORS = "it has errors, so that no engine's reading was compared"
_BY_HAND = "Name a model's config.json, or leave the file out."


def verdicts(path: Path | str) -> list[Linted]:
    """The verdict on a file, or on each file of a model in a folder and in the folders below it.

    Below the given folder, folders whose name begins with a dot, and links, are left out. Raises
    `InvalidArgument` if there is no such file, or no folder that has a config.json, params.json or GGUF.
    """
    top = Path(path)
    try:
        folder = bool(str(path)) and top.is_dir()
    except (OSError, ValueError):  # a name that no file can have
        folder = False
    if not folder:
        found = lint_file(path)
        beside = _config_beside(top) if top.suffix == ".gguf" else None
        return [_of_gguf(found[0], beside)] if top.suffix == ".gguf" else judged(found)
    found = [each for inner in _folders(top) for each in judged(lint_file(inner))]
    if not found:
        allowed = "a folder with config.json, params.json or *.gguf, or with folders that have one"
        raise InvalidArgument("path", str(path), allowed)
    return found


def _folders(top: Path) -> Iterator[Path]:
    """Yield the folders at or below `top` that hold a model's files, `top` first; no link is followed."""
    if _holds(top):
        yield top
    try:
        inner = sorted(each for each in top.iterdir() if each.is_dir() and not each.is_symlink())
    except OSError:
        return
    for each in inner:
        if not each.name.startswith(".") and each.name not in _SKIPPED:
            yield from _folders(each)


def _holds(folder: Path) -> bool:
    """Whether a folder holds a model's file itself, and not only as a link that leads out of it."""
    files = [folder / "config.json", folder / "params.json", *folder.glob("*.gguf")]
    inside = folder.resolve()
    return any(f.is_file() and f.resolve().is_relative_to(inside) for f in files)


def _config_beside(file: Path) -> Linted | None:
    """The configuration in the folder of a GGUF file, None if there is no readable one."""
    inside = file.parent.resolve()
    for name in ("config.json", "params.json"):
        beside = file.parent / name
        if beside.is_file() and beside.resolve().is_relative_to(inside):
            (found,) = lint_file(beside)
            return found if found.fields else None
    return None


def judged(files: list[Linted]) -> list[Linted]:
    """The given files, one or those of a folder, with their findings completed and their coverage set."""
    config = next((f for f in files if _is_config(f) and f.fields), None)
    return [
        _of_gguf(file, config)
        if file.path.endswith(".gguf")
        else _of_config(file)
        if _is_config(file)
        else file  # weights and generation_config.json are listed for their findings alone
        for file in files
    ]


def _is_config(file: Linted) -> bool:
    name = Path(file.path).name
    return name.endswith(".json") and name != "generation_config.json"


def _errors(file: Linted) -> bool:
    return any(finding.level == "error" for finding in file.findings)


def _of_config(file: Linted) -> Linted:
    if not file.fields and _errors(file):
        if any(finding.message == "the JSON is no object" for finding in file.findings):
            why = "no model's config, its JSON is no object"
            covered = Coverage("no model", why=why, advice=_BY_HAND)
            return file._replace(findings=(), coverage=covered)
        advice = "Correct the file."
        return file._replace(
            coverage=Coverage("not checked", why="it cannot be read", advice=advice)
        )
    if not rules.is_model(file.fields):
        why = "no model's config, it has neither a model type nor a key of rotation"
        return file._replace(findings=(), coverage=Coverage("no model", why=why, advice=_BY_HAND))
    file = file._replace(findings=tuple(map(_graver, file.findings)))
    if _errors(file):
        return file._replace(coverage=Coverage("checked", why=_ERRORS))
    reason = rules.without_rotation(file.model, file.fields)
    if reason is not None:
        return file._replace(coverage=Coverage("checked", why=f"nothing rotates: {reason}"))
    whole = whole_of(_named(file))
    refused = whole.refusal if not whole.kinds else None
    if refused is not None and (finding := finding_of(refused, file.section)) is not None:
        known = any(each.id == finding.id and each.where == finding.where for each in file.findings)
        file = file if known else file._replace(findings=(*file.findings, finding))
        if finding.level == "error":
            return file._replace(coverage=Coverage("checked", why=_ERRORS))
    file = file._replace(findings=(*file.findings, *_otherwise(file, whole)))
    return file._replace(coverage=_covered(file, whole))


def _graver(finding: ConfigFinding) -> ConfigFinding:
    """The finding, raised to an error if it says that layers are inverted.

    The meaning of such a file to its code is well defined, so that `RopeSpec.from_config`, `diff` and
    `conform` read it, and can show what it does.
    """
    return replace(finding, level="error") if finding.id == "layers-inverted" else finding


def _otherwise(file: Linted, whole: Whole) -> Iterator[ConfigFinding]:
    """Yield a warning if transformers 5 reads another base or scaling than the file states.

    Nothing is yielded where another finding has reported that readers differ.
    """
    reading = file.readers.get("transformers 5")
    if reading is None or reading.refused or any(f.id == "readers-differ" for f in file.findings):
        return
    read = dict(reading.by_type())
    for kind, spec in whole.kinds:
        rotation = read.get(kind, read.get("full_attention") if kind is None else None)
        if rotation is None or spec.rotary_dim == 0:
            continue
        taken, base = dict(rotation), float(fraction_of(spec, "base"))
        own = type(spec.scaling).__name__.lower() if spec.scaling is not None else "default"
        if isinstance(spec.scaling, Linear | Dynamic) and fraction_of(spec.scaling, "factor") == 1:
            own = "default"
        named = own if own != "longrope" else taken["type"]  # a family may call it otherwise
        if abs(taken["base"] / base - 1) > 1e-9 or taken["type"] != named:
            where = "" if kind is None else f" in layers of {kind}"
            scaled = "" if own == "default" else f", {own}"
            told = f"the file says base {base:g}{scaled}{where}, and transformers 5 reads {reading}"
            remedy = RULES["readers-differ"].remedy
            yield ConfigFinding("readers-differ", "warning", file.section, told, remedy)
            return


def _named(file: Linted) -> Mapping[str, Any]:
    """The fields of the text model, or of the whole file if the text model does not name its type."""
    if file.model.get("model_type") is not None or not file.section:
        return file.model
    return file.fields


def _covered(file: Linted, whole: Whole) -> Coverage:
    family = str(file.model.get("model_type") or file.fields.get("model_type") or "")
    readers = tuple(name for name, reading in file.readers.items() if not reading.refused)
    readers += tuple(f"{name} (refuses it)" for name, r in file.readers.items() if r.refused)
    if whole.kinds and "transformers 5" not in file.readers:
        readers = ("the rules of transformers 5", *readers)
    missing = list(_other_parts(file))
    unread = []
    for reader in READERS:
        if reader.name in file.readers:
            continue
        if family in reader.families:
            missing.append(f"{reader.name} with {_special(reader.unknown, file.model)}")
        elif not (whole.kinds and reader.name == "transformers 5"):
            unread.append(reader.name)
    if whole.kinds and not family and (axes := whole.kinds[0][1].axes) is not None:
        # A transformer of diffusers: the rotation is known, and no engine's reading of the file is.
        blocks = ", ".join(
            f"{name} {2 * axes.planes.count(a)}" for a, name in enumerate(axes.names)
        )
        why = f"coordinates turn by {blocks}, and what engines read of such a file is not modelled"
        advice = "ropeproof conform MODULE:CALLABLE --config FILE compares code with it"
        return Coverage("not checked", why=why, advice=advice)
    if not whole.kinds:
        why = _reason(whole.refusal, file)
        if not file.readers:
            return Coverage("not checked", why=why, advice=suggestion(file.model, file.fields))
        missing.insert(0, f"the rotation as a whole ({why})")
    else:
        missing += _beyond_the_base(whole, file.readers)
    return Coverage("checked", readers, tuple(unread), tuple(dict.fromkeys(missing)))


def _special(unknown: frozenset[str], fields: Mapping[str, Any]) -> str:
    given = [
        key
        for name in ("rope_parameters", "rope_scaling")
        if isinstance(rope := fields.get(name), Mapping)
        for key in rope
        if key in unknown
    ]
    return ", ".join(dict.fromkeys(given)) or "this scaling"


def _reason(refusal: RopeproofError | None, file: Linted) -> str:
    if isinstance(refusal, InvalidArgument) and refusal.got is not None:
        return f"{refusal.argument.removeprefix('config.')} is refused"
    if isinstance(refusal, InvalidArgument) and refusal.argument != "config.model_type":
        return f"{refusal.argument.removeprefix('config.')} is not in the file"
    kind = file.model.get("model_type") or file.fields.get("model_type")
    named = kind or file.fields.get("_class_name")
    if not isinstance(named, str):
        names = file.fields.get("architectures")
        shown = (
            f", and the code of {names[0]!r} is not known"
            if isinstance(names, list) and names
            else ""
        )
        return f"the file has no model_type{shown}"
    if kind is None or (str(kind) not in FAMILIES and str(kind) not in UNSUPPORTED):
        return f"what the code of {named!r} reads is not known"
    told = str(refusal) if isinstance(refusal, Unsupported) else f"{named!r} is not handled"
    return told if len(told) <= 160 else f"{told[:160]} ..."


_PARTS = {
    "transformers 4": frozenset({"the rotated part", "layers without RoPE"}),
    "TransformerLens": frozenset({"the rotated part", "layers without RoPE"}),
    "mlx-lm": frozenset({"the rotated part", "layers without RoPE"}),
}
"""The parts besides base and scaling for which each engine's code was read, in its modelled families."""


def _beyond_the_base(whole: Whole, readers: Mapping[str, Any]) -> list[str]:
    """The parts of the rotation that the file sets and some engines are not modelled for, as phrases."""
    specs = [spec for _, spec in whole.kinds]
    parts = []
    if any(0 < spec.rotary_dim < spec.head_dim for spec in specs):
        parts.append("the rotated part")
    if whole.still:
        parts.append("layers without RoPE")
    if any(spec.axes is not None for spec in specs):
        parts.append("the sections of positions")
    found = []
    for part in parts:
        names = [n for n in readers if n != "transformers 5" and part not in _PARTS.get(n, ())]
        if names:
            found.append(f"{part} in {', '.join(names)}")
    return found


_LOGITS = {
    "llama_4_scaling_beta": "the scale of queries by their position",
    "attn_temperature_tuning": "the scale of queries by their position",
    "mscale_all_dim": "the scale of all logits",
    "dual_chunk_attention_config": "attention in chunks",
}
"""Keys that change logits besides the rotation, or the positions, each with what it sets."""


_DRAFT = re.compile(r"eagle|medusa|speculat|draft|nextn|mtp", re.I)


def _other_parts(file: Linted) -> Iterator[str]:
    """Yield what a file has besides its text model's rotation: towers, other models, logit scales."""
    for key, told in _LOGITS.items():
        ropes = (file.model.get(name) for name in ("rope_parameters", "rope_scaling"))
        places = [file.model, *(rope for rope in ropes if isinstance(rope, Mapping))]
        latent = key != "mscale_all_dim" or file.model.get("qk_rope_head_dim") is not None
        if latent and any(place.get(key) not in (None, False, 0) for place in places):
            yield f"{told} ({key})"
    named = file.fields.get("architectures")
    if isinstance(named, list) and any(_DRAFT.search(str(name)) for name in named):
        yield "the target of this draft, which has to rotate alike (ropeproof diff TARGET DRAFT)"
    for path, section in list(rules.sections(file.fields))[1:]:
        if section is not file.model and path != "vision_config":
            yield path
    for key, value in file.fields.items():
        if (
            not isinstance(value, Mapping)
            or not str(key).endswith("_config")
            or value is file.model
        ):
            continue
        inner = [path.split(".")[0] for path, _ in rules.sections(file.fields)]
        if key in inner and key != "vision_config":
            continue
        tower = any(word in key for word in ("vision", "audio", "image", "video"))
        if tower and rules.without_rotation(value, value) is None and not whole_of(value).kinds:
            yield str(key)


def _of_gguf(file: Linted, config: Linted | None) -> Linted:
    if not file.fields:
        advice = "Convert or download it again."
        return file._replace(
            coverage=Coverage("not checked", why="it cannot be read", advice=advice)
        )
    readers = tuple(file.readers)
    if config is not None and not _errors(config):
        whole = whole_of(_named(config))
        if whole.kinds:
            found = gguf.compared(Path(file.path), file.fields, whole)
            others = tuple(f for f in file.findings if f.id != "gguf-differs")
            here = {f.where for f in found.findings}
            others = tuple(f for f in others if f.id == "value-range" or f.where not in here)
            own = Coverage("checked", (Path(config.path).name, *readers), (), found.missing)
            return file._replace(findings=(*others, *found.findings), coverage=own)
        if "transformers 5" in config.readers:
            missing = ("all but base and scaling",)
            own = Coverage("checked", (Path(config.path).name, *readers), (), missing)
            return file._replace(coverage=own)
    beside: tuple[str, ...] = ()
    if config is not None:
        name = Path(config.path).name
        beside = (
            f"{name} beside it, which has errors" if _errors(config) else f"{name} beside it",
        )
        if not _errors(config):
            file = file._replace(
                findings=(*file.findings, *gguf.stated_apart(file.fields, config.model))
            )
    if readers:
        return file._replace(coverage=Coverage("checked", readers, (), beside))
    if _errors(file):
        return file._replace(coverage=Coverage("checked", why=_ERRORS))
    architecture = file.fields.get("architecture")
    why = f"what llama.cpp's loader makes of architecture {architecture!r} with these keys is not modelled"
    if config is None:
        advice = "Put the config.json that it was made from beside it, and both are compared."
    else:
        advice = f"{Path(config.path).name} beside it is not read either; see its line."
    return file._replace(coverage=Coverage("not checked", why=why, advice=advice))


def passed(files: Sequence[Linted], *, levels: Collection[str], unchecked: bool) -> int:
    """The exit code: 1 if there is a finding of the given levels, else 3 if a file is not checked, else 0.

    With `unchecked`, a file that is not checked does not give 3.
    """
    if any(found.level in levels for file in files for found in file.findings):
        return 1
    states = {file.coverage.state for file in files if file.coverage is not None}
    return 3 if "not checked" in states and not unchecked else 0


def by_hand(file: Linted) -> Linted:
    """The verdict on a file that the user named: if it is no model's configuration, not checked."""
    covered = file.coverage
    if covered is None or covered.state != "no model":
        return file
    return file._replace(coverage=covered._replace(state="not checked"))
