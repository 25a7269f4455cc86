"""The names that a user's functions may use: whatever is not listed here is not followed.

A record of one call says something about other calls only if the code looks at nothing but its
arguments. What it can look at has names: those of globals, of attributes and of imports, which stand
in its compiled code.
"""

from __future__ import annotations

import builtins
import dis
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["ATTRIBUTES", "BUILTINS", "MODULES", "attributes_of", "collides", "names_in", "uses"]

MODULES = frozenset(
    {
        *("torch", "torch.nn", "torch.nn.functional", "numpy", "math", "cmath", "einops"),
        *("functools", "operator", "typing", "typing_extensions", "collections.abc", "__future__"),
        *("itertools", "dataclasses", "enum", "contextlib", "abc"),
    }
)
"""Modules of libraries that may be named; what is taken from them is looked at by its own name."""

_BUILTINS = """
    abs all any bool callable complex dict divmod enumerate filter float frozenset int isinstance
    issubclass iter len list map max min next object pow property range reversed round set slice
    sorted staticmethod classmethod str sum super tuple zip print getattr hasattr ArithmeticError
    AssertionError AttributeError Exception IndexError KeyError LookupError NotImplementedError
    OverflowError RuntimeError TypeError ValueError ZeroDivisionError StopIteration
    Ellipsis True False None __name__ __debug__ __build_class__ UserWarning Warning
    DeprecationWarning FutureWarning
"""
BUILTINS = frozenset(_BUILTINS.split())
"""Built-in names that may be used; `getattr` and `hasattr` only with the name written out."""

_ATTRIBUTES = """
    T mT H ndim shape size dtype dim device type index numel itemsize nbytes layout real imag
    element_size is_cuda is_floating_point is_complex is_contiguous stride storage_offset
    requires_grad data float double half bfloat16 int long short bool byte char to type_as astype
    clone copy detach contiguous cpu resolve_conj resolve_neg item tolist numpy view view_as reshape
    reshape_as flatten unflatten ravel squeeze unsqueeze transpose permute swapaxes swapdims movedim
    moveaxis expand expand_as repeat repeat_interleave tile broadcast_to broadcast_tensors
    broadcast_arrays broadcast_shapes atleast_1d atleast_2d atleast_3d t mT expand_dims narrow
    select chunk split tensor_split hsplit vsplit dsplit array_split unbind unfold diagonal diag
    diag_embed as_strided view_as_real view_as_complex concat concatenate cat stack hstack vstack
    dstack column_stack row_stack block block_diag flip fliplr flipud roll rot90 rollaxis
    index_select index_copy index_copy_ index_add index_add_ index_fill index_fill_ gather take
    take_along_dim take_along_axis masked_fill masked_fill_ masked_scatter where scatter scatter_
    slice_scatter select_scatter index_put index_put_ nonzero embedding pad put put_ put_along_axis
    copy_ fill_ fill zero_ add add_ sub sub_ subtract mul mul_ multiply div div_ divide true_divide
    floor_divide remainder fmod mod neg neg_ negative positive pow pow_ power float_power square
    sqrt rsqrt reciprocal exp exp_ exp2 expm1 log log2 log10 log1p cos cos_ sin sin_ tan cosh sinh
    tanh acos asin atan atan2 arctan2 abs abs_ absolute sign floor ceil trunc round rint clamp
    clamp_ clamp_min clamp_max clip minimum maximum fmin fmax lerp lerp_ addcmul addcmul_ addcdiv
    sum mean prod cumsum cumprod amax amin max min all any argmax argmin logical_and logical_or
    logical_not logical_xor bitwise_and bitwise_or bitwise_not eq ne lt le gt ge equal not_equal
    less less_equal greater greater_equal isclose allclose array_equal sigmoid softmax linear relu silu
    gelu norm linalg matmul mm bmm mv dot vdot inner outer ger einsum tensordot kron baddbmm addmm
    addmv addr multi_dot polar complex conj conj_physical angle resolve is_tensor is_complex
    erf erfc sinc frac relu6 leaky_relu logsumexp std var median topk
    isfinite isnan isinf nan_to_num hypot radians deg2rad rad2deg degrees triu tril tri tensor
    as_tensor from_numpy asarray array asanyarray ascontiguousarray arange linspace logspace zeros
    ones full empty eye meshgrid indices zeros_like ones_like full_like empty_like new_zeros
    new_ones new_full new_empty new_tensor scalar_tensor result_type promote_types can_cast finfo
    iinfo bits eps tiny smallest_normal set_grad_enabled no_grad enable_grad inference_mode autocast
    is_grad_enabled is_autocast_enabled get_default_dtype get_autocast_dtype get_autocast_gpu_dtype
    amp training nn functional Module ModuleList ModuleDict Parameter Buffer Linear Embedding
    register_buffer register_parameter forward parameters buffers modules children named_parameters
    named_buffers eval train Tensor FloatTensor LongTensor BoolTensor IntTensor newaxis
    float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 complex32 complex64
    complex128 cfloat cdouble cdouble bool_ float_ int_ intp floating integer number inexact generic
    integer complexfloating strided contiguous_format preserve_format channels_last Size
    memory_format c_ r_ s_ ix_ pi e tau inf nan gcd lcm fsum comb perm isqrt copysign fabs ldexp
    frexp apply apply_along_axis vectorize at accumulate reduce accumulate_n outer cross trace
    vander ones zeros identity divmod repeat inverse solve deg2rad float_power rope rearrange
    parse_shape ufunc __name__ __qualname__ append extend insert pop
    popitem keys values items get setdefault update add discard remove clear count sort reverse
    union difference intersection issubset startswith endswith join lower upper strip split
    rsplit replace isdigit title mul_ lstrip rstrip is_integer bit_length as_integer_ratio numerator
    denominator conjugate base argsort sort suppress diff itemgetter attrgetter partial
    cached_property wraps chain product islice zip_longest starmap nullcontext dataclass field
    fields replace astuple asdict Enum IntEnum auto Optional Union Any Callable Sequence Iterable
    List Tuple Dict Literal NamedTuple cast TYPE_CHECKING warning warning_once warn info debug mps
    xpu backends
"""
_NEVER = {"attrgetter", "cached_property", "__init__", "__class__", "__func__"}
ATTRIBUTES = frozenset(_ATTRIBUTES.split()) - {
    "attrgetter",
    "cached_property",
    "__init__",
    "__class__",
    "__func__",
}
"""Attributes that may be used of anything; of a tensor each of them is followed when it is used."""

