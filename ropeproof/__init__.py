"""An executable companion to the theory of rotary position embedding in attention.

Everything here is loaded when it is first used.

- Claims: `CLAIMS` (the catalogue, by id), `AXIOMS`, `Claim`; `check` runs them, `try_claims` checks
  proofs that are being written, `instantiate` says what they mean for a model.
- Rotary embeddings: `RopeSpec`, its scalings `Dynamic`, `Linear`, `Llama3`, `LongRope`, `Yarn`, and
  the `PRESETS` of released models.
- Weights with a `Certificate`, each a `Head`: `slash_head`, `soft_head`, `sink_head`, `index_head`,
  `absolute_index_head`, `retrieval_head`, `information_retrieval_head`, `partial_induction_head`,
  `toeplitz`, `content_and_position`; `decode_length` of those that decode, `to_layout`, and `compose` and
  `induction_network` for networks of them.
- Such weights in models of the library transformers: `build_model`, `write_head`, `write_sink_head`,
  `certify_head`, `export_network`, `certify_network`, `predict`.
- Whether two heads are the same: `same_head`, on heads or on `head_forms` of a model; `canonical_head`,
  and `rewrite_head` for another head of a model with the same attention.
- Expected attention on independent keys, enclosed: `race_bounds`, `expected_needle_score`.
- What a head needs: `slash_budget`, `decoding_budget`; the best heads `optimal_slash` (by margin),
  `soft_optimum` (by weight) and `best_sink`.
- The heads of a model: `measure_model` with its `MeasureOptions`, `head_kinds`, `head_scores`,
  `slash_scores`, `dominant_lags`; `HeadMonitor` follows heads through training.
- Whether a rotary embedding is right: `conform`, whose `check` tests any implementation; `prove_rotation`
  proves it for all vectors and positions, `prove` also relations that it has; `check_built`
  compares the tables of a model in memory with its configuration, `RopeCheckCallback` does so in a Trainer.
- Tests and data: `strategies` for Hypothesis, `number_task`, `letter_task`,
  `induction_task`.
- Errors: `RopeproofError`, of which `InvalidArgument`, `InvalidClaim` and `Unsupported` are kinds.

All the rest is in the packages `theory`, `numerics`, `constructions`, `tools` and `proofs_check`, each
of which uses only those before it.
"""

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ropeproof.moved import Former

_HERE = os.path.dirname(__file__)
if os.path.isfile(__file__) and not os.path.isdir(os.path.join(_HERE, "theory")):
    raise ImportError(
        f"{_HERE} has no folder 'theory'. In a checkout it is a symbolic link to the one beside it: "
        "clone with `git clone -c core.symlinks=true` (on Windows with developer mode), or install "
        "a wheel"
    )

sys.meta_path.insert(0, Former())

if TYPE_CHECKING:  # for type checkers and editors; `_HOMES` is for the interpreter
    from ropeproof import (
        constructions,
        numerics,
        proofs_check,
        theory,
        tools,
    )
    from ropeproof.constructions import (
        Certificate,
        Head,
        absolute_index_head,
        build_model,
        canonical_head,
        certify_head,
        certify_network,
        compose,
        content_and_position,
        decode_length,
        export_network,
        index_head,
        induction_network,
        information_retrieval_head,
        partial_induction_head,
        predict,
        retrieval_head,
        rewrite_head,
        sink_head,
        slash_head,
        soft_head,
        to_layout,
        toeplitz,
        write_head,
        write_sink_head,
    )
    from ropeproof.numerics import strategies
    from ropeproof.numerics.bounds.head.sink import best_sink
    from ropeproof.numerics.bounds.race import expected_needle_score, race_bounds
    from ropeproof.numerics.bounds.slash.budget import slash_budget
    from ropeproof.numerics.bounds.slash.game import optimal_slash
    from ropeproof.numerics.bounds.slash.score import dominant_lags, slash_scores
    from ropeproof.numerics.bounds.slash.soft import soft_optimum
    from ropeproof.numerics.forms.distance import same_head
    from ropeproof.numerics.forms.of_model import head_forms
    from ropeproof.numerics.models import head_scores
    from ropeproof.numerics.models.built import check_built
    from ropeproof.numerics.models.trainer import RopeCheckCallback
    from ropeproof.numerics.task import induction_task, letter_task, number_task
    from ropeproof.proofs_check.authoring.trial import try_claims
    from ropeproof.proofs_check.instantiate.model import instantiate
    from ropeproof.proofs_check.programs.proving import prove_rotation
    from ropeproof.proofs_check.programs.relations import prove
    from ropeproof.proofs_check.run.runner import check
    from ropeproof.theory.errors import InvalidArgument, InvalidClaim, RopeproofError, Unsupported
    from ropeproof.theory.language.axioms import AXIOMS
    from ropeproof.theory.language.claim import Claim
    from ropeproof.theory.rotary.presets import PRESETS
    from ropeproof.theory.rotary.scaling import Dynamic, Linear, Llama3, LongRope, Yarn
    from ropeproof.theory.rotary.spec import RopeSpec
    from ropeproof.theory.topics.catalogue import CLAIMS
    from ropeproof.tools import conform
    from ropeproof.tools.budget.decoding import decoding_budget
    from ropeproof.tools.measure import MeasureOptions, measure_model
    from ropeproof.tools.measure.kinds import head_kinds
    from ropeproof.tools.measure.monitor.callback import HeadMonitor

