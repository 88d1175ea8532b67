"""Sweeps in parts: joined they are the sweep in one go, byte for byte; anything else is refused."""

import pathlib
import signal
import time

from harness import check, in_directory, parse_json, start

# Members that end well and members that fail.
MIXED = """
name = "mixed"
[parameters]
x0 = 1
k = 1
[coordinates]
x = { value = "sqrt(x0)" }
[energy]
kinetic = "x'^2/2"
potential = "k*x^4/4"
[run]
scheme = "verlet"
step = 0.05
until = 5
[sweep.set]
x0 = "if((j - 2)*(j - 5) == 0, -1, 1 + j/10)"
k = { values = [1, 2, 3, -4, -3.1, 6, 200, 300, 2.5] }
"""

SAME = ["status", "model", "scheme", "options", "order", "members", "done", "failed", "warned", "recalled", "steps",
        "ranges", "failures", "warnings", "columns", "rows"]


def joined(program, directory):
    """Numbers, files and messages, for parts of any number, more than there are members included."""
    for model, options in (("mixed.toml", ""), ("mixed.toml", "--scheme gauss --stages 2 --step 0.1 --until 3"),
                           ("grid.toml", "--until 0"), ("cautions.toml", "")):
        path = model
        if model == "mixed.toml":
            path = f"{directory}/{model}"
            pathlib.Path(path).write_text(MIXED)
        whole, table = f"{directory}/whole.h5", f"{directory}/whole.csv"
        _, out, _ = program.run(f"livens sweep {path} {options} --threads 2 -o {whole} --csv {table} --json")
        expected = parse_json("the sweep in one go", out)
        for count in (1, 2, 3, 11):
            files = [f"{directory}/p{count}_{k}.h5" for k in range(1, count + 1)]
            for k, file in enumerate(files, 1):
                program.run(f"livens sweep {path} {options} --part {k}/{count} -o {file} -q")
            name = f"{model} {options} in {count} parts"
            code, out, err = program.run(f"livens sweep --merge {' '.join(reversed(files))} "
                                         f"-o {directory}/all.h5 --csv {directory}/all.csv --json")
            result = parse_json(name, out)
            check(f"{name}: exit code", code == (3 if expected["failed"] else 0), err)
            check(f"{name}: says so", (result["part"], result["parts"]) == (0, count))
            for key in SAME:
                check(f"{name}: {key}", result[key] == expected[key])
            check(f"{name}: HDF5", pathlib.Path(whole).read_bytes() == pathlib.Path(f"{directory}/all.h5").read_bytes())
            check(f"{name}: CSV", pathlib.Path(table).read_bytes() == pathlib.Path(f"{directory}/all.csv").read_bytes())
        # with gauss the members that run away fail
        check(f"{model}: what there is to be joined", bool(expected["failures"]) == (model == "mixed.toml")
              and bool(expected["warnings"]) == (model != "grid.toml" and "gauss" not in options))
    code, out, err = program.run(f"livens sweep grid.toml --part 2/3 -o {directory}/one.h5")
    check("a part says which it is", code == 0 and "3 in part 2 of 3" in out, out + err)