_HOLDERS = ("torch", "torch.nn", "torch.nn.functional", "torch.utils", "torch.autograd", "torch.cuda",
            "torch.backends", "torch.linalg", "numpy", "numpy.linalg", "numpy.random", "math",
            "einops", "functools", "itertools", "operator", "contextlib", "typing", "dataclasses",
            "enum", "collections.abc", "abc")  # fmt: skip


def collides(name: str) -> bool:
    """Whether a name that only the user's own objects are to have is one of a library as well."""
    things: list[Any] = [sys.modules.get(m) for m in _HOLDERS]
    for module, kind in (("torch", "Tensor"), ("numpy", "ndarray")):
        things.append(getattr(sys.modules.get(module), kind, None))
    things += [str, int, float, dict, list, set, tuple, type, types.FunctionType, types.CodeType]
    return any(hasattr(thing, name) for thing in things if thing is not None)


def _instructions(code: types.CodeType) -> list[dis.Instruction]:
    hidden = ("CACHE", "PUSH_NULL", "PRECALL", "RESUME", "EXTENDED_ARG", "NOP", "COPY_FREE_VARS")
    return [i for i in dis.get_instructions(code) if i.opname not in hidden]


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from _codes(part)


_ATTRIBUTE = {"LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR", "DELETE_ATTR", "LOAD_SUPER_ATTR"}
_ATTRIBUTE |= {"IMPORT_FROM"}
_GLOBAL = {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"}


def attributes_of(code: types.CodeType) -> set[str]:
    """The names of attributes that a function stores: they are its own objects'."""
    return {
        str(i.argval)
        for part in _codes(code)
        for i in _instructions(part)
        if i.opname == "STORE_ATTR"
    }


def names_in(code: types.CodeType) -> set[str]:
    """All names and texts that a function's code holds, those of functions inside it too."""
    found: set[str] = set()
    for part in _codes(code):
        found |= set(part.co_names) | {c for c in part.co_consts if isinstance(c, str)}
    return found


def uses(
    function: types.FunctionType,
    own: set[str],
    reached: Callable[[str, Any], None],
    user_module: Callable[[Any], bool],
) -> Iterator[str]:
    """What a function uses that is not followed, in words.

    `own` are names of attributes of the user's own objects. `reached` is called with the name and the
    value of each global, and of each attribute of a module, that the function names; `user_module` says
    whether a module is the user's own.
    """
    for code in _codes(function.__code__):
        listed = _instructions(code)
        closure = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=False))
        local = set(code.co_names) if code.co_name == "<module>" else set()
        stored = {str(i.argval) for i in listed if i.opname == "STORE_NAME"}
        for at, one in enumerate(listed):
            name = str(one.argval)
            if one.opname == "IMPORT_NAME":
                if name not in MODULES and not _is_users(name, user_module):
                    yield f"import {name}"
            elif one.opname == "IS_OP" and not _plain_identity(listed, at):
                yield "`is` between things that are no constants"
            elif one.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
                yield f"global {name}"
            elif one.opname in _GLOBAL and name not in local | stored:
                yield from _global(function, code, name, listed, at, own, reached, user_module)
            elif one.opname in ("LOAD_DEREF", "LOAD_CLASSDEREF") and name in closure:
                try:
                    value = closure[name].cell_contents
                except ValueError:
                    continue
                if isinstance(value, types.ModuleType):
                    yield from _chain(value, listed, at, reached, user_module)
            elif one.opname in _ATTRIBUTE:
                told = _attribute(name, own)
                if one.opname in ("STORE_ATTR", "DELETE_ATTR") and not _of_self(code, listed, at):
                    yield f"{name} set on something else than self"
                if told and not (name == "__init__" and code.co_name == "__init__"):
                    yield told


