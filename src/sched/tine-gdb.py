"""Commands of gdb for programs that use tine; docs/debugging.md is their manual.

    info tine workers     the workers of all pools, and what each of them does
    info tine strands     all strands: running, suspended and queued
    tine bt [N]           the logical backtrace of this thread's strand, or of strand N
    tine strand N | off   selects the native frames of the suspended strand N for bt, up and info locals

The script reads memory only: it works on core files. It needs no debug information of the library, which describes itself by the
object `tine_debugger` (src/sched/debugger_layout.cpp). All memory may be damaged: each walk has a bound, and a word that cannot be read
ends a command with a message."""

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
# The functions of tine by which a fork or a loop is recognised among native frames. gdb 13 does not demangle all names of clang's.
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


# ---------------------------------------------------------------------------------------------------------------------
# Names of code.

symbols = {}


def symbol(at):
    """The symbol of the code at an address, without the offset and the module."""
    if at not in symbols:
        try:
            text = gdb.execute(f"info symbol {at:#x}", to_string=True).strip()
        except gdb.error:
            text = ""
        text = re.sub(r" in section \S+( of .*)?$", "", text)
        symbols[at] = "" if text.startswith("No symbol") else re.sub(r" \+ \d+$", "", text)
    return symbols[at]


def place(at):
    """`file:line` of the code, or an empty text."""
    try:
        sal = gdb.find_pc_line(at)
    except gdb.error:
        return ""
    return f"{sal.symtab.filename}:{sal.line}" if sal.symtab is not None and sal.line else ""


def is_of_tine(filename):
    return PARTS_OF_TINE.search("/" + filename) is not None


places = {}


def place_of_body(at):
    """`file:line` of the first code of the program in a function of tine's, which is an instance of a template."""
    if at not in places:
        places[at] = ""
        try:
            places[at] = found_place_of_body(at)
        except gdb.error:
            pass  # no code
    return places[at]


def found_place_of_body(at):
    block = gdb.block_for_pc(at)
    while block is not None and block.superblock is not None and not block.superblock.is_static and not block.superblock.is_global:
        block = block.superblock  # out of inlined functions
    pc, end = at, min(block.end, at + 4096) if block is not None else at
    while pc < end:
        sal = gdb.find_pc_line(pc)
        if sal.symtab is not None and sal.line and not is_of_tine(sal.symtab.filename):
            return f"{sal.symtab.filename}:{sal.line}"
        pc = sal.last + 1 if sal.last and sal.last >= pc else pc + 1
    return ""


LAMBDA = re.compile(r"(::\$_\d+|::'lambda\d*'(\([^()]*\))?|::\{lambda\([^{}]*\)#\d+\})")


def function_around(name):
    """The function in which the lambda of a branch or a loop is written: what is before the first lambda in the symbol of the instance."""
    m = re.search(r"(?:fork_record|loop_subrange|root_task|submitted_task|loop_record|observed_\w+)<(.*)", name)
    inner = m.group(1) if m else name
    while True:
        m = LAMBDA.search(inner)
        if m is None:
            return ""
        text = inner[: m.start()]
        depth, start = 0, 0
        for i in range(len(text) - 1, -1, -1):  # back to the begin of this name: a comma or a bracket at the same depth
            c = text[i]
            if c in ")>" and text[i - 1 : i + 1] != "->":
                depth += 1
            elif c in "(<":
                depth -= 1
            if depth < 0 or (c == "," and depth == 0):
                start = i + 1
                break
        found = text[start:].strip()
        if not found.startswith("tine::"):
            return found
        inner = inner[m.end():]


def branch(run):
    """A branch or a subrange by the function that runs it."""
    name = symbol(run)
    if not name:
        return f"{run:#x}"
    around, at = function_around(name), place_of_body(run)
    if not around and not at and name.startswith("tine::sched::root_task<"):
        return "the function that `run` was called with"
    text = f"lambda in {around}" if around else re.sub(r"\(tine::sched::task&\)$", "", name)
    return f"{text} at {at}" if at else text


# ---------------------------------------------------------------------------------------------------------------------
# Objects of the library.


class Fiber:
    def __init__(self, l, at):
        self.at, self.layout = at, l
        raw = memory(at, max(l["fiber.fiber_local_"] + 8 * 16, l["fiber.records_"] + 8, l["fiber.open_records_end"] + 8))

        def get(name):
            return struct.unpack_from("<Q", raw, l["fiber." + name])[0]

        self.point, self.origin, self.work, self.work_begin = get("point"), get("origin"), get("work"), get("work_begin")
        self.left_by, self.awaited, self.records_end = raw[l["fiber.left_by"]], get("awaited"), get("open_records_end")
        self.records = get("records_")
        self.words = raw[l["fiber.fiber_local_"] : l["fiber.fiber_local_"] + 128]
        self.begin = self.end = 0  # the mapping
        self.worker = None  # that runs it

    def has_frame(self, at):
        return self.begin <= at < self.records

    def has_record(self, at):
        return self.records <= at < self.end


