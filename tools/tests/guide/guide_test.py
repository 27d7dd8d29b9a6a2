#!/usr/bin/env python3
"""tine with the analysis of docs/internals/adding-an-analysis.md has it in TINE_PROFILE, on the command line, in the report, in JSON, in the
page's data, and in the file's description; and the guide touches at most eight files. Writes a page for the test in the browser."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MOST_FILES = 8


def main() -> None:
    guided, unit, touched, shown = map(pathlib.Path, sys.argv[1:5])
    results = []

    def check(claim: bool, what: str, detail: object = "") -> None:
        results.append(claim)
        if not claim:
            print(f"failed: {what}\n{detail}", file=sys.stderr)

    files = touched.read_text().split()
    check(len(set(files)) == len(files) <= MOST_FILES, f"at most {MOST_FILES} files", files)
    with tempfile.TemporaryDirectory() as folder:

        def run(*words: str, **env: str) -> subprocess.CompletedProcess:
            return subprocess.run([guided, *words], cwd=folder, env={**os.environ, **env}, capture_output=True, text=True, timeout=120)

        run("run", "5", TINE_PROFILE="nesting:own.profile", TINE_NUM_THREADS="4")
        told = run("json", "own.profile")
        check(told.returncode == 0 and json.loads(told.stdout).get("nesting") == {"deepest": 6}, "five forks and a loop", told)
        run("run", "9", TINE_PROFILE="trace,space,nesting,grain:both.profile", TINE_NUM_THREADS="2")
        told = run("json", "both.profile")
        check(json.loads(told.stdout).get("nesting") == {"deepest": 10}, "beside the other analyses", told)
        text = run("text", "both.profile").stdout
        check(re.search(r"^nesting +deepest 10$", text, re.M) is not None, "a line of the report", text)

        page = run("page", "own.profile").stdout
        data = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S)[1])
        shown.write_text(page)
        check(data["nesting"] == {"deepest": 6}, "the page's data", data)
        entry = [one for one in data["analyses"] if one["name"] == "nesting"]
        check(len(entry) == 1 and entry[0]["is_measured"] and entry[0]["title"] == "Nesting", "its section", entry)
        check(entry[0]["command"] == "work,span,nesting", "the command that measures it", entry)
        check(data["run"]["measured"] == ["work_span", "nesting"], "the run has it", data["run"])

        run("run", "5", TINE_PROFILE="work:without.profile")
        told = run("json", "without.profile")
        check(told.returncode == 0 and "nesting" not in json.loads(told.stdout), "not measured, not shown", told)

        profiled = run("profile", "work,nesting")
        check(profiled.returncode == 0 and (pathlib.Path(folder) / "profiled.profile").exists(), "tine profile", profiled)
        refused = run("profile", "nestin")
        check(refused.returncode == 2 and "trace, nesting" in refused.stderr, "the command line lists it", refused)
        refused = run("run", "5", TINE_PROFILE="nestin:never")
        check("trace, nesting" in refused.stderr, "and so does the runtime", refused)
    check("message Nesting {\n  uint64 deepest = 1;\n}" in run_proto(guided), "the description of the file")
    tested = subprocess.run([unit], capture_output=True, text=True, timeout=120)
    check(tested.returncode == 0 and "2 passed" in tested.stdout, "the guide's unit test", tested.stdout)
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    sys.exit(0 if all(results) else 1)


def run_proto(guided: pathlib.Path) -> str:
    return subprocess.run([guided, "proto"], capture_output=True, text=True, timeout=120).stdout


if __name__ == "__main__":
    main()