def refused(program, directory):
    def part(file, arguments):
        code, _, err = program.run(f"livens sweep {arguments} -o {directory}/{file} -q")
        check(f"part {file}", code == 0, err)

    for k in (1, 2, 3):
        part(f"g{k}.h5", f"grid.toml --part {k}/3")
    part("again.h5", "grid.toml --part 2/3")
    part("half.h5", "grid.toml --part 2/2")
    part("step.h5", "grid.toml --step 0.005 --part 3/3")
    part("plain.h5", "chaotic-nonholonomic --until 0 --part 1/2")
    part("set.h5", "chaotic-nonholonomic --until 0 --set J=2 --part 2/2")
    part("model.h5", "henon-heiles-ensemble --until 0 --part 3/3")
    part("whole.h5", "grid.toml")
    program.run(f"livens run kepler -o {directory}/run.h5 -q")
    content = bytearray(pathlib.Path(f"{directory}/g3.h5").read_bytes())
    for offset in range(len(content) - 8, 0, -8):  # the last number that is not zero
        if any(content[offset:offset + 8]):
            content[offset] ^= 1
            break
    pathlib.Path(f"{directory}/damaged.h5").write_bytes(content)
    pathlib.Path(f"{directory}/short.h5").write_bytes(content[:-5000])
    pathlib.Path(f"{directory}/other.h5").write_bytes(
        pathlib.Path(f"{directory}/g3.h5").read_bytes().replace(b"0.1.0", b"0.0.9"))
    for files, expected, words in (
            ("g1 g3", 2, "of 3 parts 2 is missing"), ("g2", 2, "of 3 parts 1, 3 are missing"),
            ("g1 g2 again g3", 2, "are both part 2/3"), ("g1 g1 g2 g3", 2, "are both part 1/3"),
            ("g1 half g3", 2, "is one of 3 parts of a sweep"), ("g1 g2 step", 2, "their options differ"),
            ("plain set", 2, "their values of --set differ"), ("g1 g2 model", 2, "their models differ"),
            ("g1 g2 whole", 2, "is the result of a whole sweep"), ("g1 g2 run", 2, "is the result of a run"),
            ("g1 g2 damaged", 4, "damaged"), ("g1 g2 short", 4, "short.h5"), ("g1 g2 other", 4, "damaged"),
            ("g1 g2 nowhere", 4, "nowhere.h5")):
        paths = " ".join(f"{directory}/{name}.h5" for name in files.split())
        code, _, err = program.run(f"livens sweep --merge {paths} -o {directory}/all.h5")
        check(f"merge {files}", code == expected and words in err, f"{code}: {err}")
        check(f"merge {files}: nothing is written", not pathlib.Path(f"{directory}/all.h5").exists())
    parts = " ".join(f"{directory}/g{k}.h5" for k in (1, 2, 3))
    for command, words in (
            ("grid.toml --part 4/3 -o x.h5", "K from 1 to N"), ("grid.toml --part 0/3 -o x.h5", "K from 1 to N"),
            ("grid.toml --part 2 -o x.h5", "--part wants K/N"), ("grid.toml --part 1/3", "kept in an HDF5 file"),
            ("grid.toml --part 1/3 -o x.h5 --series y.csv", "cannot be made of parts"),
            ("grid.toml kepler", "'kepler' is one more"), (f"--merge {parts} --step 0.1", "does not take --step"),
            (f"--merge {parts} --series y.csv", "does not take --series"),
            (f"--merge {parts} -o {directory}/g2.h5", "would replace the part")):
        code, _, err = program.run(f"livens sweep {command}")
        check(f"sweep {command}", code == 2 and words in err, f"{code}: {err}")
    for resumed, words in (("grid.toml --part 1/3 -o {}/g2.h5", "/run/part in it differs"),
                           ("grid.toml -o {}/g2.h5", "/run/kind in it differs"),
                           ("grid.toml --part 1/3 -o {}/whole.h5", "/run/kind in it differs")):
        code, _, err = program.run(f"livens sweep {resumed.format(directory)} --resume")
        check(f"sweep {resumed} --resume", code == 2 and words in err, f"{code}: {err}")


def interrupted(program, directory):
    """A part that was interrupted, and one that was killed: resumed, and joined to the whole."""
    model = f"{directory}/mixed.toml"
    pathlib.Path(model).write_text(MIXED.replace("step = 0.05", "step = 1e-6"))
    for k, number in ((1, signal.SIGINT), (2, signal.SIGKILL)):
        file = pathlib.Path(f"{directory}/i{k}.h5")
        arguments = ["sweep", model, "--part", f"{k}/2", "-o", str(file), "-q", "--threads", "1"]
        process = start(program, arguments)
        end = time.monotonic() + 60
        while time.monotonic() < end and not file.exists():
            time.sleep(0.01)
        process.send_signal(number)
        process.communicate(timeout=60)
        code, _, err = program.run(f"livens sweep --merge {file} -o {directory}/all.h5")
        check(f"part {k} is not finished", code == 2 and f"part {k}/2" in err and "not finished" in err, err)
        code, _, err = program.run(" ".join(["livens", *arguments, "--resume"]))
        check(f"part {k} is resumed", code == 3, err)
        code, _, err = program.run(" ".join(["livens", *arguments, "--resume"]))
        check(f"part {k} is resumed once more", code == 3, err)
    program.run(f"livens sweep {model} -o {directory}/whole.h5 -q")
    program.run(f"livens sweep --merge {directory}/i1.h5 {directory}/i2.h5 -o {directory}/all.h5 -q")
    check("parts that were resumed", pathlib.Path(f"{directory}/whole.h5").read_bytes()
          == pathlib.Path(f"{directory}/all.h5").read_bytes())


SUITES = [in_directory(joined), in_directory(refused), in_directory(interrupted)]