class Worker:
    def __init__(self, l, at, pool):
        self.at, self.pool, self.layout = at, pool, l
        self.index = quad(at + l["worker.index"])
        self.thread = quad(at + l["worker.thread"])
        self.running = word(at + l["worker.running_"])
        self.below = word(at + l["worker.below"])
        self.words = word(at + l["worker.words"])
        self.native_point = word(at + l["worker.native_"] + l["context.point"])
        self.is_away = memory(at + l["worker.is_away"], 1)[0] != 0
        parkers = (at + l["worker.idle_parker"], at + l["worker.aside_parker"])
        self.is_asleep, self.stands_aside = (quad(p + l["parker.state_"]) == l["parker::asleep"] for p in parkers)

    def name(self, state):
        return f"worker {self.index}" + (f" of pool {self.pool}" if len(state.pools) > 1 else "")


class Strand:
    """One line of `info tine strands`. `fiber`, `coroutine` (a frame) or `task`, as it is queued."""

    def __init__(self, kind, worker=None, fiber=None, coroutine=0, task=0, note=""):
        self.kind, self.worker, self.fiber, self.coroutine, self.task, self.note = kind, worker, fiber, coroutine, task, note
        self.number = 0


class State:
    """All pools, workers, fibers and strands at this moment."""

    def __init__(self):
        self.layout = l = Layout()
        self.notes = []  # damage that was passed over
        self.pools, self.workers, self.fibers = [], [], {}
        self.read_fibers()
        self.ranges = sorted((f.begin, f.end, f) for f in self.fibers.values())
        self.begins = [r[0] for r in self.ranges]
        if l.pools:
            self.read_pools()
        self.strands = []
        self.list_strands()

    def list_of(self, what, first, step):
        """Follows a list. Damage ends it with a note."""
        seen = set()
        at = first
        try:
            while at:
                if at in seen or len(seen) > MOST_ITEMS:
                    raise Damaged("it does not end")
                seen.add(at)
                yield at
                at = step(at)
        except Damaged as e:
            self.notes.append(f"{what} is damaged: {e}")

    def read_fibers(self):
        l = self.layout
        head = word(l.fibers)
        for e in self.list_of("the list of fibers", head, lambda e: word(e + l["guard_pages::entry.next"])):
            begin, end, of = (word(e + l["guard_pages::entry." + n]) for n in ("begin", "end", "of"))
            if begin == 0:
                continue
            try:
                f = Fiber(l, of)
                f.begin, f.end = begin, end
                self.fibers[of] = f
            except Damaged as error:
                self.notes.append(f"the fiber at {of:#x} is damaged: {error}")

    def read_pools(self):
        l = self.layout
        begin, end = (word(l.pools + l["pool_list.all"] + i) for i in (0, 8))
        if end < begin or end - begin > 8 * 100_000:
            self.notes.append("the list of pools is damaged")
            return
        for at in range(begin, end, 8):
            try:
                pool = word(at)
                members = quad(pool + l["pool_state.members_"])
                table = word(pool + l["pool_state.table_"])
                if members > 100_000:
                    raise Damaged(f"it has {members} workers")
                self.pools.append(pool)
                for i in range(members):
                    w = Worker(l, word(table + 8 * i), len(self.pools))
                    self.workers.append(w)
                    f = self.fibers.get(w.running)
                    if f is not None:
                        f.worker = w
            except Damaged as e:
                self.notes.append(f"pool {len(self.pools)} is damaged: {e}")

    def fiber_of_record(self, at):
        f = self.fiber_at(at)
        return f if f is not None and f.has_record(at) else None

    def fiber_at(self, at):
        """The fiber whose stack or records hold an address."""
        i = bisect.bisect_right(self.begins, at) - 1
        return self.ranges[i][2] if i >= 0 and at < self.ranges[i][1] else None

    # --- strands

    def list_strands(self):
        below = {w.below: w for w in self.workers if w.below}
        for w in self.workers:
            f = self.fibers.get(w.running)
            if f is not None and f.work:
                inner = below.get(w.at)
                note = f"its thread is {inner.name(self)}" if inner is not None else ""
                self.strands.append(Strand("running" if inner is None else "suspended", w, f, note=note))
        for f in self.fibers.values():
            if f.work and f.worker is None:
                self.strands.append(Strand("suspended", None, f))
        for w in self.workers:
            self.read_parked(w)
        for w in self.workers:
            self.read_queued(w)
        for i, pool in enumerate(self.pools):
            for name in ("urgent_", "normal_"):
                self.read_list(f"the roots of pool {i + 1}", pool + self.layout["pool_state.roots"] + self.layout["root_queue." + name], None, "queued")
        for number, s in enumerate(self.strands, 1):
            s.number = number
        self.by_fiber = {s.fiber.at: s for s in self.strands if s.fiber is not None}
        self.by_task = {s.fiber.work: s for s in self.strands if s.fiber is not None}

    def read_list(self, what, at, worker, kind):
        l = self.layout
        first = word(at + l["submission_list.first_"])
        for s in self.list_of(what, first, lambda s: word(s + l["submission.next"])):
            self.add_queued(word(s + l["submission.what"]), worker, kind)

    def read_parked(self, w):
        l = self.layout
        try:
            self.read_list(f"the list of waiting coroutines of {w.name(self)}", w.at + l["worker.parked"] + l["parked_list.list_"], w, "suspended")
        except Damaged as e:
            self.notes.append(str(e))

    def read_queued(self, w):
        l = self.layout
        try:
            for name in ("pinned_", "shared_", "affine_"):
                self.read_list(f"the inbox of {w.name(self)}", w.at + l["worker.box"] + l["inbox." + name], w, "queued")
            tasks = w.at + l["worker.tasks"]
            top, bottom, array = (word(tasks + l["task_deque." + n]) for n in ("top_", "bottom_", "array_"))
            if bottom <= top or bottom >= 1 << 62:  # empty; a pop leaves the bottom below the top for a moment
                return
            capacity, slots = (word(array + l["task_deque::array." + n]) for n in ("capacity", "slots"))
            if bottom - top > MOST_ITEMS or capacity == 0 or capacity & (capacity - 1):
                raise Damaged("its ends do not fit its size")
            for i in range(top, bottom):
                self.add_queued(word(slots + 8 * (i & (capacity - 1))), w, "queued")
        except Damaged as e:
            self.notes.append(f"the queue of {w.name(self)} is damaged: {e}")

    def add_queued(self, queued, worker, kind):
        l = self.layout
        task = queued & ((1 << l["root_shift"]) - 1)
        f = self.fibers.get(task - l["fiber.return_"])
        if task & l["continuation_bit"]:
            frame = self.frame_of(task)
            note = "waits for something outside of the pool" if kind == "suspended" else "is ready to continue"
            self.strands.append(Strand(kind, worker, coroutine=frame, note=note))
        elif f is not None:
            for s in self.strands:
                if s.fiber is f:
                    s.kind, s.note = "queued", f"is ready to continue on {worker.name(self)}" if worker else "is ready to continue"
        else:
            self.strands.append(Strand(kind, worker, task=task))

    def frame_of(self, continuation):
        """The coroutine's frame in a continuation as it is queued."""
        l = self.layout
        c = continuation & ~l["continuation_bit"]
        if c & l["parked_bit"]:
            return word(c - l["parked_bit"] + l["parked.who"])
        return c & ~7  # one that continues behind its join has another bit

    # --- words of a task, a coroutine, a strand

    def run_of(self, task):
        return word(word(task + self.layout["task.what"]) + self.layout["descriptor.run"])

    def is_range(self, what):
        return memory(what + self.layout["descriptor.is_range"], 1)[0] != 0

    def parent(self, frame):
        l = self.layout
        return word(frame + l["frame.up"]) & ~(l["link::all_flags"] | l["link::into_eventually"])

    @staticmethod
    def resumes(frame):
        """The function that resumes a coroutine: compilers put its address 16 bytes before the promise."""
        return word(frame - 16)

    def coroutine(self, frame):
        code = self.resumes(frame)
        name = re.sub(r" \[clone [^\]]*\]|\(\.(resume|actor)\)| \(\.(resume|actor)\)", "", symbol(code)) or f"{code:#x}"
        m = re.match(r"(.*?)\(.*Frame ?\*\)$", name)  # g++ gives its state to the function
        at = place_of_body(code) or place(code)
        return (m.group(1) if m else name) + (f" at {at}" if at else "")

    def work(self, s):
        """The work of a strand, by its place in the program."""
        l = self.layout
        try:
            if s.coroutine:
                return self.coroutine(s.coroutine)
            task = s.task or s.fiber.work
            if task & l["continuation_bit"]:
                return "coroutines, begun with " + self.coroutine(self.frame_of(task))
            return ("root: " if self.fiber_of_record(task) is None else "") + branch(self.run_of(task))
        except Damaged as e:
            return f"({e})"

    def awaits(self, f):
        """What a suspended fiber waits for."""
        l = self.layout
        try:
            if f.left_by == l["departure::then::wait"]:
                missing = quad(f.awaited + l["join_counter.missing"])
                return "is ready to continue" if missing == 0 else "waits for a lock, something outside of the pool, or strands that were placed on workers"
            if f.left_by != l["departure::then::suspend"]:
                return "is about to begin or to end"
            if word(f.awaited) & 1:
                return "is ready to continue"
            if self.fiber_of_record(f.awaited) is not None:
                s = self.by_task.get(f.awaited - l["task.done"])
                what = branch(self.run_of(f.awaited - l["task.done"]))
                return f"waits at a join for strand {s.number}" if s is not None else f"waits at a join for {what}"
            return "waits for a coroutine to end"
        except Damaged as e:
            return f"waits; {e}"

    def records_of(self, f, end):
        """The records of a fiber below `end`, the oldest first: (address, 'fork' | 'loop' | 'coroutine')."""
        l, at, found = self.layout, f.records, []
        while at < min(end, f.end) and len(found) < MOST_ITEMS:
            head = word(at)
            if head & l["storage_block_bit"]:
                size = head - l["storage_block_bit"]
            elif head & l["continuation_bit"]:
                found.append((at, "coroutine"))
                size = l["continuation_bytes"]
            elif self.is_range(head):
                found.append((at, "loop"))
                size = quad(at + l["splittable_range.head"]) + quad(at + l["splittable_range.max_promoted"]) * quad(at + l["splittable_range.stride"])
            else:
                found.append((at, "fork"))
                size = quad(head + l["descriptor.size"])
            if size == 0 or size % 8 != 0:
                raise Damaged(f"the record at {at:#x} has {size} bytes")
            at += size
        return found

    def drivers(self, f):
        """The drivers on a fiber, the newest first: (address, coroutine that waits for the frames above, or 0)."""
        l = self.layout
        words = f.words
        if f.worker is not None and f.worker.words:
            words = memory(f.worker.words + l["hot_words.fiber_local"], 128)
        at = struct.unpack_from("<Q", words, 8 * l["driver_object"])[0]
        found = []
        while at and f.has_frame(at) and len(found) < 10_000 and (not found or at > found[-1][0]):
            found.append((at, word(at + l["driver.parent_"])))
            at = word(at + l["driver.driver_"])
        return found


