"""Beyond single runs: what a model is, whether promises are kept, ensembles, which scheme is best."""
import ctypes

import numpy as np

from . import _abi
from ._library import Guard, Handle, UsageError, call, encoded, failure, lib, text, texts
from ._record import Record, options_of, record
from ._schemes import schemes
from ._table import Table
from ._wishes import changes, count, numbers_of, set_options


# ---- check ------------------------------------------------------------------------------------------------------------------

class Check(Record):
    """What a model is before any time passes; str() tells the most important."""

    def __str__(self):
        energy = f"energy {self.energy:.6g}: kinetic {self.kinetic:.6g}, potential {self.potential:.6g}"
        kinds = ((self.coordinates, "coordinate"), (self.holonomic, "holonomic constraint"),
                 (self.nonholonomic, "nonholonomic constraint"))
        free = f"{self.freedom} degree{'' if self.freedom == 1 else 's'} of freedom"
        rows = [self.model, "  " + ", ".join(f"{n} {one}{'' if n == 1 else 's'}" for n, one in kinds if n) + f", {free}",
                f"  mass matrix {self.mass}; {energy}"]
        rows += [f"  kept by symmetry: {m.name} = {m.value:.6g}" for m in self.momenta]
        rows += [f"  {name}: {self[name]}" for name in ("redundant", "flat", "driven", "mass_negative", "output_undefined",
                                                          "position_violated", "velocity_violated") if self[name]]
        return "\n".join([*rows, f"  schemes that take it: {', '.join(self.schemes)}"])

    __repr__ = __str__


def check(model):
    found, err = ctypes.c_void_p(), ctypes.byref
    call(lib.lv_model_inspect, err(found), model._handle.address)
    handle = Handle(found.value, lib.lv_inspection_free, model._handle)
    facts = record(_abi.lv_inspection.from_address(handle.address))
    names = schemes()
    fits = (ctypes.c_bool * len(names))()
    call(lib.lv_model_fitting_schemes, model._handle.address, ctypes.addressof(fits), len(names))
    probe = _abi.lv_probe_info()
    call(lib.lv_inspection_probe, handle.address, ctypes.byref(probe))
    return Check(model=model.title, **dict(facts), schemes=[name for name, fit in zip(names, fits) if fit],
                 probe=record(probe))


# ---- certificates --------------------------------------------------------------------------------------------------------------

class Certificate(Record):
    """What a scheme promises, measured on one model: findings, each with property, name, promise, measured, bound,
    verdict ("kept", "broken", "not promised", "open") and note; ok: nothing is broken."""

    def __str__(self):
        def row(f):
            name = f"{f.property} {f.name}" if f.name else f.property
            promise = f"promised {f.promise}" if f.promise else ""
            return f"  {f.verdict:<13} {name:<28} {f.measured:<12.4g} {promise}"
        return "\n".join([f"{self.scheme}, step {self.step:g}: {'ok' if self.ok else 'BROKEN'}", *map(row, self.findings)])

    __repr__ = __str__


def verify(model, threads, report, wishes):
    request = lib.lv_verify_request_default(model._handle.address)
    asked = changes("verify", **wishes)
    lib.lv_run_request_change(ctypes.byref(request.run), ctypes.byref(asked))
    request.threads = count("threads", threads or 0, 0)
    found = ctypes.c_void_p()
    if report is None:
        call(lib.lv_verify, ctypes.byref(found), model._handle.address, ctypes.byref(request))
    else:
        call(lib.lv_verify_report, ctypes.byref(found), None, model._handle.address, ctypes.byref(request), encoded(report))
    handle = Handle(found.value, lib.lv_certificate_free, model._handle)
    struct = _abi.lv_certificate.from_address(handle.address)
    facts = record(struct)
    facts.options = Record(**options_of(struct.options))
    counts = {text(lib.lv_finding_verdict_name(k)): n for k, n in enumerate(struct.verdicts)}
    facts.verdicts = counts
    return Certificate(ok=counts["broken"] == 0, **dict(facts))


# ---- ensembles -----------------------------------------------------------------------------------------------------------------

class Sweep(Table):
    """An ensemble: sweep["x"] is a column over the members, as CSV files name them; summary, failures and warnings say how
    it went; series has means and deviations over time where they were asked for."""

    def __init__(self, model, columns, values, failures, warnings, struct):
        super().__init__(columns, values, "member")
        self.model = model
        self.failures, self.warnings = failures, warnings
        self.summary = Record(**{name: getattr(struct, name) for name in (
            "interrupted", "members", "done", "failed", "warned", "recalled", "threads", "order", "steps", "seconds")},
            scheme=text(struct.scheme), options=Record(**options_of(struct.options)))
        self.series = None
        if struct.series:
            s = struct.series.contents
            numbers = np.array(s.values[:s.rows * s.column_count]).reshape(s.rows, s.column_count)
            self.series = Table([text(s.columns[k]) for k in range(s.column_count)], numbers, "t")

    def __repr__(self):
        s = self.summary
        return f"<livens.Sweep of '{self.model.title}': {s.done} of {s.members} members, {s.failed} failed>"


class _Members:
    """Collects members as they end, in the order of their numbers."""

    def __init__(self):
        self.rows, self.failures, self.warnings, self.names = [], [], [], []

    def take(self, _, where):
        member = _abi.lv_member.from_address(where)
        if not self.names:
            self.names = [text(member.columns[k]) for k in range(member.column_count)]
        self.rows.append(member.values[:member.column_count])
        if member.status != _abi.LV_OK:
            err = _abi.lv_error.from_address(ctypes.cast(member.error, ctypes.c_void_p).value)
            self.failures.append((member.number, failure(member.status, err)))
        self.warnings += [(member.number, text(member.warnings[k])) for k in range(member.warning_count)]


