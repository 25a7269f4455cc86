"""Where the calls that make steps, and what they return, stand in a file."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ropeproof.proofs_check.merging.calls import Made

__all__ = ["PREMISES_FROM", "ProofSource", "ResultUse"]

PREMISES_FROM: Mapping[str, int] = {
    "show": 2, "qed": 1, "step": 3, "use": 1, "lemma": 1, "apply": 1, "axiom": 1, "rewrite": 2,
    "split": 3, "last": 2, "induction": 5, "mean_value": 5, "witness": 2, "choose": 3, "image": 2,
    "times": 2, "at": 1, "summed": 4,
}  # fmt: skip
"""The number of arguments before those that may be any premises, by the method that is called."""
REASON_AT: Mapping[str, int] = {
    "show": 1, "qed": 0, "step": 2, "rewrite": 1, "split": 2, "last": 1, "choose": 2, "image": 1,
    "times": 1, "summed": 3, "given": 1,
}  # fmt: skip
"""The place of the reason among the arguments; elsewhere it is given by its name, `why`."""
OF_FACTS = ("at", "image", "times", "summed", "for_all")
"""The methods of a fact, which is a premise of what they show."""
REMOVABLE = ("show", "step", "use", "rewrite", "given", "chain", *OF_FACTS)
"""The methods whose steps may be left out: those that no outline of a proof names."""


@dataclass(frozen=True)
class ResultUse:
    """How the result of a call is used: by which calls, as a premise.

    `statement` is the statement that gives the result a name, and is deleted with the call; it is None
    where the call itself stands among the premises of its only user, or in a tuple of premises: then its
    premises take its place.
    """

    statement: ast.stmt | None
    users: tuple[ast.Call, ...]


class ProofSource:
    """The syntax tree of a file with proofs, and what it says about the calls in it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.text = Path(path).read_text(encoding="utf-8")
        self.tree = ast.parse(self.text)
        self.parent: dict[ast.AST, ast.AST] = {}
        self.calls: dict[tuple[int, int], ast.Call] = {}
        self.left_out: set[ast.Call] = set()
        for node in ast.walk(self.tree):
            for child in ast.iter_child_nodes(node):
                self.parent[child] = node
            if isinstance(node, ast.Call):
                self.calls[node.end_lineno or 0, node.end_col_offset or 0] = node

    @cached_property
    def commented(self) -> set[int]:
        """The lines on which a comment stands."""
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        return {t.start[0] for t in tokens if t.type == tokenize.COMMENT}

    def call(self, made: Made) -> ast.Call | None:
        """The call that made the steps, None if it is not in this file."""
        if made.place[0] != self.path:
            return None
        found = self.calls.get(made.place[1:])
        return found if found is not None and method_of(found) == made.method else None

    def function(self, node: ast.AST) -> ast.AST | None:
        """The innermost function around a node."""
        while (above := self.parent.get(node)) is not None:
            node = above
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                return node
        return None

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement around a node."""
        while not isinstance(node, ast.stmt):
            node = self.parent[node]
        return node

    # -- what the call says --------------------------------------------------------------------

    def premises(self, call: ast.Call, made: Made) -> list[ast.expr] | None:
        """The premises of a call that may be left out, None if it is no such call."""
        name = method_of(call)
        if name not in REMOVABLE or made.given & {"cases", "products", "monotone"}:
            return None
        if any(isinstance(a, ast.Starred) for a in call.args[: PREMISES_FROM.get(name, 0)]):
            return None
        if name == "given":
            return []
        if name == "chain":
            return list(call.args)
        start = PREMISES_FROM.get(name, len(call.args))
        receiver: list[ast.expr] = []
        if name == "use":
            mapped = "mapping" in made.given and len(call.args) > 1
            receiver, start = call.args[:1], 2 if mapped else 1
        elif name in OF_FACTS:
            assert isinstance(call.func, ast.Attribute)
            receiver = [call.func.value]
        return [*receiver, *call.args[start:]]

    def reason(self, call: ast.Call) -> ast.expr | None:
        """The argument that is the call's reason."""
        for keyword in call.keywords:
            if keyword.arg == "why":
                return keyword.value
        at = REASON_AT.get(method_of(call), len(call.args))
        return call.args[at] if at < len(call.args) else None

    def stays(self, call: ast.Call) -> bool:
        """Whether the call says that its step stays for the reader."""
        return any(k.arg == "keep" for k in call.keywords)

    # -- where its result is used --------------------------------------------------------------

    def where(self, call: ast.Call) -> ResultUse | None:
        """Where the call's result is used, if only as a premise; else None.

        None as well where a comment stands in or above the call, which speaks about it, and where the name
        of the result is bound more than once.
        """
        statement = self.statement(call)
        lines = range(statement.lineno - 1, (statement.end_lineno or 0) + 1)
        if self.commented.intersection(lines):
            return None
        if (inside := self.users_of(call)) is not None:
            return ResultUse(None, inside)
        function, above = self.function(call), self.parent[call]
        if function is None or isinstance(function, ast.Lambda) or len(self._body(statement)) < 2:
            return None
        if isinstance(above, ast.Expr):
            return ResultUse(statement, ())
        if not self._is_named(call):
            return None
        users = self._users_of_name(statement)
        return None if users is None else ResultUse(statement, users)

    def _users_of_name(self, statement: ast.stmt) -> tuple[ast.Call, ...] | None:
        """The calls whose premises the name that a statement binds is among, if it stands nowhere else."""
        function = self.function(statement)
        names = None if function is None else self._loads(statement, function)
        found: dict[ast.Call, None] = {}
        for name in names or ():
            if (users := self.users_of(name)) is None:
                return None
            found |= dict.fromkeys(users)
        return None if names is None else tuple(found)

    def _is_named(self, value: ast.expr) -> bool:
        above = self.parent[value]
        return (
            isinstance(above, ast.Assign)
            and len(above.targets) == 1
            and isinstance(above.targets[0], ast.Name)
        )

    def _body(self, statement: ast.stmt) -> list[ast.stmt]:
        above: Any = self.parent[statement]
        for name in ("body", "orelse", "finalbody"):
            body = getattr(above, name, [])
            if isinstance(body, list) and statement in body:
                return body
        return []

    def _loads(self, statement: ast.stmt, function: ast.AST) -> tuple[ast.Name, ...] | None:
        """The places at which the name that the statement binds is read; None if it is bound again.

        They must be in the same function, after the statement.
        """
        assert isinstance(statement, ast.Assign)
        (target,) = statement.targets
        assert isinstance(target, ast.Name)
        name = target.id
        if self.bindings(function).get(name, 0) != 1:
            return None
        found = [
            n
            for n in ast.walk(function)
            if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)
        ]
        end = statement.end_lineno or 0
        if any(self.function(n) is not function or n.lineno <= end for n in found):
            return None
        return tuple(sorted(found, key=lambda n: (n.lineno, n.col_offset)))

    def bindings(self, function: ast.AST) -> dict[str, int]:
        """How often each name is bound in a function, inner functions and comprehensions included."""
        found: dict[str, int] = {}
        for node in ast.walk(function):
            names: list[str] = []
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                names = [node.id]
            elif isinstance(node, ast.arg):
                names = [node.arg]
            elif isinstance(node, ast.Global | ast.Nonlocal):
                names = [*node.names, *node.names]
            elif isinstance(node, ast.FunctionDef | ast.ClassDef) and node is not function:
                names = [node.name]
            for name in names:
                found[name] = found.get(name, 0) + 1
        return found

    def users_of(self, node: ast.AST) -> tuple[ast.Call, ...] | None:
        """The calls among whose premises a node stands; None if it stands elsewhere as well.

        It may stand there alone, in tuples, or in a tuple, list or comprehension that has a name. What a
        call that is left out is made of counts as a premise: it moves to where that call was used.
        """
        above = self.parent[node]
        while isinstance(above, ast.Tuple | ast.List | ast.Starred):
            node, above = above, self.parent[above]
        if isinstance(above, ast.ListComp) and self._gives_each(above, node):
            node, above = above, self.parent[above]
        if isinstance(node, ast.Tuple | ast.List | ast.ListComp) and self._is_named(node):
            return self._users_of_name(self.statement(node))
        if isinstance(above, ast.Attribute):
            call = self.parent[above]
            return (call,) if isinstance(call, ast.Call) and call in self.left_out else None
        if not isinstance(above, ast.Call) or node not in above.args:
            return None
        start = PREMISES_FROM.get(method_of(above))
        if above in self.left_out and method_of(above) in ("use", "chain"):
            start = 0
        if start is None or above.args.index(node) < start:
            return None
        if any(isinstance(a, ast.Starred) for a in above.args[:start]):
            return None
        return (above,)

    def _gives_each(self, comprehension: ast.ListComp, node: ast.AST) -> bool:
        """Whether a call gives each element of a list, from premises that differ from one to the next."""
        if node is not comprehension.elt or not isinstance(node, ast.Call):
            return False
        start = PREMISES_FROM.get(method_of(node), len(node.args))
        told = {n.id for a in node.args[start:] for n in ast.walk(a) if isinstance(n, ast.Name)}
        bound = {
            n.id
            for g in comprehension.generators
            for n in ast.walk(g.target)
            if isinstance(n, ast.Name)
        }
        return bound <= told

    def movable(self, premises: list[ast.expr], where: ResultUse, call: ast.Call) -> bool:
        """Whether the premises mean the same among those of the users as in the call itself."""
        if where.statement is None:
            return True  # they stay where they are
        function = self.function(call)
        bound = self.bindings(function) if function else {}
        pure = all(_is_plain(p) for p in premises)
        if not pure and len(where.users) != 1:
            return False
        names = {n.id for p in premises for n in ast.walk(p) if isinstance(n, ast.Name)}
        if any(bound.get(n, 0) > 1 for n in names):
            return False
        loops = {id(n) for n in self._loops(call)}
        return all({id(n) for n in self._loops(user)} == loops for user in where.users)

    def _loops(self, node: ast.AST) -> Iterator[ast.AST]:
        while (above := self.parent.get(node)) is not None and not isinstance(
            above, ast.FunctionDef | ast.Lambda
        ):
            if isinstance(
                above,
                ast.For | ast.While | ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp,
            ):
                yield above
            node = above


def method_of(call: ast.AST) -> str:
    """The name of the method that a call calls, "" for a function."""
    func = getattr(call, "func", None)
    return func.attr if isinstance(func, ast.Attribute) else ""


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression can be written twice: names, and parts of them."""
    plain = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List, ast.Starred)
    plain += (ast.expr_context, ast.UnaryOp, ast.USub)  # type: ignore[assignment]
    return all(isinstance(n, plain) for n in ast.walk(node))
