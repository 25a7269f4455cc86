"""Words of a claim as LaTeX: names of symbols, Unicode, code and Markdown become what TeX prints."""

from __future__ import annotations

import re
import unicodedata

from ropeproof.proofs_check.present.letters import GREEK, SUPERSCRIPT, latex_name

__all__ = ["in_words", "left_over"]

_SPECIAL = {
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
    **{c: rf"\{c}" for c in "{}#$%&_"},
    **{"—": "---", "–": "--", "…": r"\ldots{}", "“": "``", "”": "''", "‘": "`", "’": "'"},
    "\N{NO-BREAK SPACE}": "~",
}
_MATHS = {
    **{sign: rf"\{name}" for name, sign in GREEK.items()},
    **{"<": "<", ">": ">", "|": "|", "<=": r"\le", ">=": r"\ge", "!=": r"\ne", "->": r"\to"},
    **{"≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≈": r"\approx", "≡": r"\equiv", "∈": r"\in"},
    **{"→": r"\to", "⇒": r"\Rightarrow", "∞": r"\infty", "√": r"\surd", "±": r"\pm", "∘": r"\circ"},
    **{"⟨": r"\langle", "⟩": r"\rangle", "‖": r"\Vert", "−": "-", "×": r"\times", "·": r"\cdot"},
    **{"∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∂": r"\partial", "′": "'", "∀": r"\forall"},
    **{
        "∃": r"\exists",
        "¬": r"\neg",
        "∧": r"\wedge",
        "∨": r"\vee",
        "⌊": r"\lfloor",
        "⌋": r"\rfloor",
    },
    **{
        "ℝ": r"\mathbb{R}",
        "ℂ": r"\mathbb{C}",
        "ℤ": r"\mathbb{Z}",
        "ℕ": r"\mathbb{N}",
        "ℚ": r"\mathbb{Q}",
    },
}
_RAISED = {
    **{sign: digit for digit, sign in SUPERSCRIPT.items()},
    **dict(zip("ᵀᵃᵇᵈᵉᵏˡᵐⁿᵖᵗᵘᵛˣ⁺", "Tabdeklmnptuvx+", strict=True)),
}
_LOWERED = {chr(0x2080 + digit): str(digit) for digit in range(10)} | {"₊": "+", "₋": "-"}
_NAMES = {*GREEK, "lamda"}
_LETTERS = {sign: name for name, sign in GREEK.items()}
_MARK = r"(?:\([^()$]*\)|-?[A-Za-z0-9]+|\*(?!\w))"
_TERM = re.compile(
    rf"(?<![\w'’.])(?P<base>[A-Za-z]+|[Α-ω]|\d+)(?:_(?P<low>{_MARK}))?(?:\^(?P<high>{_MARK}))?(?P<star>\*(?!\w))?(?![A-Za-z0-9_Α-ω]|\.\w)"
)
_PIECES = re.compile(r"(\$\$.+?\$\$|\$[^$]+\$|`[^`]+`)", re.DOTALL)
_ACCENTS = {"\u0304": "bar", "\u0302": "hat", "\u0303": "tilde", "\u0307": "dot"}
_ACCENTED = re.compile(
    rf"(?P<base>[A-Za-z])(?P<accent>[{''.join(_ACCENTS)}])(?:_(?P<low>{_MARK}))?"
)
_STRONG, _EMPHASISED = (
    re.compile(r"\*\*([^*]+)\*\*"),
    re.compile(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])"),
)


def in_words(text: str, *, markdown: bool = False) -> str:
    r"""Prose as LaTeX; formulas between dollar signs stay, text between backticks is code.

    Names of symbols that are written in ASCII or Unicode become formulas: `tau_0`, `e^(-v)`, `θ`, `k*` and
    single letters other than the words "a", "A" and "I". With `markdown` emphasis is read as well.

    >>> print(in_words("tau_0 is at most e^(-v), and S is the inverse of R_0⁻¹"))
    $\tau_{0}$ is at most $\mathrm{e}^{-v}$, and $S$ is the inverse of $R_{0}^{-1}$
    >>> print(in_words("a share of 95%, by `sums.split`: $x<y$"))
    a share of 95\%, by \texttt{sums.split}: $x<y$
    """
    pieces = _PIECES.split(" ".join(text.split()))
    return "".join(_piece(piece, markdown) for piece in pieces)


