"""`pytest --ropeproof-lint`: each configuration is a test that fails with its findings."""

from __future__ import annotations

import json
import struct

import pytest

pytest_plugins = ["pytester"]
HERE = ("-p", "no:cacheprovider", "-p", "no:xdist")
GOOD = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, "rope_theta": 5e5}
BAD = {**GOOD, "rope_scaling": {"rope_type": "yarn", "beta_fsat": 32}}
NEW = {**GOOD, "rope_parameters": {"rope_type": "default", "rope_theta": 5e5}}
NEW.pop("rope_theta")


def write(folder, name, fields):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(fields))
    return path


def gguf(path, base):
    def string(text):
        return struct.pack("<Q", len(text)) + text.encode()

    data = b"GGUF" + struct.pack("<IQQ", 3, 0, 2)
    data += string("general.architecture") + struct.pack("<I", 8) + string("llama")
    path.write_bytes(data + string("llama.rope.freq_base") + struct.pack("<If", 6, base))


@pytest.fixture
def project(pytester):
    pytester.makepyfile("def test_one(): pass")
    write(pytester.path, "models/good/config.json", GOOD)
    write(pytester.path, "models/bad/config.json", BAD)
    return pytester


def test_every_configuration_is_a_test_with_its_findings(project):
    result = project.runpytest("-v", "--ropeproof-lint", *HERE)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines_random(
        [
            "models/good/config.json::rope PASSED*",
            "models/bad/config.json::rope FAILED*",
            "*config.json:1:*: error key-unknown: rope_scaling.beta_fsat: *did you mean 'beta_fast'*",
            "*config.json:1:*: error original-missing: *",
        ]
    )


def test_without_the_option_no_configuration_is_read(project):
    project.runpytest(*HERE).assert_outcomes(passed=1)


def test_paths_choose(project):
    result = project.runpytest("--ropeproof-lint", "models/good", *HERE)
    result.assert_outcomes(passed=1)
    result = project.runpytest("--ropeproof-lint", "models/bad/config.json", *HERE)
    result.assert_outcomes(failed=1)


def test_the_root_folder_is_searched_where_testpaths_look_elsewhere(project):
    project.makeini("[pytest]\ntestpaths = tests\nnorecursedirs = skipped")
    project.mkdir("tests").joinpath("test_two.py").write_text("def test_two(): pass")
    write(project.path, "skipped/config.json", BAD)
    write(project.path, "ignored/config.json", BAD)
    result = project.runpytest("-v", "--ropeproof-lint", "--ignore=ignored", *HERE)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines_random(["*test_two PASSED*", "models/bad/config.json::rope*"])
    result.stdout.no_fnmatch_line("*test_one*")


def test_warnings_fail_where_asked_and_are_shown(project):
    path = write(project.path, "new/config.json", NEW)
    project.runpytest("--ropeproof-lint", path.parent, *HERE).assert_outcomes(passed=1)
    told = project.runpytest("--ropeproof-lint", "-rP", path.parent, *HERE)
    told.stdout.fnmatch_lines(["*warning dialect-new: *"])
    fails = ("--ropeproof-lint-fail-on", "warning")
    result = project.runpytest("--ropeproof-lint", *fails, path.parent, *HERE)
    result.assert_outcomes(failed=1)
    wrong = project.runpytest("--ropeproof-lint-fail-on", "note", *HERE)
    assert wrong.ret == pytest.ExitCode.USAGE_ERROR


def test_a_gguf_is_compared_with_the_configuration_beside_it(project):
    folder = project.path / "models/good"
    gguf(folder / "model.gguf", 10000.0)
    result = project.runpytest("-v", "--ropeproof-lint", folder, *HERE)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*model.gguf::rope FAILED*", "*error gguf-differs: *"])


def test_what_stands_beside_a_configuration_is_told_with_it(project):
    write(project.path, "models/good/generation_config.json", {"rope_theta": 1e6})
    fails = ("--ropeproof-lint-fail-on", "warning")
    result = project.runpytest("--ropeproof-lint", *fails, "models/good", *HERE)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*generation_config.json:*warning key-unread*"])


def test_what_is_not_checked_is_skipped_with_the_reason(project):
    strange = write(project.path, "strange/config.json", {**GOOD, "model_type": "never_seen"})
    server = write(project.path, "server/config.json", {"port": 8080})
    result = project.runpytest("--ropeproof-lint", "-rs", strange.parent, server.parent, *HERE)
    result.assert_outcomes(skipped=2)
    result.stdout.fnmatch_lines_random(
        [
            "*not checked: what the code of 'never_seen' reads is not known*",
            "*passed over: no model's config*",
        ]
    )


def test_workers_find_the_same_tests(project):
    result = project.runpytest("--ropeproof-lint", "-n", "2", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=2, failed=1)
