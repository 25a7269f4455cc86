"""Claims and findings as plain data, and back.

A claim is written as a list of nodes, one for each object that it is made of; the last is the whole. Reading
gives back what was written and nothing else: by classes that are listed, and by no code of whoever wrote it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from operator import index
from types import MappingProxyType
from typing import Any

from ropeproof.proofs_check.evidence import Finding
from ropeproof.proofs_check.kernel.outcome import UNSEEN, Kills, Outcome
from ropeproof.proofs_check.run.apart.terms import (
    MOST_BITS,
    NotPlain,
    node_of,
    parts_of,
    term_of,
)
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language import derivation
from ropeproof.theory.language.claim import Claim, Hypothesis, Mutant, PriorWork, Reading, Source
from ropeproof.theory.language.types.meaning import Meaning

__all__ = ["read", "read_finding", "written", "written_finding"]

_RECORDS: Mapping[str, Any] = {
    kind.__name__: kind
    for kind in (
        *(Claim, Hypothesis, Meaning, Mutant, PriorWork, Reading, Source),
        *(derivation.Derivation, derivation.Rule, derivation.Step, derivation.TermName),
    )
}
_PLAIN: Mapping[type, str] = {str: "text", int: "int", bool: "bool", type(None): "none"}
_TYPES: Mapping[str, Any] = {name: kind for kind, name in _PLAIN.items()}
_HELD = ("tuple", "set", "map")
_VERDICTS = ("holds", "fails", "unknown", "unsupported")
MOST_NODES = 5_000_000


def written(thing: Any) -> list[list[Any]]:
    """The nodes of an object that a claim may be made of, the node of the whole object last.

    Raises `NotPlain` for anything else. Cost: one node for each object, however deep it lies.
    """
    nodes: list[list[Any]] = []
    known: dict[int, tuple[int, Any]] = {}  # held, so that no other object gets its identity
    stack = [(thing, False)]
    while stack:
        one, ready = stack.pop()
        if id(one) in known:
            continue
        parts = _parts(one)
        if parts and not ready:
            stack.append((one, True))
            stack += [(part, False) for part in reversed(parts)]
            continue
        known[id(one)] = (len(nodes), one)
        nodes.append(_node(one, [known[id(part)][0] for part in parts]))
    return nodes


def read(nodes: Any) -> Any:
    """The object whose nodes `written` made.

    Raises `NotPlain` for nodes that `written` does not make, `InvalidClaim` for a claim or a part of
    one that breaks its contract, and for a text with characters that a screen does not show.
    """
    if type(nodes) is not list or not 0 < len(nodes) <= MOST_NODES:
        raise NotPlain("nodes that are no list")
    made: list[Any] = []
    for node in nodes:
        if type(node) is not list or not node or type(node[0]) is not str:
            raise NotPlain("a node of another form")
        try:
            made.append(_made(node, made))
        except (TypeError, ValueError, AttributeError, IndexError, ArithmeticError) as error:
            raise (
                error if isinstance(error, NotPlain) else NotPlain(f"a node of {node[0]}")
            ) from error
    return made[-1]


def _parts(one: Any) -> tuple[Any, ...]:
    kind = type(one)
    if kind in _PLAIN:
        return ()
    if kind in (tuple, list):
        return tuple(one)
    if kind is frozenset:
        return tuple(sorted(one, key=str))  # the same in every process
    if kind in (dict, MappingProxyType):
        return tuple(x for pair in one.items() for x in pair)
    if _RECORDS.get(kind.__name__) is kind:
        return tuple(getattr(one, field.name) for field in fields(kind))
    return parts_of(one)


def _node(one: Any, parts: list[int]) -> list[Any]:
    kind = type(one)
    if kind in _PLAIN:
        return [_PLAIN[kind], one]
    if kind in (tuple, list, frozenset, dict, MappingProxyType):
        what = (
            "map" if kind in (dict, MappingProxyType) else "set" if kind is frozenset else "tuple"
        )
        return [what, *parts]
    if _RECORDS.get(kind.__name__) is kind:
        return ["record", kind.__name__, *parts]
    return node_of(one, parts)


def _made(node: list[Any], made: list[Any]) -> Any:
    what = node[0]
    if what in _TYPES:
        value: Any = node[1] if len(node) == 2 else None
        if len(node) != 2 or type(value) is not _TYPES[what]:
            raise NotPlain(f"a node of {what}")
        if what == "int" and value.bit_length() > MOST_BITS:
            raise NotPlain(f"a number of more than {MOST_BITS} bits")
        if what == "text":
            _check_text(value)
        return value
    if what in ("symbol", "function") and len(node) > 1 and type(node[1]) is str:
        _check_text(node[1])
    told = {"record": 2, "term": 2, "applied": 1, **dict.fromkeys(_HELD, 1)}.get(what, len(node))
    parts = [_before(number, made) for number in node[told:]]
    if what in ("tuple", "set"):
        return tuple(parts) if what == "tuple" else frozenset(parts)
    if what == "map":
        pairs = dict(zip(parts[::2], parts[1::2], strict=True))
        if 2 * len(pairs) != len(parts):
            raise NotPlain("a mapping with one key twice")
        return MappingProxyType(pairs)
    if what == "record":
        return _record(node[1], parts)
    return term_of(node[:told], parts)


def _check_text(text: str) -> None:
    if UNSEEN.search(text):
        raise InvalidClaim(f"{text!r}: a text with characters that a screen does not show")


def _before(number: Any, made: list[Any]) -> Any:
    if type(number) is not int or not 0 <= number < len(made):
        raise NotPlain("a part that does not come before")
    return made[number]


def _record(name: Any, parts: list[Any]) -> Any:
    kind = _RECORDS.get(name) if type(name) is str else None
    if kind is None or len(parts) != len(fields(kind)):
        raise NotPlain(f"a record of kind {name!r}")
    given = dict(zip((field.name for field in fields(kind)), parts, strict=True))
    for field, value in given.items():
        if not _fits(kind, field, value):
            raise NotPlain(f"{name}.{field} of type {type(value).__name__}")
    return kind(**given)


_TEXTS = {
    Claim: ("id", "title", "statement", "kind", "true_when"),
    derivation.Derivation: (),
    Hypothesis: ("name", "idle", "unshown"),
    Meaning: ("words", "text", "latex"),
    Mutant: ("name", "equivalent"),
    PriorWork: ("paper", "words", "version", "where_read"),
    Reading: ("text",),
    derivation.Rule: ("name",),
    Source: ("paper", "locator", "fidelity", "where_read"),
    derivation.Step: ("label", "because"),
    derivation.TermName: ("text", "latex", "meaning"),
}
_TUPLES: Mapping[Any, Mapping[str, Any]] = {
    Claim: {"hypotheses": Hypothesis, "uses": str, "mutants": Mutant, "readings": Reading,
            "example": object, "conditions": tuple},
    derivation.Derivation: {"steps": derivation.Step, "names": derivation.TermName},
    Hypothesis: {"without": object},
    Mutant: {"at": object},
    Reading: {"hypotheses": object, "at": object},
    Source: {"compare": PriorWork},
    derivation.Step: {"using": str, "assuming": object},
    derivation.TermName: {"parameters": object},
}  # fmt: skip
_OTHERS: Mapping[Any, Mapping[str, tuple[type, ...]]] = {
    Claim: {"source": (Source,), "needs": (frozenset,), "derivation": (derivation.Derivation, type(None)),
            "repaired_by": (str, type(None)), "role": (str, type(None)),
            "example_by": (derivation.Rule, type(None)), "meanings": (MappingProxyType,)},
    Meaning: {"matrix": (bool,)},
    derivation.Rule: {"arguments": (MappingProxyType,)},
    derivation.Step: {"rule": (derivation.Rule,), "keep": (bool,)},
}  # fmt: skip


def _fits(kind: Any, field: str, value: Any) -> bool:
    """Whether a field's value has the type that its class declares; a formula may be anything plain."""
    if field in _TEXTS[kind]:
        return type(value) is str
    if (of := _TUPLES.get(kind, {}).get(field)) is not None:
        return type(value) is tuple and all(isinstance(part, of) for part in value)
    allowed = _OTHERS.get(kind, {}).get(field)
    return allowed is None or type(value) in allowed


