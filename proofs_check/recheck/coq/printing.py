"""Terms and formulas of the kernel in Coq's syntax, over its reals and integers.

An integer symbol is a variable in `Z`. A term that is an integer by its form is printed in `Z`
under one `IZR`, so that replacing a symbol by an integer gives the same text as printing the result.
A function symbol takes real numbers; its value is in `R`, or in `Z` for an integer function.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ropeproof.proofs_check.kernel.terms import LARGEST_POWER, Lambda, Term, Variable, free

__all__ = [
    "Names",
    "argument_list",
    "as_integer",
    "as_real",
    "decision",
    "function_of_integers",
    "function_value",
    "is_whole",
    "legal",
    "proposition",
    "sort_of",
]

_TAKEN = frozenset(
    re.findall(
        r"\S+",
        """if then else return as at using where cofix fix for is mod by fun forall exists exists2
        let in match with end R Z N nat S O I Q Set Prop Type SProp exp cos sin ln sqrt PI Rabs Rmax
        Rmin zsum nsum gpow powerRZ zfloor zsign IZR INR True False and or not eq le lt pow Rinv Rdiv
        up sum prod list length""",
    )
)
_RELATIONS = {"eq": "=", "ne": "<>", "le": "<=", "lt": "<"}
_FUNCTIONS = {"cos": "cos", "sin": "sin", "exp": "exp", "log": "ln", "abs": "Rabs", "sqrt": "sqrt"}


@dataclass(frozen=True)
class Names:
    """The Coq names of free symbols and of bound variables."""

    free: Mapping[str, str]
    bound: tuple[str, ...] = ()

    def under(self, names: Sequence[str]) -> Names:
        """The names under a binder of the given variables."""
        return Names(self.free, (*names, *self.bound))

    def of(self, name: str | int) -> str:
        """The Coq name of a free symbol (by label) or a bound variable (by index)."""
        return self.bound[name] if isinstance(name, int) else self.free[name]

    def fresh(self, label: str) -> str:
        """A Coq name similar to the label and distinct from all names here."""
        return _other(legal(label), {*self.free.values(), *self.bound})


def legal(label: str) -> str:
    """The label as a Coq identifier that is neither a keyword nor a name of the library."""
    name = "".join(c if c.isalnum() or c == "_" else "_" for c in label) or "x"
    name = name if name[0].isalpha() else f"v{name}"
    return f"{name}_" if name in _TAKEN or _reserved(name) else name


def _reserved(name: str) -> bool:
    head = name.rstrip("0123456789")
    return head in ("H", "P", "A", "t", "u", "Q", "E", "s") and head != name


def _other(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "'"
    return name


def is_whole(t: Term) -> bool:
    """Whether the term is printed in `Z`: an integer by its form, made of what `Z` has."""
    kind = t[0]
    if kind == "q":
        return bool(t[1].denominator == 1)
    if kind in ("x", "f"):
        return bool(t[2])
    if kind in ("+", "*"):
        return all(map(is_whole, t[1]))
    return kind in ("floor", "sign")


def as_real(t: Term, names: Names) -> str:
    """The term as Coq text in `R`."""
    if t[0] == "q":
        p, q = t[1].numerator, t[1].denominator
        return f"({p} / {q})" if q != 1 else f"{p}" if p >= 0 else f"({p})"
    if is_whole(t):
        return f"(IZR {as_integer(t, names)})"
    kind = t[0]
    if kind == "x":
        return names.of(t[1])
    if kind == "pi":
        return "PI"
    if kind in ("+", "*"):
        if not t[1]:
            return "0" if kind == "+" else "1"
        return "(" + f" {kind} ".join(as_real(a, names) for a in t[1]) + ")"
    if kind == "^":
        return _power(t, names)
    if kind in _FUNCTIONS:
        return f"({_FUNCTIONS[kind]} {as_real(t[1], names)})"
    if kind in ("max", "min"):
        return _folded("Rmax" if kind == "max" else "Rmin", [as_real(a, names) for a in t[1]])
    if kind == "f":
        return _applied(t, names)
    if kind == "sum":
        name = names.fresh(t[1].label)
        low, high = (as_integer(b, names) for b in t[2:4])
        return f"(zsum {low} {high} (fun {name} : Z => {as_real(t[4], names.under([name]))}))"
    if kind == "ite":
        a, b = (as_real(x, names) for x in t[2:])
        return f"(if {decision(t[1], names)} then {a} else {b})"
    raise ValueError(f"no Coq term for {kind}")


def _power(t: Term, names: Names) -> str:
    base = as_real(t[1], names)
    if t[2][0] == "q" and t[2][1].denominator == 1:
        n = int(t[2][1])
        if abs(n) > LARGEST_POWER:
            raise ValueError(f"the power {n} of a term, which Coq counts in ones")
        power = base if abs(n) == 1 else f"({base} ^ {abs(n)})"
        return f"(/ {power})" if n < 0 else power
    return f"(gpow {base} {as_real(t[2], names)})"


def _applied(t: Term, names: Names, scope: str = "") -> str:
    """A function application as Coq text; `scope` is that of its arguments if it is not `R`."""
    plain = ("x", "f", "floor", "sign")
    given = (
        as_real(a, names) + ("" if a[0] in plain or (is_whole(a) and a[0] != "q") else scope)
        for a in t[3]
    )
    return f"({names.of(t[1])} {' '.join(given)})"


def _applies_to_number(t: Any) -> bool:
    """Whether a function is applied to a number, which Coq would read in the surrounding scope."""
    if not isinstance(t, tuple):
        return False
    here = bool(t) and t[0] == "f" and any(a[0] == "q" for a in t[3])
    return here or any(map(_applies_to_number, t))


def _folded(name: str, parts: list[str]) -> str:
    result = parts[0]
    for part in parts[1:]:
        result = f"({name} {result} {part})"
    return result


def decision(f: Term, names: Names) -> str:
    """The Coq decision procedure for a comparison, on which a term branches."""
    if f[0] in ("le", "lt"):
        a, b = (as_real(x, names) for x in f[1:])
        return f"R{f[0]}_dec {a} {b}"
    if f[0] == "eq":
        a, b = (as_real(x, names) for x in f[1:])
        return f"Req_EM_T {a} {b}"
    raise ValueError(f"no decision in Coq for {f[0]}")


def as_integer(t: Term, names: Names) -> str:
    """The term as Coq text in `Z`; it must be an integer by its form."""
    kind = t[0]
    if kind == "q" and t[1].denominator == 1:
        return f"{t[1].numerator}%Z" if t[1] >= 0 else f"({t[1].numerator})%Z"
    if kind == "x" and t[2]:
        return names.of(t[1])
    if kind == "f" and t[2]:
        return _applied(t, names, "%R")
    if kind in ("+", "*"):
        if not t[1]:
            return "0%Z" if kind == "+" else "1%Z"
        return "(" + f" {kind} ".join(as_integer(a, names) for a in t[1]) + ")%Z"
    if kind in ("floor", "sign"):
        scope = "%R" if t[1][0] in ("+", "*") and _applies_to_number(t[1]) else ""
        return f"(z{kind} {as_real(t[1], names)}{scope})"
    if kind == "abs":
        return f"(Z.abs {as_integer(t[1], names)})"
    if kind in ("max", "min"):
        return _folded(f"Z.{kind}", [as_integer(a, names) for a in t[1]])
    return f"(zfloor {as_real(t, names)})"


def proposition(f: Term, names: Names) -> str:
    """The formula as a Coq proposition."""
    kind = f[0]
    if kind in _RELATIONS:
        return f"({as_real(f[1], names)} {_RELATIONS[kind]} {as_real(f[2], names)})"
    if kind in ("and", "or"):
        if not f[1]:
            return "True" if kind == "and" else "False"
        sign = " /\\ " if kind == "and" else " \\/ "
        return "(" + sign.join(proposition(g, names) for g in f[1]) + ")"
    if kind == "if":
        return f"({proposition(f[1], names)} -> {proposition(f[2], names)})"
    if kind == "not":
        return f"(~ {proposition(f[1], names)})"
    if kind in ("all", "some"):
        called: list[str] = []
        for v in f[1]:
            called.append(_other(legal(v.label), {*names.free.values(), *names.bound, *called}))
        body = proposition(f[2], names.under(called))
        for v, name in reversed(list(zip(f[1], called, strict=True))):
            word = "forall" if kind == "all" else "exists"
            body = f"({word} {name} : {sort_of(v)}, {body})"
        return body
    return "True" if kind == "true" else "False"


def sort_of(v: Variable) -> str:
    """The Coq type of a variable's values."""
    return "R -> " * v.arity + ("Z" if v.is_integer else "R")


