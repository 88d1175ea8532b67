#!/usr/bin/env python3
"""mpirun livens sweep: the same bytes for any number of ranks, also if one of them is lost.

    ranks.py PROGRAM MPIRUN
"""

import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LIVENS, MPIRUN = sys.argv[1:3]
VARIABLES = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
             "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMP_NUM_THREADS": "2"}

# Something happens to rank 2, shortly after the sweep has begun: rank 0 has then made its file.
TROUBLE = '[ "$OMPI_COMM_WORLD_RANK" != 2 ] || (until [ -e {} ]; do sleep 0.1; done; sleep 0.3; kill -{} $$) & exec "$@"'


def run(arguments, ranks=0, before=(), options=(), patience="30"):
    command = [LIVENS, "sweep", *arguments]
    if ranks:
        command = [MPIRUN, *options, "-n", str(ranks), *before, *command]
    done = subprocess.run(command, cwd=HERE / "fixtures", env={**VARIABLES, "LIVENS_PATIENCE": patience},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def check(name, good, detail=""):
    print("ok" if good else "FAILED", name, "" if good else detail, flush=True)
    if not good:
        sys.exit(1)


def files(directory, name):
    return {kind: directory / f"{name}.{kind}" for kind in ("h5", "csv", "series")}


def same(one, other):
    return all(one[kind].read_bytes() == other[kind].read_bytes() for kind in one if one[kind].exists())


def members(directory):
    """Members that fail, that are warned, and a series; more ranks than members."""
    for model, ranks, code in (("troubles.toml", 2, 3), ("cautions.toml", 3, 0), ("grid.toml", 3, 0)):
        one, other = files(directory, "one"), files(directory, "other")
        for paths, count in ((one, 0), (other, ranks)):
            series = ["--series", paths["series"], "--every", "10"] if model == "grid.toml" else []
            got, out, err = run([model, "-o", paths["h5"], "--csv", paths["csv"], *series], count)
            check(f"{model} on {count} ranks", got == code, f"{got}: {out}{err}")
        check(f"{model}: says how many", f"on {ranks} ranks" in out, out)
        check(f"{model} on {ranks} ranks: the same bytes", same(one, other))
    check("there is a series", one["series"].stat().st_size > 100)
    got, out, err = run(["grid.toml", "-o", other["h5"], "--resume"], 2)
    check("resumed on 2 ranks", got == 0 and "8 of them from before" in out and same(
        {"h5": one["h5"]}, other), out + err)
    got, out, err = run(["typo.toml"], 2)
    check("an error, once", got == 1 and err.count("kinetik") < 3 and err.count("error:") == 1, err)


def many(directory):
    """Ranks come back for more until all members are computed, and none of them gives up."""
    one, other = files(directory, "few"), files(directory, "many")
    arguments = ["henon-heiles-ensemble", "--until", "60", "--threads", "1", "-o"]
    run([*arguments, one["h5"]])
    code, out, err = run([*arguments, other["h5"]], 3)
    check("1000 members on 3 ranks", code == 0 and "rank" not in err, f"{code}: {out}{err}")
    check("1000 members on 3 ranks: the same bytes", same({"h5": one["h5"]}, other))


def lost(directory):
    one, other = files(directory, "whole"), files(directory, "lost")
    # Several seconds of work: the rank is lost long before the end.
    arguments = ["henon-heiles-ensemble", "--until", "15000", "--threads", "1", "-o"]
    run([*arguments, one["h5"]])
    for number, options in (("STOP", []), ("KILL", ["--enable-recovery"])):
        other["h5"].unlink(missing_ok=True)
        trouble = TROUBLE.format(other["h5"], number)
        code, out, err = run([*arguments, other["h5"]], 3, ["sh", "-c", trouble, "sh"], options, "0.7")
        check(f"rank 2 gets SIG{number}", code == 0 and "rank 2 does not answer" in err, f"{code}: {out}{err}")
        check(f"SIG{number}: the same bytes", same({"h5": one["h5"]}, other))


with tempfile.TemporaryDirectory() as place:
    members(pathlib.Path(place))
    many(pathlib.Path(place))
    lost(pathlib.Path(place))
