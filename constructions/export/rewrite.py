r"""A head of a transformers model rewritten by one complex number per plane, its attention unchanged.

The queries of plane l are multiplied by `c_l` and its keys by `1/conj(c_l)`: claim `rope.gauge`. What that
does to weights depends on what stands between them and the rotation.

**Nothing, or a bias**: any `c_l` other than 0; biases are multiplied as well.

**Shared keys**: query heads of a group read one key head, so all of them are multiplied.

**A norm over queries and keys.** With u = W x, r the root of the mean square of u (plus eps) and g the
weight of the norm, `q = g u / r`. New weights `A W` and `g'` give the queries `c q` if A is orthogonal, so
that r is as it was, and `diag(g') A = C diag(g)` with C the map `z -> c_l z` in each plane. In one plane with
weights `(g_a, g_b)` and `c = rho exp(i phi)`, `A = diag(1/g') C diag(g)` is orthogonal

- for every phi if `|g_a| = |g_b|`, with `g' = rho g`;
- else for quarter turns alone: `phi` 0 or pi with `g' = rho g`, phi a right angle with
  `g' = rho (g_b, g_a)`.

If other heads have the same g, it has to stay: then `rho = 1`, and c is 1 or -1 where `|g_a|` and `|g_b|`
differ. A norm that takes off the mean commutes with fewer maps: of those within planes only the exchange of
the two coordinates keeps the vector of ones. With a weight of its own c is then real, or imaginary by that
exchange and `g' = rho (-g_b, g_a)`, and a bias of the norm is multiplied by c; with a shared weight c is 1.

**Clipped queries and keys**: quarter turns, which exchange and negate coordinates.

Whatever is asked for beyond that is refused, with the plane and the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.constructions.export.rewritten import ModelSide, RewrittenHead, SideNorm
from ropeproof.numerics.models.families import read_model
from ropeproof.numerics.models.visit import attentions_of
from ropeproof.numerics.models.weights import Projection, norm_facts, projection, vector_norm
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.layers import layer_specs
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["rewrite_head"]

Complex = NDArray[np.complex128]
Floats = NDArray[np.float64]
Side = Literal["q", "k"]

_UNIT = 2.0**-50
"""How near to 1 the modulus of a factor has to be where no other is possible."""


def rewrite_head(model: Any, layer: int, head: int, c: ArrayLike) -> RewrittenHead:
    """Multiply the queries of a head by `c_l` in plane l and its keys by `1/conj(c_l)`, in place.

    `model` is a transformers model of any family in `ropeproof.numerics.models.FAMILIES`; `c` is one complex
    number, or one for each plane of the rotation, `(planes,)`, in its order (frequencies as in the model's
    `RopeSpec`; planes that do not rotate come last). Written are the rows of the query and key projections,
    their biases, and the weights and biases of norms over queries and keys. All query heads that read the key
    head are rewritten. In exact arithmetic no logit of the model changes, at any lag (claim `rope.gauge`);
    how far those of the rewritten model can be off is the result's `logit_bound`. It is about the attention
    of this layer; how a model hands rounding on to later layers and to its output is not bounded.

    Raises `Unsupported`, by name, for a family that is not read, projections that are no plain linear maps or
    are shared with other modules, and for factors that a norm or a clip does not let through (with the plane
    and the reason; nothing is then written); `InvalidArgument` for a head that there is not, factors that
    are 0 or not finite, and numbers that the weights' type cannot hold.
    """
    base, _, family = read_model(model)
    attentions = attentions_of(base, family)
    if read_integer("layer", layer, least=0) >= len(attentions):
        raise InvalidArgument("layer", layer, f"a layer below {len(attentions)}")
    attention, config = attentions[layer], base.config
    spec = layer_specs(config)[layer]
    query = projection(attention, "queries", family, config, spec.head_dim)
    key = projection(attention, "keys", family, config, spec.head_dim)
    count, shared = len(query.rows), len(key.rows)
    if read_integer("head", head, least=0) >= count:
        raise InvalidArgument("head", head, f"a head below {count}")
    factors = _factors(c, spec)
    key_head = head // (count // shared)
    heads = tuple(h for h in range(count) if h // (count // shared) == key_head)
    _refuse_sharing(base, query, key)
    clipped = getattr(config, "clip_qkv", None) is not None
    plans = [
        _plan(attention, "q", query, heads, factors, spec, clipped),
        _plan(attention, "k", key, (key_head,), 1 / factors.conj(), spec, clipped),
    ]
    for plan in plans:  # all of it can be written, or nothing is
        plan.check()
    for plan in plans:
        plan.write()
    (first, second), (third, fourth) = ((plan.before(), plan.after()) for plan in plans)
    scale = getattr(attention, "scaling", None)
    return RewrittenHead(
        layer=layer,
        heads=heads,
        key_head=key_head,
        factors=factors,
        type=str(query.linear.weight.dtype).removeprefix("torch."),
        _sides={"queries": (first, second), "keys": (third, fourth)},
        _spec=spec,
        _scale=1 / float(attention.scale_attn) if scale is None else float(scale),
    )


def _factors(c: ArrayLike, spec: RopeSpec) -> Complex:
    given = np.asarray(c)
    if given.dtype.kind not in "fiuc" or given.shape not in ((), (spec.planes,)):
        got = f"shape {given.shape} of {given.dtype}"
        raise InvalidArgument("c", got, f"one number, or one for each of {spec.planes} planes")
    found: Complex = np.broadcast_to(given.astype(np.complex128), (spec.planes,)).copy()
    inverse = 1 / found.conj() if found.all() else found
    if not (found.all() and np.isfinite(found).all() and np.isfinite(inverse).all()):
        raise InvalidArgument("c", "a factor that is 0 or not finite", "finite numbers, not 0")
    return found


def _refuse_sharing(base: Any, *places: Projection) -> None:
    """Raise `Unsupported` if a weight that is to be rewritten is that of another module as well."""
    for place in places:
        holders = [m for m in base.modules() if getattr(m, "weight", None) is place.linear.weight]
        if len(holders) > 1:
            raise Unsupported("a projection whose weight is shared with another module")


@dataclass(frozen=True, eq=False, kw_only=True)
class _Numbers:
    """Weights `(heads, head_dim, width)`, biases, and a norm's weights and biases, `(heads, head_dim)`."""

    weights: Floats
    biases: Floats
    gains: Floats
    shifts: Floats

    def copied(self) -> _Numbers:
        return _Numbers(**{name: value.copy() for name, value in vars(self).items()})


