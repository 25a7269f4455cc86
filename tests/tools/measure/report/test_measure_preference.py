"""`ropeproof measure --preference`: first lags at which heads do not prefer similar tokens."""

from __future__ import annotations

import json
import re
from html import escape

import numpy as np
import pytest
from command_line import measure
from fake_reports import fake_report
from saved_models import save_model

from ropeproof.numerics.models.load import load_model
from ropeproof.numerics.models.visit import visit_layers
from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.measure import lag_preference
from ropeproof.tools.measure.on_demand.preference_lags import check_lags, quartiles, sentences
from ropeproof.tools.measure.prompts import random_prompt
from ropeproof.tools.measure.report import html, overview


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return save_model(tmp_path_factory.mktemp("models") / "small")


def run(*arguments):
    return measure(*arguments, "--prompts", 0)


def test_every_head_is_asked_and_text_and_page_say_it(model, tmp_path):
    page, data = tmp_path / "out.html", tmp_path / "out.json"
    shown = run(model, "--preference", 50, "--layers", "1", "--html", page, "--json", data)
    whole = json.loads(data.read_text())["models"][0]
    found = whole["preference"]
    assert (found["lags"], found["tokens"], found["prompt"]) == (50, 12, "random")
    places = [(head["layer"], head["head"]) for head in found["heads"]]
    assert places == [(head["layer"], head["head"]) for head in whole["heads"]]
    assert {layer for layer, _ in places} == {1}
    text, written = " ".join(shown.split()), page.read_text()
    for sentence in sentences(found):
        assert sentence in text
        assert escape(sentence) in written
    assert max(map(len, shown.splitlines())) <= 80
    listed = written[written.index("head by head</caption>") :]
    listed = listed[: listed.index("</table>")]
    assert re.findall(r'href="#m0-l1-h\d+">([\d.]+)</a>', listed) == [f"1.{n}" for _, n in places]


def test_the_lags_are_those_of_the_head(model):
    found = json.loads(run(model, "--preference", 64, "--json", "-"))["models"][0]["preference"]
    loaded = load_model(str(model))
    tokens = random_prompt(12, int(loaded.model.config.vocab_size), 0).tokens
    layers = []
    visit_layers(loaded.model, [tokens], layers.append)
    spec = loaded.specs(12)
    for head in found["heads"]:
        layer = layers[head["layer"]]
        shared = layer.queries.shape[1] // layer.keys.shape[1]
        queries = layer.queries[0, head["head"]].double().numpy()
        keys = layer.keys[0, head["head"] // shared].double().numpy()
        own = lag_preference(queries, keys, spec[layer.layer], lags=64, scale=layer.scale)
        assert head["similar"] == own.similar_negative
        assert head["own"] == own.own_negative
        assert head["uniform"] == own.uniform_negative
        assert head["similar_at_0"] == pytest.approx(own.similar[0], rel=1e-5)
        assert head["own_at_0"] == pytest.approx(own.own[0], rel=1e-5, abs=1e-9)


def test_nothing_is_said_where_it_is_not_asked(model):
    assert "preference" not in json.loads(run(model, "--json", "-"))["models"][0]
    report = fake_report()
    assert "similar tokens" not in str(html.page(report))
    assert "similar tokens" not in str(overview.overview(report))


@pytest.mark.parametrize("lags", [0, -3, 2**20 + 1])
def test_a_number_of_lags_that_is_none(model, lags):
    with pytest.raises(InvalidArgument, match="preference"):
        check_lags(lags)
    with pytest.raises(InvalidArgument, match="preference"):
        run(model, "--preference", lags)


def test_a_lag_beyond_all_is_none_and_not_a_number():
    assert quartiles([3, None, 5], 100) == ["3", "3", "5", "5", "none"]
    assert quartiles([], 100) == ["no head"] * 5


def head(number, **what):
    return {"layer": 0, "head": number, "similar_at_0": 1.0, "own_at_0": 1.0} | what


def test_only_heads_that_prefer_at_lag_0_are_counted():
    heads = [
        head(0, similar=7, own=2, uniform=9),
        head(1, similar=None, own=0, own_at_0=-1.0, uniform=9),
    ]
    said = list(sentences({"prompt": "text", "tokens": 5, "lags": 1000, "heads": heads}))
    assert said[0].startswith("First lag below 1,000")
    assert "on text, 5 tokens" in said[0]
    assert (
        said[1]
        == "own variances: least 7, quartiles 7, 7 and 7, largest none; never for 1 of them."
    )
    assert said[2] == (
        "a token's query and key, 1 of 2 heads, which prefer them at lag 0: 2 for every head."
    )
    assert said[3] == "uniform: 9 for every head."
    assert not np.isnan(heads[0]["similar"])
