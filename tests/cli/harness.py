"""What the suites share: the program under test, counted checks."""

import csv
import fcntl
import json
import os
import pathlib
import pty
import struct
import subprocess
import tempfile
import termios
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WIDTH = 79

results = {"passed": 0, "failed": 0}


def check(name, condition, detail=""):
    """Counts one check."""
    results["passed" if condition else "failed"] += 1
    if not condition:
        print(f"FAILED {name}{': ' if detail else ''}{detail}")


class Program:
    """The program under test, as `livens` in a shell's PATH."""

    def __init__(self, path, directory):
        os.symlink(pathlib.Path(path).resolve(), pathlib.Path(directory) / "livens")
        self.environment = dict(os.environ, PATH=f"{directory}:{os.environ['PATH']}", LC_ALL="C")
        self.environment.pop("NO_COLOR", None)
        self.version = self.run("livens --version")[1].split()[-1]

    def run(self, command, stdin=None, **variables):
        """Exit code, stdout and stderr of a shell command."""
        result = subprocess.run(command, shell=True, cwd=HERE / "fixtures", input=stdin or b"",
                                env={**self.environment, **variables}, capture_output=True,
                                timeout=120)
        return result.returncode, result.stdout.decode(), result.stderr.decode(errors="replace")

    def terminal(self, command, columns=0, **variables):
        """What a terminal of so many columns would see, stdout and stderr mixed."""
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = subprocess.Popen(command, shell=True, cwd=HERE / "fixtures", stdin=follower,
                                   stdout=follower, stderr=follower,
                                   env={**self.environment, "TERM": "xterm", **variables})
        os.close(follower)
        seen = b""
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:  # Linux reports the end of a terminal as an error
                break
            if not part:
                break
            seen += part
        process.wait()
        os.close(leader)
        return seen.decode()


def has_terminals():
    """A container may have none to give."""
    try:
        leader, follower = pty.openpty()
    except OSError:
        print("no terminals here: what is shown on one is not tested")
        return False
    os.close(leader)
    os.close(follower)
    return True


def reject_constant(name):
    raise ValueError(f"{name} is no JSON")


def parse_json(name, text):
    """The object, or None."""
    try:
        value = json.loads(text, parse_constant=reject_constant)
    except ValueError as error:
        check(name, False, f"{error}: {text[:200]}")
        return None
    check(name, True)
    return value


def run_json(program, command):
    """Exit code and the object of a run."""
    code, out, err = program.run(f"livens run {command} --json")
    return code, parse_json(f"run {command} --json", out), err


def read_csv(path):
    """Header and rows of numbers; every line must be whole."""
    text = pathlib.Path(path).read_text()
    check(f"{path} ends with a line", text.endswith("\n"))
    lines = list(csv.reader(text.splitlines()))
    check(f"{path}: rows are whole", all(len(line) == len(lines[0]) for line in lines))
    return lines[0], [[float(x) for x in line] for line in lines[1:]]


def start(program, arguments, **more):
    """The program at work."""
    return subprocess.Popen(["livens", *arguments], env=program.environment,
                            executable=f"{program.environment['PATH'].split(':')[0]}/livens",
                            cwd=HERE / "fixtures", stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def start_long(program, arguments, **more):
    return start(program, ["run", "pendulum3d", "--scheme", "rattle", "--step", "1e-6", "--until", "1000",
                           *arguments], **more)


def wait_for(path, seconds=30):
    """Until the file has something in it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if pathlib.Path(path).exists() and pathlib.Path(path).stat().st_size > 0:
            return True
        time.sleep(0.02)
    return False


def within_width(name, text):
    long = [line for line in text.splitlines() if len(line) > WIDTH]
    check(f"{name} within {WIDTH} columns", not long, "\n".join(long))
    blank = [line for line in text.splitlines() if line != line.rstrip()]
    check(f"{name} without blanks at the ends of lines", not blank, "\n".join(blank))


def flatten(values):
    """The numbers in nested lists."""
    return [x for v in values for x in (flatten(v) if isinstance(v, list) else [v])]


def in_directory(suite):
    """A suite that gets a directory of its own."""
    def inside(program):
        with tempfile.TemporaryDirectory() as directory:
            suite(program, directory)
    return inside
