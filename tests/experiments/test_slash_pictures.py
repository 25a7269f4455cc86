"""The pictures are drawn from heads that are what their titles say."""

from __future__ import annotations

import numpy as np
from example_programs import load_example

from ropeproof.constructions import aliasing_head, low_planes_head, slash_head
from ropeproof.numerics.bounds.slash.score import slash_scores

pictures = load_example("slash_pictures")


def test_each_head_does_what_its_title_says():
    at, length = pictures.OFFSET, pictures.LENGTH
    tokens = ["a", "b", "c"]
    good = slash_scores(
        pictures.attention(slash_head(pictures.SPEC, at, length, 0.9, tokens=tokens))
    )
    assert good[at] >= 0.9
    ghost = aliasing_head(pictures.SPEC, at, length, pictures.AMPLITUDE, planes=1)
    scores = slash_scores(pictures.attention(ghost))
    assert scores[at + 44] > 0.5 * scores[at]
    smear = low_planes_head(pictures.SPEC, at, length, pictures.AMPLITUDE, wavelength=200)
    scores = slash_scores(pictures.attention(smear))
    assert np.ptp(scores[at - 3 : at + 4]) < 0.05
    assert scores[at] < 0.1


def test_the_figures_have_their_panels_and_labels():
    heads = pictures.heads_figure()
    assert len(heads.axes) == 4  # three maps and the colour bar
    assert all(axis.get_xlabel() and axis.get_title() for axis in heads.axes[:3])
    game = pictures.game_figure((4, 16))
    assert [bool(axis.get_legend()) for axis in game.axes] == [True, True]