def left_over(latex: str) -> str:
    """The characters that pdfTeX does not know, in order; empty for nearly all texts.

    A letter with an accent is known. Other scripts need LuaLaTeX or XeLaTeX and a font that has them.
    """
    return "".join(dict.fromkeys(c for c in latex if ord(c) > 126 and not _is_latin(c)))


def _is_latin(letter: str) -> bool:
    return ord(letter) < 0x180 or "LATIN" in unicodedata.name(letter, "")


def _piece(text: str, markdown: bool) -> str:
    if text.startswith("$$") and len(text) > 4:
        return rf"\[{text[2:-2]}\]"
    if text.startswith("$") and len(text) > 2:
        return text
    if text.startswith("`") and len(text) > 2:
        return rf"\texttt{{{''.join(_code(c) for c in text[1:-1])}}}"
    if not markdown:
        return _prose(text)
    parts = re.split(r"(\*\*[^*]+\*\*|(?<![\w*])\*[^*\s][^*]*\*(?![\w*]))", text)
    return "".join(map(_emphasised, parts))


def _emphasised(text: str) -> str:
    if strong := _STRONG.fullmatch(text):
        return rf"\textbf{{{_prose(strong[1])}}}"
    if weak := _EMPHASISED.fullmatch(text):
        return rf"\emph{{{_prose(weak[1])}}}"
    return _prose(text)


def _code(letter: str) -> str:
    if letter in "._/-":  # places where a long word of code may be broken
        return rf"{_SPECIAL.get(letter, letter)}\allowbreak{{}}"
    return _SPECIAL.get(letter, letter)


def _prose(text: str) -> str:
    """Words without formulas and code: each symbol in them is set as mathematics."""
    found, at = "", 0
    terms = sorted([*_ACCENTED.finditer(text), *_TERM.finditer(text)], key=lambda t: t.start())
    for term in terms:
        if term.start() < at or (formula := _formula(term)) is None:
            continue
        found += _signs(text[at : term.start()]) + formula
        at = term.end()
    return _joined(found + _signs(text[at:]))


def _formula(term: re.Match[str]) -> str | None:
    """A name with its marks as a formula; None for a word or a plain number."""
    if "accent" in term.groupdict():
        under = f"_{{{_mark(term['low'])}}}" if term["low"] else ""
        return rf"$\{_ACCENTS[term['accent']]}{{{term['base']}}}{under}$"
    base, low, high = term["base"], term["low"], term["high"]
    base = _LETTERS.get(base, base)
    word = len(base) > 1 and base.isalpha() and base not in _NAMES
    if word and not high:  # code, as `a_list`, or a word of English
        return None
    if not (low or high or term["star"]) and (base.isdigit() or base in "aAI"):
        return None
    head = r"\mathrm{e}" if base == "e" and high else base if base.isdigit() else latex_name(base)
    high = "(*)" if term["star"] and not high else high
    marks = "".join(f"{sign}{{{_mark(m)}}}" for sign, m in (("_", low), ("^", high)) if m)
    return f"${head}{marks}$"


def _mark(text: str) -> str:
    """A subscript or a superscript without its own brackets."""
    inner = text[1:-1] if text.startswith("(") else text
    names = re.sub(r"[A-Za-z]+(?:_\w+)?", lambda m: latex_name(m[0]), inner)
    return names.replace("<=", r"\le ").replace(">=", r"\ge ")


def _signs(text: str) -> str:
    """Other characters: signs of mathematics in dollar signs, special ones escaped."""
    found, at = "", 0
    while at < len(text):
        two, one = text[at : at + 2], text[at]
        if two in _MATHS:
            found, at = f"{found}${_MATHS[two]}$", at + 2
        elif one in _RAISED or one in _LOWERED:
            table, sign = (_RAISED, "^") if one in _RAISED else (_LOWERED, "_")
            end = at
            while end < len(text) and text[end] in table:
                end += 1
            found, at = f"{found}${sign}{{{''.join(table[c] for c in text[at:end])}}}$", end
        else:
            found += f"${_MATHS[one]}$" if one in _MATHS else _SPECIAL.get(one, one)
            at += 1
    return found


def _joined(text: str) -> str:
    """Formulas that touch each other as one formula."""
    while True:
        shorter = re.sub(r"(?<!\\)\$([^$]+)\$\$([^$]+)\$", _together, text)
        if shorter == text:
            return text
        text = shorter


def _together(pair: re.Match[str]) -> str:
    first, second = pair[1], pair[2]
    space = " " if re.search(r"\\[A-Za-z]+$", first) and second[0].isalpha() else ""
    return f"${first}{space}{second}$"
