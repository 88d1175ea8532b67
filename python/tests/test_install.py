"""pip installs a package that works without the sources."""
import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.skipif("LIVENS_SANITIZED" in os.environ, reason="pip would run under the sanitizer")
@pytest.mark.parametrize("where", [ROOT, ROOT / "python"])
def test_pip_installs_the_package(where, tmp_path):
    if not importlib.util.find_spec("pip") or not importlib.util.find_spec("setuptools"):
        pytest.skip("there is no pip or no setuptools")
    if "LIVENS_SHARED" not in os.environ:
        pytest.skip("LIVENS_SHARED names no library: building one takes too long")
    environment = {**os.environ, "PYTHONPATH": "", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-index", "--no-deps",
                    "--target", tmp_path, where], check=True, env=environment, cwd=tmp_path)
    code = "import livens; print(livens.__file__, livens.Model('kepler').run(until=1).summary.status)"
    printed = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True, cwd=tmp_path,
                             env={**environment, "PYTHONPATH": str(tmp_path)}).stdout
    assert printed.split() == [str(tmp_path / "livens" / "__init__.py"), "ok"]
