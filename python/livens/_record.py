"""Structs of the library as Python objects."""
import ctypes

import numpy as np

from . import _abi
from ._library import lib, suggestion, text


class Record:
    """Facts with names: record.name or record["name"]; dict(record) has all of them."""

    def __init__(self, **facts):
        self.__dict__.update(facts)

    def __getattr__(self, name):
        if name.startswith("_"):  # what Python itself looks for
            raise AttributeError(name)
        raise AttributeError(self._unknown(name))

    def __getitem__(self, name):
        if name not in self.__dict__:
            raise KeyError(self._unknown(name))
        return self.__dict__[name]

    def _unknown(self, name):
        return f"there is no '{name}'; {suggestion(name, list(self))}" if len(self) else f"there is no '{name}': there are none"

    def _ipython_key_completions_(self):
        return list(self)

    @property
    def keys(self):
        """keys() are the names of the facts. A property: a fact of that name, as models may have, does not hide it."""
        return self.__dict__.keys

    def __iter__(self):
        return iter(self.__dict__)

    def __len__(self):
        return len(self.__dict__)

    def __contains__(self, name):
        return name in self.__dict__

    def __eq__(self, other):
        return isinstance(other, Record) and self.__dict__ == other.__dict__

    def __repr__(self):
        lines = [f"{name}: {_shortened(value)}" for name, value in self.__dict__.items()]
        return "{" + ", ".join(lines) + "}" if sum(map(len, lines)) < 80 else "\n".join(lines)


def _shortened(value):
    shown = repr(value)
    if "\n" in shown:
        shown = "\n  " + shown.replace("\n", "\n  ")
    return shown if len(shown) < 400 else shown[:400] + " ..."


# How many items a pointer has, where its struct does not say so with NAME_count.
_COUNTS = {
    ("lv_inspection", "momenta"): "momentum_count",
    ("lv_inspection", "parameters"): "parameter_count", ("lv_part_result", "values"): "count",
    ("lv_dependence_info", "list"): "count", ("lv_mechanism_info", "loose"): "loose_named",
    ("lv_certificate", "findings"): "count",
}
_LEFT_OUT = {"reserved"}
_NAMES = {"status": lib.lv_status_name, "verdict": lib.lv_finding_verdict_name, "property": lib.lv_property_name,
          "mass": lib.lv_mass_kind_name}


def _count_of(struct, name):
    known = _COUNTS.get((type(struct).__name__, name))
    if known:
        return getattr(struct, known)
    singular = name[:-3] + "y" if name.endswith("ies") else name[:-1]
    for candidate in (f"{singular}_count", f"{name}_count"):
        if hasattr(struct, candidate):
            return getattr(struct, candidate)
    return None


def options_of(options):
    """The options of a scheme that are given, as model files write them; stages and compose always, None without them."""
    found, info, buffer = {}, _abi.lv_option_info(), ctypes.create_string_buffer(64)
    for k in range(_abi.LV_OPTIONS):
        lib.lv_option_describe(k, ctypes.byref(info))
        value, given = options.value[k], options.given >> k & 1
        if k in (_abi.LV_OPTION_STAGES, _abi.LV_OPTION_COMPOSE):
            found[text(info.name)] = int(value) if given and value > 0 else None
        elif given:
            lib.lv_option_format(k, value, ctypes.addressof(buffer), len(buffer))
            kinds = {_abi.LV_OPTION_IS_WHOLE: int, _abi.LV_OPTION_IS_NUMBER: float, _abi.LV_OPTION_IS_FLAG: bool}
            found[text(info.name)] = kinds[info.kind](value) if info.kind in kinds else text(buffer.value)
    return found


def plain(pointer, length):
    """Numbers at a pointer: an array, or a scalar where the length is 0."""
    return pointer[0] if length == 0 else np.array(pointer[:length])


def _value(struct, name, value):
    if isinstance(value, _abi.lv_scheme_options):
        return options_of(value)
    if isinstance(value, ctypes.Structure):
        return record(value)
    if isinstance(value, bytes):
        return text(value)
    if name in _NAMES and isinstance(value, int):
        return text(_NAMES[name](value))
    if isinstance(value, ctypes.Array):
        return text(value.value) if value._type_ is ctypes.c_char else list(value)
    if isinstance(value, ctypes._Pointer):
        return _items(struct, name, value)
    return value


def _items(struct, name, pointer):
    if not pointer:
        return [] if _count_of(struct, name) == 0 else None
    if name == "values" and hasattr(struct, "length"):
        return plain(pointer, struct.length)
    count = _count_of(struct, name)
    if count is None:
        return record(pointer[0]) if isinstance(pointer[0], ctypes.Structure) else pointer[0]
    if pointer._type_ is ctypes.c_double:
        return np.array(pointer[:count])
    return [_value(struct, None, pointer[k]) for k in range(count)]


def record(struct):
    """A copy of a struct, which may be freed afterwards."""
    facts = {}
    for name, *_ in struct._fields_:
        if name in _LEFT_OUT or name.endswith("_count") or (name == "count" and not hasattr(struct, "combinations")
                                                            and _has_list(struct)):
            continue
        facts[name] = _value(struct, name, getattr(struct, name))
    return Record(**facts)


def _has_list(struct):
    return any((type(struct).__name__, name) in _COUNTS for name, *_ in struct._fields_)
