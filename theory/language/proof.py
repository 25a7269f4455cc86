"""The language of proofs, in which a derivation is written as it reads on paper.

    def proof(p: Proof) -> None:
        plane = p.under(le(0, l), le(l, m - 1))
        positive = plane.use(AMPLITUDES, {l: l}, why="Amplitudes are not negative.")
        term = plane.show(le(change(l), bound(l)), "So a plane changes by so much,", positive)
        total = term.summed(l, 0, m - 1, "and all planes together.")
        p.qed("That is the bound.", total)

A *scope* holds assumptions; each of its methods adds one step and returns a *fact*. Facts and
hypotheses are the premises of later steps. Where a rule determines its conclusion, the
conclusion need not be written. Nothing here is trusted: this builds `Derivation` objects, which
the kernel checks.
"""

from __future__ import annotations

from collections import abc
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language import axioms, binders, logic, substitution
from ropeproof.theory.language import derivation as rules
from ropeproof.theory.language.attack import Attack
from ropeproof.theory.language.claim import Claim, Hypothesis
from ropeproof.theory.language.instance import LemmaInstance
from ropeproof.theory.language.tactics import by_form, matching
from ropeproof.theory.language.tactics.calculation import Calculation
from ropeproof.theory.language.tactics.goals import shown

if TYPE_CHECKING:
    from typing import TypeAlias

    from ropeproof.theory.language.claim import PriorWork, Theorem
    from ropeproof.theory.language.types import sympy_names as sp
    from ropeproof.theory.language.types.terms import Formula, Substitution, Term

    Premise: TypeAlias = "Fact | Hypothesis | tuple[Premise, ...] | list[Fact] | list[Hypothesis]"
    Factor: TypeAlias = "Fact | Hypothesis | Formula"  # one that the scope assumes
else:
    import sympy as sp

    Premise = Any  # annotations of claim files name it when they are run

__all__ = ["Attack", "Fact", "Premise", "Proof", "Scope", "prove", "theorem"]

_LONGEST = 90  # letters of a reason that writes out what is put for each symbol


@dataclass(frozen=True, eq=False)
class Fact:
    """A formula that a step has established under the assumptions of a scope."""

    formula: Formula
    label: str
    scope: Scope

    def at(
        self, mapping: Substitution, *premises: Premise, why: str = "", keep: bool = False
    ) -> Fact:
        """The fact at given values of its bound or universal symbols, in its own scope.

        With `keep` the step stays for the reader, whether or not a checker needs it.
        """
        return self.scope.use(self, mapping, *premises, why=why, keep=keep)

    def for_all(self, *variables: Term, why: str = "") -> Fact:
        """The fact `for all variables: fact`, under the assumptions about them as a condition."""
        reason = why or _arbitrary(self, variables)
        about = {v if isinstance(v, sp.Symbol) else v.func for v in variables}
        conditions, scope = self.scope.without(about)
        body = logic.If(_both(conditions), self.formula) if conditions else self.formula
        return scope.step(logic.Every(variables, body), rules.generalise(), reason, self)

    def summed(
        self, index: Term, low: Term | int, high: Term | int, why: str = "", *premises: Premise
    ) -> Fact:
        """The comparison of the sums of both sides over `index` from `low` to `high`.

        A strict inequality needs the premise that the range is not empty.
        """
        left, right = (
            side if side == 0 else sp.Sum(side, (index, low, high)) for side in self.formula.args
        )
        goal = self.formula.func(left, right, evaluate=False)
        reason = why or f"Sum {_named(self)} over {index} from {low} to {high}."
        return self.scope.without({index})[1].step(goal, rules.termwise(), reason, self, *premises)

    def parts(self, why: str = "") -> list[Fact]:
        """The parts of a conjunction as separate facts."""
        return [
            self.scope.step(f, rules.smt(), why or f"This is part {n} of {_named(self)}.", self)
            for n, f in enumerate(logic.conjuncts(self.formula), 1)
        ]

    def image(
        self,
        function: abc.Callable[[Term], Term | int],
        why: str,
        *premises: Premise,
        keep: bool = False,
    ) -> Fact:
        """The fact `function(x) = function(y)` from a fact `x = y`.

        From `x <= y` or `x < y` it is the same comparison of `exp`; from `x <= y`, with a premise for
        `0 < x`, that of `log`. With `keep` the step stays for the
        reader. Raises `InvalidClaim` for another function of an inequality.
        """
        left, right = self.formula.args
        if isinstance(self.formula, sp.Eq):
            goal = logic.eq(function(left), function(right))
            return self.scope.rewrite(goal, why, self, *premises, keep=keep)
        goal, rule = by_form.monotone_image(function, self.formula)
        return self.scope.step(goal, rule, why, self, *premises, keep=keep)

    def times(self, factor: Term | int, why: str, *premises: Premise, keep: bool = False) -> Fact:
        """The fact times a factor: `x factor = y factor` or `<=`, from `x = y` or `x <= y`.

        For an inequality premises must say that the factor is nonnegative. With `keep` the step stays for
        the reader, whether or not a checker needs it.
        """
        if isinstance(self.formula, sp.Eq):
            return self.image(lambda side: side * factor, why, *premises, keep=keep)
        x, y = self.formula.args
        goal, rule = logic.le(x * factor, y * factor), by_form.times_factor(x, y, factor)
        return self.scope.step(goal, rule, why, self, *premises, keep=keep)

    def body(self) -> Scope:
        """The scope in which x is a value with the property, for a fact `for some x: body`."""
        return self.scope.under(self.formula.args[1])


