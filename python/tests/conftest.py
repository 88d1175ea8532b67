"""What tests share: the program, to which results are compared, and models."""
import json
import math
import os
import subprocess

import pytest


@pytest.fixture(scope="session")
def program():
    """Calls the program and returns what it prints."""
    path = os.environ.get("LIVENS_PROGRAM")
    if not path:
        pytest.skip("LIVENS_PROGRAM names no program to compare with")
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}

    def call(*arguments):
        done = subprocess.run([path, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False, env=environment)
        return done.stdout if "--json" in arguments or done.returncode == 0 else done.stderr
    return call


@pytest.fixture(scope="session")
def printed(program):
    """The object that a command prints, without times of computation."""
    def call(*arguments):
        facts = json.loads(program(*arguments, "--json"))
        facts.pop("seconds", None)
        return facts
    return call


def assert_same(mine, theirs, path=""):
    """The same names and bits. JSON has null for what is not finite."""
    if isinstance(theirs, dict):
        assert set(mine.keys()) == set(theirs), path
        for name in theirs:
            assert_same(mine[name], theirs[name], f"{path}.{name}")
    elif isinstance(theirs, list):
        assert len(mine) == len(theirs), path
        for k, item in enumerate(theirs):
            assert_same(mine[k], item, f"{path}[{k}]")
    elif theirs is None:
        assert mine is None or (isinstance(mine, float) and not math.isfinite(mine)), path
    else:
        assert mine == theirs, path
