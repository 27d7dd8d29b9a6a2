"""Programs that end in all kinds of ways under TINE_PROFILE=race:FILE: they keep their exit codes, and leave the profile of their race."""

import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from checks import check, end, run  # noqa: E402

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
    ("submit at once", 0, 1),
    ("submit in turn", 0, 0),
    *((f"group {racy}", 0, 1) for racy in ("tasks", "caller", "loop", "root", "thread", "overlap", "meanwhile")),
    ("group clean", 0, 0),
    ("publish", 0, 0),
    ("spin", 3, 3),
    ("spin plainly", 3, 3),
    ("spin under a lock", 3, 3),
    ("sleep", 3, 3),
]
# A strand that waits for this long is said to wait for ever.
os.environ["TINE_RACE_PATIENCE"] = "1"


def main() -> None:
    tine, app = map(str, (pathlib.Path(word).resolve() for word in sys.argv[1:3]))
    with tempfile.TemporaryDirectory() as folder:
        for how, code, races in ENDINGS:
            profile = pathlib.Path(folder) / how
            ended = run(app, how, env={**os.environ, "TINE_PROFILE": f"race:{profile}"}, cwd=folder)
            check(f"{how}: the exit code", ended[0] == code, ended)
            read = run(tine, "race", "--read", profile, cwd=folder)
            check(f"{how}: tine race", profile.exists() and read[0] == races, read)
            if how.startswith("spin"):
                check(f"{how}: the place", re.search(r"It was at end_to_end_app\.cpp:\d+\.", read[1]) is not None, read)
        ordered = run(tine, "race", "--determinism", "--", app, "publish", cwd=folder)
        check("the order by an atomic operation", ordered[0] == 1 and
              re.search(r"ordered +by the atomic operation at end_to_end_app\.cpp:\d+: a determinacy race, not a data race\n", ordered[1]) is not None, ordered)
    blocked = run(app, "return", env={**os.environ, "TINE_PROFILE": "race:/no/such/folder/profile"})
    check("a file that cannot be written", blocked[0] in (0, 2) and "/no/such/folder" in blocked[1], blocked)
    told = run(app, "check_races", env={**os.environ, "TINE_COMMAND": tine})
    is_text = "write and write of the global `shared`" in told[1] and \
        re.search(r"the two branches of the fork at end_to_end_app\.cpp:\d+\n", told[1]) is not None
    check("check_races has the text of `tine race`", told[0] == 0 and is_text, told)
    end()


main()
