"""What a run gives."""
import ctypes
import html
import os
import pathlib
import re
import tempfile

from . import _abi
from ._library import Handle, UsageError, call, documented, encoded, lib, text, view
from ._record import Record, record
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


def kept_rows(rows, owner):
    """Rows that the library keeps in memory."""
    names = [text(rows.columns[k].name) for k in range(rows.column_count)]
    return Table(names, view(rows.values, (rows.count, rows.column_count), owner))


class Result(Table):
    """A run: its rows, what was kept, what to warn of.

    r.t, r["top"], r["top'"], r.energy, r.momentum["L_z"], r.multipliers["rod"], r.outputs["height"] are arrays with one
    row per recorded step, views of the library's memory. r.columns lists what there is. Results can be pickled: the copy
    has arrays of its own and all facts, but writes no pages."""

    def __init__(self, model, summary, table=None):
        self.model = model
        self._handle = Handle(summary, lib.lv_run_summary_free, model._handle)
        struct = _abi.lv_run_summary.from_address(summary)
        self.summary = summary_of(model, struct)
        table = table or kept_rows(struct.kept.contents, self._handle)
        super().__init__(table.columns, table.values, "t")

    def __copy__(self):
        other = Result.__new__(Result)
        other.__dict__.update(self.__dict__)
        return other

    def __getstate__(self):
        return {**self.__dict__, "_handle": None, "values": self.values.copy()}

    @property
    def t(self):
        """Times of the rows."""
        return self["t"]

    @property
    def energy(self):
        """The energy v . dL/dv - L in every row."""
        return self["E"]

    @property
    def kinetic(self):
        """The kinetic energy in every row."""
        return self["T"]

    @property
    def potential(self):
        """The potential energy in every row."""
        return self["V"]

    @property
    def momentum(self):
        """Momentum maps of symmetries by name."""
        return Group(self, "J.")

    @property
    def multipliers(self):
        """Multipliers by the names of their constraints."""
        return Group(self, "lambda.")

    @property
    def outputs(self):
        """The model's outputs by name."""
        names = set(self.summary.final.outputs)
        picked = [k for k, name in enumerate(self.columns) if re.sub(r"\[\d+\]$", "", name) in names]
        return Group(Table([self.columns[k] for k in picked], self.values[:, picked]), "")

    @property
    def events(self):
        """Events of the model by name: count, first, last; none where the model has no [events]."""
        return self.summary.events if "events" in self.summary else Record()

    @property
    def work(self):
        """Work in the whole run by name; none where nothing does work."""
        return self.summary.work if "work" in self.summary else Record()

    @property
    def warnings(self):
        """What to warn of, as texts."""
        return list(self.summary.warnings)

    @documented("lv_summary_report")
    def report(self, path):
        """Writes the page about the run: one HTML file that needs nothing else."""
        info = _abi.lv_report_info()
        if self._handle is None:
            raise UsageError("a result that was pickled writes no pages: write them where it was computed", code="usage")
        call(lib.lv_summary_report, ctypes.byref(info), self._handle.address, encoded(path))
        return record(info)

    def _repr_html_(self):
        return in_notebook(page_text(self.report)) if self._handle else None

    def __repr__(self):
        s = self.summary
        end = "" if s.status == "ok" else f", stopped: {s.status}"
        kept = f"energy within {s.energy.max_deviation:.1e}"
        return (f"<livens.Result of '{self.model.title}': {s.scheme}, step {s.step:g}, {s.steps} steps to t = {s.final.t:g}, "
                f"{len(self)} rows, {kept}, {len(s.warnings)} warnings{end}>")
