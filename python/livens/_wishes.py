"""What is asked of runs: scheme, options, step, end, as arguments of Python and as structs of the library."""
import collections.abc
import ctypes
import numbers
import os

import numpy as np

from . import _abi
from ._library import UsageError, encoded, lib, suggestion, text

INITIAL = {"check": _abi.LV_INITIAL_CHECK, "project": _abi.LV_INITIAL_PROJECT}


def option_names():
    """Names of all options of schemes, in their order."""
    names, info = [], _abi.lv_option_info()
    while lib.lv_option_describe(len(names), ctypes.byref(info)):
        names.append(text(info.name))
    return names


OPTIONS = option_names()


def refuse(message, word, known):
    """A usage error that suggests the nearest of the known words."""
    hint = suggestion(word, known)
    raise UsageError(f"{message}\n   hint: {hint}", code="usage", text=message, hint=hint, name=word)


def _as_text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(float(value)) if isinstance(value, float) else str(value)


def _expected(k):
    """What an option may be: "a whole number from 1 to 32 is expected: number of stages, ..."."""
    info = _abi.lv_option_info()
    lib.lv_option_describe(k, ctypes.byref(info))
    words = []
    while info.choices and ctypes.cast(info.choices, ctypes.POINTER(ctypes.c_char_p))[len(words)]:
        words.append(repr(text(ctypes.cast(info.choices, ctypes.POINTER(ctypes.c_char_p))[len(words)])))
    kinds = {_abi.LV_OPTION_IS_WHOLE: f"a whole number from {info.least:g} to {info.most:g}",
             _abi.LV_OPTION_IS_NUMBER: f"a number from {info.least:g} to {info.most:g}",
             _abi.LV_OPTION_IS_FLAG: "True or False"}
    wanted = " or ".join(words) if words else kinds.get(info.kind, text(info.argument))
    return f"{wanted} is expected: {text(info.doc)}"


def set_options(struct, options, where):
    """Options of a scheme by their names."""
    for name, value in options.items():
        if name not in OPTIONS:
            refuse(f"{where} takes no argument and schemes have no option '{name}' (parameters of models are arguments of "
                   "Model and replace)", name, [*OPTIONS, *ARGUMENTS])
        number, k = ctypes.c_double(), OPTIONS.index(name)
        if not lib.lv_option_parse(k, encoded(_as_text(value)), ctypes.addressof(number)):
            raise UsageError(f"{name}={value!r}: {_expected(k)}", code="usage", name=name, text=f"{name}={value!r}")
        lib.lv_scheme_option_set(ctypes.byref(struct), k, number.value)


def _course(name, given):
    """Times, values and kind of what an input is given: a number, a vector, (times, values) or (times, values, kind)."""
    if isinstance(given, numbers.Real):
        return [0.0], [float(given)], "held"
    wanted = f"inputs['{name}']: (times, values), (times, values, 'linear'), a number or a path is expected"
    if not isinstance(given, (tuple, list)) or len(given) not in (2, 3):
        raise UsageError(wanted, code="usage", name=name)
    times, values, kind = (*given, "held")[:3]
    if kind not in ("held", "linear"):
        raise UsageError(f"inputs['{name}']: '{kind}' is neither 'held' nor 'linear'", code="usage", name=name)
    try:
        times, values = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise UsageError(wanted, code="usage", name=name) from None
    if times.ndim != 1 or values.ndim not in (1, 2) or len(times) != len(values):
        raise UsageError(f"inputs['{name}']: values of the shape {values.shape} for times of the shape {times.shape}; one row "
                         "for each time is expected", code="usage", name=name)
    return times, values, kind


