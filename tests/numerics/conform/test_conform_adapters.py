"""Adapters of other libraries: what is missing is named with its command, and what runs is judged."""

from __future__ import annotations

import pytest

from ropeproof.numerics.conform import adapters
from ropeproof.numerics.conform.adapters.adapter import need
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.scaling import Dynamic, Llama3, Yarn
from ropeproof.theory.rotary.spec import RopeSpec

YARN = Yarn(factor=8, original_length=64)
LLAMA3 = Llama3(factor=8, low_freq_factor=1, high_freq_factor=4, original_length=128)


@pytest.mark.parametrize("scaling", [None, YARN, LLAMA3], ids=["none", "yarn", "llama3"])
def test_the_rule_of_ggml_conforms_and_another_base_does_not(scaling):
    found = adapters.ggml(RopeSpec(32, 10000, scaling=scaling, length=512))
    assert found.check(dtypes=("float32",)).passed
    other = adapters.ggml(RopeSpec(32, 500000, scaling=scaling, length=512))
    wrong = adapters.Adapter("ggml", "", other.call, found.spec, found.options)
    assert not wrong.check(dtypes=("float32",), explain=False).passed


def test_a_missing_library_is_named_with_its_command():
    with pytest.raises(Unsupported, match="pip install none-such"):
        need("none_such_module", "none-such")


def test_a_scaling_that_a_file_cannot_state_is_refused():
    with pytest.raises(Unsupported, match="Dynamic"):
        adapters.ggml(RopeSpec(32, 10000, scaling=Dynamic(factor=2, original_length=64)))
