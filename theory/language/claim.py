"""A claim: its statement, source, hypotheses and derivation."""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, Literal, get_args

from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.derivation import Derivation, Rule
from ropeproof.theory.language.types import meaning

if TYPE_CHECKING:
    from ropeproof.theory.language.instance import LemmaInstance
    from ropeproof.theory.language.types.terms import Formula, Term

__all__ = [
    "OWN",
    "Catalogue",
    "Claim",
    "Hypothesis",
    "Mutant",
    "Paper",
    "PriorWork",
    "Reading",
    "Source",
    "Theorem",
    "catalogue",
    "checked",
    "made_by",
    "stated_by",
]

Fidelity = Literal["as printed", "as reported", "repaired", "own"]
Kind = Literal["theorem", "definition", "printed", "conjecture"]
Role = Literal["main result", "lemma"]
LETTERS = frozenset("PCTXW")
_WRITTEN = ("derivation", "uses")
_WRITE = "_write"
_STATED_IN = "_stated_in"
_MEANINGS, _BY_NAME = "MEANINGS", "_meaning_by_name"
_LANGUAGE = __name__.rpartition(".")[0] + "."
_OF_PROGRAMS = (
    "ropeproof.proofs_check.programs."  # claims about a program are those of who asks for them
)
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")  # no glob, and nothing that looks like another id


@dataclass(frozen=True)
class PriorWork:
    """Prior work on the same ground as a claim, and how the two differ.

    `words` says what the work has and what the claim has beside it. `version` is the version of the text
    that was read; for a text that was not read it is empty, and `where_read` says what its contents are
    known from.
    """

    paper: str
    words: str
    version: str = ""
    where_read: str = ""

    def __post_init__(self) -> None:
        if bool(self.version) == bool(self.where_read):
            raise InvalidClaim(
                f"compared with {self.paper}: either a `version` of the text was read, or `where_read` says "
                "what its contents are known from"
            )
        if not self.words.strip():
            raise InvalidClaim(
                f"compared with {self.paper}: no `words` that say how the two differ"
            )

    @property
    def line(self) -> str:
        """The comparison on one line, with what of the work was read."""
        read = self.version or f"its text was not read; known from {self.where_read}"
        return f"{self.paper} ({read}): {self.words}"


@dataclass(frozen=True)
class Source:
    """The source of a claim and how faithfully the claim follows it.

    `as printed` and `repaired` are for a text that was read: the statement in its words, or made
    precise where the print is not. `as reported` is a statement known only from others, and
    `where_read` names them. `own` is stated by this project. `compare` is prior work on the same ground,
    which does not state the claim.
    """

    paper: str
    locator: str = ""
    fidelity: Fidelity = "own"
    where_read: str = ""
    compare: tuple[PriorWork, ...] = ()

    def __post_init__(self) -> None:
        if self.fidelity not in get_args(Fidelity):
            allowed = ", ".join(get_args(Fidelity))
            raise InvalidClaim(
                f"source {self.paper}: fidelity {self.fidelity!r}; allowed: {allowed}"
            )
        if (self.fidelity == "as reported") != bool(self.where_read):
            raise InvalidClaim(
                f"source {self.paper}, {self.locator or 'no locator'}: what is as reported, and "
                "nothing else, says in `where_read` who reports it"
            )
        for other in self.compare:
            if not isinstance(other, PriorWork):
                raise InvalidClaim(
                    f"source {self.paper}: compare has {other!r}; allowed: PriorWork(paper, words, ...), or "
                    "what `Paper.compared` returns"
                )

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Source:
        """The source whose `dataclasses.asdict` is `data`, as a cache has it.

        Raises `TypeError` for a field that is no text, or for fields that a source does not have.
        """
        works = [PriorWork(**_texts(work)) for work in data.get("compare", ())]
        own: dict[str, Any] = _texts({n: value for n, value in data.items() if n != "compare"})
        return cls(**own, compare=tuple(works))

    def beside(self, *works: PriorWork) -> Source:
        """The same source with prior work on the same ground, after what it has already.

        >>> OWN.beside(Paper("A paper", version="v2").compared("It has one plane.")).lines[1]
        'Compare: A paper (v2): It has one plane.'
        """
        return replace(self, compare=(*self.compare, *works))

    @property
    def lines(self) -> tuple[str, ...]:
        """The source as a reader sees it: a line of its own, and one for each work to compare it with."""
        parts = (self.paper, self.locator, self.fidelity)
        read = f" (its text was not read; known from {self.where_read})" if self.where_read else ""
        own = f"Source: {', '.join(p for p in parts if p)}{read}"
        return (own, *(f"Compare: {other.line}" for other in self.compare))


