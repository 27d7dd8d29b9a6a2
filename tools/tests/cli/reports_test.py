#!/usr/bin/env python3
"""The output and the exit codes of report, predict, check and diff on hand-made profiles."""

import json

from driver import WITHOUT_SPORK, Driver


def reports(d: Driver) -> None:
    full = d.make("full")
    d.expect(d.tine("report", full), 0, "2.96–3.20", "41.7 %", "sort_halves (make_profile.cpp:", "fill_rows (make_profile.cpp:",
             "S₁ 1.00 MiB", "650 µs", "55.6 %", "this profile 240 ns (0.0 %)", "9 promoted, 7 stolen",
             "outside     400 µs of processor time sampled: 60.0 % fill_rows (make_profile.cpp:",
             "20.0 % sort_halves (make_profile.cpp:", "20.0 % elsewhere",
             "limit       The time outside of roots, 40 % of the run, makes the program at most 3.00 times faster on any number "
             "of workers; 60 % of its processor time is in fill_rows (make_profile.cpp:")
    d.expect(d.tine("report", full, "--skip", "fill_rows"), 0, "outside     400 µs")
    silent, told = d.tine("report", full, "--skip", "fill_*", "--json"), d.tine("report", full, "--skip", "x::fill_*", "--json")
    d.check(not silent.stderr and "--skip 'x::fill_*' matches no function and no file" in told.stderr and "-g1" in told.stderr,
            "a pattern that matches nothing is said", told.stderr)
    for words in ["diff", full, full], ["check", full, "--max-span", "1s"], ["export", full, "--to", "collapsed"], ["whatif", full]:
        d.expect(d.tine(*words, "--skip", "other.hpp"), 0, "--skip 'other.hpp' matches no function")
    d.expect(d.tine("report", full, "--sites", "1"), 0, "and 2 more sites")
    d.expect(d.tine("report", d.make("idle")), 0, "no forks", "256: 1.00")
    totals = d.tine("report", d.make("totals"))
    d.expect(totals, 0, "no call sites", "forks       4, and 2 loops of 200 iterations")
    d.check("promoted" not in totals.stdout, "what was not counted is not shown as 0", totals.stdout)
    for columns in 40, 60, 80, 200:
        run = d.tine("report", full, env={"COLUMNS": str(columns)})
        table = run.stdout[run.stdout.index("site "):].split("\n\n")[0]
        widest = max(map(len, table.splitlines()))
        d.check(widest <= columns, f"the table of sites fits into {columns} columns", table)
    odd = d.expect(d.tine("report", d.make("odd")), 0, "0x9000", "+0x1500")
    d.check(not any(ord(c) < 32 and c != "\n" for c in odd.stdout), "no control characters reach the terminal", odd.stdout)
    d.check("name\n" in odd.stdout.split("ran ")[0] and odd.stdout.count("\n;name") == 0, "a name stays on its line")


def as_json(d: Driver) -> None:
    run = d.expect(d.tine("report", d.make("full"), "--json"), 0)
    said = json.loads(run.stdout)
    d.check((said["forks"], said["loops"], said["iterations"]) == (4, 2, 200), "what was counted", said)
    d.check(said["roots"]["span_ns"] == {"low": 250_000, "high": 270_000}, "the span of the roots", said)
    d.check(said["space"]["worst_peak"] == 3 << 20, "S-infinity", said["space"])
    loop = next(site for site in said["sites"] if site["kind"] == "loop")
    d.check((loop["function"], loop["iterations"], loop["bytes"]) == ("fill_rows", 200, -64), "a site", loop)
    outside = said["outside"]
    d.check((outside["wall_ns"], outside["sampled_ns"], outside["unlocated_ns"]) == (400_000, 400_000, 80_000), "samples", outside)
    d.check([(f["function"], f["time_ns"], f["share"]) for f in outside["functions"]] ==
            [("fill_rows", 240_000, 0.6), ("sort_halves", 80_000, 0.2)], "functions outside of roots", outside)
    d.check("functions" not in d.report(d.make("idle"))["outside"], "nothing was sampled")
    few = d.json("report", d.make("plain"), "--json", "--sites", "1")
    d.check("space" not in few and len(few["sites"]) == 1, "what was not measured is absent", few)
    d.check("promoted" not in d.report(d.make("totals")), "nor in JSON")
    d.check(len(d.report(d.make("odd"))["sites"]) == 32, "JSON has all sites")
    d.expect(d.tine("report", d.make("full"), "--json", "--html", "page.html"), 2, "--json")


