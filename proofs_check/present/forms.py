"""The forms in which terms are shown: vectors, norms, inner products, and names of the topics.

A form defines how it is typeset and which term it stands for: `build` makes that term from the form's
arguments, so that it can be compared with the claim's term.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from ropeproof.proofs_check.present import lines
from ropeproof.proofs_check.present.setting import ATOM, MUL, POW, Setting, Shown
from ropeproof.proofs_check.present.unicode import Unicode
from ropeproof.theory.language.binders import Binder, rebuilt
from ropeproof.theory.language.notation import l, m, theta
from ropeproof.theory.language.substitution import substitute
from ropeproof.theory.topics.slash.sandwich.cluster import bilinear

__all__ = [
    "Component",
    "Form",
    "Image",
    "Inner",
    "Named",
    "Norm",
    "Softmax",
    "Space",
    "Turned",
    "Vector",
    "component",
    "expanded",
    "is_vector",
    "planes",
]


@dataclass(frozen=True)
class Form(ABC):
    """A way to show a term; the `key` distinguishes forms."""

    key: str

    @abstractmethod
    def set(self, setting: Setting, arguments: tuple[Any, ...]) -> tuple[lines.Document, int]:
        """The typeset term and its precedence level."""

    def build(self, arguments: tuple[Any, ...]) -> Any:
        """The term that the form stands for; a vector has components instead."""
        raise TypeError(f"{self.key} is a vector, given {arguments}")


# -- vectors -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Space:
    """A vector space, by coordinates `index` = 0..high, or by two components in each plane."""

    index: Any
    high: Any
    by_planes: bool = False

    def inner(self, first: Any, second: Any) -> Any:
        """The inner product of two vectors."""
        if self.by_planes:
            (a_x, a_y), (b_x, b_y) = planes(first), planes(second)
            term = a_x * b_x + a_y * b_y
        else:
            term = component(first, self.index) * component(second, self.index)
        return sp.Sum(term, (self.index, 0, self.high))


@dataclass(frozen=True)
class Vector(Form):
    """A vector as a letter with indices; `functions` give coordinates or a plane's components."""

    name: str = ""
    functions: tuple[Any, ...] = ()
    variables: tuple[Any, ...] = ()
    """How a quantifier over the vector has its components."""

    def set(self, setting: Setting, arguments: tuple[Any, ...]) -> tuple[lines.Document, int]:
        if not arguments:
            return setting.name(self.name)
        return setting.applied(self.name, arguments, True)


@dataclass(frozen=True)
class Image(Form):
    """A matrix times a vector.

    The last two arguments of the matrix's function are row and column.
    """

    name: str = ""
    function: Any = None
    space: Space | None = None

    def set(self, setting: Setting, arguments: tuple[Any, ...]) -> tuple[lines.Document, int]:
        *indices, vector = arguments
        head = setting.applied(self.name, tuple(indices), True)[0] if indices else None
        shown = setting.term(vector, POW)
        space = (
            " " if isinstance(setting, Unicode) and not lines.flat(shown).startswith("(") else ""
        )
        return lines.joined([head or setting.name(self.name)[0], space, shown]), MUL


@dataclass(frozen=True)
class Turned(Form):
    """A vector of planes with each plane rotated by its frequency times a lag: `(lag, vector)`."""

    def set(self, setting: Setting, arguments: tuple[Any, ...]) -> tuple[lines.Document, int]:
        lag, vector = arguments
        return lines.joined([_turn(setting, lag), setting.term(vector, POW)]), MUL


def _turn(setting: Setting, lag: Any) -> str:
    shown = setting.inline(lag)
    if isinstance(setting, Unicode):
        shown = shown.replace(" ", "")
        return f"R_{shown} " if len(shown) == 1 else f"R_{{{shown}}} "
    return rf"R_{{{shown}}}\,"


_VECTORS = Vector | Image | Turned


def is_vector(expr: Any) -> bool:
    """Whether a term is a vector or a linear combination of vectors."""
    if isinstance(expr, Shown):
        return isinstance(expr.form, _VECTORS)
    return isinstance(expr, sp.Add | sp.Mul) and any(map(is_vector, expr.args))


