"""Sphinx configuration of the site; `ropeproof docs` runs it on a copy of this folder."""

from pathlib import Path

from ropeproof.proofs_check.site.extension import MATHJAX
from ropeproof.proofs_check.site.inventories import intersphinx
from ropeproof.proofs_check.site.volume import PREAMBLE

project = "ropeproof"
author = "ropeproof contributors"
copyright = author
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx.ext.mathjax",
    "ropeproof.proofs_check.site.extension",
]
exclude_patterns = ["_build", "_inventories", "topics", "paper"]

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
myst_update_mathjax = False  # math.js configures MathJax; MyST would overwrite that
intersphinx_mapping = intersphinx(Path(__file__).parent / "_inventories")
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
python_display_short_literal_types = True

html_theme = "furo"
html_title = "ropeproof"
html_static_path = ["_static"]
html_css_files = ["site.css", "explorer.css"]
html_js_files = [
    ("math.js", {"priority": 100}),
    "catalogue.js",
    "graph.js",
    "explorer.js",
    "claim.js",
]
_static = Path(__file__).parent / "_static"
html_css_files = [name for name in html_css_files if (_static / name).is_file()]
html_js_files = [
    entry
    for entry in html_js_files
    if (_static / (entry if isinstance(entry, str) else entry[0])).is_file()
]
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5c8a", "color-brand-content": "#0b5c8a"},
    "dark_css_variables": {"color-brand-primary": "#7cc4f0", "color-brand-content": "#7cc4f0"},
}
mathjax_path = MATHJAX

latex_documents = [("index", "ropeproof.tex", "ropeproof", author, "manual")]
latex_elements = {"papersize": "a4paper", "preamble": PREAMBLE, "figure_align": "htbp"}
latex_show_urls = "no"