def _plain_identity(listed: list[dis.Instruction], at: int) -> bool:
    """Whether `is` compares with None, a truth value or a type of PyTorch's numbers.

    Of other things it can tell integers from what stands for them while they are followed.
    """
    last, before = listed[at - 1], listed[at - 2]
    if last.opname == "LOAD_CONST":
        return last.argval is None or isinstance(last.argval, bool)
    return last.opname == "LOAD_ATTR" and last.argval in _TYPES and before.argval == "torch"


_TYPES = {"float16", "bfloat16", "float32", "float64", "int32", "int64", "bool", "strided"}


def _of_self(code: types.CodeType, listed: list[dis.Instruction], at: int) -> bool:
    """Whether an attribute is set on the first argument of a method."""
    before = listed[at - 1]
    first = code.co_varnames[:1]
    loaded = before.opname.startswith("LOAD_FAST") and before.argval in (*first, first)
    return bool(loaded and code.co_argcount and first == ("self",))


def _of_first(code: types.CodeType, listed: list[dis.Instruction], at: int) -> bool:
    """Whether a function is called with `self` alone: the class of an object that is looked through."""
    first, call = listed[at + 1], listed[at + 2]
    loaded = first.opname.startswith("LOAD_FAST") and first.argval == "self"
    called = call.opname == "CALL" and call.arg == 1
    return bool(code.co_varnames[:1] == ("self",) and loaded and called)


def _is_users(name: str, user_module: Callable[[Any], bool]) -> bool:
    module = sys.modules.get(name)
    return module is not None and user_module(module)


def _attribute(name: str, own: set[str]) -> str:
    if name in ATTRIBUTES:
        return ""
    if name in own and not (name.startswith("__") and name.endswith("__")):
        return f"the name {name}, which libraries have too" if collides(name) else ""
    return f"the attribute {name}"


def _global(
    function: types.FunctionType,
    code: types.CodeType,
    name: str,
    listed: list[dis.Instruction],
    at: int,
    own: set[str],
    reached: Callable[[str, Any], None],
    user_module: Callable[[Any], bool],
) -> Iterator[str]:
    space = function.__globals__
    if name in space:
        value = space[name]
        if name.startswith("__") and name not in ("__name__", "__doc__"):
            yield name
        elif isinstance(value, types.ModuleType):
            yield from _chain(value, listed, at, reached, user_module)
        elif value is getattr or value is hasattr:
            yield f"{name}, another name of a built-in function"
        else:
            reached(name, value)
        return
    if not hasattr(builtins, name):
        yield f"{name}, which has no value now"
        return
    if name not in BUILTINS and not (name == "type" and _of_first(code, listed, at)):
        yield name
    if name in ("getattr", "hasattr"):
        told = _named_attribute(listed, at) if "NULL" in listed[at].argrepr else None
        if told is None:
            yield f"{name} with a name that is computed"
        elif _attribute(told, own):
            yield f"{name} of {told}"
    value = getattr(builtins, name)
    if getattr(value, "__module__", "builtins") not in ("builtins", None):
        reached(name, value)


def _named_attribute(listed: list[dis.Instruction], at: int) -> str | None:
    """The name that is written out as the second argument of `getattr`; None if there is none."""
    count = 0
    for one in listed[at + 1 : at + 8]:
        if one.opname == "LOAD_CONST":
            return one.argval if count == 1 and isinstance(one.argval, str) else None
        if one.opname in ("LOAD_FAST", "LOAD_FAST_BORROW", "LOAD_DEREF", "LOAD_GLOBAL"):
            count += 1
        elif one.opname != "LOAD_ATTR":
            return None
    return None


def _chain(
    module: types.ModuleType,
    listed: list[dis.Instruction],
    at: int,
    reached: Callable[[str, Any], None],
    user_module: Callable[[Any], bool],
) -> Iterator[str]:
    """What a function takes of a module: the attributes that follow its name."""
    value: Any = module
    path = module.__name__
    for one in listed[at + 1 :]:
        if not isinstance(value, types.ModuleType):
            break
        users = user_module(value)
        if value.__name__ not in MODULES and not users and not value.__name__.startswith("torch."):
            yield f"the module {value.__name__}"
            return
        if one.opname not in ("LOAD_ATTR", "LOAD_METHOD"):
            yield f"the module {path} itself"
            return
        name = str(one.argval)
        if not hasattr(value, name):
            yield f"{path}.{name}, which has no value now"
            return
        value, path = getattr(value, name), f"{path}.{name}"
    if not isinstance(value, types.ModuleType):
        reached(path, value)