def _texts(fields: Mapping[str, Any]) -> dict[str, str]:
    if not all(isinstance(value, str) for value in fields.values()):
        raise TypeError("a field is not a text")
    return dict(fields)


OWN = Source("ropeproof")
"""The source of claims that no paper states."""


@dataclass(frozen=True)
class Paper:
    """A paper as it is cited; `HEADS.at("Theorem 3.1", "repaired")` is a place in it.

    `version` is the one whose text was read. For a paper that could not be read it is empty, and
    `reported` says from where its statements are known.
    """

    cited: str
    version: str = ""
    reported: str = ""

    def __post_init__(self) -> None:
        if bool(self.version) == bool(self.reported):
            raise InvalidClaim(
                f"{self.cited}: either a version of the text was read, or others report of it"
            )

    def at(self, locator: str, fidelity: Fidelity | None = None) -> Source:
        """The source of a claim at the given place in the paper, and how faithfully it is stated.

        By default a statement is `as printed` if the text was read, and `as reported`
        if it was not. The locator names the version that was read. Raises `InvalidClaim` for
        `as printed` or `repaired` of a text that was not read, and for `as reported` of one that was.
        """
        stated = fidelity or ("as printed" if self.version else "as reported")
        if stated in {"as printed", "repaired"} and not self.version:
            raise InvalidClaim(
                f"{self.cited}, {locator}: {stated!r}, but its text was not read; allowed: "
                "as reported, own"
            )
        if stated == "as reported" and self.version:
            raise InvalidClaim(
                f"{self.cited}, {locator}: 'as reported', but its text was read; allowed: "
                "as printed, repaired, own"
            )
        place = f"{self.version}, {locator}" if self.version else locator
        return Source(self.cited, place, stated, self.reported if stated == "as reported" else "")

    def compared(self, words: str) -> PriorWork:
        """The paper as prior work on the ground of a claim; `words` says how the two differ."""
        return PriorWork(self.cited, words, self.version, self.reported)


@dataclass(frozen=True)
class Hypothesis:
    """A named hypothesis.

    The attack must find an instance that violates this hypothesis and the conclusion but satisfies all other
    hypotheses; `without` may aim that search, by formulas that the instance must satisfy. No such instance is
    required where a reason is stated: `idle` says why the conclusion holds without the hypothesis,
    `unshown` why it is needed although no drawn instance can show it (and how it fails).
    """

    name: str
    formula: Formula
    idle: str = ""
    unshown: str = ""
    without: tuple[Formula, ...] = ()

    def __repr__(self) -> str:
        options = (("idle", self.idle), ("unshown", self.unshown), ("without", self.without))
        given = "".join(f", {name}={value!r}" for name, value in options if value)
        return f"Hypothesis({self.name!r}, {self.formula}{given})"


@dataclass(frozen=True)
class Mutant:
    """A deliberately false conclusion, which the attack must refute.

    `equivalent` explains why a surviving mutant is no defect; `at` may aim the search by
    formulas that the instance must satisfy.
    """

    name: str
    conclusion: Formula
    equivalent: str = ""
    at: tuple[Formula, ...] = ()


@dataclass(frozen=True)
class Reading:
    """A reading of a printed statement, and an instance on which it is false.

    `text` says how the print is read. Under all of `hypotheses`, `conclusion` should hold; `at`
    are equations that determine one instance, which the runner checks again: every
    hypothesis holds there and the conclusion does not.
    """

    text: str
    hypotheses: tuple[Formula, ...]
    conclusion: Formula
    at: tuple[Formula, ...]


