"""Ways around the check, each in a user's file: none of them makes a false statement hold.

Each file states `x < x - 1`, proved by a step of z3, and does something first; what it does is done to a
process of its own. The statement is refuted by a drawn instance, whatever the file does, and its proof
does not hold; or the file is refused. What a file replaces is replaced nowhere else.
"""

from __future__ import annotations

import sys
import threading

import pytest
import sympy as sp

from ropeproof.proofs_check.kernel import check as checking
from ropeproof.proofs_check.kernel.solvers import query, solver_process
from ropeproof.proofs_check.run import library, status
from ropeproof.proofs_check.run.apart import sources
from ropeproof.proofs_check.run.library import load
from ropeproof.proofs_check.run.runner import check
from ropeproof.theory.errors import InvalidArgument, InvalidClaim, RopeproofError
from ropeproof.theory.language import axioms

OPENING = """
import atexit, builtins, ctypes, functools, gc, importlib, json, os, signal, sys, threading
from types import ModuleType
import sympy as sp
from ropeproof.theory import CLAIMS as CATALOGUE
from ropeproof.theory import Claim, Derivation, Hypothesis, Mutant, Source, Step
from ropeproof.theory.language.derivation import axiom, by_claim, smt
from ropeproof.theory.language.logic import *
from ropeproof.proofs_check.evidence import FORMAL, MUTANTS, Evidence, Finding, evidence
from ropeproof.proofs_check.evidence.certify import decided, decision
from ropeproof.proofs_check.kernel.outcome import Kills, Outcome, holds

x, y = real("x y")
false = lt(x, x - 1)


def claim(goal=false, id="own.false", rule=None, **more):
    more.setdefault("mutants", (Mutant("m", lt(x, x - 2)),))
    return Claim(id, "t", "s", conclusion=goal,
                 derivation=Derivation((Step("only", goal, rule or smt(), "."),)), **more)


CLAIMS = (claim(),)


def yes(*_, **__):
    return Finding(holds("yes"), "all", 3, Kills(1, 1))

"""


@pytest.fixture
def written(tmp_path):
    loaded = dict(library.LOADED)

    def write(text):
        path = tmp_path / "own.py"
        path.write_text(OPENING + text, encoding="utf-8")
        return str(path)

    yield write
    library.LOADED.clear()
    library.LOADED.update(loaded)


