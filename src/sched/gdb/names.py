# tine-gdb.py: names of code. See layout.py for the parts.

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
    except (gdb.error, OverflowError):
        return ""  # no address: the memory is damaged
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
        except (gdb.error, OverflowError):
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
    m = re.search(r"(?:fork_record|loop_subrange|root_task|submitted_task|loop_record|observed_\w+|reported_record)<(.*)", name)
    inner = m.group(1) if m else name
    while True:
        m = LAMBDA.search(inner)
        if m is None:
            return ""
        text = inner[: m.start()]
        depth, start = 0, 0
        for i in range(len(text) - 1, -1, -1):  # back to the start of this name: a comma or a bracket at the same depth
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
