"""The page and the example about TransformerLens, where it is installed."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

from needs import needs

pytestmark = needs("transformer_lens")

ROOT = Path(__file__).resolve().parents[3]


def test_the_code_of_the_page_runs():
    text = (ROOT / "docs" / "transformer_lens.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```py\n(.*?)^```", text, flags=re.S | re.M)
    assert len(blocks) == 3
    names: dict[str, object] = {"__name__": "page"}
    for number, block in enumerate(blocks, 1):
        exec(compile(block, f"transformer_lens.md, block {number}", "exec"), names)


def test_the_example_compares_every_cache_with_the_model(capsys):
    runpy.run_path(str(ROOT / "examples" / "transformer_bridge.py"), run_name="__main__")
    said = capsys.readouterr().out
    assert "planted head: score 0.99" in said
    assert said.count("scores from the cache are off by") == 4
    assert "queries at RMSNormalizationBridge of shape" in said
    assert float(re.search(r"before its norms: off by ([\d.]+)", said)[1]) > 0.1
