"""The results as a table and as one JSON object for each process."""

import json
import re
import statistics

import rounds

HEADER = ("program", "variant", "workers", "runs", "median s", "over serial [min..max]", "over managed [min..max]", "peak MiB", "verified")
WIDTHS = (14, 17, 7, 4, 10, 23, 23, 8, 8)
LEFT_ALIGNED = ("program", "variant")


def verified(process):
    return not process.failure and bool(process.report.get("verified"))


def complaint(process):
    """Returns a complaint about a process's results, as a sentence; empty if they are right."""
    what = f"{process.program}, {process.variant} on {process.workers}"
    if process.too_slow:
        return ""
    if process.failure:
        return f"{what}: {process.failure}"
    if not verified(process):
        return f"{what}: wrong answer: {process.report.get('mistake', 'no reason given')}"
    return ""


def print_header(labels):
    """Prints the header. `labels` has the names of variants in the table, if they differ from their own names."""
    _print_row([re.sub(r"\bmanaged\b", labels.get("managed", "managed"), name) for name in HEADER])
    _print_row(["-" * width for width in WIDTHS])


def print_rows(processes, labels):
    serial = processes[0]
    for process in processes:
        ratios = rounds.over(serial, process)
        over_managed = rounds.over(rounds.managed_beside(process, processes), process)
        rss = process.report.get("max_rss_kib")
        _print_row(
            (
                process.program,
                labels.get(process.variant, process.variant),
                str(process.workers),
                str(len(process.seconds)),
                f"{statistics.median(process.seconds):.4f}" if process.seconds else "-",
                _ratio_text(ratios) if ratios else "-",
                _ratio_text(over_managed) if over_managed else "-",
                f"{rss / 1024:.1f}" if rss else "-",
                _verdict(process),
            )
        )


def _verdict(process):
    if process.too_slow:
        return "too slow"
    if process.failure:
        return "FAILED"
    return "yes" if verified(process) else "WRONG"


def _ratio_text(ratios):
    digits = 3 if ratios["max"] < 100 else 0
    return "{0:.{3}f} [{1:.{3}f}..{2:.{3}f}]".format(ratios["median"], ratios["min"], ratios["max"], digits)


def _print_row(cells):
    aligned = [
        cell.ljust(width) if name in LEFT_ALIGNED else cell.rjust(width)
        for name, cell, width in zip(HEADER, cells, WIDTHS)
    ]
    print("  ".join(aligned), flush=True)


def append_json(path, processes, facts):
    """Appends one line for each process. `facts` are the commit and the machine, and the sizes if they are not the usual ones."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        for process in processes:
            file.write(json.dumps(_record(process, processes, facts)) + "\n")


def _record(process, processes, facts):
    seconds = process.seconds
    told = process.report
    record = {
        "program": process.program,
        "params": told.get("params"),
        "variant": process.variant,
        "workers": process.workers,
        "seconds": seconds,
        "median_s": statistics.median(seconds) if seconds else None,
        "min_s": min(seconds, default=None),
        "max_s": max(seconds, default=None),
        "over_serial": rounds.over(processes[0], process),
        "over_managed": rounds.over(rounds.managed_beside(process, processes), process),
        # VmHWM of the process, which the program itself reads at its end. ru_maxrss would start at the size of this
        # Python interpreter, because a process keeps its maximum over exec.
        "max_rss_kib": told.get("max_rss_kib"),
        "base_rss_kib": told.get("base_rss_kib"),
        "answer": told.get("answer"),
        "verified": None if process.too_slow else verified(process),
        "compiler": told.get("compiler"),
        "flags": told.get("flags"),
        **facts,
    }
    if "counters" in told:
        record["counters"] = told["counters"]
    if process.too_slow or complaint(process):
        record["complaint"] = complaint(process) or f"too slow: {process.failure}"
    return record