@dataclass(frozen=True, eq=False, kw_only=True)
class _Plan:
    """What is to become of the queries or keys of one layer.

    `stored` is what the model has, `exact` what it would have in exact arithmetic; `norms` are the modules of
    the norm, one for all heads or one each, `own` whether its numbers are to be written.
    """

    side: Side
    place: Projection
    heads: tuple[int, ...]
    pairs: tuple[list[int], list[int]]
    stored: _Numbers
    exact: _Numbers
    norms: list[Any]
    own: bool

    def targets(self) -> list[tuple[str, Any, Any, Floats]]:
        """Each tensor with the places in it and the numbers that are written there."""
        found: list[tuple[str, Any, Any, Floats]] = []
        linear = self.place.linear
        for head in self.heads:
            rows = self.place.rows[head]
            found.append(("weight", linear.weight, rows, self.exact.weights[head]))
            if linear.bias is not None:
                found.append(("bias", linear.bias, rows, self.exact.biases[head]))
            if not self.own:
                continue
            offset = norm_facts(self.norms[0]).offset
            for name, values in (
                ("weight", self.exact.gains[head] - offset),
                ("bias", self.exact.shifts[head]),
            ):
                module = self.norms[head] if len(self.norms) > 1 else self.norms[0]
                tensor = getattr(module, name, None)
                if tensor is not None:
                    size = len(values)
                    first = head * size if tensor.numel() > size else 0
                    found.append((f"norm's {name}", tensor, slice(first, first + size), values))
        return found

    def check(self) -> None:
        """Raise `InvalidArgument` if a number is beyond the range of the type it is to have."""
        import torch

        for name, tensor, _, values in self.targets():
            if not bool(torch.from_numpy(values).to(tensor.dtype).isfinite().all()):
                kind = str(tensor.dtype).removeprefix("torch.")
                what = "queries" if self.side == "q" else "keys"
                got = f"a factor that brings a {name} of {what} beyond the range of {kind}"
                raise InvalidArgument("c", got, "factors that the type's range holds")

    def write(self) -> None:
        """Write all numbers to the model, rounded to its type."""
        import torch

        with torch.no_grad():
            for _, tensor, places, values in self.targets():
                rounded = torch.from_numpy(np.ascontiguousarray(values)).to(tensor)
                # The weights of norms, in whatever shape, stand head after head.
                whole = tensor if values.ndim == tensor.ndim else tensor.view(-1)
                whole[places] = rounded

    def before(self) -> ModelSide:
        """The queries or keys as they were."""
        return self._side(self.stored, self.stored)

    def after(self) -> ModelSide:
        """The queries or keys as they are now, with how far they are from exactly rewritten ones."""
        return self._side(_read(self.place, self.norms), self.exact)

    def _side(self, found: _Numbers, exact: _Numbers) -> ModelSide:
        # Exact rows are products of float64 numbers, each off by a few units of its last place.
        tiny = 0.0 if found is exact else 2.0**-51
        rows = _lengths(np.abs(found.weights - exact.weights) + tiny * np.abs(exact.weights))
        bias = np.abs(found.biases - exact.biases) + tiny * np.abs(exact.biases)
        error = np.sqrt(self._planes(rows) ** 2 + self._planes(bias) ** 2) * (1 + 2.0**-40)
        norm = None
        if self.norms:
            facts = norm_facts(self.norms[0])
            gain, shift = (
                np.abs(a - b) + tiny * np.abs(b)
                for a, b in ((found.gains, exact.gains), (found.shifts, exact.shifts))
            )
            norm = SideNorm(
                gains=found.gains,
                shifts=found.shifts,
                gain_error=self._planes(gain),
                shift_error=self._planes(shift),
                eps=facts.eps,
                centred=facts.centred,
                whole=_is_whole(self.norms, len(found.weights), found.gains.shape[1]),
            )
        return ModelSide(
            weight=found.weights, bias=found.biases, error=error, pairs=self.pairs, norm=norm
        )

    def _planes(self, values: Floats) -> Floats:
        """The Euclidean norms of the pairs of coordinates, `(heads, planes)`."""
        real, imaginary = self.pairs
        found: Floats = np.hypot(values[:, real], values[:, imaginary])
        return found


