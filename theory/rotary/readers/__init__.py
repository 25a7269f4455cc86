"""What is wrong with a model's configuration, and what each engine makes of it.

`lint_file` reads a `config.json` or the header of a GGUF, `lint_fields` a mapping; both give all findings
at once. No module here imports SymPy, NumPy or torch: a configuration is judged in milliseconds.
"""

from ropeproof.theory.rotary.readers.files import Linted, lint_file
from ropeproof.theory.rotary.readers.findings import RULES, ConfigFinding
from ropeproof.theory.rotary.readers.rules import lint_fields

__all__ = ["RULES", "ConfigFinding", "Linted", "lint_fields", "lint_file"]