def component(vector: Any, index: Any) -> Any:
    """The coordinate with the given index of a linear combination of vectors."""
    if isinstance(vector, Shown) and isinstance(vector.form, Vector):
        arguments = map(expanded, vector.arguments)
        return vector.form.functions[0](*arguments, index)
    if isinstance(vector, Shown) and isinstance(vector.form, Image):
        *indices, of = vector.arguments
        space = vector.form.space
        assert space is not None  # an image has one
        entry = vector.form.function(*map(expanded, indices), index, space.index)
        return sp.Sum(entry * component(of, space.index), (space.index, 0, space.high))
    return _linear(vector, lambda part: component(part, index))


def planes(vector: Any) -> tuple[Any, Any]:
    """The two components in the plane `l` of a linear combination of vectors."""
    if isinstance(vector, Shown) and isinstance(vector.form, Vector):
        arguments = tuple(map(expanded, vector.arguments))
        first, second = vector.form.functions
        return first(*arguments, l), second(*arguments, l)
    if isinstance(vector, Shown) and isinstance(vector.form, Turned):
        lag, of = vector.arguments
        (x, y), angle = planes(of), theta(l) * expanded(lag)
        return x * sp.cos(angle) - y * sp.sin(angle), y * sp.cos(angle) + x * sp.sin(angle)
    return _linear(vector, lambda p: planes(p)[0]), _linear(vector, lambda p: planes(p)[1])


def _linear(vector: Any, take: Callable[[Any], Any]) -> Any:
    if isinstance(vector, sp.Add):
        return sp.Add(*(take(part) for part in vector.args))
    if isinstance(vector, sp.Mul):
        return sp.Mul(*(take(f) if is_vector(f) else expanded(f) for f in vector.args))
    raise TypeError(f"{vector} is no vector")


# -- numbers made of vectors ---------------------------------------------------------------------


@dataclass(frozen=True)
class Norm(Form):
    """The Euclidean norm of a vector."""

    space: Space | None = None

    def set(self, setting: Setting, arguments: tuple[Any, ...]) -> tuple[lines.Document, int]:
        left, right = ("‖", "‖") if isinstance(setting, Unicode) else (r"\lVert ", r"\rVert")
        return setting.between(left, setting.term(arguments[0]), right), ATOM

    def build(self, arguments: tuple[Any, ...]) -> Any:
        assert self.space is not None  # a norm has one
        return sp.sqrt(self.space.inner(arguments[0], arguments[0]))


@dataclass(frozen=True)
class Inner(Form):
    """The inner product of two vectors; with a lag, their logit s <R_lag a, b>."""

    space: Space | None = None

    def set(self, setting: Setting, arguments: tuple[Any, ...]) -> tuple[lines.Document, int]:
        unicode = isinstance(setting, Unicode)
        left, right = ("⟨", "⟩") if unicode else (r"\langle ", r"\rangle")
        first, second, *lag = arguments
        parts = [setting.term(first), setting.term(second)]
        if lag:
            parts[0] = lines.joined([_turn(setting, lag[0]), setting.term(first, POW)])
        found = setting.between(
            left, lines.joined(parts, lines.Sequence((",", lines.Break()))), right
        )
        if not lag:
            return found, ATOM
        scale = setting.name("s")[0]
        return lines.joined([scale, "·" if unicode else r"\,", found]), MUL

    def build(self, arguments: tuple[Any, ...]) -> Any:
        first, second, *lag = arguments
        if lag:
            return bilinear(*planes(first), *planes(second), expanded(lag[0]))
        assert self.space is not None  # an inner product without a lag has one
        return self.space.inner(first, second)


@dataclass(frozen=True)
class Component(Form):
    """A coordinate of a vector: `(vector, index)`."""

    def set(self, setting: Setting, arguments: tuple[Any, ...]) -> tuple[lines.Document, int]:
        image, row = arguments
        mark, body = setting.inline(row), setting.brackets(setting.term(image))
        if isinstance(setting, Unicode):
            mark = mark.replace(" ", "")
            return lines.joined([body, f"_{mark}" if len(mark) == 1 else f"_{{{mark}}}"]), ATOM
        return lines.joined([body, f"_{{{mark}}}"]), ATOM

    def build(self, arguments: tuple[Any, ...]) -> Any:
        return component(arguments[0], expanded(arguments[1]))