REPLACED = {
    "its own solver among those that run": """
from ropeproof.proofs_check.kernel.solvers import query, solver_process
class Yes:
    answers = iter(["unsat"])  # of the step, and not of a mutant
    def ask(self, question, seconds): return next(self.answers, "sat")
    def close(self): pass
solver_process._running[query.Z3] = Yes()
""",
    "how the solver is asked": """
from ropeproof.proofs_check.kernel.solvers import query, solver_process
query.ask = solver_process.ask = lambda *_: "unsat"
""",
    "which Python runs the solver": """
from ropeproof.proofs_check.kernel.solvers import solver_process
solver_process.PYTHON = sys.executable = "/bin/true"
solver_process.PATH = ("/nowhere",)
""",
    "the memory of answers": """
from ropeproof.proofs_check.kernel.solvers import query
query._answer = functools.lru_cache(lambda *_: "unsat")
""",
    "a cached function of the kernel": """
import ropeproof.proofs_check.kernel.formulas as f, ropeproof.proofs_check.kernel.sequent as s
f.canonical = s.canonical = lambda formula: ("true",)
""",
    "the memory of what was read": """
from ropeproof.proofs_check.kernel import read
READ = {id(part): (("true",), part, 1) for part in (false, *false.args)}
read.READ.update(READ)
""",
    "the memory of normal forms": """
from ropeproof.proofs_check.kernel import normal, read
normal._UNCONDITIONAL[read.read(x)] = {}
""",
    "the table of rules": """
import ropeproof.proofs_check.kernel.check as c
from ropeproof.proofs_check.kernel.outcome import holds
c.RULES = {**c.RULES, "smt": lambda *_: holds()}
""",
    "the code of a function": """
import ropeproof.proofs_check.run.status as s
s.shortfalls.__code__ = (lambda claim, records, status, used: []).__code__
""",
    "how the status is computed": """
import ropeproof.proofs_check.run.status as s, ropeproof.proofs_check.run.runner as r
s.compute_status = s.established = r.compute_status = r.established = lambda *_: "proved"
""",
    "the proof as a whole": """
import ropeproof.proofs_check.run.proving as p
p.prove = lambda *_: (holds("yes"), ())
""",
    "the attack": """
import ropeproof.proofs_check.attack.statement as s
s.test_instances = lambda *_: (holds("yes"), 9)
""",
    "the libraries that were loaded": """
from ropeproof.proofs_check.run import library
for path in list(library.LOADED): library.LOADED[path] = library.Library({}, {})
library.load = lambda *_: library.Library({}, {})
""",
    "an axiom more": """
import ropeproof.theory.language.axioms as a
from dataclasses import replace
bad = replace(a.AXIOMS["Weyl"], name="bad", hypotheses=(), conclusion=false)
a.AXIOMS = {**a.AXIOMS, "bad": bad}
import ropeproof.proofs_check.kernel.check as c
c.AXIOMS = a.AXIOMS
CLAIMS = (claim(rule=axiom("bad")),)
""",
    "a claim of the catalogue": """
CATALOGUE._read["rope.group"] = claim(id="rope.group")
CLAIMS = (claim(rule=by_claim("rope.group"), uses=("rope.group",)),)
""",
    "what a claim may be": """
import ropeproof.theory.language.claim as c
c.Claim.__post_init__ = lambda self: None
""",
    "what Python calls": "builtins.all = builtins.any = lambda _: True\n",
    "the arguments of SymPy's terms": "sp.Basic.args = property(lambda self: self._args[::-1])\n",
    "how SymPy adds": "sp.Add.flatten = classmethod(lambda cls, seq: ([], [], None))\n",
    "how SymPy compares": "sp.Basic.__eq__ = lambda *_: True\n",
    "SymPy": "sys.modules['sympy'] = ModuleType('sympy')\n",
    "a module of the kernel": "sys.modules['ropeproof.proofs_check.kernel.smt'] = ModuleType('smt')\n",
    "the balls": "import flint\nflint.arb = float\n",
    "how modules are found": """
class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None): return None
sys.meta_path.insert(0, Finder)
sys.path_hooks.insert(0, lambda path: (_ for _ in ()).throw(ImportError))
sys.path_importer_cache.clear()
""",
    "files beside it": """
from pathlib import Path
for name in ("z3", "flint", "sympy", "gmpy2", "json"):
    Path(__file__).with_name(name + ".py").write_text("raise SystemExit(0)")
sys.path.insert(0, str(Path(__file__).parent))
os.environ["PYTHONPATH"] = str(Path(__file__).parent)
""",
    "a trace of every call": """
def trace(frame, event, argument):
    if frame.f_code.co_name == "node_of": frame.f_globals["_LOGIC"] = ()
    return trace
sys.settrace(trace)
threading.settrace(trace)
""",
    "a profile of every call": "sys.setprofile(lambda *_: None)\nthreading.setprofile(lambda *_: None)\n",
    "what is called as garbage is collected": """
gc.callbacks.append(lambda *_: builtins.__dict__.update(all=lambda _: True))
""",
    "an audit of every event": "sys.addaudithook(lambda event, args: None)\n",
    "what runs at the end": "atexit.register(os._exit, 0)\n",
    "a signal": """
import ropeproof.proofs_check.run.status as s
signal.signal(signal.SIGALRM, lambda *_: setattr(s, "compute_status", lambda *_: "proved"))
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
""",
    "a thread that goes on": """
import time, ropeproof.proofs_check.run.status as s
def work():
    while True:
        s.compute_status = lambda *_: "proved"
        time.sleep(0.01)
threading.Thread(target=work, daemon=True).start()
""",
    "a process that goes on": "import subprocess\nsubprocess.Popen(['sleep', '3'])\n",
    "a fork of itself": "if os.fork() == 0:\n    os._exit(0)\n",
    "objects that the collector knows": """
for found in gc.get_objects():
    if type(found) is dict and "_running" in found: found["_running"] = {}
""",
    "frames of who called it": """
frame = sys._getframe()
while frame is not None:
    frame.f_globals.setdefault("__builtins__", {})
    frame.f_globals["sent"] = frame.f_globals.get("sent")
    frame = frame.f_back
""",
    "memory": """
number = 10**6
ctypes.memmove(id(number) + 24, id(7) + 24, 4)
inside, other = ctypes.py_object(vars(builtins)), ctypes.py_object(lambda _: True)
ctypes.pythonapi.PyDict_SetItemString(inside, b"any", other)
""",
    "parts that are loaded again": """
import ropeproof.proofs_check.run.status as s
importlib.reload(s)
""",
    "settings of libraries": """
from sympy.core.parameters import global_parameters
import mpmath
global_parameters.evaluate = False
mpmath.mp.prec = 2
""",
    "how claims are written": """
from ropeproof.proofs_check.run.apart import records
written = records.written
records.written = lambda thing: written(thing)
""",
    "how lines are shown": "import linecache\nlinecache.getline = lambda *_: ''\n",
}


