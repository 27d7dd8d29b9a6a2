#!/usr/bin/env python3
"""Applies the steps of docs/internals/adding-an-analysis.md to copies of the files that they touch.

    apply.py ROOT OUTPUT

A block of code names its file after its language. A block `cpp` is a new file; a block `diff` has hunks, separated by @@, whose lines
without `+` occur exactly once, one after the other, in the file; a line may be cut off at its end. A block `sh` names a file that is
made. Writes only files whose text changes, and `touched`, a list of the files that the guide touches."""

import pathlib
import re
import sys


def write(path: pathlib.Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def patched(text: str, hunk: list[str], where: str) -> str:
    lines = text.split("\n")
    old = [line[1:] for line in hunk if not line.startswith("+")]
    places = [at for at in range(len(lines) - len(old) + 1) if all(lines[at + i].startswith(line) for i, line in enumerate(old))]
    if len(places) != 1:
        raise SystemExit(f"{where}: these lines occur {len(places)} times:\n" + "\n".join(old))
    at = places[0]
    out = []
    for line in hunk:
        if line.startswith("+"):
            out.append(line[1:])
        else:
            out.append(lines[at])
            at += 1
    return "\n".join(lines[:places[0]] + out + lines[at:])


def main() -> None:
    root, output = map(pathlib.Path, sys.argv[1:3])
    texts = {}
    touched = []
    guide = (root / "docs/internals/adding-an-analysis.md").read_text()
    for language, name, body in re.findall(r"^```(cpp|diff|sh)(?: (\S+))?\n(.*?)^```$", guide, re.M | re.S):
        if language == "sh":
            touched += re.findall(r"> (\S+)", body)
            continue
        touched.append(name)
        if language == "cpp":
            texts[name] = body
            continue
        texts[name] = (root / name).read_text()
        for hunk in body.rstrip("\n").split("\n@@\n"):
            texts[name] = patched(texts[name], hunk.split("\n"), name)
    for name, text in texts.items():
        write(output / name, text)
    (output / "touched").write_text("\n".join(touched) + "\n")


if __name__ == "__main__":
    main()
