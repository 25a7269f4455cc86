"""A call that is refused fails no test: each kind of call, refused by an error or by another shape.

A right rotation is wrapped so that it refuses one kind of call, and the whole check must find nothing
wrong with it and say what was not compared. The same calls turned wrongly must still fail.
"""

from __future__ import annotations

import pytest
import torch
from faults.second import DYNAMIC, PYTHIA, VIDEO, halves, inverse, outer, sectioned

from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform import TESTS, check
from ropeproof.tools.conform.record import Found, worst


def right(x, positions):
    return halves(x, outer(positions, inverse()))


def consecutive(positions):
    return bool((positions.diff(dim=-1) == 1).all())


CONTEXT = 600
SPEC = RopeSpec(64, 10000, length=CONTEXT)
KINDS = {
    # Rows and heads.
    "several rows of positions": lambda x, p: p.ndim == 2 and len(p) > 1,
    "rows of positions": lambda x, p: p.ndim == 2,
    "rows of positions that differ": lambda x, p: p.ndim == 2 and bool((p != p[:1]).any()),
    "several rows of vectors": lambda x, p: x.shape[0] > 1,
    "many rows of vectors": lambda x, p: x.shape[0] > 4,
    "an odd number of rows": lambda x, p: x.shape[0] % 2 == 1 and x.shape[0] > 1,
    "one row of vectors": lambda x, p: x.shape[0] == 1,
    "several heads": lambda x, p: x.shape[1] > 1,
    "one head": lambda x, p: x.shape[1] == 1,
    "an odd number of heads": lambda x, p: x.shape[1] % 2 == 1 and x.shape[1] > 1,
    "more than four heads": lambda x, p: x.shape[1] > 4,
    "several rows and several heads": lambda x, p: x.shape[0] > 1 and x.shape[1] > 1,
    # Lengths and positions.
    "one vector at a time": lambda x, p: x.shape[2] == 1,
    "more than 128 vectors": lambda x, p: x.shape[2] > 128,
    "more than 32 vectors": lambda x, p: x.shape[2] > 32,
    "an odd number of vectors": lambda x, p: x.shape[2] % 2 == 1,
    "a chunk from the middle": lambda x, p: int(p.reshape(-1)[0]) > 0,
    "positions with gaps": lambda x, p: not consecutive(p),
    "positions that go back": lambda x, p: bool((p.diff(dim=-1) < 0).any()),
    "positions that stand twice": lambda x, p: bool((p.diff(dim=-1) == 0).any()),
    "positions beyond the context": lambda x, p: int(p.max()) >= CONTEXT,
    "calls that do not begin at 0 or leave one out": lambda x, p: (
        int(p[..., 0].max()) > 0 or not consecutive(p)
    ),
    "runs of more than four": lambda x, p: not consecutive(p) or p.shape[-1] > 4,
    "several vectors from half the context on": lambda x, p: (
        p.shape[-1] > 1 and int(p.max()) >= CONTEXT // 2
    ),
    "rows of vectors from half the context on": lambda x, p: (
        x.shape[0] > 1 and int(p.max()) >= CONTEXT // 2
    ),
    "float32 from half the context on": lambda x, p: (
        x.dtype == torch.float32 and int(p.max()) >= CONTEXT // 2
    ),
    # Types and memory.
    "float32": lambda x, p: x.dtype == torch.float32,
    "float64": lambda x, p: x.dtype == torch.float64,
    "bfloat16": lambda x, p: x.dtype == torch.bfloat16,
    "float16": lambda x, p: x.dtype == torch.float16,
    "all types but float32": lambda x, p: x.dtype != torch.float32,
    "all types but bfloat16": lambda x, p: x.dtype != torch.bfloat16,
    "one vector of another type": lambda x, p: x.dtype != torch.float32 and x.shape[2] == 1,
    "rows of another type": lambda x, p: x.dtype != torch.float32 and p.ndim == 2,
    "many rows of another type": lambda x, p: x.dtype != torch.float32 and x.shape[0] > 4,
    "vectors with gaps in memory": lambda x, p: not x.is_contiguous(),
    "autocast": lambda x, p: torch.is_autocast_enabled("cpu"),
    "vectors that require a gradient": lambda x, p: x.requires_grad,
    "rows that require a gradient": lambda x, p: x.requires_grad and p.ndim == 2,
    # Values.
    "large entries": lambda x, p: bool((x.abs() > 1e3).any()),
    "small entries": lambda x, p: bool(((x != 0) & (x.abs() < 1e-3)).any()),
    "subnormal entries": lambda x, p: bool(
        ((x != 0) & (x.abs().double() < torch.finfo(x.dtype).tiny)).any()
    ),
    "entries that are no finite numbers": lambda x, p: not bool(x.isfinite().all()),
}
"""By name: whether a call is of the kind."""

