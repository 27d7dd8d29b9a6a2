#!/usr/bin/env python3
"""Compiles and runs the C++ of the pages for users, and compares what the programs print with the pages.

    pages_test.py ROOT WORK LIBRARIES -- COMPILER... -- FLAGS...

The pages are README.md, docs/features.md and docs/guide/*.md. Each block `cpp` of a page is one of these:

- A block with `int main`, its last function, is a program: it is compiled and run. A block `text` is the output of each program between it and the heading
  or block `text` before it. `…` stands for any characters of a line.
- A block behind the comment `<!-- compile -->` holds declarations; behind `<!-- compile: BEFORE ... AFTER -->` it holds statements, with the
  code BEFORE and AFTER around them. Both may begin with lines `#include`. If AFTER has `check(condition)`, the statements are run.
  `<!-- compile: as above -->` repeats the code of the comment before.
- A block behind `<!-- not compiled: REASON -->` is left alone.

All blocks that run are compiled as four sources, those of docs/guide/migrating.md with OpenMP, those of docs/guide/many-machines.md with Open MPI, those of
docs/guide/onetbb.md with compat/tbb, and all others. TINE_MPI_LIBRARY is libtine_mpi; without it the page about MPI is left out."""

import concurrent.futures
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import time

PAGES = ("README.md", "docs/features.md", "docs/guide/*.md")
RIVALS = "docs/guide/migrating.md"  # the page that also compiles other libraries
MPI = "docs/guide/many-machines.md"  # the page whose programs need MPI
ONETBB = "docs/guide/onetbb.md"  # the page whose programs use oneTBB's headers on tine
SECONDS = 20  # that a program may take
FENCE = re.compile(
    r"^(?P<heading>#+ [^\n]*)$|"
    r"(?:^<!-- (?P<mark>compile|not compiled)(?:: (?P<code>(?:(?!-->).)*?))? -->\n)?"
    r"^```(?P<language>\w*)[^\n]*\n(?P<text>.*?)^```$", re.M | re.S)
BEGIN = """#include <tine/tine.hpp>
#include <cstdio>
#include <cstdlib>
[[maybe_unused]] static void check(bool holds) {
  if (!holds) std::exit((std::puts("a check of the page failed"), 1));
}
"""
# A program is compiled with others, whose includes it sees. So a name needs its header in the program itself.
HEADERS = {"std::vector": "vector", "std::printf": "cstdio", "std::puts": "cstdio", "std::string": "string", "std::mutex": "mutex",
           "std::atomic": "atomic", "std::thread": "thread", "std::jthread": "thread", "std::plus": "functional", "std::ref": "functional",
           "std::sort": "algorithm", "std::max": "algorithm", "std::min": "algorithm", "std::swap_ranges": "algorithm",
           "std::chrono": "chrono", "std::runtime_error": "stdexcept", "std::unique_ptr": "memory", "std::map": "map",
           "std::async": "future", "std::future": "future", "std::stop_source": "stop_token", "std::iota": "numeric",
           "std::optional": "optional", "std::sqrt": "cmath", "std::sin": "cmath", "std::size_t": "cstddef",
           "tbb::": "oneapi/tbb.h", "tine::run_stoppable": "tine/stop.hpp", "tine::run_until_stopped": "tine/stop.hpp",
           "tine::augment": "tine/augment.hpp", "tine::work_span": "tine/augment.hpp", "tine::record": "tine/replay.hpp",
           "tine::replay": "tine/replay.hpp", "tine::schedule": "tine/replay.hpp", "tine::mpi": "tine/mpi.hpp"}
DOORS = {"tine/coro.hpp": ("tine/tine.hpp",), "tine/managed.hpp": ("tine/tine.hpp",),
         "oneapi/tbb.h": ("tbb/parallel_for.h", "tbb/parallel_reduce.h")}
ROOT = pathlib.Path(__file__).resolve().parents[2]
failures = []


@dataclasses.dataclass
class Block:
    page: str
    line: int  # of its first line of code
    text: str
    before: str = ""
    after: str = ""
    is_program: bool = False
    is_declaration: bool = False
    output: str | None = None

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def runs(self) -> bool:
        return self.is_program or "check(" in self.after


def blocks_of(page: str, text: str) -> list[Block]:
    found, waiting, context = [], [], None
    for match in FENCE.finditer(text):
        if match["heading"]:
            waiting = []
        elif match["language"] == "text":
            for block in waiting:
                block.output = match["text"]
            waiting = []
        elif match["language"] == "cpp":
            block = Block(page, text.count("\n", 0, match.start("text")) + 1, match["text"])
            if match["mark"] == "not compiled":
                continue
            if re.search(r"^int main\(", block.text, re.M):
                block.is_program = True
                waiting.append(block)
            elif match["mark"] is None:
                failures.append(f"{block.place}: the block has no main and no comment `compile` or `not compiled`")
                continue
            elif match["code"] is None:
                block.is_declaration = True
            else:
                context = match["code"] if match["code"] != "as above" else context
                block.before, _, block.after = context.partition("...")
            found.append(block)
    return found


def check_includes(block: Block) -> None:
    given = set(re.findall(r"^#include [<\"]([^>\"]+)", block.text, re.M))
    for door, behind in DOORS.items():
        if given & set(behind):
            given.add(door)
    for name, header in HEADERS.items():
        if re.search(rf"(?<![\w:]){re.escape(name)}(?!\w)", block.text) and header not in given:
            failures.append(f"{block.place}: the program uses {name}, but does not include <{header}>")