@dataclass(frozen=True, repr=False)
class Claim:
    """One entry of the catalogue.

    `statement` is Markdown with LaTeX for the reader; `hypotheses` and `conclusion` are the
    formal statement that the kernel, the attack and the property tests share. `needs` holds
    the evidence letters of the theory notes: P proof, C certified, T property test, X attack,
    W construction.

    A claim of kind printed is false as printed. Its `readings` say how, each with an instance;
    a `derivation`, if it has one, proves the negation of its conclusion. `true_when` gives the most
    charitable reading under which it holds, if there is one, and `repaired_by` names the entry that
    is proved instead. `source.locator` is the exact place in the paper.

    `meanings` says what the symbols stand for. What the claim's module has in its mapping `MEANINGS` when
    the claim is made is said of each of its claims; what is given to a claim comes in its place. A meaning
    is for readers: no evidence depends on it, and claims that differ in nothing else are equal.

    `role` says that a theorem is a main result although other proofs use it; if it is not
    declared it follows from the catalogue, see `ropeproof.theory.annotations.roles`.

    `example` gives values that certainly satisfy the hypotheses, where drawing cannot show that
    any do: equations such as `eq(n, 3)`, and `Every((l,), eq(f(l), l**2))` for a function. Each
    condition inside the conclusion must be satisfied on some instance as well; `conditions` aims that
    search, each entry being formulas that the instance must satisfy, as `at` of a mutant. A
    hypothesis that evaluation cannot decide there may follow from an instance of a proved claim:
    `example_by` names it, as `by_claim(id, values)`, and `uses` lists it.
    """

    id: str
    title: str
    statement: str
    source: Source = OWN
    kind: Kind = "theorem"
    needs: frozenset[str] = frozenset()
    hypotheses: tuple[Hypothesis, ...] = ()
    conclusion: Formula | None = None
    # By factories, so that the class has no such attributes: see `written_later`.
    derivation: Derivation | None = field(default_factory=lambda: None)
    uses: tuple[str, ...] = field(default_factory=tuple)
    mutants: tuple[Mutant, ...] = ()
    repaired_by: str | None = None
    readings: tuple[Reading, ...] = ()
    true_when: str = ""
    role: Role | None = None
    example: tuple[Formula, ...] = ()
    conditions: tuple[tuple[Formula, ...], ...] = ()
    example_by: Rule | None = None
    meanings: meaning.Meanings = field(default_factory=dict, compare=False)

    @classmethod
    def of_docstring(
        cls, id: str, text: str | None, compare: Iterable[PriorWork] = (), **stated: Any
    ) -> Claim:
        """The claim whose title is the first paragraph of a docstring, and whose statement is the rest.

        `stated` are the other fields; a title or a statement among them takes the place of the text's;
        `compare` is prior work that is added to the claim's source. Raises `InvalidClaim` if there is
        neither a docstring nor a title.
        """
        title, _, statement = cleandoc(text or "").partition("\n\n")
        fields: dict[str, Any] = {
            "title": " ".join(title.split()),
            "statement": " ".join(statement.split()),
        }
        fields |= stated
        fields["source"] = fields.get("source", OWN).beside(*compare)
        if not (fields["title"] and fields["statement"]):
            raise InvalidClaim(
                f"{id}: the docstring of its proof is {text!r}; allowed: the claim's title, "
                "an empty line and its statement in words (Python's option -OO drops docstrings)"
            )
        return cls(id=id, **fields)

    def __repr__(self) -> str:
        return f"Claim({self.id!r}, kind={self.kind!r})"

    def at(self, /, **values: Term | int | Callable[..., Term | int]) -> LemmaInstance:
        """This claim at values of its symbols, each given by the name that it has in the claim.

        `Scope.lemma` and `Scope.apply` take it, as `LEMMA.at(x=3, w=lambda k: 2 * k)`. A name that is a
        keyword of Python ends in an underscore, as `lambda_`. The value of a function is a function of
        Python, a `sympy.Lambda` or another function symbol. Raises `InvalidClaim` for a name that no symbol
        of the claim has, with those that there are, and for a value that does not fit its symbol.
        """
        from ropeproof.theory.language.instance import LemmaInstance  # SymPy: where values are put

        return LemmaInstance.by_keyword(self, values)

    def written_later(self, write: Callable[[], tuple[Derivation, tuple[str, ...]]]) -> Claim:
        """This claim with a derivation and `uses` that are written when one of them is first read.

        `write` returns both, and must return the same whenever it is called. The result is a claim like any
        other: it is compared, copied and hashed with its derivation, which is written once.
        """
        claim = replace(self)
        for name in _WRITTEN:
            del claim.__dict__[name]
        claim.__dict__[_WRITE] = write
        return claim

    def __getattr__(self, name: str) -> Any:
        # Asked only for what the object has not: `derivation` and `uses` that are still to be written.
        if name in _WRITTEN and _WRITE in self.__dict__:
            _write(self)
            return self.__dict__[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __getstate__(self) -> dict[str, Any]:
        _write(self)
        return dict(self.__dict__)

    def _repr_markdown_(self) -> str:
        from ropeproof.theory.language.notebook import (
            claim_markdown,  # SymPy's printer: only where shown
        )

        return claim_markdown(self)

    @property
    def stated_in(self) -> str:
        """The name of the module whose code created the claim, directly or by `theorem`."""
        return str(self.__dict__.get(_STATED_IN, ""))

    def meaning_of(self, name: str) -> meaning.Meaning | None:
        """The meaning of a symbol in this claim, by its name; None if it has none.

        A function's name ends in `()`, that of a pair of components in `_xy`. Raises `InvalidClaim` for
        meanings of what is no symbol.
        """
        if _BY_NAME not in self.__dict__:
            try:
                self.__dict__[_BY_NAME] = meaning.by_name(self.meanings)
            except TypeError as error:
                raise InvalidClaim(f"{self.id}: {error}") from error
        stated = (self.conclusion, *(h.formula for h in self.hypotheses))
        told = self.__dict__[_BY_NAME].get(name, {})
        return meaning.meaning_among(told, (f for f in stated if f is not None))

    def __post_init__(self) -> None:
        stating = _stating_module()
        self.__dict__[_STATED_IN] = str(stating.get("__name__", ""))
        self._take_meanings(stating.get(_MEANINGS))
        if not _ID.fullmatch(self.id):
            raise InvalidClaim(
                f"claim id {self.id!r}: allowed: a word of the letters A to Z, digits, '.', '-', '_'"
            )
        for what, text in (("title", self.title), ("statement", self.statement)):
            if strange := {letter for letter in text if letter < " "} - {"\n"}:
                raise InvalidClaim(
                    f"{self.id}: the {what} has the control character {min(strange)!r}, which a screen "
                    "does not show; allowed: text in which LaTeX keeps its backslashes, as in r'...'"
                )
        if not self.needs <= LETTERS:
            raise InvalidClaim(f"{self.id}: needs {sorted(self.needs)}, allowed: P, C, T, X, W")
        if self.conclusion is None and (self.kind == "theorem" or self.derivation is not None):
            what = "a theorem" if self.derivation is None else "a derivation"
            raise InvalidClaim(f"{self.id}: {what} without a formal conclusion")
        import sympy as sp  # here, so that ids and help texts need no SymPy
        from ropeproof.theory.language.logic import float_said

        if not isinstance(self.conclusion, sp.Basic | None):
            raise InvalidClaim(
                f"{self.id}: conclusion {self.conclusion!r}; allowed: a formula of symbols, such as le(a, b)"
            )
        if not_exact := float_said(self.conclusion):
            raise InvalidClaim(f"{self.id}: conclusion: {not_exact}")
        for h in self.hypotheses:
            if not isinstance(h, Hypothesis):
                raise InvalidClaim(
                    f"{self.id}: hypothesis {h!r}; allowed: a named one, Hypothesis('its name', {h})"
                )
            if not isinstance(h.formula, sp.Basic | bool):
                raise InvalidClaim(
                    f"{self.id}: hypothesis {h.name!r}: {h.formula!r}; allowed: a formula of symbols, "
                    "such as lt(0, x)"
                )
            if not_exact := float_said(h.formula):
                raise InvalidClaim(f"{self.id}: hypothesis {h.name!r}: {not_exact}")
            if h.idle and h.unshown:
                raise InvalidClaim(f"{self.id}: {h.name!r} is either idle or needed, not both")
        _check_names(self, self.derivation)
        if self.kind == "printed" and not self.repaired_by:
            raise InvalidClaim(f"{self.id}: a printed claim must name the entry that repairs it")
        if self.kind == "printed" and not (self.readings or self.derivation):
            raise InvalidClaim(f"{self.id}: a printed claim must say on which instance it is false")
        if self.role is not None and self.kind != "theorem":
            raise InvalidClaim(f"{self.id}: has a role; only a theorem is a main result or a lemma")
        if self.kind != "printed" and self.readings:
            raise InvalidClaim(f"{self.id}: only a printed claim has readings that fail")

    def _take_meanings(self, of_module: Any) -> None:
        """Add the meanings that the claim's module says to those that the claim is given."""
        for given in (of_module, self.meanings):
            if given is not None and not isinstance(given, Mapping):
                raise InvalidClaim(
                    f"{self.id}: meanings {given!r}; allowed: a mapping from symbols to words"
                )
        if not of_module or self.meanings is of_module:
            return
        self.__dict__["meanings"] = {**of_module, **self.meanings} if self.meanings else of_module


if TYPE_CHECKING:

    class Theorem(Claim):
        """A claim with a formal conclusion, which `theorem` and `prove` return; at run time a `Claim`."""

        conclusion: Formula

else:
    Theorem = Claim


def _stating_module() -> Mapping[str, Any]:
    """The names of the module in which a claim is being created, outside what makes claims for others."""
    frame = sys._getframe(2)
    while frame.f_back is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if name != "dataclasses" and not name.startswith((_LANGUAGE, _OF_PROGRAMS)):
            return frame.f_globals
        frame = frame.f_back
    return {}


def stated_by(module: types.ModuleType) -> tuple[Claim, ...]:
    """The claims that a module states: its `CLAIMS` if it lists them, else those that it creates.

    A claim that it imports belongs to another module. Of several with one id, such as a statement and the
    theorem that proves it, the last counts; the order is that of their first mention.
    """
    if isinstance(listed := vars(module).get("CLAIMS"), tuple | list):
        return tuple(listed)
    return made_by(module)


def made_by(module: types.ModuleType) -> tuple[Claim, ...]:
    """The claims that a module creates, regardless of any `CLAIMS` list; see `stated_by`."""
    made = (value for value in vars(module).values() if type(value) is Claim)
    return tuple({c.id: c for c in made if c.stated_in == module.__name__}.values())


def _check_names(claim: Claim, derivation: Derivation | None) -> None:
    """Raise `InvalidClaim` if two of a claim's hypotheses, mutants and steps have the same name."""
    names = [h.name for h in claim.hypotheses] + [m.name for m in claim.mutants]
    names += [step.label for step in derivation.steps] if derivation else []
    if len(set(names)) < len(names):
        doubled = ", ".join(sorted({name for name in names if names.count(name) > 1}))
        raise InvalidClaim(f"{claim.id}: used twice as a name: {doubled}")


def _write(claim: Claim) -> None:
    """Write the derivation of a claim unless that has been done."""
    write = claim.__dict__.get(_WRITE)
    if write is None:
        return
    from ropeproof.theory import sympy_speed  # SymPy: only where a proof is written

    with sympy_speed.faster():
        found = dict(zip(_WRITTEN, write(), strict=True))
    _check_names(claim, found["derivation"])
    claim.__dict__.update(found)
    claim.__dict__.pop(_WRITE, None)


class Catalogue(Mapping[str, Claim]):
    """An immutable mapping from ids to claims."""

    __slots__ = ("_claims",)
    _claims: Mapping[str, Claim]

    def __init__(self, claims: Mapping[str, Claim]) -> None:
        object.__setattr__(self, "_claims", types.MappingProxyType(dict(claims)))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a catalogue does not change")

    def __getitem__(self, id: str) -> Claim:
        return self._claims[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._claims)

    def __len__(self) -> int:
        return len(self._claims)

    def __or__(self, other: Mapping[str, Claim]) -> dict[str, Claim]:
        """The claims of both mappings; for an id in both, the other's."""
        return {**self._claims, **other}

    def __repr__(self) -> str:
        first = ", ".join(list(self)[:3])
        return f"<{len(self)} claims: {first}{', ...' if len(self) > 3 else ''}>"

    def _repr_markdown_(self) -> str:
        rows = [f"| `{claim.id}` | {claim.kind} | {claim.title} |" for claim in self.values()]
        return "\n".join(["| id | kind | title |", "| --- | --- | --- |", *rows])


def catalogue(claims: Iterable[Claim]) -> Mapping[str, Claim]:
    """The immutable mapping from id to claim, ordered so that each claim follows those it uses.

    Raises `InvalidClaim` on a duplicate id, an unknown id in `uses` or `repaired_by`, a
    derivation that refers to a claim not listed in `uses`, a cycle, a repair that is not
    something to be proved, or a statement with a part that says nothing.
    """
    by_id: dict[str, Claim] = {}
    for claim in claims:
        if type(claim) is not Claim:
            raise InvalidClaim(
                f"{claim!r} is of type {type(claim).__name__}; allowed: Claim itself"
            )
        if claim.id in by_id:
            raise InvalidClaim(f"duplicate claim id {claim.id!r}")
        by_id[claim.id] = claim
    return Catalogue(checked(by_id, by_id))


def checked(claims: Mapping[str, Claim], ids: Iterable[str]) -> dict[str, Claim]:
    """The claims with the given ids and those they use, each after those it uses.

    No other claims of `claims` are read, except those that repair one of them. Raises `InvalidClaim` as
    `catalogue` does.
    """
    from ropeproof.theory.language.wellformed import (
        check_statement,  # SymPy: not for those who only list
    )

    ordered: dict[str, Claim] = {}
    for id in ids:
        _check_references(claims[id], claims)
        check_statement(claims[id])
    for id in ids:
        _place(id, claims, ordered, ())
    return ordered


def _check_references(claim: Claim, by_id: Mapping[str, Claim]) -> None:
    for other in (*claim.uses, *filter(None, [claim.repaired_by])):
        if other not in by_id:
            raise InvalidClaim(f"{claim.id}: refers to the unknown claim {other!r}")
    repair = by_id[claim.repaired_by] if claim.repaired_by else None
    if repair is not None and repair.kind not in ("theorem", "definition"):
        raise InvalidClaim(
            f"{claim.id}: is repaired by {repair.id!r}, a claim of kind {repair.kind}; "
            "allowed: a theorem or a definition"
        )
    steps = claim.derivation.steps if claim.derivation else ()
    for step in steps:
        if step.rule.name == "by_claim" and step.rule.arguments["id"] not in claim.uses:
            raise InvalidClaim(
                f"{claim.id}: step {step.label!r} uses {step.rule.arguments['id']!r}, "
                "which is not listed in `uses`"
            )


def _place(
    id: str, by_id: Mapping[str, Claim], ordered: dict[str, Claim], path: tuple[str, ...]
) -> None:
    if id in path:
        cycle = " -> ".join((*path[path.index(id) :], id))
        raise InvalidClaim(f"claims use each other in a cycle: {cycle}")
    if id in ordered:
        return
    for other in by_id[id].uses:
        _place(other, by_id, ordered, (*path, id))
    ordered[id] = by_id[id]