class Scope:
    """A scope: assumptions under which further steps are made."""

    def __init__(self, proof: Proof, assuming: tuple[Formula, ...]) -> None:
        self.proof = proof
        self.assuming = assuming

    def under(self, *formulas: Formula) -> Scope:
        """The scope in which these formulas are assumed too, split into conjuncts."""
        new = [p for f in formulas for p in logic.conjuncts(f) if p not in self.assuming]
        return Scope(self.proof, (*self.assuming, *new))

    def supposing(self, hypothesis: Formula) -> Scope:
        """The scope in which the formula is assumed unsplit, such as an induction hypothesis."""
        return Scope(self.proof, (*self.assuming, hypothesis))

    def without(self, heads: set[Any]) -> tuple[tuple[Formula, ...], Scope]:
        """The assumptions that contain these symbols, and the scope of the others."""
        about = tuple(a for a in self.assuming if substitution.free_symbols(a) & heads)
        others = tuple(a for a in self.assuming if a not in about)
        return about, Scope(self.proof, others)

    def given(
        self, formula: Formula, why: str = "This is an assumption made here.", *, keep: bool = False
    ) -> Fact:
        """An assumption as a fact, in the scope in which it is assumed.

        With `keep` the step stays for the reader, whether or not a checker needs it.
        """
        return self.under(formula).step(formula, rules.smt(), why, keep=keep)

    # -- steps -----------------------------------------------------------------------------

    def step(
        self, goal: Formula, rule: rules.Rule, why: str, *premises: Premise, keep: bool = False
    ) -> Fact:
        """Add one step by a given rule.

        With `keep` the step stays for the reader: `ropeproof try --merge` leaves it in, needed or not.
        """
        return self.proof.add(self, goal, rule, why, _flat(premises), keep=keep)

    def show(
        self,
        goal: Formula,
        why: str,
        *premises: Premise,
        by: rules.Rule | None = None,
        products: abc.Sequence[tuple[Factor, Factor]] = (),
        cases: abc.Sequence[Formula] = (),
        monotone: abc.Sequence[Premise] = (),
        keep: bool = False,
    ) -> Fact:
        """Prove the goal by the rule `by`, by simple steps (`immediate`), or by the rule of its form.

        `products` are pairs of premises (or of formulas that the scope assumes) whose product is
        needed too: a step states each. `cases` are formulas one of which holds (a single one is
        combined with its negation): the goal is shown in each case. `monotone` are facts that compare
        the parts in which the sides of a goal `left <= right` differ: each level between a part and
        the goal is a step (`tactics.monotone`). `ropeproof try --write` finds all three.
        With `keep` the step stays for the reader: `ropeproof try --merge` leaves it in, needed or not.
        """
        fact = shown(
            self,
            goal,
            why,
            _flat(premises),
            by=by,
            products=products,
            cases=cases,
            monotone=_flat(monotone),
        )
        return self.proof.keeping(fact) if keep else fact

    def use(
        self,
        fact: Fact | Hypothesis,
        mapping: Substitution | Premise | None = None,
        *premises: Premise,
        why: str = "",
        goal: Formula | None = None,
        keep: bool = False,
    ) -> Fact:
        """An instance of a fact or hypothesis, whose conditions must follow from the premises.

        Without a mapping, as in `use(fact, premise)`, the values for a `for all` are those at which its
        conditions are among the premises, or among these and the scope's assumptions; each variable stands
        for itself if the scope assumes something about the variables, or if its conditions are not found.
        Without `why` the reason names the fact and the values of its symbols. With `keep` the step stays
        for the reader, whether or not a checker needs it.

        Raises `InvalidClaim` for anything that is neither a fact nor a hypothesis.
        """
        if not isinstance(fact, Fact | Hypothesis):
            raise InvalidClaim(
                f"use: got {fact!r}; allowed: a fact that an earlier line of the proof gave, or a "
                "Hypothesis by the name of its variable"
            )
        bound = isinstance(fact.formula, logic.Every)
        if mapping is not None and not isinstance(mapping, abc.Mapping):
            premises, mapping = (mapping, *premises), None
        if mapping is None:
            known = [part for p in _flat(premises) for part in logic.conjuncts(p.formula)]
            mapping = matching.instance_values(fact.formula, known, self.assuming) if bound else {}
        result = fact.formula.args[1] if bound else fact.formula
        values = substitution.as_values(mapping, fact.formula)
        result = substitution.substitute(result, values)
        _, said = logic.implication(result)
        shown = said if goal is None else goal
        reason = why or _instance(fact, mapping)
        return self.step(shown, rules.instance(values), reason, fact, *premises, keep=keep)

    def lemma(
        self,
        claim: Claim | LemmaInstance,
        *premises: Premise,
        why: str,
        goal: Formula | None = None,
    ) -> Fact:
        """Another claim, or an instance `CLAIM.at(x=3)`, whose hypotheses must follow from the premises.

        A symbol without a value stands for itself. Raises `InvalidClaim` for anything else, and `at` does
        for a name that no symbol of the claim has.
        """
        instance = _instance_of(claim, Claim, "lemma")
        shown = instance.conclusion if goal is None else goal
        return self.step(shown, instance.rule, why, *premises)

    def apply(
        self,
        claim: Claim | LemmaInstance,
        *premises: Premise,
        why: str,
        goal: Formula | None = None,
    ) -> Fact:
        """The claim at values for which its conclusion is the goal and its hypotheses are premises.

        The values are found by matching (`tactics.matching`): from the goal if there is one,
        then from the premises in order, then from the scope's assumptions. `CLAIM.at(x=3)` gives values that
        none of these shows. A symbol without a value stands for itself. Raises as `lemma` does.
        """
        known = [part for p in _flat(premises) for part in logic.conjuncts(p.formula)]
        given = _instance_of(claim, Claim, "apply")
        found = matching.matched(given, [*known, *self.assuming], goal)
        return self.lemma(found, *premises, why=why, goal=goal)

    def axiom(
        self,
        axiom: axioms.Axiom | LemmaInstance,
        *premises: Premise,
        why: str,
        goal: Formula | None = None,
    ) -> Fact:
        """An instance of a named axiom, whose hypotheses must follow from the premises.

        `axiom_named("Lindemann").at(p=355, q=113, m=1)` is one. Raises `InvalidClaim` for anything else.
        """
        instance = _instance_of(axiom, axioms.Axiom, "axiom")
        shown = instance.conclusion if goal is None else goal
        return self.step(shown, rules.axiom(instance.of.id, instance.values), why, *premises)

    def rewrite(self, goal: Formula, why: str, *premises: Premise, keep: bool = False) -> Fact:
        """The goal by rewriting with the premises, which are equations read from left to right.

        With `keep` the step stays for the reader, whether or not a checker needs it.
        """
        return self.step(goal, rules.rewrite(), why, *premises, keep=keep)

    # -- sums ------------------------------------------------------------------------------

    def split(
        self,
        total: Term,
        at: Term | int,
        why: str = "",
        *premises: Premise,
        goal: Formula | None = None,
    ) -> Fact:
        """The equation that splits `total` into its part up to `at` and the rest.

        `goal` may write a part with a single term as that term.
        """
        (index, low, high), body = total.limits[-1], binders.inner(total)
        parts = sp.Sum(body, (index, low, at)), sp.Sum(body, (index, at + 1, high))
        shown = logic.eq(total, sp.Add(*parts, evaluate=False)) if goal is None else goal
        reason = why or f"Split the sum over {index} after {index} = {at}."
        return self.step(shown, rules.split(at), reason, *premises)

    def last(self, total: Term, why: str = "", *premises: Premise) -> Fact:
        """The equation that splits off the last term of `total`; its range must not be empty."""
        (index, low, high), body = total.limits[-1], binders.inner(total)
        parts = sp.Sum(body, (index, low, high - 1)), substitution.substitute(body, {index: high})
        goal = logic.eq(total, sp.Add(*parts, evaluate=False))
        reason = why or f"Split off the last term of the sum, that of {index} = {high}."
        return self.split(total, high - 1, reason, *premises, goal=goal)

    def swap(self, total: Term, why: str = "Exchange the order of the two sums.") -> Fact:
        """The equation of a double sum with the exchanged one, over a rectangle or a triangle."""
        corner = by_form.triangle(total)
        if corner is not None:
            return self.step(logic.eq(total, corner[0]), corner[1], why)
        outer, part = total.limits[-1], binders.inner(total)
        exchanged = sp.Sum(sp.Sum(binders.inner(part), outer), part.limits[-1])
        return self.step(logic.eq(total, exchanged), rules.swap(), why)

    def reindex(
        self, total: Term, why: str = "Sum the same terms from the last to the first."
    ) -> Fact:
        """The equation of a sum with the sum in reverse order."""
        (index, low, high), body = total.limits[-1], binders.inner(total)
        turned = sp.Sum(
            substitution.substitute(body, {index: low + high - index}), (index, low, high)
        )
        return self.step(logic.eq(total, turned), rules.reindex(), why)

    def induction(
        self, goal: Formula, variable: Term, start: Term | int, base: Fact, following: Fact,
        *premises: Premise, why: str = "",
    ) -> Fact:  # fmt: skip
        """The goal for every integer from `start` on; `base` is the start, `following` the step."""
        return self.step(
            goal,
            rules.induction(variable, start),
            why or f"This follows by induction on {variable} from {start} on.",
            base,
            following,
            *premises,
        )

    # -- calculus and logic ----------------------------------------------------------------

    def mean_value(
        self, goal: Formula, variable: Term, end: Term | int, at_end: Fact, slope: Fact,
        *premises: Premise, why: str,
    ) -> Fact:  # fmt: skip
        """An inequality from its value at `end` and the sign of the derivative."""
        return self.step(goal, rules.mean_value(variable, end), why, at_end, slope, *premises)

    def witness(self, goal: Formula, mapping: Substitution, *premises: Premise, why: str) -> Fact:
        """A `for some` from its body at the given values."""
        return self.step(
            goal, rules.witness(substitution.as_values(mapping, goal.args[1])), why, *premises
        )

    def choose(self, existence: Fact, fact: Fact, why: str = "", *premises: Premise) -> Fact:
        """The formula of `fact`, which assumes a value from `existence`, without that assumption."""
        provided = f"{_named(existence)} provides such a value".capitalize()
        reason = why or f"{provided}, and the conclusion does not depend on it."
        return self.step(fact.formula, rules.choose(), reason, existence, fact, *premises)

    def chain(self, *links: Fact, why: str = "") -> Fact:
        """The comparison of the ends of a chain of `=`, `<=`, `<`."""
        left, right = links[0].formula.lhs, links[-1].formula.rhs
        kinds = {link.formula.func for link in links}
        compare = logic.lt if sp.Lt in kinds else logic.le if sp.Le in kinds else logic.eq
        reason = why or f"Chain the comparisons of {_named(*links)}."
        return self.step(compare(left, right), rules.chain(), reason, *links)

    def calc(self, start: Term | int) -> Calculation:
        """Start a calculation: `.eq(term, why, ...)`, `.le(...)`, `.lt(...)`, `.done()`."""
        return Calculation(self, start)


