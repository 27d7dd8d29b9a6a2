# tine-gdb.py: the logical backtrace: a list of Frames and notes (texts). See layout.py for the parts.


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
        """True for the frame of the scheduler that holds the start of the work."""
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
            if kind == "fork" and FAST_PATH.search(name):
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
