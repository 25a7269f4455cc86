"""Records that somebody has changed, before `certificate verify` and the program that shares no code with it.

What either prints of a record that it does not refuse is what it computed, and says what it did not compare.
"""

from __future__ import annotations

import contextlib
import copy
import importlib.util
import io
import json
import random
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from command_line import run
from needs import need
from small_certificates import LAW, made, write_gguf
from tampered_records import CONSISTENT, consistent, fields, random_change, single_changes

from ropeproof.theory.errors import RopeproofError
from ropeproof.tools.certificate import check
from ropeproof.tools.certificate import verify as verify_module
from ropeproof.tools.certificate.expected import LawRows
from ropeproof.tools.certificate.read import read_first_layer
from ropeproof.tools.certificate.record import lower_bounds
from ropeproof.tools.certificate.verify import verify

need("gguf")

PROGRAM = Path(__file__).resolve().parents[3] / "examples/verify_certificate.py"
SIZES = ("--lags", "11", "--long", "14", "--named", "2")
FIELDS = fields(made(lags=11, long=14))


def _program():
    spec = importlib.util.spec_from_file_location("verify_certificate", PROGRAM)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Bench:
    """A folder with a model and the record of it, and both programs; what a model has is computed once."""

    def __init__(self, folder):
        self.folder = folder
        write_gguf(folder / "small.gguf")
        (folder / "law.json").write_text(json.dumps(LAW.as_json()))
        line = ("certificate", "make", str(folder / "record.json"), str(folder / "small.gguf"))
        code, self.text = run(*line, "--law", str(folder / "law.json"), *SIZES)
        assert code == 0, self.text
        self.program = _program()
        self.laws = {}
        weights, extremes = self.program.expected, self.program.extremes
        self.weights = cache(
            lambda head, query, tokens, chances, lags: weights(
                self.model(), head, query, np.array(tokens), np.array(chances), lags
            )
        )
        self.extremes = cache(lambda head, query, lags: extremes(self.model(), head, query, lags))
        self.model = cache(lambda: self.program.Model(str(folder / "small.gguf")))
        self.program.expected = lambda model, head, query, tokens, chances, lags: self.weights(
            head, query, tuple(tokens.tolist()), tuple(chances.tolist()), lags
        )
        self.program.extremes = lambda model, head, query, lags: self.extremes(head, query, lags)
        self.lower = cache(
            lambda layer, identity, lags, token: lower_bounds(
                LawRows(layer, self.laws[identity], lags), token
            )
        )

    def record(self):
        return json.loads((self.folder / "record.json").read_text())

    def write(self, record):
        path = self.folder / "changed.json"
        path.write_text(record if isinstance(record, str) else json.dumps(record))
        return str(path)

    def ours(self, record, *, draw="all", seed=None, law=None):
        """The exit code and the output of `ropeproof certificate verify`, by default of all queries."""
        source, said = str(self.folder / "small.gguf"), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(said):
            patch.setattr(check, "lower_bounds", self._lower)
            patch.setattr(verify_module, "read_first_layer", lambda path: _layer(self.folder))
            try:
                code = verify(self.write(record), source, draw=draw, seed=seed, law=law, text=None)
            except RopeproofError as error:
                return 2, str(error)
        return code, said.getvalue()

    def _lower(self, rows, token):
        identity = hash((rows.law.tokens.tobytes(), rows.law.counts.tobytes()))
        self.laws[identity] = rows.law
        return self.lower(_layer(self.folder), identity, rows.lags, token)

    def other(self, record, *options):
        """The same of the program that shares no code."""
        line, said = ["verify", self.write(record), str(self.folder / "small.gguf")], io.StringIO()
        with (
            pytest.MonkeyPatch.context() as patch,
            contextlib.redirect_stdout(said),
            contextlib.redirect_stderr(said),
        ):
            patch.setattr("sys.argv", [*line, *(options or ("--draw", "all"))])
            patch.setattr(self.program, "Model", lambda path: self.model())
            code = self.program.main()
        return code, said.getvalue()


@cache
def _layer(folder):
    return read_first_layer(str(folder / "small.gguf"))


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    return Bench(tmp_path_factory.mktemp("tampering"))


def computed(text):
    """What stands above the lines that say what was compared."""
    return text.split("\nCompared:")[0]


def flat(text):
    return " ".join(text.split())


