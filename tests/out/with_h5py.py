#!/usr/bin/env python3
"""Results as users see them: read with h5py, changed with it, repacked with h5repack.

    with_h5py.py SAMPLE      SAMPLE is the program that writes them; exit code 77: no h5py here
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy
except ImportError:
    sys.exit(77)

WIDE = 17000


def expected(channel, rows, width):
    return (numpy.arange(rows)[:, None] + channel * 1e6) + numpy.arange(width) / 32768


def check(path, rows, checkpoint):
    with h5py.File(path, "r") as file:
        assert set(file) >= {"t", "q", "wide", "none", "run", "names"}
        for channel, (name, width) in enumerate(
                [("t", 1), ("q", 3), ("wide", WIDE), ("none", 0)]):
            data = file[name]
            assert data.shape == (rows, width) and data.dtype == numpy.float64
            assert (data[()] == expected(channel, rows, width)).all(), name
            names = data.attrs["names"] if "names" in data.attrs else file["names"][name][()]
            assert [n.decode() for n in names] == [f"{name}[{k + 1}]" for k in range(width)]
        assert file["q"].attrs["doc"].decode() == "positions"
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
            data = file[name][()]
            assert (data[:rows] == expected(channel, rows, width)).all(), name
            assert (data[rows:] == 5).all(), name
        assert file["q"].attrs["unit"] == "m" and file["mine"][4] == 4


def main():
    sample = sys.argv[1]
    with tempfile.TemporaryDirectory() as directory:
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