def refused_or_false(path):
    """The reason of the refusal, or the records of the statement, which does not hold by any of them."""
    try:
        (verdict,) = check(["own.false"], modules=[path], profile_name="quick")
    except RopeproofError as error:
        return str(error)
    assert verdict.status in ("refuted", "open")
    assert verdict.shortfalls
    proofs = [record for record in verdict.records if record.kind == "proof"]
    assert not [r for r in proofs if r.outcome == "holds" or "accepted too much" in r.detail]
    return verdict.records


@pytest.mark.parametrize("what", REPLACED)
def test_what_a_file_replaces_is_replaced_nowhere_else(what, written):
    before = (builtin_parts(), threading.active_count())
    refused_or_false(written(REPLACED[what]))
    assert (builtin_parts(), threading.active_count()) == before


def builtin_parts():
    """What the attacks here replace, as it is in this process."""
    return (
        *(id(part) for part in (all, any, sp.Basic.args, sp.Basic.__eq__, checking.RULES)),
        *(id(part) for part in (status.compute_status, query.ask, solver_process.ask)),
        *(id(part) for part in (axioms.AXIOMS, sys.modules["sympy"], solver_process.PYTHON)),
        sys.gettrace(),
        len(sys.meta_path),
    )


@pytest.mark.parametrize(
    "what", [what for what, text in REPLACED.items() if "CLAIMS =" not in text]
)
def test_what_evidence_replaces_is_replaced_nowhere_else(what, written):
    before = (builtin_parts(), threading.active_count())
    body = "\n".join(f"    {line}" for line in REPLACED[what].strip().splitlines())
    text = f"""
@evidence("own.false", "property", "first")
def first(how):
{body}
    return yes()

CLAIMS += (claim(id="own.later"),)
"""
    path = written(text)
    first, second = check(["own.false", "own.later"], modules=[path], profile_name="quick")
    assert (first.status, second.status) == ("refuted", "refuted")
    assert (builtin_parts(), threading.active_count()) == before


ENDED = {
    "at once": "os._exit(0)",
    "by a signal": "os.kill(os.getpid(), signal.SIGKILL)",
    "with its group": "os.setpgid(0, 0)\nos.killpg(0, signal.SIGKILL)",
    "by its limits": "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True: pass",
    "with its pipes": "os.closerange(3, 1000)",
    "with another message": "[os.write(fd, b'no message' * 10) for fd in range(3, 20) if pipe(fd)]",
    "with a message that is too long": "[os.write(fd, b'\\xff' * 16) for fd in range(3, 20) if pipe(fd)]",
    "with a message nested deeply": "say(b'[' * 100_000)",
    "with what is no number": "say(b'NaN')",
    "with a status": "tell(status='proved', proof='holds')",
    "with claims that are a class": "tell(claims=[['term', 'os.system']], evidence=[])",
    "with claims that are texts": "tell(claims=[['text', 'x'], ['tuple', 0]], evidence=[])",
    "with no claims": "tell(claims=[['tuple']], evidence=[])",
    "with a proof as evidence": "stating(['own.false', 'proof', 'derivation', ''])",
    "with evidence in the place of a decision": "stating(['own.false', 'certified', FORMAL, ''])",
    "with evidence for the catalogue": "stating(['rope.group', 'property', 'p', ''])",
    "with evidence that is no list": "stating('own.false')",
    "with an error of another class": "tell(refused={'class': 'SystemExit', 'text': '0', 'argument': '',"
    " 'allowed': '', 'notes': []})",
}
SAYING = """
def pipe(fd):
    try:
        return os.readlink(f"/proc/self/fd/{fd}").startswith("pipe:") and os.write(fd, b"") == 0
    except OSError:
        return False

def good():
    from ropeproof.proofs_check.run.apart.records import written
    from ropeproof.proofs_check.run.apart.copies import copied
    return written((copied(claim()),))

def say(data):
    for fd in range(3, 20):
        if pipe(fd):
            os.write(fd, len(data).to_bytes(8, "big") + data)
    os._exit(0)

def tell(**message):
    say(json.dumps(message).encode())

def stating(*evidence):
    tell(claims=good(), evidence=list(evidence), refusals=[])

"""


