"""Several planes: how far positions can be told apart by a head of constant keys."""

from ropeproof.theory.planes import choice, cycle, digit, digits, frozen, log, order, upper

CLAIMS = (
    *upper.CLAIMS,
    *digit.CLAIMS,
    *digits.CLAIMS,
    *order.CLAIMS,
    *cycle.CLAIMS,
    *choice.CLAIMS,
    *log.CLAIMS,
    *frozen.CLAIMS,
)
