"""Records of certificates that somebody has changed: what is told of them is refused, false, or unchanged."""

from __future__ import annotations

import copy
import json
import random
from contextlib import suppress
from functools import cache

import numpy as np
import pytest
from small_certificates import LAW, made, tiny
from tampered_records import CONSISTENT, consistent, field, fields, random_change, single_changes

from ropeproof.numerics.certificate import check
from ropeproof.numerics.certificate.check import check_record
from ropeproof.numerics.certificate.expected import LawRows
from ropeproof.numerics.certificate.law import TokenLaw
from ropeproof.numerics.certificate.record import UNITS, bounds_over_prompts, lower_bounds
from ropeproof.numerics.certificate.structure import parse_record, read_record
from ropeproof.theory.errors import InvalidArgument

SIZES = {"lags": 11, "long": 14, "named": 2}
LAYER = tiny()
NEAR = 20 + 14
"""In units: bounds that another machine rounds differently, and slacks, which are sums of them."""
LABELS = {"model.name", "law.name", "law.text"}


def outcome(record, *, draw=None, seed=3):
    """What comparing a record with the model leads to; None if it is refused as malformed or another's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check, "lower_bounds", lower)
        patch.setattr(check, "bounds_over_prompts", over)
        try:
            return check.check_record(parse_record(json.dumps(record)), LAYER, draw=draw, seed=seed)
        except InvalidArgument:
            return None


@cache
def _lower(identity, lags, token):
    law = LAWS[identity]
    return lower_bounds(LawRows(LAYER, law, lags), token)


LAWS = {}
"""The laws that were met, by their tokens and counts: what a model has for them is computed once."""


def lower(rows, token):
    identity = rows.law.identity()
    LAWS[identity] = rows.law
    return _lower(identity, rows.lags, token)


@cache
def _over(token, lags, kept):
    return bounds_over_prompts(LAYER, token, lags, [list(one) for one in kept])


def over(layer, token, lags, kept):
    return copy.deepcopy(_over(token, lags, tuple(map(tuple, kept))))


def shown(found):
    """All that is told of a record that nothing contradicts."""
    return (
        found.computed,
        found.law.identity(),
        found.law_name,
        found.queries,
        found.long_rows,
        found.prompts,
        found.mass,
    )


HONEST = {draw: outcome(made(**SIZES), draw=draw) for draw in (None, 1, 3)}


def test_with_all_queries_every_number_of_the_record_is_compared():
    found, record = HONEST[None], made(**SIZES)
    assert found.wrong == ()
    assert found.whole
    assert found.computed["heads"] == record["heads"]
    assert found.computed["prompts"] == record["prompts"]
    assert [row["slack"] for row in found.computed["long_rows"]] == [
        row["slack"] for row in record["long_rows"]
    ]
    assert found.not_compared == ("the law's name and the hash of its text",)
    named = check_record(record, LAYER, law=LAW, draw=None)
    assert (named.law_name, named.not_compared) == ("letters", ())


def test_with_some_queries_what_is_left_out_is_said_and_not_shown():
    found = HONEST[3]
    assert found.wrong == ()
    assert (found.queries, found.long_rows, found.prompts) == ((3, 4), (1, 2), (1, 2))
    assert len(found.not_compared) == 4
    assert "1 of 4 queries, and so the record's means over the law" in found.not_compared
    # What is shown are means over the queries that were computed, and of no other.
    chosen = [place for place in range(4) if place in _drawn(3)]
    counts = LAW.counts[chosen]
    assert found.mass == counts.sum()
    rows = [LawRows(LAYER, LAW, 11).every_head(int(LAW.tokens[place])) for place in chosen]
    for head, stated in enumerate(found.computed["heads"]):
        lower = sum(c * row[head].lower for c, row in zip(counts, rows, strict=True)) / found.mass
        assert np.abs(lower * UNITS - stated["lower"]).max() < 2
        assert stated["slack"] == UNITS - sum(stated["lower"])


def _drawn(draw):
    return sorted(random.Random(3).sample(range(4), draw))


@pytest.mark.parametrize("draw", [None, 3])
@pytest.mark.parametrize("name", fields(made(**SIZES)))
def test_a_field_that_is_changed_alone(name, draw):
    """It is refused or found false; or it was not compared, which is said, and what is told stays."""
    record, honest = made(**SIZES), HONEST[draw]
    for path, new, changed in single_changes(record, name):
        found = outcome(changed, draw=draw)
        if found is None or found.wrong:
            continue
        assert shown(found) == shown(honest), (path, new)
        old = record
        for key in path:
            old = old[key]
        if name in LABELS:
            assert isinstance(new, str)
            assert set(found.not_compared) >= set(honest.not_compared)
            assert (
                name == "law.text"
                or found.not_compared != honest.not_compared
                or name == "law.name"
            )
        elif draw is None:
            assert type(new) is int
            assert abs(new - old) <= NEAR, (path, old, new)
        else:
            # Of a query, row or bound that was not computed again, and whose change alters no sum.
            assert len(found.not_compared) == 4
            assert name.startswith(("entries", "long_rows", "prompts")), (path, old, new)


@pytest.mark.parametrize("draw", [None, 1, 3])
@pytest.mark.parametrize("name", CONSISTENT)
def test_fields_that_are_changed_so_that_every_sum_is_kept(name, draw):
    honest = HONEST[draw]
    for seed in range(6):
        changed = copy.deepcopy(made(**SIZES))
        CONSISTENT[name](changed, random.Random(seed))
        mended = copy.deepcopy(changed)
        with suppress(IndexError):  # a lag less: the last one is no longer there to be mended
            consistent(mended)
        for record in (changed, mended):
            found = outcome(record, draw=draw)
            if found is None or found.wrong:
                continue
            told_of(found, record, honest, exact=draw is None)


def told_of(found, record, honest, *, exact):
    """What is told of a record that passed is true, and all numbers of the record are near it if `exact`."""
    if found.law.identity() == honest.law.identity() and found.queries == honest.queries:
        assert found.computed["heads"] == honest.computed["heads"]
    rows = LawRows(LAYER, found.law, record["lags"])
    assert found.law_name != "apache-2.0"
    if not exact:
        assert any("queries" in one for one in found.not_compared) or found.whole
        return
    sums = np.zeros((4, record["lags"]), dtype=np.int64)
    for token, count in zip(found.law.tokens, found.law.counts[: found.queries[0]], strict=False):
        sums += int(count) * lower(rows, int(token))
    for head in range(4):
        true = sums[head] // found.law.total
        assert found.computed["heads"][head]["head"] == head
        assert found.computed["heads"][head]["lower"] == true.tolist()
        assert np.abs(true - record["heads"][head]["lower"]).max() <= 20


def test_random_changes_are_refused_found_false_or_told_as_they_are():
    chance = random.Random(20)
    passed = 0
    for _ in range(400):
        names, record = random_change(made(**SIZES), chance)
        found = outcome(record)
        if found is None or found.wrong:
            continue
        passed += 1
        told_of(found, record, HONEST[None], exact=True)
        assert names
    assert passed


def test_the_law_of_the_code_is_called_by_its_name_and_another_is_not():
    record = made(**SIZES)
    record["law"]["name"] = "apache-2.0"
    found = check_record(record, LAYER, draw=None)
    assert found.law_name is None
    assert "the law's name and the hash of its text" in found.not_compared
    with pytest.raises(InvalidArgument, match="law"):
        check_record(record, LAYER, law=TokenLaw.of_ids("letters", b"other", [0, 1, 0, 2, 0, 1, 4]))
    with pytest.raises(InvalidArgument, match="law"):
        check_record(record, LAYER, law=TokenLaw.of_ids("letters", b"abacabe", [0, 1, 2, 4]))


@pytest.mark.parametrize(
    "text",
    [
        '{"form": "ropeproof certificate 1", "form": "ropeproof certificate 1"}',
        '{"a": {"b": 1, "b": 2}}',
        '{"a": NaN}',
        '{"a": -Infinity}',
        "[" * 100_000,
        '{"a": ' + "9" * 10_000 + "}",
        "",
        "{",
        "\ufeff{}",
    ],
    ids=range(9),
)
def test_texts_that_are_read_in_several_ways_are_refused(text):
    with pytest.raises(InvalidArgument):
        parse_record(text)


@pytest.mark.parametrize("value", [None, [], "record", 3, {}, {"form": 1}])
def test_what_is_no_record_is_refused(value):
    with pytest.raises(InvalidArgument, match="record"):
        read_record(value)


def test_a_field_is_named_by_its_place_in_the_record():
    assert field(("heads", 3, "lower", 0)) == "heads[].lower[]"
    assert {"form", "law.counts[]", "prompts[].heads[].own[]", "entries[][][]"} <= set(
        fields(made(**SIZES))
    )


@pytest.mark.parametrize(
    "change",
    [
        {"counts": [1.5, 1]},
        {"counts": ["1", 1]},
        {"counts": [True, 1]},
        {"counts": [2**39, 1]},
        {"counts": [0, 1]},
        {"counts": [1]},
        {"tokens": [3, 3]},
        {"tokens": [-1, 3]},
        {"tokens": [3.0, 1]},
        {"tokens": []},
        {"name": 5},
        {"text": None},
    ],
    ids=str,
)
def test_a_law_of_anything_but_integers_is_refused(change):
    with pytest.raises(InvalidArgument, match="law"):
        TokenLaw.from_json({"name": "x", "text": "", "tokens": [3, 1], "counts": [1, 1]} | change)


def test_a_law_in_another_order_is_the_same_law():
    law = TokenLaw.from_json({"name": "x", "text": "", "tokens": [5, 3, 1], "counts": [1, 1, 2]})
    assert law.tokens.tolist() == [1, 3, 5]
    assert law.counts.tolist() == [2, 1, 1]
