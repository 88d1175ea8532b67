"""What users build on: parameters that change, matrices, pictures, files of others, schemes of their own, copies that travel."""
import copy
import multiprocessing
import pathlib
import pickle
import sys

import livens
import numpy as np
import pytest
from conftest import assert_same

ROOT = pathlib.Path(__file__).resolve().parents[2]
OSCILLATOR = """[parameters]
m = 2
k = [8, 0]
[coordinates]
x = 1
[energy]
kinetic = "m*x'^2/2"
potential = "k[1]*x^2/2"
[run]
scheme = "gauss"
stages = 6
step = 0.05
until = 1
"""


def test_parameters_change_in_a_simulation():
    model = livens.Model(OSCILLATOR)
    sim = model.simulate()
    sim.step(20)
    assert sim["x"] == pytest.approx(np.cos(2), abs=1e-13)
    assert sim.parameters["m"] == 2 and sim.parameters["k"].tolist() == [8, 0]
    sim.parameters["k"] = [0, 0]  # it flies on with its velocity
    assert sim.parameters["k"].tolist() == [0, 0] and model.parameters["k"].tolist() == [8, 0]
    q = sim.q
    for twin in (sim.copy(), copy.deepcopy(sim), pickle.loads(pickle.dumps(sim))):
        twin.step(20)
        assert twin["x"] == pytest.approx(np.cos(2) - 2 * np.sin(2), abs=1e-12)
        assert twin.parameters["k"].tolist() == [0, 0]
    sim.step(20)
    assert q[0] == sim["x"] == twin["x"]
    with pytest.raises(livens.UsageError, match="did you mean 'm'"):
        sim.set_parameter("M", 1)
    with pytest.raises(KeyError, match="no parameter 'K'"):
        sim.parameters["K"]
    with pytest.raises(livens.UsageError, match="read the model again"):
        livens.Model("chain").simulate().set_parameter("N", 3)
    with pytest.raises(TypeError, match="stay"):
        del sim.parameters["m"]


def test_forces_come_from_outside():
    model = livens.Model(OSCILLATOR, k=[0, 0]).with_forces()
    sim = model.simulate()
    assert model.forces == ["x"] and sim.force.tolist() == [0] and not livens.Model(OSCILLATOR).forces
    sim.set_force([4])
    sim.step(20)  # a constant acceleration of 2
    assert sim["x"] == pytest.approx(1 + 1, abs=1e-13) and sim.work.external == pytest.approx(4, abs=1e-12)
    twin = pickle.loads(pickle.dumps(sim))
    sim.set_force({"x": -4})
    assert twin.force.tolist() == [4] and sim.force.tolist() == [-4] and twin.q.tobytes() == sim.q.tobytes()
    top = livens.Model("heavy-top").with_forces()
    assert "top.torque[3]" in top.forces and top.replace(m=2).forces == top.forces
    for call, pattern in [(lambda: sim.set_force([1, 2]), "2"), (lambda: sim.set_force({"y": 1}), "there are: x"),
                          (lambda: livens.Model("kepler").simulate().set_force({"r": 1}), "with_forces"),
                          (lambda: sim.set_force([float("nan")]), "not a number")]:
        with pytest.raises(livens.UsageError, match=pattern):
            call()


def test_matrices_are_those_of_the_equations(monkeypatch):
    sim = livens.Model("double-pendulum").simulate("rattle", 0.01)
    sim.step(10)
    m, g = sim.mass_matrix.toarray(), sim.constraint_matrix.toarray()
    assert m @ sim.v == pytest.approx(sim.p, abs=1e-13)
    assert g.shape == (2, 4) and g @ sim.v == pytest.approx([0, 0], abs=1e-12)
    force = sim.constraint_force()
    rows = np.array([sim.multipliers[name] for name in sim.model.constraints])
    assert g.T @ rows == pytest.approx(force, abs=1e-12)
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    plain = sim.constraint_matrix
    assert plain.toarray().tolist() == g.tolist() and len(plain.row) == len(plain.col) == len(plain.data)


