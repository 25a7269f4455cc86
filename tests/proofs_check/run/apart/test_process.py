"""The process of a user's file: it runs as the file would here, ends, and takes nothing with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from ropeproof.proofs_check.kernel.solvers import query
from ropeproof.proofs_check.kernel.solvers.solver_process import SolverProcess
from ropeproof.proofs_check.run import items, library
from ropeproof.proofs_check.run.apart import process
from ropeproof.proofs_check.run.apart.host import Host
from ropeproof.proofs_check.run.library import load
from ropeproof.proofs_check.run.runner import check
from ropeproof.theory.errors import InvalidArgument

OPENING = """
import os, subprocess, sys, threading, time
from pathlib import Path
from ropeproof.theory import Claim, Derivation, Mutant, Step
from ropeproof.theory.language.derivation import smt
from ropeproof.theory.language.logic import le, lt, real
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.kernel.outcome import fails, holds

x = real("x")
CLAIMS = (Claim("own.square", "t", "s", conclusion=le(0, x**2), mutants=(Mutant("m", lt(0, x**2)),),
                derivation=Derivation((Step("only", le(0, x**2), smt(), "."),))),)

def told(text):
    @evidence("own.square", "property", "told")
    def tell(how):
        return Finding(fails(str(text())), "here", 1)

"""


@pytest.fixture
def written(tmp_path):
    loaded = dict(library.LOADED)

    def write(text="", name="own.py"):
        path = tmp_path / name
        path.write_text(OPENING + text, encoding="utf-8")
        return str(path)

    yield write
    library.LOADED.clear()
    library.LOADED.update(loaded)


def found(path, name="told"):
    (verdict,) = check(["own.square"], modules=[path], profile_name="quick")
    return next(record for record in verdict.records if record.name == name)


def test_a_file_runs_where_who_asks_is(written, tmp_path, monkeypatch):
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "helper_of_own.py").write_text("told = 'by the helper'")
    monkeypatch.chdir(tmp_path / "beside")
    monkeypatch.setenv("OWN_WORD", "by the environment")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "beside"), *sys.path])
    text = (
        "import helper_of_own as h\ntold(lambda: (h.told, os.environ['OWN_WORD'], Path.cwd().name))"
    )
    said = found(written(text)).detail
    assert said == "('by the helper', 'by the environment', 'beside')"
    assert "helper_of_own" not in sys.modules


def test_nothing_that_a_file_prints_is_taken_for_an_answer(written, capfd):
    text = (
        "print('from the file')\nsys.stdout.flush()\ntold(lambda: print('from evidence') or 'said')"
    )
    assert found(written(text)).detail == "said"
    out, err = capfd.readouterr()
    assert "from the file" in err
    assert "from evidence" in err
    assert "from" not in out


def test_a_file_that_asks_at_the_keyboard_is_told_that_there_is_none(written):
    with pytest.raises(InvalidArgument, match="EOFError"):
        load([written("input()")])


def test_a_process_ends_with_the_library_that_asks_it(written):
    host = Host(written("told(os.getpid)"))
    host.claims()
    number = int(
        host.found("own.square", "property", "told", items.profiles.profile("quick")).outcome.detail
    )
    os.kill(number, 0)
    host.close()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_a_thread_that_does_not_end_is_ended_with_its_process(written):
    text = "threading.Thread(target=lambda: time.sleep(600)).start()\ntold(os.getpid)"
    host = Host(written(text))
    host.claims()
    number = int(
        host.found("own.square", "property", "told", items.profiles.profile("quick")).outcome.detail
    )
    begin = time.monotonic()
    host.close()
    assert time.monotonic() - begin < 60
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_who_holds_the_pipes_of_an_ended_process_keeps_nobody_waiting(written):
    text = "if os.fork() == 0:\n    time.sleep(600)\nPath('child').write_text('')\nos._exit(3)"
    begin = time.monotonic()
    with pytest.raises(InvalidArgument, match="ended itself with exit code 3"):
        load([written(text.replace("time.sleep(600)", "time.sleep(20); os._exit(0)"))])
    assert time.monotonic() - begin < 19
    for left in ("child",):
        os.path.exists(left) and os.unlink(left)


def test_evidence_that_ends_its_process_fails_and_the_next_is_run(written):
    text = """
@evidence("own.square", "property", "ends")
def ends(how):
    os._exit(0)

told(lambda: "still here")
"""
    path = written(text)
    assert (
        found(path, "ends").detail
        == "broke off: the process that ran it ended itself with exit code 0"
    )
    assert found(path).detail == "still here"


def test_a_file_that_says_something_else_when_it_is_run_again_is_refused(written, tmp_path):
    text = f"""
once = Path({str(tmp_path)!r}, "once")
if once.exists():
    CLAIMS = (Claim("own.square", "t", "s", kind="definition"),)
once.write_text("")

@evidence("own.square", "property", "ends")
def ends(how):
    os._exit(0)

told(lambda: "still here")
"""
    path = written(text)
    found(path, "ends")
    assert "files that always say the same" in found(path).detail


def test_a_template_that_has_ended_is_replaced(written):
    load([written(name="one.py")])
    process._running[0].close()
    load([written("\n", name="two.py")])


def test_a_process_that_was_forked_asks_a_process_of_its_own(written):
    path = written("told(os.getpid)")
    library_here = load([path])
    item = next(i for i in items.items_of(library_here, "own.square") if i.name == "told")
    ours = items.run_item(item, "quick", (path,)).record.detail
    with ProcessPoolExecutor(2, mp_context=get_context("fork")) as pool:
        theirs = [pool.submit(items.run_item, item, "quick", (path,)) for _ in range(2)]
        said = {one.result().record.detail for one in theirs}
    assert ours not in said
    assert items.run_item(item, "quick", (path,)).record.detail == ours


LEFT = """
import sys
from ropeproof.proofs_check.run.apart.host import Host
from ropeproof.proofs_check.semantics.profiles import profile
host = Host(sys.argv[1])
host.claims()
print(host.found("own.square", "property", "told", profile("quick")).outcome.detail, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("killed", [False, True])
def test_no_process_is_left_when_who_asked_has_gone(written, killed):
    path = written("told(os.getpid)")
    asking = subprocess.Popen(
        [sys.executable, "-c", LEFT, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    number = int(asking.stdout.readline())
    if killed:
        asking.send_signal(signal.SIGKILL)
    asking.communicate()
    until = time.monotonic() + 30
    while time.monotonic() < until:
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("the process is still there")


def test_a_second_file_costs_no_start_of_python(written):
    load([written(name="one.py")])
    times = []
    for number in range(3):
        path = written(f"\n# {number}\n", name="two.py")
        begin = time.process_time()
        load([path])
        times.append(time.process_time() - begin)
    assert min(times) < 0.5


def test_a_file_beside_the_users_is_no_solver(tmp_path, monkeypatch):
    (tmp_path / "z3.py").write_text("raise SystemExit('not z3')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    solver = SolverProcess(query.Z3)
    try:
        assert solver.ask(((("true",),), 1000), 60) == "sat"
    finally:
        solver.close()
