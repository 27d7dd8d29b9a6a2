#!/usr/bin/env python3
"""tine simulate on hand-made profiles: figures, options, topologies and numbers that are hostile."""

import json

from driver import Driver


def simulated(d: Driver, *words, env=None) -> dict:
    run = d.expect(d.tine("simulate", d.make("full"), "--json", *words, env=env), 0)
    return json.loads(run.stdout)


def figures(d: Driver) -> None:
    said = simulated(d, "--workers", "1..1024")
    d.check([row["workers"] for row in said["rows"]] == [1 << i for i in range(11)], "doublings", said)
    d.check([row["projected"] for row in said["rows"]] == [False, False] + 9 * [True], "more than two workers are projected", said)
    d.check((said["work_ns"] + round(said["profiling_ns"]), said["outside_ns"]) == (800_000, 400_000), "the program's work", said)
    one = said["rows"][0]
    d.check(one["time_ns"] == said["work_ns"] + 400_000 and one["speed_up"] == 1 and one["steals"] == 0, "one worker", one)
    for row in said["rows"]:
        low, high = row["greedy_ns"]["low"], row["greedy_ns"]["high"]
        d.check(low == max(said["work_ns"] / row["workers"], said["span_ns"]) + 400_000, "the work law and the span law", row)
        d.check(abs(high - (said["work_ns"] / row["workers"] + said["span_ns"] + 400_000)) < 1, "greedy schedules", row)
        d.check(low - 1 <= row["time_ns"], "no run is faster than the laws allow", row)
        d.check(0 < row["utilisation"] <= 1, "a share", row)
    for row in simulated(d, "--greedy")["rows"]:
        d.check(row["greedy_ns"]["low"] - 1 <= row["time_ns"] <= row["greedy_ns"]["high"] + 1, "a greedy schedule is inside of its band", row)
    inside = simulated(d, "--of", "roots", "--workers", "1")["rows"][0]
    d.check(inside["time_ns"] == said["work_ns"], "the roots alone", inside)
    last = simulated(d, "--last", "1", "--workers", "1")
    d.check(0 < last["work_ns"] < said["work_ns"] and last["outside_ns"] == 0, "the last root alone", last)
    d.check(simulated(d, "--last", "99")["work_ns"] == said["work_ns"], "more roots than there are", said["work_ns"])
    d.check(simulated(d, "--seed", "7") == simulated(d, "--seed", "7"), "a seed repeats a simulation")


def text(d: Driver) -> None:
    full = d.make("full")
    none = {"TINE_CALIBRATION": str(d.at / "none")}
    d.expect(d.tine("simulate", full, "--workers", "1..64", env=none), 0, "4, projected", "64, projected", "outside of roots 400 µs", "usual values are taken: promotion, steal, resume, wake_up",
             "`tine calibrate`", "Greedy schedules take from")
    shown = d.tine("simulate", full, "--workers", "1,2")
    d.check("projected" not in shown.stdout, "two workers were measured", shown.stdout)
    d.expect(d.tine("simulate", full, "--greedy"), 0, "without costs")
    for columns in 40, 60, 80:
        run = d.tine("simulate", full, env={"COLUMNS": str(columns), **none})
        rows = [line for line in run.stdout.splitlines() if "%" in line or "projected" in line]
        d.check(rows and max(map(len, rows)) <= columns, f"the table fits into {columns} columns", run.stdout)


def costs(d: Driver) -> None:
    file = d.at / "costs"
    machine = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "")
    file.write_text(f"machine = {machine}\nfork_burden = 5000\nsteal_cost = 777\nresume_cost = nonsense\nwake_up_cost = -5\n")
    env = {"TINE_CALIBRATION": str(file)}
    said = simulated(d, "--cost", "resume=55", env=env)
    d.check(said["costs_ns"]["steal"] == 777 and said["costs_ns"]["resume"] == 55, "a measured cost, and one that is given", said)
    d.check(said["usual_costs"] == ["promotion", "wake_up"], "an old file lacks costs", said)
    file.write_text("machine = a PDP-11\nsteal_cost = 777\n")
    d.check(simulated(d, env=env)["costs_ns"]["steal"] != 777, "the file of another machine is not used")
    d.check(simulated(d, env={"TINE_CALIBRATION": str(d.at)})["usual_costs"] != [], "a folder is no file of costs")
    slow, fast = (simulated(d, "--cost", f"steal={ns}", "--workers", "2")["rows"][0]["time_ns"] for ns in (100_000, 0))
    d.check(slow > fast, "dear steals take time", (slow, fast))
    for bad in "steal", "steal=", "steal=-1", "steal=nan", "steal=1e99", "nothing=1", "=5", "steal=5ns":
        d.expect(d.tine("simulate", d.make("full"), "--cost", bad), 2, "--cost")
    for bad in "x", "1,", "1,,2", "-1":
        d.expect(d.tine("simulate", d.make("full"), f"--transfer={bad}"), 2, "--transfer")
    d.expect(d.tine("simulate", d.make("full"), "--transfer", "0,500,2000", "--topology", "node:2 core:4"), 0)


def hostile(d: Driver) -> None:
    full = d.make("full")
    for good in "node:2 core:32", "node:2 core:4 pu:2", "core:3", " ", "pack:2 node:1 l3:4 core:8":
        d.expect(d.tine("simulate", full, "--topology", good), 0)
    for bad in "nonsense", "node:0", "node:2 core:100000", "core:99999999999999999999", ":", "node:-1", "node:64 core:65", "node:64 core:64 pu:2", "node:", "node:2 \x1b[31m", "pu:1 core:2", "9" * 5000:
        d.expect(d.tine("simulate", full, "--topology", bad), 2, "--topology")
    for bad in "0", "4..2", "x", "1..65537", "1000000", "1..99999999999999999999":
        d.expect(d.tine("simulate", full, "--workers", bad), 2, "--workers")
    d.expect(d.tine("simulate", full, "--workers", "65536"), 0, "65536, projected")
    d.expect(d.tine("simulate", full, "--resume", "sometimes"), 2, "sometimes")
    d.expect(d.tine("simulate", full, "--last", "-1"), 2)
    d.expect(d.tine("simulate", d.make("plain")), 2, "TINE_PROFILE=trace")
    d.expect(d.tine("simulate", d.make("idle")), 2, "TINE_PROFILE=trace")
    d.expect(d.tine("simulate", d.at / "missing"), 2, "missing")


Driver.run(figures, text, costs, hostile)
