"""Configurations of image and video transformers of diffusers: frames, rows and columns."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform import check

FLUX = {
    "_class_name": "FluxTransformer2DModel",
    "attention_head_dim": 128,
    "axes_dims_rope": [16, 56, 56],
}
QWEN = FLUX | {"_class_name": "QwenImageTransformer2DModel"}
WAN = {
    "_class_name": "WanTransformer3DModel",
    "attention_head_dim": 128,
    "rope_max_seq_len": 1024,
}


def rotate(sizes, *, base=10000.0, order=(0, 1, 2), layout="interleaved"):
    """Turns pairs by frame, row and column, each with frequencies of its own."""

    def call(x, positions):
        angles = torch.cat(
            [
                positions[..., [a]].double() * base ** (-torch.arange(0, n, 2).double() / n)
                for a, n in zip(order, sizes, strict=True)
            ],
            -1,
        )
        angles = angles[:, None] if angles.ndim == 3 else angles
        turns = torch.polar(torch.ones_like(angles), angles)
        if layout == "half":
            z = torch.complex(*x.double().chunk(2, -1)) * turns
            return torch.cat((z.real, z.imag), -1).to(x.dtype)
        z = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2)) * turns
        return torch.view_as_real(z).flatten(-2).to(x.dtype)

    return call


@pytest.mark.parametrize(
    ("config", "sizes"),
    [(FLUX, (16, 56, 56)), (QWEN, (16, 56, 56)), (WAN, (44, 42, 42))],
)
def test_their_axes_are_read(config, sizes):
    spec = RopeSpec.from_config(config)
    assert spec.axes.names == ("time", "height", "width")
    assert np.bincount(spec.axes.planes).tolist() == [n // 2 for n in sizes]
    report = check(rotate(sizes), config, context=300)
    assert report.passed, report


def test_wrong_axes_are_found():
    for wrong in (
        rotate((16, 56, 56), order=(0, 2, 1)),
        rotate((16, 56, 56), base=256.0),
        rotate((56, 16, 56)),
        rotate((16, 56, 56), layout="half"),
    ):
        report = check(wrong, FLUX, context=300)
        assert not report.passed


def test_sizes_that_make_up_no_head_are_refused():
    for sizes in ([16, 56, 55], [64, 64], "16", [16, 56, 58], [15, 57, 56]):
        with pytest.raises(InvalidArgument, match="axes_dims_rope"):
            RopeSpec.from_config(FLUX | {"axes_dims_rope": sizes})
