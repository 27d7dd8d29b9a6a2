# tine-gdb.py: objects of the library. See layout.py for the parts.


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
        self.is_away = memory(at + l["worker.is_away_"], 1)[0] != 0
        parkers = (at + l["worker.idle_parker"], at + l["worker.aside_parker_"])
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
        """Returns a text that names the object that a suspended fiber waits for."""
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
