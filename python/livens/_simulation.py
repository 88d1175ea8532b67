"""Simulations: a model in motion, step by step."""
import collections.abc
import ctypes
import operator
import threading
import weakref

import numpy as np

from . import _abi
from ._library import Handle, UsageError, address, call, documented, encoded, failure, lib, suggestion, text, view
from ._questions import Questions
from ._record import Record, plain
from ._summary import event_of, groups
from ._wishes import count, run_request


class Values(collections.abc.MutableMapping):
    """Inputs or parameters of a simulation by name: reading gives the present value, assignment sets it."""

    def __init__(self, lengths, read, write, what):
        self._lengths, self._read, self._write, self._what = lengths, read, write, what

    def __getitem__(self, name):
        if name not in self._lengths:
            raise KeyError(f"there is no {self._what} '{name}'; {suggestion(name, list(self))}" if self._lengths
                           else f"there is no {self._what} '{name}': the model has no [{self._what}s]")
        return plain(ctypes.cast(self._read(encoded(name)), ctypes.POINTER(ctypes.c_double)), self._lengths[name])

    def __setitem__(self, name, value):
        self._write(name, value)

    def __delitem__(self, name):
        raise TypeError(f"{self._what}s are declared in the model and stay")

    def __iter__(self):
        return iter(self._lengths)

    def __len__(self):
        return len(self._lengths)

    def _ipython_key_completions_(self):
        return list(self)

    def __repr__(self):
        return repr(dict(self))


BLOCK = 1000  # steps without a look at signals
MOST = 10**15  # steps that the library counts

_EVENT_CALL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)


def _whole(n):
    """Numbers of numpy as those of Python."""
    try:
        return int(operator.index(n))
    except TypeError:
        raise TypeError(f"step({n!r}): a whole number of steps is expected") from None