# ---------------------------------------------------------------------------------------------------------------------
# Native frames.


class Frame:
    def __init__(self, f):
        self.pc, self.sp = f.pc(), int(f.read_register("rsp"))
        self.function = f.name() or symbol(self.pc)
        self.is_inline = f.type() == gdb.INLINE_FRAME
        sal = f.find_sal()
        self.file, self.line = (sal.symtab.filename, sal.line) if sal.symtab is not None else ("", 0)

    def is_of_program(self):
        # a library without symbols has frames without names, or with the name of any exported function
        return LIBRARY.search(gdb.solib_name(self.pc) or "") is None and not (self.file and is_of_tine(self.file)) and not SCHEDULER.match(re.sub(r"^(decltype ?\(.*?\)|auto) ", "", self.function or ""))

    def text(self):
        name = self.function or "??"
        name += "" if name.endswith(")") or " " in name[-12:] else " ()"
        return f"{name} at {self.file}:{self.line}" if self.line else f"{name} [{self.pc:#x}]"


def frame_address(name, cache={}):
    """The address of a function outside of tine, from its symbol."""
    key = (gdb.current_progspace().filename, name)
    if cache.get(key) is None:
        try:
            cache[key] = int(gdb.parse_and_eval(f"(long)&{name}")) & (2**64 - 1)
        except gdb.error:
            return 0
    return cache[key]


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = gdb.Value(sp), gdb.Value(pc)


