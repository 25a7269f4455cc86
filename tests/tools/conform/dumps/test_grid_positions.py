"""Functions that make the coordinates of an image: counted from the corner or the middle, and wrongly."""

from __future__ import annotations

import numpy as np
import pytest

from ropeproof.tools.conform.producers.check import check_positions


def grid(start=lambda n: 0, change=lambda p: p, *, first=False):
    def coordinates(frames, height, width):
        t, h, w = np.indices((frames, height, width))
        places = np.stack((t, change(h + start(height)), change(w + start(width))), -1)
        return np.moveaxis(places.reshape(-1, 3), 0, -1) if first else places.reshape(-1, 3)

    return coordinates


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("start", [lambda n: 0, lambda n: n // 2 - n, lambda n: -(n // 2)])
def test_an_image_may_be_counted_from_the_corner_or_from_the_middle(start, first):
    report = check_positions(grid(start, first=first), array="numpy")
    assert report.passed, report
    assert report["positions.grid"].result == "holds"


def test_so_may_one_of_two_coordinates():
    def rows_and_columns(h, w):
        return np.indices((h, w)).reshape(2, -1).T - [h // 2, w // 2]

    assert check_positions(rows_and_columns, array="numpy")["positions.grid"].result == "holds"


def test_one_that_begins_by_no_rule_is_only_shifted():
    report = check_positions(grid(lambda n: 100 - n), array="numpy")
    assert report["positions.grid"].result == "warns"
    assert report.passed


def exchanged(frames, height, width):
    return grid()(frames, height, width)[:, [0, 2, 1]]


def of_height(frames, height, width):
    index = np.arange(frames * height * width)
    return np.stack((index // (height * width), index // height % width, index % height), -1)


def one_alone(frames, height, width):
    places = grid(lambda n: n // 2 - n)(frames, height, width)
    return np.maximum(places, [0, 0, -99])


WRONG = {
    "negative coordinates are taken for 0": grid(lambda n: n // 2 - n, lambda p: np.maximum(p, 0)),
    "negative coordinates lose their sign": grid(lambda n: -(n // 2), np.abs),
    "negative coordinates are taken for 0 of rows alone": one_alone,
    "rows and columns are exchanged": exchanged,
    "rows are counted with the height in the place of the width": of_height,
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong_coordinates_of_an_image_are_named(text):
    report = check_positions(WRONG[text], array="numpy")
    assert not report.passed
    assert report.cause.text.startswith(text), report.cause


def test_what_no_rule_gives_is_told_as_it_is_seen():
    def other(frames, height, width):
        return grid()(frames, height, width) ** 2

    report = check_positions(other, array="numpy")
    assert report["positions.grid"].result == "fails"
    assert "where" in report.cause.text
    assert "due" in report.cause.text
