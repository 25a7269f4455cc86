"""A head among all heads with the same attention: the canonical one."""

from __future__ import annotations

from typing import overload

import numpy as np

from ropeproof.constructions.head import Head
from ropeproof.numerics.forms.canonical import canonical_forms
from ropeproof.numerics.forms.forms import HeadForms, forms_of
from ropeproof.theory.errors import InvalidArgument

__all__ = ["canonical_head"]


@overload
def canonical_head(head: Head) -> Head: ...
@overload
def canonical_head(head: HeadForms) -> HeadForms: ...
def canonical_head(head: Head | HeadForms) -> Head | HeadForms:
    """The head with the same logits, for all inputs and at every lag, whose weights attention determines.

    In each plane that is alone with its angle queries and keys have equal norms, and the first entry of the
    query form that is largest in modulus is real and positive; planes of equal angles, or that stand still,
    have the singular vectors of their common form (`canonical_forms` in `ropeproof.numerics.forms`). Values
    and outputs stay. A `Head` has what its new weights guarantee as certificate, as after `with_weights`; a
    `HeadForms`, as `layer_weights` reads them out of a model, gives a `HeadForms`.

    Two heads have the same logits if and only if their canonical heads are equal (claims `rope.gauge` and
    `head.identified`), up to rounding, and where singular values are equal up to a choice of vectors. How
    near two heads are is asked of `same_head`.

    Raises `InvalidArgument` for anything else.
    """
    if isinstance(head, HeadForms):
        return canonical_forms(head)
    if not isinstance(head, Head):
        raise InvalidArgument("head", type(head).__name__, "a Head or HeadForms")
    found = canonical_forms(forms_of(head))
    real, imaginary = (list(c) for c in zip(*head.spec.plane_coordinates(), strict=True))
    sides = []
    for factor in (found.queries, found.keys):
        weights = np.empty((head.spec.head_dim, head.width))
        weights[real], weights[imaginary] = factor.real, factor.imag
        sides.append(weights)
    return head._reweighted(sides[0], sides[1], head.w_v, head.w_o)
