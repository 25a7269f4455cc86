"""Rotation tables that a state dict leaves out, put back whenever a built model loads one.

Models of transformers keep frequencies, or cosines and sines, in buffers that are not in their state
dict. After `model.to("meta")`, `to_empty` and `load_state_dict` these hold whatever stood in the memory.
"""

from __future__ import annotations

from typing import Any

__all__ = ["keep_tables"]


def keep_tables(model: Any) -> None:
    """Make a model put its present rotation tables back after each `load_state_dict`, in place.

    Kept are copies of all buffers that its state dict leaves out. They are rounded to the type that the
    buffers have then, and stay where the buffers are. Copies and pickles of the model do the same.
    """
    stored = model.state_dict().keys()
    tables = {n: b.detach().cpu().clone() for n, b in model.named_buffers() if n not in stored}
    model.register_load_state_dict_post_hook(_Restore(tables))


class _Restore:
    """The hook, an object of a named class so that a model that has it can be pickled."""

    def __init__(self, tables: dict[str, Any]) -> None:
        self.tables = tables

    def __call__(self, model: Any, _: Any) -> None:
        import torch

        buffers = dict(model.named_buffers())
        with torch.no_grad():
            for name, table in self.tables.items():
                if name in buffers and not buffers[name].is_meta:
                    buffers[name].copy_(table)
