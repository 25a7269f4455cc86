"""Adapters of other libraries: what is missing is named with its command, and what runs is judged."""

from __future__ import annotations

import numpy as np
import pytest
from needs import needs

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.axes import Axes
from ropeproof.theory.rotary.scaling import Dynamic, Llama3, Yarn
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform import adapters
from ropeproof.tools.conform.adapters.adapter import need

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


def test_a_graph_has_a_domain_and_axes():
    spec = RopeSpec(32, 10000, length=64)
    with pytest.raises(InvalidArgument, match=r"com\.microsoft"):
        adapters.onnx(spec, domain="org.example")
    with pytest.raises(InvalidArgument, match=r"bl\(hd\)"):
        adapters.onnx(spec, axes="lbhd")


@pytest.mark.parametrize("domain", ["ai.onnx", "com.microsoft"])
@pytest.mark.parametrize("axes", ["bhld", "bl(hd)"])
@needs("onnxruntime", "onnx")
def test_an_operator_of_a_graph_is_judged(domain, axes, tmp_path):
    spec = RopeSpec(32, 10000, layout="interleaved", length=64)
    found = adapters.onnx(spec, domain=domain, axes=axes)
    assert found.check().passed
    other = adapters.onnx(spec.changed(layout="half"), domain=domain, axes=axes)
    wrong = adapters.Adapter("onnxruntime", "", other.call, spec, found.options)
    assert not wrong.check(explain=False).passed
    with pytest.raises(Unsupported, match="depend on the length"):
        adapters.onnx(RopeSpec(32, 10000, scaling=Dynamic(factor=2, original_length=64)))
    with pytest.raises(InvalidArgument, match="an ONNX model"):
        adapters.onnx_file(tmp_path / "none.onnx", spec)


@needs("onnxruntime", "onnx")
def test_a_graph_of_a_file_is_judged(tmp_path):
    import onnx

    from ropeproof.tools.conform.adapters.graphs import _graph
    from ropeproof.tools.conform.expected.exact import certified_tables

    spec = RopeSpec(32, 10000, length=64)
    found = certified_tables(spec, np.arange(129)[np.newaxis])
    tables = [found.cosines[0], found.sines[0]]
    model = _graph(onnx, spec, tables, "float32", 2, "ai.onnx", 23, flat=False)
    onnx.save(model, str(tmp_path / "rope.onnx"))
    report = adapters.onnx_file(tmp_path / "rope.onnx", spec).check()
    assert report.passed, report
    assert report["layout.heads"].result == "holds"  # nine, where the graph states two
    with pytest.raises(InvalidArgument, match="x, positions"):
        adapters.onnx_file(tmp_path / "rope.onnx", spec, x="tokens")


@needs("timm")
def test_rows_and_columns_of_images():
    grid = RopeSpec(32, 100, layout="interleaved", axes=Axes.grid(16), length=16)
    assert adapters.timm(grid).check(dtypes=("float32", "bfloat16")).passed
    with pytest.raises(Unsupported, match="rows and columns"):
        adapters.timm(RopeSpec(32, 100))