def _plan(
    attention: Any,
    side: Side,
    place: Projection,
    heads: tuple[int, ...],
    factors: Complex,
    spec: RopeSpec,
    clipped: bool,
) -> _Plan:
    """The rewritten numbers of some heads. Raises `Unsupported` where a norm or a clip refuses a factor."""
    module = vector_norm(attention, side)
    norms = [] if module is None else list(getattr(module, "norms", [module]))
    stored = _read(place, norms)
    exact = stored.copied()
    count, size = stored.weights.shape[:2]
    # Whether the norm's numbers are those of the rewritten heads alone.
    own = bool(norms) and (len(norms) > 1 or norms[0].weight.numel() > size or len(heads) == count)
    real, imaginary = (list(part) for part in zip(*spec.plane_coordinates(), strict=True))
    for head in heads:
        for plane, factor in enumerate(factors):
            if factor == 1:
                continue
            pair = [real[plane], imaginary[plane]]
            turn = np.array([[factor.real, -factor.imag], [factor.imag, factor.real]])
            rows, gains = turn, stored.gains[head, pair]
            try:
                if norms:
                    centred = norm_facts(norms[0]).centred
                    through = _through_layer_norm if centred else _through_norm
                    rows, gains = through(complex(factor), gains, own)
                if clipped and not _is_signed_permutation(rows):
                    raise _Refused("entries are clipped, which only 1, i, -1 and -i commute with")
            except _Refused as error:
                what = "queries" if side == "q" else "keys"
                raise Unsupported(f"plane {plane}, {what} of head {head}: {error}") from None
            exact.weights[head, pair] = rows @ stored.weights[head, pair]
            exact.biases[head, pair] = rows @ stored.biases[head, pair]
            exact.gains[head, pair] = gains
            exact.shifts[head, pair] = turn @ stored.shifts[head, pair]
    return _Plan(
        side=side, place=place, heads=heads, pairs=(real, imaginary), stored=stored, exact=exact,
        norms=norms, own=own,
    )  # fmt: skip


