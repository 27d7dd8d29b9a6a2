"""Commands of gdb for programs that use tine; docs/reference/debugging.md is their manual.

    info tine workers     the workers of all pools, and what each of them does
    info tine strands     all strands: running, suspended and queued
    tine bt [N]           the logical backtrace of this thread's strand, or of strand N
    tine strand N | off   selects the native frames of the suspended strand N for bt, up and info locals

The script reads memory only: it works on core files. It needs no debug information of the library, which describes itself by the
object `tine_debugger` (src/sched/debugger_layout.cpp). All memory may be damaged: each walk has a bound, and a word that cannot be read
ends a command with a message."""

# CMake joins the parts, in this order, because gdb loads one text: layout.py, names.py, state.py, frames.py, trace.py,
# commands.py, backtrace.py. They share one namespace.
import bisect
import re
import struct

import gdb
import gdb.FrameDecorator
import gdb.unwinder

VERSION = 1
MOST_ITEMS = 1_000_000  # of any list in memory
MOST_FRAMES = 100_000  # of one fiber, that are looked at
MOST_SHOWN = 200  # frames of one fiber that `tine bt` prints: the newest and the oldest half
MOST_STRANDS_OF_TRACE = 1_000
PARTS_OF_TINE = re.compile(r"/tine/(detail|managed|sched|coro|base|sync|algo|augment|replay|race|mpi)/|/src/(sched|coro|base|managed|sync|augment|replay)/|/c\+\+/")
SCHEDULER = re.compile(r"tine::|std::|_ZNK?4tine|_ZNK?St|boost::context|make_fcontext|jump_fcontext|switch_context")
LIBRARY = re.compile(r"/libtine(_\w+)?\.so|/libboost_context\.so")
# The functions of tine by which a fork or a loop is recognised among native frames. gdb 13 does not demangle all names
# of clang's.
USUAL_PATH = re.compile(r"tine::detail::usual_path<|4tine6detail10usual_pathI")
SECOND_BRANCH = re.compile(r"ways.*(::|\d)(unpromoted|reclaimed|stolen|here)(\b|E)")  # runs when the record is gone
LOOP = re.compile(r"tine::detail::run_registered<|4tine6detail14run_registeredI")


class Damaged(Exception):
    """Memory that does not hold what it should."""


def memory(at, count):
    try:
        return bytes(gdb.selected_inferior().read_memory(at, count))
    except (gdb.MemoryError, OverflowError, ValueError):
        raise Damaged(f"the memory at {at:#x} cannot be read") from None


def word(at):
    return struct.unpack("<Q", memory(at, 8))[0]


def quad(at):
    return struct.unpack("<I", memory(at, 4))[0]


class Layout:
    """The tables of the library: offsets and constants by name."""

    def __init__(self):
        try:
            at = int(gdb.parse_and_eval("&tine_debugger"))
        except gdb.error:
            raise gdb.GdbError("no pool: the program does not use tine, or its symbols have been removed, or the library is not loaded yet") from None
        try:
            head = memory(at, 48)
        except Damaged:
            raise gdb.GdbError("no pool: the program does not run, and there is no core file") from None
        magic, version, scheduler, coroutines, self.fibers, self.pools = struct.unpack("<8s5Q", head)
        if magic != b"tine-dbg":
            raise gdb.GdbError(f"tine: the object tine_debugger at {at:#x} is damaged, or the program has not run its constructors yet")
        if scheduler == 0:  # lld leaves the addresses of a position-independent program to the loader
            raise gdb.GdbError("no pool: the program does not run, and there is no core file")
        if version != VERSION:
            raise gdb.GdbError(f"tine: this script is for layout {VERSION}, the program's tine has layout {version}: use the script of that tine")
        self.values = {}
        for table in (scheduler, coroutines):
            for i in range(1000):
                name, value = struct.unpack("<40sQ", memory(table + 48 * i, 48))
                name = name.split(b"\0")[0].decode(errors="replace")
                if not name:
                    break
                self.values[name] = value

    def __getitem__(self, name):
        try:
            return self.values[name]
        except KeyError:
            raise Damaged(f"the library's table has no entry {name}") from None
