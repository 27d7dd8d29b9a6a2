#!/usr/bin/env python3
"""tine race on hand-made profiles, and around programs that leave such profiles."""

import json
import re
import subprocess

from driver import Driver

NOT_INSTRUMENTED = ("0 accesses seen: compile with -fsanitize=thread -DTINE_RACE_DETECTION, and link libtine_race, without "
                    "-fsanitize=thread (CMake: tine_enable_race_detection(target))")


def program(d: Driver, kind: str, then: str = "", more: str = "") -> list[str]:
    """Returns a program that writes a hand-made profile to the path in TINE_PROFILE, as the runtime does, and one for each kind in `more`
    that another process would write."""
    listing = f'echo "$P" >> "$TINE_PROFILE_LIST"; for each in {more}; do "{d.maker}" $each "$P.$each"; ' \
              f'echo "$P.$each" >> "$TINE_PROFILE_LIST"; done; ' if more else ""
    return ["sh", "-c", f'P="$(echo "${{TINE_PROFILE#*:}}" | sed s/%p/$$/)"; "{d.maker}" {kind} "$P"; {listing}{then}']


def read(d: Driver, kind: str, *words, **options):
    return d.tine("race", "--read", d.make(kind), *words, **options)


def texts(d: Driver) -> None:
    run = read(d, "racy")
    d.expect(run, 1, "write and read of the global `shared_total` (offset 8)\n",
             "  write        touch<int> (make_profile.cpp:", "  read         inlined_step (make_profile.cpp:",
             "  also         the global `shared_total` (offset 12)\n", "  seen         17 times, by 2 pairs of instructions\n",
             "write and free of 64 bytes allocated at make_profile.cpp:", " (offset 8)\n",
             "write and read of the stack\n", "  parallel     two roots or threads\n",
             "atomic write and atomic read of the global `plot::next_number()::number`\n",
             "  parallel     not known; the path is not complete\n", "write and write of memory at 0x", "  locked       both accesses hold a common lock",
             "5 races, one for each pair of lines, in 1,200 reads and 1 write of 64 strands.\n")
    d.check(bool(re.search(r"  parallel     iterations 17 and 18 of the loop at make_profile\.cpp:\d+\n", run.stdout)), "a loop", run.stdout)
    d.check(bool(re.search(r"in an iteration of the loop at make_profile\.cpp:\d+, and further steps\n(?:.*\n){2}"
                           r"  parallel     iteration 18 and another one of the loop at make_profile\.cpp:\d+; the path is not complete\n",
                           run.stdout)), "a path that is cut", run.stdout)
    first = run.stdout.split("race 2")[0]
    way = re.findall(r"in (iteration \d+|the \w+ branch) of the (?:loop|fork) at make_profile\.cpp:\d+", first)
    d.check(way == ["iteration 17", "the first branch", "iteration 18", "the second branch"], "both paths, outermost first", first)
    second = run.stdout.split("race 2")[1].split("race 3")[0]
    d.check(bool(re.search(r"parallel +the coroutine forked at (\S+) and the code behind that fork\n +both +in iteration 17 .*\n"
                           r" +in the first branch of the fork at", second)), "the part of the path that both have", second)
    d.check("both" not in first, "nothing is above the outermost fork", first)
    d.check(run.stdout.count("race ") == 5 and not run.stderr, "the order is that of the counts", run)
    d.check("inlined into" not in run.stdout, "no inlined functions", run.stdout)
    d.expect(read(d, "racy", "--verbose"), 1, "function inlined_step at /", "inlined into forest::grow at /")
    crashed = read(d, "racy_crash")
    d.expect(crashed, 1, "with atomics and accesses under locks", "2 more pairs of instructions race, for which the profile had no space.",
             "Signal 11 ended the program: what ran until then was checked.",
             "A part of the run was not checked, because a strand waited for another thread.")
    deep = read(d, "racy_deep")
    d.expect(deep, 1, "such;file?+0x1600\n", "… 299,935 steps above\n               in the first branch of the fork at such;file?+0x1500, 64 times\n", "the two branches of the fork at such;file?+0x1500\n",
             "write of a global at 0x3000\n", "because of ?[31m?.\n")
    d.check(not any(ord(c) < 32 and c != "\n" for c in deep.stdout), "no control characters reach the terminal", deep.stdout[-300:])
    coloured = read(d, "racy", "--color=always").stdout
    d.check("\x1b[1;31mrace 1\x1b[0m" in coloured, "colours", coloured[:100])


