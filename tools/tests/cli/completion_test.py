#!/usr/bin/env python3
"""The completion scripts, in the shells that are installed; `./dev test` installs all three."""

import os
import pty
import shutil
import time

from driver import PATIENCE, WITHOUT_SPORK, Driver

VERBS = {"profile", "race", "doctor", "omp", "report", "diff", "check", "export", "predict", "whatif", "simulate", "calibrate", "schedule", "perturb", "topology", "ir", "ml", "completion", "man"}
FORMATS = {"cilkscale-csv", "collapsed", "dot", "perfetto", "pprof", "speedscope"}

# words before the cursor, the word at it, and the completions; bash gets --option=value as three words
CASES = (
    ((), "", VERBS),
    ((), "sch", {"schedule"}),
    ((), "--vers", {"--version"}),
    (("--color", "never"), "rep", {"report"}),
    (("schedule",), "", {"show", "gantt", "diff", "export"}),
    (("export", "--to"), "", FORMATS),
    (("schedule", "export", "--to"), "", {"dot", "perfetto"}),
    (("export", "--to"), "p", {"perfetto", "pprof"}),
    (("report",), "--htm", {"--html"}),
    (("completion",), "", {"bash", "fish", "zsh"}),
    (("man",), "top", {"topology"}),
    (("report",), "some", {"some file.profile"}),
    (("schedule", "gantt", "x.json", "-o"), "some", {"some file.profile"}),
    (("report", "--sites"), "", set()),
    (("profile", "-o", "x", "--"), "./some", {"./some file.profile"}),
)
IN_ZSH = (
    ("tine sch", "tine schedule "), ("tine schedule ga", "tine schedule gantt "), ("tine --color=alw", "tine --color=always "),
    ("tine --color never rep", "tine --color never report "), ("tine export --to=pe", "tine export --to=perfetto "),
    ("tine export --to pe", "tine export --to perfetto "), ("tine completion f", "tine completion fish "),
    ("tine report some", "tine report some\\ file.profile "), ("tine man top", "tine man topology "),
    ("tine schedule gantt -o so", "tine schedule gantt -o some\\ file.profile "),
)
if not WITHOUT_SPORK:
    CASES += ((("ir",), "ex", {"explore"}), (("ir", "run"), "--ma", {"--max-steps"}),
              (("ir", "run", "--engine"), "", {"interpret", "elide", "jit"}))
    IN_ZSH += (("tine ir expl", "tine ir explore "), ("tine ir run --ma", "tine ir run --max-steps="))


def script(d: Driver, shell: str) -> str:
    return d.write(f"tine.{shell}", d.expect(d.tine("completion", shell), 0).stdout).read_text()


def in_shell(d: Driver, *words: str) -> set[str]:
    run = d.execute(*words, env={"HOME": d.at, "PATH": f"{d.folder}:{os.environ['PATH']}"})
    d.check(run.returncode == 0 and not run.stderr, f"{words[0]} accepts the script", run)
    return set(run.stdout.splitlines())


def bash(d: Driver) -> None:
    script(d, "bash")
    ask = 'source tine.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tine; (( ${#COMPREPLY[@]} == 0 )) || printf "%s\\n" "${COMPREPLY[@]}"'
    for before, word, expected in CASES:
        found = in_shell(d, "bash", "-c", ask, "bash", "tine", *before, word)
        d.check(found == expected, f"bash: {before} {word!r}", found)
    for words in (["export", "--to", "="], ["export", "--to", "=", ""]):
        d.check(in_shell(d, "bash", "-c", ask, "bash", "tine", *words) == FORMATS, f"bash: {words}")
    found = in_shell(d, "bash", "-c", ask, "bash", "tine", "export", "--to", "=", "pp")
    d.check(found == {"pprof"}, "bash: a value after =", found)
    found = in_shell(d, "bash", "-c", "source tine.bash; complete -p tine")
    d.check(found == {"complete -F _tine tine"}, "bash knows the function", found)


def fish(d: Driver) -> None:
    script(d, "fish")
    for before, word, expected in CASES:
        if "/" in word:
            continue  # fish offers the same file under another spelling
        line = " ".join(("tine", *before, word))
        found = {candidate.split("\t")[0] for candidate in in_shell(d, "fish", "-c", "source tine.fish; complete -C $argv[1]", line)}
        d.check(found == expected, f"fish: {line!r}", found)


def typed_in_zsh(terminal: int, out, line: str) -> str:
    """Types a line with a tabulator at its end, and returns what the line has become."""
    out.unlink(missing_ok=True)
    os.write(terminal, f"{line}\t\x18\x02".encode())
    end = time.monotonic() + PATIENCE
    while not (out.exists() and out.read_text().endswith("\n")) and time.monotonic() < end:
        time.sleep(0.02)
    return out.read_text().rstrip("\n") if out.exists() else ""


def zsh(d: Driver) -> None:
    (d.at / "_tine").write_text(script(d, "zsh"))
    in_shell(d, "zsh", "-n", "_tine")
    (d.at / ".zshrc").write_text(
        f"fpath=({d.at} $fpath); autoload -Uz compinit; compinit -u -d {d.at}/dump; setopt no_beep no_auto_menu no_auto_list\n"
        f"tell() {{ print -r -- \"$BUFFER\" >| {d.at}/line; BUFFER= }}; zle -N tell; bindkey '^X^B' tell\n")
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(d.at)
        os.execvpe("zsh", ["zsh", "-i"], {"HOME": str(d.at), "ZDOTDIR": str(d.at), "TERM": "dumb", "PATH": os.environ["PATH"]})
    for line, expected in IN_ZSH:
        found = typed_in_zsh(terminal, d.at / "line", line)
        d.check(found.rstrip() == expected.rstrip(), f"zsh: {line!r}", found)
    os.write(terminal, b"exit\n")
    os.close(terminal)
    os.waitpid(child, 0)


if __name__ == "__main__":
    driver = Driver()
    (driver.at / "some file.profile").touch()
    for shell in bash, fish, zsh:
        if shutil.which(shell.__name__):
            shell(driver)
        else:
            print(f"{shell.__name__} is not installed; its script is not tested")
    driver.expect(driver.tine("completion", "csh"), 2, "bash,fish,zsh")
    driver.end()
