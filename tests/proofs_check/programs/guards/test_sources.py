"""A function or a class is a library's by what its file compiles to, not by what it says of itself."""

from __future__ import annotations

import functools
import sys
import types
from collections import OrderedDict
from fractions import Fraction

import numpy as np
import pytest
import torch

from ropeproof.proofs_check.programs.guards.running import LookedThrough, watchers
from ropeproof.proofs_check.programs.guards.sources import (
    at_home,
    in_its_module,
    is_compiled,
    is_library_class,
    put_into,
)

LIBRARYS = [torch.einsum, torch.nn.Module.__call__, torch.nn.functional.pad, functools.wraps,
            np.broadcast_to.__wrapped__, Fraction.limit_denominator]  # fmt: skip


@pytest.mark.parametrize("function", LIBRARYS, ids=lambda f: f.__qualname__)
def test_a_librarys_function_is_what_its_file_compiles_to(function):
    if isinstance(function, types.FunctionType):
        assert is_compiled(function.__code__)
        assert at_home(function.__globals__, function.__code__)
        assert in_its_module(function)


def test_code_with_another_constant_is_not():
    code = torch.einsum.__code__
    assert is_compiled(code)
    changed = code.replace(co_consts=(*code.co_consts, "more"))
    assert not is_compiled(changed)


def test_globals_of_its_own_are_no_librarys():
    assert not at_home(dict(vars(torch.functional)), torch.einsum.__code__)


def test_a_copy_of_a_function_is_not_the_one_of_its_module():
    copy = types.FunctionType(torch.einsum.__code__, torch.einsum.__globals__)
    assert not in_its_module(copy)


@pytest.mark.parametrize(
    "kind",
    [
        torch.Tensor,
        torch.nn.Linear,
        np.ndarray,
        np.float32,
        Fraction,
        OrderedDict,
        torch.dtype,
        dict,
    ],
)
def test_a_librarys_class_is_the_one_that_its_module_has(kind):
    assert is_library_class(kind)


@pytest.mark.parametrize(
    ("base", "home"), [(dict, "collections"), (float, "numpy"), (object, "ropeproof.theory")]
)
def test_a_class_that_says_that_it_is_of_a_library_is_not(base, home):
    assert not is_library_class(type("Posing", (base,), {"__module__": home}))


def test_what_is_put_into_a_librarys_class_is_seen(monkeypatch):
    assert list(put_into(torch.nn.Module)) == []
    monkeypatch.setattr(torch.nn.Module, "tables", [], raising=False)
    assert list(put_into(torch.nn.Module)) == ["Module.tables"]


def test_code_that_was_not_looked_through_is_told():
    def seen():
        return sys._getframe()

    def unseen():
        return sys._getframe()

    codes = LookedThrough([seen])
    assert codes.told_of(seen()) == ""
    assert "unseen, which was not looked through" in codes.told_of(unseen())


def test_a_profiler_is_told():
    before = sys.getprofile()
    sys.setprofile(lambda *_: None)
    try:
        told = list(watchers())
    finally:
        sys.setprofile(before)
    assert "a function of sys.setprofile is set" in told
