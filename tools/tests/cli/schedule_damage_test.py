#!/usr/bin/env python3
"""Every verb of `tine schedule` answers a file that is no schedule with a diagnosis and exit code 2, fast and in little memory.

Numbers are replaced at random; `--seed N` repeats a run."""

import copy
import json
import random
import resource
import xml.etree.ElementTree as xml

from driver import Driver, seed
from schedules import VERBS, example, saved


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))


def refused(d: Driver, path, *parts: str, verbs=(*VERBS, ["diff"])) -> None:
    for verb in verbs:
        files = [path, path] if verb == ["diff"] else [path]
        run = d.expect(d.tine("schedule", *verb, *files, preexec_fn=limited), 2, "tine schedule: ", *parts)
        d.check(len(run.stderr.splitlines()) == 1 and not run.stdout, "one line and no result", run)


def refuses_what_is_none(d: Driver) -> None:
    whole = json.dumps(example())
    for name, content in {"empty": b"", "text": b"work,span\n", "zeros": bytes(4096), "binary": bytes(range(256)),
                          "cut": whole[:-9].encode(), "infinite": b"[1e999]"}.items():
        refused(d, d.write(name, content), name, "the text is no JSON")
    refused(d, d.write("nested", b"[" * 1_000_000), "nested", "the text is no JSON", verbs=(["show"],))
    refused(d, d.make("full"), "full.profile", "the text is no JSON at byte 1")
    refused(d, saved(d, "other", {"format": "x"}), "other.json: not a schedule: the text is of another format")
    refused(d, saved(d, "newer", {**example(), "version": 2}), "version is 2; this tine reads version 1")
    refused(d, d.at / "missing", "missing: cannot be read: No such file")
    refused(d, d.at, "Is a directory")
    refused(d, "/dev/zero", "/dev/zero: larger than 512 MiB", verbs=(["show"],))
    d.expect(d.tine("schedule", "diff", saved(d, "example", example()), d.at / "missing"), 2, "missing")
    for words in [], ["play"], ["show"], ["diff", "one"], ["gantt", "one", "two"]:
        d.expect(d.tine("schedule", *words), 2, "tine: ")


def places(value, at=()):
    """Yields the paths to all numbers in `value`."""
    if isinstance(value, int):
        yield at
    elif isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*at, key))


def survives_other_numbers(d: Driver, number: int) -> None:
    dice = random.Random(number)
    for _ in range(60):
        mutant = copy.deepcopy(example())
        for way in dice.sample(list(places(mutant)), dice.choice([1, 1, 2, 3])):
            inside = mutant
            for key in way[:-1]:
                inside = inside[key]
            inside[way[-1]] = dice.choice([0, 1, 2, 3, 5, 999, 65_536, 2**31, 2**32 - 1, 2**63, 2**64 - 1, 2**64, -1, None, 0.5])
        path = saved(d, "mutant", mutant)
        for verb in ["show"], ["show", "--json"], ["gantt"], ["export", "--to", "perfetto"], ["diff"]:
            words = [path, d.at / "example.json"] if verb == ["diff"] else [path]
            run = d.tine("schedule", *verb, *words, preexec_fn=limited)
            d.check(run.returncode in (0, 1, 2) and (run.returncode == 2) == bool(run.stderr), f"{verb} ends well", (mutant, run))
            if verb == ["gantt"] and run.returncode == 0:
                xml.fromstring(run.stdout)


NUMBER = seed()
Driver.run(refuses_what_is_none, lambda d: survives_other_numbers(d, NUMBER))
