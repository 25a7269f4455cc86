"""Nearly constant queries and keys: every logit close to the mean head's, every weight between.

The mean query and key are (query_x, query_y) and (key_x, key_y), the mean head's logit is
`logit(t)`. A row's own query is (Q_x(l), Q_y(l)); the key at lag j is (K_x(j, l), K_y(j, l)).
"""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(
    __name__,
    "logit_size",
    "logit_close",
    "share_order",
    "row_sandwich",
    "one_direction",
    "rank_condition",
)
