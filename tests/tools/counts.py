"""tools/walk and tools/check-layers on small cases whose counts are known."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.dont_write_bytecode = True


def load(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(TOOLS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class Walk(unittest.TestCase):
    """step in a.c calls help in a.c, then twice solve in b.c; generated code calls back into b.c."""

    PLACES = {"1": ("a.c", "step"), "2": ("a.c", "help"), "3": ("b.c", "solve"), "4": None,
              "5": ("b.c", "input")}

    def walk(self, text):
        return load("walk").walk(text.split(), self.PLACES)

    def test_calls_and_switches_are_counted(self):
        calls, switches = self.walk("1 2 - 3 - 3 - -")
        self.assertEqual({file: dict(names) for file, names in calls.items()},
                         {"a.c": {"step": 1, "help": 1}, "b.c": {"solve": 2}})
        self.assertEqual(switches, 4)

    def test_generated_code_belongs_to_its_caller(self):
        calls, switches = self.walk("1 3 4 5 - - - -")
        self.assertEqual(sum(sum(names.values()) for names in calls.values()), 3)
        self.assertEqual(switches, 2)


class Circles(unittest.TestCase):
    def find(self, **modules):
        return load("check-layers").find_circles({name: set(text) for name, text in modules.items()})

    def test_modules_in_a_row_are_no_circle(self):
        self.assertEqual(self.find(a="bc", b="c", c=""), [])

    def test_circles_are_found_whole(self):
        self.assertEqual(self.find(a="b", b="c", c="ad", d="e", e="d", f="a"),
                         [{"a", "b", "c"}, {"d", "e"}])


if __name__ == "__main__":
    unittest.main()
