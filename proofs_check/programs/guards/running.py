"""Which code runs in a call: a library's own, or the user's that was looked through before.

What is looked through is what can be reached by names. Whatever runs all the same, by a hook, a protocol
or a function put in the place of another, is seen as it is entered.
"""

from __future__ import annotations

import dis
import gc
import sys
import types
from collections.abc import Iterable, Iterator
from types import CodeType, FrameType

from ropeproof.proofs_check.programs.guards.library import of_library
from ropeproof.proofs_check.programs.guards.names import BUILTINS
from ropeproof.proofs_check.programs.guards.sources import all_codes, at_home, is_compiled

__all__ = ["LookedThrough", "watchers"]

_ANSWERS: dict[tuple[int, int], tuple[CodeType, object, str]] = {}


class LookedThrough:
    """The code of functions that were looked through, with all that is defined inside them."""

    def __init__(self, functions: Iterable[types.FunctionType]) -> None:
        self._codes = {id(c): c for f in functions for c in all_codes(f.__code__)}

    def told_of(self, frame: FrameType) -> str:
        """In words, that the code of a frame is neither of these nor a library's; empty if it is."""
        code = frame.f_code
        if id(code) in self._codes:
            return ""
        if code.co_filename == "<string>" and _is_made(frame):
            return ""
        if not of_library(code.co_filename):
            return f"{code.co_qualname}, which was not looked through, runs in the call"
        return _of_library(frame)


def _of_library(frame: FrameType) -> str:
    code, space = frame.f_code, frame.f_globals
    kept = _ANSWERS.get((id(code), id(space)))
    if kept is None or kept[0] is not code or kept[1] is not space:
        told = ""
        if not is_compiled(code):
            told = f"{code.co_qualname} runs, which is not what {code.co_filename} compiles to"
        elif not at_home(space, code):
            told = f"{code.co_qualname} runs with other globals than those of its module"
        kept = _ANSWERS[id(code), id(space)] = (code, space, told)
    return kept[2]


_ONLY_READS = {"RESUME", "LOAD_NAME", "LOAD_CONST", "LOAD_ATTR", "BINARY_SUBSCR", "BUILD_TUPLE"}
_ONLY_READS |= {"CACHE", "RETURN_VALUE", "RETURN_CONST", "EXTENDED_ARG", "BINARY_OP"}
_OF_DATACLASSES = (
    "_dflt_",
    "__dataclass_",
    "_type_",
    "MISSING",
    "_HAS_DEFAULT_FACTORY",
    "__class__",
)


def _is_made(frame: FrameType) -> bool:
    """Whether a frame is of text that libraries write: methods of data classes and tuples, annotations."""
    code = frame.f_code
    if code.co_name == "<lambda>" and code.co_names == ("_tuple_new",):
        return frame.f_globals.get("_tuple_new") is tuple.__new__
    listed = list(dis.get_instructions(code))
    if code.co_qualname == "<module>":
        return all(i.opname in _ONLY_READS for i in listed)
    if not code.co_qualname.startswith("__create_fn__.<locals>."):
        return False
    known = BUILTINS | {"hash", "NotImplemented", "FrozenInstanceError", "cls"}
    return all(name.startswith(_OF_DATACLASSES) for name in code.co_freevars) and all(
        i.argval in known for i in listed if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    )


def watchers() -> Iterator[str]:
    """What would run beside each call, in words: a profiler, a tracer, what follows a collection."""
    if sys.getprofile() is not None:
        yield "a function of sys.setprofile is set"
    tracer = sys.gettrace()
    home = tracer if isinstance(tracer, types.FunctionType | types.MethodType) else type(tracer)
    if tracer is not None and str(home.__module__).split(".")[0] not in ("coverage", "pydevd"):
        yield "a function of sys.settrace is set"
    for one in gc.callbacks:
        code = getattr(one, "__code__", None)
        if not isinstance(code, CodeType) or not is_compiled(code):
            yield "a function of gc.callbacks is set"
