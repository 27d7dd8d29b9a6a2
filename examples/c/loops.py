"""Loops of tine from Python, by ctypes: first with a body in Python, then with a compiled one.

usage: loops.py LIBTINE LIBSCALE"""

import array
import ctypes
import sys

tine = ctypes.CDLL(sys.argv[1])  # which releases Python's lock during a call; PyDLL would not
scale = ctypes.CDLL(sys.argv[2]).scale
ITERATION = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64)
tine.tine_par_for.argtypes = [ctypes.c_int64, ctypes.c_int64, ITERATION, ctypes.c_void_p]
tine.tine_par_for_chunks.argtypes = [ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p]


def par_for(begin, end, body):
    """Calls body(i) for each i. Raises the exception of the first iteration that failed, in the order of the loop."""
    errors = {}

    def iteration(_, i):
        try:
            body(i)
            return 0
        except BaseException as error:
            errors[i] = error
            return 1

    if tine.tine_par_for(begin, end, ITERATION(iteration), None) != 0:
        raise errors[min(errors)]


squares = [0] * 10


def square(i):
    squares[i] = i * i


par_for(0, 10, square)
print(squares)
try:
    par_for(0, 100, lambda i: squares[i])
except IndexError as error:
    print(error)


class Vector(ctypes.Structure):
    _fields_ = [("numbers", ctypes.c_void_p), ("factor", ctypes.c_double)]


numbers = array.array("d", range(1000000))
vector = Vector(numbers.buffer_info()[0], 0.5)
status = tine.tine_par_for_chunks(0, len(numbers), ctypes.cast(scale, ctypes.c_void_p), ctypes.byref(vector))
print(status, numbers[3], numbers[-1])
