"""Installs the package with the shared library inside: pip install --no-build-isolation . here or in the directory above.

CMake builds the library in build/python of the sources. LIVENS_SHARED=PATH takes one that is built already."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

try:
    from wheel.bdist_wheel import bdist_wheel
except ImportError:
    from setuptools.command.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent


def version():
    header = (ROOT / "include" / "livens" / "version.h").read_text()
    return ".".join(re.findall(r"#define LV_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))


def shared_library():
    given = os.environ.get("LIVENS_SHARED")
    if given:
        return pathlib.Path(given)
    build = ROOT / "build" / "python"
    subprocess.run(["cmake", "-S", str(ROOT), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release", "-DLIVENS_TESTS=OFF"],
                   check=True)
    subprocess.run(["cmake", "--build", str(build), "--parallel", str(os.cpu_count() or 2), "--target",
                    "livens_shared"], check=True)
    return build / "liblivens.so"


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        package = pathlib.Path(self.build_lib) / "livens"
        shutil.copyfile(shared_library().resolve(), package / "liblivens.so")
        with open(package / "_abi.py", "w", encoding="utf-8") as file:
            subprocess.run([sys.executable, str(ROOT / "tools" / "python-abi")], check=True, stdout=file)


class ForThisMachine(bdist_wheel):
    """Any Python 3, but this kind of machine only."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


# numpy is not a requirement that pip sees: with --target it would fetch a second one, or fail without a network. The package
# says what it lacks when it is imported.
#
# What setuptools makes on the way goes where everything that is built goes.
WORK = ROOT / "build" / "python-package"
WORK.mkdir(parents=True, exist_ok=True)
setup(name="livens", version=version(), packages=["livens"], package_data={"livens": ["*.pyi", "py.typed"]},
      options={"build": {"build_base": str(WORK)}, "egg_info": {"egg_base": str(WORK)}},
      description="simulation of constrained mechanical systems that keeps what the physics keeps",
      license="Apache-2.0", python_requires=">=3.9",
      cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": ForThisMachine}, distclass=WithLibrary)