def true(bench, text, record):
    """Asserts that the numbers of a table that `verify` printed hold what a quadrature gives."""
    counts = record["law"]["counts"]
    chances = tuple(c / sum(counts) for c in counts)
    tokens = tuple(record["law"]["tokens"])
    drawn = re.search(r"those (\d+) of its tokens", text)
    incomplete = "not complete" in text
    if drawn or incomplete:
        return
    for line in computed(text).splitlines():
        row = re.match(r" +(\d+)  (\d\.\d{4})  (.*)", line)
        if row is None:
            continue
        head = int(row[1])
        means = sum(
            c * bench.weights(head, token, tokens, chances, record["lags"])
            for c, token in zip(chances, tokens, strict=True)
        )
        bounds = re.findall(r"(\d+): (\d\.\d+) (\d\.\d+)", row[3])
        assert len(bounds) == 3
        for lag, least, most in bounds:
            assert float(least) - 2e-6 <= means[int(lag)] <= float(most) + 2e-6


def test_the_record_as_it_is_made_is_compared_whole(bench):
    code, text = bench.ours(bench.record())
    assert code == 0
    true(bench, text, bench.record())
    assert "4 of 4 queries computed again, and with them every head's mean at all 11 lags" in flat(
        text
    )
    assert "2 of 2 long rows; 2 of 2 bounds over all prompts" in flat(text)
    assert "Not compared: the law's name and the hash of its text." in flat(text)
    law = str(bench.folder / "law.json")
    code, text = bench.ours(bench.record(), draw="all", law=law)
    assert code == 0
    assert "law: letters, 7 tokens" in text
    assert "Not compared: nothing that the record states." in flat(text)
    code, text = bench.other(bench.record(), "--draw", "all", "--law", law)
    assert code == 0
    assert "4 of 4 queries in 4 heads" in text
    assert "the mean of each head at all 11 lags" in text
    assert text.endswith("not compared: the hash of the code\n")


def test_some_queries_are_told_as_some_queries(bench):
    code, text = bench.ours(bench.record(), draw="2", seed=7)
    assert code == 0
    assert "those 2 of its tokens that were computed here" in text
    assert "2 of 4 queries computed again (--seed 7)" in flat(text)
    assert "Not compared: 2 of 4 queries, and so the record's means over the law" in flat(text)
    assert bench.ours(bench.record(), draw="2", seed=7) == (code, text)
    code, text = bench.other(bench.record(), "--draw", "2")
    assert code == 0
    assert "2 of 4 queries" in text
    assert "not compared: the hash of the code; the other queries" in text


def test_without_a_seed_nobody_knows_which_queries_are_drawn(bench):
    seeds = {
        re.search(r"--seed (\d+)", bench.ours(bench.record(), draw="1")[1])[1] for _ in range(4)
    }
    assert len(seeds) == 4


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_that_is_changed_alone_is_seen_by_both(bench, name):
    record = bench.record()
    honest = [bench.ours(record)[1], bench.other(record)[1]]
    for path, new, changed in single_changes(record, name, most=1):
        code, text = bench.ours(changed)
        assert code in (0, 1, 2), (path, new)
        if code == 0:
            assert computed(text) == computed(honest[0]), (path, new)
        elif code == 1:
            assert text.startswith("The record is false:\n")
        code, text = bench.other(changed)
        assert code in (0, 1, 2), (path, new)
        assert "Traceback" not in text
        if code == 0:
            lines = [told.splitlines()[1:2] for told in (text, honest[1])]
            assert lines[0] == lines[1], (path, new)


@pytest.mark.parametrize("name", CONSISTENT)
def test_fields_that_are_changed_so_that_every_sum_is_kept(bench, name):
    for seed in range(3):
        changed = bench.record()
        CONSISTENT[name](changed, random.Random(seed))
        mended = copy.deepcopy(changed)
        with contextlib.suppress(IndexError):
            consistent(mended)
        for record in (changed, mended):
            code, text = bench.ours(record)
            assert code in (0, 1, 2)
            if code == 0:
                true(bench, text, record)
            assert bench.other(record)[0] in (0, 1, 2)


FALSE = (
    *("heads_numbered_in_reverse", "heads_listed_in_reverse", "two_heads_exchanged_everywhere"),
    *("all_heads_reversed_everywhere", "free_mass_on_one_lag", "free_means_reversed"),
    *("entry_narrowed", "entries_exchanged", "one_entry_repeated", "kept_lags_doubled"),
    *("counts_changed", "long_rows_exchanged", "prompts_exchanged", "prompts_widened"),
    *("vocabulary_changed", "a_head_less", "a_head_more", "one_lag_more", "one_lag_less"),
)


@pytest.mark.parametrize("name", FALSE)
def test_what_states_false_numbers_is_accepted_by_neither(bench, name):
    record = bench.record()
    CONSISTENT[name](record, random.Random(2))
    with contextlib.suppress(IndexError):
        consistent(record)
    assert bench.ours(record)[0] in (1, 2)
    assert bench.other(record)[0] in (1, 2)