def split_includes(text: str) -> tuple[list[str], str]:
    """Returns the includes of a text, and the text with an empty line in place of each."""
    return re.findall(r"^#include .*$", text, re.M), re.sub(r"^#include .*$", "", text, flags=re.M)


def source_of(blocks: list[Block]) -> str:
    includes, bodies, cases = [], [], []
    for number, block in enumerate(blocks):
        around, before = split_includes(block.before)
        inside, text = split_includes(block.text)
        includes += around + inside
        text = f'#line {block.line} "{block.page}"\n{text}'
        if block.is_program:
            end = text.rindex("}")  # of main, which is the last function
            text = re.sub(r"^int main\(\)", "int run()", text[:end] + " return 0; " + text[end:], count=1, flags=re.M)
        elif not block.is_declaration:
            text = f"int run() {{\n{before}\n{text}\n#line {block.line} \"{block.page}\"\n{block.after}\nreturn 0; }}\n"
        bodies.append(f"namespace block_{number} {{\n{text}\n}}\n")
        cases.append(f"    case {number}: return block_{number}::run();\n")
    main = ""
    if blocks and all(block.runs for block in blocks):
        main = f"int main(int, char** words) {{\n  switch (std::atoi(words[1])) {{\n{''.join(cases)}  }}\n  return 100;\n}}\n"
    return BEGIN + "\n".join(dict.fromkeys(includes)) + "\n" + "".join(bodies) + main


def run(words: list, **options) -> tuple[int, str]:
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    return done.returncode, done.stdout


def pkg_config(what: str) -> list[str]:
    return run(["pkg-config", what, "ompi"])[1].split() + ["-DOMPI_SKIP_MPICXX"] * (what == "--cflags")


def compile_all(parts: dict, work: pathlib.Path, compiler: list, flags: list, libraries: list) -> None:
    def one(name: str) -> None:
        source = work / f"{name}.cpp"
        source.write_text(source_of(parts[name]))
        words = [*compiler, "-std=c++20", "-O0", "-g0", "-Wall", "-Wextra", "-Werror", *flags]
        if name == "rivals":
            words += ["-fopenmp"]
        if name == "onetbb":
            words += [f"-I{ROOT}/compat/tbb/include"]
        if name.startswith("mpi"):
            words += pkg_config("--cflags")
        if name.endswith("declarations"):
            status, output = run([*words, "-Wno-unused", "-fsyntax-only", source])
        else:
            status, output = run([*words, "-c", source, "-o", work / f"{name}.o"])
            if status == 0:
                more = {"rivals": ["-fopenmp", "-ltbb"], "mpi": pkg_config("--libs")}.get(name, [])
                first = [os.environ["TINE_MPI_LIBRARY"]] if name == "mpi" else []
                status, output = run([compiler[-1], *flags, work / f"{name}.o", "-o", work / name, *first, *libraries, *more])
        if status != 0:
            failures.append(f"{source} does not compile:\n{output}")

    with concurrent.futures.ThreadPoolExecutor(2) as both:
        list(both.map(one, [name for name in parts if parts[name]]))


def agrees(printed: str, page: str) -> bool:
    pattern = re.escape(page.rstrip("\n")).replace("…", "[^\n]*")
    return re.fullmatch(pattern, printed.rstrip("\n")) is not None


def run_block(program: pathlib.Path, number: int, block: Block) -> None:
    words = {**os.environ, "TINE_NUM_THREADS": "4", "OMP_NUM_THREADS": "4"}
    try:
        status, printed = run([program, number], env=words, timeout=SECONDS, cwd=program.parent)
    except subprocess.TimeoutExpired:
        failures.append(f"{block.place}: the code does not end within {SECONDS} s")
        return
    if status != 0:
        failures.append(f"{block.place}: exit code {status}\n{printed}")
    elif block.output is not None and not agrees(printed, block.output):
        failures.append(f"{block.place}: the page shows\n{block.output}but the program prints\n{printed}")


def main() -> None:
    root, work = map(pathlib.Path, sys.argv[1:3])
    rest = sys.argv[3:]
    libraries, rest = rest[:rest.index("--")], rest[rest.index("--") + 1:]
    compiler, flags = rest[:rest.index("--")], rest[rest.index("--") + 1:]
    work.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    blocks = []
    for pattern in PAGES:
        for path in sorted(root.glob(pattern)):
            blocks += blocks_of(path.relative_to(root).as_posix(), path.read_text())
    for block in blocks:
        if block.is_program:
            check_includes(block)
    parts = {"rivals": [b for b in blocks if b.runs and b.page == RIVALS],
             "mpi": [b for b in blocks if b.runs and b.page == MPI],
             "onetbb": [b for b in blocks if b.runs and b.page == ONETBB],
             "programs": [b for b in blocks if b.runs and b.page not in (RIVALS, MPI, ONETBB)],
             "declarations": [b for b in blocks if not b.runs and b.page != MPI],
             "mpi declarations": [b for b in blocks if not b.runs and b.page == MPI]}
    if "TINE_MPI_LIBRARY" not in os.environ:
        parts["mpi"] = parts["mpi declarations"] = []
    compile_all(parts, work, compiler, flags, libraries)
    compiled = time.monotonic()
    if not failures:
        for name in ("rivals", "mpi", "onetbb", "programs"):
            for number, block in enumerate(parts[name]):
                run_block(work / name, number, block)
    print(f"{len(blocks)} blocks; compiled in {compiled - begin:.0f} s, run in {time.monotonic() - compiled:.0f} s")
    for failure in failures:
        print(f"failed: {failure}")
    print(f"{max(0, len(blocks) - len(failures))} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
