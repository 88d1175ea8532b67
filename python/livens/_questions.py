"""What a simulation can be asked at its present state, or at another one."""
import ctypes
import threading

import numpy as np

from . import _abi
from ._library import UsageError, address, documented, failure, lib, text
from ._record import Record, record
from ._summary import by_constraint, outputs_of, parts_of
from ._view import view_of


class Triplets:
    """A sparse matrix where there is no scipy: shape, row, col, data, as scipy.sparse.coo_matrix has them."""

    def __init__(self, shape, row, col, data):
        self.shape, self.row, self.col, self.data = shape, row, col, data

    def toarray(self):
        """The matrix with all its zeros."""
        full = np.zeros(self.shape)
        full[self.row, self.col] = self.data
        return full

    def __repr__(self):
        return f"<{self.shape[0]} x {self.shape[1]} matrix with {len(self.data)} entries>"


def sparse(struct):
    """An lv_sparse as a matrix of scipy, or as triplets."""
    shape = struct.rows, struct.columns
    start = np.array(struct.start[:struct.rows + 1], dtype=np.int32)
    count = int(start[-1])
    column, data = np.array(struct.column[:count], dtype=np.int32), np.array(struct.values[:count])
    try:
        from scipy.sparse import csr_matrix
    except ImportError:
        return Triplets(shape, np.repeat(np.arange(shape[0]), np.diff(start)), column, data)
    return csr_matrix((data, column, start), shape=shape)