@pytest.mark.parametrize("name", ["all_zero", "long_row_narrowed"])
def test_what_is_true_and_not_what_was_proven_is_told_apart_by_ours_alone(bench, name):
    """The program that shares no code knows true values: it sees that they lie in an enclosure, not why."""
    record = bench.record()
    CONSISTENT[name](record, random.Random(2))
    consistent(record)
    assert bench.ours(record)[0] == 1
    assert bench.other(record)[0] == 0


def test_names_come_from_the_files_that_were_read(bench):
    record = bench.record()
    CONSISTENT["names_changed"](record, random.Random(0))
    code, text = bench.ours(record)
    assert code == 0
    assert "405B" not in text
    assert "shakespeare" not in text
    assert text.startswith("small.gguf, layer 0, weights ")
    assert "the record's name of the model, which is not this one's" in flat(text)
    assert "the law's name" in flat(text)
    code, text = bench.ours(record, law=str(bench.folder / "law.json"))
    assert code == 0
    assert "law: letters," in text
    assert "the record's name of the law, which is not this one's" in flat(text)
    code, text = bench.other(record)
    assert code == 0
    assert "405B" not in text
    assert "shakespeare" not in text
    assert "the record's name of the model" in text


def test_another_law_is_refused_by_both(bench):
    record = bench.record()
    CONSISTENT["counts_multiplied"](record, random.Random(0))
    consistent(record)
    law = str(bench.folder / "law.json")
    assert bench.ours(record)[0] == 0  # the same frequencies, so the same numbers, of another text
    assert bench.ours(record, law=law)[0] == 2
    assert bench.other(record, "--draw", "all", "--law", law)[0] == 2


def test_a_key_that_stands_twice_is_refused_by_both(bench):
    text = json.dumps(bench.record())
    for key in ("heads", "units", "slack", "token"):
        twice = text.replace(f'"{key}": ', f'"{key}": 0, "{key}": ', 1)
        assert bench.ours(twice)[0] == 2
        assert bench.other(twice)[0] == 2
    for broken in ("", "{}", "[]", "null", "{" * 9999, text[:-5], text.replace(": 11", ": 1e1", 1)):
        assert bench.ours(broken)[0] == 2
        assert (
            bench.other(broken, "--draw", "all")[0] == 2
        )  # the number may be one that a draw leaves out


def test_random_changes_lead_to_nothing_false_that_is_printed(bench):
    chance = random.Random(11)
    passed = [0, 0]
    for _ in range(120):
        names, record = random_change(bench.record(), chance)
        code, text = bench.ours(record)
        assert code in (0, 1, 2), names
        if code == 0:
            passed[0] += 1
            true(bench, text, record)
        code, _ = bench.other(record)
        assert code in (0, 1, 2), names
        passed[1] += code == 0
    assert all(passed)


def shown(bench, record):
    return run("certificate", "show", bench.write(record))


def test_what_is_shown_without_a_model_says_that_nothing_was_compared(bench):
    code, text = shown(bench, bench.record())
    assert code == 0
    assert text.startswith("Not compared: all that follows is what the record states of itself")
    assert flat(text).endswith("Neither was read: nothing was compared.")
    table = bench.text.splitlines()[1:]
    assert all(line in text.splitlines() for line in table)


def test_a_record_that_contradicts_itself_is_not_shown(bench):
    record = bench.record()
    record["heads"][1]["slack"] += 1
    code, text = shown(bench, record)
    assert code == 1
    assert text.startswith("The record contradicts itself:\nhead 1: slack")
    record = bench.record()
    CONSISTENT["heads_numbered_in_reverse"](record, random.Random(0))
    code, text = shown(bench, record)
    assert code == 2
    assert "heads[0].head" in text


def test_names_with_what_a_terminal_carries_out_are_shown_as_text(bench):
    record = bench.record()
    record["model"]["name"] = "\x1b[2J\u202egood"
    record["law"]["name"] = "x" * 5000
    code, text = shown(bench, record)
    assert code == 0
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "x" * 400 not in text.replace("\n", "")
    record["law"]["text"] = "\x1b[31m"
    assert "\x1b" not in shown(bench, record)[1]


def test_numbers_are_printed_outwards():
    from ropeproof.tools.certificate import show

    head = {"head": 0, "lower": [10_129_99, 5], "slack": 1}
    assert list(show.table([head]))[1] == "   0  0.0001  0: 0.1012 0.1013   1: 0.0000 0.0001"
    assert [show._small(units) for units in (0, 7, 139, 5049)] == [
        "0",
        "7.0e-07",
        "1.3e-05",
        "5.0e-04",
    ]
    assert show.percent(9999, 10000) == "99.9%"
