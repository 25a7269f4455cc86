"""Print the table of attacks: id, rule attacked, verdict, reason."""

from __future__ import annotations

from kernel.attack_corpus import ENTRIES, FalseStatement, judge
from rich.console import Console
from rich.table import Table

from ropeproof.proofs_check.kernel.check import check_derivation
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import catalogue


def verdict(entry: FalseStatement) -> tuple[str, str]:
    """What was said of the false statement, and why."""
    if entry.level == "catalogue":
        try:
            catalogue((*entry.others, entry.claim))
        except InvalidClaim as error:
            return "refused by the catalogue", str(error)
        return "ACCEPTED by the catalogue", ""
    outcome = judge(entry).outcome
    if outcome.verdict == "holds":
        by_runner = entry.level == "runner"
        return (
            ("left to the runner", "nothing satisfies the hypotheses")
            if by_runner
            else (
                "ACCEPTED",
                outcome.detail,
            )
        )
    return "refused", outcome.detail


def control(entry: FalseStatement) -> str:
    """Whether the true neighbour is accepted."""
    if entry.control is None:
        return ""
    library = {other.id: other for other in entry.others}
    return check_derivation(entry.control, library.__getitem__).outcome.verdict


def main() -> None:
    """The table of all entries."""
    table = Table("id", "rule", "what is wrong", "verdict", "reason", "control")
    for entry in ENTRIES:
        said, why = verdict(entry)
        table.add_row(entry.id, entry.rule, entry.what_is_wrong, said, why, control(entry))
    Console(width=200).print(table)


if __name__ == "__main__":
    main()