def _with_sets(model, sets, index):
    """The model with [sweep.set] for these parameters: sequences are grids, texts formulas of the member's number."""
    from ._model import Model, formula
    lines = [] if index is None else ["[sweep]", f"members = {int(index)}"]
    for name, values in sets.items():
        if isinstance(values, dict):
            lines += [f"[sweep.set.{name}]", *(f"{key} = {_toml(value)}" for key, value in values.items())]
        elif isinstance(values, str):
            lines += [f"[sweep.set.{name}]", f'value = "{values}"']
        elif np.ndim(values) == 0:
            raise UsageError(f"{name}={values!r}: several values are expected, such as [1, 2, 3], or a formula of j",
                             code="usage", name=name)
        else:
            lines += [f"[sweep.set.{name}]", "values = " + formula(np.asarray(values, dtype=float), name)]
    kept = {name: value for name, value in model.settings.items() if name not in sets}
    return Model("\n".join([model.text, *lines, ""]), model._called(), **kept)


def _toml(value):
    from ._model import formula
    return f'"{value}"' if isinstance(value, str) else formula(value)


def sweep(model, sets, members, threads, series, channels, csv, hdf5, report, progress, wishes):
    model = _with_sets(model, sets, members) if sets or members else model
    request, collected, guard = lib.lv_sweep_request_default(), _Members(), Guard()
    request.changes = changes("sweep", **wishes)
    request.keeps = request.changes
    request.threads, request.keep_series = count("threads", threads or 0, 0), bool(series)
    request.csv, request.hdf5 = encoded(csv), encoded(hdf5)
    request.channels, request.channel_count = texts(channels)
    request.member = guard.wrap(type(request.member), collected.take)
    request.progress = guard.wrap(type(request.progress), lambda _, at: progress(
        record(_abi.lv_sweep_progress.from_address(at))) if progress else True)
    found, err = ctypes.c_void_p(), _abi.lv_error()
    arguments = (model._handle.address, ctypes.byref(request))
    if report is None:
        status = lib.lv_sweep_run(ctypes.byref(found), *arguments, ctypes.byref(err))
    else:
        status = lib.lv_sweep_report(ctypes.byref(found), None, *arguments, encoded(report), ctypes.byref(err))
    handle = Handle(found.value, lib.lv_sweep_summary_free, model._handle) if found.value else None
    guard.check()
    if status != _abi.LV_OK:
        raise failure(status, err)
    values = np.array(collected.rows, dtype=float).reshape(len(collected.rows), len(collected.names))
    return Sweep(model, collected.names, values, collected.failures, collected.warnings,
                 _abi.lv_sweep_summary.from_address(handle.address))


# ---- studies -------------------------------------------------------------------------------------------------------------------

class Study(Record):
    """Which scheme takes a model, how accurate it is with which step, and what that costs: methods (each with label, order,
    observed, runs, costs), refusals, advices."""

    def _advice(self, a):
        if a.method < 0:
            return f"  error {a.tolerance:g}: {a.note}"
        return f"  error {a.tolerance:g}: {self.methods[a.method].label}, step {a.step:.4g}, {a.seconds:.3g} s"

    def __str__(self):
        return "\n".join([f"{len(self.methods)} methods until t = {self.until:g}", *map(self._advice, self.advices)])

    __repr__ = __str__


def _choices(schemes):
    """"rattle", or ("lobatto", {"stages": 3})."""
    array = (_abi.lv_study_choice * max(len(schemes), 1))()
    for struct, choice in zip(array, schemes):
        name, options = (choice, {}) if isinstance(choice, str) else choice
        struct.scheme = encoded(name)
        set_options(struct.options, options, "study")
    return array


def study(model, schemes, steps, tolerances, whole, threads, report, progress, wishes):
    request, guard = lib.lv_study_request_default(model._handle.address), Guard()
    asked = changes("study", **wishes)
    lib.lv_run_request_change(ctypes.byref(request.run), ctypes.byref(asked))
    schemes = [schemes] if isinstance(schemes, str) else list(schemes or ())
    request.choices, request.choice_count = _choices(schemes), len(schemes)
    sizes, errors = numbers_of("steps", steps), numbers_of("tolerances", tolerances)
    request.steps, request.step_count = sizes, len(sizes)
    request.tolerances, request.tolerance_count = errors, len(errors)
    request.whole, request.threads = bool(whole), count("threads", threads or 0, 0)
    request.progress = guard.wrap(type(request.progress), lambda _, at: progress(
        record(_abi.lv_sweep_progress.from_address(at))) if progress else True)
    found, err = ctypes.c_void_p(), _abi.lv_error()
    arguments = (model._handle.address, ctypes.byref(request))
    if report is None:
        status = lib.lv_study_make(ctypes.byref(found), *arguments, ctypes.byref(err))
    else:
        status = lib.lv_study_report(ctypes.byref(found), None, *arguments, encoded(report), ctypes.byref(err))
    handle = Handle(found.value, lib.lv_study_free, model._handle) if found.value else None
    guard.check()
    if status != _abi.LV_OK:
        raise failure(status, err)
    return Study(**dict(record(_abi.lv_study.from_address(handle.address))))
