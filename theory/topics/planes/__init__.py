"""Several planes: how far positions can be told apart by a head of constant keys."""

from ropeproof.theory.topics.planes import (
    address,
    between,
    choice,
    circle,
    cycle,
    digits,
    frozen,
    log,
    log_needed,
    order,
    upper,
)

CLAIMS = (
    *upper.CLAIMS,
    *digits.CLAIMS,
    *order.CLAIMS,
    *cycle.CLAIMS,
    *choice.CLAIMS,
    *log.CLAIMS,
    *log_needed.CLAIMS,
    *frozen.CLAIMS,
    *circle.CLAIMS,
    *between.CLAIMS,
    *address.CLAIMS,
)
