#!/usr/bin/env python3
"""Every subcommand answers files that are no profiles, or were damaged, with a diagnosis, the offset and exit code 2, fast and in
little memory.

Bits are flipped and bytes cut at random; `--seed N` repeats a run."""

import random
import re
import resource
import struct
import sys
import time
import zlib

from driver import Driver

COMMANDS = (["report"], ["predict"], ["check", "--min-parallelism", "1"], ["export", "--to", "pprof"])


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))


def refused(d: Driver, path, *parts: str, commands=COMMANDS) -> None:
    # A sanitizer's shadow memory is larger than any limit.
    bounded = None if d.tine_path.parent.name in ("asan", "tsan") else limited
    for command in commands:
        run = d.tine(command[0], path, *command[1:], preexec_fn=bounded)
        d.expect(run, 2, *parts)
        d.check(len(run.stderr.splitlines()) == 1, "one line", run.stderr)
        d.check(not run.stdout, "no result", run.stdout)


def section(tag: bytes, content: bytes) -> bytes:
    length = struct.pack("<Q", len(content))
    return tag + struct.pack("<I", zlib.crc32(tag + length + content)) + length + content


def table(tag: bytes, stride: int, rows: int, rest: bytes) -> bytes:
    return section(tag, struct.pack("<IIQ", stride, 0, rows) + rest)


def foreign(d: Driver) -> None:
    kinds = {"empty": b"", "text": b"work,span\n1,2\n", "elf": b"\x7fELF" + bytes(100), "zeros": bytes(4096),
             "binary": bytes(range(256)) * 64}
    for name, content in kinds.items():
        (d.at / name).write_bytes(content)
        refused(d, d.at / name, name, "byte 0:")
    refused(d, d.at / "missing", "missing", "No such file")
    refused(d, d.at, str(d.at))
    refused(d, "/dev/zero", "/dev/zero")
    sparse = d.at / "sparse"
    with open(sparse, "wb") as file:
        file.write(d.make("full").read_bytes()[:16])
        file.truncate(1 << 40)
    refused(d, sparse, "more than 2 GiB")


def hostile(d: Driver) -> None:
    head = b"\x89tine\r\n\x1a" + struct.pack("<II", 2, 0)
    run = table(b"run ", 100, 1, bytes(100))
    none = 0xFFFFFFFF
    cases = {
        "huge-count": table(b"node", 36, 1 << 60, b""),
        "huge-length": b"path" + bytes(4) + struct.pack("<Q", (1 << 64) - 1),
        "no-stride": table(b"site", 0, 1 << 40, b""),
        "bad-site": table(b"path", 32, 1, struct.pack("<IIQQQ", none, 7, 0, 0, 0)),
        "bad-parent": table(b"path", 32, 1, struct.pack("<IIQQQ", 0, none, 0, 0, 0)),
        "bad-phase": table(b"poin", 40, 1, struct.pack("<IIQQQQ", none, 9, 0, 0, 0, 0)),
        "bad-children": table(b"node", 36, 1, struct.pack("<IIIQQQ", 1, none, none, 0, 0, 0)),
        "bad-samples": table(b"samp", 40, 1, struct.pack("<QQQQQ", 1, 0, 0, 0, 7)),
        "bad-text": table(b"phas", 8, 1, struct.pack("<II", none, none)),
        "shared-text": table(b"phas", 8, 2, struct.pack("<IIII", 0, 4, 0, 4) + b"text"),
    }
    for name, bad in cases.items():
        body = head + run + bad
        (d.at / name).write_bytes(body + section(b"end ", struct.pack("<Q", 2)))
        refused(d, d.at / name, name, "byte ")
    (d.at / "newer").write_bytes(head[:8] + struct.pack("<II", 3, 0) + run)
    refused(d, d.at / "newer", "byte 8: the format's version is 3")


def damaged(d: Driver, seed: int) -> None:
    whole = d.make("full").read_bytes()
    dice = random.Random(seed)
    for _ in range(40):
        cut = whole[: dice.randrange(len(whole))]
        (d.at / "cut").write_bytes(cut)
        refused(d, d.at / "cut", "byte ", commands=[["predict"]])
        flipped = bytearray(whole)
        flipped[dice.randrange(len(whole))] ^= 1 << dice.randrange(8)
        (d.at / "flipped").write_bytes(flipped)
        refused(d, d.at / "flipped", commands=[["predict"]])
    run = d.tine("predict", d.at / "cut")
    offset = int(re.search(r"byte (\d+):", run.stderr)[1])
    d.check(offset <= (d.at / "cut").stat().st_size, "the offset is inside of the file", run.stderr)


if __name__ == "__main__":
    seed = int(sys.argv[sys.argv.index("--seed") + 1]) if "--seed" in sys.argv else time.time_ns() % 1_000_000
    print(f"--seed {seed}")
    driver = Driver()
    foreign(driver)
    hostile(driver)
    damaged(driver, seed)
    driver.end()
