"""Programs that end in all kinds of ways under TINE_PROFILE=race:FILE: they keep their exit codes, and leave the profile of their race."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

# How the program ends, its exit code (negative: the signal), and the exit code of `tine race --read`: 1 if there are
# races, 0 if there are none.
ENDINGS = [
    ("return", 0, 1),
    ("none", 0, 0),
    ("exit", 7, 1),
    ("_exit", 7, 1),
    ("quick_exit", 7, 1),
    ("abort", -6, 1),
    ("segv", -11, 1),
    ("throw", -6, 1),
    ("exec", 0, 1),
    ("fork", 0, 1),
    ("fork-busy", 0, 1),
    ("threads", 0, 1),
    ("threads-in-turn", 0, 0),
    ("submit", 0, 1),
]


# These do not give the answers of the table yet, for these reasons.
GAPS = {}


def main() -> int:
    tine, app = map(str, (pathlib.Path(word).resolve() for word in sys.argv[1:3]))
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for how, code, races in ENDINGS:
            profile = pathlib.Path(folder) / how
            env = {**os.environ, "TINE_PROFILE": f"race:{profile}"}
            run = subprocess.run([app, how], env=env, cwd=folder, capture_output=True, text=True, timeout=60)
            problems = [] if run.returncode == code else [f"exit code {run.returncode}, expected {code}", run.stderr]
            if not profile.exists():
                problems.append("no profile")
            else:
                read = subprocess.run([tine, "race", "--read", str(profile)], cwd=folder, capture_output=True, text=True, timeout=60)
                if read.returncode != races:
                    problems += [f"tine race: exit code {read.returncode}, expected {races}", read.stdout, read.stderr]
            if how in GAPS:
                print(f"known gap: {how}: {GAPS[how]}" + ("" if problems else ": it is closed here"))
                continue
            passed += not problems
            failed += bool(problems)
            if problems:
                print(f"failed: {how}:", *problems, sep="\n", file=sys.stderr)
        blocked = {**os.environ, "TINE_PROFILE": "race:/no/such/folder/profile"}
        run = subprocess.run([app, "return"], env=blocked, capture_output=True, text=True, timeout=60)
        claim = run.returncode in (0, 2) and "/no/such/folder" in run.stderr
        passed += claim
        failed += not claim
        if not claim:
            print(f"failed: a file that cannot be written: {run.returncode}\n{run.stderr}", file=sys.stderr)
        run = subprocess.run([app, "check_races"], env={**os.environ, "TINE_COMMAND": tine}, capture_output=True, text=True, timeout=60)
        claim = run.returncode == 0 and "write and write of the global `shared`" in run.stdout and \
            re.search(r"the two branches of the fork at end_to_end_app\.cpp:\d+\n", run.stdout) is not None
        passed += claim
        failed += not claim
        if not claim:
            print(f"failed: check_races has the text of `tine race`:\n{run.stdout}{run.stderr}", file=sys.stderr)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
