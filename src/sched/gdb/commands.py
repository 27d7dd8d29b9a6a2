# tine-gdb.py: commands. See layout.py for the parts.


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
        except OverflowError:
            raise gdb.GdbError("tine: the memory is damaged: a number is no address") from None
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
