"""Simulations: steps, views, copies, threads."""
import _thread
import gc
import threading

import livens
import numpy as np
import pytest


def make(name="pendulum3d", **wishes):
    return livens.Model(name).simulate(**{"scheme": "rattle", "step": 0.01, **wishes})


def test_steps_are_those_of_a_run():
    sim, result = make(), livens.Model("pendulum3d").run("rattle", 0.01, 1)
    for k in range(1, 51):
        sim.step()
        assert sim.q.tobytes() == result["q"][k].tobytes() and sim.v.tobytes() == result["q'"][k].tobytes()
    sim.step(50)
    assert sim.q.tobytes() == result["q"][-1].tobytes() and sim.p.tobytes() == result["p.q"][-1].tobytes()
    assert (sim.steps, sim.t, sim.energy) == (100, result.t[-1], result.energy[-1])
    assert sim.multipliers["rod"] == result.multipliers["rod"][-1]


def test_views_follow_the_state_and_outlive_the_simulation():
    sim = make()
    q, part = sim.q, sim["q"]
    before = q.copy()
    sim.step()
    assert q.tolist() == part.tolist() != before.tolist()
    assert not q.flags.writeable and np.shares_memory(q, part)
    expected = q.copy()
    del sim
    gc.collect()
    make("chain").step()  # would take the memory
    assert q.tolist() == expected.tolist()


def test_coordinates_by_name():
    sim = make("double-pendulum")
    assert sim["b"].tolist() == sim.q[2:].tolist() and sim["b'"].tolist() == sim.v[2:].tolist()
    assert sim["p.a"].tolist() == sim.p[:2].tolist()
    assert make("chain")["q"].shape == (10, 3)
    with pytest.raises(KeyError, match="there are: a, b"):
        sim["c"]


def test_copies_go_their_own_way_bit_for_bit():
    sim = make("heavy-top", scheme="lobatto", stages=3, step=1e-3)
    sim.step(20)
    other = sim.copy()
    assert other.t == sim.t and other.q.tobytes() == sim.q.tobytes()
    other.step(30)
    assert sim.steps == 20
    sim.step(30)
    assert other.q.tobytes() == sim.q.tobytes() and other.p.tobytes() == sim.p.tobytes()


def test_saved_states_go_on_bit_for_bit():
    sim = make()
    sim.step(7)
    saved = sim.save()
    sim.step(9)
    expected = sim.q.tobytes()
    sim.restore(saved)
    assert sim.steps == 7
    sim.step(9)
    assert sim.q.tobytes() == expected
    fresh = make()
    fresh.restore(saved)
    fresh.step(9)
    assert fresh.q.tobytes() == expected
    with pytest.raises(livens.UsageError):
        make(step=0.02).restore(saved)
    with pytest.raises(livens.UsageError):
        sim.restore(saved[:-1])


def test_states_can_be_set():
    sim = make("kepler", scheme="gauss")
    start = sim.q.copy(), sim.v.copy()
    sim.step(5)
    sim.set_state(0, *start)
    assert sim.t == 0 and sim.q.tolist() == start[0].tolist()
    sim.set_state(v=2 * start[1])
    assert sim.q.tolist() == start[0].tolist() and sim.v.tolist() == (2 * start[1]).tolist()
    with pytest.raises(livens.UsageError, match="numbers"):
        sim.set_state(q=[1])


def test_time_is_reached_with_and_without_callbacks():
    plain, watched, seen = make(), make(), []
    plain.advance(0.105)
    watched.advance(0.105, each=lambda sim: seen.append(sim.t), every=4)
    assert plain.t == watched.t == 0.105 and plain.q.tobytes() == watched.q.tobytes()
    assert seen == pytest.approx([0.04, 0.08, 0.105])
    watched.advance(1, each=lambda sim: False)
    assert watched.t < 0.12
    with pytest.raises(livens.UsageError, match="past"):
        plain.advance(0.05)


