"""What people type in their first minutes, right and wrong: answers speak Python and say what to do."""
import copy
import pickle

import livens
import pytest

PENDULUM = """name = "pendulum"
[parameters]
m = 1.0
[coordinates]
phi = 2
[energy]
kinetic = "m*phi'^2/2"
potential = "-m*cos(phi)"
"""


@pytest.fixture
def model():
    return livens.Model(PENDULUM, name="pendulum.toml", m=2.0)


def test_hints_speak_python(model):
    for call, words in [
            (lambda: model.run(), "until=10, step=0.01, or until = 10"), (lambda: model.simulate(), "hint: step=0.01"),
            (lambda: model.run("rk4", 0.1, 1), "livens.schemes()"), (lambda: livens.Model("no.toml"), "livens.shipped()"),
            (lambda: model.sweep(), "model.sweep("), (lambda: model.run(m=3), "arguments of Model and replace"),
            (lambda: model.replace(M=1), "parameter M: the model has no parameter 'M'"),
            (lambda: model.run(step="abc"), "step='abc': a number is expected"),
            (lambda: model.run(step=0.1, until=[1]), "until="),
            (lambda: model.run("em", 0.1, 1, channels="r"), "`columns` of a result"),
            (lambda: model.simulate("em", 0.1, until=3), "sim.advance(until)"),
            (lambda: model.run("gauss", 0.1, 1, stages="many"), "stages='many': a whole number from 1 to"),
            (lambda: model.run("gauss", 0.1, 1, rotations="x"), "'directors' or 'exp'"),
            (lambda: model.replace(m="two"), "parameter m:1:1"), (lambda: model.replace(m=None), "m=None: a number"),
            (lambda: model.replace(m=float("inf")), "m=inf: a finite number"),
            (lambda: model.run("em", 0.1, float("inf")), "until=inf: a finite number"),
            (lambda: model.run("em", 0.1, 1, every=10**12), "every=1000000000000: a whole number"),
            (lambda: model.sweep(m=3), "several values are expected"), (lambda: model.sweep(mm=[1]), "did you mean 'm'"),
            (lambda: model.sweep(m=[1], threads=-1), "threads=-1"), (lambda: model.study("gaus", step=0.1, until=1), "'gauss'"),
            (lambda: model.study(["gauss"], steps="abc", until=1), "steps='abc': numbers"),
            (lambda: model.simulate("em", 0.1).advance(1, each=print, every=0), "every=0: a whole number"),
            (lambda: model.simulate("em", 0.1).advance(float("nan")), "until is nan"),
            (lambda: model.simulate("em", 0.1).step(-1), "step(-1): "), (lambda: model.simulate("em", 0.1).step(10**30), "1e+15"),
            (lambda: model.simulate("em", 0.1).sample(0), "dense=True"),
            (lambda: model.verify("em", 0.1, 1, every=3), "verify takes no argument 'every'")]:
        with pytest.raises(livens.Error) as caught:
            call()
        assert words in str(caught.value)
        assert "--" not in str(caught.value) and "lv_" not in str(caught.value) and not str(caught.value).startswith("error:")


def test_columns_steps_and_names(model):
    result = model.run("em", 0.1, 1, channels="phi")
    assert result.columns == ["t", "phi"]
    with pytest.raises(TypeError, match="columns have names"):
        result[0]
    with pytest.raises(TypeError, match="whole number of steps"):
        model.simulate("em", 0.1).step(1.5)
    assert repr(model) == "<livens.Model 'pendulum', 1 coordinate>"
    assert "1 degree of freedom" in str(model.check())


def test_parameters_of_ensembles_replace_those_of_the_model(model):
    wishes = {"scheme": "em", "step": 0.1, "until": 1}
    assert model.sweep({"m": [1, 3]}, **wishes)["m"].tolist() == [1, 3]
    assert model.sweep(m=[1, 3], **wishes)["m"].tolist() == [1, 3]
    with pytest.raises(livens.ModelError, match="pendulum.toml:.*no parameter 'mm'"):
        model.sweep({"mm": [1, 3]}, **wishes)


def test_models_can_be_sent_to_other_processes(model):
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert other.parameters == {"m": 2.0} and other.title == model.title
    with pytest.raises(TypeError, match="copy and save"):
        pickle.dumps(model.simulate("em", 0.1)._handle)


def test_help_is_readable():
    lines = livens.Model.run.__doc__.splitlines()
    assert lines[0].startswith("Integrates") and not any(line.startswith("    ") for line in lines)