def tables(inputs):
    """An lv_input_table for every input: a file, or times and values as the text of one; and their number."""
    if not isinstance(inputs, collections.abc.Mapping):
        raise UsageError(f"inputs={inputs!r}: a dictionary is expected, such as {{'u': (times, values)}}", code="usage")
    array = (_abi.lv_input_table * max(len(inputs), 1))()
    for table, (name, given) in zip(array, inputs.items()):
        table.input = encoded(name)
        if isinstance(given, (str, os.PathLike)):
            table.path = encoded(given)
            continue
        times, values, kind = _course(name, given)
        rows = np.column_stack([times, values])
        table.path = encoded(f"inputs['{name}']")
        table.text = "".join(",".join(map(repr, row)) + "\n" for row in rows.tolist()).encode()
        table.kind = _abi.LV_TABLE_LINEAR if kind == "linear" else _abi.LV_TABLE_HELD
    return array, len(inputs)


ARGUMENTS = ["scheme", "step", "until", "every", "sample", "initial", "inputs"]
# What takes fewer of them, and what to do instead.
_FEWER = {"simulate": (["scheme", "step", "initial"], "sim.advance(until), sim.step(n) and sim.set_input go on from there"),
          "verify": (["scheme", "step", "until", "initial", "inputs"], "certificates have no rows")}


def _check_given(where, given):
    taken, hint = _FEWER.get(where, (ARGUMENTS, ""))
    for name in given:
        if name not in taken:
            raise UsageError(f"{where} takes no argument '{name}'\n   hint: {hint}", code="usage", name=name, hint=hint)


def changes(where, scheme=None, step=None, until=None, every=None, sample=None, initial=None, inputs=None, **options):
    """An lv_run_changes; texts and what it points to live as long as it does."""
    values = (scheme, step, until, every, sample, initial, inputs)
    _check_given(where, [name for name, value in zip(ARGUMENTS, values) if value is not None])
    struct = _abi.lv_run_changes()
    struct.scheme = encoded(scheme)
    set_options(struct.options, options, where)
    struct.step = 0 if step is None else _positive("step", step)
    struct.ends = until is not None
    struct.until = 0 if until is None else _finite("until", until)
    struct.every = 0 if every is None else count("every", every)
    struct.sample = 0 if sample is None else _positive("sample", sample)
    if initial is not None:
        if initial not in INITIAL:
            refuse(f"initial='{initial}'", initial, list(INITIAL))
        struct.keeps = ctypes.c_int(INITIAL[initial])
        struct.initial = ctypes.pointer(struct.keeps)
    if inputs:
        struct.tables, struct.table_count = struct.tables_kept, _ = tables(inputs)
    return struct


def _number(name, value):
    try:
        return float(value)
    except (TypeError, ValueError):
        raise UsageError(f"{name}={value!r}: a number is expected", code="usage", name=name) from None


def _finite(name, value):
    value = _number(name, value)
    if not np.isfinite(value):
        raise UsageError(f"{name}={value:g}: a finite number is expected", code="usage", name=name)
    return value


def _positive(name, value):
    value = _finite(name, value)
    if not value > 0:
        raise UsageError(f"{name}={value:g}: a positive number is expected", code="usage", name=name)
    return value


def count(name, value, least=1):
    """A whole number that C takes as an int."""
    if isinstance(value, str) or _finite(name, value) % 1 or not least <= value < 2**31:
        raise UsageError(f"{name}={value!r}: a whole number from {least} to {2**31 - 1} is expected", code="usage", name=name)
    return int(value)


def numbers_of(name, values):
    """An array of doubles for C; a number alone is one of them."""
    try:
        array = np.atleast_1d(np.asarray([] if values is None else values, dtype=float))
    except (TypeError, ValueError):
        raise UsageError(f"{name}={values!r}: numbers are expected", code="usage", name=name) from None
    return (ctypes.c_double * array.size)(*array.ravel().tolist())


def run_request(model_address, where, **wishes):
    """The model's own wishes with changes."""
    request = lib.lv_run_request_default(model_address)
    asked = changes(where, **wishes)
    lib.lv_run_request_change(ctypes.byref(request), ctypes.byref(asked))
    request.keeps = asked
    return request
