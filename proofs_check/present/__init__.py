"""Present statements to readers: in a terminal, in a paper, on a page."""

from ropeproof.proofs_check.present.statement import (
    SCHEMA,
    Statement,
    StatementPart,
    SymbolEntry,
    statement_of,
)

__all__ = ["SCHEMA", "Statement", "StatementPart", "SymbolEntry", "statement_of"]