def test_samples_and_tangents():
    sim = make(dense=True, scheme="lobatto", stages=3)
    sim.step()
    assert sim.sample(0.01).q.tolist() == sim.q.tolist()
    assert 0 < sim.sample(0.005).q[1] < sim.q[1]
    with pytest.raises(livens.UsageError):
        sim.sample(0.5)
    flat = livens.Model("kepler").simulate("gauss", 0.01)
    flat.step()
    a, n = flat.tangent(), len(flat.q)
    form = np.block([[np.zeros((n, n)), np.eye(n)], [-np.eye(n), np.zeros((n, n))]])
    assert np.abs(a.T @ form @ a - form).max() < 1e-12  # symplectic


def test_a_step_that_fails_changes_nothing():
    sim = livens.Model("heavy-top").simulate("em", 2)
    sim.step()
    before = sim.q.tobytes(), sim.t
    with pytest.raises(livens.NumericError, match="stopped at step 2") as caught:
        sim.step()
    assert caught.value.why == "stalled" and (sim.q.tobytes(), sim.t) == before
    with pytest.raises(livens.UsageError, match=r"step\(-1\)"):
        sim.step(-1)


def test_many_threads_have_simulations_of_one_model():
    model, found = livens.Model("double-pendulum"), [None] * 8
    expected = model.simulate("rattle", 0.01)
    expected.step(2000)

    def work(k):
        sim = model.simulate("rattle", 0.01)
        for _ in range(20):
            sim.step(100)
        found[k] = sim.q.tobytes()
    threads = [threading.Thread(target=work, args=(k,)) for k in range(len(found))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected.q.tobytes()] * len(found)


def test_a_simulation_is_refused_to_a_second_thread_while_it_steps():
    sim = livens.Model("bouncing-ball").simulate()
    inside, over = threading.Event(), threading.Event()

    def wait(s, name):
        inside.set()
        assert over.wait(60)
    sim.on_event(wait)
    thread = threading.Thread(target=lambda: sim.advance(0.5))
    thread.start()
    assert inside.wait(60)
    for call in (sim.step, sim.copy, sim.save, lambda: sim.energy):
        with pytest.raises(livens.UsageError, match="one thread at a time"):
            call()
    over.set()
    thread.join()
    assert sim.t == 0.5 and sim.energy > 0


def test_simulations_come_and_go_without_a_trace():
    model = livens.Model("pendulum3d")
    sims = [model.simulate("rattle", 0.01) for _ in range(20)]
    used = None
    for k in range(10):
        sims = [sim.copy() for sim in sims]
        for sim in sims:
            sim.step()
        gc.collect()
        if k == 2:
            used = memory()
    assert len({sim.q.tobytes() for sim in sims}) == 1
    assert memory() <= used + (1 << 18)


def memory():
    """Bytes that the library holds; threads add theirs in pieces of 64 kB."""
    from livens._library import lib
    return lib.lv_memory_used()


def test_events_are_counted_and_called():
    sim, seen = livens.Model("bouncing-ball").simulate(), []
    sim.on_event(lambda s, name: seen.append((name, s.t, s.energy)))
    sim.advance(1)
    assert [name for name, *_ in seen] == ["floor", "apex"]
    assert seen[0][1] == sim.events.floor.first == pytest.approx(0.451523640986, abs=1e-12)
    assert seen[1][2] < livens.Model("bouncing-ball").simulate().energy
    assert sim.stopped_by is None and sim.copy().events.floor.count == 1

    def fail(s, name):
        raise RuntimeError(name)
    again = livens.Model("bouncing-ball").simulate()
    again.on_event(fail)
    with pytest.raises(RuntimeError, match="floor"):
        again.advance(1)
    with pytest.raises(livens.UsageError, match="one thread at a time"):
        again.on_event(lambda s, name: s.step())
        again.advance(1)


DRIVEN = """[inputs]
u = 0
wind = [0, 1]
[coordinates]
x = 0
[energy]
kinetic = "x'^2/2"
[forces.all]
on = "x"
force = "u + wind[1]*wind[2]"
[run]
scheme = "gauss"
step = 0.1
"""


