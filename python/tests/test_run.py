"""Runs from Python are those of the program, bit for bit."""
import csv
import io

import livens
import numpy as np
import pytest
from conftest import assert_same

MODELS = ["heavy-top", "chain", "kepler", "double-pendulum", "rolling-penny", "four-bar", "rheonomic-pendulum",
          "spring-net", "bouncing-ball", "cart-pole"]


def read_csv(text):
    rows = list(csv.reader(io.StringIO(text)))
    return rows[0], np.array([[float(x) for x in row] for row in rows[1:]])


MORE = ["andrews-bodies", "rolling-disc-body", "bennett-linkage", "flyball-governor", "snakeboard", "rocking-block",
        "penning-trap", "unlike-chain"]


@pytest.mark.parametrize("name", MODELS + MORE)
def test_rows_are_those_of_the_program(name, program):
    until = 0.5 if name in MODELS else 0.02
    result = livens.Model(name).run(until=until)
    names, values = read_csv(program("run", name, "--until", until, "--csv", "-"))
    assert result.columns == names
    assert values.tobytes() == result.values.tobytes()


@pytest.mark.parametrize("name", MODELS)
def test_summaries_are_those_of_the_program(name, printed):
    summary = livens.Model(name).run(until=0.5).summary
    del summary.seconds
    assert_same(summary, printed("run", name, "--until", 0.5))


def test_wishes_are_those_of_the_command_line(program, printed):
    model = livens.Model("double-pendulum", m1=1.5)
    result = model.run(scheme="rattle", compose=4, step=0.02, until=1, every=5)
    names, values = read_csv(program("run", "double-pendulum", "--set", "m1=1.5", "--scheme", "rattle", "--compose", 4,
                                     "--step", 0.02, "--until", 1, "--every", 5, "--csv", "-"))
    assert values.tobytes() == result.values.tobytes()
    assert result.summary.options == livens.Record(stages=2, compose=4)
    sampled = model.run("lobatto", 0.02, 1, sample=0.25, channels=["a", "E"])
    assert sampled.columns == ["t", "a[1]", "a[2]", "E"]
    assert sampled.t.tolist() == [0, 0.25, 0.5, 0.75, 1]


def test_the_model_decides_what_is_not_given(printed):
    summary = livens.Model("kepler").run(until=0.5).summary
    assert summary.scheme == printed("run", "kepler", "--until", 0.5)["scheme"]


def test_columns_have_names():
    result = livens.Model("heavy-top").run(until=0.05)
    rows = len(result)
    assert rows == 51 == len(result.t)
    assert result["top"].shape == result["top'"].shape == (rows, 3)
    assert result["top[2]"].tolist() == result["top"][:, 1].tolist()
    assert result["top.quaternion"].shape == (rows, 4)
    assert result.energy.tolist() == result["E"].tolist()
    assert np.allclose(result.energy, result.kinetic + result.potential, rtol=1e-14)
    assert list(result.momentum) == ["L_z"]
    assert np.ptp(result.momentum["L_z"]) < 1e-11
    assert result.outputs["height"].tolist() == result["top[3]"].tolist()
    assert "top" in result and "height" in result and "bottom" not in result
    with pytest.raises(KeyError, match="did you mean 'top'"):
        result["topp"]
    with pytest.raises(KeyError, match="L_z"):
        result.momentum["L_x"]


def test_families_have_members_in_the_second_place():
    result = livens.Model("chain", N=4).run(until=0.01)
    assert result["q"].shape == result["q'"].shape == (11, 4, 3)
    assert result["q"][:, 2].tolist() == result["q_3"].tolist()
    assert list(result.multipliers) == ["first", "link_2", "link_3", "link_4"]
    assert result.multipliers["link_3"].shape == (11,)


def test_rows_are_views_that_outlive_everything_else():
    result = livens.Model("kepler").run(until=1)
    energy = result.energy
    assert energy.base is not None and not energy.flags.writeable
    expected = energy.copy()
    del result
    livens.Model("chain").run(until=0.1)  # would take the memory
    assert energy.tolist() == expected.tolist()


def test_a_run_that_fails_has_the_rows_until_then():
    with pytest.raises(livens.NumericError, match="stopped at step 2") as caught:
        livens.Model("heavy-top").run(scheme="em", step=2, until=10)
    assert caught.value.why == "stalled" and "smaller step" in caught.value.hint
    assert caught.value.result.t.tolist() == [0, 2]
    assert caught.value.result.summary.status == "numeric"


def test_progress_may_end_a_run_or_raise():
    model = livens.Model("kepler")
    result = model.run(step=1e-4, until=1e5, progress=lambda p: p.steps < 1000)
    assert result.summary.status == "interrupted" and result.summary.final.t < 1e5

    def interrupt(progress):
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        model.run(step=1e-4, until=1e5, progress=interrupt)


def test_pages_are_those_of_the_program(program, tmp_path):
    mine, theirs = tmp_path / "mine.html", tmp_path / "theirs.html"
    result = livens.Model("heavy-top").run(until=0.1)
    info = result.report(mine)
    program("run", "heavy-top", "--until", 0.1, "--report", theirs)
    assert mine.read_bytes() == theirs.read_bytes() and info.bytes == len(mine.read_bytes())
    shown = result._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "livens-data" in shown


def test_files_are_written_as_well(tmp_path):
    result = livens.Model("kepler").run(until=1, csv=tmp_path / "a.csv", hdf5=str(tmp_path / "a.h5"))
    names, values = read_csv((tmp_path / "a.csv").read_text())
    assert names == result.columns and values.tobytes() == result.values.tobytes()
    assert [file.format for file in result.summary.files] == ["hdf5", "csv"]


def test_dataframes():
    pytest.importorskip("pandas")
    result = livens.Model("kepler").run(until=1)
    frame = result.to_dataframe()
    assert frame.index.name == "t" and list(frame.columns) == result.columns[1:]
    assert frame["E"].tolist() == result.energy.tolist()