class Simulation(Questions):
    """A model in motion. sim.q, sim.v and sim.p are views of its state: after a step they have the new one.

    sim["x"], sim["x'"] and sim["p.x"] are parts of them by the names of coordinates. A simulation belongs to one thread
    at a time; many may share a model, and steps release the GIL."""

    @documented("lv_sim_create")
    def __init__(self, model, scheme=None, step=None, *, initial=None, dense=False, **options):
        request = run_request(model._handle.address, "simulate", scheme=scheme, step=step, initial=initial, **options)
        request.sim.dense = dense
        self._asked = {"scheme": scheme, "step": step, "initial": initial, "dense": dense, **options}
        self._create(model, request)

    def _create(self, model, request):
        found = ctypes.c_void_p()
        call(lib.lv_sim_create, ctypes.byref(found), model._handle.address, ctypes.byref(request.sim))
        self._take(model, request, Handle(found.value, lib.lv_sim_free, model._handle))

    def _take(self, model, request, handle):
        self.model, self._request, self._handle, self._at = model, request, handle, handle.address
        self._changed = {}
        lock = threading.Lock()
        self._enter, self._leave = lock.acquire, lock.release
        self._err, self._raised, self._at_event, self._event_call = _abi.lv_error(), None, None, None
        self._err_at = ctypes.addressof(self._err)
        shape = (lib.lv_model_coordinate_count(model._handle.address),)
        self.q = view(lib.lv_sim_position(self._at), shape, self._handle)
        self.v = view(lib.lv_sim_velocity(self._at), shape, self._handle)
        self.p = view(lib.lv_sim_momentum(self._at), shape, self._handle)

    # ---- calls ----------------------------------------------------------------------------------------------------------

    def _fail(self, status):
        """Raises what the function at an event has raised, or what the library says."""
        raised, self._raised = self._raised, None
        raise raised or failure(status, self._err)

    def _call(self, function, *arguments):
        """A function that changes the simulation, or needs it for itself, and returns a status."""
        if not self._enter(False):
            self._busy()
        try:
            status = function(self._at, *arguments, self._err_at)
            if status:
                self._fail(status)
        finally:
            self._leave()

    # ---- steps ----------------------------------------------------------------------------------------------------------

    @documented("lv_sim_step", "lv_sim_step_many")
    def step(self, n=1, _one=lib.lv_sim_step, _many=lib.lv_sim_step_many):
        """Takes n steps. On failure the state is that of the last good one. Ctrl-C ends many steps early."""
        if n.__class__ is not int:
            n = _whole(n)
        if not 0 <= n <= BLOCK:
            if not 0 <= n <= MOST:
                raise UsageError(f"step({n}): a simulation takes 0 to {MOST:.0e} steps", code="usage")
            self._step_in_blocks(n)
            return
        if not self._enter(False):
            self._busy()
        try:
            status = _one(self._at, self._err_at) if n == 1 else _many(self._at, n, self._err_at)
            if status:
                self._fail(status)
        finally:
            self._leave()

    def _step_in_blocks(self, n):
        """Between blocks Python looks at signals."""
        while n > 0 and lib.lv_sim_stopped(self._at) < 0:
            self.step(min(n, BLOCK))
            n -= BLOCK

    @documented("lv_sim_advance")
    def advance(self, until, each=None, every=1):
        """Steps until a time. each: called with the simulation after every so many steps and at the end; returning False
        stops there."""
        until, every = float(until), count("every", every)
        if each is None:
            left = (until - self.t) / self.step_size
            self._step_in_blocks(int(left) // BLOCK * BLOCK - BLOCK if left < 1e15 else 0)
            if left <= 2 * BLOCK or lib.lv_sim_stopped(self._at) < 0:
                self._call(lib.lv_sim_advance, float(until))
            return
        size = self.step_size
        while self.t < until - 1e-9 * size:
            left = (until - self.t) / size
            if left >= every - 1e-9:
                self.step(every)
            else:
                self._call(lib.lv_sim_advance, float(until))
            if each(self) is False:
                return

    @property
    @documented("lv_sim_set_step")
    def step_size(self):
        """The size of steps; it may be set."""
        return lib.lv_sim_step_size(self._at)

    @step_size.setter
    def step_size(self, size):
        self._call(lib.lv_sim_set_step, float(size))

    # ---- inputs ---------------------------------------------------------------------------------------------------------------

    @documented("lv_sim_set_input")
    def set_input(self, name, value):
        """Sets an input of the model, a number or a vector, from the next step on."""
        numbers = np.atleast_1d(np.asarray(value, dtype=float))
        self._call(lib.lv_sim_set_input, encoded(name), address(numbers), numbers.size)

    @property
    @documented("lv_sim_inputs")
    def inputs(self):
        """The inputs by name: sim.inputs["u"] is the present value, sim.inputs["u"] = 2.0 sets it."""
        lengths = {text(info.name): info.length for info in self.model._inputs()}
        return Values(lengths, lambda name: self._ask(lib.lv_sim_input, name), self.set_input, "input")

    @documented("lv_sim_set_force")
    def set_force(self, force):
        """Sets external forces from the next step on: numbers in the order of model.forces, or a dictionary of some of these
        names, where others stay as they are. The model has to come from with_forces()."""
        if isinstance(force, collections.abc.Mapping):
            numbers, names = np.array(self.force), self.model.forces
            for name, value in force.items():
                if name not in names:
                    raise UsageError(f"there is no force '{name}'; {suggestion(name, names)}" if names else
                                     "this model takes no forces: simulate model.with_forces()", code="usage", name=str(name))
                numbers[names.index(name)] = value
        else:
            numbers = np.atleast_1d(np.asarray(force, dtype=float))
        self._call(lib.lv_sim_set_force, address(numbers), numbers.size)

    @property
    @documented("lv_sim_set_force")
    def force(self):
        """The external forces that act now, in the order of model.forces."""
        size = lib.lv_model_force_count(self.model._handle.address)
        pointer = ctypes.cast(self._ask(lib.lv_sim_force), ctypes.POINTER(ctypes.c_double))
        return np.array(pointer[:size]) if size else np.empty(0)

    @documented("lv_sim_set_parameter")
    def set_parameter(self, name, value):
        """Sets a parameter of the model, a number or a vector, in this simulation alone; sim.model stays as it is. The model
        is read again for that: make an input of what changes often."""
        numbers = np.atleast_1d(np.asarray(value, dtype=float))
        self._call(lib.lv_sim_set_parameter, encoded(name), address(numbers), numbers.size)
        self._changed = {**self._changed, name: value}
        self._request = copied(self._request)
        self._request.sim.step = self.step_size

    @property
    @documented("lv_sim_set_parameter")
    def parameters(self):
        """The parameters by name: sim.parameters["m"] is the present value, sim.parameters["m"] = 2.0 sets it."""
        return Values(self.model._parameter_lengths(), lambda name: self._ask(lib.lv_sim_parameter, name),
                      self.set_parameter, "parameter")

    # ---- state -------------------------------------------------------------------------------------------------------------

    @property
    def t(self):
        """The time."""
        return lib.lv_sim_time(self._at)

    @property
    def steps(self):
        """How many steps were taken."""
        return lib.lv_sim_steps(self._at)

    def __getitem__(self, name):
        if not isinstance(name, str):
            raise TypeError("coordinates have names: sim['x']; all positions are sim.q")
        values, bare = self.q, name
        if name.startswith("p."):
            values, bare = self.p, name[2:]
        elif name.endswith("'"):
            values, bare = self.v, name[:-1]
        for group, where, shape, _ in groups(self.model._handle.address):
            if group == bare:
                return values[where].reshape(shape)
        raise KeyError(f"there is no coordinate '{bare}'; {suggestion(bare, self._ipython_key_completions_())}")

    def _ipython_key_completions_(self):
        return [group for group, *_ in groups(self.model._handle.address)]

    @documented("lv_sim_set_state")
    def set_state(self, t=None, q=None, v=None):
        """Replaces the state; what is not given stays."""
        t, q, v = self._place(t, q, v)
        self._call(lib.lv_sim_set_state, t, address(q), address(v))

    @documented("lv_sim_save_count")
    def save(self):
        """The complete state as an array, for restore."""
        numbers = np.empty(lib.lv_sim_save_count(self._at))
        self._call(lib.lv_sim_save, address(numbers), len(numbers))
        return numbers

    @documented("lv_sim_save_count")
    def restore(self, numbers):
        """Goes back, or on, to a state that was saved."""
        numbers = np.ascontiguousarray(numbers, dtype=float)
        self._call(lib.lv_sim_restore, address(numbers), numbers.size)

    @documented("lv_sim_copy")
    def copy(self):
        """A simulation of the same kind in the same state, that goes its own way."""
        other = self._twin()
        if not self._enter(False):
            self._busy()
        try:
            call(lib.lv_sim_copy, other._at, self._at)
        finally:
            self._leave()
        return other

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def _twin(self):
        """A simulation of the same kind at its start. A model with other parameters may have no consistent one."""
        model, request = self.model, self._request
        if self._changed:
            model, request = model.replace(**self._changed), copied(request)
            request.sim.initial = _abi.LV_INITIAL_PROJECT
        other = Simulation.__new__(Simulation)
        other._asked = self._asked
        other._create(model, request)
        return other

    def __reduce__(self):
        twin = self.copy() if self._changed else self
        return _again, (twin.model, self._asked, bool(self._changed), twin._request.sim.step, self.save())

    # ---- events -------------------------------------------------------------------------------------------------------------

    @property
    @documented("lv_sim_event_count")
    def events(self):
        """How often events have happened, by name: count, first, last."""
        found, info = {}, _abi.lv_event_info()
        for k in range(lib.lv_sim_event_count(self._at)):
            call(lib.lv_sim_event, self._at, k, ctypes.byref(info))
            found[text(info.name)] = event_of(info)
        return Record(**found)

    @property
    def stopped_by(self):
        """The name of the event that has ended the simulation; None: none has."""
        k = lib.lv_sim_stopped(self._at)
        return list(self.events)[k] if k >= 0 else None

    @documented("lv_sim_on_event")
    def on_event(self, function):
        """Calls function(sim, name) right after every event. It may ask the simulation, not advance it."""
        names = list(self.events)
        itself = weakref.ref(self)  # the simulation has the callback, which must not have the simulation

        def called(_, __, k, ___):
            sim = itself()
            sim._at_event = threading.get_ident()
            try:
                function(sim, names[k])
            except BaseException as error:  # it is raised when the step is over
                sim._raised = error
                return _abi.LV_ERR_USAGE
            finally:
                sim._at_event = None
            return _abi.LV_OK
        self._event_call = _EVENT_CALL(called) if function else None
        self._ask(lib.lv_sim_on_event, self._event_call, None)

    @documented("lv_sim_forget")
    def forget(self):
        """The next step takes its initial guess from the state alone."""
        self._ask(lib.lv_sim_forget)

    @property
    @documented("lv_sim_equations")
    def equations(self):
        """What is solved in a step, for readers."""
        found = ctypes.c_void_p()
        call(lib.lv_sim_equations, ctypes.byref(found), self._at)
        said = text(ctypes.string_at(found.value))
        lib.lv_equations_free(found.value)
        return said

    def __repr__(self):
        scheme = text(self._request.sim.scheme)
        return f"<livens.Simulation of '{self.model.title}': {scheme}, step {self.step_size:g}, t = {self.t:g}>"


def copied(request):
    """A request that points to the same texts."""
    other = type(request).from_buffer_copy(request)
    other.keeps = request
    return other


def _again(model, asked, projects, step, numbers):
    """A simulation that was pickled: made again, and put where it was."""
    sim = Simulation(model, **{**asked, "step": step, **({"initial": "project"} if projects else {})})
    sim.restore(numbers)
    return sim


class LentSimulation(Simulation):
    """The simulation of a run, which steps and frees it. It may be asked, and its inputs may be set."""

    def __init__(self, model, request, where, asked):
        self._asked = asked
        self._take(model, request, Handle(where, lambda _: None))

    def _refuse(self, *_, **__):
        raise UsageError("the run steps this simulation: it may be asked, and its inputs may be set", code="usage")

    step = advance = set_state = restore = _refuse
