"""Ensembles: the same bits for any number of threads, members as runs, failures, interrupts."""

import csv
import io
import math
import pathlib
import signal
import time

from harness import HERE, check, has_terminals, in_directory, parse_json, start, within_width

KEYS = ["status", "model", "scheme", "options", "order", "members", "part", "parts", "done", "failed", "warned",
        "recalled", "steps", "threads", "ranks", "seconds", "ranges", "failures", "warnings", "files",
        "columns", "rows"]


def sweep_json(program, command):
    code, out, err = program.run(f"livens sweep {command} --json")
    return code, parse_json(f"sweep {command} --json", out), err


def threads(program, directory):
    known = None
    for count in (1, 2, 3, 7):
        table, series = f"{directory}/t{count}.csv", f"{directory}/s{count}.csv"
        code, out, err = program.run(f"livens sweep grid.toml --threads {count} --csv {table} "
                                     f"--series {series} --every 10")
        check(f"{count} threads", code == 0 and "warning" not in out, err)
        bytes_now = (pathlib.Path(table).read_bytes(), pathlib.Path(series).read_bytes())
        known = known or bytes_now
        check(f"{count} threads: the same bytes", bytes_now == known)
        within_width("summary of a sweep", out.replace(directory, "."))


def members(program):
    """A member is the run with the values in its row, and those are 17 digits."""
    code, result, err = sweep_json(program, "grid.toml")
    check("sweep grid.toml", code == 0 and err == "", err)
    check("keys", list(result) == KEYS, str(list(result)))
    check("all are done", (result["members"], result["done"], result["failed"]) == (8, 8, 0))
    for values in result["rows"]:
        row = dict(zip(result["columns"], values))
        setting = " ".join(f"--set {name}={row[name]!r}" for name in ("m", "angle", "spin"))
        _, out, _ = program.run(f"livens run grid.toml {setting} --json")
        alone = parse_json("run of a member", out)
        check(f"member {row['member']}: final state", alone["final"]["q"]["a"]
              == [row["a[1]"], row["a[2]"]] and alone["final"]["v"]["a"]
              == [row["a'[1]"], row["a'[2]"]] and alone["final"]["lambda"]["rod"]
              == row["lambda.rod"] and row["height"] == row["a[2]"])
        energy = {"initial": row["E.initial"], "final": row["E.final"],
                  "max_deviation": row["E.deviation"]}
        check(f"member {row['member']}: energy",
              {key: alone["energy"][key] for key in energy} == energy)
        check(f"member {row['member']}: residuals", alone["constraints"]["position_max"]
              == row["g.max"] and alone["newton"]["mean"] == row["newton.mean"])
    for name, column in result["ranges"].items():
        values = [row[result["columns"].index(name)] for row in result["rows"]]
        check(f"range of {name}", column["min"] == min(values) and column["max"] == max(values)
              and math.isclose(column["mean"], sum(values) / 8, rel_tol=1e-14, abs_tol=1e-16))


def outputs(program, directory):
    code, out, err = program.run("livens sweep grid.toml --csv -")
    lines = list(csv.reader(io.StringIO(out)))
    check("--csv -", code == 0 and len(lines) == 9 and lines[0][:4]
          == ["member", "m", "angle", "spin"] and lines[0][-1] == "message")
    check("the summary moves to stderr", "members/s" in err, err)
    code, out, err = program.run("livens sweep grid.toml --series - --channels \"height,a'[1],E\"")
    check("--series -", code == 0 and out.startswith(
        "t,members,mu.E,mean.height,sd.height,mean.a'[1],sd.a'[1],mean.E,sd.E\n0,8,0,"), out[:200])
    code, _, err = program.run(f"livens sweep grid.toml -o {directory}/a.h5 --quiet")
    check("-o", code == 0 and err == "" and pathlib.Path(f"{directory}/a.h5").stat().st_size > 0)
    code, _, err = program.run(f"livens resume {directory}/a.h5")
    check("resume is for runs", code == 4 and "is the result of a sweep" in err
          and "--resume" in err, err)
    code, again, err = sweep_json(program, f"grid.toml -o {directory}/a.h5 --resume")
    _, whole, _ = sweep_json(program, "grid.toml")
    check("--resume of a whole sweep", code == 0 and again["recalled"] == again["done"] == 8
          and again["rows"] == whole["rows"] and again["ranges"] == whole["ranges"], err)
    code, _, err = program.run(f"livens sweep grid.toml -o {directory}/a.h5 --step 0.02 --resume")
    check("--resume with another step", code == 2 and "another sweep: /run/changes" in err, err)
    check("--set reaches all", sweep_json(program, "chaotic-nonholonomic --set J=2 --until 1")[1][
        "members"] == 3)


