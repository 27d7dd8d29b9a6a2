#!/usr/bin/env python3
"""Every subcommand answers files that are no profiles, or were damaged, with a diagnosis, the offset and exit code 2, fast and in
little memory.

Bits are flipped and bytes cut at random; `--seed N` repeats a run."""

import random
import re
import resource
import struct
import zlib

from driver import Driver, seed

TABLES = ["run", "modules", "sites", "callers", "paths", "phases", "roots", "points", "space", "nodes", "samples",
          "race", "race_steps", "races"]
COMMANDS = (["report"], ["predict"], ["whatif"], ["simulate", "--workers", "1,8"], ["check", "--min-parallelism", "1"], ["export", "--to", "pprof"], ["race", "--read"])


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))


def refused(d: Driver, path, *parts: str, commands=COMMANDS) -> None:
    # A sanitizer's shadow memory is larger than any limit.
    bounded = None if d.tine_path.parent.name in ("asan", "tsan") else limited
    for command in commands:
        words = [*command, path] if command[-1] == "--read" else [command[0], path, *command[1:]]
        run = d.expect(d.tine(*words, preexec_fn=bounded), 2, *parts)
        d.check(len(run.stderr.splitlines()) == 1, "one line", run.stderr)
        d.check(not run.stdout, "no result", run.stdout)


def section(number: int, content: bytes) -> bytes:
    tag, length = struct.pack("<I", number), struct.pack("<Q", len(content))
    return tag + struct.pack("<I", zlib.crc32(tag + length + content)) + length + content


def varint(value: int) -> bytes:
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def message(*values: int) -> bytes:
    """The fields 1, 2, … with these numbers."""
    return b"".join(varint(number << 3) + varint(value) for number, value in enumerate(values, 1))


def table(name: str, *rows: bytes) -> bytes:
    number = TABLES.index(name) + 1
    return section(number, b"".join(varint(number << 3 | 2) + varint(len(row)) + row for row in rows))


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
    whole = d.make("full").read_bytes()
    head = whole[:16]
    run = whole[16:32 + struct.unpack("<Q", whole[24:32])[0]]
    d.check(struct.unpack("<I", run[:4])[0] == 1, "the first section is the run", run[:4])
    cases = {
        "huge-length": struct.pack("<II", 5, 0) + struct.pack("<Q", (1 << 64) - 1),
        "huge-row": section(5, varint(5 << 3 | 2) + varint(1 << 60)),
        "endless-number": section(5, b"\xff" * 40),
        "empty-rows": table("nodes", *[b""] * 1000),
        "bad-site": table("paths", message(0, 7, 0, 0, 0)),
        "bad-parent": table("paths", message(1, 0, 0, 0, 0)),
        "bad-phase": table("points", message(0, 9, 0, 0, 0, 0)),
        "bad-children": table("nodes", message(1, 1 << 31, 0, 0, 0, 0)),
        "bad-samples": table("samples", message(1, 0, 0, 0, 7)),
        "bad-step": table("race_steps", message(0, 0, 0, 0, 0), message(3, 0, 0, 0, 0)),
        "endless-steps": table("race_steps", message(1, 0, 0, 0, 0)),
        "bad-construct": table("race_steps", message(0, 0, 9, 0, 0)),
        "bad-race": table("races", message(1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0)),
        "bad-kind": table("races", message(1, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0)),
        "bad-memory": table("races", message(1, 1, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1, 0)),
        "two-totals": table("race", *[message(0, 0, 0, 0, 0) + b"\x32\0"] * 2),
        "bad-text": table("phases", b"\x0a\x7f"),
    }
    for name, bad in cases.items():
        (d.at / name).write_bytes(head + run + bad + section(0, struct.pack("<Q", 2)))
        refused(d, d.at / name, name, "byte ")
    for version, what in ((2, "build the program with this tine"), (4, "use the tine that the program was built with")):
        (d.at / "version").write_bytes(head[:8] + struct.pack("<II", version, 0) + run)
        refused(d, d.at / "version", f"byte 8: the format's version is {version}", what)


def damaged(d: Driver, number: int, kind: str, command: list[str]) -> None:
    whole = d.make(kind).read_bytes()
    dice = random.Random(number)
    for _ in range(40):
        cut = whole[: dice.randrange(len(whole))]
        (d.at / "cut").write_bytes(cut)
        refused(d, d.at / "cut", "byte ", commands=[command])
        flipped = bytearray(whole)
        flipped[dice.randrange(len(whole))] ^= 1 << dice.randrange(8)
        (d.at / "flipped").write_bytes(flipped)
        refused(d, d.at / "flipped", commands=[command])
    run = d.tine("predict", d.at / "cut")
    offset = int(re.search(r"byte (\d+):", run.stderr)[1])
    d.check(offset <= (d.at / "cut").stat().st_size, "the offset is inside of the file", run.stderr)


NUMBER = seed()
Driver.run(foreign, hostile, lambda d: damaged(d, NUMBER, "full", ["predict"]), lambda d: damaged(d, NUMBER, "racy_crash", ["race", "--read"]))
