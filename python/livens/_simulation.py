"""Simulations: a model in motion, step by step."""
import ctypes
import threading
import weakref

import numpy as np

from . import _abi
from ._library import Handle, UsageError, address, call, documented, encoded, failure, lib, text, view
from ._record import Record, record
from ._summary import by_constraint, event_of, groups, outputs_of, parts_of
from ._wishes import run_request


class Inputs:
    """Inputs of a simulation by name."""

    def __init__(self, sim):
        self._sim = sim

    def __getitem__(self, name):
        for info in self._sim.model._inputs():
            if text(info.name) == name:
                where = lib.lv_sim_input(self._sim._at, encoded(name))
                values = view(where, (max(info.length, 1),), self._sim._handle)
                return values if info.length else float(values[0])
        raise KeyError(f"there is no input '{name}'; there are: {', '.join(self)}" if len(self)
                       else f"there is no input '{name}': the model has no [inputs]")

    def __setitem__(self, name, value):
        self._sim.set_input(name, value)

    def __iter__(self):
        return iter(self._sim.model.inputs)

    def __len__(self):
        return len(self._sim.model.inputs)

    def keys(self):
        """Names of the inputs."""
        return list(self)

    def __repr__(self):
        return repr(dict(self))


BLOCK = 1000  # steps without a look at signals

_EVENT_CALL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)


