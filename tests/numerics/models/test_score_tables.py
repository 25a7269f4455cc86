"""Scores of heads as tables: a frame of pandas, a table in a notebook, one line in a terminal."""

from __future__ import annotations

import importlib.util
import re

import numpy as np
import pytest

from ropeproof import head_scores
from ropeproof.numerics.models.scores import HeadScores
from ropeproof.theory.errors import Unsupported


def scores(shape, axes=("prompt", "layer", "head"), rows=(4,)):
    values = np.arange(np.prod(shape)).reshape(shape) / np.prod(shape)
    words = np.where(values > 0.5, "positional", "neither")
    return HeadScores(values, 1 - values, words, (5,) * shape[0], rows, "llama", 1, 0.9, 1.0, axes)


def test_each_score_has_a_row_with_its_place():
    found = scores((2, 3, 4))
    columns = found._columns()
    assert list(columns) == ["prompt", "layer", "head", "s_pos", "s_sym", "purity"]
    assert len(columns["s_pos"]) == 24
    for place in range(24):
        at = tuple(columns[name][place] for name in ("prompt", "layer", "head"))
        assert columns["s_pos"][place] == found.s_pos[at]
        assert columns["purity"][place] == found.purity[at]


def test_planes_and_rows_are_columns_where_the_arrays_have_them():
    """As many planes as prompts of different lengths have rows: the axes say which it is."""
    planes = scores((2, 1, 1, 2), ("prompt", "layer", "head", "plane"), rows=(4, 3))
    assert list(planes._columns())[:4] == ["prompt", "layer", "head", "plane"]
    both = scores((1, 1, 2, 3, 2), ("prompt", "layer", "head", "plane", "row"), rows=(7, 9))
    columns = both._columns()
    assert sorted(set(columns["row"].tolist())) == [7, 9]
    assert columns["plane"].max() == 2


def test_a_notebook_shows_a_table_and_says_what_it_leaves_out():
    html = scores((1, 2, 3))._repr_html_()
    assert html.count("<tr>") == 7
    assert "<th>s_pos</th>" in html
    assert "more rows" not in html
    long = scores((1, 20, 20))._repr_html_()
    assert long.count("<tr>") == 201
    assert "200 more rows: to_frame()" in long


def test_it_is_one_short_line():
    line = repr(scores((1, 2, 3)))
    assert line == (
        "<HeadScores of a llama: 1 prompts, 2 layers of 3 heads; 4 neither, 2 positional>"
    )
    assert not re.search(r"array|\n", line)


def test_a_frame_has_the_same_columns_or_pandas_is_named():
    found = scores((1, 2, 3))
    if importlib.util.find_spec("pandas") is None:
        with pytest.raises(Unsupported, match="pip install pandas"):
            found.to_frame()
    else:
        frame = found.to_frame()
        assert list(frame.columns) == list(found._columns())
        assert len(frame) == 6


def test_the_axes_are_those_that_were_asked_for():
    assert head_scores.__doc__ is not None
    assert HeadScores.__dataclass_fields__["axes"].default == ("prompt", "layer", "head")
