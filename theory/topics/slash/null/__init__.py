"""What chance gives: a head without positions on exchangeable tokens.

Prompt P has content x(P, j) at position j; a head without positions gives key content a and query
content b the logit F(a, b). Tokens are exchangeable if exchanging positions 1 and a leaves the
law of the prompt as it was: a coupling C_a(P, R) of the law with itself puts mass only on pairs of
prompts that differ by this exchange.
"""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(__name__, "exchange", "row", "null")