class Unwinder(gdb.unwinder.Unwinder):
    """Ends backtraces at the base of a fiber, and leads from a thread's newest frame to a suspended context while one is selected."""

    def __init__(self):
        super().__init__("tine")
        self.from_frame = None  # (stack pointer, program counter) of the newest frame from which it leads
        self.registers = {}

    def select(self, point):
        """Selects the context that was saved at `point`; 0: none."""
        self.from_frame = None
        gdb.invalidate_cached_frames()
        if not point:
            return
        newest = gdb.newest_frame()
        saved = struct.unpack("<8Q", memory(point, 64))
        self.registers = dict(zip(("r12", "r13", "r14", "r15", "rbx", "rbp", "rip"), saved[1:]))
        self.registers["rsp"] = point + 64
        self.from_frame = (int(newest.read_register("rsp")), newest.pc())
        gdb.invalidate_cached_frames()

    def __call__(self, pending):
        sp, pc = (int(pending.read_register(r)) & (2**64 - 1) for r in ("rsp", "rip"))
        if self.from_frame == (sp, pc):
            # the address of the frame in its identity is below all others: gdb refuses frames that seem to lie in the wrong order
            info = pending.create_unwind_info(FrameId(1, pc))
            for name, value in self.registers.items():
                info.add_saved_register(name, gdb.Value(value))
            return info
        base = frame_address("make_fcontext")
        if base <= pc < base + 256 and base:
            info = pending.create_unwind_info(FrameId(sp, pc))
            info.add_saved_register("rip", gdb.Value(0))
            info.add_saved_register("rsp", gdb.Value(sp + 8))
            return info
        return None


