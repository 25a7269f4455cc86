"""What is not positively known of a function is named: names, state, reads, places without a value."""

from __future__ import annotations

import array
import collections
import functools
import gc
import os
import random
import signal
import sys
import time
from functools import lru_cache

import numpy as np
import pytest
import torch
from hypothesis.internal.conjecture import junkdrawer

from ropeproof.proofs_check.programs.formulas.meaning import Bounds, NoMeaning, ProgramMeaning
from ropeproof.proofs_check.programs.guards.raised import exceptions_in
from ropeproof.proofs_check.programs.guards.running import LookedThrough, watchers
from ropeproof.proofs_check.programs.guards.state import outside_sources, state_of
from ropeproof.proofs_check.programs.record.of_torch.dataless import unseen_reads
from ropeproof.proofs_check.programs.record.of_torch.torch_trace import trace_torch
from ropeproof.proofs_check.programs.record.tested import beyond_rounding

X, P = torch.ones(1, 1, 3, 4), torch.tensor([5, 2, 9])


def _by_clock(x, p):
    return x if time.time() % 2 else p


def _by_chance(x, p):
    return x * random.random()


def _by_environment(x, p):
    return x if os.environ.get("A") else p


def _by_frames(x, p):
    return x if sys._getframe() else p


def _by_a_computed_name(x, p):
    return getattr(x, "".join(("to", "list")))()


def _by_another_name(x, p):
    look = getattr
    return look(x, "tolist")()


def _by_text(x, p):
    return eval("x")


def _by_address(x, p):
    return x * id(p)


def _by_an_import(x, p):
    import socket

    return x if socket.gethostname() else p


def _by_a_global(x, p):
    global _COUNT  # noqa: PLW0603
    _COUNT = 1
    return x


_COUNT = 0


@pytest.mark.parametrize(
    "function",
    [
        *(
            _by_clock,
            _by_chance,
            _by_environment,
            _by_frames,
            _by_a_computed_name,
            _by_another_name,
        ),
        *(_by_text, _by_address, _by_an_import, _by_a_global),
    ],
    ids=lambda f: f.__name__,
)
def test_a_name_that_is_not_listed_is_told_with_its_place(function):
    told = outside_sources(function)
    assert told
    assert any("test_guards.py" in one for one in told), told


@pytest.mark.parametrize(
    "kept",
    [
        iter([1]), collections.deque(), bytearray(2), array.array("d"), open, (n for n in [1]),
        lru_cache(open), random.Random(1), {"inside": [os.environ]},
    ],
    ids=lambda k: type(k).__name__,
)  # fmt: skip
def test_state_of_an_unknown_kind_is_told(kept):
    def rotate(x, p):
        return kept if x is None else x

    assert outside_sources(rotate)


def test_plain_functions_have_nothing_to_tell():
    table = torch.ones(3, 2)
    factor, names = 0.5, {"a": [1, 2.5, "b"]}

    def helper(x):
        return torch.cat((-x[..., 1:], x[..., :1]), dim=-1)

    def rotate(x, p):
        scale = factor * names["a"][0] if x.shape[-1] > 1 and isinstance(p, torch.Tensor) else 1
        return helper(x) * table[p].cos().to(x.dtype) * scale

    assert outside_sources(rotate) == ()
    before = state_of(rotate)
    table[1, 1] = 3
    assert state_of(rotate) != before


def test_a_replaced_function_is_told(monkeypatch):
    monkeypatch.setattr(torch.Tensor, "cos", lambda t: torch.sin(t) * 1)
    assert any("Tensor.cos" in told for told in outside_sources(lambda x, p: x.cos()))


def _traced(function):
    return trace_torch(function, {"x": X.clone(), "p": P.clone()}, known=())


def _hidden_read(x, p):
    with torch.utils._python_dispatch._disable_current_modes():
        return x * 2 if bool((p > 60000).any()) else x * 1


def _buffer(x, p):
    return x * (2 if max(np.from_dlpack(p)) > 60000 else 1)


@pytest.mark.parametrize("function", [_hidden_read, _buffer])
def test_a_number_that_is_looked_at_without_a_record_is_missed_in_a_run_without_numbers(function):
    traced = _traced(function)
    told = unseen_reads(function, {"x": X.clone(), "p": P.clone()}, traced)
    assert told or traced.program.dependence


def test_a_list_of_entries_is_missed_or_cannot_be_recorded():
    """PyTorch reads them as numbers, by ways that depend on what was called before."""

    def listed(x, p):
        return x * torch.tensor(list(p)).sum()

    try:
        traced = _traced(listed)
    except TypeError:
        return
    told = unseen_reads(listed, {"x": X.clone(), "p": P.clone()}, traced)
    assert told or traced.program.dependence


def test_what_is_read_with_a_record_is_handed_out_again():
    def rotate(x, p):
        return x * 2 if int(p.max()) > 60000 else x * float(torch.ones(2).sum())

    traced = _traced(rotate)
    assert len(traced.reads) == 2
    assert unseen_reads(rotate, {"x": X.clone(), "p": P.clone()}, traced) == ""


def test_an_exception_that_is_caught_is_remembered():
    def rotate(x, p):
        try:
            return x if [1][int(x.shape[0])] else p
        except IndexError:
            return x * 1

    assert any("IndexError" in told for told in _traced(rotate).program.dependence)
    log = []
    with exceptions_in(log):
        rotate(X, P)
    assert "test_guards.py" in log[0]


