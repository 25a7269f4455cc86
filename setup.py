"""The description that a wheel carries: README, whose pictures a reader of the wheel can see, too.

An address in README is one within the repository. In the description it is the address at which the version's
file is published, if `pyproject.toml` names the repository (`[project.urls]`, `Source`); until then the
description contains the pictures themselves. Everything else of the build is in `pyproject.toml`.
"""

from __future__ import annotations

import base64
import re
import tomllib
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).resolve().parent


def description() -> str:
    """README with the pictures of `docs/_static` at addresses that do not depend on where it is read."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    source = project.get("urls", {}).get("Source")
    init = (ROOT / "ropeproof/__init__.py").read_text(encoding="utf-8")
    version = re.findall(r'^__version__ = "(.+)"', init, flags=re.M)[0]

    def address(found: re.Match[str]) -> str:
        if source:
            return f'{found[1]}="{source}/raw/v{version}/{found[2]}"'
        file = (
            ROOT / "ropeproof/pages" / found[2].removeprefix("docs/")
        )  # in a checkout a link to docs
        picture = base64.b64encode(file.read_bytes()).decode()
        return f'{found[1]}="data:image/svg+xml;base64,{picture}"'

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.sub(r'\b(src|srcset)="(docs/_static/[\w.-]+\.svg)"', address, text)


setup(long_description=description(), long_description_content_type="text/markdown")
