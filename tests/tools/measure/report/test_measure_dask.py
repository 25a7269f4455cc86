"""The same measurement on a cluster, one of whose workers is killed while it runs."""

from __future__ import annotations

import json
import os
import signal

import pytest
import torch
from nearly import assert_nearly
from needs import need
from saved_models import save_model
from tiny_models import make_model, make_prompts
from typer.testing import CliRunner

from ropeproof import cli
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.measure import measure_model
from ropeproof.tools.measure.measure_and_report import workers_of

distributed = need("distributed")


@pytest.fixture(scope="module")
def cluster():
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    with distributed.LocalCluster(**options, dashboard_address=None) as found:
        yield found


def measured(**options):
    model = make_model("llama", torch.float32)
    prompts = {"text": make_prompts(length=12)[0].tolist(), "random": [5, 4, 3, 2, 1, 0] * 2}
    spec = RopeSpec.from_config(model.config, length=12)
    return measure_model(model, prompts, spec, **options)


def test_a_worker_is_killed_and_nothing_is_lost(cluster):
    whole = measured()
    with workers_of(None, cluster.scheduler_address) as (executor, count):
        assert count == 2
        with distributed.Client(cluster) as client:
            running = client.run(os.getpid)
        told = []

        def kill(_what, done, of):
            told.append((done, of))
            if done == 2:
                os.kill(next(iter(running.values())), signal.SIGKILL)

        found = measured(executor=executor, workers=count, progress=kill)
    assert told == [(done, 16) for done in range(1, 17)]  # each head counted, and once
    assert_nearly(found, whole)


def test_the_command_on_a_cluster(cluster, tmp_path):
    model = save_model(tmp_path / "small")
    reports = []
    for where in (["--scheduler", cluster.scheduler_address], ["--jobs", "1"]):
        arguments = ["measure", str(model), "--length", "8", "--json", "-", *where]
        result = CliRunner().invoke(cli.app, arguments)
        assert result.exit_code == 0, result.output
        reports.append(json.loads(result.stdout))
    assert_nearly(*reports)


def test_a_scheduler_that_does_not_answer():
    with (
        pytest.raises(InvalidArgument, match="the address of a Dask scheduler that answers"),
        workers_of(None, "tcp://127.0.0.1:9"),
    ):
        pass
