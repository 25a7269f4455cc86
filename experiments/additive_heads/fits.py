r"""The fits that replace heads' logits: fixed functions of query, key and lag, found on other text.

With the mean query and key of a head over a text and $c_l$ the mean of $e^{i\theta_lt}$ over the lags of a
window, `posgen.anova` gives the best sum for contents that do not depend on the lag: with two axes
$w(t,q,\bar k)+s\,\mathrm{Re}\sum_lq_l\overline{\kappa_l}c_l$, $\kappa=k-\bar k$, and with three the same of
$\bar q$ in the place of $q$, up to a term of the query that softmax does not see.
Nothing here is fitted to the text that is read, so that no query learns from later tokens, and a fit has a
value at every lag.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from released.subject import Floats, Head, Subject, heads_on

from ropeproof.numerics.bounds.posgen.window import lag_means

__all__ = ["HeadFits", "PlaneErrors", "plane_errors", "planes_kept", "with_means"]

Complexes = np.ndarray


@dataclass(frozen=True, eq=False)
class HeadFits:
    """The means of every head and the lag means of its planes, as float32 tensors.

    `queries` and `keys` are `(layers, heads, head_dim)`, those of a key head stand once for each of
    its heads; `phasors` is `(2, planes)`, real and imaginary part of $c_l$; `kept`, `(layers, heads,
    head_dim)`, are the factors of the low-rank control (`planes_kept`).
    """

    queries: torch.Tensor
    keys: torch.Tensor
    phasors: torch.Tensor
    kept: torch.Tensor


def with_means(subject: Subject, prompts: torch.Tensor) -> HeadFits:
    """The fits of every head from its means over the prompts, `(prompts, length)`; all planes kept."""
    sums: dict[tuple[int, int], Floats] = {}

    def visit(head: Head) -> None:
        both = np.stack([head.queries.mean(0), head.keys.mean(0)])
        place = head.layer, head.head
        sums[place] = sums.get(place, 0.0) + both / len(prompts)

    for tokens in prompts:
        heads_on(subject, tokens, visit)
    config = subject.model.config
    shape = config.num_hidden_layers, config.num_attention_heads
    table = np.array([[sums[layer, head] for head in range(shape[1])] for layer in range(shape[0])])
    means = lag_means(subject.spec, prompts.shape[1])
    single = [torch.from_numpy(table[:, :, side]).float() for side in (0, 1)]
    phasors = torch.from_numpy(np.stack([means.real, means.imag])).float()
    return HeadFits(single[0], single[1], phasors, torch.ones_like(single[0]))


@dataclass(frozen=True, eq=False)
class PlaneErrors:
    """Second moments of the row-centred logits of one head on the causal triangle, plane by plane.

    Each is `(planes, planes)`: `logits` of the planes' own logits, `two` and `three` of what the fit with so
    many axes leaves of them. For planes multiplied by factors `m` the variance is `m @ logits @ m`.
    """

    logits: Floats
    two: Floats
    three: Floats

    def r_squared(self, axes: int, factors: Floats | None = None) -> float:
        """The R^2 of the fit with 2 or 3 axes, of planes multiplied by `factors` if they are given."""
        m = np.ones(len(self.logits)) if factors is None else factors
        left = self.two if axes == 2 else self.three
        return 1 - float(m @ left @ m) / float(m @ self.logits @ m)


def plane_errors(
    subject: Subject, fits: HeadFits, prompts: torch.Tensor
) -> dict[tuple[int, int], PlaneErrors]:
    """The moments of every head, by layer and head, as means over the prompts, `(prompts, length)`."""
    found: dict[tuple[int, int], Floats] = {}
    length = prompts.shape[1]
    below = torch.ones(length, length).tril()
    places = torch.arange(length, dtype=torch.float64)
    phasor = torch.complex(fits.phasors[0], fits.phasors[1])

    def visit(head: Head) -> None:
        place = head.layer, head.head
        planes = head.queries.shape[1] // 2
        turn = np.exp(1j * np.outer(places, _angles(subject)))
        mean_q, mean_k = (
            _planes(side[place].double().numpy()) for side in (fits.queries, fits.keys)
        )
        q, k = _planes(head.queries), _planes(head.keys)
        own = _outer(q * turn, k * turn)
        far, near = np.ones((length, 1)) * mean_q, np.ones((length, 1)) * mean_k
        c = phasor.numpy()
        two = own - _outer(q * turn, near * turn) - _outer(q * c, k - mean_k)
        three = own - _outer(far * turn, near * turn) - _outer(far * c, k - mean_k)
        moments = []
        for logits in (own, two, three):
            rows = logits.mul_(below)
            rows -= rows.sum(2, keepdim=True) / below.sum(1)[:, None]
            flat = rows.mul_(below).reshape(planes, -1)
            moments.append((flat @ flat.T).double().numpy() * head.scale**2 / float(below.sum()))
        found[place] = found.get(place, 0.0) + np.stack(moments) / len(prompts)

    for tokens in prompts:
        heads_on(subject, tokens, visit)
    return {place: PlaneErrors(*moments) for place, moments in found.items()}


def planes_kept(errors: PlaneErrors) -> Floats:
    """Factors of the planes, from 0 to 1, that leave the same error as the fit with two axes.

    The planes with the least logits go first, the last one of them in part: a low-rank form of the head that
    is no sum. All are 0 if even then the error is smaller than the fit's.
    """
    order = np.argsort(np.diag(errors.logits))
    wanted = float(errors.two.sum())
    gone = np.zeros(len(order))

    def error() -> float:
        return float(gone @ errors.logits @ gone)

    for plane in order:
        gone[plane] = 1.0
        if error() >= wanted:
            break
    else:
        return 1 - gone
    low, high = 0.0, 1.0
    for _ in range(50):
        gone[plane] = (low + high) / 2
        low, high = (low, gone[plane]) if error() >= wanted else (gone[plane], high)
    return 1 - gone


def _angles(subject: Subject) -> Floats:
    from ropeproof.numerics.core.spec import frequencies_float64

    return np.asarray(frequencies_float64(subject.spec))


def _planes(vectors: Floats) -> Complexes:
    """The planes of vectors in the half layout as complex numbers, `(..., planes)`."""
    half = vectors.shape[-1] // 2
    return vectors[..., :half] + 1j * vectors[..., half:]


def _outer(queries: Complexes, keys: Complexes) -> torch.Tensor:
    """The logits of every plane before the scale, `(planes, length, length)` float32."""
    q, k = (torch.from_numpy(np.ascontiguousarray(x.T)) for x in (queries, keys))
    real = q.real.float()[:, :, None] * k.real.float()[:, None, :]
    return real.addcmul_(q.imag.float()[:, :, None], k.imag.float()[:, None, :])
