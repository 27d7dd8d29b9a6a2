# tine-gdb.py: plain backtraces: behind the base of a fiber follow the frames of the strand that forked. See layout.py for the parts.


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
