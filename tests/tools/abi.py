"""tools/check-abi on the public headers, and on headers as a later version could have them."""
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
LOADER = importlib.machinery.SourceFileLoader("check_abi", str(ROOT / "tools" / "check-abi"))
ABI = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_abi", LOADER))
LOADER.exec_module(ABI)


def interface(*changes):
    """The interface of headers in which texts are replaced: (header, pattern, text or function of the match)."""
    with tempfile.TemporaryDirectory() as name:
        headers = pathlib.Path(name).resolve()
        shutil.copytree(ROOT / "include" / "livens", headers / "livens")
        for header, old, new in changes:
            path = headers / "livens" / header
            text, count = re.subn(old, new, path.read_text())
            assert count == 1, (header, old)
            path.write_text(text)
        return ABI.interface(os.environ.get("CC", "cc"), headers, None)


# The end of a request, with its room.
END = r"    size_t reserved\[(\d+)\];[^\n]*\n} lv_verify_request;"


def ends_with(members, taken):
    """Members before the room, which loses so many words."""
    def text(match):
        left = int(match.group(1)) - taken
        return f"    {members}\n" + (f"    size_t reserved[{left}];\n" if left else "") + "} lv_verify_request;"
    return text


class Changes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.now = interface()

    def later(self, *changes):
        return ABI.compare(self.now, interface(*changes))

    def test_nothing_changes(self):
        self.assertEqual(ABI.compare(self.now, dict(self.now)), ([], []))

    def test_a_member_takes_reserved_room(self):
        breaks, additions = self.later(
            ("verify.h", END, ends_with("double pace;", 1)))
        self.assertEqual(breaks, [])
        self.assertTrue(any("lv_verify_request.pace" in line for line in additions))

    def test_the_last_of_the_room_is_taken(self):
        breaks, _ = self.later(
            ("verify.h", END, lambda m: ends_with(f"double pace[{m.group(1)}];", int(m.group(1)))(m)))
        self.assertEqual(breaks, [])

    def test_a_member_without_room_is_a_break(self):
        breaks, _ = self.later(
            ("verify.h", END, ends_with("double pace;", 0)))
        self.assertTrue(any("struct lv_verify_request" in line for line in breaks))

    def test_a_member_in_the_middle_is_a_break_for_all_that_embed_it(self):
        breaks, _ = self.later(("sim.h", "    double step;\n    lv_initial initial;",
                                "    double step, longer_step;\n    lv_initial initial;"))
        for member in ("lv_sim_options.initial", "lv_run_request.until", "lv_study_request.whole"):
            self.assertTrue(any(member in line for line in breaks), member)

    def test_results_grow_at_the_end_only(self):
        grown = self.later(("sweep.h", "} lv_sweep_summary;", "    double more;\n} lv_sweep_summary;"))
        self.assertEqual(grown[0], [])
        self.assertTrue(self.later(("sweep.h", "    int warned; ", "    int more;\n    int warned; "))[0])

    def test_options_of_schemes_grow(self):
        breaks, additions = self.later(
            ("option.h", r"    LV_OPTION_LIST\(LV_X\)\n#undef LV_X\n        LV_OPTIONS",
             "    LV_OPTION_LIST(LV_X)\n#undef LV_X\n        LV_OPTION_NEW,\n        LV_OPTIONS"))
        self.assertEqual(breaks, [])
        self.assertTrue(any("LV_OPTION_NEW" in line for line in additions))

    def test_changed_functions_and_enumerators_are_breaks(self):
        breaks, _ = self.later(("version.h", r"LV_API int lv_version_number\(void\);\n", ""))
        self.assertTrue(any("removed: function lv_version_number" in line for line in breaks))
        breaks, _ = self.later(("sim.h", r"lv_sim_advance\(lv_sim \*sim, double until,",
                                "lv_sim_advance(lv_sim *sim, float until,"))
        self.assertTrue(any("changed: function lv_sim_advance" in line for line in breaks))
        breaks, _ = self.later(("scheme.h", "    LV_KEPT_NOT, ", "    LV_KEPT_SOME, LV_KEPT_NOT, "))
        self.assertTrue(any("changed: value LV_KEPT_NOT = 0, now 1" in line for line in breaks))

    def test_names_of_parameters_do_not_matter(self):
        self.assertEqual(self.later(("sim.h", r"lv_sim_advance\(lv_sim \*sim, double until,",
                                     "lv_sim_advance(lv_sim *it, double end,")), ([], []))


if __name__ == "__main__":
    unittest.main()
