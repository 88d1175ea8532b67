"""The integrators: what they are, what they promise, and those that the caller adds."""
import ctypes

import numpy as np

from . import _abi
from ._library import Handle, UsageError, call, documented, encoded, lib, suggestion, text
from ._record import Record, options_of, record
from ._wishes import OPTIONS, set_options

KEPT = ("not", "bounded", "exact")  # the enumerators of lv_kept
_CLAIMS = ("energy", "momentum", "position", "velocity")
_MASS = {"constant": _abi.LV_MASS_CONSTANT, "varying": _abi.LV_MASS_VARYING, "singular": _abi.LV_MASS_SINGULAR}


def _infos():
    info, k = _abi.lv_scheme_info(), 0
    while lib.lv_scheme_describe(k, ctypes.byref(info)):
        yield info
        k += 1


def schemes():
    """Names of all schemes."""
    return [text(info.name) for info in _infos()]


def _claims(struct):
    facts = record(struct)
    for name in _CLAIMS:
        facts.__dict__[name] = KEPT[getattr(struct, name)]
    return facts


def _coefficients(name, options):
    found, err = ctypes.c_void_p(), _abi.lv_error()
    if lib.lv_scheme_coefficients(ctypes.byref(found), name, options, ctypes.byref(err)) != _abi.LV_OK:
        return None  # it is no partitioned Runge-Kutta scheme
    handle = Handle(found.value, lib.lv_coefficients_free)
    c = _abi.lv_coefficients.from_address(handle.address)
    n = c.stages
    return Record(c=np.array(c.c[:n]), b=np.array(c.b[:n]), a=np.array(c.a[:n * n]).reshape(n, n),
                  ah=np.array(c.ah[:n * n]).reshape(n, n))


@documented("lv_scheme_claims", "lv_scheme_equations", "lv_scheme_coefficients")
def scheme(name, **options):
    """What a scheme is with these options: summary, text, source, what systems it takes, claims (order, symplectic,
    symmetric, and energy, momentum, position, velocity: "exact", "bounded" or "not"), options with those that hold where
    none is given, equations of a step and, of partitioned Runge-Kutta schemes, coefficients."""
    struct, claims, complete = _abi.lv_scheme_options(), _abi.lv_claims(), _abi.lv_scheme_options()
    set_options(struct, options, "scheme")
    raw, given = encoded(name), ctypes.byref(struct)
    call(lib.lv_scheme_claims, ctypes.byref(claims), raw, given)
    call(lib.lv_scheme_complete, ctypes.byref(complete), raw, given)
    found = ctypes.c_void_p()
    call(lib.lv_scheme_equations, ctypes.byref(found), raw, given)
    equations = text(ctypes.string_at(found.value))
    lib.lv_equations_free(found.value)
    info = next(info for info in _infos() if text(info.name) == name)
    facts = record(info)
    taken = [option for k, option in enumerate(OPTIONS) if info.options >> k & 1]
    return Record(**{**dict(facts), "options": Record(**options_of(complete)), "takes": taken, "claims": _claims(claims),
                     "equations": equations, "coefficients": _coefficients(raw, given)})


def _kept(name, value):
    if value not in KEPT:
        raise UsageError(f"{name}={value!r}: 'exact', 'bounded' or 'not' is expected", code="usage", name=name)
    return KEPT.index(value)


@documented("lv_scheme_register")
def register_scheme(name, equations, *, order, summary="", text="", source="", symplectic=False, symmetric=False,
                    energy="not", momentum="not", position="not", velocity="not", holonomic=False, nonholonomic=False,
                    mass="constant", any_lagrangian=False, velocity_forces=True):
    """Adds a scheme that is written in the step language (docs/tutorial/new-scheme.md). What it promises, `verify` measures:
    order, symplectic, symmetric, and of energy, momentum, position and velocity "exact", "bounded" or "not". What it takes:
    holonomic and nonholonomic constraints, a mass matrix that is "constant", "varying" or "singular", any Lagrangian, forces that
    depend on velocities."""
    if mass not in _MASS:
        raise UsageError(f"mass={mass!r}: {suggestion(mass, list(_MASS))}", code="usage", name="mass")
    info = _abi.lv_scheme_info(name=encoded(name), summary=encoded(summary), text=encoded(text), source=encoded(source),
                               holonomic=holonomic, nonholonomic=nonholonomic, mass=_MASS[mass],
                               any_lagrangian=any_lagrangian, no_velocity_forces=not velocity_forces)
    claims = _abi.lv_claims(order=order, symplectic=symplectic, symmetric=symmetric, energy=_kept("energy", energy),
                            momentum=_kept("momentum", momentum), position=_kept("position", position),
                            velocity=_kept("velocity", velocity))
    call(lib.lv_scheme_register, ctypes.byref(info), ctypes.byref(claims), encoded(equations))
