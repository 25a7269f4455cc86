"""The findings that a configuration can have: their ids, levels and remedies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

__all__ = ["LEVELS", "RULES", "ConfigFinding", "ConfigRule", "Level"]

Level: TypeAlias = Literal["note", "warning", "error"]
LEVELS: tuple[Level, ...] = ("note", "warning", "error")


class ConfigRule(NamedTuple):
    """The cause that a finding with this id reports, and its remedy."""

    cause: str
    remedy: str


@dataclass(frozen=True)
class ConfigFinding:
    """One finding: its id, level, key path, message and fix, with line and column from 1, or 0 if unknown."""

    id: str
    level: Level
    where: str
    message: str
    fix: str
    line: int = 0
    column: int = 0

    def as_json(self) -> dict[str, str]:
        """The five fields of a finding, all of them strings."""
        return {
            "id": self.id,
            "level": self.level,
            "where": self.where,
            "message": self.message,
            "fix": self.fix,
        }


RULES: Mapping[str, ConfigRule] = MappingProxyType(
    {
        "file-invalid": ConfigRule(
            "The file is truncated, is no JSON or GGUF, or is larger or deeper than is read.",
            "Write or download the file again.",
        ),
        "duplicate-key": ConfigRule(
            "One object has a key twice; parsers keep the last one and drop the other silently.",
            "Keep one of the two.",
        ),
        "value-string": ConfigRule(
            "A number is written as a string.", "Remove the quotation marks."
        ),
        "value-not-finite": ConfigRule(
            "A value is NaN or infinite, which is no JSON and no frequency.",
            "Write a finite number.",
        ),
        "value-type": ConfigRule(
            "A value has the wrong kind.", "Write the kind that the message names."
        ),
        "value-range": ConfigRule(
            "A number lies outside what it can be.", "Write a number in the range."
        ),
        "base-missing": ConfigRule(
            "No field gives the base of the frequencies, so each reader takes its own default.",
            "Write `rope_theta` with the base that the model was trained with.",
        ),
        "base-conflict": ConfigRule(
            "Two fields give different bases; which one counts depends on the reader.",
            "Keep the base that the model was trained with, in both places.",
        ),
        "base-improbable": ConfigRule(
            "The base is far from that of any known model.", "Compare with the training run."
        ),
        "dialect-conflict": ConfigRule(
            "`rope_scaling` and `rope_parameters` give different values to one parameter.",
            "Make both say the same.",
        ),
        "dialect-new": ConfigRule(
            "Base or scaling are only in `rope_parameters`, which older readers do not know.",
            "Repeat `rope_theta` and `rope_scaling` at the top, as `--fix` does.",
        ),
        "type-conflict": ConfigRule(
            "`type` and `rope_type` name different scalings.", "Keep the one that is meant."
        ),
        "type-unknown": ConfigRule(
            "No known scaling has this name.", "Write the name of a scaling."
        ),
        "type-missing": ConfigRule(
            "Parameters of a scaling are given, but not which scaling.", "Write `rope_type`."
        ),
        "key-unknown": ConfigRule(
            "No reader knows this parameter.", "Correct its name or remove it."
        ),
        "key-unread": ConfigRule(
            "The parameter belongs to another scaling and is ignored.",
            "Remove it or change the type.",
        ),
        "key-missing": ConfigRule("The scaling needs a parameter that is not there.", "Add it."),
        "original-missing": ConfigRule(
            "The length before scaling is not given.", "Write `original_max_position_embeddings`."
        ),
        "original-mismatch": ConfigRule(
            "Original length, factor and context length do not fit together.",
            "Correct the one that is wrong.",
        ),
        "betas-crossed": ConfigRule("`beta_fast` is below `beta_slow`.", "Exchange them."),
        "frequencies-crossed": ConfigRule(
            "`high_freq_factor` is below `low_freq_factor`.", "Exchange them."
        ),
        "list-length": ConfigRule(
            "A list of factors has not one number for each rotated plane.",
            "Give rotary_dim/2 numbers.",
        ),
        "lists-exchanged": ConfigRule(
            "The short list of factors slows every plane at least as much as the long one.",
            "Exchange `short_factor` and `long_factor`, if they are.",
        ),
        "sections-sum": ConfigRule(
            "The sections of positions do not add up to the rotated planes.",
            "Make them add up to rotary_dim/2.",
        ),
        "partial-range": ConfigRule(
            "The rotated fraction of a head is not above 0 and at most 1.",
            "Write a fraction in this range.",
        ),
        "head-dim": ConfigRule(
            "The head dimension, or its rotated part, is odd, too large or no integer.",
            "Write an even head dimension, or a width that the heads divide.",
        ),
        "attention-conflict": ConfigRule(
            "`attention_factor` contradicts what `mscale` and `mscale_all_dim` give.",
            "Remove one of them.",
        ),
        "mscale-alone": ConfigRule(
            "Only one of `mscale` and `mscale_all_dim` is given; readers fill in the other differently.",
            "Give both, or `attention_factor`.",
        ),
        "layer-type-absent": ConfigRule(
            "Parameters are given for a layer type that no layer has.",
            "Correct the name of the layer type, or remove them.",
        ),
        "layer-without-parameters": ConfigRule(
            "An attention layer has a type without rotary parameters.", "Add its parameters."
        ),
        "readers-differ": ConfigRule(
            "Engines that can load the model rotate by different frequencies.",
            "Write the file so that all read it alike, as `--fix` does.",
        ),
        "gguf-differs": ConfigRule(
            "A GGUF beside the configuration has another base, rotated part, scaling or attention factor.",
            "Convert again, from this configuration.",
        ),
        "buffer-differs": ConfigRule(
            "A safetensors file keeps an `inv_freq` that is not that of the configuration.",
            "Remove the buffer from the file, or correct the base.",
        ),
        "flag-without-effect": ConfigRule(
            "A flag or an override changes nothing for the engine that gets it.",
            "Use the flag of this engine that does, as the message says, or remove it.",
        ),
        "flag-not-modelled": ConfigRule(
            "What a flag or an override does to this model is not known, so it was not checked.",
            "Start the engine with it and compare its rotation (`ropeproof conform`).",
        ),
        "layer-flags": ConfigRule(
            "What says which layers rotate does not fit the layers, or not the family's rule.",
            "Write one entry for each layer: in `no_rope_layers` 1 is a layer that rotates.",
        ),
        "layers-inverted": ConfigRule(
            "The layers that rotate are throughout the opposite of what the same file says of them.",
            "Exchange the flags: in `no_rope_layers` 1 is a layer that rotates.",
        ),
        "rotated-part": ConfigRule(
            "Two fields give different rotated parts of a head; which one counts depends on the reader.",
            "Make `rotary_dim` the head dimension times `partial_rotary_factor`.",
        ),
        "sections-order": ConfigRule(
            "The order of the sections of positions is not the one that the family's code has.",
            "Write `mrope_interleaved` as the family's code reads it.",
        ),
        "spec-refused": ConfigRule(
            "`RopeSpec.from_config` refuses a value, so that the rotation as a whole was not read.",
            "Write a value that the message allows, if it is wrong.",
        ),
        "built-differs": ConfigRule(
            "A model in memory rotates otherwise than its configuration says, or than was expected.",
            "Build the model after the configuration is changed, and keep its tables in float32.",
        ),
        "not-checked": ConfigRule(
            "The rotation of a file, or of a model in memory, could not be checked.",
            "Write the rotation by hand as a RopeSpec and compare the code with it (`ropeproof conform`).",
        ),
        "family-unknown": ConfigRule(
            "The architecture is not known, so what its code does is not known either.",
            "Check by hand how the code reads its base and scaling.",
        ),
    }
)