__version__ = "0.2.0"

__all__ = [
    "AXIOMS",
    "CLAIMS",
    "PRESETS",
    "Certificate",
    "Claim",
    "Dynamic",
    "Head",
    "HeadMonitor",
    "InvalidArgument",
    "InvalidClaim",
    "Linear",
    "Llama3",
    "LongRope",
    "MeasureOptions",
    "RopeCheckCallback",
    "RopeSpec",
    "RopeproofError",
    "Unsupported",
    "Yarn",
    "__version__",
    "absolute_index_head",
    "best_sink",
    "build_model",
    "canonical_head",
    "certify_head",
    "certify_network",
    "check",
    "check_built",
    "compose",
    "conform",
    "constructions",
    "content_and_position",
    "decode_length",
    "decoding_budget",
    "dominant_lags",
    "expected_needle_score",
    "export_network",
    "head_forms",
    "head_kinds",
    "head_scores",
    "index_head",
    "induction_network",
    "induction_task",
    "information_retrieval_head",
    "instantiate",
    "letter_task",
    "measure_model",
    "number_task",
    "numerics",
    "optimal_slash",
    "partial_induction_head",
    "predict",
    "proofs_check",
    "prove",
    "prove_rotation",
    "race_bounds",
    "retrieval_head",
    "rewrite_head",
    "same_head",
    "sink_head",
    "slash_budget",
    "slash_head",
    "slash_scores",
    "soft_head",
    "soft_optimum",
    "strategies",
    "theory",
    "to_layout",
    "toeplitz",
    "tools",
    "try_claims",
    "write_head",
    "write_sink_head",
]

_HOMES = {
    "ropeproof.constructions": (
        "Certificate",
        "Head",
        "absolute_index_head",
        "build_model",
        "canonical_head",
        "certify_head",
        "certify_network",
        "compose",
        "content_and_position",
        "decode_length",
        "export_network",
        "index_head",
        "induction_network",
        "information_retrieval_head",
        "partial_induction_head",
        "predict",
        "retrieval_head",
        "rewrite_head",
        "sink_head",
        "slash_head",
        "soft_head",
        "to_layout",
        "toeplitz",
        "write_head",
        "write_sink_head",
    ),
    "ropeproof.numerics": ("strategies",),
    "ropeproof.tools": ("conform",),
    "ropeproof.numerics.forms.distance": ("same_head",),
    "ropeproof.numerics.forms.of_model": ("head_forms",),
    "ropeproof.numerics.models": ("head_scores",),
    "ropeproof.numerics.models.built": ("check_built",),
    "ropeproof.numerics.models.trainer": ("RopeCheckCallback",),
    "ropeproof.tools.measure.kinds": ("head_kinds",),
    "ropeproof.tools.measure.monitor.callback": ("HeadMonitor",),
    "ropeproof.tools.measure": (
        "MeasureOptions",
        "measure_model",
    ),
    "ropeproof.numerics.bounds.race": (
        "expected_needle_score",
        "race_bounds",
    ),
    "ropeproof.numerics.bounds.slash.budget": ("slash_budget",),
    "ropeproof.numerics.bounds.slash.game": ("optimal_slash",),
    "ropeproof.numerics.bounds.slash.soft": ("soft_optimum",),
    "ropeproof.numerics.bounds.head.sink": ("best_sink",),
    "ropeproof.numerics.bounds.slash.score": (
        "dominant_lags",
        "slash_scores",
    ),
    "ropeproof.numerics.task": (
        "induction_task",
        "letter_task",
        "number_task",
    ),
    "ropeproof.tools.budget.decoding": ("decoding_budget",),
    "ropeproof.proofs_check.instantiate.model": ("instantiate",),
    "ropeproof.proofs_check.programs.proving": ("prove_rotation",),
    "ropeproof.proofs_check.programs.relations": ("prove",),
    "ropeproof.proofs_check.run.runner": ("check",),
    "ropeproof.proofs_check.authoring.trial": ("try_claims",),
    "ropeproof.theory.language.axioms": ("AXIOMS",),
    "ropeproof.theory.language.claim": ("Claim",),
    "ropeproof.theory.errors": (
        "InvalidArgument",
        "InvalidClaim",
        "RopeproofError",
        "Unsupported",
    ),
    "ropeproof.theory.rotary.presets": ("PRESETS",),
    "ropeproof.theory.rotary.scaling": (
        "Dynamic",
        "Linear",
        "Llama3",
        "LongRope",
        "Yarn",
    ),
    "ropeproof.theory.rotary.spec": ("RopeSpec",),
    "ropeproof.theory.topics.catalogue": ("CLAIMS",),
}
"""The module that each public name is from, but for the packages of this one."""


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = next((home for home, names in _HOMES.items() if name in names), __name__)
    try:
        module = import_module(home)
        own = module is not sys.modules[__name__] and hasattr(module, name)
        value = getattr(module, name) if own else import_module(f"{home}.{name}")
    except ModuleNotFoundError as error:
        from ropeproof.theory.extras import explained

        raise explained(error) or error from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return list(__all__)
