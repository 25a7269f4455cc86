"""What threads of one process share: the precision of balls, and the threads of linear algebra."""

from __future__ import annotations

import threading

import torch
from flint import arb, ctx
from threadpoolctl import threadpool_info

from ropeproof.numerics.core.threads import beside, single_threaded
from ropeproof.theory.rotary.precision import precision


def test_another_thread_waits_for_the_precision():
    there, seen = threading.Event(), []

    def low():
        there.set()
        with precision(20):
            seen.append(ctx.prec)

    with precision(300):
        other = threading.Thread(target=low)
        other.start()
        there.wait()
        other.join(0.05)
        assert seen == []
        assert ctx.prec == 300
        with precision(64):  # the same thread may go deeper
            assert ctx.prec == 64
        assert float((arb(1) / 3).rad()) < 2.0**-290
    other.join()
    assert seen == [20]
    assert ctx.prec == 53


def blas():
    return [x["num_threads"] for x in threadpool_info() if x["user_api"] == "blas"]


def test_linear_algebra_of_one_thread_is_set_back_by_the_last_that_leaves():
    before = torch.get_num_threads()
    with single_threaded():
        pass  # loads what there is to count
    others = blas()
    inside, leave = threading.Event(), threading.Event()

    def other():
        with single_threaded():
            inside.set()
            leave.wait()

    thread = threading.Thread(target=other)
    with single_threaded():
        thread.start()
        inside.wait()
        assert torch.get_num_threads() == 1
        assert set(blas()) == {1}
    assert torch.get_num_threads() == before
    assert set(blas()) == {1}
    leave.set()
    thread.join()
    assert torch.get_num_threads() == before
    assert blas() == others


def test_threads_beside_are_single_threaded():
    with beside(2) as (pool, count):
        assert count == 2
        assert pool.submit(torch.get_num_threads).result() == 1
