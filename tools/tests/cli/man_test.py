#!/usr/bin/env python3
"""The man pages: groff accepts them, and they say what --help says. Pages and completion scripts are installed."""

import re
import shutil

from driver import WITHOUT_SPORK, Driver


def formatted(d: Driver, page: str, name: str) -> str:
    """Returns the page as plain text in wide lines."""
    run = d.execute("groff", "-ww", "-man", "-Tutf8", "-P-cbou", "-rLL=400n", "-rHY=0", input=page)
    d.check(run.returncode == 0 and not run.stderr, f"{name}: groff has no warning", run.stderr)
    return " ".join(run.stdout.replace("−", "-").split())


def flat(text: str) -> str:
    return " ".join(text.replace("`", "").split())


def pages(d: Driver) -> None:
    verbs = re.findall(r"^  ([a-z]+) ", d.tine("--help").stdout.split("Subcommands:")[1], re.M)
    d.check({"profile", "ir", "man"} <= set(verbs), "the verbs", verbs)
    d.expect(d.tine("man", "--to", "man1"), 0)
    written = {path.name for path in (d.at / "man1").iterdir()}
    d.check(written == {"tine.1"} | {f"tine-{verb}.1" for verb in verbs}, "a page for each verb", written)
    for verb in [None, *(verb for verb in verbs if not (WITHOUT_SPORK and verb in ("ir", "ml")))]:
        words = [verb] if verb else []
        name = "-".join(["tine", *words])
        run = d.expect(d.tine("man", *words), 0, f".TH {name} 1".replace("-", "\\-"))
        d.check(run.stdout == (d.at / f"man1/{name}.1").read_text(), f"{name}: printed and written are equal")
        if not shutil.which("groff"):
            continue
        text = formatted(d, run.stdout, name)
        said = d.tine(*words, "--help").stdout
        options = set(re.findall(r"(?<=[ ,])--?[a-zA-Z][a-z-]*", said.split("Options:")[1].split("Exit codes")[0]))
        d.check(len(options) > 1 and all(option in text for option in options), f"{name}: has all options", (options, text))
        d.check(flat(said.splitlines()[0]) in text, f"{name}: begins as the help does", (said.splitlines()[0], text))
    if not shutil.which("groff"):
        print("groff is not installed; the pages are not formatted")
        return
    text = formatted(d, d.tine("man", "schedule").stdout, "tine-schedule")
    for part in "tine schedule gantt [OPTION...] FILE", "- only in BEFORE; + only in AFTER", "--depth UINT", "; 16 by default":
        d.check(part in text, f"nested verbs: {part!r}", text)
    text = formatted(d, d.tine("man", "export").stdout, "tine-export")
    d.check("one of cilkscale-csv, collapsed, dot" in text, "the values of an option", text)
    text = formatted(d, d.tine("man", "check").stdout, "tine-check")
    d.check("S∞, the memory held" in text, "letters beyond ASCII", text)
    d.check("--times" not in d.tine("man", "calibrate").stdout.replace("\\-", "-"), "hidden options are hidden")


def installed(d: Driver) -> None:
    """The build's folder has what the command prints, for cmake --install."""
    prefix = d.at / "prefix"
    d.expect(d.execute("cmake", "--install", d.folder, "--component", "tools", "--prefix", prefix), 0)
    files = {"man/man1/tine.1": ("man",), "man/man1/tine-ir.1": ("man", "ir"), "zsh/site-functions/_tine": ("completion", "zsh"),
             "bash-completion/completions/tine": ("completion", "bash"),
             "fish/vendor_completions.d/tine.fish": ("completion", "fish")}
    for file, words in files.items():
        path = prefix / "share" / file
        d.check(path.exists() and path.read_text() == d.tine(*words).stdout, f"share/{file} is installed")


def usage(d: Driver) -> None:
    d.expect(d.tine("man", "reprot"), 2, "reprot", "profile,report")
    d.expect(d.tine("man", "report", "--to", "x"), 2, "excludes")
    d.expect(d.tine("man", "--to", "/dev/null/x"), 2, "tine man: ")


Driver.run(pages, installed, usage)
