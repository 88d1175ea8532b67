"""The summary of a run, with the names of the object that `livens run --json` prints."""
import ctypes
import re

import numpy as np

from . import _abi
from ._library import lib, text
from ._record import Record, options_of, plain, record


def groups(model_address):
    """The groups of coordinates, with the slice of a state that each has and the shape of its values."""
    info, first, k = _abi.lv_group_info(), 0, 0
    while lib.lv_group_describe(model_address, k, ctypes.byref(info)):
        shape = ((info.count,) if info.is_family else ()) + ((info.length,) if info.length else ())
        width = info.count * max(info.length, 1)
        is_inner = width > 0 and lib.lv_model_coordinate_is_inner(model_address, first)
        yield text(info.name), slice(first, first + width), shape, is_inner
        first, k = first + width, k + 1


def by_group(model_address, values):
    """A state as scalars and arrays by the names of the coordinates."""
    found = {}
    for name, where, shape, is_inner in groups(model_address):
        if not is_inner:
            found[name] = np.array(values[where.start:where.stop]).reshape(shape) if shape else values[where.start]
    return Record(**found)


def by_constraint(model, values, count):
    """Multipliers by the names of constraints: numbers, or arrays where a constraint has several rows."""
    found = {}
    for k, name in enumerate(model.constraints[:count] if values else ()):
        if not lib.lv_model_constraint_is_inner(model._handle.address, k):
            found.setdefault(re.sub(r"\[.*", "", name), []).append((values[k], "[" in name))
    return Record(**{name: np.array([x for x, _ in rows]) if rows[0][1] else rows[0][0] for name, rows in found.items()})


def outputs_of(outputs, count):
    """Outputs, or inputs, by name."""
    return Record(**{text(o.name): plain(o.values, o.length) for o in (outputs[k] for k in range(count))})


def parts_of(parts, count):
    """What bodies, joints, motors and rolling contacts show, by section and name."""
    found = {}
    for part in (parts[k] for k in range(count)):
        values = outputs_of(part.values, part.count)
        if part.open_forces or part.open_torques:
            values.undetermined = Record(force=part.open_forces, torque=part.open_torques)
        found.setdefault(text(part.section), Record()).__dict__[text(part.name)] = values
    return found


def _final(model, s):
    where = model._handle.address
    final = {"t": s.time, "q": by_group(where, s.q), "v": by_group(where, s.v), "p": by_group(where, s.p)}
    for name in ("lambda", "lambda_scheme", "gamma"):
        final[name] = by_constraint(model, getattr(s, name), s.constraints)
    final.update(parts_of(s.parts, s.part_count))
    final["outputs"] = outputs_of(s.outputs, s.output_count)
    if s.input_count:
        final["inputs"] = outputs_of(s.inputs, s.input_count)
    return Record(**final)


def _kept(struct, name=None):
    facts = record(struct)
    del facts.name
    facts.relative = _number(facts.relative)
    return Record(name=name, **dict(facts)) if name else facts


def _number(value):
    """None for what is not a number, as in JSON."""
    return value if np.isfinite(value) else None


def _moved(model, projected, size, coordinate):
    if not projected:
        return None
    return Record(max=size, coordinate=model.coordinates[coordinate] if coordinate >= 0 else None)


def _start(model, start):
    facts = Record(projected=start.projected,
                   position=_moved(model, start.projected, start.position, start.position_coordinate),
                   velocity=_moved(model, start.projected, start.velocity, start.velocity_coordinate))
    if start.moved > 0:
        facts.bodies_moved = start.moved
        facts.bodies = [record(body) for body in start.bodies[:min(start.moved, len(start.bodies))]]
    return facts


def _constraints(s):
    rolls = s.constraints > s.holonomic
    return Record(position_max=s.position_max if s.holonomic else None,
                  velocity_max=s.velocity_max if s.holonomic else None,
                  nonholonomic_max=s.nonholonomic_max if rolls else None,
                  undetermined_rows=s.undetermined_rows if s.constraints else None,
                  carried_max=s.lag_max if rolls else None,
                  legendre_max=s.legendre_max if s.has_legendre else None)


def event_of(info):
    """How often an event has happened; first and last time, None if never."""
    return Record(count=info.count, first=_number(info.first), last=_number(info.last))


def _files(s):
    listed = [("hdf5", s.hdf5_path, s.hdf5), ("csv", s.csv_path, s.csv)]
    return [Record(format=kind, path=text(path), rows=rows.rows, t=rows.time if rows.rows else None)
            for kind, path, rows in listed if path]


def summary_of(model, s):
    """A copy of an lv_run_summary."""
    facts = {"status": "interrupted" if s.interrupted else text(lib.lv_status_name(s.status)), "model": model.title,
             "scheme": text(s.scheme), "options": Record(**options_of(s.options)), "order": s.order, "step": s.step,
             "steps": s.steps, "seconds": s.seconds, "start": _start(model, s.start), "final": _final(model, s),
             "energy": _kept(s.energy)}
    if s.balance.name:
        facts["work"] = Record(**{text(s.works[k].name): s.works[k].value for k in range(s.work_count)})
        facts["balance"] = _kept(s.balance)
        del facts["balance"].initial
    facts["momentum"] = [_kept(s.momenta[k], "J." + text(s.momenta[k].name)) for k in range(s.momentum_count)]
    if s.invariant.name:
        facts["invariant"] = _kept(s.invariant, text(s.invariant.name))
    if s.event_count:
        facts["events"] = Record(**{text(e.name): event_of(e) for e in (s.events[k] for k in range(s.event_count))})
        facts["stopped_by"] = text(s.stopped_by)
    if s.table_count:
        tables = (s.tables[k] for k in range(s.table_count))
        facts["tables"] = [Record(input=text(t.input), file=text(t.path), kind=text(t.kind), rows=t.rows, first=t.first,
                                  last=t.last) for t in tables]
    facts["constraints"] = _constraints(s)
    facts["newton"] = Record(mean=s.newton_mean if s.steps else None, max=s.newton_max if s.steps else None)
    facts["shown"] = [text(lib.lv_property_name(k)) for k in range(_abi.LV_PROPERTIES) if s.shown >> k & 1]
    facts["files"] = _files(s)
    facts["warnings"] = [text(s.warnings[k]) for k in range(s.warning_count)]
    return Record(**facts)