FAILURES = [  # command, exit code, words of the message
    ("kepler", 1, "the model has no [sweep]"),
    ("grid.toml --set m=3", 2, "--set m: the sweep gives every member a value of its own"),
    ("grid.toml --threads 0", 2, "--threads wants"),
    ("grid.toml --scheme gauss", 1, "does not take holonomic constraints"),
    ("grid.toml --scheme ratle", 1, "there is no scheme 'ratle'"),
    ("grid.toml --channels E", 2, "--channels are those of --series FILE"),
    ("grid.toml --series x.csv --channels heigth", 2, "a run records nothing called 'heigth'"),
    ("grid.toml --series x.csv --csv x.csv", 2, "same file"),
    ("grid.toml --series - --csv -", 2, "both write"),
    ("grid.toml --series grid.toml", 2, "replace the model"),
    ("grid.toml --csv nowhere/a.csv", 4, "nowhere/a.csv"),
    ("grid.toml --series nowhere/a.csv", 4, "nowhere/a.csv"),
    ("grid.toml -o -", 2, "standard output"),
    ("grid.toml --resume", 2, "only from an HDF5 file"),
    ("grid.toml -o x.h5 --series x.csv --resume", 2, "a series needs all members"),
    ("nothing", 4, "nothing"),
    ("typo.toml", 1, "kinetik"),
]


def failures(program):
    before = {p: p.read_bytes() for p in (HERE / "fixtures").iterdir()}
    for command, expected, words in FAILURES:
        code, _, err = program.run(f"livens sweep {command}")
        check(f"sweep {command}", code == expected and words in err, f"{code}: {err}")
    check("no fixture was touched",
          before == {p: p.read_bytes() for p in (HERE / "fixtures").iterdir()})
    code, result, err = sweep_json(program, "troubles.toml")
    check("members that fail", code == 3 and result["status"] == "numeric"
          and "4 of 6 members failed" in err and result["message"] == "4 of 6 members failed", err)
    check("which", [f["member"] for f in result["failures"]] == [2, 3, 4, 5])
    check("rows of all", len(result["rows"]) == 6 and [r[3] for r in result["rows"]]
          == [0, 0, 5, 6, 6, 5])


def start_and_wait(program, arguments, path, least=1):
    """Starts a sweep; returns when a file of it has so many bytes."""
    process = start(program, arguments)
    end = time.monotonic() + 60
    path = pathlib.Path(path)
    while time.monotonic() < end and not (path.exists() and path.stat().st_size >= least):
        time.sleep(0.02)
    return process


def interrupts(program, directory):
    table = f"{directory}/long.csv"
    arguments = ["sweep", "henon-heiles-ensemble", "--until", "30000", "--csv", table, "--json"]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        name = signal.Signals(number).name
        process = start_and_wait(program, arguments, table)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        check(f"{name}: exit code", process.returncode == 130, str(process.returncode))
        result = parse_json(f"{name}: JSON", out.decode())
        check(f"{name}: status", result["status"] == "interrupted" and err == b"", err.decode())
        rows = pathlib.Path(table).read_text().splitlines()
        check(f"{name}: members done so far", 0 < result["done"] < 1000
              and len(rows) == result["done"] + 1 == len(result["rows"]) + 1)
        pathlib.Path(table).unlink()