class Proof(Scope):
    """A proof under construction: the scope without assumptions, and the steps so far."""

    def __init__(self, goal: Formula, names: abc.Collection[str] = ()) -> None:
        super().__init__(self, ())
        self.goal = goal
        self.names = frozenset(names)  # of hypotheses and mutants, which no step may have
        self.steps: list[rules.Step] = []
        self.uses: dict[str, None] = {}
        self.let_names: dict[str, rules.TermName] = {}

    def let(
        self, text: str, term: Term, means: str, *, of: abc.Sequence[Term] = (), latex: str = ""
    ) -> Term:
        """A name by which readers see a term in the steps of this proof; returns the term.

        The steps have the term itself, and so the kernel sees it. `text` and `latex` (by default the same)
        hold `{}` for each of the symbols `of` in the term, which may be any terms where it is used:
        `p.let("D({})", x**2 + k, "the slope", of=(k,))` shows `x**2 + 3` as `D(3)`. A name that
        looks like a symbol of the claim is not shown, nor one whose term occurs once.

        Raises `InvalidClaim` for an empty name, one that stands for another term, and one with
        another number of places than symbols.
        """
        name = rules.TermName(text, latex or text, means, sp.sympify(term), tuple(of))
        for written in (name.text, name.latex):
            if written.count("{}") != len(name.parameters) or not written.replace("{}", "").strip():
                places = f"a name with {len(name.parameters)} places {{}}, one for each symbol"
                raise InvalidClaim(f"let: got {written!r}; allowed: {places}")
        if self.let_names.setdefault(text, name) != name:
            raise InvalidClaim(f"let: {text!r} is the name of another term of this proof")
        return term

    def add(
        self,
        scope: Scope,
        goal: Formula,
        rule: rules.Rule,
        why: str,
        premises: abc.Sequence[Fact | Hypothesis],
        *,
        keep: bool = False,
    ) -> Fact:
        """Append a step, labelled with its number, and return its fact."""
        number = str(len(self.steps) + 1)
        label = f"step {number}" if number in self.names else number
        using = tuple(p.label if isinstance(p, Fact) else p.name for p in premises)
        self.steps.append(rules.Step(label, goal, rule, why, using, scope.assuming, keep))
        if rule.name == "by_claim":
            self.uses.setdefault(rule.arguments["id"])
        return Fact(goal, label, scope)

    def keeping(self, fact: Fact) -> Fact:
        """The fact, whose step is marked as one that stays for the reader."""
        at = next(n for n, step in enumerate(self.steps) if step.label == fact.label)
        self.steps[at] = replace(self.steps[at], keep=True)
        return fact

    def qed(
        self,
        why: str,
        *premises: Premise,
        by: rules.Rule | None = None,
        products: abc.Sequence[tuple[Factor, Factor]] = (),
        cases: abc.Sequence[Formula] = (),
        monotone: abc.Sequence[Premise] = (),
    ) -> Fact:
        """Prove the claim's conclusion as the last step; arguments as in `show`."""
        return self.show(
            self.goal, why, *premises, by=by, products=products, cases=cases, monotone=monotone
        )


