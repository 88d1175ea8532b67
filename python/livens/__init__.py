"""livens: simulation of constrained mechanical systems that keeps what the physics keeps.

    import livens
    m = livens.Model("heavy-top")
    r = m.run(scheme="lobatto", stages=3, step=1e-3, until=1)
    r.t, r["top"], r.energy, r.momentum["L_z"], r.summary, r.warnings
    r.report("top.html")

docs/python.md shows more; every method says what the C interface says of it."""
try:
    import numpy as _numpy
except ImportError:
    raise ImportError("livens needs numpy, which this Python does not have: 'apt install python3-numpy' for /usr/bin/python3, "
                      "'pip install numpy' for others") from None
try:
    from . import _abi
except ImportError:
    raise ImportError("livens: these are the sources of the package, which is not built: 'make python' builds it in "
                      "build/release/python, 'pip install .' installs it") from None

from ._formats import Import, export, import_urdf, memory, read, report, resume
from ._library import Error, FileError, LimitError, ModelError, NumericError, UsageError, lib as _lib
from ._model import Model, shipped
from ._record import Record
from ._result import Result
from ._schemes import register_scheme, scheme, schemes
from ._simulation import Simulation
from ._studies import Certificate, Check, Study, Sweep
from ._table import Table

__version__ = _lib.lv_version().decode()

__all__ = ["Certificate", "Check", "Error", "FileError", "Import", "LimitError", "Model", "ModelError", "NumericError",
           "Record", "Result", "Simulation", "Study", "Sweep", "Table", "UsageError", "export", "import_urdf", "memory", "read",
           "register_scheme", "report", "resume", "scheme", "schemes", "shipped"]

# Messages and representations name what users know: livens.ModelError.
for _name in __all__:
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = "livens"
del _name