SHORT = {
    "the last position": (lambda x, p: int(p.max()) >= CONTEXT - 1, CONTEXT - 1),
    "positions from half the context on": (lambda x, p: int(p.max()) >= CONTEXT // 2, CONTEXT // 2),
    "positions from 20 on": (lambda x, p: int(p.max()) >= 20, 20),
    "positions from 77 on, and with gaps": (
        lambda x, p: int(p.max()) >= 77 or not consecutive(p),
        77,
    ),
    "positions from 77 on, and more than 16 vectors": (
        lambda x, p: int(p.max()) >= 77 or x.shape[2] > 16,
        77,
    ),
    "positions from 77 on, and several rows": (
        lambda x, p: int(p.max()) >= 77 or x.shape[0] > 1,
        77,
    ),
}
"""By name: whether a call is of the kind, and the first position that no call may have."""


def raising(error):
    def refuse(x, positions):
        raise error

    return refuse


WAYS = {
    "an error": raising(ValueError("not such a call")),
    "another error": raising(NotImplementedError("not such a call")),
    "an assertion": raising(AssertionError()),
    "out of memory": raising(MemoryError("too much")),
    "an exit": raising(SystemExit(1)),
    "rows as one": lambda x, p: right(x, p).flatten(0, 2),
    "one coordinate less": lambda x, p: right(x, p)[..., :-1],
    "nothing": lambda x, p: None,
}
"""By name: what is done in place of such a call."""

FEW = ("an error", "rows as one")
CASES = [(kind, way) for kind in KINDS for way in FEW]
CASES += [("several rows of positions", way) for way in WAYS if way not in FEW]


def refusing(kind, way):
    refuses = KINDS[kind] if kind in KINDS else SHORT[kind][0]

    def rotate(x, positions):
        return (WAYS[way] if refuses(x, positions) else right)(x, positions)

    return rotate


@pytest.mark.parametrize(("kind", "way"), CASES, ids=["-".join(case) for case in CASES])
def test_what_is_refused_fails_nowhere_and_is_said(kind, way):
    report = check(refusing(kind, way), SPEC)
    assert report.passed, report
    assert not report.failures
    refused = [t for t in report.tests if t.result == "unsupported"]
    notes = [t for t in report.tests if "refused" in t.detail]
    assert refused or notes, report
    assert all(t.detail for t in refused), report
    assert (
        [t.name for t in report.tests] == [n for n in TESTS if n in {t.name for t in report.tests}]
        or "float32" in kind
        or "bfloat16" in kind
    )


@pytest.mark.parametrize("way", FEW)
@pytest.mark.parametrize("kind", list(SHORT))
def test_positions_of_the_declared_context_that_no_call_may_have_fail(kind, way):
    """A table that is shorter than the configuration's context breaks the sequences it promises."""
    report = check(refusing(kind, way), SPEC, dtypes=("float32",))
    assert [t.name for t in report.failures] == ["serves.context"], report
    found, (_, first) = report["serves.context"], SHORT[kind]
    said = f"refuses positions from {first} on, context {CONTEXT} ("
    assert found.detail.startswith(said), found
    assert found.position == first
    assert report.cause is not None
    assert report.cause.id == "serves.context"
    assert report.headline().startswith(said)


@pytest.mark.parametrize("kind", list(SHORT))
def test_positions_of_a_context_that_is_not_the_configurations_may_be_refused(kind):
    """The caller's own context, and the one that is taken where the spec has none."""
    given = check(refusing(kind, "an error"), SPEC, dtypes=("float32",), context=CONTEXT)
    bare = check(refusing(kind, "an error"), RopeSpec(64, 10000), dtypes=("float32",))
    for report, context in ((given, CONTEXT), (bare, 4096)):
        assert report.passed, report
        assert report["serves.context"].result == "unsupported"
        assert f"of a context of {context} (raises ValueError" in report["serves.context"].detail


def test_a_context_within_what_is_served_holds():
    report = check(refusing("positions from 20 on", "an error"), SPEC, context=20)
    assert report.passed, report
    assert "serves.context" not in {t.name for t in report.tests}


def test_a_short_table_of_code_that_takes_an_offset():
    def rotate(x, positions):
        if int(positions.max()) >= 77:
            raise IndexError("no such row")
        return right(x, positions)

    report = check(rotate, SPEC, contiguous=True, dtypes=("float32",))
    assert [t.name for t in report.failures] == ["serves.context"], report
    assert "refuses positions from 77 on, context 600" in report["serves.context"].detail
    given = check(rotate, SPEC, contiguous=True, dtypes=("float32",), context=CONTEXT)
    assert given.passed, given
    assert given["serves.context"].result == "unsupported"


def test_one_position_that_is_refused_among_others_is_told_as_one():
    def rotate(x, positions):
        if bool((positions == 65).any()):
            raise IndexError("no such row")
        return right(x, positions)

    found = check(rotate, SPEC, dtypes=("float32",))["serves.context"]
    assert found.result == "fails"
    assert "refuses position 65, context 600" in found.detail


def test_wrong_numbers_of_a_short_table_are_its_cause():
    def rotate(x, positions):
        if int(positions.max()) >= 77:
            raise IndexError("no such row")
        return right(x, positions + 1)

    report = check(rotate, SPEC, dtypes=("float32",))
    assert {"rotation.float32", "serves.context"} <= {t.name for t in report.failures}
    assert report.cause is not None
    assert report.cause.text == "offset of one"


def test_a_prefill_is_compared_at_every_position_where_nothing_else_is_taken():
    """Calls of all positions from 0 on are all that it takes, and from 300 on they are turned wrongly."""

    def rotate(x, positions):
        if KINDS["calls that do not begin at 0 or leave one out"](x, positions):
            raise ValueError("not such a call")
        return right(x, positions + (positions >= 300))

    report = check(rotate, SPEC, dtypes=("float32",))
    assert [t.name for t in report.failures] == ["rotation.every-position"], report
    assert report["rotation.every-position"].position == 300


@pytest.mark.parametrize("kind", list(KINDS))
def test_the_same_calls_turned_wrongly_fail(kind):
    """Turned on by one position more, or where entries are not finite, others beside them."""

    def rotate(x, positions):
        return right(x, positions + int(KINDS[kind](x, positions)))

    report = check(rotate, SPEC, explain=False)
    assert report.failures, report


def test_a_rotation_of_one_row_of_positions_conforms():
    """A table that is indexed by positions, whose result is brought to the shape of one row."""

    def rotate(x, positions):
        angles = positions.reshape(-1)[:, None].float() * inverse()
        return halves(x, angles)

    report = check(rotate, SPEC)
    assert report.passed, report
    said = {t.name for t in report.tests if t.result == "unsupported"}
    assert {"positions.batch", "positions.left-padding", "gradient.rows", "cache.rows"} <= said


def test_a_rotation_that_takes_the_first_of_several_rows_fails():
    def rotate(x, positions):
        return right(x, positions[0] if positions.ndim == 2 else positions)

    report = check(rotate, SPEC)
    assert {"positions.batch", "gradient.rows", "positions.decode"} <= {
        t.name for t in report.failures
    }


def pair(q, k, positions):
    return right(q, positions), right(k, positions)


PAIRS = {
    "more heads of queries": lambda q, k, p: q.shape[1] != k.shape[1],
    "more keys than queries": lambda q, k, p: q.shape[2] != k.shape[2],
    "rows of positions": lambda q, k, p: p.ndim == 2,
    "one vector at a time": lambda q, k, p: k.shape[2] == 1,
    "gradients of keys": lambda q, k, p: k.requires_grad,
    "several heads": lambda q, k, p: k.shape[1] > 1,
    "several rows": lambda q, k, p: k.shape[0] > 1,
}


@pytest.mark.parametrize("kind", list(PAIRS))
@pytest.mark.parametrize("shape", [False, True], ids=["an error", "another shape"])
def test_a_pair_that_refuses_fails_nowhere(kind, shape):
    def rotate(q, k, positions):
        if PAIRS[kind](q, k, positions):
            if not shape:
                raise ValueError("not such a call")
            return tuple(x.flatten(0, 1) for x in pair(q, k, positions))
        return pair(q, k, positions)

    report = check(rotate, SPEC, form="pair")
    assert report.passed, report
    assert any(t.result == "unsupported" for t in report.tests), report


def test_keys_of_which_a_call_was_refused_do_not_hold():
    """An earlier call was refused and the last one holds: the test has not compared all that it says."""

    def rotate(q, k, positions):
        if k.shape[2] == 1:
            raise ValueError("not one key")
        return pair(q, k, positions)

    found = check(rotate, SPEC, form="pair")["keys.positions"]
    assert found.result == "unsupported"
    assert found.detail == "1 of 5 calls refused (raises ValueError: not one key), the others hold"


@pytest.mark.parametrize("shape", [False, True], ids=["an error", "another shape"])
@pytest.mark.parametrize("rows", [False, True])
def test_tables_of_one_row_of_positions(shape, rows):
    def tables(positions):
        if positions.ndim == 2 and (len(positions) > 1 or not rows):
            if not shape:
                raise ValueError("one row")
            positions = positions.reshape(-1)
        angles = positions[..., None].float() * inverse()
        return angles.cos(), angles.sin()

    report = check(tables, SPEC, form="tables", rows=rows)
    assert report.passed, report
    # With rows of positions throughout one row of vectors is all that a call has.
    name = "serves.batch" if rows else "positions.batch"
    assert report[name].result == "unsupported"


@pytest.mark.parametrize("rows", [False, True])
def test_positions_with_axes_of_one_row(rows):
    def rotate(x, positions):
        if positions.ndim == 3 and (len(positions) > 1 or not rows):
            raise ValueError("one row")
        return halves(x, sectioned(positions, (0, 1, 2), (8, 12, 12)))

    report = check(rotate, VIDEO, rows=rows, context=CONTEXT)
    assert report.passed, report
    assert report["serves.batch" if rows else "axes.each"].result == "unsupported"


@pytest.mark.parametrize("limit", [20, 128])
def test_a_scaling_that_depends_on_the_length_and_a_refusal(limit):
    def rotate(x, positions):
        if x.shape[2] > limit:
            raise ValueError("too long")
        length = int(positions.max()) + 1
        base = 10000.0 * max(2 * max(length, 2048) / 2048 - 1, 1) ** (64 / 62)
        return halves(x, outer(positions, inverse(base)))

    report = check(rotate, DYNAMIC, context=CONTEXT)
    assert report.passed, report


@pytest.mark.parametrize("kind", ["several rows of vectors", "several heads"])
def test_a_part_of_the_head_and_numpy(kind):
    def rotate(x, positions):
        if KINDS[kind](x, positions):
            raise ValueError("not such a call")
        x, positions = torch.from_numpy(x), torch.from_numpy(positions)
        part = halves(x[..., :16], outer(positions, inverse(m=8)))
        return torch.cat((part, x[..., 16:]), -1).numpy()

    report = check(rotate, PYTHIA, array="numpy", context=CONTEXT)
    assert report.passed, report
    name = "serves.batch" if "rows" in kind else "serves.heads"
    assert report[name].result == "unsupported"
    assert "raises ValueError: not such a call" in report[name].detail


def test_what_is_served_is_told_with_its_limits():
    def limited(kind):
        return check(refusing(kind, "an error"), SPEC, dtypes=("float32",))

    assert "of at most 4" in limited("runs of more than four")["serves.positions"].detail
    assert (
        "of 1 taken" in limited("several vectors from half the context on")["serves.length"].detail
    )
    assert "runs of consecutive" in limited("positions with gaps")["serves.positions"].detail
    assert "of 32 taken" in limited("more than 32 vectors")["serves.length"].detail
    assert limited("one vector at a time")["serves.batch"].result == "holds"


def test_what_refuses_every_call_fails():
    report = check(raising(ValueError("never")), SPEC)
    assert [t.name for t in report.failures] == ["contract.returns"]


def test_an_error_of_the_backward_pass_is_no_wrong_gradient():
    class Forward(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, positions):
            return right(x, positions)

        @staticmethod
        def backward(ctx, upstream):
            raise NotImplementedError("inference only")

    report = check(Forward.apply, SPEC)
    assert report.passed, report
    assert report["gradient"].detail == "raises NotImplementedError: inference only"


def test_several_calls_as_one_record():
    held = Found(name="n", result="holds", residual=1.0, budget=2.0, cases=3)
    near = Found(name="n", result="holds", residual=0.3, budget=0.4, cases=3)
    no = Found(name="n", result="unsupported", detail="raises E: no")
    wrong = Found(name="n", result="fails", residual=9.0, budget=1.0, cases=3)
    assert worst([held, near]) == Found(name="n", result="holds", residual=0.3, budget=0.4, cases=6)
    assert worst([no, held]).result == "unsupported"
    assert worst([no, held]).detail == "1 of 2 calls refused (raises E: no), the others hold"
    assert worst([no, no]).detail == "raises E: no"
    assert worst([no, held, wrong]).result == "fails"