def prove(
    claim: Claim, proof: abc.Callable[[Proof], object], attack: Attack | None = None
) -> Theorem:
    """The claim with its attack and the derivation that `proof` writes, including what that uses.

    `proof` is called when the derivation or `uses` is first read.
    """
    attacked = (attack or Attack()).on(claim)
    if (goal := attacked.conclusion) is None:
        raise InvalidClaim(f"{claim.id}: a derivation without a formal conclusion")

    def write() -> tuple[rules.Derivation, tuple[str, ...]]:
        names = [h.name for h in attacked.hypotheses] + [m.name for m in attacked.mutants]
        written = Proof(goal, names)
        proof(written)
        uses = tuple(dict.fromkeys((*claim.uses, *written.uses)))
        return rules.Derivation(tuple(written.steps), tuple(written.let_names.values())), uses

    return cast("Theorem", attacked.written_later(write))


def theorem(
    id: str,
    /,
    *,
    conclusion: Formula,
    hypotheses: tuple[Hypothesis, ...] = (),
    attack: Attack | None = None,
    needs: abc.Collection[str] | None = None,
    compare: abc.Iterable[PriorWork] = (),
    **stated: Any,
) -> abc.Callable[[abc.Callable[[Proof], object]], Theorem]:
    r'''Decorate a function that proves a claim: claim, attack and proof in one piece.

        @theorem("own.square", conclusion=le(0, x**2), attack=Attack({"positive": lt(0, x**2)}))
        def SQUARE(p: Proof) -> None:
            r"""A square is not negative

            $x^2\ge0$ for every real $x$.
            """
            p.qed("A square is not negative.")

    The first paragraph of the docstring is the claim's title, the rest its statement (Markdown with
    LaTeX) in one paragraph. `needs` names kinds of evidence: by default a proof, and an attack
    if there is one. `compare` is prior work on the same ground, which is added to the claim's source.
    Other fields of `Claim` are given by name; so are a title or a statement that is computed. Raises
    `InvalidClaim` for whatever `Claim` and `Attack` refuse, and if there is neither a docstring nor a title.
    '''

    def proved(proof: abc.Callable[[Proof], object]) -> Theorem:
        kinds = needs if needs is not None else "P" if attack is None else "PX"
        claim = Claim.of_docstring(
            id,
            proof.__doc__,
            compare,
            needs=frozenset(kinds),
            hypotheses=hypotheses,
            conclusion=conclusion,
            **stated,
        )
        return prove(claim, proof, attack)

    return proved