def interrupts_with_failures(program, directory):
    """A sweep that is interrupted says so, also if members have failed, and how many."""
    model, table = pathlib.Path(directory) / "troubles.toml", f"{directory}/troubles.csv"
    text = SHORT_AND_LONG.replace("value = 1", "value = \"sqrt(n - 9)\"")
    model.write_text(text.replace("j < 1900, 10", "j < 1900, if(j < 5, 8, 10)"))
    for option in ("--json", "-q", "--threads 1"):
        process = start_and_wait(program, ["sweep", str(model), "--csv", table, *option.split()], table)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, err = (stream.decode() for stream in process.communicate(timeout=60))
        check(f"failures, then Ctrl-C, {option}: exit code", process.returncode == 130, f"{process.returncode} {err}")
        check(f"failures, then Ctrl-C, {option}: how many", "of 2000 members; 5 failed" in err
              and "error" not in err, err)
        if option == "--json":
            result = parse_json("failures, then Ctrl-C: JSON", out)
            check("failures, then Ctrl-C: status", result["status"] == "interrupted" and result["failed"] == 5
                  and len(result["failures"]) == 5 and result.get("message") ==
                  f"interrupted after {result['done']} of 2000 members; 5 failed", str(result))
        pathlib.Path(table).unlink()


SHORT_AND_LONG = """
[parameters]
n = 10
[coordinates]
x = { value = 1, velocity = 0 }
[energy]
kinetic = "x'^2/2"
potential = "x^2/2"
[run]
scheme = "verlet"
step = 0.01
until = "0.01*n"
[sweep]
members = 2000
[sweep.set]
n = "if(j < 1900, 10, 2e9)"
"""


def interrupts_after_short_members(program, directory):
    """Hundreds of members that end at once do not make the program deaf in the long ones that follow."""
    model, table = pathlib.Path(directory) / "mixed.toml", f"{directory}/mixed.csv"
    model.write_text(SHORT_AND_LONG)
    process = start_and_wait(program, ["sweep", str(model), "--csv", table, "-q"], table)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    check("short members, then Ctrl-C: exit code", process.returncode == 130, str(process.returncode))


def one_writer(program, directory):
    """A series is written in the end; until then nobody else begins one in the same file."""
    series, table = f"{directory}/s.csv", f"{directory}/t.csv"
    process = start_and_wait(program, ["sweep", "henon-heiles-ensemble", "--until", "30000",
                                       "--series", series, "--json"], series, least=0)
    for command in (f"sweep grid.toml --series {series}", f"sweep grid.toml --csv {series}",
                    f"run kepler --csv {series}",
                    f"sweep grid.toml --csv {table} --series {series}"):
        code, _, err = program.run(f"livens {command}")
        check(f"{command} beside a sweep", code == 4
              and "is being written by another run" in err, f"{code}: {err}")
    check("no other files", [path.name for path in pathlib.Path(directory).iterdir()] == ["s.csv"])
    process.kill()
    process.communicate(timeout=60)
    code, _, err = program.run(f"livens sweep grid.toml --series {series} -q")
    check("when it has ended, its file is free",
          code == 0 and pathlib.Path(series).read_text().startswith("t,members"), err)


def resumed(program, directory):
    """Interrupted and killed, however far it came: what is resumed is the sweep without that."""
    store, table, whole = (f"{directory}/{name}" for name in ("m.h5", "m.csv", "whole.csv"))
    arguments = ["sweep", "henon-heiles-ensemble", "--until", "60", "-o", store, "--resume", "-q"]
    for number in (signal.SIGINT, signal.SIGKILL):
        process = start_and_wait(program, arguments, store)
        time.sleep(0.2)
        process.send_signal(number)
        process.communicate(timeout=60)
    command = " ".join(["livens", *arguments[:-1]])
    code, out, err = program.run(f"{command} --csv {table} --json")
    done = parse_json("resumed: JSON", out)
    check("resumed", code == 0 and done["done"] == 1000 >= done["recalled"], err)
    program.run(f"livens sweep henon-heiles-ensemble --until 60 --csv {whole} -q")
    check("resumed: the same bytes",
          pathlib.Path(table).read_bytes() == pathlib.Path(whole).read_bytes())


