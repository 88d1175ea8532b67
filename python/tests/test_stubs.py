"""The stubs say what there is: the same classes, methods, properties and arguments as at run time."""
import ast
import inspect
import pathlib

import livens

STUBS = ast.parse(pathlib.Path(livens.__file__).with_suffix(".pyi").read_text())
SPECIAL = {"__init__", "__getitem__", "__contains__", "__len__", "__iter__", "__getattr__"}


def public(names):
    return {name for name in names if not name.startswith("_") or name in SPECIAL}


def arguments(function):
    a = function.args
    return ([x.arg for x in a.args], [x.arg for x in a.kwonlyargs], a.kwarg and a.kwarg.arg)


def real_arguments(function):
    kinds = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name.startswith("_"):
            continue
        kinds.setdefault(parameter.kind, []).append(parameter.name)
    P = inspect.Parameter
    return (kinds.get(P.POSITIONAL_OR_KEYWORD, []), kinds.get(P.KEYWORD_ONLY, []), (kinds.get(P.VAR_KEYWORD) or [None])[0])


def test_stubs_name_what_is_public():
    named = {node.name for node in STUBS.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert named == set(livens.__all__)


def members(kind):
    """What a class has itself, with what it has from bases that nobody sees."""
    found = {}
    for base in reversed(kind.__mro__):
        if base is kind or (base.__module__.startswith("livens") and not hasattr(livens, base.__name__)):
            found.update(vars(base))
    return found


def test_methods_and_arguments_are_those_at_run_time():
    compared = 0
    for node in STUBS.body:
        if not isinstance(node, ast.ClassDef) or node.name in ("Record", "Check", "Certificate", "Study", "Import"):
            continue
        real = getattr(livens, node.name)
        said = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)
                and not any(getattr(d, "attr", "") == "setter" for d in item.decorator_list)}
        there = public(name for name, value in members(real).items() if callable(value) or isinstance(value, property))
        assert there == set(said), node.name
        for name, item in said.items():
            value = members(real)[name]
            is_property = any(getattr(d, "id", "") == "property" for d in item.decorator_list)
            assert is_property == isinstance(value, property), f"{node.name}.{name}"
            if not is_property and not name.startswith("__"):
                assert arguments(item) == real_arguments(value), f"{node.name}.{name}"
                compared += 1
    assert compared > 15


def test_everything_public_is_explained():
    for name in livens.__all__:
        thing = getattr(livens, name)
        assert thing.__doc__, name
        for method, value in members(thing).items() if inspect.isclass(thing) else ():
            if (callable(value) or isinstance(value, property)) and not method.startswith("_"):
                assert value.__doc__, f"{name}.{method}"