@pytest.mark.parametrize("how", ENDED)
def test_a_file_that_ends_its_process_or_says_something_else_is_refused(how, written):
    with pytest.raises((InvalidArgument, InvalidClaim)):
        load([written(SAYING + ENDED[how])])


def test_a_decision_that_is_said_to_be_ours_is_made_here(written):
    path = written(SAYING + "stating(['own.false', 'certified', FORMAL, 'balls'])")
    (verdict,) = check(["own.false"], modules=[path], profile_name="quick")
    assert verdict.status in ("refuted", "open")
    assert verdict.shortfalls


def test_what_a_file_answers_in_the_place_of_evidence_is_read_as_a_finding(written):
    text = """
import ropeproof.proofs_check.run.apart.guest as guest

def answered(*_):
    return {"finding": {"verdict": "holds", "status": "proved"}}

guest._answer = answered

@evidence("own.false", "property", "p")
def p(how): ...
"""
    records = refused_or_false(written(text))
    assert any("a finding of another form" in record.detail for record in records)


def test_a_file_that_writes_into_the_sources_is_refused(written, tmp_path, monkeypatch):
    folder = tmp_path / "project" / "theory"
    folder.mkdir(parents=True)
    (folder / "a.py").write_text("one = 1")
    monkeypatch.setattr(sources, "ROOT", folder.parent)
    change = f"""
from pathlib import Path
path = Path({str(folder)!r}, "a.py")
before = path.stat()
path.write_text("one = 2")
os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
"""
    with pytest.raises(InvalidArgument, match="the sources of this project stay as they are"):
        load([written(change)])
    late = "\n".join(f"    {line}" for line in change.replace("= 2", "= 3").strip().splitlines())
    text = f"""
CLAIMS = (claim(le(0, x**2)),)

@evidence("own.false", "property", "late")
def late(how):
{late}
    return yes()
"""
    with pytest.raises(InvalidArgument, match="the sources of this project stay as they are"):
        check(["own.false"], modules=[written(text)], profile_name="quick")


# -- what a file certifies ------------------------------------------------------------------------

BARE = """
CLAIMS = (Claim("own.false", "t", "s", conclusion=false, needs=frozenset("C"),
                mutants=(Mutant("m", lt(x, x - 2)),)),)
"""
CERTIFIED = {
    "evidence of another name": 'evidence("own.false", "certified", "mine")(yes)',
    "a decision that always says yes": 'decision("own.false", "all")(lambda formula: True)',
    "a decision for this conclusion": 'decision("own.false", "all")(lambda formula: formula == false)',
    "an attack of its own": 'evidence("own.false", "certified", "mine")(yes)\n'
    'evidence("own.false", "attack", "mine")(yes)',
    "our decision, replaced": "import ropeproof.proofs_check.evidence.certify as c\n"
    "c.decided = decided = lambda formula: formula == false\n"
    'c.decision("own.false", "all")(decided)',
    "our decision": 'decision("own.false", "all")(decided)',
    "a piece that it made": "import ropeproof.proofs_check.evidence as e\n"
    'e.enter(Evidence("own.false", "certified", "mine", yes, by=""))\n'
    'e.enter(Evidence("own.false", "certified", FORMAL, yes, decided, "all"))',
    "a construction beside it": 'evidence("own.false", "construction", "mine")(yes)\n'
    'evidence("own.false", "certified", "mine")(yes)',
}


@pytest.mark.parametrize("how", CERTIFIED)
def test_what_a_file_certifies_is_attacked_like_everything_else(how, written):
    (verdict,) = check(
        ["own.false"], modules=[written(BARE + CERTIFIED[how])], profile_name="quick"
    )
    assert verdict.status in ("refuted", "open")
    assert verdict.shortfalls