def jobs(d: Driver) -> None:
    """Profiles of ranks are joined. Each rank is the full profile, mapped elsewhere and begun later: so all counts are multiples."""
    files = [d.make(f"rank_{i}") for i in (3, 0, 1)]
    text = d.tine("report", *files)
    d.expect(text, 0, "with 6 workers in 3 ranks", "whole job", "missing     1 of 4 ranks have no profile here: 2", "sort_halves (make_profile.cpp:",
             "timeline of")
    rows = [line.split() for line in text.stdout.splitlines()]
    cells = {row[0]: row for row in rows if row and row[0] in ("0", "1", "3", "all") and len(row) > 8}
    d.check([cells[k][-6:-3] for k in ("0", "1", "3", "all")] == [["0", "0", "7"], ["10", "12", "7"], ["30", "36", "7"], ["40", "48", "21"]],
            "steals, requests, given", cells)
    d.expect(d.tine("report", d.make("rank_1")), 0, "rank        1 of 4: without work for 200 µs of 800 µs", "10 messages with work came")
    one = d.report(d.make("full"))
    all = d.report(*files)
    job = all["job"]
    d.check([r["rank"] for r in job["by_rank"]] == [0, 1, 3] and job["missing"] == [2] and job["ranks"] == 4, "the ranks in order", job)
    d.check(all["roots"]["work_ns"] == 3 * one["roots"]["work_ns"], "the work of a job is that of all ranks", all["roots"])
    low, high = (one["roots"]["span_ns"][k] for k in ("low", "high"))
    d.check(all["roots"]["span_ns"] == {"low": low, "high": 3 * high}, "a span between the longest and the sum", all["roots"])
    d.check(job["wall_ns"] == one["wall_ns"] + 300_000, "from the first begin to the last end", job["wall_ns"])
    d.check([r["begin_ns"] for r in job["by_rank"]] == [0, 100_000, 300_000], "the begins", job["by_rank"])
    d.check([r["without_work_share"] for r in job["by_rank"]] == [0, 0.25, 0.75], "the shares without work", job["by_rank"])
    d.check(len(all["sites"]) == len(one["sites"]), "one row for a site of all ranks", all["sites"])
    for whole, part in zip(all["sites"], one["sites"]):
        d.check(whole["function"] == part["function"] and whole["line"] == part["line"], "the site", whole)
        for key in "count", "work_ns", "forks", "iterations", "promoted", "stolen":
            d.check(whole[key] == 3 * part[key], f"{key} of all ranks", (whole, part))
    functions = [[(f["name"], f["time_ns"]) for f in p["outside"]["functions"]] for p in (all, one)]
    d.check(functions[0] == [(name, 3 * time) for name, time in functions[1]], "the functions outside of roots", functions)
    line = [row for row in text.stdout.splitlines() if row.startswith("   3  ")][-1]
    d.check("_" in line and "\N{FULL BLOCK}" in line, "a rank without work, and with", line)
    d.expect(d.tine("report", files[0], d.make("full")), 2, "not the profile of a rank of a job")
    d.expect(d.tine("report", files[0], files[0]), 2, "the second profile of rank 3")
    d.expect(d.tine("report", *files, "--html", "job.html"), 0)


def predictions(d: Driver) -> None:
    full = d.make("full")
    d.expect(d.tine("predict", full), 0, "1024", "1.85", "░")
    run = d.expect(d.tine("predict", full, "--workers", "1,4", "--of", "roots", "--json"), 0)
    said = json.loads(run.stdout)
    d.check(said["work_ns"] == 800_000 and said["span_ns"] == {"low": 250_000, "high": 270_000}, "work and span", said)
    one, four = said["speed_up"]
    d.check(one == {"workers": 1, "low": 1.0, "high": 1.0}, "one worker gains nothing", one)
    d.check(abs(four["high"] - 3.2) < 1e-9, "the span law", four)
    d.check(abs(four["low"] - 800 / (200 + 1.7 * 0.75 * 294)) < 1e-9, "Cilkview's estimate", four)
    doublings = d.json("predict", full, "--workers", "3..20", "--json")["speed_up"]
    d.check([row["workers"] for row in doublings] == [3, 6, 12, 20], "a range goes in doublings to its end", doublings)
    for bad in "0", "4..2", "x", "1,", "..", "1..99999999999999999999":
        d.expect(d.tine("predict", full, "--workers", bad), 2, "--workers")


