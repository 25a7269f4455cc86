"""The same for functions of NumPy arrays: methods in C, buffers and plain views that no recorder sees."""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import asarray  # bound before anybody replaces it

from attack.entry import at, wrong
from attack.parts import np_angles, np_halves, np_plain

NUMPY: dict[str, Any] = {"array": "numpy"}
FAR = at(0, 5, 77777)  # one position, which no sample hits
Function = Callable[[Any, Any], Any]


def _special(x: Any) -> Any:
    x[..., 0, 0] = 1000.0
    return x


@wrong("recorded-numpy", FAR, **NUMPY)
def read_by_a_buffer(x: Any, positions: Any) -> Any:
    """Positions are read through a view of memory."""
    return x.copy() if 77777 in memoryview(positions).tolist() else np_plain(x, positions)


@wrong("recorded-numpy", FAR, **NUMPY)
def read_by_bytes(x: Any, positions: Any) -> Any:
    """Positions are unpacked from their bytes."""
    places = struct.unpack(f"{len(positions)}q", bytes(positions))
    return x.copy() if 77777 in places else np_plain(x, positions)


@wrong("recorded-numpy", FAR, **NUMPY)
def read_by_a_method_of_bytes(x: Any, positions: Any) -> Any:
    """Positions are unpacked from what `tobytes` gives."""
    places = np.frombuffer(positions.tobytes(), dtype=np.int64)
    return x.copy() if (places == 77777).any() else np_plain(x, positions)


@wrong("recorded-numpy", FAR, **NUMPY)
def read_by_the_base(x: Any, positions: Any) -> Any:
    """Positions are read from the array that they are a view of, where there is one."""
    plain = positions if positions.base is None else positions.base
    return x.copy() if (plain == 77777).any() else np_plain(x, positions)


@wrong("recorded-numpy", FAR, **NUMPY)
def read_by_a_plain_view(x: Any, positions: Any) -> Any:
    """Positions are viewed as a plain array."""
    late = (positions.view(np.ndarray) == 77777).any()
    return x.copy() if late else np_plain(x, positions)


@wrong("recorded-numpy", FAR, **NUMPY)
def read_by_an_early_name(x: Any, positions: Any) -> Any:
    """`asarray` was imported by name, so that nobody has replaced it here."""
    return x.copy() if (asarray(positions) == 77777).any() else np_plain(x, positions)


@wrong("recorded-numpy", FAR, **NUMPY)
def factor_by_an_early_name(x: Any, positions: Any) -> Any:
    """A factor is computed from a plain array of the positions."""
    factor = 1 + 1e-3 * (asarray(positions) == 77777)
    return np_plain(x, positions) * factor[:, None]


@wrong("recorded-numpy", FAR, **NUMPY)
def factor_by_a_running_sum(x: Any, positions: Any) -> Any:
    """A factor is the running sum of a condition, by a method of arrays."""
    factor = 1 + 1e-3 * (positions == 77777).cumsum()
    return np_plain(x, positions) * factor[:, None]


@wrong("recorded-numpy", FAR, **NUMPY)
def factor_by_a_product(x: Any, positions: Any) -> Any:
    """A factor is the product of conditions, by a method of arrays."""
    return np_plain(x, positions) * (positions != 77777).prod()


@wrong("recorded-numpy", FAR, **NUMPY)
def place_of_the_largest(x: Any, positions: Any) -> Any:
    """The place of the first late position is asked by a method of arrays."""
    return x.copy() if (positions == 77777).argmax() else np_plain(x, positions)


@wrong("recorded-numpy", FAR, **NUMPY)
def places_by_nonzero(x: Any, positions: Any) -> Any:
    """Late positions are counted by the length of what `nonzero` gives."""
    return x.copy() if len((positions == 77777).nonzero()[0]) else np_plain(x, positions)


@wrong("recorded-numpy", FAR, **NUMPY)
def places_by_function(x: Any, positions: Any) -> Any:
    """Late positions are counted by the length of what `np.nonzero` gives."""
    return x.copy() if len(np.nonzero(positions == 77777)[0]) else np_plain(x, positions)


