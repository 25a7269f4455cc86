"""Names as mathematicians write them: Greek letters and subscripts, in Unicode and in LaTeX."""

from __future__ import annotations

import re
from functools import cache

__all__ = ["GREEK", "SUPERSCRIPT", "bare", "latex_name", "text_name"]

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "zeta": "ζ", "eta": "η",
    "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ",
    "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "ϕ", "chi": "χ",
    "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ",
    "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
    "varepsilon": "ε", "varphi": "φ", "vartheta": "ϑ", "ell": "ℓ",
}  # fmt: skip
"""Names of Greek letters, and of the sign for a length, as LaTeX has them, with the letters in Unicode."""
_SPELT = {"lamda": "lambda", "lambda_": "lambda"}
_DIGITS = "0123456789-"
SUPERSCRIPT = dict(zip(_DIGITS, "⁰¹²³⁴⁵⁶⁷⁸⁹⁻", strict=True))
_SUBSCRIPT = dict(zip("0123456789", "₀₁₂₃₄₅₆₇₈₉", strict=True))
_PARTS = re.compile(r"([A-Za-z]+|[0-9]+)")


def bare(name: str) -> str:
    """A name without the suffix for its kind: `()` for a function, `_xy` for a vector.

    >>> bare("f()"), bare("q_xy"), bare("sigma_q")
    ('f', 'q', 'sigma_q')
    """
    return name.removesuffix("()").removesuffix("_xy")


@cache
def text_name(name: str) -> str:
    """A name as plain text.

    >>> text_name("theta"), text_name("sigma_q"), text_name("n_0"), text_name("i'")
    ('θ', 'σ_q', 'n₀', 'i′')
    """
    base, primes = _primed(name)
    head, *marks = _split(base)
    text = GREEK.get(head, head)
    for mark in marks:
        text += (
            "".join(_SUBSCRIPT[d] for d in mark) if mark.isdigit() else f"_{GREEK.get(mark, mark)}"
        )
    return text + "′" * primes


@cache
def latex_name(name: str) -> str:
    r"""A name as LaTeX.

    >>> print(latex_name("theta"), latex_name("sigma_q"), latex_name("A_low"), latex_name("i'"))
    \theta \sigma_{q} A_{\mathrm{low}} i'
    """
    base, primes = _primed(name)
    head, *marks = _split(base)
    text = _letter(head)
    if marks:
        text += "_{" + ",".join(map(_letter, marks)) + "}"
    return text + "'" * primes


def _letter(word: str) -> str:
    if word in GREEK:
        return rf"\{word}"
    return word if len(word) == 1 or word.isdigit() else rf"\mathrm{{{word}}}"


def _primed(name: str) -> tuple[str, int]:
    base = name.rstrip("'")
    return base, len(name) - len(base)


def _split(name: str) -> list[str]:
    name = _SPELT.get(name, name)
    parts = [part for word in name.split("_") for part in _PARTS.findall(word)]
    parts = parts or [name]
    return [_SPELT.get(part, part) for part in parts]
