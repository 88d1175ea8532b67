"""Installs the library, moves the tree, and builds and runs the examples against it: with pkg-config and
with the CMake package, each with the shared and with the static library. All print the same."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
find_package(livens REQUIRED)
foreach(source IN LISTS SOURCES)
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name}.shared ${source})
    target_link_libraries(${name}.shared livens::livens)
    add_executable(${name}.static ${source})
    target_link_libraries(${name}.static livens::static)
endforeach()
"""


def call(*command, **options):
    """Output of a command that must succeed."""
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(part) for part in command)}\n{done.stdout}")
    return done.stdout


def read_arguments():
    parser = argparse.ArgumentParser()
    for name in ("build", "examples", "cmake", "pkg-config", "cc", "flags"):
        parser.add_argument(f"--{name}", required=True)
    return parser.parse_args()


def install(wanted, directory):
    """The tree is not where it was installed to: paths in its files must be relative."""
    call(wanted.cmake, "--install", wanted.build, "--prefix", directory / "first")
    tree = directory / "elsewhere"
    (directory / "first").rename(tree)
    return tree


def has_archives(wanted, directory, flags):
    """Are there static versions of everything? Sanitizers have none."""
    source = directory / "nothing.c"
    source.write_text("int main(void) { return 0; }\n")
    return subprocess.run([wanted.cc, "-static", *wanted.flags.split(), source, *flags, "-o",
                           directory / "nothing"], stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def with_pkg_config(wanted, tree, directory, sources):
    """Programs by kind."""
    found = next(tree.rglob("livens.pc"))
    environment = {**os.environ, "PKG_CONFIG_PATH": str(found.parent)}

    def ask(*options):
        return call(wanted.pkg_config, *options, "livens", env=environment).split()

    prefix = pathlib.Path(ask("--variable=prefix")[0])
    if prefix.resolve() != tree.resolve():
        sys.exit(f"livens.pc says that it is in {prefix}, not {tree}")
    library = next(tree.rglob("liblivens.a"))
    shared = ask("--cflags", "--libs") + [f"-Wl,-rpath,{library.parent}"]
    static = [str(library) if flag == "-llivens" else flag
              for flag in ask("--cflags", "--static", "--libs")]
    kinds = [("pkg-config shared", shared), ("pkg-config static", static)]
    if has_archives(wanted, directory, static):
        kinds.append(("pkg-config all static", ["-static", *static]))
    programs = {}
    for kind, flags in kinds:
        for source in sources:
            program = directory / f"{source.stem} {kind}"
            call(wanted.cc, "-std=c11", *wanted.flags.split(), source, *flags, "-o", program)
            programs[source.stem, kind] = program
    return programs


def with_cmake(wanted, tree, directory, sources):
    project = directory / "project"
    project.mkdir()
    (project / "CMakeLists.txt").write_text(PROJECT)
    call(wanted.cmake, "-S", project, "-B", project / "build", f"-DCMAKE_C_COMPILER={wanted.cc}",
         f"-DCMAKE_C_FLAGS={wanted.flags}", f"-DCMAKE_PREFIX_PATH={tree}",
         "-DSOURCES=" + ";".join(str(source) for source in sources))
    call(wanted.cmake, "--build", project / "build")
    return {(source.stem, f"CMake {kind}"): project / "build" / f"{source.stem}.{kind}"
            for source in sources for kind in ("shared", "static")}


def needs_shared_library(program):
    return b"liblivens.so" in program.read_bytes()


def main():
    wanted = read_arguments()
    sources = sorted(pathlib.Path(wanted.examples).glob("*.c"))
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        tree = install(wanted, directory)
        programs = {**with_pkg_config(wanted, tree, directory, sources),
                    **with_cmake(wanted, tree, directory, sources)}
        printed = {}
        for (example, kind), program in programs.items():
            if needs_shared_library(program) != kind.endswith("shared"):
                sys.exit(f"{example}, {kind}: not linked so")
            printed.setdefault(example, set()).add(call(program, cwd=directory))
        for example, texts in printed.items():
            if len(texts) != 1 or not texts.pop():
                sys.exit(f"{example} does not print the same, however it is linked")
        print(f"{len(programs)} programs, {len(sources)} examples")


if __name__ == "__main__":
    main()
