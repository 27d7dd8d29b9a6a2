"""Where a measurement was made and of what. Nothing here names a host, a user or a folder."""

import os
import platform
import re
import subprocess
from pathlib import Path


def machine():
    """The processor, how many of them this process may use, the kernel and the memory."""
    return {
        "cpu": _first(r"^model name\s*:\s*(.*)$", "/proc/cpuinfo"),
        "cores": len(os.sched_getaffinity(0)),
        "kernel": f"{platform.system()} {platform.release()}",
        "memory_gib": round(int(_first(r"^MemTotal:\s*(\d+)", "/proc/meminfo") or 0) / 2**20, 1),
    }


def free_mib():
    """The memory that new processes can have without any being swapped out."""
    return int(_first(r"^MemAvailable:\s*(\d+)", "/proc/meminfo") or 0) // 1024


def commit(root):
    """The commit that is checked out, with "+" if files differ from it; "unknown" outside a repository."""

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
    """A sentence if other processes want the processors; empty if not."""
    load = os.getloadavg()[0]
    if load < 0.5:
        return ""
    return f"The machine is busy (load {load:.1f} over the last minute): expect wide ranges."


def _first(pattern, path):
    found = re.search(pattern, Path(path).read_text(encoding="utf-8"), re.MULTILINE)
    return found.group(1).strip() if found else ""