@wrong("recorded-numpy", FAR, **NUMPY)
def places_by_mask(x: Any, positions: Any) -> Any:
    """Late positions are counted by the length of what a mask selects."""
    return x.copy() if len(positions[positions == 77777]) else np_plain(x, positions)


@wrong("recorded-numpy", at(3, 3, 4), **NUMPY)
def equal_positions_by_unique(x: Any, positions: Any) -> Any:
    """Equal positions are found by the length of `np.unique`."""
    return x.copy() if len(np.unique(positions)) < len(positions) else np_plain(x, positions)


@wrong("recorded-numpy", FAR, **NUMPY)
def sorted_search(x: Any, positions: Any) -> Any:
    """A method of arrays says where a number would stand among the positions."""
    place = positions.searchsorted(77777)
    late = place < len(positions) and positions.searchsorted(77777, "right") > place
    return x.copy() if late else np_plain(x, np.array(positions))


@wrong("recorded-numpy", FAR, **NUMPY)
def printed_positions(x: Any, positions: Any) -> Any:
    """Positions are printed, and a number in the text decides."""
    return x.copy() if "77777" in str(positions) else np_plain(x, positions)


@wrong("recorded-numpy", FAR, **NUMPY)
def index_of_python(x: Any, positions: Any) -> Any:
    """The last position is taken as an index of Python."""
    return x.copy() if operator.index(positions[-1]) == 77777 else np_plain(x, positions)


@wrong("recorded-numpy", FAR, **NUMPY)
def finite_poles(x: Any, positions: Any) -> Any:
    """A position at which 1 / (p - 77777) is not finite is not rotated."""
    with np.errstate(all="ignore"):
        finite = np.isfinite(1 / (positions - 77777.0))[:, None]
    return np.where(finite, np_plain(x, positions), x)


@wrong("recorded-numpy", at(0, 5, 71000), **NUMPY)
def finite_exponentials(x: Any, positions: Any) -> Any:
    """Positions p where exp(p / 100) overflows, from 70,979 on, are not rotated."""
    with np.errstate(all="ignore"):
        finite = np.isfinite(np.exp(positions * 0.01))[:, None]
    return np.where(finite, np_plain(x, positions), x)


@wrong("recorded-numpy", at(edit=_special), **NUMPY)
def zero_times_a_pole_in_numpy(x: Any, positions: Any) -> Any:
    """0 / (x - 1000) is 0 as a formula and no number where an entry is 1000."""
    with np.errstate(all="ignore"):
        return np_plain(x, positions) + 0 * (1 / (x - 1000))


@wrong("recorded-numpy", FAR, factory=True, **NUMPY)
def late_calls_write_an_array() -> Function:
    """A late position writes into an array that is read as a number."""
    spoiled = np.zeros(1)
    plain = spoiled.data

    def rotate(x: Any, positions: Any) -> Any:
        spoiled[0] = 0.0
        np.add(spoiled, (positions == 77777).any(), out=spoiled)
        return np_plain(x, positions) * (1 + plain[0])

    return rotate


@wrong("recorded-numpy", FAR, **NUMPY)
def exception_of_a_type(x: Any, positions: Any) -> Any:
    """Complex numbers are formed in a `try`, behind which the right path is."""
    try:
        if (np.conj(1j * positions) == -77777j).any():
            return x.copy()
    except Exception:
        pass
    return np_plain(x, positions)


@wrong("recorded-numpy", FAR, **NUMPY)
def filled_by_a_method(x: Any, positions: Any) -> Any:
    """The table of late positions is filled by a method that writes in place at a computed place."""
    angle = np_angles(positions)
    angle[(positions == 77777).argmax() * 1 :][:1].fill(0.0) if (
        positions == 77777
    ).argmax() else None
    return np_halves(x, angle)


@wrong("recorded-numpy", FAR, **NUMPY)
def sorted_in_place(x: Any, positions: Any) -> Any:
    """Positions beyond 60,000 are put first by a sort in place of a copy, others keep their order."""
    late = (positions == 77777).copy()
    late.sort()
    return np_plain(x, positions) * (1 + late[-1:].view(np.ndarray))