# -- findings -----------------------------------------------------------------------------------


def written_finding(finding: Finding) -> dict[str, Any]:
    """A finding as plain data; raises `TypeError` or `ValueError` for an object that is no finding."""
    if not isinstance(finding, Finding) or not isinstance(finding.outcome, Outcome):
        got = (
            type(finding).__name__ if not isinstance(finding, Finding) else "Finding of no Outcome"
        )
        raise TypeError(f"the evidence returned a {got}; allowed: a Finding of an Outcome")
    return {
        "verdict": str(finding.outcome.verdict),
        "detail": str(finding.outcome.detail),
        "witness": {str(k): str(v) for k, v in finding.outcome.witness.items()},
        "domain": str(finding.domain),
        "cases": index(finding.cases),
        "kills": [index(finding.kills.tried), index(finding.kills.killed)],
    }


def read_finding(told: Any) -> Finding:
    """The finding that `written_finding` wrote; raises `NotPlain` for anything else."""
    if type(told) is not dict or told.keys() != _FINDING.keys():
        raise NotPlain("a finding of another form")
    if any(type(told[name]) is not kind for name, kind in _FINDING.items()):
        raise NotPlain("a finding of another form")
    if told["verdict"] not in _VERDICTS:
        raise NotPlain(f"the outcome {told['verdict']!r}; allowed: {', '.join(_VERDICTS)}")
    if not all(type(x) is str for pair in told["witness"].items() for x in pair):
        raise NotPlain("a witness of another form")
    if len(told["kills"]) != 2 or any(type(n) is not int or n < 0 for n in told["kills"]):
        raise NotPlain("kills of another form")
    outcome = Outcome(told["verdict"], told["detail"], told["witness"])
    return Finding(outcome, told["domain"], told["cases"], Kills(*told["kills"]))


_FINDING: Mapping[str, type] = {
    "verdict": str, "detail": str, "witness": dict, "domain": str, "cases": int, "kills": list,
}  # fmt: skip