def verdicts(d: Driver) -> None:
    d.expect(read(d, "race_free"), 0, "No determinacy race was found in 1,200 reads and 1 write of 64 strands.\n")
    d.expect(read(d, "unchecked"), 3, "A part of the run was not checked, because the program runs under AddressSanitizer.\n")
    for kind in "uninstrumented", "plain":
        run = d.expect(read(d, kind), 2, NOT_INSTRUMENTED)
        d.check(not run.stdout and len(run.stderr.splitlines()) == 1, "one line", run)
    d.expect(d.tine("race", "--read", "missing"), 2, "missing", "No such file")
    d.expect(d.tine("race", "--read", d.make("racy"), "--read", d.make("race_free")), 1, "No determinacy race", "5 races")
    d.expect(d.tine("race", "--read", d.make("race_free"), "--read", "missing"), 2, "No determinacy race", "missing")
    d.expect(d.tine("race", "--read", d.make("racy"), "--read", "missing"), 1)
    d.expect(d.tine("race", "--read", d.make("race_free"), "--read", d.make("plain")), 0, "This process is not instrumented")
    d.expect(d.tine("race", "--read", d.make("race_free"), "--read", d.make("unchecked")), 3)
    d.expect(d.tine("race"), 2, "neither a program to run")
    d.expect(d.tine("race", "--read", d.make("racy"), "--", "true"), 2, "leave one of them out")
    d.expect(d.tine("race", "--read", d.make("racy"), "-o", "x"), 2, "--output")
    d.expect(d.tine("race", "--", d.make("racy")), 2, "is a profile, not a program; `tine race --read ")
    d.expect(d.tine("report", d.make("racy")), 0, "races       5 in 1.20 k accesses; `tine race --read PROFILE` shows them\n")
    d.expect(d.tine("report", d.make("unchecked")), 0, "races       none in 0 accesses\n", "was not checked, because the program runs under")
    d.check("races" not in d.tine("report", d.make("plain")).stdout, "what was not measured is not shown")


def runs(d: Driver) -> None:
    run = d.tine("race", "--", *program(d, "racy", "echo $TINE_PROFILE; cd /; exit 7"))
    d.expect(run, 1, "5 races", "sh ended with exit code 7.\n")
    d.check(run.stdout.startswith("race:/") and "%p" in run.stdout and run.stdout.count("\n") == 1,
            "standard output is the program's alone", run.stdout)
    d.check(not list(d.at.glob("race-*")), "no profile is left", list(d.at.iterdir()))
    strict = d.tine("race", "--determinism", "-o", "kept.profile", "--", *program(d, "race_free", "echo $TINE_PROFILE"))
    d.expect(strict, 0, "No determinacy race", f"profile: {d.at}/kept.profile\n")
    d.check(strict.stdout == f"race,determinism:{d.at}/kept.profile\n", "the stricter form", strict.stdout)
    d.expect(d.tine("race", "--read", "kept.profile"), 0)
    d.expect(d.tine("race", "--", *program(d, "race_free", "exit 7")), 7, "No determinacy race", "sh ended with exit code 7.\n")
    d.expect(d.tine("race", "--", *program(d, "race_free", "kill -SEGV $$")), 128 + 11, "sh was killed by signal 11")
    d.expect(d.tine("race", "--", *program(d, "racy", "kill -SEGV $$")), 1, "sh was killed by signal 11")
    d.expect(d.tine("race", "--", *program(d, "unchecked")), 3, "under AddressSanitizer")
    d.expect(d.tine("race", "--", *program(d, "unchecked", "exit 9")), 9, "under AddressSanitizer")
    d.expect(d.tine("race", "--", *program(d, "uninstrumented")), 2, "tine race: " + NOT_INSTRUMENTED)
    d.expect(d.tine("race", "--", *program(d, "uninstrumented", "exit 9")), 2, "sh ended with exit code 9; " + NOT_INSTRUMENTED)
    d.expect(d.tine("race", "--", "true"), 2, "wrote no profile", "-DTINE_RACE_DETECTION")
    d.expect(d.tine("race", "--", "./nonesuch"), 2, "cannot run ./nonesuch: No such file")
    d.expect(d.tine("race", "-o", "bad.profile", "--", "sh", "-c", "echo x > bad.profile"), 2, "not a profile")
    several = d.tine("race", "--", *program(d, "race_free", more="uninstrumented racy_crash"))
    d.expect(several, 1, "No determinacy race", "This process is not instrumented", "5 races", "Signal 11 ended the program")
    d.check(several.stderr.count("sorter 1000") == 3, "each process has a heading", several.stderr)