def test_a_timer_of_the_process_does_not_go_off_in_a_recorded_call():
    """As that of a command's progress, whose function was taken for one that the call runs."""
    gone_off, log = [], []

    def spin():
        end = time.perf_counter() + 0.1
        while time.perf_counter() < end:
            pass

    before = signal.signal(signal.SIGALRM, lambda *_: gone_off.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.02, 0.01)
    try:
        with exceptions_in(log, LookedThrough([spin])):
            spin()
            in_call = len(gone_off)
        spin()
        left = signal.getitimer(signal.ITIMER_REAL)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not in_call
    assert not log
    assert len(gone_off) >= 2
    assert left[1] == pytest.approx(0.01, abs=1e-3)


def test_memory_that_nothing_recorded_made_is_unknown():
    def rotate(x, p):
        return x * torch.frombuffer(bytearray(16), dtype=torch.float32)

    assert any("frombuffer" in told for told in outside_sources(rotate))

    def shared(x, p):
        seen = np.zeros(1, dtype=np.int64)
        torch.as_tensor(seen).copy_((p > 60000).any())
        return x * 2 if seen[0] else x * 1

    told = "a recorded write into memory that a tensor shares with an array of NumPy"
    assert any(told in one for one in _traced(shared).program.dependence)


def test_a_write_into_memory_that_outlives_the_call_is_told():
    kept = torch.zeros(3, dtype=torch.int64)

    def rotate(x, p):
        kept.copy_(p)
        return x * 1

    traced = trace_torch(rotate, {"x": X.clone(), "p": P.clone()}, known=(kept,))
    assert any("outlives" in told for told in traced.program.dependence)


@pytest.mark.parametrize(
    "term",
    [
        lambda x, p: 0 * (1 / (x - 1000)),
        lambda x, p: 0 * (1 / (p - 7000)[:, None]),
        lambda x, p: (x + 3).sqrt() - (x + 3).sqrt(),
        lambda x, p: 0 * (50 - p).double().log()[:, None].float(),
        lambda x, p: 0 * p.double().exp()[:, None].float(),
        lambda x, p: (x * 1e-30 * 1e-30) * 0,
        lambda x, p: 0 * (x % p[:, None]),
        lambda x, p: 0 * x**-2,
        lambda x, p: 0 * p[:, None].float().tan(),
    ],
)
def test_an_operation_must_have_a_value_also_where_it_cancels(term):
    program = _traced(lambda x, p: x + term(x, p)).program
    meaning = ProgramMeaning(program, Bounds(0, 131071))
    with pytest.raises(NoMeaning):
        list(meaning.output(program.outputs[0]))


def test_an_operation_that_has_a_value_everywhere_cancels():
    program = _traced(lambda x, p: x + 0 * (1 / (p + 1)[:, None])).program
    assert list(ProgramMeaning(program, Bounds(0, 131071)).output(program.outputs[0]))


def test_a_cosine_beyond_rounding_is_told():
    angles = np.linspace(0, 90, 100)
    assert beyond_rounding("cos", [angles], np.cos(angles), "float64") == ""
    wrong = np.cos(angles)
    wrong[17] += 1e-13
    assert "cos" in beyond_rounding("cos", [angles], wrong, "float64")


def test_an_integer_that_is_followed_equals_other_kinds_of_numbers():
    from fractions import Fraction

    from ropeproof.proofs_check.programs.record.watching import Watched

    for other in (np.int64(7), Fraction(7), complex(7)):
        log = []
        assert Watched(7, 0, log) == other
        assert log[0].relation == "eq"


@pytest.mark.parametrize("file", ["<frozen mine>", np.__file__, functools.__file__])
@pytest.mark.parametrize("name", ["mine", "torch"])
def test_a_function_is_not_a_librarys_by_the_name_of_its_file(file, name):
    text = "import time\ndef cos(a):\n    return a.cos() if time.time() < 1e12 else a.sin()\n"
    space = {"__name__": name}
    exec(compile(text, file, "exec"), space)
    space["cos"].__module__ = "torch"
    own = space["cos"]
    assert any(
        "is not what this file compiles to" in one for one in outside_sources(lambda x, _: own(x))
    )


def _unchanged(x, _):
    return x


def _clock(x, _):
    return x if time.time() < 1e12 else -x


@pytest.mark.parametrize("mode", [torch.no_grad(), torch.autocast("cuda", enabled=False)])
def test_a_function_in_a_mode_of_pytorch_is_looked_at_itself(mode):
    assert outside_sources(mode(_unchanged)) == ()
    assert any("time" in one for one in outside_sources(mode(_clock)))


def test_autocast_on_the_cpu_is_not_followed():
    mode = torch.autocast("cpu", dtype=torch.bfloat16)
    assert any("autocast" in one for one in outside_sources(mode(_unchanged)))


def test_the_clock_of_hypothesis_follows_collections_and_nothing_that_poses_as_it(monkeypatch):
    junkdrawer.gc_cumulative_time()
    (clock,) = [c for c in gc.callbacks if c.__module__ == junkdrawer.__name__]
    monkeypatch.setattr(gc, "callbacks", [clock])
    assert not list(watchers())
    names = ("co_filename", "co_name", "co_qualname", "co_firstlineno")
    alike = {name: getattr(clock.__code__, name) for name in names}
    posing = (lambda _, __: None).__code__.replace(**alike)
    gc.callbacks.append(type(clock)(posing, vars(junkdrawer)))
    assert list(watchers()) == ["a function of gc.callbacks is set"]
