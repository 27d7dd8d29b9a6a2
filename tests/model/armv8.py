"""The memory model of Armv8-A, as Arm's architecture reference manual states it (section B2.3) and Pulte et al. (POPL 2018) explain it: the
outcomes that a program of a few instructions may have. The reads, writes and barriers of an execution are *events*. An execution is possible if

- accesses to one location are in an order that each thread's program order agrees with (*internal visibility*), and
- the order in which other threads observe events has no cycle (*external visibility*): reads from, coherence and from-reads between threads,
  and what dependencies, barriers, and acquire and release instructions order within a thread.

A *membarrier* is the system call: every other thread executes a full barrier at some point of its program while the caller is in the call.
"""

import itertools
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Event:
    thread: int  # -1: the initial values
    position: int
    kind: str  # R, W, or the name of a barrier
    location: str = ""
    value: int = 0
    acquire: str = ""  # of a read: A (ldar, ldaxr, swpa), Q (ldapr)
    release: bool = False


@dataclass
class Trace:
    """The events of one thread, if its reads have certain values."""

    events: list[Event] = field(default_factory=list)
    address_of: set = field(default_factory=set)  # pairs of events: the later one's address depends on the earlier one
    data_of: set = field(default_factory=set)
    control_of: set = field(default_factory=set)
    pairs: set = field(default_factory=set)  # the read and the write of one atomic instruction
    registers: dict = field(default_factory=dict)


def is_acyclic(edges, nodes):
    after = {n: [] for n in nodes}
    waits = dict.fromkeys(nodes, 0)
    for a, b in set(edges):
        after[a].append(b)
        waits[b] += 1
    ready = [n for n in nodes if waits[n] == 0]
    done = 0
    while ready:
        done += 1
        for n in after[ready.pop()]:
            waits[n] -= 1
            if waits[n] == 0:
                ready.append(n)
    return done == len(nodes)


def ordered_in_thread(trace, rfi):
    """Yields the pairs of events of one thread whose order other threads observe: dob, aob and bob of the manual."""
    events = trace.events
    before = list(itertools.combinations(events, 2))  # program order

    def barriers_between(a, b):
        return {e.kind for e in events if a.position < e.position < b.position and e.kind not in "RW"}

    written_by_pair = {w for _, w in trace.pairs}
    for a, b in before:
        if a.kind not in "RW" or b.kind not in "RW":
            continue
        between = barriers_between(a, b)
        if (a, b) in trace.address_of or (a, b) in trace.data_of or ((a, b) in trace.control_of and b.kind == "W"):
            yield a, b
        if "isb" in between and b.kind == "R":  # a branch, or an address, of which the barrier knows
            for e in events:
                if e.kind == "isb" and a.position < e.position < b.position and (a, e) in trace.control_of:
                    yield a, b
        if b.kind == "W" and any((a, c) in trace.address_of and c.position < b.position for c in events):
            yield a, b
        if (a, b) in trace.pairs:
            yield a, b
        if a in written_by_pair and (a, b) in rfi and b.acquire:
            yield a, b
        if "dmb" in between or (a.kind == "R" and "dmb ld" in between) or (a.kind == b.kind == "W" and "dmb st" in between):
            yield a, b
        if a.acquire or b.release or (a.release and b.acquire == "A"):
            yield a, b
    for a, w in trace.address_of | trace.data_of:
        for written, read in rfi:
            if written == w:
                yield a, read


