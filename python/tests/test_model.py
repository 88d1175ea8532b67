"""Models: where they come from, and what is wrong with them."""
import ctypes
import gc
import importlib.machinery
import importlib.util
import pathlib
import shutil

import livens
import numpy as np
import pytest
from livens import _abi

PENDULUM = """name = "pendulum"
[parameters]
g = 9.81
l = [1, 2]
[coordinates]
phi = { value = 1, velocity = 0.5 }
[energy]
kinetic = "phi'^2/2"
potential = "-g*l[1]*cos(phi)"
[run]
scheme = "gauss"
step = 0.01
until = 1
"""
SECTIONS = {"parameters": {"g": 9.81, "l": [1, 2]}, "coordinates": {"phi": {"value": 1, "velocity": 0.5}},
            "energy": {"kinetic": "phi'^2/2", "potential": "-g*l[1]*cos(phi)"},
            "run": {"scheme": "gauss", "step": 0.01, "until": 1}}


def test_files_names_texts_and_dicts_are_models(tmp_path):
    path = tmp_path / "pendulum.toml"
    path.write_text(PENDULUM)
    models = [livens.Model(path), livens.Model(str(path)), livens.Model(PENDULUM), livens.Model(SECTIONS, name="pendulum")]
    runs = [model.run().values.tobytes() for model in models]
    assert len(set(runs)) == 1
    assert [model.title for model in models] == ["pendulum"] * 4
    assert livens.Model("heavy-top").title == "heavy top"
    assert "heavy-top" in livens.shipped()
    assert models[0].text == PENDULUM and "[energy]" in models[3].text


def test_parameters_are_numbers_arrays_and_formulas():
    assert livens.Model(PENDULUM, g=1 / 3).parameters["g"] == 1 / 3
    assert livens.Model(PENDULUM, g=np.float64(0.1)).parameters["g"] == 0.1
    assert livens.Model(PENDULUM, g="2*pi").parameters["g"] == 2 * np.pi
    assert livens.Model(PENDULUM, l=np.array([3.0, 4.5])).parameters["l"].tolist() == [3, 4.5]
    changed = livens.Model(PENDULUM, g=1).replace(l=[5, 6])
    assert changed.parameters["g"] == 1 and changed.parameters["l"].tolist() == [5, 6]
    with pytest.raises(livens.UsageError, match="finite"):
        livens.Model(PENDULUM, g=float("nan"))
    with pytest.raises(livens.Error, match="gg"):
        livens.Model(PENDULUM, gg=1)


def test_names_of_coordinates_and_constraints():
    model = livens.Model("double-pendulum")
    assert model.coordinates == ["a[1]", "a[2]", "b[1]", "b[2]"]
    assert model.constraints == ["upper", "lower"]


def test_mistakes_say_where_they_are_and_what_to_do():
    with pytest.raises(livens.ModelError) as caught:
        livens.Model(PENDULUM.replace("cos(phi)", "cos(fi)"), name="swing")
    error = caught.value
    assert (error.code, error.file, error.line, error.column) == ("model", "swing", 9, 26)
    assert error.source == 'potential = "-g*l[1]*cos(fi)"' and "fi" in error.text and error.hint
    assert "swing:9:26: error:" in str(error) and "^" in str(error)
    assert isinstance(error, ValueError) and isinstance(error, livens.Error) and error.result is None
    with pytest.raises(livens.ModelError) as caught:
        livens.Model("name = 'x'\n[coordinates\n")
    assert (caught.value.code, caught.value.line) == ("syntax", 2)


def test_mistakes_of_dicts_quote_the_text_that_they_become():
    with pytest.raises(livens.ModelError) as caught:
        livens.Model({**SECTIONS, "energy": {"kinetic": "phi'^2/2", "potental": "0"}})
    assert caught.value.line > 0 and "potential" in str(caught.value)
    with pytest.raises(livens.UsageError, match="not a section"):
        livens.Model({"coordinates": 3})
    bodies = {"bodies": {"rod": {"mass": 1, "position": [0, 0, 0], "inertia": [1, 1, 1]}},
              "joints": {"pin": {"type": "spherical", "between": ["ground", "rod"], "at": [0, 0, 1]}}}
    assert livens.Model(bodies).inspect().freedom == 3
    family = {"parameters": {"N": 3}, "coordinates": {"q": {"count": "N", "value": ["i/N", 0]}},
              "energy": {"all": {"for": "i = 1..N", "kinetic": "dot(q_i', q_i')/2"}}}
    assert livens.Model(family).coordinates[-1] == "q_3[2]"


def test_files_that_are_not_there():
    with pytest.raises(livens.FileError, match="did you mean the shipped model 'heavy-top'") as caught:
        livens.Model("heavy-topp")
    assert isinstance(caught.value, OSError)
    with pytest.raises(TypeError):
        livens.Model(3)
    with pytest.raises(ValueError):
        livens.Model("a\0b")


def test_wishes_that_make_no_sense():
    model = livens.Model(PENDULUM)
    for wishes, pattern in [({"stges": 3}, "did you mean 'stages'"), ({"stp": 3}, "did you mean 'step'"),
                            ({"step": -1}, "positive"), ({"every": 0.5}, "whole"), ({"initial": "chek"}, "check"),
                            ({"channels": ["ph"]}, "did you mean 'phi'"), ({"stages": "many"}, "stages"), ({"stages": 99}, "stages")]:
        with pytest.raises(livens.UsageError, match=pattern):
            model.run(**wishes)
    for wishes, pattern in [({"scheme": "gaus"}, "gauss"), ({"until": -1}, "cannot end before"),
                            ({"scheme": "verlet", "stages": 3}, "stages")]:
        with pytest.raises(livens.ModelError, match=pattern):
            model.run(**wishes)
    with pytest.raises(livens.FileError):
        model.run(csv="/no/such/directory/a.csv")


def test_models_are_freed_in_any_order():
    for _ in range(50):
        model = livens.Model(PENDULUM)
        result = model.run(until=0.1)
        model.cycle, result.cycle = result, model  # the collector finds both at once
        del model, result
    gc.collect()


def test_texts_of_methods_come_from_the_headers():
    root = pathlib.Path(__file__).resolve().parents[2]
    header = (root / "include" / "livens" / "report.h").read_text()
    assert "the same page about a finished run" in header
    assert "the same page about a finished run" in livens.Result.report.__doc__
    assert "shipped model of that name" in livens.Model.__init__.__doc__


def test_structs_are_those_of_the_compiler():
    if not shutil.which("cc"):
        pytest.skip("there is no compiler")
    root = pathlib.Path(__file__).resolve().parents[2]
    loader = importlib.machinery.SourceFileLoader("check_abi", str(root / "tools" / "check-abi"))
    reader = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_abi", loader))
    loader.exec_module(reader)
    _, structs, names = reader.parse(reader.own_text("cc", root / "include"))
    lines = reader.layout("cc", root / "include", structs, names)
    for line in lines:
        key, _, value = line.partition(" = ")
        kind, _, name = key.partition(" ")
        if kind == "struct":
            assert ctypes.sizeof(getattr(_abi, name)) == int(value), name
        elif kind == "value":
            assert getattr(_abi, name) == int(value), name
        else:
            struct, member = name.split(".")
            field = getattr(getattr(_abi, struct), member)
            assert [field.offset, field.size] == [int(x) for x in value.split()[:2]], name
    assert len(lines) > 500
