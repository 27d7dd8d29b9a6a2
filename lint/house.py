"""The numbers and tables of the house. The arrows are the architecture; ARCHITECTURE.md and CONTRIBUTING.md quote them."""

# component -> the components it may include, besides itself
ARROWS = {
    "base": set(),
    "sched": {"base"},
    "sync": {"base", "sched"},
    "managed": {"base", "sched"},
    "coro": {"base", "sched"},
    "algo": {"base", "managed"},
    "pstl": {"base", "sched", "managed", "algo"},
    "c": {"base", "sched", "managed"},
    "trace": {"base"},
    "augment": {"base", "sched", "trace"},
    "replay": {"base", "sched", "trace"},
    "race": {"base", "sched", "augment", "trace"},
    "mpi": {"base", "sched", "managed", "coro"},
    "simulate": {"base", "trace"},
    "report": {"base", "trace", "simulate"},
    "ir": set(),  # Spork IR: it only emits calls to managed/abi.h
    "ml": {"ir"},  # it emits Spork IR
    "cli": {"base", "trace", "simulate", "report"},
    "command": {"base", "ir", "ml", "cli"},  # the program tine-spork has the command line of `tine`
}
# single files that a component may include although their component is closed to it
ALSO = {
    # a change whose halves no exception may separate
    "algo": {"sched/unstoppable.hpp"},
    "ir": {"managed/abi.h", "base/utf8.hpp"},
    # the runtime library tells a collector of stacks, and ends programs as compiled code does
    "ml": {"sched/stack_range.hpp", "managed/abi.h", "base/utf8.hpp"},
    # plain values and constants: the simulator has the same texts and policies as pools
    "simulate": {"sched/topology.hpp", "sched/thief_policy.hpp", "sched/token_bucket.hpp"},
    # `tine calibrate` measures forks and loops; a schedule is a plain value
    "cli": {"augment/augment.hpp", "augment/work_span.hpp", "managed/par.hpp", "managed/par_for.hpp", "replay/journal.hpp", "replay/schedule.hpp",
            "sched/pool.hpp", "sched/pool_defaults.hpp"},
}

MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 60

# Headers that the public ones need, and the texts whose readers must not need them.
DETAIL = "include/tine/detail/"
USER_FILES = ("README.md", "docs/", "examples/", "tests/package/")

# Headers with the names, macros and include guards of another library, in whose place they come.
FOREIGN = ("compat/tbb/include/",)

# Doors for other programs use public headers only, so they have atomics and casts of their own.
DOORS = ("compat/",)

ATOMIC_HEADER = "include/tine/detail/base/atomic.hpp"
ARCHITECTURES = ("include/tine/detail/base/arch/", "src/base/arch/")    # which ATOMIC_HEADER includes
OTHER_ARCHITECTURES = tuple(folder + "aarch64.hpp" for folder in ARCHITECTURES)    # they do not compile on x86-64
MACRO_HEADERS = {"src/base/layout_entry.hpp", "include/tine/base/version.hpp", "include/tine/base/wrappers.hpp", "include/tine/detail/pstl/par_backend.hpp", "include/tine/detail/base/macros.hpp", "include/tine/detail/base/assert.hpp", ATOMIC_HEADER}
# file -> the reason why it may have a reinterpret_cast; the first file has the functions that all others use
CAST_FILES = {
    "include/tine/detail/base/object_at.hpp": "declares the functions, with the reasons why they are defined",
    "spork/ir/codegen/jit.cpp": "spork includes nothing of base; LLVM takes and returns addresses of functions as numbers",
    "spork/ml/runtime/process.cpp": "a table of functions of different types, for a compiler in this process",
    "tools/cli/formats/pprof.cpp": "zlib takes characters as unsigned char",
}
# Headers that public headers do not include; algorithms call users' functions by std::invoke, and have a budget of
# their own. tine/mpi.hpp includes mpi.h and most of the library; the lock of a result is the least of it.
SLOW_INCLUDES_ALLOWED = {"functional": ("include/tine/algo/", "include/tine/detail/algo/", "include/tine/detail/pstl/"),
                         "mutex": ("include/tine/detail/mpi/",)}
SLOW_INCLUDES = {"thread", "mutex", "functional", "iostream", "chrono", "condition_variable", "future", "regex"}

