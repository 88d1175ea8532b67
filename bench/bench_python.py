"""What a step costs from Python and from C: one by one, and in blocks.

    PYTHONPATH=build/release/python /usr/bin/python3 bench/bench_python.py

A C program that is compiled here steps the same simulation with the same library; rounds alternate, and the least
processor time of each counts.
"""
import pathlib
import subprocess
import tempfile
import time

import livens

ROOT = pathlib.Path(__file__).resolve().parents[1]
ROUNDS, STEPS = 9, 20000
MODELS = [("pendulum3d", "rattle", 0.01), ("double-pendulum", "rattle", 0.01), ("heavy-top", "lobatto", 1e-3),
          ("chain", "rattle", 1e-3)]
PROGRAM = r"""
#include <livens/livens.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv)
{
    lv_model *model = NULL;
    lv_sim *sim = NULL;
    if (argc < 5 || lv_model_read(&model, argv[1], NULL, 0, NULL) != LV_OK)
        return 1;
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = argv[2];
    options.options = (lv_scheme_options){0};
    options.step = atof(argv[3]);
    if (lv_sim_create(&sim, model, &options, NULL) != LV_OK)
        return 1;
    const int steps = atoi(argv[4]);
    const clock_t began = clock();
    for (int k = 0; k < steps; k++)
        if (lv_sim_step(sim, NULL) != LV_OK)
            return 1;
    printf("%.9g\n", (double)(clock() - began) / CLOCKS_PER_SEC);
    lv_sim_free(sim);
    lv_model_free(model);
    return 0;
}
"""


def compiled(directory):
    """The program, linked with the library that the package has."""
    source, program = pathlib.Path(directory, "step.c"), pathlib.Path(directory, "step")
    library = pathlib.Path(livens.__file__).with_name("liblivens.so")
    link = pathlib.Path(directory, "liblivens.so.0.1")
    link.symlink_to(library)
    source.write_text(PROGRAM)
    subprocess.run(["cc", "-O2", "-I", str(ROOT / "include"), str(source), str(library), f"-Wl,-rpath,{directory}", "-o",
                    str(program)], check=True)
    return program


def in_c(program, name, scheme, step):
    done = subprocess.run([program, name, scheme, repr(step), str(STEPS)], check=True, stdout=subprocess.PIPE, text=True)
    return float(done.stdout)


def one_by_one(name, scheme, step):
    sim = livens.Model(name).simulate(scheme, step)
    began = time.process_time()
    for _ in range(STEPS):
        sim.step()
    return time.process_time() - began


def in_blocks(name, scheme, step):
    sim = livens.Model(name).simulate(scheme, step)
    began = time.process_time()
    for _ in range(STEPS // 1000):
        sim.step(1000)
    return time.process_time() - began


def main():
    print("| microseconds per step | in C | Python, one by one | more | Python, blocks of 1000 | ratio to C |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as directory:
        program = compiled(directory)
        for case in MODELS:
            least = [min(times) for times in zip(*((in_c(program, *case), one_by_one(*case), in_blocks(*case))
                                                  for _ in range(ROUNDS)))]
            c, one, block = (seconds / STEPS * 1e6 for seconds in least)
            print(f"| {case[0]}, {case[1]} | {c:.2f} | {one:.2f} | {one - c:.2f} | {block:.2f} | {block / c:.2f} |")


if __name__ == "__main__":
    main()
