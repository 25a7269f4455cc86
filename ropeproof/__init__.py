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
from typing import Any

from ropeproof.moved import Former

_HERE = os.path.dirname(__file__)
if os.path.isfile(__file__) and not os.path.isdir(os.path.join(_HERE, "theory")):
    raise ImportError(
        f"{_HERE} has no folder 'theory'. In a checkout it is a symbolic link to the one beside it: "
        "clone with `git clone -c core.symlinks=true` (on Windows with developer mode), or install "
        "a wheel"
    )

sys.meta_path.insert(0, Former())

__version__ = "0.3.0"

with open(os.path.join(_HERE, "__init__.pyi"), encoding="utf-8") as _stub:
    _HOMES = {words[-1]: words[1] for line in _stub if (words := line.split())[:1] == ["from"]}
"""The module that each public name is from: lines `from MODULE import NAME as NAME` of the stub."""

__all__ = sorted([*_HOMES, "__version__"])  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _HOMES[name]
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