def _instance_of(taken: Any, kind: type[Claim | axioms.Axiom], method: str) -> LemmaInstance:
    """An instance of a claim, or of an axiom: as it is given, or with each symbol for itself.

    Raises `InvalidClaim` for anything else.
    """
    if isinstance(taken, LemmaInstance) and isinstance(taken.of, kind):
        return taken
    if isinstance(taken, kind):
        return taken.at()
    if kind is axioms.Axiom:
        name = axioms.axiom_named(taken).name if isinstance(taken, str) else "Weyl"
        allowed = f"axiom_named({name!r}), or it at values, as axiom_named({name!r}).at(m=3)"
    elif isinstance(taken, str):
        allowed = f"the claim itself, CLAIMS[{taken!r}], after `from ropeproof import CLAIMS`"
    else:
        allowed = "a claim, such as CLAIMS['exp.monotone'], or one at values, as CLAIM.at(x=3)"
    raise InvalidClaim(f"{method}: got {taken!r}; allowed: {allowed}")


def _flat(premises: abc.Iterable[Premise]) -> list[Fact | Hypothesis]:
    found: list[Fact | Hypothesis] = []
    for premise in premises:
        if isinstance(premise, sp.Basic):
            raise InvalidClaim(
                f"premise: got {premise}, a formula, where a fact is due; allowed: what `show`, `use` or "
                f"`lemma` returned for it, as in fact = p.show({_cut(premise)}, 'The reason.'), or the "
                "Hypothesis that says it, by the name of its variable"
            )
        if isinstance(premise, abc.Mapping):
            raise InvalidClaim(
                "premise: got a mapping; allowed: a fact or a hypothesis. A claim has values for its symbols "
                "by their names, as in p.lemma(CLAIM.at(x=3), premise, why='The reason.')"
            )
        found += _flat(premise) if isinstance(premise, tuple | list) else [premise]
    return found


