"""Runs `tine ir` and `tine ml`, as subprocess.run does. If the program is `tine-served` (served.cpp), one process runs all commands: each is a
fork of that process, because a start of the program takes 30 ms."""

import atexit
import os
import pathlib
import queue
import struct
import subprocess
import tempfile


class Server:
    def __init__(self, program: str):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.folder = tempfile.TemporaryDirectory(prefix="tine-served-")
        self.files = [os.path.join(self.folder.name, name) for name in ("in", "out", "err")]

    def run(self, words, given: bytes | None, timeout: float, cwd, env, joined: bool) -> tuple[str, bytes, bytes]:
        if given is not None:
            pathlib.Path(self.files[0]).write_bytes(given)
        files = [os.devnull if given is None else self.files[0], self.files[1], "" if joined else self.files[2]]
        variables = [f"{name}={value}" for name, value in (os.environ if env is None else env).items()]
        fields = [str(int(timeout)), os.getcwd() if cwd is None else cwd, *files, str(len(words)), *words, *variables]
        request = b"".join(os.fsencode(field) + b"\0" for field in fields)
        self.process.stdin.write(struct.pack("=Q", len(request)) + request)
        self.process.stdin.flush()
        end = self.process.stdout.readline().decode().strip()
        out, err = (pathlib.Path(file).read_bytes() if file else None for file in files[1:])
        return end, out, err

    def stop(self):
        self.process.stdin.close()
        self.process.wait()
        self.folder.cleanup()


idle: queue.LifoQueue = queue.LifoQueue()  # the servers that no thread uses


@atexit.register
def stop_all():
    while not idle.empty():
        idle.get().stop()


def run(program, words, *, input: bytes | None = None, timeout: float, cwd=None, env=None, stderr=subprocess.PIPE) -> subprocess.CompletedProcess:
    """Runs `program` with the words. `stderr` is subprocess.PIPE, or STDOUT for one text of both."""
    words = [os.fspath(word) for word in words]
    if pathlib.Path(program).name != "tine-served":
        return subprocess.run([program, *words], input=input, stdin=subprocess.DEVNULL if input is None else None, stdout=subprocess.PIPE, stderr=stderr,
                              timeout=timeout, cwd=cwd, env=env, check=False)
    try:
        server = idle.get_nowait()
    except queue.Empty:
        server = Server(program)
    end, out, err = server.run(["tine", *words], input, timeout, cwd, env, stderr == subprocess.STDOUT)
    if not end:
        raise RuntimeError(f"{program} has ended with {server.process.wait()}")
    idle.put(server)
    if end == "timeout":
        raise subprocess.TimeoutExpired([program, *words], timeout, out, err)
    return subprocess.CompletedProcess([program, *words], int(end), out, err)
