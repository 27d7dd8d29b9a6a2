"""Programs of Parallel ML on Poly/ML: the oracle of the tests of `tine ml`.

`Poly()` compiles poly/basis.sml and shared.sml, which make Poly/ML's basis that of Parallel ML, once into a saved state in a temporary folder. `run` then runs
many programs in one process.
"""

import pathlib
import re
import subprocess
import tempfile
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
# The tokens around integers. Comments are skipped by hand, since they nest.
TOKEN = re.compile(
    r"""(?P<text>\#?"(?:[^"\\\n]|\\(?:[ \t\r\n\f]+\\|\^.|[^ \t\r\n\f]))*")"""
    r"""|(?P<comment>\(\*)|(?P<selector>\#[ ]*[0-9]+)|(?P<fixity>\binfixr?\s+[0-9])"""
    r"""|(?P<word>0wx?[0-9a-fA-F]+)|(?P<real>~?[0-9]+(?:\.[0-9]+(?:[eE]~?[0-9]+)?|[eE]~?[0-9]+))"""
    r"""|(?P<label>[{,]\s*[1-9][0-9]*\s*(?==[^=>])|[{,]\s*[1-9][0-9]*\s*(?=:[^:=>]))"""
    r"""|(?P<int>~?0x[0-9a-fA-F]+|~?[0-9]+)|(?P<name>[A-Za-z'][A-Za-z0-9_']*)|(?P<symbol>[!%&$#+\-/:<=>?@\\~`^|*]+)""", re.S)


def behind_comment(text: str, at: int) -> int:
    depth = 0
    for match in re.compile(r"\(\*|\*\)").finditer(text, at):
        depth += 1 if match[0] == "(*" else -1
        if depth == 0:
            return match.end()
    return len(text)


def annotated(text: str) -> str:
    """Returns the program with a type at each integer: Poly/ML would take its own int for those whose type is open.
    It takes no bytes above 127 in strings, so these are escaped."""
    parts, at = [], 0
    while match := TOKEN.search(text, at):
        parts.append(text[at:match.start()])
        at = match.end()
        if match.lastgroup == "comment":
            at = behind_comment(text, match.start())
        elif match.lastgroup == "int":
            parts.append(f"({match[0]}:int'64)")
            continue
        elif match.lastgroup == "text" and not match[0].isascii():
            parts.append("".join(chr(b) if b < 128 else f"\\{b}" for b in match[0].encode("utf-8", "surrogateescape")))
            continue
        parts.append(text[match.start():at])
    return "".join(parts) + text[at:]


@dataclass
class Program:
    text: str
    arguments: list[str] = field(default_factory=list)
    standard_input: str = ""


@dataclass
class Result:
    """The result of a run. `ending` is `ok`, `exit N`, `exception NAME`, `rejected`, `timeout`, or `crashed`, if Poly/ML's compiler fails."""
    ending: str
    output: str = ""
    messages: str = ""


class Poly:
    def __init__(self, folder: pathlib.Path | None = None, basis: str = "basis"):
        """`basis` is "basis", or "native" for measurements."""
        self.kept = None if folder else tempfile.TemporaryDirectory(prefix="poly-ml-")
        self.folder = folder or pathlib.Path(self.kept.name)
        self.state = self.folder / "basis.state"
        lines = [f'use "{HERE}/poly/{name}.sml";' for name in (basis, "shared", "batch")] + [f'PolyML.SaveState.saveState "{self.state}";']
        done = subprocess.run(["poly", "-q", "--error-exit"], input="\n".join(lines), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"Poly/ML does not take its basis:\n{done.stdout}{done.stderr}")

    def run(self, programs: list[Program], seconds: float = 20, work: pathlib.Path | None = None) -> list[Result]:
        """Runs the programs in the folder `work`, or in a temporary one. Each may take some seconds; those with input have a process alone."""
        with tempfile.TemporaryDirectory(prefix="poly-run-", dir=self.folder) as temporary:
            files = []
            for number, program in enumerate(programs):
                files.append(pathlib.Path(temporary, f"{number}.sml"))
                files[-1].write_text(annotated(program.text), encoding="utf-8", errors="surrogateescape")
                if program.arguments:
                    pathlib.Path(f"{files[-1]}.args").write_text("\n".join(program.arguments))
            open_ones = [f for f, program in zip(files, programs) if not program.standard_input]
            while open_ones:
                self.batch(open_ones, "", seconds * len(open_ones), work or pathlib.Path(temporary))
                open_ones = [f for f in open_ones if not pathlib.Path(f"{f}.end").exists()][1:]  # the first one is not finished
            for file, program in zip(files, programs):
                if program.standard_input:
                    self.batch([file], program.standard_input, seconds, work or pathlib.Path(temporary))
            return [self.result(file) for file in files]

    def batch(self, files: list[pathlib.Path], standard_input: str, seconds: float, work: pathlib.Path):
        calls = "".join(f'val () = Batch.program "{file}";\n' for file in files)
        script = files[0].with_suffix(".batch")
        script.write_text(f'PolyML.SaveState.loadState "{self.state}";\n{calls}')
        try:
            subprocess.run(["poly", "-q", "--script", str(script)], input=standard_input.encode(), capture_output=True, timeout=seconds, check=False, cwd=work)
        except subprocess.TimeoutExpired:
            pass

    @staticmethod
    def result(file: pathlib.Path) -> Result:
        end = pathlib.Path(f"{file}.end")
        if not end.exists():
            return Result("timeout")
        ending, _, messages = end.read_text(errors="surrogateescape").partition("\n")
        return Result("ok" if ending == "exit 0" else ending, pathlib.Path(f"{file}.out").read_text(errors="surrogateescape"), messages)
