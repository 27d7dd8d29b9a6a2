"""The doctor names the lock of each program after rayon's issues with std::mutex, and finds nothing with tine::mutex.

    doctor_test.py TINE PROGRAM..."""

import pathlib
import re
import subprocess
import sys


def problem_of(tine: str, program: str, kind: str) -> str:
    """Returns an empty text if the doctor's report is right, else the report."""
    run = subprocess.run([tine, "doctor", "--", program, kind, "1", "1"], capture_output=True, text=True, timeout=60, check=False)
    source = re.escape(pathlib.Path(program).name) + r"\.cpp"
    named = re.search(rf"is held over a fork\n  taken .*\({source}:\d+\)\n(?:               called by .*\n)*  fork +\S.*\n", run.stderr)
    is_right = run.returncode == 1 and named is not None and "1 finding: " in run.stderr if kind == "std" else run.returncode == 0
    return "" if is_right else f"{program} {kind}: exit code {run.returncode}\n{run.stdout}{run.stderr}"


tine, *programs = sys.argv[1:]
problems = [problem_of(tine, program, kind) for program in programs for kind in ("std", "tine")]
for problem in filter(None, problems):
    print(f"failed: {problem}", file=sys.stderr)
failed = sum(map(bool, problems))
print(f"{len(problems) - failed} passed, {failed} failed")
sys.exit(1 if failed or not problems else 0)
