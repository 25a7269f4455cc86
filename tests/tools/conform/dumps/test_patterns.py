"""Names of positions that are others than they should be, said of arrays alone."""

from __future__ import annotations

import numpy as np
import pytest

from ropeproof.tools.conform.dumps.patterns import named_positions

RUN = np.arange(160, 208)
TREE = np.array([*range(60), 60, 60, 61, 61, 62])


@pytest.mark.parametrize(
    ("due", "used", "id", "says"),
    [
        (RUN, 160 + np.arange(48) % 16, "pages", "each page of 16 tokens"),
        (RUN, 160 + np.arange(48) % 12, "pages", "each page of 12 tokens"),
        (np.arange(480, 520), np.arange(480, 520) // 4 * 4, None, ""),
        (TREE, np.arange(65), "counted", "60, 60, 61 are due from token 60 on"),
        (RUN, RUN[np.arange(48) * 3 % 48], "stride", "a stride of 3, as of 3 times as many heads"),
        (RUN[:9], np.array([*RUN[:8], 0]), "not-rotated", "the last token is not rotated"),
        (RUN, 0 * RUN, "constant", "position 0 for every token"),
    ],
)
def test_positions_have_a_name(due, used, id, says):
    due, used = due[np.newaxis], used[np.newaxis]
    found = named_positions(due, used, np.ones(due.shape, dtype=bool))
    assert found is not None
    if id is None:  # a division, not a rounding to bfloat16
        assert found[0] != "positions-type"
        return
    assert found[0] == id
    assert says in found[1]


def test_positions_of_bfloat16_are_told():
    due = np.arange(480, 560)[np.newaxis]
    halves = due / 4  # 480 to 511 are held to 2, those from 512 on to 4
    used = np.where(due < 512, np.rint(due / 2) * 2, np.rint(halves) * 4).astype(np.int64)
    found = named_positions(due, used, np.ones(due.shape, dtype=bool))
    assert found is not None
    assert found == ("positions-type", "positions in bfloat16: rounded to that type")
