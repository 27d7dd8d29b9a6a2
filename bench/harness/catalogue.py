"""The programs, variants and suites that the driver knows."""

from dataclasses import dataclass, field

TREES = ["t1", "t1l", "t1xxl", "t2", "t3", "t3l", "t3xxl", "t4", "t5"]


@dataclass(frozen=True)
class Program:
    """A name on the driver's command line: stands for an executable and its parameters."""

    name: str
    executable: str
    arguments: tuple = ()
    variants: tuple = ()  # "serial" first
    quick: tuple = ()  # arguments of a size that takes some tens of milliseconds; () if there is none
    large: tuple = ()  # arguments of a size beyond the processor's caches; () if there is none, because there is little data
    demo: tuple = ()  # arguments of a size that even OpenMP finishes in seconds; () if that is the usual size

# The rivals' idle threads spin, and on tiny tasks these variants are tens of times slower than the others. libomp on
# several threads, which contend for a lock at every task, is even hundreds of times slower while other processes use
# the processors.
RIVALS = ["std_par_tbb", "tbb", "openmp", "openmp-static", "openmp-tasks"]
SERIAL = ["serial", "serial_stored"]  # variants with one worker
COROUTINES = ["coro", "coro_alloc"]
LOOPS = ["heartbeat", "tuned", "dac"]
SCORES = ["recorded", "relaxed", "record-strict", "coarsened"]
RESUME = ["same_thread", "origin", "finisher"]  # tine::resume_policy
VARIANTS = SERIAL + ["managed", "managed_pair"] + LOOPS + ["std_par_tine"] + COROUTINES + SCORES + RIVALS

_FORKS = ("serial", "managed", "coro", "tbb", "openmp")
_PAIR = ("serial", "managed", "managed_pair", "coro", "tbb", "openmp")
_UTS = ("serial", "serial_stored", "managed", "coro", "coro_alloc", "tbb", "openmp")
_LOOPS = ("serial", "managed", "heartbeat", "tuned", "dac", "tbb", "openmp")
_NO_LOOPS = ("serial", "managed", "heartbeat", "tuned", "tbb", "openmp")
_ALGORITHMS = ("serial", "managed", "heartbeat", "std_par_tine", "std_par_tbb", "tbb", "openmp")
_LARGE = ("--large",)
_PHASES = ("serial", "managed", *SCORES, "openmp-static", "openmp-tasks")

