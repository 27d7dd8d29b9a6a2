"""The machine and the commit of a measurement. The results never contain the name of a host, a user or a folder."""

import os
import platform
import re
import subprocess
from pathlib import Path


def machine():
    """Returns the processor, the number of processors that this process may use, the kernel and the memory."""
    return {
        "cpu": _first(r"^model name\s*:\s*(.*)$", "/proc/cpuinfo"),
        "cores": len(os.sched_getaffinity(0)),
        "kernel": f"{platform.system()} {platform.release()}",
        "memory_gib": round(int(_first(r"^MemTotal:\s*(\d+)", "/proc/meminfo") or 0) / 2**20, 1),
    }


def free_mib():
    """Returns the memory that new processes can use without swapping."""
    return int(_first(r"^MemAvailable:\s*(\d+)", "/proc/meminfo") or 0) // 1024


def commit(root):
    """Returns the commit that is checked out, with "+" if files differ from it; "unknown" outside a repository."""

    def git(*arguments):
        return subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False)

    try:
        head = git("rev-parse", "--short=12", "HEAD")
        if head.returncode != 0:
            return "unknown"
        return head.stdout.strip() + ("+" if git("status", "--porcelain").stdout.strip() else "")
    except FileNotFoundError:
        return "unknown"


def busy_warning():
    """Returns a warning if other processes use the processors; empty if not."""
    load = os.getloadavg()[0]
    if load < 0.5:
        return ""
    return f"The machine is busy (load {load:.1f} over the last minute): expect wide ranges."


def _first(pattern, path):
    found = re.search(pattern, Path(path).read_text(encoding="utf-8"), re.MULTILINE)
    return found.group(1).strip() if found else ""