FORBIDDEN_NAMES = {"core", "common", "misc", "util", "utils", "helper", "helpers", "manager", "batteries"}

FORMATTER, FORMATTER_VERSION = "clang-format-19", 19
COMPILER = "clang++-19"
# header -> the most nodes (types, declarations, statements, expressions) in the syntax tree of a file that includes
# only it. A count is equal on every machine. The 317,535 nodes of tine.hpp took less than 0.5 s on one machine and 0.76
# s on another; a pattern stands for each header that matches.
MAX_INCLUDE_NODES = {"include/tine/tine.hpp": 330_000, "include/tine/algo.hpp": 660_000, "include/tine/algo/*.hpp": 480_000}

WAY = "docs/internals/way-of-a-fork.md"
MAX_STOPS = 8

# The share of a file's sentences that may have no acting subject: what rayon-core, oneTBB and libfork have.
MAX_VAGUE_SHARE = 0.005

# The voice: the most words of a sentence, and the column at which comments end (the ColumnLimit of .clang-format).
MAX_SENTENCE_WORDS = 35
MAX_COLUMN = 120
ROOT_FILES = {".clang-format", ".clang-tidy", ".gitattributes", ".gitignore", "ARCHITECTURE.md", "CHANGELOG.md", "CMakeLists.txt",
              "CMakePresets.json", "CONTRIBUTING.md", "LICENSE", "README.md", "dev"}

GLOSSARY = "docs/internals/glossary.md"
# A word that the code used once -> the term that it uses now. A word is a regular expression, in which a space is an
# underscore, too.
RETIRED_WORDS = {
    "watch(?:es|ed|ing)?|unwatched": "observer, observed",
    "doorbells?|bells?": "work request",
    "rung": "requested",
    "answer_bell|answer_doorbell": "acknowledge",
    "attends?": "request_work",
    "robs?|rob_kept": "steal",
    "left_behind|left behind": "orphaned task",
    "unoffered": "unpromoted",
    "gives? away|given away": "promote, place, fork",
    "takes? back|taken back|took back|taking back": "reclaim",
    "owes?|debts?": "unserved request; token deficit",
    "naps?|beds?": "timed park; parker",
    "last looks?": "pre-sleep check",
    "guests?|hosts?|strangers?": "external thread; target; thread outside of the pool",
    "seats?": "slot",
    "goes home|go home|sent home|way home|send_home|homes_": "resume on the origin worker",
    "rendezvous": "join counter",
    "may_go_on|go_on|goes_on": "may_resume_here, resume, continue",
    "watch_directions|is_given|give_piece": "placer, placed, place",
    "asked_profile": "profile_request",
    "wanted_cuts|wanted_owner|forget_wanted|hint_owner|hint_cuts|wanted_pieces|submit_wanted": "placement hint",
    "begin_rest|end_rest": "set_blocked",
    "brief loops?|is_brief": "short loop, short task",
    "whole loops?|begin_whole|end_whole": "unsplit loop",
    "loop_part|max_parts|promote_part|stop_all_parts|stop_later_parts": "promoted subrange",
    "pace|laps?": "adaptive chunk size; record_chunk",
    "alone_events": "single-observer fast path",
    "unborn": "manual_lifetime",
    "trails?": "shared path",
    "ceilings?|watermarks?": "promotion limit",
    "heirs?": "direct handoff",
    "strand words?": "fiber-local words",
    "heeds?": "follow (a placement hint)",
    "nobody_listens|tine::nobody|schedule::nobody": "any_worker, no_worker",
    "is_closed": "unstealable",
    "nowhere": "unread records",
    "deaf": "ignore_signals_scope, bypassed",
    "not_met|unusable": "limit_exceeded, usage_error",
    "rooms?": "component; space",
}

TIDY, TIDY_VERSION = "clang-tidy-19", 19
# The components of the library, which clang-tidy checks in every run of lint; ./dev tidy checks all files.
LIBRARY = ("algo", "augment", "c", "coro", "mpi", "race", "replay", "sched", "managed", "sync", "pstl", "trace", "base")
# A component whose headers come after one that is included before everything else, and that one.
PRE_INCLUDED = {"pstl": "tine/pstl.hpp"}