_FORK_JOIN = [
    Program("fib", "fib", variants=_PAIR, quick=("--n", "27"), demo=("--n", "34")),
    Program("nqueens", "nqueens", variants=_LOOPS[:5] + ("coro", "tbb", "openmp"), quick=("--n", "9"), demo=("--n", "12")),
    Program("integrate", "integrate", variants=_PAIR, quick=("--n", "200")),
    Program("skynet", "skynet", variants=_FORKS, quick=("--leaves", "100000")),
    Program("matmul", "matmul", variants=_FORKS, quick=("--n", "256")),
] + [Program(f"uts-{tree}", "uts", ("--tree", tree), variants=_UTS) for tree in TREES]
_PARALLEL_ML = [
    Program("bfs", "bfs", variants=_LOOPS, quick=("--scale", "15"), large=_LARGE),
    Program("bignum-add", "bignum-add", variants=_LOOPS, quick=("--n", "1000000", "--passes", "1"), large=_LARGE),
    Program("delaunay", "delaunay", variants=_NO_LOOPS, quick=("--n", "20000"), large=_LARGE),
    Program("grep", "grep", variants=_LOOPS, quick=("--n", "50000000"), large=_LARGE),
    Program("line-fit", "line-fit", variants=_LOOPS, quick=("--n", "250000", "--passes", "1"), large=_LARGE),
    Program("mandelbrot", "mandelbrot", variants=_LOOPS, quick=("--n", "120")),
    Program("map-heavy", "map-heavy", variants=_LOOPS, quick=("--n", "20000")),
    Program("map-light", "map-light", variants=_LOOPS, quick=("--n", "2000000", "--passes", "1"), large=_LARGE),
    Program("merge-sort", "merge-sort", variants=_LOOPS, quick=("--n", "300000"), large=_LARGE),
    Program("nearest-nbrs", "nearest-nbrs", variants=_LOOPS, quick=("--n", "50000"), large=_LARGE),
    Program("primes", "primes", variants=_LOOPS, quick=("--n", "20000000"), large=_LARGE),
    Program("sparse-mxv", "sparse-mxv", variants=_LOOPS, quick=("--n", "262144", "--passes", "1"), large=_LARGE),
    Program("suffix-array", "suffix-array", variants=_LOOPS, quick=("--n", "100000"), large=_LARGE),
    Program("triangle-count", "triangle-count", variants=_LOOPS, quick=("--scale", "12"), large=_LARGE),
    Program("word-count", "word-count", variants=_LOOPS, quick=("--n", "30000000"), large=_LARGE),
]
_PBBS = [
    Program("comparison-sort", "comparison-sort", variants=_ALGORITHMS, quick=("--n", "100000"), large=_LARGE),
    Program("histogram", "histogram", variants=_ALGORITHMS, quick=("--n", "1000000", "--passes", "1"), large=_LARGE),
    Program("histogram-many", "histogram", ("--bins", "1048576", "--passes", "2"), variants=_ALGORITHMS, quick=("--n", "1000000"), large=_LARGE),
    Program("integer-sort", "integer-sort", variants=_ALGORITHMS, quick=("--n", "200000", "--passes", "1"), large=_LARGE),
    Program("integer-sort-pairs", "integer-sort", ("--items", "pairs"), variants=_ALGORITHMS, quick=("--n", "200000", "--passes", "1"), large=_LARGE),
    Program("maximal-independent-set", "maximal-independent-set", variants=_ALGORITHMS, quick=("--scale", "12"), large=_LARGE),
    Program("maximal-matching", "maximal-matching", variants=_ALGORITHMS, quick=("--scale", "12", "--passes", "1"), large=_LARGE),
    Program("maximal-matching-grid", "maximal-matching", ("--graph", "grid"), variants=_ALGORITHMS, quick=("--scale", "12", "--passes", "1"), large=_LARGE),
    Program("remove-duplicates", "remove-duplicates", variants=_ALGORITHMS, quick=("--n", "200000"), large=_LARGE),
    Program("spanning-forest", "spanning-forest", variants=_ALGORITHMS, quick=("--scale", "12", "--passes", "1"), large=_LARGE),
    Program("spanning-forest-grid", "spanning-forest", ("--graph", "grid"), variants=_ALGORITHMS, quick=("--scale", "12", "--passes", "1"), large=_LARGE),
]
SHAPES = ["triangle-up", "triangle-down", "heavy-first", "heavy-last", "forks", "tiny", "jump-up", "jump-down"]
_IRREGULAR = [Program(shape, "irregular", ("--shape", shape), variants=_LOOPS, quick=("--small",)) for shape in SHAPES]
_LOCALITY = [
    Program("heat", "heat", variants=_PHASES, quick=("--n", "512", "--steps", "20"), large=_LARGE),
    Program("floyd-warshall", "floyd-warshall", variants=_PHASES, quick=("--n", "400"), large=_LARGE),
    Program("cg", "cg", variants=_PHASES, quick=("--class", "S"), large=_LARGE),
    Program("scan", "scan", variants=_PHASES, quick=("--n", "1000000", "--passes", "1"), large=_LARGE),
]
PROGRAMS = {program.name: program for program in _FORK_JOIN + _PARALLEL_ML + _PBBS + _IRREGULAR + _LOCALITY}


@dataclass(frozen=True)
class Suite:
    """A choice of programs, and how long to measure them."""

    programs: list
    repeat: int  # measured runs of each process
    rival_seconds: float  # a rival stops after about this many seconds of runs, if that is sooner
    sizes: str = ""  # which of a program's other sizes to use: "", "quick", "large" or "demo"
    variants: list = field(default_factory=lambda: VARIANTS)
    labels: dict = field(default_factory=dict)  # names of variants in the table, if they differ from their own names


SUITES = {
    "base": Suite(["fib", "nqueens", "integrate", "skynet", "uts-t1", "uts-t3", "matmul"], 9, 20),
    "parallel-ml": Suite(sorted(["nqueens"] + [program.name for program in _PARALLEL_ML]), 7, 20),
    "pbbs": Suite(sorted(["bfs", "delaunay", "nearest-nbrs", "suffix-array"] + [program.name for program in _PBBS]), 7, 20),
    "irregular": Suite(SHAPES, 9, 20),
    "locality": Suite([program.name for program in _LOCALITY], 7, 20),
    "demo": Suite(["fib", "nqueens", "uts-t3"], 7, 4, "demo", ["serial", "managed"] + RIVALS, {"managed": "tine", "tbb": "oneTBB", "openmp": "OpenMP"}),
}
# All programs that have a quick size: for a check of all answers.
SUITES["all"] = Suite([program.name for program in PROGRAMS.values() if program.quick], 1, 5)
QUICK = {"repeat": 3, "rival_seconds": 2.0, "sizes": "quick"}
LARGE = {"repeat": 3, "sizes": "large"}


def arguments(program, sizes):
    """Returns the arguments of a call of the program. A size that the program does not have is its usual size."""
    return list(program.arguments) + list(getattr(program, sizes) if sizes else ())
