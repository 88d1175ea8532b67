"""Files: robots from URDF, results for other programs, runs that go on."""
import csv
import ctypes
import os
import tempfile

import numpy as np

from . import _abi
from ._library import Guard, Handle, UsageError, call, documented, encoded, failure, lib, text, texts
from ._model import Model, progress_call
from ._record import Record, record
from ._result import Result
from ._table import Table


# ---- robots -----------------------------------------------------------------------------------------------------------------

class Import(Record):
    """A robot of a URDF file as a model: text is the model file, notes what was left out, as (line, text) pairs."""

    def model(self, **parameters):
        """The model, with other values of parameters."""
        return Model(self.text, self.name, **parameters)


@documented("lv_import_urdf")
def import_urdf(source, floating=False, positions=None):
    """Turns a robot of a URDF file, or of a text with line breaks, into a model. floating: its root is free to move.
    positions: where joints are at the start, by name: angles in radians, shifts in metres."""
    pairs = [(encoded(name), float(value)) for name, value in (positions or {}).items()]
    places = (_abi.lv_joint_position * max(len(pairs), 1))(*(_abi.lv_joint_position(*pair) for pair in pairs))
    request = _abi.lv_import_request(floating=bool(floating), position_count=len(pairs), positions=places)
    found, is_text = ctypes.c_void_p(), isinstance(source, str) and "\n" in source
    if is_text:
        raw = source.encode()
        call(lib.lv_import_urdf_text, ctypes.byref(found), b"robot", raw, len(raw), ctypes.byref(request))
    else:
        call(lib.lv_import_urdf, ctypes.byref(found), encoded(source), ctypes.byref(request))
    handle = Handle(found.value, lib.lv_import_free)
    struct = _abi.lv_import.from_address(handle.address)
    notes = [(struct.notes[k].line, text(struct.notes[k].text)) for k in range(struct.note_count)]
    name = "robot" if is_text else os.path.splitext(os.path.basename(os.fspath(source)))[0]
    return Import(name=name, text=text(struct.text), bodies=struct.bodies, joints=struct.joints, notes=notes)


# ---- results ----------------------------------------------------------------------------------------------------------------

@documented("lv_export_csv", "lv_export_vtk")
def export(file, out, *, every=None, channels=None):
    """Writes rows of an HDF5 file as CSV, or the motion as VTK files for ParaView, by the ending of out: .csv or .pvd.
    every: every so many rows. channels: names of columns."""
    request, info = _abi.lv_export_request(every=every or 0), _abi.lv_export_info()
    request.channels, request.channel_count = texts(channels)
    kinds = {".csv": lib.lv_export_csv, ".pvd": lib.lv_export_vtk}
    kind = os.path.splitext(os.fspath(out))[1].lower()
    if kind not in kinds:
        raise UsageError(f"the ending of '{os.fspath(out)}' does not say what to write: .csv is CSV, .pvd VTK for ParaView",
                         code="usage", name=os.fspath(out))
    call(kinds[kind], ctypes.byref(info), encoded(file), encoded(out), ctypes.byref(request))
    return record(info)


def read(file, *, every=None, channels=None):
    """Rows of an HDF5 file, of a run or an ensemble, as a Table with the bits that it has."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "rows.csv")
        export(file, path, every=every, channels=channels)
        with open(path, encoding="utf-8", newline="") as rows:
            columns = next(csv.reader(rows))
            values = np.loadtxt(rows, delimiter=",", ndmin=2)
    values = values.reshape(-1, len(columns))
    values.flags.writeable = False
    return Table(columns, values, columns[0])


@documented("lv_resume")
def resume(file, until=None, progress=None):
    """Goes on with a run from its HDF5 file; progress is called as that of run. The Result has the rows of the whole run."""
    guard, summary, model, err = Guard(), ctypes.c_void_p(), ctypes.c_void_p(), _abi.lv_error()
    called = guard.wrap(ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p), progress_call(progress))
    status = lib.lv_resume(ctypes.byref(summary), ctypes.byref(model), encoded(file), 0 if until is None else float(until),
                           called, None, ctypes.byref(err))
    own = Model._of(model.value) if model.value else None
    result = Result(own, summary.value, read(file)) if summary.value else None
    guard.check()
    if status != _abi.LV_OK:
        error = failure(status, err)
        error.result = result
        raise error
    return result


@documented("lv_report")
def report(page, *files):
    """Writes a page about the runs in HDF5 files."""
    info = _abi.lv_report_info()
    array, count = texts(files)
    call(lib.lv_report, ctypes.byref(info), encoded(page), array, count)
    return record(info)


# ---- the library ---------------------------------------------------------------------------------------------------------------

@documented("lv_memory_budget", "lv_memory_set_budget", "lv_memory_used")
def memory(budget=None):
    """How many bytes the library may hold and holds: budget and used. With an argument it sets the budget, 0: the default."""
    if budget is not None:
        if budget < 0:
            raise UsageError(f"a budget of {budget} bytes is negative", code="usage")
        lib.lv_memory_set_budget(int(budget))
    return Record(budget=lib.lv_memory_budget(), used=lib.lv_memory_used())