def argument_list(formulas: Sequence[Term]) -> tuple[Variable, ...]:
    """The free names of the formulas as variables, in order of first occurrence."""
    return tuple(Variable(name, sort, arity) for name, (sort, arity) in free(*formulas).items())


def function_value(value: Lambda, names: Names, *, whole: bool) -> str:
    """A `Lambda` as a Coq function of real numbers, which takes `zfloor` of its integer parameters.

    With `whole` its values are in `Z`.
    """
    called, text = _body(value, names, "(zfloor {})", whole=whole)
    return f"(fun {' '.join(called)} : R => {text})"


def function_of_integers(value: Lambda, names: Names, name: str, *, whole: bool) -> tuple[str, str]:
    """A `Lambda` as a Coq function of reals, defined by a named function that takes integers.

    Returns both texts. While that function is only a name, the integer parts of its integer arguments are
    cheap to rewrite.
    """
    called, text = _body(value, names, "{}", whole=whole)
    sorts = [("Z" if v.is_integer else "R") for v in value[0]]
    given = " ".join(f"({c} : {sort})" for c, sort in zip(called, sorts, strict=True))
    taken = " ".join(
        f"(zfloor {c})" if sort == "Z" else c for c, sort in zip(called, sorts, strict=True)
    )
    return f"(fun {' '.join(called)} : R => {name} {taken})", f"(fun {given} => {text})"


def _body(value: Lambda, names: Names, integer: str, *, whole: bool) -> tuple[list[str], str]:
    """The names of the parameters, and the body with integer parameters formatted by `integer`."""
    parameters, body = value
    called: list[str] = []
    for v in parameters:
        called.append(_other(legal(v.label), {*names.free.values(), *names.bound, *called}))
    written = [
        integer.format(c) if v.is_integer else c for v, c in zip(parameters, called, strict=True)
    ]
    return called, (as_integer if whole else as_real)(body, names.under(written))