class Questions:
    """What may be asked of a simulation; no answer changes it."""

    def _busy(self):
        raise UsageError("this simulation is stepping in another thread: a simulation belongs to one thread at a time",
                         code="usage")

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

    def _question(self, function, *arguments):
        """A question that may fail."""
        err = _abi.lv_error()
        status = self._ask(function, *arguments, ctypes.byref(err))
        if status:
            raise failure(status, err)

    def _state(self, values, present):
        """A copy of values, or of the present ones: the library must not read what it writes."""
        array = np.array(present if values is None else values, dtype=float)
        if array.shape != self.q.shape:
            raise UsageError(f"a state has {len(self.q)} numbers, these have the shape {array.shape}", code="usage")
        return array

    def _place(self, t, q, v):
        """A state; what is not given is as it is now."""
        return self.t if t is None else float(t), self._state(q, self.q), self._state(v, self.v)

    # ---- energies and what is kept --------------------------------------------------------------------------------------

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
        count, pointer = lib.lv_sim_work_count(self._at), self._ask(lib.lv_sim_work)
        values = ctypes.cast(pointer, ctypes.POINTER(ctypes.c_double))
        return Record(**{text(lib.lv_sim_work_name(self._at, k)): values[k] for k in range(count)})

    @property
    @documented("lv_sim_balance")
    def balance(self):
        """The energy less that of the beginning and all work."""
        return self._ask(lib.lv_sim_balance)

    @property
    @documented("lv_sim_momentum_map_count")
    def momentum(self):
        """Momentum maps of symmetries by name."""
        count = lib.lv_sim_momentum_map_count(self._at)
        values = np.empty(count)
        self._question(lib.lv_sim_momentum_maps, address(values), count)
        return Record(**{text(lib.lv_sim_momentum_map_name(self._at, k)): float(values[k]) for k in range(count)})

    @property
    @documented("lv_sim_residuals")
    def residuals(self):
        """Largest residuals of the constraints: position and velocity."""
        both = (ctypes.c_double * 2)()
        where = ctypes.addressof(both)
        self._ask(lib.lv_sim_residuals, where, where + ctypes.sizeof(ctypes.c_double))
        return Record(position=both[0], velocity=both[1])

    # ---- forces ----------------------------------------------------------------------------------------------------------

    def _multipliers(self):
        numbers = np.zeros(lib.lv_sim_constraint_count(self._at))
        self._question(lib.lv_sim_multipliers, address(numbers))
        return numbers

    @property
    @documented("lv_sim_constraint_count")
    def multipliers(self):
        """Multipliers of the constraints by name."""
        numbers = self._multipliers()
        return by_constraint(self.model, numbers.tolist(), len(numbers))

    @property
    @documented("lv_sim_step_multipliers")
    def step_multipliers(self):
        """Multipliers of the last step as the scheme has them, by name: record["lambda"] and record["gamma"]; None: the
        scheme has none."""
        count = lib.lv_sim_constraint_count(self._at)
        both = np.zeros((2, count))
        if not self._ask(lib.lv_sim_step_multipliers, address(both), address(both) + 8 * count):
            return None
        return Record(**{name: by_constraint(self.model, row.tolist(), count) for name, row in zip(("lambda", "gamma"), both)})

    @documented("lv_sim_constraint_force_at")
    def constraint_force(self, multipliers=None, t=None, q=None, v=None):
        """What constraints push with in the coordinates, with these multipliers or the present ones, one for each constraint
        row, at this state or the present one."""
        count = lib.lv_sim_constraint_count(self._at)
        numbers = self._multipliers() if multipliers is None else np.array(multipliers, dtype=float)
        if numbers.shape != (count,):
            raise UsageError(f"there are {count} multipliers, these have the shape {numbers.shape}", code="usage")
        t, q, v = self._place(t, q, v)
        force = np.empty_like(q)
        self._question(lib.lv_sim_constraint_force_at, address(force), t, address(q), address(v), address(numbers))
        return force

    @property
    @documented("lv_sim_accelerations")
    def accelerations(self):
        """Accelerations at the current state."""
        a = np.empty_like(self.q)
        self._question(lib.lv_sim_accelerations, address(a))
        return a

    @property
    @documented("lv_sim_mass_matrix")
    def mass_matrix(self):
        """The mass matrix at the current state: a scipy.sparse.csr_matrix, or, without scipy, an object with shape, row, col,
        data and toarray()."""
        return self._matrix(lib.lv_sim_mass_matrix)

    @property
    @documented("lv_sim_mass_matrix")
    def constraint_matrix(self):
        """Gradients of the constraints at the current state, a row for each name in model.constraints; as mass_matrix."""
        return self._matrix(lib.lv_sim_constraint_matrix)

    def _matrix(self, function):
        struct = _abi.lv_sparse()
        self._question(function, ctypes.byref(struct))
        return sparse(struct)

    # ---- what the model shows ---------------------------------------------------------------------------------------------

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

    @documented("lv_sim_view")
    def view(self):
        """What is drawn of the model, where it is now: a list of items with kind, name, section, shape, sizes and, by kind,
        position, quaternion, axis or points."""
        return view_of(self.model._handle.address, lambda numbers: self._question(lib.lv_sim_view, address(numbers)))

    # ---- the last step ------------------------------------------------------------------------------------------------------

    @property
    def iterations(self):
        """Iterations of the nonlinear solver in the last step."""
        return lib.lv_sim_iterations(self._at)

    @documented("lv_sim_sample")
    def sample(self, t):
        """q, v and p at a time within the last step, of a simulation with dense=True."""
        q, v, p = (np.empty_like(self.q) for _ in range(3))
        self._question(lib.lv_sim_sample, float(t), _abi.LV_SAMPLE_INTEGRATED, address(q), address(v), address(p))
        return Record(t=float(t), q=q, v=v, p=p)

    @property
    @documented("lv_sim_indicator")
    def indicator(self):
        """How far the polynomials of the scheme were from a motion in the last step, of a simulation with dense=True."""
        value = ctypes.c_double()
        self._question(lib.lv_sim_indicator, ctypes.addressof(value))
        return value.value

    @documented("lv_sim_tangent")
    def tangent(self):
        """The exact derivative of the last step as a map of (q, p): a square matrix."""
        size = 2 * len(self.q)
        matrix = np.empty((size, size))
        self._question(lib.lv_sim_tangent, address(matrix))
        return matrix

    # ---- other states --------------------------------------------------------------------------------------------------------

    @documented("lv_sim_momentum_at")
    def momentum_at(self, t=None, q=None, v=None):
        """The momenta p = dL/dv at a state."""
        t, q, v = self._place(t, q, v)
        p = np.empty_like(q)
        self._question(lib.lv_sim_momentum_at, address(p), t, address(q), address(v))
        return p

    @documented("lv_sim_velocity_at")
    def velocity_at(self, t=None, q=None, p=None):
        """The velocities of momenta at a position."""
        t, q, v = self._place(t, q, None)
        p = self._state(p, self.p)
        self._question(lib.lv_sim_velocity_at, address(v), t, address(q), address(p))
        return v

    @documented("lv_sim_energies_at")
    def energies_at(self, t=None, q=None, v=None, p=None):
        """Energies at a state: kinetic, potential, total. Momenta that are not given are those of the velocities."""
        energies, (t, q, v) = _abi.lv_energies(), self._place(t, q, v)
        p = self.momentum_at(t, q, v) if p is None else self._state(p, self.p)
        self._question(lib.lv_sim_energies_at, ctypes.byref(energies), t, address(q), address(v), address(p))
        return record(energies)

    @documented("lv_sim_constraints_at")
    def constraints_at(self, t=None, q=None, v=None):
        """Residuals of the constraints at a state: position, of the holonomic ones, and velocity, of all."""
        position = np.empty(lib.lv_sim_holonomic_count(self._at))
        velocity = np.empty(lib.lv_sim_constraint_count(self._at))
        t, q, v = self._place(t, q, v)
        self._question(lib.lv_sim_constraints_at, address(position), address(velocity), t, address(q), address(v))
        return Record(position=position, velocity=velocity)