LATE_FIRST = SHORT_AND_LONG.replace("j < 1900, 10, 2e9", "j == 0, 2e9, 10")


def killed_again(program, directory):
    """A sweep that is resumed and killed before its first member ends keeps those that ended before."""
    model, store = pathlib.Path(directory) / "late.toml", f"{directory}/late.h5"
    model.write_text(LATE_FIRST)
    recalled, done = [], []
    for number in (signal.SIGINT, signal.SIGKILL, signal.SIGKILL, signal.SIGINT):
        process = start_and_wait(program, ["sweep", str(model), "-o", store, "--resume", "--json"], store)
        time.sleep(0.7)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        if number == signal.SIGINT:
            result = parse_json("killed again: JSON", out.decode())
            recalled.append(result["recalled"])
            done.append(result["done"])
    check("killed again: nothing is lost", recalled[0] == 0 < done[0] <= recalled[1] <= done[1],
          f"{recalled} {done} {err.decode()}")


VECTORS = """
[parameters]
g = 1
[coordinates]
a = { value = [1, 0], velocity = [0, 1] }
[energy]
kinetic = "norm2(a')/2"
potential = "g*norm2(a)/2"
[run]
scheme = "gauss"
step = 1e-5
until = 3
[sweep]
members = 2
[sweep.set]
g = "1 + j"
"""


def series(program, directory):
    """Columns of a series by the names of vectors, as in a run; a budget that rows exceed, with numbers."""
    model, table = f"{directory}/vectors.toml", f"{directory}/series.csv"
    pathlib.Path(model).write_text(VECTORS)
    code, _, err = program.run(f"livens sweep {model} --step 0.1 --series {table} --channels \"a,E,a'[2],a[1]\" -q")
    header = pathlib.Path(table).read_text().splitlines()[0]
    check("vectors in a series", code == 0 and header == "t,members,mu.E," + ",".join(
        f"mean.{name},sd.{name}" for name in ("a[1]", "a[2]", "E", "a'[2]")), header + err)
    code, _, err = program.run(f"livens sweep {model} --series {table} --channels b")
    check("an unknown one", code == 2 and "records nothing called 'b'" in err, err)
    for threads in (1, 2):
        code, out, err = program.run(f"livens sweep {model} --series {table} --memory 2M --threads {threads} --json")
        parse_json("a series beyond the budget", out)
        check("a series beyond the budget", code == 3 and "the budget of 2.0 MiB: another " in out
              and "out of memory" not in out, out[-1000:])


def memory(program, directory):
    """A member for which there is memory alone does not fail because of others, whatever the number of threads."""
    chain = pathlib.Path(directory) / "chain.toml"
    _, text, _ = program.run("livens show chain")
    chain.write_text(text + "\n[sweep]\nmembers = 20\n[sweep.set]\ng = \"9 + j\"\n")
    for command, budget in (("grid.toml", "1M"), (f"{chain} --set N=300 --until 0.01", "16M")):
        code, _, err = program.run(f"livens run {command} --memory {budget} -q")
        check(f"{command}: one run in {budget}", code == 0, err)
        whole = sweep_json(program, command)[1]["rows"]
        for threads in (1, 2, 5):
            code, result, err = sweep_json(program, f"{command} --memory {budget} --threads {threads}")
            check(f"{command}: a sweep in {budget}, {threads} threads", code == 0 and result["rows"] == whole, err)


DRIVEN = """[parameters]
m = 1
[inputs]
u = 0
[coordinates]
x = 0
[energy]
kinetic = "m*x'^2/2"
[forces.drive]
on = "x"
force = "u"
[run]
scheme = "gauss"
step = 0.125
until = 4
[sweep.set]
m = { values = [1, 2] }
"""


