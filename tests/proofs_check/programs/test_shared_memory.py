"""A tensor in the memory of an array of NumPy: constant numbers if nobody writes there, else no proof."""

import numpy as np
import pytest
import torch

from ropeproof.proofs_check.programs.proving import prove_rotation
from ropeproof.proofs_check.programs.record.of_torch.torch_trace import trace_torch
from ropeproof.theory.rotary.spec import RopeSpec

SPEC = RopeSpec(4, 100, length=64)
THETAS = np.array([1.0, 0.1])


def turned(x, p, thetas):
    angles = p[..., None].double() * thetas
    angles = angles[:, None] if p.ndim == 2 else angles
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.chunk(2, -1)
    return torch.cat((a * c - b * s, b * c + a * s), -1)


def _from_numpy(x, p):
    return turned(x, p, torch.from_numpy(np.array([1.0, 0.1])))


def _kept(x, p):
    return turned(x, p, torch.from_numpy(THETAS))


def _every_other(x, p):
    return turned(x, p, torch.from_numpy(np.array([1.0, 7.0, 0.1, 7.0])[::2]))


def _as_tensor(x, p):
    return turned(x, p, torch.as_tensor(np.array([1.0, 0.1]), dtype=torch.float32))


def _asarray(x, p):
    return turned(x, p, torch.asarray(np.array([1.0, 0.1])))


@pytest.mark.parametrize("function", [_from_numpy, _kept, _every_other, _as_tensor, _asarray])
def test_constant_numbers_of_an_array_are_proved(function):
    proof = prove_rotation(function, SPEC)
    assert proof.verdict == "proved", proof.text()
    assert proof.numbers["frequencies_off"] < 1e-7


def _written_by_numpy(x, p):
    own = np.array([2.0, 0.2])
    thetas = torch.from_numpy(own)
    own[:] = own / 2
    return turned(x, p, thetas)


def _written_through_a_view(x, p):
    own = np.array([1.0, 0.1])
    other = own.reshape(2, 1)
    thetas = torch.from_numpy(own)
    other[1, 0] = 0.1 + 1e-12
    return turned(x, p, thetas)


def _written_between_two_uses(x, p):
    own = np.array([1.0, 0.1])
    thetas = torch.from_numpy(own)
    first = turned(x, p, thetas)
    own[0] = 5.0
    late = turned(x, p, thetas)
    own[0] = 1.0
    return first + 0 * late


def _written_by_pytorch(x, p):
    own = np.array([2.0, 0.2])
    thetas = torch.from_numpy(own)
    thetas.mul_(0.5)
    return turned(x, p, torch.tensor(own))


def _written_by_pytorch_as_tensor(x, p):
    own = np.array([0.0, 0.0])
    thetas = torch.as_tensor(own)
    thetas += p.double().mean() * 0
    return turned(x, p, torch.tensor([*own, 1.0, 0.1])[:2] + torch.tensor([1.0, 0.1]))


def _memory_of_a_tensor(x, p):
    late = torch.zeros(2, dtype=torch.float64)
    thetas = torch.from_numpy(late.numpy())
    late.copy_((p.reshape(-1)[0] - 50).clamp(min=0).double().expand(2))
    return turned(x, p, thetas + torch.tensor([1.0, 0.1]))


def _numbers_of_the_argument(x, p):
    late = (p.numpy() > 50).any()
    return turned(x, p, torch.from_numpy(np.array([1.0, 0.1]) * (1 + late)))


def _a_list_of_arrays(x, p):
    return turned(x, p, torch.as_tensor([np.array([1.0, 0.1])])[0])


def _of_another_class(x, p):
    return turned(x, p, torch.from_numpy(MATRIX)[0])


MATRIX = np.array([[1.0, 0.1]]).view(np.matrix)
BUFFER = bytearray(THETAS.tobytes())
IN_A_BUFFER = np.frombuffer(BUFFER)


def _in_a_buffer(x, p):
    return turned(x, p, torch.from_numpy(IN_A_BUFFER))


STOPPED = {
    f.__name__.strip("_"): f
    for f in (
        *(_written_by_numpy, _written_through_a_view, _written_between_two_uses),
        *(_written_by_pytorch, _written_by_pytorch_as_tensor, _memory_of_a_tensor),
        *(_numbers_of_the_argument, _a_list_of_arrays, _of_another_class, _in_a_buffer),
    )
}


@pytest.mark.parametrize("name", STOPPED)
def test_memory_that_somebody_may_write_to_is_not_proved(name):
    proof = prove_rotation(STOPPED[name], SPEC)
    assert proof.verdict in ("not proved", "refuted"), proof.text()


@pytest.mark.parametrize(
    "function",
    [
        *(_written_by_numpy, _written_through_a_view, _written_between_two_uses),
        *(_written_by_pytorch, _written_by_pytorch_as_tensor, _memory_of_a_tensor),
        _a_list_of_arrays,
    ],
)
def test_the_recorder_itself_says_so(function):
    x, p = torch.ones(1, 1, 2, 4), torch.tensor([3, 5])
    said = trace_torch(function, {"x": x, "p": p}).program.dependence
    assert any("NumPy" in one for one in said), said