# -- other names -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Softmax(Form):
    """The softmax weight of one index; its arguments are logits, index, low, high, place."""

    def binder(self, arguments: tuple[Any, ...]) -> Binder:
        """The binder of the index in the logits."""
        logits, index, *others = arguments
        return Binder((index,), tuple(others), (logits,), lambda v, o, i: Shown(self, *i, *v, *o))

    def set(self, setting: Setting, arguments: tuple[Any, ...]) -> tuple[lines.Document, int]:
        index, low, high, place = map(setting.inline, arguments[1:])
        if isinstance(setting, Unicode):
            low, index, high, place = (t.replace(" ", "") for t in (low, index, high, place))
            head = f"softmax_{{{low}≤{index}≤{high}}}"
            mark = f"_{place}" if len(place) == 1 else f"_{{{place}}}"
        else:
            head = rf"\operatorname{{softmax}}_{{{low}\le {index}\le {high}}}"
            mark = f"_{{{place}}}"
        inside = lines.Indented(2, lines.Sequence((lines.Break(""), setting.term(arguments[0]))))
        return lines.Group(lines.Sequence((f"{head}(", inside, f"){mark}"))), ATOM

    def build(self, arguments: tuple[Any, ...]) -> Any:
        logits, index, low, high, place = map(expanded, arguments)
        return sp.exp(substitute(logits, {index: place})) / sp.Sum(
            sp.exp(logits), (index, low, high)
        )


@dataclass(frozen=True)
class Named(Form):
    """A term that a topic has a name for.

    A vector among the arguments is passed to `of` by its components.
    """

    text: str = ""
    latex: str = ""
    of: Callable[..., Any] | None = None

    def set(self, setting: Setting, arguments: tuple[Any, ...]) -> tuple[lines.Document, int]:
        unicode = isinstance(setting, Unicode)
        pieces = (self.text if unicode else self.latex).split("{}")
        found = pieces[0]
        for piece, argument in zip(pieces[1:], arguments, strict=True):
            inner = setting.inline(argument, POW if found.endswith((" ", r"\,")) else 0)
            if unicode and found.endswith(("_", ",")):
                inner = inner.replace(" ", "")
                if found.endswith("_") and len(inner) > 1:
                    inner = f"{{{inner}}}"
            found += inner + piece
        return found, ATOM

    def build(self, arguments: tuple[Any, ...]) -> Any:
        assert self.of is not None  # a name stands for something
        return self.of(*(_components(a) if is_vector(a) else expanded(a) for a in arguments))


def _components(vector: Any) -> tuple[Any, Any]:
    """The two components in the plane l: coordinates l and l + m, or those of the plane."""
    if any(len(part.form.functions) == 2 for part in _letters(vector)):
        return planes(vector)
    return component(vector, l), component(vector, l + m)


def _letters(vector: Any) -> list[Any]:
    if isinstance(vector, Shown):
        if isinstance(vector.form, Vector):
            return [vector]
        return _letters(vector.arguments[-1])
    return [letter for part in vector.args if is_vector(part) for letter in _letters(part)]


def expanded(expr: Any) -> Any:
    """The formula or term with every name replaced by its term; nothing else is evaluated.

    SymPy's answers about a product that is not evaluated, such as `-1*0` of an instance at 0, can
    contradict each other, and evaluating a term around it asks.
    """
    if isinstance(expr, Shown):
        return expr.form.build(expr.arguments)
    if not getattr(expr, "args", ()):
        return expr
    return rebuilt(
        expr,
        None,
        lambda part, _: expanded(part),
        lambda v, *_: (_by_function(v), None),
        as_written=True,
    )


def _by_function(variables: tuple[Any, ...]) -> list[Any]:
    """The variables of a binder, with vectors replaced by the functions of their coordinates."""
    found = (v.form.variables if isinstance(v, Shown) else (v,) for v in variables)
    return [variable for each in found for variable in each]


PLANES = Space(l, m - 1, by_planes=True)