def inputs(program, directory):
    """Tables of inputs in ensembles, certificates and studies; parts of a sweep that had others are not joined."""
    model, table = pathlib.Path(directory) / "driven.toml", pathlib.Path(directory) / "u.csv"
    model.write_text(DRIVEN)
    table.write_text("t,u\n1.05,2\n")
    given = f"{model} --input u={table}"
    found = parse_json("tables", program.run(f"livens sweep {given} --json")[1])
    ends = [parse_json("tables", program.run(f"livens run {given} --set m={m} --json")[1])["final"]["q"]["x"]
            for m in (1, 2)]
    x = found["columns"].index("x")
    check("members follow tables", [row[x] for row in found["rows"]] == ends, f"{found['rows']} {ends}")
    code, out, err = program.run(f"livens verify {given}")
    check("certificates follow tables", code == 0 and "inputs as at the start" in " ".join(out.split()), out + err)
    code, out, err = program.run(f"livens study {given} --schemes gauss --steps 0.125 --to 0.1")
    check("studies follow tables", code == 0 and f" --input u={table}" in out and "gauss, 6 stages agree" in out, out + err)
    for command in ("verify", "study", "sweep"):
        code, out, err = program.run(f"livens {command} {model} --input w=1")
        check(f"{command}: an unknown input", code == 2 and "no input 'w'" in err and "the inputs are u" in err, err)
    for part, value in enumerate((1, 2), 1):
        program.run(f"livens sweep {model} --input u={value} --part {part}/2 -o {directory}/part_{part}.h5 -q")
    code, _, err = program.run(f"livens sweep --merge {directory}/part_1.h5 {directory}/part_2.h5")
    check("parts with other inputs", code == 2 and "values of --input differ" in err, err)


def turns(program):
    """Members are warned of bodies that turn far in a step, at whatever step that is, as their runs are. Quaternions
    are those of the runs up to their sign: members without series have two rows, of runs the sign follows all."""
    _, result, _ = sweep_json(program, "wheels.toml")
    warned = 0
    for values in result["rows"]:
        row = dict(zip(result["columns"], values))
        _, out, _ = program.run(f"livens run wheels.toml --set w={row['w']!r} --json")
        alone = parse_json("run of a wheel", out)
        warnings = alone["warnings"]
        warned += len(warnings)
        member = [row[f"wheel.quaternion[{k}]"] for k in (1, 2, 3, 4)]
        quaternion = alone["final"]["bodies"]["wheel"]["quaternion"]
        check(f"wheel {row['member']}: quaternion, up to its sign", quaternion in (member, [-x for x in member]),
              f"{member} {quaternion}")
        check(f"wheel {row['member']}: warnings", len(warnings) == row["warnings"], str(warnings))
        check(f"wheel {row['member']}: angle", all("turned by 0.8" in text for text in warnings), str(warnings))
    check("some wheels turn far", 0 < warned < len(result["rows"]) and result["warned"] == warned, str(warned))


def progress(program):
    long = "timeout --foreground -s INT 1.5 livens sweep henon-heiles-ensemble --until 30000"
    if not has_terminals():
        return
    seen = program.terminal(long)
    bars = [part for part in seen.split("\r") if "%" in part and "member " in part]
    check("a bar on a terminal", bars and all(len(bar) < 80 for bar in bars), seen)
    check("the bar shows what is left", all("/1000" in bar and " left" in bar for bar in bars), seen)
    check("the summary says so", "interrupted after " in seen, seen)


SUITES = [in_directory(threads), members, in_directory(outputs), failures,
          in_directory(interrupts), in_directory(interrupts_with_failures),
          in_directory(interrupts_after_short_members), in_directory(one_writer),
          in_directory(resumed), in_directory(killed_again),
          in_directory(series), in_directory(memory), in_directory(inputs), turns, progress]