class _Refused(Exception):
    """Why a factor of a plane cannot be merged into weights."""


def _through_norm(c: complex, gains: Floats, own: bool) -> tuple[Floats, Floats]:
    """What multiplies a plane by c behind an RMS norm: an orthogonal matrix, and the norm's new weights."""
    size = abs(c)
    if not own:
        if abs(size - 1) > _UNIT:
            raise _Refused(
                f"|c| = {size:.6g}, but the norm takes out sizes and its weight is shared with other "
                "heads"
            )
        size = 1.0
    a, b = gains
    x, y = c.real / abs(c), c.imag / abs(c)
    if abs(a) == abs(b):
        sign = 1.0 if a == b else -1.0
        return np.array([[x, -sign * y], [sign * y, x]]), size * gains
    if c.imag == 0:
        return np.diag([x, x]), size * gains
    if own and c.real == 0:
        return np.array([[0.0, -y], [y, 0.0]]), size * gains[::-1]
    allowed = "1, i, -1, -i and their multiples" if own else "1 and -1"
    raise _Refused(
        f"the norm's weights {a:.6g} and {b:.6g} have different sizes, so only {allowed} commute with "
        "it"
    )


def _through_layer_norm(c: complex, gains: Floats, own: bool) -> tuple[Floats, Floats]:
    """The same behind a norm that takes off the mean, which only keeps maps that keep the vector of ones."""
    if not own:
        raise _Refused(
            "a norm that takes off the mean, with a weight shared with other heads, commutes with 1 alone"
        )
    if c.imag == 0:
        return np.eye(2), c.real * gains
    if c.real == 0:
        return np.array([[0.0, 1.0], [1.0, 0.0]]), c.imag * np.array([-gains[1], gains[0]])
    raise _Refused("a norm that takes off the mean commutes with real and imaginary factors alone")


def _is_signed_permutation(rows: Floats) -> bool:
    return sorted(np.abs(rows).ravel().tolist()) == [0.0, 0.0, 1.0, 1.0]


def _read(place: Projection, norms: list[Any]) -> _Numbers:
    """The numbers of queries or keys as they are stored, in float64."""
    weights, bias = _double(place.weight()), place.bias()
    shape = weights.shape[:2]
    gains, shifts = np.ones(shape), np.zeros(shape)
    if norms:
        facts = norm_facts(norms[0])
        if facts.weight is None:
            raise Unsupported(f"{type(norms[0]).__name__} without weights on queries or keys")
        gains = _of_heads([norm.weight for norm in norms], shape) + facts.offset
        if facts.bias is not None:
            shifts = _of_heads([norm.bias for norm in norms], shape)
    return _Numbers(
        weights=weights,
        biases=np.zeros(shape) if bias is None else _double(bias),
        gains=gains,
        shifts=shifts,
    )


def _of_heads(values: list[Any], shape: tuple[int, ...]) -> Floats:
    """Numbers of a norm for each head, `(heads, head_dim)`, wherever they are shared."""
    flat = np.concatenate([_double(value).reshape(-1, shape[1]) for value in values])
    return np.broadcast_to(flat, shape).copy()


def _is_whole(norms: list[Any], heads: int, size: int) -> bool:
    """Whether one norm goes over all heads of a token at once."""
    weight = norms[0].weight
    return len(norms) == 1 and weight.ndim == 1 and weight.numel() == heads * size and heads > 1


def _lengths(rows: Floats) -> Floats:
    found: Floats = np.sqrt((rows * rows).sum(-1))
    return found


def _double(values: Any) -> Floats:
    found: Floats = values.detach().double().cpu().numpy()
    return found