unwinder = Unwinder()


def walk():
    """The frames of the selected thread, the newest first; if a context is selected, those of the context."""
    frames, f = [], gdb.newest_frame()
    try:
        while f is not None and len(frames) < MOST_FRAMES:
            frames.append(Frame(f))
            f = f.older()
    except gdb.error:
        pass  # frames that cannot be unwound end the walk
    while unwinder.from_frame is not None and frames and frames[0].sp == unwinder.from_frame[0]:
        frames.pop(0)  # the thread's newest frame, and the functions that are inlined in it
    return frames


class Elsewhere:
    """Looks at other threads and contexts, and puts the selection back."""

    def __enter__(self):
        self.thread, self.selected = gdb.selected_thread(), unwinder.from_frame
        self.registers = unwinder.registers
        self.pointers = {}
        self.level = 0
        try:
            self.level = gdb.selected_frame().level()
        except (gdb.error, AttributeError):
            pass
        return self

    def __exit__(self, *_):
        unwinder.from_frame = None
        if self.thread is not None and self.thread.is_valid():
            self.thread.switch()
        unwinder.from_frame, unwinder.registers = self.selected, self.registers
        gdb.invalidate_cached_frames()
        try:
            f = gdb.newest_frame()
            for _ in range(self.level):
                f = f.older() or f
            f.select()
        except gdb.error:
            pass

    @staticmethod
    def thread_of(lwp):
        for t in gdb.selected_inferior().threads():
            if t.ptid[1] == lwp or t.ptid[2] == lwp:
                return t
        return None

    def stack_pointer(self, lwp):
        """The stack pointer of a thread; 0 if there is no such thread."""
        if lwp not in self.pointers:
            t = self.thread_of(lwp)
            self.pointers[lwp] = 0
            if t is not None:
                unwinder.select(0)
                t.switch()
                self.pointers[lwp] = int(gdb.newest_frame().read_register("rsp")) & (2**64 - 1)
        return self.pointers[lwp]

    def frames_of_thread(self, lwp):
        t = self.thread_of(lwp)
        if t is None:
            return []
        unwinder.select(0)
        t.switch()
        return walk()

    @staticmethod
    def frames_of_context(point):
        unwinder.select(point)
        return walk()


# ---------------------------------------------------------------------------------------------------------------------
# The logical backtrace: a list of Frames and notes (texts).


