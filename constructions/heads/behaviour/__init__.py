r"""What a purely symbolic or purely positional head cannot do, shown on the inputs where it errs.

`a[k, p]` is the logit of content `k` at position `p` for the query at the last position. A head is
symbolic on some contents if `a[k, p]` does not depend on `p`, positional if it does not depend on
`k`; both are checked before an input is given out, and the deviation found is in the record.

- `symbolic_counterexample`: two inputs with the same output whose indexed letters differ
  (`head.symbolic-cannot-index`), whatever the read-out is;
- `positional_counterexample`: two inputs with the same answer of which a simple head misses one
  (`head.positional-cannot-retrieve`); `general_readout` shows that "simple" is needed;
- `uniform_but_self`: both positional and symbolic, and yet almost all weight is in one place
  (`head.uniform-excludes-self`);
- `index_budget`: slow planes cannot tell neighbours apart (`head.index-budget`).
"""

from __future__ import annotations

from ropeproof.constructions.heads.behaviour.counterexample import (
    Counterexample,
    content_logits,
    positional_counterexample,
    symbolic_counterexample,
)
from ropeproof.constructions.heads.behaviour.exhibits import (
    BudgetExhibit,
    GeneralReadout,
    SelfAttendingHead,
    general_readout,
    index_budget,
    uniform_but_self,
)

__all__ = [
    "BudgetExhibit",
    "Counterexample",
    "GeneralReadout",
    "SelfAttendingHead",
    "content_logits",
    "general_readout",
    "index_budget",
    "positional_counterexample",
    "symbolic_counterexample",
    "uniform_but_self",
]
