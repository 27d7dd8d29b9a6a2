"""The numbers and tables of the house. The arrows are the architecture; ARCHITECTURE.md and CONTRIBUTING.md quote them."""

# component -> the components it may include, besides itself
ARROWS = {
    "base": set(),
    "sched": {"base"},
    "managed": {"base", "sched"},
    "coro": {"base", "sched"},
    "algo": {"base", "managed"},
    "trace": {"base"},
    "augment": {"base", "sched", "trace"},
    "replay": {"base", "sched", "trace"},
    "report": {"base", "trace"},
    "spork": set(),  # it only emits calls to managed/abi.h
    "cli": {"base", "trace", "report", "spork"},
}
# single files that a component may include although their component is closed to it
ALSO = {
    "spork": {"managed/abi.h"},
    # `tine calibrate` measures forks and loops; a schedule is a plain value
    "cli": {"augment/augment.hpp", "augment/work_span.hpp", "managed/par.hpp", "managed/par_for.hpp", "replay/schedule.hpp",
            "sched/pool.hpp"},
}

MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 60

ATOMIC_HEADER = "include/tine/base/atomic.hpp"
MACRO_HEADERS = {"include/tine/base/config.hpp", "include/tine/base/assert.hpp", ATOMIC_HEADER}
SLOW_INCLUDES = {"thread", "mutex", "functional", "iostream", "chrono", "condition_variable", "future", "regex"}

FORBIDDEN_NAMES = {"core", "common", "misc", "util", "utils", "helper", "helpers", "manager", "batteries"}

FORMATTER, FORMATTER_VERSION = "clang-format-19", 19
COMPILER = "clang++-19"
MAIN_HEADER = "include/tine/tine.hpp"
MAX_INCLUDE_SECONDS = 0.5

WAY = "docs/way-of-a-fork.md"
MAX_STOPS = 8
MAX_WAY_LINES = 300

# The share of a file's sentences that may have no acting subject: what rayon-core, oneTBB and libfork have.
MAX_VAGUE_SHARE = 0.005

GLOSSARY = "docs/glossary.md"
# A word that the code used once -> the term that it uses now. A word is a regular expression.
RETIRED_WORDS = {
    "doorbells?": "work request",
    "rung": "requested",
    "watched": "observed",
    "unborn": "manual_lifetime",
    "rendezvous": "join counter",
    "robs?": "steal",
    "naps?": "timed park",
    "brief loops?|brief_loops?": "short loop",
    "ceiling": "watermark",
    "goes home|go home|sent home|way home": "resume on the origin worker",
}
