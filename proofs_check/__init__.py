"""The checker: kernel, evidence, status, runner, command line, pytest plugin, docs."""
