# tine-gdb.py: native frames. See layout.py for the parts.


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
            # the address of the frame in its identity is below all others: gdb refuses frames that seem to lie in the
            # wrong order
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
