"""Tests count.py with the results of a real ctest, and with damaged ones. Ends with "N passed, N failed"."""

import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

import count  # noqa: E402


def shell(script: str) -> str:
    return f'"sh" "-c" "{script}"'


def properties(test: str, text: str) -> str:
    return f"set_tests_properties({test} PROPERTIES {text})\n"


# The tests of a run, more lines of its CTestTestfile, and what is counted: passed, failed, and the names of failures.
DOCTEST = "[doctest] test cases:  7 |  7 passed | 0 failed | 3 skipped"
RESULTS = {
    "closing lines": ({"a": shell("echo '3 passed, 0 failed'"), "b": '"true"', "c": shell(f"echo '{DOCTEST}'")},
                      "", 11, 0, []),
    "the last line of a long output": ({"a": shell("seq 20000; echo '5 passed, 0 failed'")}, "", 5, 0, []),
    "failed checks": ({"a": shell("echo '3 passed, 2 failed'; exit 1")}, "", 3, 2, ["a"]),
    "a failure with the exit status of success": ({"a": shell("echo '3 passed, 2 failed'")}, "", 3, 2, ["a"]),
    "no check": ({"a": shell("echo '0 passed, 0 failed'")}, "", 0, 1, ["a"]),
    "a crash after the closing line": ({"a": shell("echo '3 passed, 0 failed'; kill -SEGV $$")}, "", 3, 1, ["a"]),
    "a crash": ({"a": shell("kill -SEGV $$")}, "", 0, 1, ["a"]),
    "a test that does not end": ({"a": '"sleep" "60"'}, properties("a", "TIMEOUT 1"), 0, 1, ["a"]),
    "a missing program": ({"a": '"/unread_records/program"', "b": '"true"'}, "", 1, 1, ["a"]),
    "a fixture that failed": ({"a": '"false"', "b": '"true"'},
                              properties("a", "FIXTURES_SETUP f") + properties("b", "FIXTURES_REQUIRED f"),
                              0, 2, ["a", "b"]),
    "a skipped test is neither": ({"a": shell("exit 77"), "b": '"true"'},
                                  properties("a", "SKIP_RETURN_CODE 77"), 1, 0, []),
    "only skipped tests": ({"a": shell("exit 77")}, properties("a", "SKIP_RETURN_CODE 77"), 0, 1, [""]),
}


class Counting(unittest.TestCase):
    def step(self, tests: dict[str, str], more: str) -> count.Step:
        """Runs tests (name -> command) with ctest and reads its results."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            lines = [f"add_test({test} {command})" for test, command in tests.items()]
            (folder / "CTestTestfile.cmake").write_text("\n".join([*lines, more, ""]))
            done = subprocess.run(["ctest", "--test-dir", folder, "--output-junit", folder / "results.xml", "--test-output-size-passed", "4096",
                                   "--test-output-truncation", "head"], capture_output=True, check=False)
            return count.read_step("dev", "dev", done.returncode, 1, folder / "results.xml")

    def test_results_of_ctest(self):
        for what, (tests, more, *expected) in RESULTS.items():
            with self.subTest(what):
                step = self.step(tests, more)
                self.assertEqual([step.passed, step.failed, [failure.name for failure in step.failures]], expected)

    def test_no_results(self):
        step = count.read_step("dev", "dev", 1, 1, pathlib.Path("/unread_records/results.xml"))
        self.assertEqual((step.passed, step.failed), (0, 1))

    def test_damaged_results_and_a_command_that_failed_after_good_ones(self):
        good = '<testsuite><testcase name="a" status="run"><system-out>ok</system-out></testcase></testsuite>'
        for text, status, passed in (("", 0, 0), ("<testsuite><testcase", 0, 0), ("<testsuite/>", 0, 0), (good, 2, 1)):
            with tempfile.NamedTemporaryFile("w") as file, self.subTest(text=text):
                file.write(text)
                file.flush()
                step = count.read_step("dev", "dev", status, 1, pathlib.Path(file.name))
                self.assertEqual((step.passed, step.failed), (passed, 1))


class Table(unittest.TestCase):
    def table(self, *steps: count.Step) -> tuple[bool, list[str]]:
        out = io.StringIO()
        return count.table(list(steps), out), out.getvalue().splitlines()

    def test_the_last_line_counts(self):
        good, lines = self.table(count.Step("dev", "dev", 3, 5, 0, []), count.Step("gcc", "gcc", 4, 6, 0, []))
        self.assertEqual((good, lines[-1]), (True, "11 passed, 0 failed"))
        self.assertEqual(lines[-3].split(), ["all", "11", "0", "7"])

    def test_failures_are_named_with_the_command_that_repeats_them(self):
        failed = [count.Failure("unit_sched", "1 checks failed")]
        good, lines = self.table(count.Step("dev", "dev", 3, 5, 1, failed), count.Step("tsan", "tsan", 3, 5, 1, failed))
        self.assertEqual((good, lines[-1]), (False, "10 passed, 2 failed"))
        self.assertIn("    ctest --test-dir build/dev -R '^unit_sched$' --output-on-failure", lines)
        self.assertIn("    ./dev tsan -R '^unit_sched$'", lines)

    def test_nothing_ran(self):
        self.assertFalse(self.table()[0])


def main() -> int:
    result = unittest.TextTestRunner(verbosity=1).run(unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__]))
    failed = len({getattr(test, "test_case", test).id() for test, _ in result.failures + result.errors})
    print(f"{result.testsRun - failed} passed, {failed} failed")
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
