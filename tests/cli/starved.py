#!/usr/bin/env python3
"""The program starts no thread of its own, and ends with a message where memory is denied.

    starved.py PROGRAM
"""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile

SECONDS = 30  # nothing takes as long unless it hangs
PLENTY = 4 << 30
LIMITS = [int(1.25 ** k * (1 << 20)) for k in range(3, 24)]  # 2 to 170 MB of addresses
COMMANDS = [
    "help run",
    "check four-particles",
    "check chain --set N=3000",
    "run chain --until 0.1",
    "run chain --set N=3000 --step 1e-5 --until 1e-4",
]

failed = []


def check(name, condition, detail=""):
    if not condition:
        failed.append(name)
        print(f"FAILED {name}: {detail}")


def run(program, arguments, limit):
    """Exit code and messages with at most `limit` bytes of address space; None if it hangs."""
    def starve():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    try:
        done = subprocess.run([program, *arguments.split()], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, preexec_fn=starve, timeout=SECONDS,
                              check=False)
    except subprocess.TimeoutExpired:
        return None, "it hangs"
    return done.returncode, done.stderr.decode(errors="replace")


def memory_may_be_denied(program):
    """Whatever the limit, if the program can be loaded at all."""
    limits = [limit for limit in LIMITS if run(program, "--version", limit)[0] == 0]
    check("livens --version", len(limits) > 5, limits)
    denied = 0
    for arguments in COMMANDS:
        for limit in limits:
            code, messages = run(program, arguments, limit)
            denied += code in (1, 3)
            check(f"livens {arguments} with {limit >> 10} KB",
                  code == 0 or code == 3 and "out of memory" in messages or
                  code == 1 and "the budget" in messages, f"{code}: {messages}")
        check(f"livens {arguments} with much", code == 0, messages)
    check("memory is denied", denied > 5, denied)


def there_is_one_thread(program, directory):
    """A program that waits for its model has done all that loading does."""
    model = directory / "model.toml"
    os.mkfifo(model)
    process = subprocess.Popen([program, "check", model], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        writer = os.open(model, os.O_WRONLY)  # returns when the program has opened it
        tasks = os.listdir(f"/proc/{process.pid}/task")
        check("one thread", len(tasks) == 1, f"there are {len(tasks)}")
        os.close(writer)
        process.wait(SECONDS)
    finally:
        process.kill()
        process.wait()


def main():
    program = sys.argv[1]
    if not pathlib.Path("/proc/self/task").exists():
        return 77
    with tempfile.TemporaryDirectory() as directory:
        there_is_one_thread(program, pathlib.Path(directory))
    # Sanitizers reserve more addresses than any limit leaves.
    if run(program, "--version", PLENTY)[0] == 0:
        memory_may_be_denied(program)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
