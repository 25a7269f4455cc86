"""Titles in Markdown: the formulas in a claim's title, which is plain text, are set as formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ropeproof.proofs_check.present.letters import GREEK
from ropeproof.proofs_check.site.markup.text import plain

__all__ = ["set_title", "title_latex"]

_COMMANDS = {letter: rf"\{name} " for name, letter in GREEK.items()} | {"φ": r"\varphi "}
_SIGNS = {
    **{"≤": r"\le ", "≥": r"\ge ", "≠": r"\ne ", "∈": r"\in ", "∞": r"\infty ", "±": r"\pm "},
    **{"−": "-", "·": r"\cdot ", "×": r"\times ", "√": r"\surd ", "Σ": r"\sum ", "⊤": r"^\top "},
    **{"⟨": r"\langle ", "⟩": r"\rangle ", "‖": r"\Vert ", "|": r"\vert ", "∥": r"\Vert "},
    **{"{": r"\{", "}": r"\}", "→": r"\to ", "′": "'", "%": r"\%"},
}
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿᵈ", "0123456789-+nd", strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
_WRITTEN = {"<=": "≤", ">=": "≥", "!=": "≠", "==": "="}
_FUNCTIONS = frozenset("exp ln log sin cos tan sinh cosh tanh max min sup inf".split())  # noqa: SIM905
_ARTICLES = frozenset("aAI")

_RELATION = re.compile(r"[=<>≤≥≠±+·×∈→−*/-]+")
_NUMBER = re.compile(r"\d+(?:[.,/]\d+)*")
_MARK = re.compile(r"[Α-ωϑϕϵℓ=<>≤≥≠±·×∈∞√⟨⟩‖∥−⊤^²³⁰¹⁴-⁹⁻⁺ⁿᵈ₀-₉|]")
_CALL = re.compile(rf"(?:[A-Za-z]|{'|'.join(sorted(_FUNCTIONS))})\(.*")
_INDEXED = re.compile(r"[A-Za-z]_\w+|\d+[A-Za-z]|[\[(]?[A-Za-z]|[A-Za-z]/[A-Za-z0-9]|\d+/[A-Za-z]")
_SUFFIX = re.compile(r"(.*?)((?:'s|-th)?[,;:.?!]*)$", re.DOTALL)
_PIECE = re.compile(
    r"(?P<name>[A-Za-z]+)|(?P<raised>[⁰¹²³⁴-⁹⁻⁺ⁿᵈ]+)|(?P<lowered>[₀-₉]+(?:\.[₀-₉]+)?)"
    r"|(?P<index>_[A-Za-z0-9]+)|(?P<power>\^\([^()]*\))|(?P<space>\s+)|(?P<other>.)",
    re.DOTALL,
)


def set_title(title: str) -> str:
    r"""A title in Markdown, with its formulas between dollar signs; text in backticks is code.

    >>> print(set_title("A unit step changes the logit by at most Σ A_l θ_l"))
    A unit step changes the logit by at most $\sum A_l \theta_l$
    >>> print(set_title("f(x) <= 2 for every r-th plane, as `a_b` has it"))
    $f(x) \le 2$ for every $r$-th plane, as `a_b` has it
    """
    return "".join(
        part if number % 2 else _set(part)
        for number, part in enumerate(re.split(r"(`[^`]+`|\$[^$]+\$)", title))
    )


def title_latex(formula: str) -> str:
    r"""A formula of a title, given as plain text, in LaTeX; it has no pipe, which ends a table's cell.

    >>> print(title_latex("|q|² - n^(2/m) exp(−γ)"))
    \vert q\vert^{2} - n^{2/m} \exp(-\gamma)
    """
    for written, sign in _WRITTEN.items():
        formula = formula.replace(written, sign)
    found = re.sub(r" {2,}", " ", "".join(_pieces(formula)).strip())
    return re.sub(r"(\\[A-Za-z]+) (?=[_^)\],/\\])", r"\1", found)


def _pieces(formula: str) -> Iterator[str]:
    for piece in _PIECE.finditer(formula):
        kind, text = piece.lastgroup, piece[0]
        if kind == "name":
            yield _name(text)
        elif kind == "raised":
            yield f"^{{{''.join(_RAISED[c] for c in text)}}}"
        elif kind == "lowered":
            yield f"_{{{''.join(_LOWERED.get(c, c) for c in text)}}}"
        elif kind == "index":
            inside = title_latex(text[1:])
            yield f"_{inside}" if len(inside) == 1 else f"_{{{inside}}}"
        elif kind == "power":
            yield f"^{{{title_latex(text[2:-1])}}}"
        elif kind == "space":
            before = formula[piece.start() - 1 : piece.start()]
            after = formula[piece.end() : piece.end() + 1]
            yield r"\," if before.isdigit() and after.isalpha() else " "
        else:
            yield _SIGNS.get(text) or _COMMANDS.get(text, text)


def _name(word: str) -> str:
    if word in _FUNCTIONS:
        return rf"\{word}"
    if word in GREEK:
        return rf"\{word} "
    return word if len(word) <= 2 else rf"\mathrm{{{word}}}"


def _set(text: str) -> str:
    """Plain text with its runs of formula between dollar signs."""
    words = re.findall(r"\s+|\S+", text)
    shown: list[str] = []
    at = 0
    while at < len(words):
        end = _run(words, at) if words[at].strip() else at
        if end == at:
            shown.append(plain(words[at]) if words[at].strip() else words[at])
            at += 1
            continue
        run = "".join(words[at:end])
        formula, after = _SUFFIX.match(run).groups()  # type: ignore[union-attr]  # it always matches
        opened = ""
        if formula.startswith("(") and formula.count("(") > formula.count(")"):
            opened, formula = "(", formula[1:]
        if formula.endswith(")") and formula.count(")") > formula.count("("):
            formula, after = formula[:-1], ")" + after
        shown.append(f"{opened}${title_latex(formula)}${plain(after) if after else ''}")
        at = end
    return "".join(shown)


def _run(words: list[str], start: int) -> int:
    """The end of the formula that begins at a word, or `start` if none does."""
    end, at, found = start, start, False
    while at < len(words):
        if not words[at].strip():
            at += 1
            continue
        kind = _kind(words, at, start)
        if kind == "word" or (kind == "number" and at > start and not _joined(words, at, start)):
            break
        found |= kind == "formula"
        end = at = at + 1
        if _ends(words[at - 1]) and _depth(words[start:at]) <= 0:
            break
    if not found:
        return start
    while end - 1 > start and _kind(words, end - 1, start) == "sign":
        end -= 2  # a sign with nothing behind it, and the space before it
    return end


def _kind(words: list[str], at: int, start: int) -> str:
    """Whether a word is a `formula`, a `sign` between two parts of one, a `number` or a `word`.

    `start` is the place of the word at which the formula begins.
    """
    within = at > start
    bare = _SUFFIX.match(words[at])[1]  # type: ignore[index]  # it always matches
    if _RELATION.fullmatch(bare):
        beside = within and at + 2 < len(words)
        strong = bool(re.search(r"[=<>≤≥≠±·×∈−+]", bare))
        return "sign" if beside and (strong or _is_operand(words[at + 2])) else "word"
    if _NUMBER.fullmatch(bare):
        return "number"
    if bare in _ARTICLES:
        before = words[at - 2] if at >= 2 else ""
        last = at + 1 == len(words)
        follows = bool(_RELATION.fullmatch(before) or _NUMBER.fullmatch(before))
        if not last and re.fullmatch(r"[=<>≤≥≠±+·×∈−]+", words[at + 2]):
            return "formula"
        return "formula" if follows and (last or not _is_prose(words[at + 2])) else "word"
    if within and _depth(words[start:at]) > 0 and not _is_prose(bare.strip("()[]")):
        return "formula"
    if bare.split("/")[-1].lstrip("(") in _FUNCTIONS:
        return "formula" if at + 2 < len(words) and _is_operand(words[at + 2]) else "word"
    return "formula" if _is_term(bare) else "word"


def _is_term(word: str) -> bool:
    bare = _SUFFIX.match(word)[1]  # type: ignore[index]  # it always matches
    inner = bare.strip("()")
    if bare in _ARTICLES or re.fullmatch(r"[A-Z]{2,}[\w-]*|[A-Z]\d+", inner):
        return False
    return bool(
        _MARK.search(bare)
        or _CALL.fullmatch(bare)
        or _INDEXED.fullmatch(inner or bare)
        or inner in GREEK
        or "/(" in bare
    )


def _is_operand(word: str) -> bool:
    """Whether a word can stand behind a sign or a function: a number, or part of a formula."""
    return bool(re.match(r"[(\d]*\d", word)) or _is_term(word)


def _is_prose(word: str) -> bool:
    """Whether a word is one of a sentence: letters, more than two, and no function's name."""
    bare = _SUFFIX.match(word)[1].strip("()[]")  # type: ignore[index]  # it always matches
    return bare.isalpha() and bare.isascii() and len(bare) > 2 and bare not in _FUNCTIONS


def _joined(words: list[str], at: int, start: int) -> bool:
    """Whether a number belongs to the formula before it: a sign, or an open bracket, leads to it."""
    before = words[at - 2] if at >= 2 else ""
    return bool(_RELATION.fullmatch(before)) or _depth(words[start:at]) > 0 or before in _FUNCTIONS


def _ends(word: str) -> bool:
    """Whether a word ends a formula: a mark of punctuation, or a suffix such as -th, is behind it."""
    return bool(_SUFFIX.match(word)[2])  # type: ignore[index]  # it always matches


def _depth(words: list[str]) -> int:
    """The number of brackets that are open after some words."""
    text = "".join(words)
    return sum(map(text.count, "([⟨")) - sum(map(text.count, ")]⟩"))