class Trace:
    def __init__(self, state, elsewhere):
        self.state, self.elsewhere, self.items = state, elsewhere, []
        self.seen = set()

    def note(self, text):
        self.items.append(text)

    def of_strand(self, s):
        if s.fiber is not None:
            self.of_fiber(s.fiber)
        elif s.coroutine:
            self.of_coroutine(s.coroutine)
        else:
            self.of_task(s.task)

    def of_thread(self, lwp):
        frames = self.elsewhere.frames_of_thread(lwp)
        f = next((f for f in map(self.state.fiber_at, [x.sp for x in frames]) if f is not None), None)
        if f is None:
            raise gdb.GdbError("tine: this thread runs no strand; `info tine strands` lists those of all threads")
        self.of_frames(f, frames)

    def native(self, f):
        """The native frames of a fiber, the newest first."""
        w = f.worker
        if w is not None:
            frames = self.elsewhere.frames_of_thread(w.thread)
            if any(f.has_frame(x.sp) for x in frames):
                return frames
            inner = next((u for u in self.state.workers if u.below == w.at), None)  # its thread works for another pool
            if inner is not None:
                return self.elsewhere.frames_of_context(inner.native_point) if inner.native_point else []
        else:
            for u in self.state.workers:  # its worker may be in the middle of a switch to another fiber
                if u.running and f.has_frame(self.elsewhere.stack_pointer(u.thread)):
                    return self.elsewhere.frames_of_thread(u.thread)
        if f.point == 0:
            return []
        return self.elsewhere.frames_of_context(f.point)

    def of_fiber(self, f, fork=None, root=0):
        """From the newest frame of a fiber, or from the fork whose task is at `fork`, or from the code that waits for the root at `root`."""
        if f.at in self.seen or len(self.seen) > MOST_STRANDS_OF_TRACE:
            return self.note("(the memory is damaged: the strands form a circle)")
        self.of_frames(f, self.native(f), fork, root)

    def of_frames(self, f, frames, fork=None, root=0):
        self.seen.add(f.at)
        drivers = self.state.drivers(f)
        if fork is not None:
            first = self.index_of_fork(f, frames, *fork)
            if first is None:
                self.note("(the frame that forked is not known; these are the frames of the strand that forked)")
                first = 0
            frames = frames[first:]
        elif root:
            while len(frames) > 1 and frames[1].sp <= root:
                frames = frames[1:]
            drivers = [d for d in drivers if d[0] > root]
        if frames:
            drivers = [d for d in drivers if d[0] >= frames[0].sp]
        for x in frames:
            while drivers and x.sp > drivers[0][0]:
                if drivers[0][1] and self.of_coroutine(drivers[0][1], f):
                    return None
                drivers = drivers[1:]
            if f.has_frame(x.sp) and x.sp > f.work_begin and f.work_begin:
                break
            self.items.append(x)
        while self.items and isinstance(self.items[-1], Frame) and f.has_frame(self.items[-1].sp) and self.is_last(f, self.items[-1], frames):
            self.items.pop()
        if len(frames) >= MOST_FRAMES - 1:
            self.note(f"(only the newest {MOST_FRAMES} frames of this strand were looked at)")
        for at, waits in drivers:
            if waits and self.of_coroutine(waits, f):
                return None
        return self.of_task(f.work)

    @staticmethod
    def is_last(f, x, frames):
        """True for the frame of the scheduler that holds the begin of the work."""
        i = frames.index(x)
        return f.work_begin != 0 and (i + 1 >= len(frames) or frames[i + 1].sp > f.work_begin) and x.sp < f.work_begin and not x.is_of_program()

    def of_coroutine(self, frame, on=None):
        """Coroutines that wait for each other. Returns true if their root is on another fiber than `on`, or on none: then the trace is whole."""
        s = self.state
        for _ in range(MOST_ITEMS):
            up = s.parent(frame)
            if up == 0:
                break
            self.note(f"co_await in {s.coroutine(frame)}")
            frame = up
        f = s.fiber_at(frame)
        if f is None:
            self.note(f"root: a submitted coroutine, ended by {symbol(word(frame + s.layout['root.end'])) or hex(frame)}")
            return True
        if f is on:
            return False
        self.note(f"coroutines run for {self.name(f)}")
        self.of_fiber(f, root=frame)
        return True

    def name(self, f):
        s = self.state.by_fiber.get(f.at)
        where = f" ({s.kind}" + (f", {s.worker.name(self.state)})" if s.worker is not None else ")") if s is not None else ""
        return f"strand {s.number}{where}" if s is not None else "a strand"

    def of_task(self, task):
        s, l = self.state, self.state.layout
        if not task:
            return None
        if task & l["continuation_bit"]:
            return self.note(f"a continuation, begun with {s.coroutine(s.frame_of(task))}")
        f = s.fiber_of_record(task)
        what = branch(s.run_of(task))
        if f is None:
            return self.of_root(task, what)
        if s.is_range(word(task + l["task.what"])):
            at = word(task + l["promoted_subrange.of"])
            first, end = (word(task + l["promoted_subrange." + n]) for n in ("begin", "end"))
            self.note(f"iterations {first} to {end - 1} of a loop, {what}; the loop is of {self.name(f)}")
            return self.of_fiber(f, (at, "loop"))
        self.note(f"fork: {what}, forked by {self.name(f)}")
        return self.of_fiber(f, (task, "fork"))

    def index_of_fork(self, f, frames, at, kind):
        """The index of the frame that made a fork or a loop."""
        s = self.state
        if f.worker is None and f.left_by == s.layout["departure::then::suspend"] and f.awaited == at + s.layout["task.done"]:
            return next((i for i, x in enumerate(frames) if x.is_of_program()), 0)
        try:
            older = sum(1 for _, k in s.records_of(f, at) if k == kind)
        except Damaged as e:
            self.note(f"({e})")
            return None
        marks = []
        for i in range(len(frames) - 1, -1, -1):
            name = frames[i].function or ""
            if kind == "fork" and USUAL_PATH.search(name):
                if i == 0 or not SECOND_BRANCH.search(frames[i - 1].function or ""):
                    marks.append(i)
            elif kind == "loop" and LOOP.search(name):
                marks.append(i)
        if older < len(marks):
            return marks[older]
        around = function_around(symbol(s.run_of(at) if kind == "fork" else word(word(at) + s.layout["descriptor.run"])))
        bare = around.split("(")[0].split("::")[-1] if around.startswith("(") else around.split("(")[0]
        return next((i for i, x in enumerate(frames) if bare and bare in (x.function or "") and x.is_of_program()), None)

    def of_root(self, task, what):
        s, l = self.state, self.state.layout
        waiter = word(task + l["task.done"])
        if waiter & l["is_on_heap"] == l["is_on_heap"]:
            return self.note(f"submitted root: {what}")
        if waiter & l["waits_at_join_counter"]:
            return self.note(f"a branch or an iteration that was placed on its worker: {what}")
        at = waiter & ~7
        w = next((w for w in s.workers if w.at == at), None)
        if w is None:
            return self.note(f"root: {what}")
        self.note(f"root: {what}, run by {w.name(s)}")
        frames = self.elsewhere.frames_of_context(w.native_point) if w.native_point else []
        f = next((f for f in (s.fiber_at(x.sp) for x in frames) if f is not None), None)
        if f is None:
            self.items.extend(frames)
        elif f.at not in self.seen:
            self.of_frames(f, frames)  # a pool inside a strand of another pool
        return None


