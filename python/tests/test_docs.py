"""The pages about Python: every block of code runs, and prints what stands below it. Examples run."""
import contextlib
import io
import pathlib
import re
import runpy
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.S | re.M)


@pytest.mark.parametrize("page", ["docs/tutorial/python.md", "docs/python.md"])
def test_pages_print_what_they_say(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names, printed, checked = {}, None, 0
    for kind, text in BLOCK.findall((ROOT / page).read_text()):
        if kind == "text":
            assert printed == text
            checked += 1
            continue
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(text, page, "exec"), names)
        printed = out.getvalue()
    assert checked > 1


@pytest.mark.parametrize("path", sorted((ROOT / "examples" / "python").glob("*.py")), ids=lambda path: path.stem)
def test_examples_run(path, monkeypatch, capsys):
    if "scipy" in path.read_text():
        pytest.importorskip("scipy")
    monkeypatch.setattr(sys, "argv", [str(path), "20"])
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out