def test_other_states_may_be_asked_for():
    sim = livens.Model(OSCILLATOR).simulate()
    assert sim.momentum_at(v=[3]).tolist() == [6] and sim.velocity_at(p=[6]).tolist() == [3]
    assert sim.energies_at(q=[2], v=[1]).total == 1 + 16 and sim.energies_at().total == sim.energy
    swing = livens.Model("pendulum3d").simulate()
    start = swing.model.start()
    assert start.q.tolist() == swing.q.tolist() and not start.change.projected
    assert swing.constraints_at(q=2 * swing.q).position == pytest.approx([1.5], rel=1e-14)  # (|q/l|^2 - 1)/2
    assert len(swing.constraints_at().velocity) == 1 and swing.step_multipliers is None
    with pytest.raises(livens.UsageError, match="a state has 3 numbers"):
        swing.constraints_at(q=[1])
    dense = livens.Model("pendulum3d").simulate("lobatto", 0.01, stages=3, dense=True)
    dense.step()
    assert 0 < dense.indicator < 1e-3
    em = livens.Model("pendulum3d").simulate("em", 0.001)
    em.step()
    assert em.step_multipliers["lambda"].rod == pytest.approx(em.multipliers.rod, rel=0.01)


def test_pictures_follow_the_motion():
    model = livens.Model("heavy-top")
    sim, names = model.simulate(), [item.name for item in model.view()]
    sim.step(20)
    items = {item.name: item for item in sim.view() if item.section == "bodies"}
    assert items["top"].position == pytest.approx(sim.parts.bodies.top.position, abs=1e-13)
    assert np.abs(items["top"].quaternion) == pytest.approx(np.abs(sim.parts.bodies.top.quaternion), abs=1e-13)
    assert [item.name for item in sim.view()] == names
    assert [i.position.tolist() for i in model.view(sim.t, sim.q, sim.v) if i.name == "top" and "position" in i] == \
        [i.position.tolist() for i in sim.view() if i.name == "top" and "position" in i]


def test_rows_are_seen_while_they_are_recorded():
    seen, model = [], livens.Model(OSCILLATOR)
    result = model.run(every=2, at_row=seen.append)
    assert [row.t for row in seen] == result.t.tolist() and [row.q[0] for row in seen] == result["x"].tolist()
    stopped = model.run(at_row=lambda row: row.t < 0.5)
    assert stopped.summary.status == "interrupted" and stopped.t[-1] == pytest.approx(0.5)


def test_events_and_work_of_results():
    result = livens.Model("bouncing-ball").run(until=1)
    assert result.events.floor.count == 1 and not livens.Model("kepler").run(until=0.1).events
    assert list(livens.Model("cart-pole").run(until=0.1).work) == list(livens.Model("cart-pole").simulate().work)


def test_robots_are_imported(program, tmp_path):
    path = ROOT / "examples" / "robots" / "two-link-arm.urdf"
    arm = livens.import_urdf(path, positions={"shoulder": 0.7})
    program("import", path, "-o", tmp_path / "arm.toml", "--set", "shoulder=0.7")
    theirs = livens.Model(tmp_path / "arm.toml").run("lobatto", 0.01, 0.1)
    assert arm.model().run("lobatto", 0.01, 0.1).values.tobytes() == theirs.values.tobytes()
    assert arm.bodies == 2 and arm.joints == 2 and all(line > 0 and said for line, said in arm.notes)
    with pytest.raises(livens.ModelError, match="robot:5:14.*no mass"):
        livens.import_urdf(path.read_text(), floating=True)
    with pytest.raises(livens.Error, match="no.urdf"):
        livens.import_urdf("no.urdf")