def changes(d: Driver) -> None:
    full = d.make("full")
    d.expect(d.tine("whatif", full), 0, "32 workers, projected", "sort_halves", "fill_rows")
    every = d.json("whatif", full, "--json", "--workers", "1")
    d.check([row["site"].split()[0] for row in every["sites"]] == ["sort_halves", "fill_rows", "inlined_step"], "the greatest effect is first", every)
    d.check(every["time_ns"] == 1_200_000 and every["sites"][0]["faster_ns"] == 875_000, "650 us of work become half as long", every)
    d.expect(d.tine("whatif", full, "--site", "sort_halves", "--speedup", "4", "--workers", "1,8"), 0, "4.00 times as fast?", "time on 8, projected", "712 µs")
    said = d.json("whatif", full, "--site", "sort_halves", "--speedup", "0.5", "--parallelise", "fill_rows", "--json")
    d.check(said["now"]["work_ns"] == 1_200_000 and said["then"]["work_ns"] == 1_850_000, "slower work is more work", said)
    d.check(said["then"]["times"][2]["projected"] and not said["then"]["times"][1]["projected"], "more than two workers are projected", said)
    free = d.json("whatif", full, "--unburden", "sort_halves", "--json")
    d.check(free["then"]["span_ns"] == free["now"]["span_ns"] and free["then"]["burdened_span_ns"] < free["now"]["burdened_span_ns"], "a burden less", free)
    inside = d.json("whatif", full, "--site", "sort_halves", "--of", "roots", "--json", "--workers", "1")
    d.check(inside["now"]["work_ns"] == 800_000 and inside["then"]["work_ns"] == 475_000, "the roots alone", inside)
    d.expect(d.tine("whatif", full, "--site", "nowhere"), 2, "'nowhere' is not a call site of this profile", "sort_halves")
    d.expect(d.tine("whatif", full, "--site", "sort_halves", "--speedup", "0"), 2, "--speedup: 0 is not a factor")
    d.expect(d.tine("whatif", full, "--speedup", "2"), 2, "more of them than --site")
    d.expect(d.tine("whatif", d.make("plain")), 2, "TINE_PROFILE=trace")


def limits(d: Driver) -> None:
    full, plain, idle = d.make("full"), d.make("plain"), d.make("idle")
    d.expect(d.tine("check", full, "--min-parallelism", "2.9", "--max-serial-share", "50%", "--max-span", "300us"), 0, "good")
    d.expect(d.tine("check", full, "--min-parallelism", "3.0"), 1, "2.96", "at least 3.00", "fill_rows (make_profile.cpp:")
    d.expect(d.tine("check", plain, "--min-parallelism", "3.0"), 1, "most of the work: sort_halves", "43.8 %", "profile with `trace`")
    d.expect(d.tine("check", full, "--max-serial-share", "0.1"), 1, "41.7 %", "at most 10.0 %", "400 µs outside of all roots",
             "60.0 % of its processor time in fill_rows (make_profile.cpp:")
    d.expect(d.tine("check", full, "--max-span", "0.1ms"), 1, "270 µs", "a factor of 2.70")
    d.expect(d.tine("check", full, "--max-space", "1MiB"), 1, "3.00 MiB")
    d.expect(d.tine("check", full, "--min-burdened-parallelism", "5", "--min-parallelism", "5"), 1, "burdened parallelism is 2.72")
    d.expect(d.tine("check", idle, "--min-parallelism", "2"), 1, "parallelism is 1.00")
    d.expect(d.tine("check", full, "--of", "process", "--min-parallelism", "1.7", "--max-span", "700us"), 0, "good: parallelism 1.79", "670 µs")
    d.expect(d.tine("check", full, "--of", "process", "--min-parallelism", "2.9", "--max-span", "600us"), 1,
             "parallelism of the process is 1.79, at least 2.90", "span of the process is 670 µs",
             "most of the span: 400 µs outside of all roots")
    d.expect(d.tine("check", idle, "--max-serial-share", "99%"), 1, "100.0 %")
    d.expect(d.tine("check", plain, "--max-space", "1MiB"), 2, "profile with `space`")
    d.expect(d.tine("check", full), 2, "no limit")
    dear = d.make("dear")
    d.expect(d.tine("check", dear, "--min-parallelism", "3.0", "--max-span", "1us"), 3,
             "cannot judge --min-parallelism, --max-span", "this profile's own cost is 50 %", "Instead, ")
    d.expect(d.tine("check", dear, "--min-parallelism", "1"), 3, "cannot judge")
    d.expect(d.tine("check", dear, "--max-space", "3MiB"), 0, "good")
    d.expect(d.tine("check", dear, "--max-space", "1MiB", "--max-serial-share", "1%"), 1, "3.00 MiB", "cannot judge --max-serial-share")
    d.expect(d.tine("check", dear, "--max-span", "5"), 2, "--max-span")
    d.expect(d.tine("report", dear), 0, "This is rough: this profile's own cost is 50 %", "(≥ 0.0 % of the work), this profile 400 µs (50.0 %)")
    for option, value in ("--max-span", "5"), ("--max-serial-share", "150%"), ("--max-space", "many"), ("--min-parallelism", "-1"):
        d.expect(d.tine("check", full, option, value), 2, option)


