"""Sphinx configuration of the generated pages."""

project = "ropeproof"
author = "ropeproof contributors"
extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath", "deflist"]
html_theme = "furo"
html_title = "ropeproof"
exclude_patterns = ["_build"]