def _cut(formula: object) -> str:
    """The formula as it is printed, or `...` for a long one."""
    text = str(formula)
    return text if len(text) <= _LONGEST else "..."


def _named(*facts: Fact | Hypothesis) -> str:
    """The words for steps and hypotheses in a reason: `step 4`, `the hypothesis "size"`."""
    if isinstance(facts[0], Hypothesis):
        return f'the hypothesis "{facts[0].name}"'
    labels = [f.label.removeprefix("step ") for f in facts if isinstance(f, Fact)]
    if len(labels) == 1:
        return f"step {labels[0]}"
    return f"steps {', '.join(labels[:-1])} and {labels[-1]}"


def _instance(fact: Fact | Hypothesis, mapping: Substitution) -> str:
    """The generated reason of an instance: the values substituted in the fact."""
    put = [f"{value} for {key}" for key, value in mapping.items() if value is not key]
    if not put:
        return f"The conditions of {_named(fact)} are met here."
    text = f"Put {', '.join(put)} in {_named(fact)}."
    if len(text) <= _LONGEST:
        return text
    return f"This is {_named(fact)} for particular values of {', '.join(map(str, mapping))}."


def _arbitrary(fact: Fact, variables: abc.Sequence[Term]) -> str:
    """The generated reason of a `for all`: the fact was shown for arbitrary values."""
    names = ", ".join(map(str, variables[:-1])) + " and " * (len(variables) > 1)
    names += str(variables[-1])
    step = _named(fact).capitalize()
    return f"{step} was shown for arbitrary {names}, so it holds for all {names}."


def _both(parts: abc.Sequence[Formula]) -> Formula:
    return parts[0] if len(parts) == 1 else logic.Both(*parts)
