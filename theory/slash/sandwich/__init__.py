"""Nearly constant queries and keys: every logit close to the mean head's, every weight between.

The mean query and key are (query_x, query_y) and (key_x, key_y), the mean head's logit is
`logit(t)`. A row's own query is (Q_x(l), Q_y(l)); the key at lag j is (K_x(j, l), K_y(j, l)).
"""

from __future__ import annotations

from ropeproof.theory.slash.sandwich import logit_close, logit_size, row_sandwich, share_order
from ropeproof.theory.slash.sandwich.common import (
    KEYS_CLOSE,
    MEAN_KEY,
    MEAN_QUERY,
    QUERY_CLOSE,
    SCALE,
    actual,
    bilinear,
    close,
    column_x,
    column_y,
    eps_k,
    eps_q,
    eta,
    f_x,
    f_y,
    h_x,
    h_y,
    near,
    row_logit,
    row_x,
    row_y,
    spread,
)

__all__ = [
    "CLAIMS",
    "KEYS_CLOSE",
    "MEAN_KEY",
    "MEAN_QUERY",
    "QUERY_CLOSE",
    "SCALE",
    "actual",
    "bilinear",
    "close",
    "column_x",
    "column_y",
    "eps_k",
    "eps_q",
    "eta",
    "f_x",
    "f_y",
    "h_x",
    "h_y",
    "near",
    "row_logit",
    "row_x",
    "row_y",
    "spread",
]

CLAIMS = (*logit_size.CLAIMS, *logit_close.CLAIMS, *share_order.CLAIMS, *row_sandwich.CLAIMS)