BY_HAND = {
    "a flag": 'evidence("own.false", "certified", FORMAL, decides=True)(yes)',
    "its name": 'evidence("own.false", "certified", FORMAL)(yes)',
    "the name of the attack": 'evidence("own.false", "attack", MUTANTS)(yes)',
    "a piece of that name": "import ropeproof.proofs_check.evidence as e\n"
    'e.enter(Evidence("own.false", "certified", FORMAL, yes))',
}


@pytest.mark.parametrize("how", BY_HAND)
def test_nothing_decides_by_hand(how, written):
    with pytest.raises(RopeproofError, match="`decision`") as caught:
        check(["own.false"], modules=[written(BARE + BY_HAND[how])], profile_name="quick")
    assert "\n" not in str(caught.value)


TRUE = """
CLAIMS = (Claim("own.false", "t", "s", conclusion=le(0, x**2), needs=frozenset("C"),
                mutants=(Mutant("m", lt(0, x**2)),)),)
"""


@pytest.mark.parametrize(
    "how",
    ["evidence of another name", "a decision for this conclusion", "an attack of its own"],
)
def test_what_nothing_but_a_files_code_certifies_is_tested_and_says_so(how, written):
    text = CERTIFIED[how].replace("formula == false", "formula == CLAIMS[0].conclusion")
    (verdict,) = check(["own.false"], modules=[written(TRUE + text)], profile_name="quick")
    assert (verdict.status, verdict.shortfalls) == ("tested", ())
    kinds = [(record.kind, record.name) for record in verdict.records if not record.by]
    assert kinds == [("property", "drawn instances"), ("attack", "mutants")]
    (theirs,) = [record for record in verdict.records if record.kind == "certified"]
    assert theirs.by == "own.py"
    assert "a test, not a certificate: found by nothing but the code of own.py" in theirs.detail


def test_a_mutant_that_is_true_survives_a_decision_that_says_no(written):
    text = TRUE.replace("lt(0, x**2)", "le(-1, x**2)") + CERTIFIED["a decision for this conclusion"]
    text = text.replace("formula == false", "formula == CLAIMS[0].conclusion")
    (verdict,) = check(["own.false"], modules=[written(text)], profile_name="quick")
    assert any("mutant" in reason for reason in verdict.shortfalls)


CLOSED = """
n = integer("n")
CLAIMS = (Claim("own.false", "t", "s", conclusion={goal}, needs=frozenset("C"), mutants={mutants}),)
decision("own.false", "whatever the file says of it")(decided)
"""


def test_what_our_own_decision_shows_is_certified_and_says_over_what(written):
    goal = "every(n, 1, 5, lt(sp.Rational(1, 100), 1 - sp.cos(n)))"
    mutant = '(Mutant("m", every(n, 1, 6, lt(sp.Rational(1, 10), 1 - sp.cos(n)))),)'
    path = written(CLOSED.format(goal=goal, mutants=mutant))
    (verdict,) = check(["own.false"], modules=[path], profile_name="quick")
    assert (verdict.status, verdict.shortfalls) == ("certified", ())
    assert {record.domain for record in verdict.records} == {
        "the closed formula as it is stated, in balls"
    }


@pytest.mark.parametrize(
    ("goal", "mutants"),
    [
        (
            "every(n, 1, 6, lt(sp.Rational(1, 10), 1 - sp.cos(n)))",
            '(Mutant("m", lt(sp.sqrt(2), 1)),)',
        ),
        ("lt(sp.sqrt(2), sp.Rational(3, 2))", '(Mutant("m", lt(sp.sqrt(2), 2)),)'),
        ("lt(sp.sqrt(2), sp.Rational(3, 2))", "()"),
        ("every(n, 1, 0, lt(1, 0))", '(Mutant("m", lt(sp.sqrt(2), 1)),)'),
    ],
)
def test_our_own_decision_refuses_what_it_does_not_show(goal, mutants, written):
    path = written(CLOSED.format(goal=goal, mutants=mutants))
    (verdict,) = check(["own.false"], modules=[path], profile_name="quick")
    assert verdict.shortfalls


def test_a_claim_in_words_alone_is_at_most_tested_by_its_file(written):
    text = """
CLAIMS = (Claim("own.false", "t", "s", kind="definition", needs=frozenset("C")),)
evidence("own.false", "certified", "mine")(yes)
"""
    (verdict,) = check(["own.false"], modules=[written(text)], profile_name="quick")
    assert verdict.established == "tested"
