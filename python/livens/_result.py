"""What a run gives."""
import ctypes
import html
import os
import pathlib
import tempfile

from . import _abi
from ._library import Handle, call, documented, encoded, lib, text, view
from ._record import record
from ._summary import summary_of
from ._table import Group, Table


def page_text(write):
    """The page that a function writes to a path, as text."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "page.html")
        write(path)
        return pathlib.Path(path).read_text(encoding="utf-8")


def in_notebook(page):
    """A page inside of a notebook."""
    return (f'<iframe srcdoc="{html.escape(page)}" width="100%" height="720" style="border: 1px solid #ccc" '
            f'sandbox="allow-scripts allow-downloads"></iframe>')


class Result:
    """A run: its rows, what was kept, what to warn of.

    r.t, r["top"], r["top'"], r.energy, r.momentum["L_z"], r.multipliers["rod"], r.outputs["height"] are arrays with one
    row per recorded step, views of the library's memory. r.columns lists what there is."""

    def __init__(self, model, summary):
        self.model = model
        self._handle = Handle(summary, lib.lv_run_summary_free, model._handle)
        struct = _abi.lv_run_summary.from_address(summary)
        self.summary = summary_of(model, struct)
        rows = struct.kept.contents
        names = [text(rows.columns[k].name) for k in range(rows.column_count)]
        self.kinds = [text(rows.columns[k].kind) for k in range(rows.column_count)]
        self.table = Table(names, view(rows.values, (rows.count, rows.column_count), self._handle))

    def __getitem__(self, name):
        return self.table[name]

    def __contains__(self, name):
        return name in self.table

    def __len__(self):
        return len(self.table)

    @property
    def columns(self):
        """Names of all columns, as CSV files have them."""
        return list(self.table.names)

    @property
    def t(self):
        """Times of the rows."""
        return self.table["t"]

    @property
    def energy(self):
        """The energy v . dL/dv - L in every row."""
        return self.table["E"]

    @property
    def kinetic(self):
        return self.table["T"]

    @property
    def potential(self):
        return self.table["V"]

    @property
    def momentum(self):
        """Momentum maps of symmetries by name."""
        return Group(self.table, "J.")

    @property
    def multipliers(self):
        """Multipliers by the names of their constraints."""
        return Group(self.table, "lambda.")

    @property
    def outputs(self):
        """The model's outputs by name."""
        picked = [k for k, kind in enumerate(self.kinds) if kind == "outputs"]
        return Group(Table([self.table.names[k] for k in picked], self.table.values[:, picked]), "")

    @property
    def warnings(self):
        return list(self.summary.warnings)

    @documented("lv_summary_report")
    def report(self, path):
        """Writes the page about the run: one HTML file that needs nothing else."""
        info = _abi.lv_report_info()
        call(lib.lv_summary_report, ctypes.byref(info), self._handle.address, encoded(path))
        return record(info)

    def to_dataframe(self):
        """A pandas DataFrame with the time as its index."""
        return self.table.to_dataframe("t")

    def _repr_html_(self):
        return in_notebook(page_text(self.report))

    def __repr__(self):
        s = self.summary
        end = "" if s.status == "ok" else f", stopped: {s.status}"
        kept = f"energy within {s.energy.max_deviation:.1e}"
        return (f"<livens.Result of '{self.model.title}': {s.scheme}, step {s.step:g}, {s.steps} steps to t = {s.final.t:g}, "
                f"{len(self)} rows, {kept}, {len(s.warnings)} warnings{end}>")