def test_inputs_change_between_steps():
    model = livens.Model(DRIVEN)
    assert model.inputs["u"] == 0 and model.inputs["wind"].tolist() == [0, 1]
    sim = model.simulate()
    sim.step(10)
    assert sim["x"] == 0
    sim.set_input("u", 2)
    sim.step(10)  # a constant force is integrated exactly
    assert sim["x"] == pytest.approx(1, abs=1e-14) and sim["x'"] == pytest.approx(2, abs=1e-14)
    sim.inputs["u"] = 0
    sim.inputs["wind"] = np.array([3.0, -1.0])
    assert dict(sim.inputs).keys() == {"u", "wind"} and sim.inputs["wind"].tolist() == [3, -1]
    twin = sim.copy()
    for s in (sim, twin):
        s.step(10)
        assert s["x'"] == pytest.approx(-1, abs=1e-13)
    for name, value, pattern in [("v", 1, "no input"), ("u", [1, 2], "u"), ("u", np.nan, "not a number")]:
        with pytest.raises(livens.UsageError, match=pattern):
            sim.set_input(name, value)
    with pytest.raises(KeyError, match="there are: u, wind"):
        sim.inputs["v"]
    with pytest.raises(KeyError, match="has no .inputs"):
        make().inputs["v"]


def test_questions_are_answered_as_in_rows():
    model = livens.Model("heavy-top")
    sim, result = model.simulate(), model.run(until=0.02)
    sim.advance(0.02)
    assert sim.momentum.L_z == result.momentum["L_z"][-1] and sim.outputs.height == result.outputs["height"][-1]
    assert sim.parts.bodies.top.position.tolist() == result["top"][-1].tolist()
    free = livens.Model(DRIVEN, name="x").simulate()
    free.set_input("u", 2)
    assert free.accelerations.tolist() == [2]
    free.step_size = 0.25
    free.step()
    assert free.t == 0.25 == free.step_size and "step 0.25" in repr(free)
    with pytest.raises(livens.UsageError):
        free.step_size = -1


def test_inputs_of_runs_follow_tables_and_callbacks(tmp_path):
    model = livens.Model(DRIVEN)
    held = model.run(until=2, inputs={"u": ([0, 1], [0, 2])})
    assert held["x"][-1] == pytest.approx(1, abs=1e-13)
    assert held.summary.final.inputs.u == 2 and held.summary.tables[0].kind == "held"
    linear = model.run(until=2, inputs={"u": ([0, 2], [0, 2], "linear")})
    assert linear["x'"][-1] == pytest.approx(2, abs=1e-13)
    (tmp_path / "u.csv").write_text("t,u\n0,0\n1,2\n")
    from_file = model.run(until=2, inputs={"u": tmp_path / "u.csv"})
    assert from_file.values.tobytes() == held.values.tobytes()
    seen = []

    def control(sim):
        seen.append(sim)
        sim.set_input("u", 2 if sim.t > 1 - 1e-9 else 0)
    controlled = model.run(until=2, before_step=control)
    assert controlled["x"].tobytes() == held["x"].tobytes() and len(seen) == 20
    kept, expected = seen[0].q, held["x"][-1]
    del controlled, seen
    gc.collect()
    assert kept[0] == expected  # the view keeps the run
    with pytest.raises(RuntimeError, match="no"):
        model.run(until=2, before_step=lambda sim: (_ for _ in ()).throw(RuntimeError("no")))
    with pytest.raises(livens.UsageError, match="the run steps this simulation"):
        model.run(until=2, before_step=lambda sim: sim.step())
    with pytest.raises(livens.UsageError, match="neither 'held' nor 'linear'"):
        model.run(until=2, inputs={"u": ([0], [0], "cubic")})
    with pytest.raises(livens.Error, match="no input"):
        model.run(until=2, inputs={"v": ([0], [0])})


def test_many_steps_can_be_interrupted_and_are_the_same():
    one, two = make(), make()
    one.step(3500)
    for _ in range(7):
        two.step(500)
    assert one.q.tobytes() == two.q.tobytes() and one.steps == 3500
    one.advance(95.005)
    for _ in range(6000):
        two.step()
    two.advance(95.005)
    assert one.q.tobytes() == two.q.tobytes() and one.t == two.t == 95.005
    threading.Timer(0.2, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        one.step(10**12)
    assert one.steps > 0
    threading.Timer(0.2, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        one.advance(1e9)
