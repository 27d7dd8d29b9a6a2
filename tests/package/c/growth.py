"""Calls each kind of function of the C interface 100,000 times in all, from Python, and checks that memory doesn't grow.

usage: growth.py LIBTINE"""

import ctypes
import os
import sys
import threading

tine = ctypes.CDLL(sys.argv[1])
CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
ITERATION = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64)
FOLD = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.POINTER(ctypes.c_int64))
COMBINE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64))
tine.tine_par_for.argtypes = [ctypes.c_int64, ctypes.c_int64, ITERATION, ctypes.c_void_p]
tine.tine_par_reduce.argtypes = [ctypes.c_int64, ctypes.c_int64, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p, FOLD, COMBINE, ctypes.c_void_p]
tine.tine_submit.argtypes = [ctypes.c_int, CALLBACK, ctypes.c_void_p, ctypes.c_void_p]
tine.tine_par2.argtypes = [CALLBACK, ctypes.c_void_p, CALLBACK, ctypes.c_void_p]
tine.tine_run_stoppable.argtypes = [ctypes.c_void_p, CALLBACK, ctypes.c_void_p]
tine.tine_task_group_run.argtypes = [ctypes.c_void_p, CALLBACK, ctypes.c_void_p]
tine.tine_last_message.restype = ctypes.c_char_p
succeeds, fails = CALLBACK(lambda _: 0), CALLBACK(lambda _: 3)
nothing = ITERATION(lambda _, i: 0)
zero, total = ctypes.c_int64(0), ctypes.c_int64(0)
ended = threading.Semaphore(0)


@CALLBACK
def detached(_):
    ended.release()
    return 0


@FOLD
def count(_, begin, end, so_far):
    so_far[0] += end - begin
    return 0


@COMBINE
def add(_, so_far, later):
    so_far[0] += later[0]
    return 0


def must(status, expected=0):
    if status != expected:
        sys.exit(f"status {status}, not {expected}: {tine.tine_last_message()}")


def made(create):
    made_here = ctypes.c_void_p()
    must(create(ctypes.byref(made_here)))
    return made_here


def one_round():
    """Makes ten calls, and others that free the objects."""
    must(tine.tine_par2(succeeds, None, succeeds, None))
    must(tine.tine_par2(succeeds, None, fails, None), 3)
    must(tine.tine_par_for(0, 4, nothing, None))
    must(tine.tine_par_reduce(0, 5, 8, ctypes.byref(zero), ctypes.byref(total), count, add, None))
    must(total.value, 5)
    handle = ctypes.c_void_p()
    must(tine.tine_submit(0, fails, None, ctypes.byref(handle)))
    must(tine.tine_handle_wait(ctypes.byref(handle)), 3)
    must(tine.tine_submit(1, detached, None, ctypes.byref(handle)))
    must(tine.tine_handle_detach(ctypes.byref(handle)))
    ended.acquire()
    source = made(tine.tine_stop_source_create)
    must(tine.tine_run_stoppable(source, succeeds, None))
    must(tine.tine_stop_source_destroy(ctypes.byref(source)))
    group = made(tine.tine_task_group_create)
    must(tine.tine_task_group_run(group, succeeds, None))
    must(tine.tine_task_group_run(group, fails, None))
    must(tine.tine_task_group_destroy(ctypes.byref(group)), 3)
    must(tine.tine_par_for(0, 4, ITERATION(lambda _, i: 0), None))  # a new address each time


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def growth():
    """Returns by how many bytes the process grows in 3,000 rounds."""
    before = resident()
    for _ in range(3_000):
        one_round()
    return resident() - before


# A thread or a fiber that starts late makes the process grow once; a leak makes it grow each time.
grown = [growth() for _ in range(4)]
print(f"grown by {grown} bytes", flush=True)
os._exit(min(grown) > 40_000)  # at once: the last detached callback may not have returned to its thread
