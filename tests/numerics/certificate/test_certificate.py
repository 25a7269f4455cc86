"""The certificate of a first layer: on a tiny model all rows can be added up."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import json

import numpy as np
import pytest
from mpmath import mp
from small_certificates import LAW, made, tiny

from ropeproof.numerics.certificate.check import check_record
from ropeproof.numerics.certificate.expected import LawRows
from ropeproof.numerics.certificate.first_layer import FirstLayer
from ropeproof.numerics.certificate.law import TokenLaw
from ropeproof.numerics.certificate.prompts import over_prompts
from ropeproof.numerics.certificate.record import UNITS, Maker
from ropeproof.theory.errors import InvalidArgument

LAGS = 5


def logit(layer: FirstLayer, head: int, query: int, key: int, lag: int):
    """In 40 digits, by the formula of the module, without its code."""
    with mp.workdps(40):

        def vector(weights: np.ndarray, token: int) -> list:
            row = [mp.mpf(float(x)) for x in layer.embedding[token]]
            root = mp.sqrt(sum(x * x for x in row) / len(row) + mp.mpf(layer.eps))
            inputs = [x / root * mp.mpf(float(g)) for x, g in zip(row, layer.norm, strict=True)]
            parts = [
                [
                    mp.fsum(mp.mpf(float(w)) * x for w, x in zip(line, inputs, strict=True))
                    for line in pair
                ]
                for pair in weights
            ]
            return [mp.mpc(*pair) for pair in parts]

        q = vector(layer.query[head], query)
        k = vector(layer.key[head // 2], key)
        turns = [mp.expj(lag * mp.mpf(100) ** (-mp.mpf(plane) / 2)) for plane in range(2)]
        return layer.scale * mp.re(
            sum(a * b.conjugate() * t for a, b, t in zip(q, k, turns, strict=True))
        )


def rates(layer: FirstLayer, head: int, query: int) -> np.ndarray:
    """`(lags, tokens)` for all six tokens."""
    return np.array(
        [
            [float(mp.exp(logit(layer, head, query, key, lag))) for key in range(6)]
            for lag in range(LAGS)
        ]
    )


def enumerated(layer: FirstLayer, head: int, query: int) -> np.ndarray:
    """The expected weight of every lag, over all rows."""
    table = rates(layer, head, query)
    chance = dict(zip(LAW.tokens.tolist(), (LAW.counts / LAW.total).tolist(), strict=True))
    result = np.zeros(LAGS)
    for keys in itertools.product(chance, repeat=LAGS - 1):
        row = np.array([table[0, query], *(table[lag + 1, key] for lag, key in enumerate(keys))])
        result += np.prod([chance[key] for key in keys]) * row / row.sum()
    return result


@pytest.mark.parametrize("strength", [0.5, 3.0, 10.0])
def test_the_enclosures_hold_what_all_rows_add_up_to(strength):
    layer = tiny(strength)
    for query in (0, 4):
        found = LawRows(layer, LAW, LAGS).every_head(query)
        for head, one in enumerate(found):
            true = enumerated(layer, head, query)
            assert (one.lower <= true + 1e-13).all()
            assert (true <= one.upper + 1e-13).all()
            assert one.slack < 1e-2


def test_the_queries_logits_are_those_of_forty_digits():
    layer = tiny()
    rows = LawRows(layer, LAW, LAGS)
    queries = layer.queries(np.arange(6))
    keys = layer.keys(np.arange(6))
    turns, _ = rows._turns
    for head, lag, query, key in itertools.product((0, 3), (0, 4), (1, 5), (0, 2)):
        mine = (
            (queries.planes[head, query] * turns[lag] * keys.planes[head // 2, key].conj())
            .sum()
            .real
        )
        assert abs(float(mine - logit(layer, head, query, key, lag))) < 1e-14


def test_all_prompts_lie_between_the_bounds_which_are_attained():
    layer = tiny()
    found = over_prompts(layer, 3, lags=4)
    for head in range(4):
        table = rates(layer, head, 3)[:4]
        seen = []
        for keys in itertools.product(range(6), repeat=3):
            row = np.array([table[0, 3], *(table[lag + 1, key] for lag, key in enumerate(keys))])
            seen.append(row / row.sum())
        least, largest = np.min(seen, 0), np.max(seen, 0)
        assert (found.lower[head] <= least + 1e-14).all()
        assert (largest <= found.upper[head] + 1e-14).all()
        assert np.allclose(found.lower[head], least, rtol=1e-9)
        assert np.allclose(found.upper[head], largest, rtol=1e-9)


def test_a_record_states_the_mean_over_the_laws_queries_and_is_verified():
    layer = tiny()
    record = made()
    assert record["complete"]
    for head, stated in enumerate(record["heads"]):
        true = sum(
            count * enumerated(layer, head, token)
            for token, count in zip(LAW.tokens.tolist(), LAW.counts.tolist(), strict=True)
        )
        lower = np.array(stated["lower"]) / UNITS
        assert (lower <= true / LAW.total).all()
        assert (true / LAW.total <= lower + stated["slack"] / UNITS).all()
        assert stated["slack"] < UNITS / 100
    found = check_record(record, layer, draw=4)
    assert found.wrong == ()
    assert found.computed["heads"] == record["heads"]
    assert found.not_compared == ("the law's name and the hash of its text",)


def spoiled(record: dict, change) -> dict:
    result = copy.deepcopy(record)
    change(result)
    return result


def test_a_tampered_record_is_found_false():
    layer = tiny()
    record = made()
    lag = record["kept_lags"][1][0]

    def stated(r):
        r["heads"][1]["lower"][lag] += 50
        r["heads"][1]["slack"] -= 50

    def entry(r):
        r["entries"][2][1][0] += 9_000
        r["entries"][2][1][-1] -= 9_000
        sums = sum(e[1][0] * int(c) for e, c in zip(r["entries"], LAW.counts, strict=True))
        more = sums // LAW.total - r["heads"][1]["lower"][lag]
        r["heads"][1]["lower"][lag] += more
        r["heads"][1]["slack"] -= more

    changes = [
        stated,
        entry,
        lambda r: r["heads"][0].update(slack=r["heads"][0]["slack"] - 1),
        lambda r: r.update(mass=[1, LAW.total]),
        lambda r: r.update(complete=False),
        lambda r: [
            one["lower"][0].__setitem__(0, one["lower"][0][0] + 50) for one in r["long_rows"]
        ],
        lambda r: [one["heads"][0]["upper"].__setitem__(0, 1) for one in r["prompts"]],
    ]
    for change in changes:
        assert check_record(spoiled(record, change), layer, draw=9).wrong, change


def test_another_model_code_or_law_is_refused_by_name():
    layer = tiny()
    record = made()
    weights = layer.query.copy()
    weights[0, 0, 0, 0] += np.float32(1e-6)
    other = dataclasses.replace(layer, query=weights)
    with pytest.raises(InvalidArgument, match="model"):
        check_record(record, other)
    with pytest.raises(InvalidArgument, match="code"):
        check_record(record | {"code": "0" * 64}, layer)
    with pytest.raises(InvalidArgument, match="law"):
        check_record(record | {"law": record["law"] | {"counts": [1]}}, layer)
    with pytest.raises(InvalidArgument, match="record"):
        check_record(record | {"form": "x"}, layer)
    with pytest.raises(InvalidArgument, match="entries"):
        check_record({k: v for k, v in record.items() if k != "entries"}, layer)


def test_an_interrupted_run_goes_on_and_ends_with_the_same_record(tmp_path):
    layer, kept = tiny(), tmp_path / "kept"
    first = Maker(layer, LAW, lags=LAGS, long=7, named=2, kept=kept)
    for _ in range(6):
        first.step()
    first.keep()
    half = first.record()
    assert not half["complete"]
    assert check_record(json.loads(json.dumps(half)), layer).wrong == ()
    second = Maker(layer, LAW, lags=LAGS, long=7, named=2, kept=kept)
    assert second.done == 6
    while second.step():
        pass
    assert json.loads(json.dumps(second.record())) == made()
    with pytest.raises(InvalidArgument, match="kept"):
        Maker(layer, LAW, lags=LAGS, long=8, named=2, kept=kept)


def test_logits_that_nothing_is_said_of_are_refused():
    with pytest.raises(InvalidArgument, match="logits"):
        LawRows(tiny(3000.0), LAW, LAGS).every_head(0)
    with pytest.raises(InvalidArgument, match="law"):
        LawRows(tiny(), TokenLaw.of_ids("x", b"x", [77]), LAGS)


def test_where_rates_spread_beyond_the_bins_the_bounds_hold_and_are_wide():
    layer = tiny(40.0)
    for head, one in enumerate(LawRows(layer, LAW, LAGS).every_head(0)):
        true = enumerated(layer, head, 0)
        assert (one.lower <= true + 1e-13).all()
        assert (true <= one.upper + 1e-13).all()
