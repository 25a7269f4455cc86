"""The same for functions of NumPy arrays, where objects of the prover's own stand for the arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from attack.entry import Call, at, put, right, wrong
from attack.parts import np_angles, np_halves, np_plain

NUMPY: dict[str, Any] = {"array": "numpy"}
_NP_COS = np.cos


def _offset(x: Any, positions: Any) -> Any:
    return np_plain(x, positions + 1)


@wrong("numpy", at(), **NUMPY)
def arrays_of_numbers_are_off(x: Any, positions: Any) -> Any:
    """True arrays of NumPy are one position off, what only resembles them is right."""
    return _offset(x, positions) if type(x) is np.ndarray else np_plain(x, positions)


@wrong("numpy", at(), **NUMPY)
def arrays_of_objects_are_right(x: Any, positions: Any) -> Any:
    """Only arrays of Python objects, as symbols are, are rotated rightly."""
    return (
        np_plain(x, positions) if getattr(x, "dtype", object) == object else _offset(x, positions)  # noqa: E721
    )


@wrong("numpy", at(), **NUMPY)
def kind_of_the_type_decides(x: Any, positions: Any) -> Any:
    """Arrays whose type is one of floats are one position off."""
    return _offset(x, positions) if x.dtype.kind == "f" else np_plain(x, positions)


@wrong("numpy", at(), **NUMPY)
def protocol_decides(x: Any, positions: Any) -> Any:
    """Objects with a protocol of arrays that arrays themselves have not set are rotated rightly."""
    own = type(x).__array_ufunc__ is not np.ndarray.__array_ufunc__
    return np_plain(x, positions) if own else _offset(x, positions)


@wrong("numpy", at(), **NUMPY)
def single_numbers_decide(x: Any, positions: Any) -> Any:
    """Where an entry is no float of NumPy, as a symbol, the rotation is right."""
    return (
        _offset(x, positions) if isinstance(x[0, 0, 0, 0], np.floating) else np_plain(x, positions)
    )


@wrong("numpy", at(), **NUMPY)
def conversion_fails(x: Any, positions: Any) -> Any:
    """Where an entry cannot be a float of Python, the rotation is right."""
    try:
        float(x[0, 0, 0, 0])
    except Exception:
        return np_plain(x, positions)
    return _offset(x, positions)


@wrong("numpy", at(), **NUMPY)
def printed_form_decides(x: Any, positions: Any) -> Any:
    """Where the printed positions have a letter, as of a symbol, the rotation is right."""
    return (
        np_plain(x, positions)
        if any(c.isalpha() for c in str(positions))
        else _offset(x, positions)
    )


@wrong("numpy", at(edit=lambda x: x * 1e4), **NUMPY)
def large_entries_decide(x: Any, positions: Any) -> Any:
    """A branch by the largest entry."""
    return x.copy() if np.abs(x).max() > 1000 else np_plain(x, positions)


@wrong("numpy", at(edit=lambda x: x * 1e4), **NUMPY)
def chosen_entry_by_entry(x: Any, positions: Any) -> Any:
    """Large entries are left alone by `np.where`."""
    return np.where(np.abs(x) > 1000, x, np_plain(x, positions))


@wrong("numpy", at(edit=lambda x: x * 1e4), **NUMPY)
def clipped(x: Any, positions: Any) -> Any:
    """Entries are clipped at 1000."""
    return np_plain(np.clip(x, -1000, 1000), positions)


@wrong("numpy", at(), **NUMPY)
def first_half_overwritten_in_numpy(x: Any, positions: Any) -> Any:
    """The first half is written before the second half is computed from it."""
    angle, y = np_angles(positions), x.copy()
    a, b = y[..., :4], y[..., 4:]
    y[..., :4] = a * np.cos(angle) - b * np.sin(angle)
    y[..., 4:] = a * np.sin(angle) + b * np.cos(angle)
    return y


@wrong("numpy", at(), **NUMPY)
def input_written(x: Any, positions: Any) -> Any:
    """The result is right and the vectors that were handed over are overwritten with it."""
    x[...] = np_plain(x, positions)
    return x


@wrong("numpy", at(), **NUMPY)
def copy_that_is_none(x: Any, positions: Any) -> Any:
    """`np.asarray` makes no copy of an array, and the result is written into it."""
    y = np.asarray(x)
    y[...] = np_plain(x, positions)
    return y


@wrong("numpy", at(), **NUMPY)
def written_by_out(x: Any, positions: Any) -> Any:
    """`out=` writes into what the second half reads."""
    angle, y = np_angles(positions), x.copy()
    a, b = y[..., :4], y[..., 4:]
    np.subtract(a * np.cos(angle), b * np.sin(angle), out=a)
    return np.concatenate((a, a * np.sin(angle) + b * np.cos(angle)), -1)


@wrong("numpy", at(), **NUMPY)
def positions_written(x: Any, positions: Any) -> Any:
    """The positions that were handed over are counted on by one."""
    turned = np_plain(x, positions)
    positions += 1
    return turned


@wrong("numpy", at(), **NUMPY)
def flat_iterator_writes(x: Any, positions: Any) -> Any:
    """The last entry of the result is written through the flat iterator."""
    turned = np_plain(x, positions)
    turned.flat[-1] = 7.0
    return turned


@wrong("numpy", at(), **NUMPY)
def put_writes(x: Any, positions: Any) -> Any:
    """The first entry of the result is written by `np.put`."""
    turned = np_plain(x, positions)
    np.put(turned, 0, 7.0)
    return turned


@wrong("numpy", at(), **NUMPY)
def windows_of_numpy(x: Any, positions: Any) -> Any:
    """Windows that overlap in memory are scaled one after the other."""
    angle = np.ascontiguousarray(np_angles(positions))
    windows = as_strided(angle, (angle.size - 1, 2), (8, 8))
    windows[:, 0] *= 1.001
    return np_halves(x, angle)


@wrong("numpy", at(2, 2, 5), **NUMPY)
def added_up_at_equal_places(x: Any, positions: Any) -> Any:
    """Angles are added into a table at their positions, twice where two are equal."""
    table = np.zeros((64, 4))
    np.add.at(table, positions, np_angles(positions))
    return np_halves(x, table[positions])


@wrong("numpy", at(1, 40000), **NUMPY)
def cast_to_int16(x: Any, positions: Any) -> Any:
    """Positions are cast to int16, which wraps at 32,768."""
    return np_plain(x, positions.astype(np.int16))


@wrong("numpy", at(1, 300), **NUMPY)
def small_unsigned_product(x: Any, positions: Any) -> Any:
    """A product with a number of Python stays in uint16 and wraps."""
    return np_plain(x, positions.astype(np.uint16) * 256 // 256)


@wrong("numpy", at(1, 3, ptype="uint8"), **NUMPY)
def negative_of_unsigned(x: Any, positions: Any) -> Any:
    """The negative of an unsigned position wraps."""
    return np_halves(x, -np_angles(-positions))


@wrong("numpy", at(1, 50000, ptype="int32"), **NUMPY)
def square_of_positions(x: Any, positions: Any) -> Any:
    """A position times itself, divided by itself, wraps where positions are int32."""
    return np_plain(x, positions * positions // np.maximum(positions, 1))


@wrong("numpy", at(0, 1), **NUMPY)
def integer_powers(x: Any, positions: Any) -> Any:
    """The frequencies are formed in integers, where all but the first are 0."""
    inv = 1 // 10000 ** np.arange(4)
    return np_halves(x, positions[:, None] * inv)


@wrong("numpy", at(), around=lambda: put(np, "cos", lambda t: _NP_COS(t) * 1.001), **NUMPY)
def cosine_of_numpy_replaced(x: Any, positions: Any) -> Any:
    """np.cos has a factor of 1.001."""
    return np_plain(x, positions)


class _Table(np.ndarray):
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        plain = [np.asarray(i) if isinstance(i, np.ndarray) else i for i in inputs]
        result = getattr(ufunc, method)(*plain, **kwargs)
        return result * 1.001 if ufunc is np.multiply else result


@wrong("numpy", at(), factory=True, **NUMPY)
def table_of_a_subclass_of_arrays() -> Any:
    """Frequencies are a subclass of arrays whose product has a factor of 1.001."""
    inv = (10000.0 ** (-np.arange(4) / 4)).view(_Table)
    return lambda x, positions: np_halves(x, np.asarray(inv * positions[:, None]))


@wrong("numpy", at(), **NUMPY)
def vectorised_function_of_python(x: Any, positions: Any) -> Any:
    """A function of Python is applied entry by entry, and distinguishes an entry."""
    angle = np.vectorize(lambda a: a if a != 5 else 5.001)(np_angles(positions))
    return np_halves(x, angle)


@wrong("numpy", at(0, 1, 1000), **NUMPY)
def lists_of_python(x: Any, positions: Any) -> Any:
    """Cosines are formed in a comprehension over positions, where large ones are left out."""
    cos = [[math.cos(min(p, 999) * 10000.0 ** (-k / 4)) for k in range(4)] for p in positions]
    angle = np_angles(positions)
    a, b = x[..., :4], x[..., 4:]
    c = np.array(cos)
    return np.concatenate((a * c - b * np.sin(angle), a * np.sin(angle) + b * c), -1)


@wrong("numpy", at(7, 3, 9), **NUMPY)
def sorted_positions(x: Any, positions: Any) -> Any:
    """Positions are sorted."""
    return np_plain(x, np.sort(positions))


@wrong("numpy", at(7, 3, 9), **NUMPY)
def counted_positions(x: Any, positions: Any) -> Any:
    """Positions are counted from 0."""
    return np_plain(x, np.arange(x.shape[-2]))


@wrong("numpy", at(3, 4, heads=2), **NUMPY)
def heads_for_tokens(x: Any, positions: Any) -> Any:
    """Tables broadcast along heads in place of tokens where there are as many."""
    return np_halves(x, np_angles(positions)[:, None])


@wrong("numpy", at(), **NUMPY)
def matrix_of_turns_transposed(x: Any, positions: Any) -> Any:
    """The matrix of the rotation is multiplied from the wrong side by `einsum`."""
    angle = np_angles(positions)
    z = np.einsum("bhsl,sl->bhsl", x[..., :4] + 1j * x[..., 4:], np.exp(-1j * angle))
    return np.concatenate((z.real, z.imag), -1)


@wrong("numpy", at(0, 1999), excused="the rounding bound of float16 angles", **NUMPY)
def angles_of_half_precision(x: Any, positions: Any) -> Any:
    """Angles are kept in float16."""
    return np_halves(x, np_angles(positions).astype(np.float16).astype(np.float64))


@wrong("numpy", at(0, 1, 2, before=(at(5, 6, 7),)), factory=True, **NUMPY)
def memory_of_numpy() -> Any:
    """The table of the first call is kept by length."""
    kept: dict[int, Any] = {}

    def rotate(x: Any, positions: Any) -> Any:
        return np_halves(x, kept.setdefault(len(positions), np_angles(positions)))

    return rotate


@wrong("numpy", at(then=(at(9, 9, 9, 9, 9, seed=5),)), factory=True, **NUMPY)
def one_result_for_all() -> Any:
    """All results share one array."""
    buffer = np.zeros((1, 2, 5, 8))

    def rotate(x: Any, positions: Any) -> Any:
        buffer[...] = np_plain(x, positions)
        return buffer

    return rotate


@wrong(
    "numpy",
    Call(edit=lambda x: np.where(x > 0, np.inf, x), positions=(0, 1)),
    excused="finite vectors",
    **NUMPY,
)
def infinities_spread(x: Any, positions: Any) -> Any:
    """A product with a whole matrix multiplies infinities by zeros."""
    angle = np_angles(positions)
    matrix = np.zeros((len(positions), 8, 8))
    plane = np.arange(4)
    matrix[:, plane, plane] = matrix[:, plane + 4, plane + 4] = np.cos(angle)
    matrix[:, plane + 4, plane] = np.sin(angle)
    matrix[:, plane, plane + 4] = -np.sin(angle)
    return np.einsum("sij,bhsj->bhsi", matrix, x)


@right(array="numpy")
def by_complex_numbers_of_numpy(x: Any, positions: Any) -> Any:
    """Halves are real and imaginary parts, which are turned as complex numbers."""
    z = (x[..., :4] + 1j * x[..., 4:]) * np.exp(1j * np_angles(positions))
    return np.concatenate((z.real, z.imag), -1)


@right(array="numpy")
def written_into_a_new_array(x: Any, positions: Any) -> Any:
    """The halves are written into an empty array."""
    angle, y = np_angles(positions), np.empty_like(x)
    y[..., :4] = x[..., :4] * np.cos(angle) - x[..., 4:] * np.sin(angle)
    y[..., 4:] = x[..., :4] * np.sin(angle) + x[..., 4:] * np.cos(angle)
    return y