def differences(d: Driver) -> None:
    full, slower = d.make("full"), d.make("slower")
    d.expect(d.tine("diff", full, slower), 0, "+81.2 %", "sort_halves", "+100.0 %")
    d.expect(d.tine("diff", full, full, "--fail-above", "0%"), 0)
    d.expect(d.tine("diff", d.make("idle"), full), 0, " new")
    d.expect(d.tine("diff", full, d.make("idle")), 0, " gone")
    d.expect(d.tine("diff", full, d.make("crowded")), 0, "81.2 % more work on 8 workers than on 2: memory bandwidth", "grew most in sort_halves")
    for alike in (full, slower), (d.make("crowded"), full), (full, full):
        d.check("limit" not in d.tine("diff", *alike).stdout, "the same workers, fewer workers, and the same work", alike)
    d.expect(d.tine("diff", full, slower, "--fail-above", "10%"), 1, "grew by more than 10.0 %")
    d.expect(d.tine("diff", full, slower, "--fail-above", "much"), 2, "--fail-above")
    d.expect(d.tine("diff", full, d.at / "missing"), 2, "missing")


def usage(d: Driver) -> None:
    d.expect(d.tine(), 2, "--help")
    d.expect(d.tine("reprot"), 2, "did you mean report?", "--help")
    d.expect(d.tine("schedule", "gant", "x"), 2, "there is no gant; did you mean gantt?")
    d.expect(d.tine("lm", "x"), 2, "there is no lm; did you mean ml?")
    d.expect(d.tine("show", "x"), 2, "there is no show; did you mean schedule show?")
    if not WITHOUT_SPORK:
        d.expect(d.tine("ir", "chekc", "x"), 2, "there is no chekc; did you mean check?")
        d.expect(d.tine("ir", "run", "x", "--schedul=none"), 2, "there is no --schedul; did you mean --schedule?")
        d.expect(d.tine("ir", "fuzz", "--coun", "3"), 2, "there is no --coun; did you mean --count?")
    d.expect(d.tine("report", "-sites", "3", "x"), 2, "there is no -sites; did you mean --sites?")
    d.expect(d.tine("profile", "--outptu", "x", "--", "app"), 2, "there is no --outptu; did you mean --output?")
    d.expect(d.tine("--colour=always", "report", "x"), 2, "there is no --colour; did you mean --color?")
    mistyped = d.tine("profle")
    d.check(len(mistyped.stderr.splitlines()) == 1 and not mistyped.stdout, "a suggestion is one line", mistyped)
    unlike = d.tine("zzzzzz")
    d.check("there is no zzzzzz;" in unlike.stderr and "did you mean" not in unlike.stderr, "nothing is like that", unlike)
    d.check(unlike.returncode == 2, "an unknown verb is wrong usage", unlike)
    d.expect(d.tine("--help"), 0, "profile", "docs/reference/profiling.md")
    for subcommand in "profile", "report", "diff", "check", "export", "predict", "whatif", "simulate", "calibrate":
        d.expect(d.tine(subcommand, "--help"), 0, "Exit codes:")
    full = d.make("full")
    with open("/dev/full", "w") as nowhere:
        run = d.tine("report", full, capture_output=False, stdout=nowhere, stderr=-1)
    d.check(run.returncode == 2 and "No space left" in run.stderr, "a full disk is an error", run)
    closed = d.tine("report", full, capture_output=False, stderr=-1, preexec_fn=lambda: __import__("os").close(1))
    d.check(closed.returncode == 2 and "standard output" in closed.stderr, "a closed standard output is an error", closed)


Driver.run(reports, as_json, jobs, predictions, changes, limits, differences, usage)