def shown(items, everything=False):
    """The lines of a trace: the frames of the program, and the notes. Long runs of frames are cut in the middle."""
    lines, run = [], []

    def flush():
        if len(run) > MOST_SHOWN:
            cut = len(run) - MOST_SHOWN
            run[MOST_SHOWN // 2 : -(MOST_SHOWN // 2)] = [f"... ({cut} more frames)"]
        lines.extend(run)
        run.clear()

    number = 0
    for i in items:
        if isinstance(i, str):
            flush()
            lines.append(f"    -- {i}")
        elif everything or i.is_of_program():
            run.append(f"#{number:<3} {i.text()}")
            number += 1
    flush()
    return lines


# ---------------------------------------------------------------------------------------------------------------------
# Commands.


def guarded(f):
    """A command whose errors are messages."""

    def invoke(self, argument, from_tty):
        try:
            state = State()
            f(self, state, argument.split())
            for n in state.notes:
                print(f"warning: {n}")
        except (Damaged, gdb.MemoryError) as e:
            raise gdb.GdbError(f"tine: {e}") from None
        except RecursionError:
            raise gdb.GdbError("tine: the memory is damaged: a structure does not end") from None

    return invoke


def strand_number(state, text):
    if not text.isdigit() or not 1 <= int(text) <= len(state.strands):
        raise gdb.GdbError(f"tine: no strand {text}; there are {len(state.strands)}, and `info tine strands` lists them")
    return state.strands[int(text) - 1]


class InfoTine(gdb.Command):
    """The workers and the strands of tine's pools."""

    def __init__(self):
        super().__init__("info tine", gdb.COMMAND_STATUS, prefix=True)


class InfoWorkers(gdb.Command):
    """Lists the workers of all pools, and what each of them does."""

    def __init__(self):
        super().__init__("info tine workers", gdb.COMMAND_STATUS)

    @guarded
    def invoke(self, state, words):
        if not state.workers:
            print("no pool")
            return
        threads = {t.ptid[1]: t for t in gdb.selected_inferior().threads()}
        here = gdb.selected_thread()
        for w in state.workers:
            f = state.fibers.get(w.running)
            s = state.by_fiber.get(f.at) if f is not None and f.work else None
            if not w.running:
                what = "is not in the pool"
            elif w.is_away:
                what = f"works for another pool; strand {s.number} waits" if s else "works for another pool"
            elif s is not None:
                what = f"runs strand {s.number}: {state.work(s)}"
            else:
                what = "is asleep" if w.is_asleep else "stands aside" if w.stands_aside else "looks for work"
            t = threads.get(w.thread)
            thread = f"thread {t.num} (LWP {w.thread})" if t is not None and w.running else "no thread"
            mark = "*" if t is not None and here is not None and t.num == here.num and w.running else " "
            print(f"{mark} {w.name(state):<10} {thread:<24} {what}")


class InfoStrands(gdb.Command):
    """Lists all strands: running, suspended and queued. The numbers hold until the program continues."""

    def __init__(self):
        super().__init__("info tine strands", gdb.COMMAND_STATUS)

    @guarded
    def invoke(self, state, words):
        if not state.workers:
            print("no pool")
            return
        kinds = {}
        for s in state.strands:
            kinds[s.kind] = kinds.get(s.kind, 0) + 1
            on = s.worker.name(state) if s.worker is not None and s.kind != "suspended" else ""
            why = s.note or (state.awaits(s.fiber) if s.kind == "suspended" and s.fiber is not None else "")
            print(f"{s.number:>5} {s.kind:<9} {on:<10} {state.work(s)}" + (f"; {why}" if why else ""))
        print(", ".join(f"{n} {kind}" for kind, n in kinds.items()) or "no strands")


class Tine(gdb.Command):
    """Commands for strands of tine."""

    def __init__(self):
        super().__init__("tine", gdb.COMMAND_STACK, prefix=True)


class Bt(gdb.Command):
    """The logical backtrace of this thread's strand, or of strand N: tine bt [-all] [N]. -all shows the frames of tine, too."""

    def __init__(self):
        super().__init__("tine bt", gdb.COMMAND_STACK)

    @guarded
    def invoke(self, state, words):
        everything = "-all" in words
        words = [w for w in words if w != "-all"]
        if not state.workers:
            print("no pool")
            return
        thread = gdb.selected_thread()
        with Elsewhere() as elsewhere:
            trace = Trace(state, elsewhere)
            try:
                if words:
                    s = strand_number(state, words[0])
                    print(f"strand {s.number}, {s.kind}" + (f" on {s.worker.name(state)}" if s.worker is not None and s.kind == "running" else ""))
                    trace.of_strand(s)
                elif thread is None:
                    raise gdb.GdbError("tine: no thread is selected")
                else:
                    trace.of_thread(thread.ptid[1] or thread.ptid[2])
            except (Damaged, gdb.MemoryError) as e:
                trace.note(f"(the rest cannot be read: {e})")
            lines = shown(trace.items, everything)
        for line in lines:
            print(line)


class SelectStrand(gdb.Command):
    """Selects the native frames of a suspended strand for bt, up and info locals: tine strand N. tine strand off ends this."""

    def __init__(self):
        super().__init__("tine strand", gdb.COMMAND_STACK)

    @guarded
    def invoke(self, state, words):
        if words == ["off"] or not words:
            unwinder.select(0)
            print("the frames are those of the thread again")
            return
        s = strand_number(state, words[0])
        if s.fiber is None:
            raise gdb.GdbError(f"tine: strand {s.number} has no native frames: it is {'a suspended coroutine' if s.coroutine else 'queued'}; use `tine bt {s.number}`")
        if s.kind == "running":
            t = Elsewhere.thread_of(s.worker.thread)
            if t is None:
                raise gdb.GdbError(f"tine: there is no thread of {s.worker.name(state)}")
            unwinder.select(0)
            t.switch()
            print(f"strand {s.number} runs on thread {t.num}")
            return
        unwinder.select(s.fiber.point)
        first = gdb.newest_frame()
        while first is not None and int(first.read_register("rsp")) == unwinder.from_frame[0]:
            first = first.older()
        if first is None:
            unwinder.select(0)
            raise gdb.GdbError(f"tine: the frames of strand {s.number} cannot be read")
        first.select()
        print(f"strand {s.number}: its frames are those from {first.level()} on, until the program continues")


# ---------------------------------------------------------------------------------------------------------------------
# Plain backtraces: behind the base of a fiber follow the frames of the strand that forked.


class Foreign(gdb.FrameDecorator.FrameDecorator):
    """An entry of another strand's trace in a backtrace: gdb prints it without a number, because it is no frame of this thread."""

    def __init__(self, base, item):
        super().__init__(base)
        self.item = item

    def function(self):
        return f"[{self.item}]" if isinstance(self.item, str) else self.item.function or "??"

    def address(self):
        return None if isinstance(self.item, str) else self.item.pc

    def filename(self):
        return None if isinstance(self.item, str) else self.item.file or None

    def line(self):
        return None if isinstance(self.item, str) else self.item.line or None

    def frame_args(self):
        return None

    def frame_locals(self):
        return None


class Filter:
    def __init__(self):
        self.name, self.priority, self.enabled = "tine", 50, True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        for d in frames:
            f = d.inferior_frame()
            if unwinder.from_frame is not None and int(f.read_register("rsp")) == unwinder.from_frame[0]:
                continue  # of the thread, while a strand is selected
            base = frame_address("make_fcontext")
            if base and base <= f.pc() < base + 256:
                yield from self.rest(d, int(f.read_register("rsp")))
                return
            yield d

    @staticmethod
    def rest(base, sp):
        items = []
        try:
            state = State()
            f = state.fiber_at(sp - 64)
            with Elsewhere() as elsewhere:
                trace = Trace(state, elsewhere)
                if f is not None:
                    trace.seen.add(f.at)
                    drivers = state.drivers(f)
                    if not any(waits and trace.of_coroutine(waits, f) for _, waits in drivers):
                        trace.of_task(f.work)
                items = trace.items
        except (Damaged, gdb.error) as e:
            items = [f"tine: {e}"]
        cut = [i for i in items if isinstance(i, str) or i.is_of_program()]
        if len(cut) > 2 * MOST_SHOWN:
            cut[MOST_SHOWN:-MOST_SHOWN] = [f"({len(cut) - 2 * MOST_SHOWN} more)"]
        for i in cut:
            yield Foreign(base.inferior_frame(), i)


def forget(_=None):
    """The program has run: nothing is selected any more."""
    unwinder.from_frame = None


if "tine" not in gdb.frame_filters:  # the script may be found more than once: beside the library, and inside of a program
    gdb.unwinder.register_unwinder(None, unwinder, replace=True)
    Filter()
    gdb.events.cont.connect(forget)
    gdb.events.new_objfile.connect(lambda _: (symbols.clear(), places.clear()))
    for command in (InfoTine, InfoWorkers, InfoStrands, Tine, Bt, SelectStrand):
        command()