def suppressions(d: Driver) -> None:
    lists = d.at / "races.txt"

    def with_list(text: str, *words, **options):
        lists.write_text(text)
        return read(d, "racy", "--suppressions", lists, *words, **options)

    half = with_list("function:touch<int>")
    d.expect(half, 1, "shared_total` (offset 12)", "seen         7 times\n", "5 races, ")
    d.check("suppressed" not in half.stdout, "a race with other instances is no suppressed race", half.stdout)
    d.expect(with_list("function:touch*\nfunction:sort_halves"), 1, "1 race, ", "4 more races are suppressed.")
    d.expect(with_list("file:make_profile.cpp"), 0, "No determinacy race", "5 more races are suppressed.")
    d.expect(with_list("# unused\nfunction:touc", "--verbose"), 1, f"{lists}:2: this suppression suppressed nothing.\n", "5 races")
    d.check("suppressed nothing" not in with_list("file:*", "--verbose").stdout, "a used suppression")
    d.check("suppressed nothing" not in with_list("function:touc").stdout, "without --verbose")
    for bad, what in (("function", "'function' is not a suppression; write function:PATTERN"), ("fun:x", "'fun:x' is not a suppression"),
                      ("file: ", "there is no pattern behind 'file:'")):
        d.expect(with_list("# one\n" + bad), 2, f"{lists}:2: {what}")
    d.expect(with_list("\x1b[31m"), 2, "'?[31m' is not a suppression")
    d.expect(read(d, "racy", "--suppressions", "nowhere.txt"), 2, "cannot open nowhere.txt: No such file")
    d.expect(read(d, "racy", "--suppressions", d.at), 2, "is a directory")
    lists.write_text("variable:shared_total\n")
    more = d.at / "more.txt"
    more.write_text("function:sort_halves\n")
    d.expect(read(d, "racy", "--suppressions", lists, env={"TINE_RACE_SUPPRESSIONS": str(more)}), 1, "2 races, ", "3 more races are")
    d.expect(read(d, "racy", "--suppressions", lists, "--suppressions", more), 1, "2 races, ", "3 more races are")
    d.expect(d.tine("race", "--suppressions", lists, "--", *program(d, "racy")), 1, "4 races, ", "1 more race is suppressed.")
    d.expect(d.tine("race", "--suppressions", "nowhere.txt", "--", "touch", "ran"), 2, "nowhere.txt")
    d.check(not (d.at / "ran").exists(), "a bad list is found before the program runs")


def as_json(d: Driver) -> None:
    run = d.expect(d.tine("race", "--json", "--", *program(d, "racy", "echo the output; exit 7")), 1, "the output")
    said = json.loads(run.stdout)
    d.check((said["exit_code"], said["races"], said["suppressed"], said["program"]) == (1, 5, 0, "sh ended with exit code 7"), "totals", said)
    process = said["processes"][0]
    d.check(process["totals"]["reads"] == 1200 and process["is_instrumented"] and process["ended"] == "normal", "a process", process)
    first, second, third, last, unknown = process["races"]
    d.check(first["memory"] == {"text": "the global `shared_total` (offset 8)", "kind": "global", "variable": "shared_total",
                                "offset": 8, "block_bytes": 0}, "a global", first["memory"])
    d.check((first["earlier"]["kinds"], first["earlier"]["at"]["function"]) == (["write"], "touch<int>"), "an access", first["earlier"])
    d.check([(s["kind"], s["branch"]) for s in first["later"]["path"]["steps"]] == [("loop", 18), ("fork", 1)], "a path", first["later"])
    d.check((first["parting"]["kind"], first["parting"]["earlier"], first["parting"]["later"]) == ("loop", 17, 18), "parting", first["parting"])
    d.check((first["count"], first["pairs"], first["is_complete"]) == (17, 2, True), "counts", first)
    d.check(second["memory"]["allocated_at"]["function"] == "fill_rows" and second["parting"]["kind"] == "coroutine fork", "a block", second)
    d.check(third["parting"]["kind"] == "roots" and third["memory"]["kind"] == "stack", "roots", third)
    d.check(last["is_locked"] and not last["is_complete"] and last["parting"]["kind"] == "loop" and "earlier" not in last["parting"] and
            last["parting"]["later"] == 18, "a cut path", last)
    d.check(unknown["parting"]["kind"] == "unknown" and unknown["memory"]["kind"] == "unknown", "an unknown path", unknown)
    (d.at / "unused.txt").write_text("function:nothing\n")
    said = json.loads(read(d, "race_free", "--json", "--suppressions", "unused.txt").stdout)
    d.check((said["exit_code"], said["processes"][0]["races"]) == (0, []), "no races", said)
    d.check(said["suppressions"] == [{"at": "unused.txt:1", "used": 0}], "unused suppressions", said)
    json.loads(read(d, "racy_deep", "--json").stdout)
    report = d.report(d.make("racy"))
    d.check(len(report["races"]) == 5 and report["race"]["strands"] == 64, "tine report --json has them, too", report)
    d.check("races" not in d.report(d.make("plain")), "what was not measured is absent")


def outputs(d: Driver) -> None:
    d.expect(read(d, "racy", "--html", "races.html"), 1, "5 races")
    d.check("shared_total" in (d.at / "races.html").read_text(), "the page has the races")
    d.expect(read(d, "racy", "--html", "/nowhere/races.html"), 1, "cannot write the page: /nowhere/races.html: No such file")
    d.expect(read(d, "race_free", "--html", "/nowhere/races.html"), 0, "cannot write the page")
    with open("/dev/full", "w") as full:
        run = read(d, "racy", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    d.expect(run, 1, "cannot write to standard output")


Driver.run(texts, verdicts, runs, suppressions, as_json, outputs)
