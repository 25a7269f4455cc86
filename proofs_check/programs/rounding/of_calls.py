"""The bound of rounding of an implementation, recorded in a number type at the end of the context."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from ropeproof.numerics.core.formats import UNITS
from ropeproof.proofs_check.programs.judging.calls import CallSetting, Setup
from ropeproof.proofs_check.programs.record.numpy_trace import trace_numpy
from ropeproof.proofs_check.programs.record.of_torch.torch_trace import trace_torch
from ropeproof.proofs_check.programs.record.traced import Traced
from ropeproof.proofs_check.programs.rounding.bound import rounding_bound
from ropeproof.proofs_check.programs.rounding.reading import (
    OutputReading,
    read_layouts,
    read_outputs,
)
from ropeproof.proofs_check.programs.rounding.record import RoundingBound
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.tools.conform.expected.exact import at_length

__all__ = ["bound_of_calls", "recorded_for_rounding"]


def recorded_for_rounding(setup: Setup, dtype: str, context: int) -> tuple[Traced, OutputReading]:
    """One token at the last position of the context, recorded, and what its results should be.

    The last position comes in the call, so that a table that grows is as large as the context needs.
    Raises `InvalidArgument` for an unknown type, `Unsupported` where the call cannot be recorded.
    """
    if dtype not in UNITS:
        raise InvalidArgument("dtype", dtype, ", ".join(UNITS))
    setting = CallSetting(1, 1, 1, rows=setup.rows, dtype=dtype)
    given = dict(setup.arguments(setting, [context - 1], seed=1))
    if setup.form == "tables":
        given = {"p": given["p"]}
    traced = _record(setup, given, dtype)
    spec = at_length(setup.spec, context)
    if setup.form == "tables":
        return traced, read_outputs(traced.program, spec, form="tables")
    layouts = setup.layouts(setting, traced.shapes, traced.program.complex_outputs)
    return traced, read_layouts(traced.program, spec, layouts)


def _record(setup: Setup, given: Mapping[str, Any], dtype: str) -> Traced:
    call = setup.call if setup.form == "tables" else setup.whole()
    if setup.array == "torch":
        tensors = {
            name: torch.from_numpy(np.array(values)).to(
                torch.int64 if name == "p" else getattr(torch, dtype)
            )
            for name, values in given.items()
        }
        return trace_torch(call, tensors)
    if setup.array == "numpy":
        if dtype == "bfloat16":
            raise Unsupported("NumPy has no bfloat16")
        arrays = {
            name: np.asarray(values, dtype=np.int64 if name == "p" else dtype)
            for name, values in given.items()
        }
        return trace_numpy(call, arrays)
    raise Unsupported(f"arrays of the kind {setup.array}, which are not recorded")


def bound_of_calls(setup: Setup, dtype: str, context: int, **options: Any) -> RoundingBound:
    """The bound of rounding of an implementation for vectors of a number type.

    For all vectors and the positions `0 <= p < context`; `options` are those of `rounding_bound`.
    Raises what `recorded_for_rounding` and `rounding_bound` raise.
    """
    traced, reading = recorded_for_rounding(setup, dtype, context)
    return rounding_bound(
        traced.program,
        reading.spec,
        context=context,
        observed=traced.observed,
        reading=reading,
        **options,
    )