def test_files_of_runs_are_read_exported_resumed_and_shown(program, tmp_path):
    model, file = livens.Model("heavy-top"), tmp_path / "top.h5"
    result = model.run(until=0.05, hdf5=file)
    assert livens.read(file).values.tobytes() == result.values.tobytes()
    assert livens.read(file, channels=["top", "E"]).columns == ["t", "top[1]", "top[2]", "top[3]", "E"]
    assert livens.export(file, tmp_path / "a.csv").rows == 51
    result.to_csv(tmp_path / "b.csv")
    program("run", "heavy-top", "--until", 0.05, "--csv", tmp_path / "c.csv")
    texts = {(tmp_path / name).read_bytes() for name in ("a.csv", "b.csv", "c.csv")}
    assert len(texts) == 1
    info = livens.export(file, tmp_path / "top.pvd", every=10)
    assert info.bodies == 1 and (tmp_path / "top.pvd").exists()
    with pytest.raises(livens.UsageError, match=".pvd VTK"):
        livens.export(file, tmp_path / "top.xyz")
    assert livens.report(tmp_path / "top.html", file).bytes == (tmp_path / "top.html").stat().st_size
    whole, further = model.run(until=0.1), livens.resume(file, until=0.1)
    assert further.values.tobytes() == whole.values.tobytes() and len(further) == 101
    assert further.outputs["height"].tolist() == whole.outputs["height"].tolist()
    assert further.model.title == "heavy top" and further.summary.final.t == 0.1
    with pytest.raises(livens.UsageError, match="file of results"):
        further.model.replace(m=1)
    with pytest.raises(livens.FileError, match="no.h5"):
        livens.resume(tmp_path / "no.h5")


def send_back(name):
    return livens.Model(name).run(until=0.05)


def test_results_travel_between_processes():
    result = send_back("kepler")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        other = pool.apply(send_back, ("kepler",))
    assert other.values.tobytes() == result.values.tobytes() and other.columns == result.columns
    del other.summary.seconds, result.summary.seconds
    assert_same(other.summary.energy, dict(result.summary.energy))
    assert other.energy.tolist() == result.energy.tolist() and other._repr_html_() is None
    with pytest.raises(livens.UsageError, match="writes no pages"):
        other.report("x.html")
    sim = livens.Model("heavy-top").simulate()
    sim.step(5)
    twin = pickle.loads(pickle.dumps(sim))
    for s in (sim, twin):
        s.step(5)
    assert sim.q.tobytes() == twin.q.tobytes() and twin.steps == 10
    with pytest.raises(livens.ModelError) as caught:
        livens.Model("[coordinates]\nx = y\n")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.line == caught.value.line == 2


def test_schemes_tell_what_they_are():
    rattle = livens.scheme("rattle", compose=4)
    assert rattle.claims.order == 4 and rattle.claims.symplectic and rattle.claims.momentum == "exact"
    assert rattle.options.compose == 4 and "compose" in rattle.takes and "eq " in rattle.equations
    gauss = livens.scheme("gauss", stages=2).coefficients
    assert gauss.b.tolist() == [0.5, 0.5] and gauss.c == pytest.approx([0.5 - 3**0.5 / 6, 0.5 + 3**0.5 / 6], abs=1e-15)
    with pytest.raises(livens.ModelError, match="rattel"):
        livens.scheme("rattel")


MIDPOINT = """carried q point, p momentum, v tangent
unknown V tangent
point z at 1/2 = q + 1/2 h V
point q1 at 1 = q + h V
let K = F(z, V)
eq V: p(z, V) - p - 1/2 h K
unknown x tangent
let p1 = p + h K
eq x: p(q1, x) - p1
assign q <- q1
assign p <- p1
assign v <- x
"""


def test_schemes_of_the_caller_are_schemes():
    livens.register_scheme("own-midpoint", MIDPOINT, order=2, symplectic=True, symmetric=True, energy="bounded",
                           momentum="exact", summary="the midpoint rule")
    model = livens.Model("kepler")
    mine, theirs = (model.run(scheme, 0.01, 1, **more) for scheme, more in (("own-midpoint", {}), ("gauss", {"stages": 1})))
    assert mine["r"] == pytest.approx(theirs["r"], abs=1e-11)
    assert "own-midpoint" in livens.schemes() and livens.scheme("own-midpoint").claims.order == 2
    with pytest.raises(livens.UsageError, match="own-midpoint"):
        livens.register_scheme("own-midpoint", MIDPOINT, order=2)
    with pytest.raises(livens.UsageError, match="energy='kept'"):
        livens.register_scheme("other", MIDPOINT, order=2, energy="kept")


def test_memory_has_a_budget():
    before = livens.memory().budget
    try:
        assert livens.memory(1 << 20).budget == 1 << 20
        with pytest.raises(livens.LimitError):
            livens.Model("chain", N=100000).run(until=0.1)
    finally:
        livens.memory(0)
    assert livens.memory().budget > 1 << 20 and before > 0
