"""Models: read, built, run."""
import ctypes
import math
import numbers
import os

import numpy as np

from . import _abi, _studies
from ._library import Guard, Handle, UsageError, address, call, documented, encoded, failure, lib, text, texts
from ._record import Record, plain, record
from ._result import Result
from ._simulation import LentSimulation, Simulation
from ._view import view_of
from ._wishes import OPTIONS, refuse, run_request


def formula(value, name="value"):
    """A value of Python as a formula: numbers with all their digits, arrays as vectors, texts as they are."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, complex, dict, set)) or value is None:
        raise UsageError(f"{name}={value!r}: a number, an array or a formula is expected", code="usage", name=name)
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        if not math.isfinite(value):
            raise UsageError(f"{name}={value!r}: a finite number is expected", code="usage", name=name)
        return repr(float(value))
    return "[" + ", ".join(formula(item, name) for item in list(np.asarray(value).tolist())) + "]"


def _settings(parameters):
    pairs = [(encoded(name), encoded(formula(value, name))) for name, value in parameters.items()]
    array = (_abi.lv_setting * len(pairs))(*(_abi.lv_setting(*pair) for pair in pairs)) if pairs else None
    return array, len(pairs)


class _Builder:
    """Nested dictionaries become the text of a model."""

    def __init__(self, name):
        self._handle = Handle(lib.lv_builder_create(encoded(name)), lib.lv_builder_free)

    def add(self, section, item, key, value):
        place = (self._handle.address, encoded(section), encoded(item), encoded(key))
        if isinstance(value, bool):
            lib.lv_builder_flag(*place, value)
        elif isinstance(value, numbers.Real):
            lib.lv_builder_number(*place, float(value))
        elif isinstance(value, str):
            lib.lv_builder_text(*place, encoded(value))
        else:
            self._add_list(place, list(value))

    def _add_list(self, place, items):
        if all(isinstance(item, numbers.Real) and not isinstance(item, bool) for item in items):
            lib.lv_builder_numbers(*place, (ctypes.c_double * len(items))(*items), len(items))
        else:
            array, count = texts([formula(item) for item in items])
            lib.lv_builder_texts(*place, array, count)

    def add_section(self, section, content, item=None):
        for key, value in content.items():
            if not isinstance(value, dict):
                self.add(section, item, key, value)
            elif item is None:
                nested = any(isinstance(inner, dict) for inner in value.values())
                self.add_section(f"{section}.{key}" if nested else section, value, None if nested else key)
            else:
                raise UsageError(f"[{section}.{item}]: '{key}' is a table inside of a table", code="usage", name=key)

    def text(self):
        return text(lib.lv_builder_source(self._handle.address))


class Model:
    """A model: a file, the name of a shipped model, the text of a model, or nested dictionaries with its sections.

        livens.Model("top.toml")                 a file
        livens.Model("heavy-top", m=2.0)         a shipped model, with another value of a parameter
        livens.Model(text)                       text with at least one line break
        livens.Model({"coordinates": {"x": {"value": 1}}, "energy": {...}}, name="oscillator")

    Parameters are numbers, arrays, or formulas of other parameters. A model never changes and may be shared between
    threads."""

    @documented("lv_model_read", "lv_model_parse")
    def __init__(self, source, name=None, **parameters):
        self._source, self._name, self.settings, self._forced = source, name, parameters, False
        self._handle = self._read(source, parameters)

    def _read(self, source, parameters):
        found = ctypes.c_void_p()
        array, count = _settings(parameters)
        if isinstance(source, dict) or (isinstance(source, str) and "\n" in source):
            raw = self.text.encode("utf-8", "surrogateescape")
            call(lib.lv_model_parse, ctypes.byref(found), encoded(self._called()), raw, len(raw), array, count)
        elif isinstance(source, (str, os.PathLike)):
            call(lib.lv_model_read, ctypes.byref(found), encoded(source), array, count)
        else:
            raise TypeError(f"a model is a path, a name, a text or a dict, not {type(source).__name__}")
        return Handle(found.value, lib.lv_model_free)

    def _called(self):
        if self._name:
            return self._name
        is_text = isinstance(self._source, dict) or "\n" in os.fspath(self._source)
        return "model" if is_text else os.fspath(self._source)

    @classmethod
    def _of(cls, where):
        """A model that the library has made; it has no source."""
        model = cls.__new__(cls)
        model._source = model._name = None
        model.settings, model._forced, model._handle = {}, False, Handle(where, lib.lv_model_free)
        return model

    def _need_source(self):
        if self._source is None:
            raise UsageError("this model comes from a file of results: read it from its own file to change or send it",
                             code="usage")

    def __reduce__(self):
        self._need_source()
        return _again, (self._source, self._name, self.settings, self._forced)

    @property
    def text(self):
        """The text of the model, as a file would have it."""
        self._need_source()
        if isinstance(self._source, dict):
            sections = dict(self._source)
            builder = _Builder(self._name or sections.pop("name", "model"))
            for section, content in sections.items():
                if not isinstance(content, dict):
                    raise UsageError(f"'{section}' is not a section, which would be a dict", code="usage", name=section)
                builder.add_section(section, content)
            return builder.text()
        if isinstance(self._source, str) and "\n" in self._source:
            return self._source
        if os.path.exists(self._source):
            with open(self._source, encoding="utf-8") as file:
                return file.read()
        return text(lib.lv_shipped_text(encoded(self._source)))

    def replace(self, **parameters):
        """The same model with other values of parameters."""
        self._need_source()
        return _again(self._source, self._name, {**self.settings, **parameters}, self._forced)

    @documented("lv_model_with_forces", "lv_model_force_count")
    def with_forces(self):
        """The same model, whose simulations take external forces besides: sim.set_force."""
        model, found = Model.__new__(Model), ctypes.c_void_p()
        call(lib.lv_model_with_forces, ctypes.byref(found), self._handle.address)
        model.__dict__.update(self.__dict__, _forced=True, _handle=Handle(found.value, lib.lv_model_free))
        return model

    @property
    @documented("lv_model_force_count")
    def forces(self):
        """What external forces act on, by name; none unless the model comes from with_forces."""
        return self._names(lib.lv_model_force_name)

    @property
    def title(self):
        """What it is called."""
        return text(lib.lv_model_title(self._handle.address))

    @property
    def description(self):
        """What it says of itself; None: nothing."""
        return text(lib.lv_model_description(self._handle.address))

    @property
    def coordinates(self):
        """Names of the scalar coordinates, in the order of states."""
        return self._names(lib.lv_model_coordinate_name)

    @property
    def constraints(self):
        """Names of the constraint rows, holonomic ones first, as multipliers have them."""
        return self._names(lib.lv_model_constraint_name)

    def _names(self, function):
        """Names by number; the one after the last is empty."""
        buffer, names = ctypes.create_string_buffer(400), []
        while True:
            function(self._handle.address, len(names), ctypes.addressof(buffer), len(buffer))
            if not buffer.value:
                return names
            names.append(text(buffer.value))

    @property
    def parameters(self):
        """Values of the parameters."""
        return {p.name: p["values"] for p in self.inspect().parameters}

    def _parameter_lengths(self):
        """Lengths of the parameters by name, 0 for scalars; found once."""
        if not hasattr(self, "_lengths"):
            self._lengths = {name: np.size(value) if np.ndim(value) else 0 for name, value in self.parameters.items()}
        return self._lengths

    @property
    def inputs(self):
        """Values of the inputs until they are set."""
        return {text(info.name): plain(info.values, info.length) for info in self._inputs()}

    def _inputs(self):
        """An lv_input_info for every input; it is valid until the next."""
        info, k = _abi.lv_input_info(), 0
        while lib.lv_model_input_describe(self._handle.address, k, ctypes.byref(info)):
            yield info
            k += 1

    @documented("lv_model_inspect")
    def inspect(self):
        """What the model is, before any time passes."""
        found = ctypes.c_void_p()
        call(lib.lv_model_inspect, ctypes.byref(found), self._handle.address)
        handle = Handle(found.value, lib.lv_inspection_free, self._handle)
        return record(_abi.lv_inspection.from_address(handle.address))

    @documented("lv_model_start")
    def start(self, initial=None):
        """The start that a simulation takes: q, v, and how far they were moved (change). initial: "check" or "project"."""
        count, change = lib.lv_model_coordinate_count(self._handle.address), _abi.lv_start_change()
        q, v = np.empty(count), np.empty(count)
        how = run_request(self._handle.address, "start", initial=initial).sim.initial
        call(lib.lv_model_start, self._handle.address, how, address(q), address(v), ctypes.byref(change))
        return Record(q=q, v=v, change=record(change))

    @documented("lv_viewer_frame")
    def view(self, t=0.0, q=None, v=None):
        """What is drawn of the model at a state, or at its start; items are those of Simulation.view."""
        found = ctypes.c_void_p()
        call(lib.lv_viewer_create, ctypes.byref(found), self._handle.address)
        handle, start = Handle(found.value, lib.lv_viewer_free, self._handle), self.start()
        q, v = (np.array(own if given is None else given, dtype=float) for own, given in ((start.q, q), (start.v, v)))
        if q.shape != start.q.shape or v.shape != start.v.shape:
            raise UsageError(f"a state has {len(start.q)} numbers, these have the shapes {q.shape}, {v.shape}", code="usage")
        return view_of(self._handle.address, lambda numbers: call(
            lib.lv_viewer_frame, handle.address, address(numbers), float(t), address(q), address(v)))

    @documented("lv_run")
    def run(self, scheme=None, step=None, until=None, *, every=None, sample=None, initial=None, channels=None, csv=None,
            hdf5=None, inputs=None, before_step=None, at_row=None, progress=None, **options):
        """Integrates the motion and keeps its rows in memory.

        What is not given is as the model's [run] says. options are those of the scheme: stages=3, compose=4, ...
        channels: names of the columns to record. csv, hdf5: files to write as well. inputs: what inputs of the model are in
        the course of the run, by name: (times, values), held until the next time, (times, values, "linear"), or the path of a
        CSV file. before_step: called with the simulation before every step; it may set inputs and ask. at_row: called with
        every row that is recorded, an object with t, q, v and p. progress: called now and then with an object that has time,
        until, steps, total_steps and seconds. Any of the three may return False, which ends the run in good order. A run that
        fails raises an Error whose `result` has the rows until then."""
        request = run_request(self._handle.address, "run", scheme=scheme, step=step, until=until, every=every, sample=sample,
                              initial=initial, inputs=inputs, **options)
        request.keep_rows = True
        request.csv, request.hdf5 = encoded(csv), encoded(hdf5)
        request.channels, request.channel_count = texts(channels)
        guard, lent = Guard(), []
        request.progress = guard.wrap(type(request.progress), progress_call(progress))
        if before_step:
            def controlled(_, where):
                if not lent:
                    lent.append(LentSimulation(self, request, where, {"scheme": scheme, "step": step, "initial": initial,
                                                                      **options}))
                return before_step(lent[0])
            request.before_step = guard.wrap(type(request.before_step), controlled)
        if at_row:
            request.at_row = guard.wrap(type(request.at_row), lambda _, where: at_row(self._row(where)))
        err, found = _abi.lv_error(), ctypes.c_void_p()
        status = lib.lv_run(ctypes.byref(found), self._handle.address, ctypes.byref(request), ctypes.byref(err))
        result = Result(self, found.value) if found.value else None
        for sim in lent:
            sim._handle.lean_on(result._handle)
        guard.check()
        if status != _abi.LV_OK:
            error = failure(status, err)
            error.result = result
            raise error
        return result

    def _row(self, where):
        """A recorded row: copies, since the library goes on."""
        row, count = _abi.lv_row_state.from_address(where), lib.lv_model_coordinate_count(self._handle.address)
        return Record(t=row.t, **{name: np.array(getattr(row, name)[:count]) for name in "qvp"})

    @documented("lv_sim_create")
    def simulate(self, scheme=None, step=None, *, initial=None, dense=False, **options):
        """A simulation, to be stepped. Arguments are those of run; dense: keep what sample needs."""
        return Simulation(self, scheme, step, initial=initial, dense=dense, **options)

    @documented("lv_model_inspect", "lv_inspection_probe")
    def check(self):
        """What the model is, which schemes take it, what step resolves its motion."""
        return _studies.check(self)

    @documented("lv_verify")
    def verify(self, scheme=None, step=None, until=None, *, initial=None, inputs=None, threads=None, report=None, **options):
        """The structure certificate: what the scheme promises, measured. inputs: as those of run. report: a page to write."""
        return _studies.verify(self, threads, report, {"scheme": scheme, "step": step, "until": until, "initial": initial,
                                                        "inputs": inputs, **options})

    @documented("lv_sweep_run")
    def sweep(self, sets=None, *, members=None, scheme=None, step=None, until=None, every=None, sample=None, initial=None,
              inputs=None, threads=None, series=False, channels=None, csv=None, hdf5=None, report=None, progress=None, **options):
        """Runs an ensemble on all cores: that of the model's [sweep], or of `sets`, by parameter: a sequence of values, a
        formula of the member's number j, or what [sweep.set] takes, such as {"normal": [0, 1]}. Several sequences make
        all combinations. Parameters may also be arguments themselves: m.sweep(k=[1, 2, 3]), unless an option of schemes has
        their name. members: how many, where no sequence says it. inputs: as those of run, the same for all members. series: keep
        means and deviations over time."""
        given = self.parameters if options else ()
        sets = {**(sets or {}), **{name: options.pop(name) for name in list(options)
                                   if name in given and name not in OPTIONS}}
        for name in options:
            if name not in OPTIONS:
                refuse(f"the model has no parameter '{name}', and neither sweep nor a scheme such an argument", name,
                       [*given, *OPTIONS])
        return _studies.sweep(self, sets, members, threads, series, channels, csv, hdf5, report, progress,
                              {"scheme": scheme, "step": step, "until": until, "every": every, "sample": sample,
                               "initial": initial, "inputs": inputs, **options})

    @documented("lv_study_make")
    def study(self, schemes=None, *, steps=None, tolerances=None, whole=False, step=None, until=None, initial=None,
              inputs=None, threads=None, report=None, progress=None):
        """Many schemes and steps against a reference. schemes: names, or (name, options) pairs; all if not given. inputs: as
        those of run."""
        return _studies.study(self, schemes, steps, tolerances, whole, threads, report, progress,
                              {"step": step, "until": until, "initial": initial, "inputs": inputs})

    def __repr__(self):
        count = lib.lv_model_coordinate_count(self._handle.address)
        return f"<livens.Model '{self.title}', {count} coordinate{'' if count == 1 else 's'}>"


def _again(source, name, settings, forced):
    """A model that was pickled, or that gets other parameters: read again."""
    model = Model(source, name, **settings)
    return model.with_forces() if forced else model


def progress_call(function, kind=_abi.lv_progress):
    """Without a function of the caller's it is still called: so that Ctrl-C counts."""
    def called(_, where):
        return function(record(kind.from_address(where))) if function else True
    return called


def shipped():
    """Names of the models that come with livens."""
    names, pointer = [], ctypes.cast(lib.lv_shipped_names(), ctypes.POINTER(ctypes.c_char_p))
    while pointer[len(names)] is not None:
        names.append(text(pointer[len(names)]))
    return names
