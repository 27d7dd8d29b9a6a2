#!/bin/sh
# run.sh SYSROOT PROGRAM [ARGUMENT...]: runs a program of aarch64 by qemu, and every other program as it is. CMake puts this in front of the
# commands of tests whose program is a target, and Python's interpreter is one.
elf_machine=$(od -An -j18 -N2 -tu2 "$2")
if [ "$elf_machine" -eq 183 ]; then exec qemu-aarch64-static -L "$@"; fi
shift
exec "$@"
