"""The example that follows the heads of a small model through its training."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "follow_heads.py"


def test_a_head_is_seen_to_learn_the_lag_and_to_attend_for_its_position(capsys):
    runpy.run_path(str(EXAMPLE))["main"](steps=60)
    said = capsys.readouterr().out
    assert "passes beyond those of the training: 0" in said
    scores = re.findall(r"step +(\d+), head (\S+): slash (\S+) at lag (\d+)", said)
    first = max(float(score) for step, _, score, _ in scores if step == "0")
    last = max((float(score), int(lag)) for step, _, score, lag in scores if step == "60")
    assert first < 0.2
    assert last[0] > 0.5
    assert last[1] == 3
    assert max(map(len, said.splitlines())) <= 80
    position = float(re.search(r"^  position +(\S+)", said, flags=re.M)[1])
    assert position > 1
