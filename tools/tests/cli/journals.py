"""A reader of journals that shares nothing with the product but docs/reference/schedule-format.md, and the rules that every journal obeys."""

import struct

MASK = (1 << 64) - 1
ROOT, STEP, NODE, BEGIN, AFTER, PLACED, ROOT_END, NUMA = range(1, 9)


def check_of(words: tuple[int, ...], index: int) -> int:
    h = 0x74696E65 + index
    for word in words:
        h = (h ^ word) * 0x9E3779B97F4A7C15 & MASK
        h ^= h >> 32
    return h | 1


class Root:
    """The tree of one root: nodes are lists of steps, a step is a dictionary of its parts."""

    def __init__(self, origin: int, number: int, strand: tuple, workers: int, numa_nodes: list[int] | None):
        self.origin, self.number, self.strand = origin, number, strand
        self.workers, self.numa_nodes = workers, numa_nodes
        assert numa_nodes is None or len(numa_nodes) == workers, (workers, numa_nodes)
        self.nodes, self.steps, self.ended = [[]], [], None
        self.strands = {(): strand}  # by the path of the begin: the worker, the stamp, begin and end
        self.paths = [()]            # by node: the path of the piece around it

    def add(self, kind: int, a: int, b: int, c: int, strand: tuple) -> None:
        if kind == STEP:
            assert not self.nodes[a] or self.nodes[a][-1]["number"] < b & 0xFFFFFFFF, "numbers grow"
            self.steps.append({"node": a, "number": b & 0xFFFFFFFF, "kind": b >> 32, "count": c, "pieces": {}, "after": None})
            self.nodes[a].append(self.steps[-1])
        elif kind == NODE:
            self.nodes.append([])
            self.paths.append(self.path(self.steps[a]) + (b,))
            self.steps[a]["pieces"].setdefault(b, {})["node"] = len(self.nodes) - 1
        elif kind == BEGIN:
            assert "run" not in self.steps[a]["pieces"].setdefault(b, {}), "a piece begins once"
            self.steps[a]["pieces"][b]["run"] = strand
            self.strands[self.path(self.steps[a]) + (b,)] = strand
        elif kind == AFTER:
            assert self.steps[a]["after"] is None, "a join is continued once"
            self.steps[a]["after"] = strand
            self.strands[self.path(self.steps[a]) + ("after",)] = strand
        elif kind == ROOT_END:
            self.ended = a

    def path(self, step: dict) -> tuple:
        return self.paths[step["node"]] + (step["number"],)

    def check(self) -> None:
        """The stamps are a valid order of the fork tree: a strand begins after the strand that forks it, and before the continuation of
        the join; and they have no gaps."""
        assert sorted(s[1] for s in self.strands.values()) == list(range(len(self.strands))), "stamps have no gaps"
        self.check_node(0, self.strand)

    def check_node(self, node: int, now: tuple) -> tuple:
        """Returns the strand at the end of the node, if `now` comes to it."""
        for step in self.nodes[node]:
            inside = [now[1]]
            for begin in sorted(step["pieces"]):
                piece = step["pieces"][begin]
                strand = piece.get("run", now)
                if "run" in piece:
                    assert strand[1] > now[1], (self.path(step), "a part begins after its fork")
                if "node" in piece:
                    strand = self.check_node(piece["node"], strand)
                inside.append(strand[1])
            if step["after"] is not None:
                assert step["after"][1] > max(inside), (self.path(step), "a join is continued after all parts")
                now = step["after"]
        return now


def read(path) -> list[Root]:
    data = open(path, "rb").read()
    magic, version, size = struct.unpack_from("<8sII", data)
    assert (magic, version, size) == (b"tinejrnl", 1, 64), (magic, version, size)
    roots, pools = {}, {}
    for i, at in enumerate(range(64, len(data) - 63, 64)):
        check, *words, end = struct.unpack_from("<8Q", data, at)
        if check != check_of(tuple(words), i):
            assert not any(data[at + 64:]), f"event {i} is torn, and others follow"
            break
        kind, root = words[0] & 0xFFFFFFFF, words[0] >> 32
        a, b, c = words[1:4]
        strand = (words[4] & 0xFFFFFFFF, words[4] >> 32, words[5], end)
        assert end == 0 or end >= words[5], "a strand ends after its begin"
        if kind == ROOT:
            assert root not in roots
            roots[root] = Root(a, b, strand, c & 0xFFFFFFFF, pools[c >> 32] if c >> 32 else None)
        elif kind == NUMA:
            assert b & 0xFFFFFFFF == len(pools.setdefault(a, [])), "workers come in their order"
            pools[a] += [c] * (b >> 32)
        else:
            assert kind <= ROOT_END
            roots[root].add(kind, a, b, c, strand)
    in_order = [roots[number] for number in sorted(roots)]
    for root in in_order:
        root.check()
    return in_order


def order(roots: list[Root]) -> dict:
    """Returns what a replay has to repeat: the worker and the stamp of each strand, by its root and its path."""
    return {(r.origin, r.number): {p: s[:2] for p, s in r.strands.items()} for r in roots}


def repeats(recorded: list[Root], replay: list[Root]) -> bool:
    """Returns true if all recorded strands begin in the replay, on the same workers and in the same order. Plain code may have to wait for a
    task in the replay only, so there may be more continuations after runs."""
    before, after = order(recorded), order(replay)
    for root, strands in before.items():
        more = after[root].keys() - strands.keys()
        if strands.keys() - after[root].keys() or any(path[-1] != "after" for path in more):
            return False
        if any(strands[p][0] != after[root][p][0] for p in strands):
            return False
        if sorted(strands, key=lambda p: strands[p][1]) != sorted(strands, key=lambda p: after[root][p][1]):
            return False
    return before.keys() == after.keys()