def is_possible(traces, reads_from, coherence, membarriers):
    """Returns true if the model admits this execution. `reads_from`: each read's write. `coherence`: the writes of each location in order.
    `membarriers`: for each membarrier, where in each other thread it takes effect."""
    nodes = [e for t in traces for e in t.events if e.kind in "RW"] + [ws[0] for ws in coherence.values()]
    rank = {w: i for ws in coherence.values() for i, w in enumerate(ws)}
    co = [(a, b) for ws in coherence.values() for a, b in itertools.combinations(ws, 2)]
    rf = [(w, r) for r, w in reads_from.items()]
    fr = [(r, later) for r, w in reads_from.items() for later in coherence[r.location][rank[w] + 1:]]
    po_loc = [(a, b) for t in traces for a, b in itertools.combinations(t.events, 2) if a.location and a.location == b.location]
    if not is_acyclic(co + rf + fr + po_loc, nodes):
        return False
    for t in traces:  # nothing comes between the two halves of an atomic instruction
        for r, w in t.pairs:
            if any(x is not w and rank[reads_from[r]] < rank[x] < rank[w] for x in coherence[w.location]):
                return False
    ob = [(a, b) for a, b in co + rf + fr if a.thread != b.thread]
    for t in traces:
        rfi = [(w, r) for w, r in rf if w.thread == r.thread == (t.events[0].thread if t.events else -1)]
        ob += ordered_in_thread(t, rfi)
    for (thread, position), cuts in membarriers.items():
        for other, cut in cuts.items():
            mine = [e for e in traces[thread].events if e.kind in "RW"]
            theirs = [e for e in traces[other].events if e.kind in "RW"]
            ob += [(a, b) for a in mine if a.position < position for b in theirs if b.position >= cut]
            ob += [(b, a) for a in mine if a.position > position for b in theirs if b.position < cut]
            ob += [(a, b) for a in theirs if a.position < cut for b in theirs if b.position >= cut]
            ob += [(a, b) for a in mine if a.position < position for b in mine if b.position > position]
    return is_acyclic(ob, nodes)


def executions(threads, initial):
    """Yields (registers, final values) of each possible execution. `threads`: functions that take an iterator of values for the reads, and return a
    Trace; `initial`: the value of each location. A read may have each value that some trace writes to its location."""
    domain = {location: {value} for location, value in initial.items()}
    steps = 0
    # A value comes from an initial one by at most one step for each thread and instruction that writes.
    while True:
        known = {location: set(values) for location, values in domain.items()}
        all_traces = [list(traces_of(run, t, known)) for t, run in enumerate(threads)]
        writes = [[e for trace in traces for e in trace.events if e.kind == "W"] for traces in all_traces]
        steps += 1
        for e in itertools.chain(*writes):
            domain[e.location].add(e.value)
        if domain == known or steps > sum(len({e.position for e in ws}) for ws in writes):
            break
    for traces in itertools.product(*all_traces):
        yield from executions_of(traces, initial)


def traces_of(run, thread, domain):
    """Yields every trace of one thread, for every choice of values for its reads."""
    todo = [[]]
    while todo:
        values = todo.pop()
        given = iter(values)
        trace = run(thread, given)
        if isinstance(trace, str):  # it wants a value of this location
            todo.extend(values + [v] for v in sorted(domain[trace]))
        else:
            yield trace


def executions_of(traces, initial):
    events = [e for t in traces for e in t.events]
    begin = {location: Event(-1, i, "W", location, value) for i, (location, value) in enumerate(initial.items())}
    writes = {location: [e for e in events if e.kind == "W" and e.location == location] for location in initial}
    reads = [e for e in events if e.kind == "R"]
    choices = [[w for w in [begin[r.location], *writes[r.location]] if w.value == r.value] for r in reads]
    calls = [(t, e.position) for t, trace in enumerate(traces) for e in trace.events if e.kind == "membarrier"]
    cuts = [[dict(zip((o for o in range(len(traces)) if o != t), places)) for places in
             itertools.product(*(range(len(trace.events) + 1) for o, trace in enumerate(traces) if o != t))] for t, _ in calls]
    orders = [[[begin[location], *order] for order in itertools.permutations(ws)] for location, ws in writes.items()]
    for sources in itertools.product(*choices):
        reads_from = dict(zip(reads, sources))
        for order in itertools.product(*orders):
            coherence = dict(zip(writes, order))
            for chosen in itertools.product(*cuts):
                if is_possible(traces, reads_from, coherence, dict(zip(calls, chosen))):
                    yield {n: v for t in traces for n, v in t.registers.items()}, {loc: ws[-1].value for loc, ws in coherence.items()}
                    break
