#!/usr/bin/env python3
"""Results as users see them: read with h5py, changed with it, repacked with h5repack.

    with_h5py.py SAMPLE LIVENS      SAMPLE is a program that writes them; LIVENS is livens
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy

WIDE = 17000


def expected(channel, rows, width):
    return (numpy.arange(rows)[:, None] + channel * 1e6) + numpy.arange(width) / 32768


def check(path, rows, checkpoint):
    with h5py.File(path, "r") as file:
        assert set(file) >= {"t", "q", "wide", "none", "run", "names"}
        for channel, (name, width) in enumerate(
                [("t", 1), ("q", 3), ("wide", WIDE), ("none", 0)]):
            data = file[name]
            assert data.shape == ((rows,) if name == "t" else (rows, width)), data.shape
            assert data.dtype == numpy.float64
            assert (data[()].reshape(rows, width) == expected(channel, rows, width)).all(), name
            names = data.attrs["names"] if "names" in data.attrs else file["names"][name].asstr()[:]
            assert list(names) == [f"{name}[{k + 1}]" for k in range(width)], names
            assert all(isinstance(n, str) for n in names)
        assert file["q"].attrs["doc"] == "positions" and file["wide"].attrs["doc"] == ""
        assert file["wide"][3:5, 100:9000:7].shape == (2, 1272)
        run = file["run"]
        assert run["model"].asstr()[()] == 'name = "\u00e9"\n'
        assert run["version"][()] == b"1.2.3" and run["empty"][()] == b""
        assert run["checkpoint"].attrs["rows"] == checkpoint
        assert list(run["checkpoint"][()]) == [checkpoint * 10 + k for k in range(5)]


def change(path, rows):
    """What the library itself does to a file that it did not write."""
    with h5py.File(path, "r+") as file:
        file["mine"] = numpy.arange(5)
        file["q"].attrs["unit"] = "m"
        for name in ("t", "q", "wide"):
            file[name].resize(rows + 2000 if name != "wide" else rows + 7, axis=0)
            file[name][rows:] = 5
    with h5py.File(path, "r") as file:
        for channel, (name, width) in enumerate([("t", 1), ("q", 3), ("wide", WIDE)]):
            data = file[name][()].reshape(-1, width)
            assert (data[:rows] == expected(channel, rows, width)).all(), name
            assert (data[rows:] == 5).all(), name
        assert file["q"].attrs["unit"] == "m" and file["mine"][4] == 4


MODEL = """
name = "a \u00fc name"
[parameters]
m = 2.5
up = [0, 0, 1]
[coordinates]
x = { value = [1, 0, 0], velocity = [0, 1, 0] }
[energy]
kinetic = "m/2*dot(x', x')"
potential = "m*dot(up, x)"
[constraints.rod]
holonomic = "dot(x, x) - 1"
[run]
scheme = "rattle"
step = 0.1
until = 1
"""


def described(livens, directory):
    """What a file says of itself, to people and programs that know nothing of livens."""
    model, path = directory / "m.toml", directory / "a b.h5"
    model.write_text(MODEL)
    command = [livens, "run", str(model), "--set", "m=0.1", "-q", "-o", str(path)]
    subprocess.run(command, check=True)
    with h5py.File(path, "r") as file:
        about = dict(file.attrs)
        assert all(isinstance(text, str) for text in about.values()), about
        assert set(about) == {"title", "version", "scheme", "options", "command"}
        assert about["title"] == "a \u00fc name" and about["scheme"] == "rattle"
        assert about["command"] == f"livens run {model} --set m=0.1 -q -o '{path}'", about
        assert "compose" in about["options"] and about["version"][0].isdigit()
        parameters = file["parameters"]
        assert set(parameters) == {"m", "up"}
        assert parameters["m"][()] == 0.1 and parameters["m"].shape == ()
        assert parameters["up"][:].tolist() == [0, 0, 1]
        assert file["t"].shape == (11,) and file["q"].shape == (11, 3)
        names = {name: list(file[name].attrs["names"]) for name in file
                 if isinstance(file[name], h5py.Dataset)}
        columns = subprocess.run([livens, "run", str(model), "-q", "--csv", "-"], check=True,
                                 capture_output=True, text=True).stdout.splitlines()[0].split(",")
        assert sorted(sum(names.values(), [])) == sorted(columns), names
    subprocess.run(command + ["--channels", "E,x',lambda.rod"], check=True)
    with h5py.File(path, "r") as file:
        assert set(file) == {"t", "v", "lambda", "energy", "parameters", "run"}
        assert list(file["energy"].attrs["names"]) == ["E"] and file["energy"].shape == (11, 1)
        assert list(file["v"].attrs["names"]) == ["x'[1]", "x'[2]", "x'[3]"]
        rows = file["v"][()]
    subprocess.run([livens, "run", str(model), "--set", "m=0.1", "-q", "-o", str(path)], check=True)
    with h5py.File(path, "r") as file:
        assert (file["v"][()] == rows).all()


def main():
    sample = sys.argv[1]
    with tempfile.TemporaryDirectory() as directory:
        described(sys.argv[2], pathlib.Path(directory))
        path = pathlib.Path(directory, "a.h5")
        for rows in (11, 33, 120):
            subprocess.run([sample, path, str(rows)], check=True)
            check(path, rows, (rows - 1) // 10 * 10 + 1)
        if shutil.which("h5repack"):
            packed = pathlib.Path(directory, "b.h5")
            subprocess.run(["h5repack", "-f", "GZIP=1", path, packed], check=True)
            check(packed, 120, 111)
        change(path, 120)
        subprocess.run([sample, path, "98", "killed"], check=True)
        check(path, 91, 91)
        change(path, 91)


main()
