"""Checks, certificates, ensembles and studies say what the program says."""
import csv
import io

import livens
import numpy as np
import pytest


ENSEMBLE = """[parameters]
release = 1
[coordinates]
phi = { value = "release" }
[energy]
kinetic = "phi'^2/2"
potential = "-cos(phi)"
[run]
scheme = "gauss"
step = 0.05
until = 1
[sweep]
members = 30
[sweep.set]
release = { normal = [1, 0.5] }
"""


def test_checks_say_what_the_program_says(printed):
    facts, theirs = livens.Model("heavy-top").check(), printed("check", "heavy-top")
    assert facts.freedom == theirs["freedom"] == 3
    assert facts.energy == theirs["energy"]["initial"]
    assert {m.name: m.value for m in facts.momenta} == {m["name"].removeprefix("J."): m["initial"] for m in theirs["momentum"]}
    assert "lobatto" in facts.schemes and "gauss" not in facts.schemes
    assert "3 degrees of freedom" in str(facts) and "L_z" in str(facts)
    assert facts.probe.step == 0.001


def test_certificates_are_those_of_the_program(printed):
    # How long is measured depends on the clock, and so do the last digits of what is measured.
    mine = livens.Model("double-pendulum").verify(until=0.5, threads=2)
    theirs = printed("verify", "double-pendulum", "--until", 0.5)
    assert mine.ok and mine.verdicts["kept"] == theirs["kept"]
    assert [f.property for f in mine.findings] == [f["property"] for f in theirs["findings"]]
    for f, g in zip(mine.findings, theirs["findings"]):
        assert f.verdict.replace(" ", "_") == g["verdict"] and f.promise == g["promise"]
    assert mine.convergence.observed == pytest.approx(4, abs=0.1)
    assert "symplecticity" in str(mine)


def test_ensembles_are_those_of_the_program(program, tmp_path):
    path = tmp_path / "pendulums.toml"
    path.write_text(ENSEMBLE)
    mine = livens.Model(path).sweep(series=True)
    rows = list(csv.reader(io.StringIO(program("sweep", path, "--csv", "-"))))
    assert [*mine.columns, "message"] == rows[0]  # texts are no numbers: failures and warnings have them
    values = np.array([[float(x) for x in row[:-1]] for row in rows[1:]])
    assert values.tobytes() == mine.values.tobytes()
    assert mine.summary.done == len(mine) == 30 and not mine.failures
    assert mine.series["t"][-1] == 1 and mine.series["members"].min() == 30


def test_ensembles_of_parameters():
    model = livens.Model("pendulum3d", m=2)
    mine = model.sweep({"g": [1, 2.5], "l": np.linspace(1, 2, 3)}, until=0.1, initial="project")
    assert mine["g"].tolist() == [1, 1, 1, 2.5, 2.5, 2.5] and mine["l"].tolist() == [1, 1.5, 2] * 2
    alone = model.replace(g=2.5, l=1.5).run(until=0.1, initial="project")
    assert mine["E.final"][4] == alone.energy[-1]
    assert model.sweep({"g": "1 + j"}, members=4, until=0.1)["g"].tolist() == [1, 2, 3, 4]
    random = model.sweep({"g": {"uniform": [1, 2]}}, members=5, until=0.1)["g"]
    assert len(set(random)) == 5 and 1 <= random.min() <= random.max() <= 2
    with pytest.raises(livens.ModelError, match="sweep"):
        model.sweep(until=0.1)


def test_members_that_fail_do_not_stop_the_others():
    model = livens.Model({"parameters": {"a": 1}, "coordinates": {"x": {"value": "sqrt(a)"}},
                          "energy": {"kinetic": "x'^2/2", "potential": "x^2/2"}})
    mine = model.sweep({"a": [1, -1]}, scheme="gauss", step=0.01, until=0.01)
    assert mine.summary.failed == 1 and mine.failures[0][0] == 1
    assert isinstance(mine.failures[0][1], livens.Error)
    assert np.isnan(mine["x"][1]) and np.isfinite(mine["x"][0])


def test_studies_recommend():
    mine = livens.Model("pendulum-polar").study(["rattle", ("gauss", {"stages": 2})], steps=[0.1, 0.05, 0.025], until=1,
                                                tolerances=[1e-3])
    assert "gauss, 2 stages" in [m.label for m in mine.methods]
    assert mine.advices[0].method >= 0 and mine.failed == 0
    errors = [run.error for run in mine.methods[0].runs]
    assert errors == sorted(errors, reverse=True)
    assert "error 0.001" in str(mine)


def test_pages_of_studies(tmp_path):
    model = livens.Model("pendulum-polar")
    model.verify(step=0.05, until=0.2, report=tmp_path / "a.html")
    model.sweep({"g": [1, 2]}, until=0.2, report=tmp_path / "b.html")
    model.study(["rattle"], steps=[0.1, 0.05], until=0.5, report=tmp_path / "c.html")
    assert all("livens-data" in (tmp_path / f"{name}.html").read_text() for name in "abc")


def test_callbacks_of_ensembles_may_raise():
    def stop(progress):
        raise RuntimeError("enough")
    with pytest.raises(RuntimeError, match="enough"):
        livens.Model(ENSEMBLE).sweep(until=1e4, progress=stop)


DRIVEN = """[parameters]
m = 1
[inputs]
u = 0
[coordinates]
x = 0
[energy]
kinetic = "m*x'^2/2"
[forces.all]
on = "x"
force = "u"
[run]
scheme = "gauss"
step = 0.125
until = 4
"""


def test_inputs_follow_tables_everywhere(program, printed, tmp_path):
    path, table = tmp_path / "driven.toml", tmp_path / "u.csv"
    path.write_text(DRIVEN)
    table.write_text("t,u\n1,2\n3,-1\n")
    model, course = livens.Model(path), ([1, 3], [2, -1])
    found = model.sweep(m=[1, 2], inputs={"u": course})
    for k, m in enumerate((1, 2)):
        assert found["x"][k] == model.replace(m=m).run(inputs={"u": table})["x"][-1]
    mine, theirs = model.verify(inputs={"u": course}), printed("verify", path, "--input", f"u={table}")
    assert mine.ok and theirs["status"] == "ok"
    assert [f.measured for f in mine.findings if f.property == "balance"] == \
        [f["measured"] for f in theirs["findings"] if f["property"] == "balance"]
    study = model.study(["gauss"], steps=[0.125], inputs={"u": ([1.05], [2])})
    late = 2 * 2.95 * 0.075 - 0.075**2  # the step that begins at 1.125 is the first to know
    assert study.methods[0].runs[0].error_end == pytest.approx(late / 2.95**2, rel=1e-9)
    assert model.run(inputs={"u": 1})["x"][-1] == pytest.approx(8, abs=1e-12)
    for inputs, pattern in [({"u": ([0, 1], [1])}, "one row for each time"), ({"u": [1, 2, 3, 4]}, "a path is expected"),
                            ([1], "a dictionary"), ({"u": ("a", "b")}, "a path is expected"), ({"w": 1}, "no input 'w'")]:
        for call in (model.run, model.sweep if "w" not in inputs else model.verify):
            with pytest.raises(livens.UsageError, match=pattern):
                call(inputs=inputs)
