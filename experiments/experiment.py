"""Helpers shared by the commands that repeat a paper's training."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Sequence
from importlib.metadata import version

import torch

__all__ = ["check_options", "versions"]


def check_options(
    parser: argparse.ArgumentParser, chosen: argparse.Namespace, counts: Sequence[str]
) -> None:
    """End the command with a message that names the option if a count, device or folder is invalid.

    Counts have to be at least 1. Reads `device` and `output` besides the `counts`.
    """
    for name in counts:
        if getattr(chosen, name) < 1:
            parser.error(f"--{name} is {getattr(chosen, name)}: at least 1 is needed")
    if chosen.device == "cuda" and not torch.cuda.is_available():
        parser.error("--device is cuda: this machine has no CUDA device")
    if chosen.output.exists() and not chosen.output.is_dir():
        parser.error(f"--output is {chosen.output}: a folder, or a new name, is needed")


def versions(*packages: str) -> dict[str, str]:
    """The versions that a record depends on besides its settings: Python, machine, and these packages."""
    found = {name: version(name) for name in ("ropeproof", "torch", "numpy", *packages)}
    return {"python": platform.python_version(), "machine": platform.machine(), **found}