class Simulation:
    """A model in motion. sim.q, sim.v and sim.p are views of its state: after a step they have the new one.

    sim["x"], sim["x'"] and sim["p.x"] are parts of them by the names of coordinates. A simulation belongs to one thread
    at a time; many may share a model, and steps release the GIL."""

    @documented("lv_sim_create")
    def __init__(self, model, scheme=None, step=None, *, initial=None, dense=False, **options):
        request = run_request(model._handle.address, "simulate", scheme=scheme, step=step, initial=initial, **options)
        request.sim.dense = dense
        self._create(model, request)

    def _create(self, model, request):
        found = ctypes.c_void_p()
        call(lib.lv_sim_create, ctypes.byref(found), model._handle.address, ctypes.byref(request.sim))
        self._take(model, request, Handle(found.value, lib.lv_sim_free, model._handle))

    def _take(self, model, request, handle):
        self.model, self._request, self._handle, self._at = model, request, handle, handle.address
        lock = threading.Lock()
        self._enter, self._leave = lock.acquire, lock.release
        self._err, self._raised, self._at_event, self._event_call = _abi.lv_error(), None, None, None
        self._err_at = ctypes.addressof(self._err)
        count = (lib.lv_model_coordinate_count(model._handle.address),)
        self.q = view(lib.lv_sim_position(self._at), count, self._handle)
        self.v = view(lib.lv_sim_velocity(self._at), count, self._handle)
        self.p = view(lib.lv_sim_momentum(self._at), count, self._handle)

    # ---- calls ----------------------------------------------------------------------------------------------------------

    def _busy(self):
        raise UsageError("this simulation is stepping in another thread: a simulation belongs to one thread at a time",
                         code="usage")

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

    def _question(self, function, *arguments):
        """A question that may fail."""
        err = _abi.lv_error()
        status = self._ask(function, *arguments, ctypes.byref(err))
        if status:
            raise failure(status, err)

    def _ask(self, function, *arguments):
        """A question; it may also be asked by what is called at an event."""
        if self._at_event == threading.get_ident():
            return function(self._at, *arguments)
        if not self._enter(False):
            self._busy()
        try:
            return function(self._at, *arguments)
        finally:
            self._leave()

    # ---- steps ----------------------------------------------------------------------------------------------------------

    @documented("lv_sim_step", "lv_sim_step_many")
    def step(self, n=1, _one=lib.lv_sim_step, _many=lib.lv_sim_step_many):
        """Takes n steps. On failure the state is that of the last good one. Ctrl-C ends many steps early."""
        if n.__class__ is int and n > BLOCK:
            self._step_in_blocks(n)
            return
        if not self._enter(False):
            self._busy()
        try:
            status = _one(self._at, self._err_at) if n == 1 else _many(self._at, n, self._err_at)
            if status:
                self._fail(status)
        except ctypes.ArgumentError:
            raise TypeError(f"step({n!r}): a whole number of steps is expected") from None
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
        return Inputs(self)

    # ---- state -------------------------------------------------------------------------------------------------------------

    @property
    def t(self):
        return lib.lv_sim_time(self._at)

    @property
    def steps(self):
        return lib.lv_sim_steps(self._at)

    def __getitem__(self, name):
        values, plain = self.q, name
        if name.startswith("p."):
            values, plain = self.p, name[2:]
        elif name.endswith("'"):
            values, plain = self.v, name[:-1]
        names = []
        for group, where, shape, _ in groups(self.model._handle.address):
            if group == plain:
                return values[where].reshape(shape)
            names.append(group)
        raise KeyError(f"there is no coordinate '{plain}'; there are: {', '.join(names)}")

    @documented("lv_sim_set_state")
    def set_state(self, t=None, q=None, v=None):
        """Replaces the state; what is not given stays."""
        t = self.t if t is None else float(t)
        q, v = self._state(self.q if q is None else q), self._state(self.v if v is None else v)
        self._call(lib.lv_sim_set_state, t, address(q), address(v))

    def _state(self, values):
        array = np.array(values, dtype=float)  # a copy: the library must not read what it writes
        if array.shape != self.q.shape:
            raise UsageError(f"a state has {len(self.q)} numbers, these have the shape {array.shape}", code="usage")
        return array

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
        other = Simulation.__new__(Simulation)
        other._create(self.model, self._request)
        if not self._enter(False):
            self._busy()
        try:
            call(lib.lv_sim_copy, other._at, self._at)
        finally:
            self._leave()
        return other

    __copy__ = copy

    # ---- questions ----------------------------------------------------------------------------------------------------------

    @property
    def energies(self):
        """kinetic, potential and total energy."""
        return record(self._ask(lib.lv_sim_energies))

    @property
    def energy(self):
        """The energy v . dL/dv - L."""
        return self._ask(lib.lv_sim_energies).total

    @property
    @documented("lv_sim_work_count")
    def work(self):
        """Work by name since the simulation began."""
        count = lib.lv_sim_work_count(self._at)
        values = view(lib.lv_sim_work(self._at), (count,), self._handle)
        return Record(**{text(lib.lv_sim_work_name(self._at, k)): float(values[k]) for k in range(count)})

    @property
    @documented("lv_sim_balance")
    def balance(self):
        """The energy less that of the beginning and all work."""
        return self._ask(lib.lv_sim_balance)

    @property
    @documented("lv_sim_constraint_count")
    def multipliers(self):
        """Multipliers of the constraints by name."""
        count = lib.lv_sim_constraint_count(self._at)
        numbers = (ctypes.c_double * max(count, 1))()
        self._question(lib.lv_sim_multipliers, ctypes.addressof(numbers))
        return by_constraint(self.model, numbers, count)

    @property
    @documented("lv_sim_momentum_map_count")
    def momentum(self):
        """Momentum maps of symmetries by name."""
        count = lib.lv_sim_momentum_map_count(self._at)
        values = np.empty(count)
        self._question(lib.lv_sim_momentum_maps, address(values), count)
        return Record(**{text(lib.lv_sim_momentum_map_name(self._at, k)): float(values[k]) for k in range(count)})

    @property
    @documented("lv_sim_outputs")
    def outputs(self):
        """The model's outputs at the current state by name."""
        return outputs_of(*self._list(lib.lv_sim_outputs, _abi.lv_output))

    @property
    @documented("lv_sim_outputs")
    def parts(self):
        """What bodies, joints, motors and rolling contacts show: sim.parts.bodies.top.position, sim.parts.joints.pin.force."""
        return Record(**parts_of(*self._list(lib.lv_sim_parts, _abi.lv_part_result)))

    def _list(self, function, kind):
        pointer, count = ctypes.POINTER(kind)(), ctypes.c_int()
        self._question(function, ctypes.byref(pointer), ctypes.byref(count))
        return pointer, count.value

    @property
    @documented("lv_sim_accelerations")
    def accelerations(self):
        """Accelerations at the current state."""
        a = np.empty_like(self.q)
        self._question(lib.lv_sim_accelerations, address(a))
        return a

    @property
    @documented("lv_sim_residuals")
    def residuals(self):
        """Largest residuals of the constraints: position and velocity."""
        both = (ctypes.c_double * 2)()
        where = ctypes.addressof(both)
        self._ask(lib.lv_sim_residuals, where, where + ctypes.sizeof(ctypes.c_double))
        return Record(position=both[0], velocity=both[1])

    @property
    def iterations(self):
        """Iterations of the nonlinear solver in the last step."""
        return lib.lv_sim_iterations(self._at)

    @documented("lv_sim_sample")
    def sample(self, t):
        """q, v and p at a time within the last step, of a simulation with dense=True."""
        q, v, p = (np.empty_like(self.q) for _ in range(3))
        self._call(lib.lv_sim_sample, float(t), _abi.LV_SAMPLE_INTEGRATED, address(q), address(v), address(p))
        return Record(t=float(t), q=q, v=v, p=p)

    @documented("lv_sim_tangent")
    def tangent(self):
        """The exact derivative of the last step as a map of (q, p): a square matrix."""
        size = 2 * len(self.q)
        matrix = np.empty((size, size))
        self._call(lib.lv_sim_tangent, address(matrix))
        return matrix

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


class LentSimulation(Simulation):
    """The simulation of a run, which steps and frees it. It may be asked, and its inputs may be set."""

    def __init__(self, model, request, where):
        self._take(model, request, Handle(where, lambda _: None))

    def _refuse(self, *_, **__):
        raise UsageError("the run steps this simulation: it may be asked, and its inputs may be set", code="usage")

    step = advance = set_state = restore = _refuse
