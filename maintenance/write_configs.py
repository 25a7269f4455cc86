"""Write the public RoPE facts of eight released models as config.json files.

python maintenance/write_configs.py FOLDER
ropeproof check --config FOLDER/llama-3.1-8b.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from ropeproof.theory.rotary.presets import PRESETS


def main(folder: str) -> None:
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for name, preset in PRESETS.items():
        path = target / f"{name}.json"
        path.write_text(json.dumps(preset.to_config(), indent=2) + "\n", encoding="utf-8")
        print(path)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python maintenance/write_configs.py FOLDER")
    main(sys.argv[1])
