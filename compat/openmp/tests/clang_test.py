#!/usr/bin/env python3
"""Compiles the programs in the folder clang, which only clang compiles, and runs each on libomp, which shows that its
checks are right, and on tine. Checks the functions that the library exports for programs that clang has compiled.

    clang_test.py LIBRARY BUILD-FOLDER [PROGRAM...]
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tests"))
import checks  # noqa: E402

LIBRARY, BUILD = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
COMPILERS = {".c": "clang-19", ".cpp": "clang++-19"}
FLAGS = {"threadprivate": ["-fnoopenmp-use-tls"]}
WORKERS, THREADS = (1, 2, 8), (1, 2, 16)


def compiled(source):
    program = BUILD / source.stem
    code, output = checks.run(COMPILERS[source.suffix], "-O1", "-w", "-fopenmp", "-fopenmp-version=51", *FLAGS.get(source.stem, []), source, "-o", program)
    checks.check(f"{source.name} compiles", code == 0, output)
    return program if code == 0 else None


def run(program, **settings):
    """Runs it with these variables and no others of OpenMP or tine. Returns (exit code, output)."""
    kept = {k: v for k, v in os.environ.items() if not re.match("OMP_|GOMP_|KMP_|TINE_|LD_PRELOAD", k)}
    try:
        return checks.run(program, timeout=60, env=kept | {k: str(v) for k, v in settings.items()})
    except subprocess.TimeoutExpired as e:
        return "no end", str(e.output)


def runs_of(program):
    """The variables of each run of a program."""
    cancellation = ("true", "false") if program.name in ("constructs", "objects") else ("false",)
    for threads in THREADS:
        for on in cancellation:
            here = {"OMP_NUM_THREADS": threads, "OMP_CANCELLATION": on}
            if program.name != "constructs" or on == "false":  # libomp 19 hangs in a dynamic loop behind a cancelled one
                yield here | {"OMP_WAIT_POLICY": "passive"}
            for w in WORKERS:
                yield here | {"TINE_NUM_THREADS": w, "LD_PRELOAD": LIBRARY}
            yield here | {"TINE_NUM_THREADS": "2", "TINE_OMP_THREADS": "native", "LD_PRELOAD": LIBRARY}


def clang_calls():
    """The functions that clang 19 may call on the host, as far as libomp has them. Loops have one for each type."""
    loops = ("for_static_init dist_for_static_init team_static_init dispatch_init dist_dispatch_init dispatch_next dispatch_fini")
    others = """
        aligned_alloc alloc barrier begin bound_num_threads bound_thread_num calloc cancel cancel_barrier cancellationpoint copyprivate
        critical critical_with_hint destroy_allocator destroy_lock destroy_nest_lock dispatch_deinit doacross_fini doacross_init
        doacross_post doacross_wait end end_critical end_masked end_master end_ordered end_reduce end_reduce_nowait
        end_scope end_serialized_parallel end_single end_taskgroup error flush for_static_fini fork_call fork_call_if fork_teams free
        get_default_allocator global_num_threads global_thread_num in_parallel init_allocator init_lock init_lock_with_hint
        init_nest_lock init_nest_lock_with_hint masked master ok_to_fork omp_reg_task_with_affinity omp_target_task_alloc
        omp_task omp_task_alloc omp_task_begin_if0 omp_task_complete_if0 omp_task_parts omp_task_with_deps omp_taskwait
        omp_taskwait_deps_51 omp_taskyield omp_wait_deps ordered pop_num_threads push_num_teams push_num_teams_51
        push_num_threads push_proc_bind realloc reduce reduce_nowait scope serialized_parallel set_default_allocator
        set_lock set_nest_lock set_thread_limit single task_allow_completion_event task_reduction_get_th_data
        task_reduction_init task_reduction_modifier_fini task_reduction_modifier_init taskgroup taskloop taskloop_5
        taskred_init taskred_modifier_init test_lock test_nest_lock threadprivate_cached threadprivate_register
        unset_lock unset_nest_lock"""
    return {f"__kmpc_{name}" for name in others.split()} | {f"__kmpc_{name}_{t}" for name in loops.split() for t in ("4", "4u", "8", "8u")}


def exports_for_clang():
    """Each function that clang calls, or that a program of libomp's finds in omp.h, has libomp's version."""
    ours = set(re.findall(r"DF .*\sVERSION\s+(\w+)$|DF .*\(VERSION\)\s+(\w+)$", checks.must("objdump", "-T", LIBRARY), re.MULTILINE))
    ours = {name for pair in ours for name in pair}
    missing = clang_calls() - ours
    found = next(pathlib.Path("/usr/lib").glob("llvm-*/lib/libomp.so.5"), None)
    if found is not None:
        theirs = set(re.findall(r"DF .*\sVERSION\s+(\w+)$", checks.must("objdump", "-T", found), re.MULTILINE))
        missing |= {name for name in theirs if re.match("(omp|ompc|kmpc|GOMP)_(?!.*interop.*_$)", name)} - ours
    checks.check("functions for clang", not missing, f"not exported with libomp's version: {sorted(missing)}")


def binds_to_tine(program):
    """No function of OpenMP that a program of clang's calls is another library's."""
    code, output = run(program, LD_DEBUG="bindings", LD_BIND_NOW=1, OMP_NUM_THREADS=2, TINE_NUM_THREADS=2, LD_PRELOAD=LIBRARY)
    bound = re.findall(rf"file {re.escape(str(program))} .* to (\S+) .*symbol `((?:__kmpc|ompc?|kmpc?)_\w+)'", output)
    wrong = [pair for pair in bound if pair[0] != str(LIBRARY)]
    checks.check(f"{program.name} of clang binds to tine", code == 0 and len(bound) > 5 and not wrong, f"exit code {code}, {len(bound)} functions; elsewhere: {wrong}")


BUILD.mkdir(parents=True, exist_ok=True)
sources = sorted(p for p in (HERE / "clang").iterdir() if p.suffix in COMPILERS and (len(sys.argv) < 4 or p.stem in sys.argv[3:]))
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    programs = [p for p in pool.map(compiled, sources) if p is not None]
    jobs = [(program, settings) for program in programs for settings in runs_of(program)]
    for (program, settings), (code, output) in zip(jobs, pool.map(lambda job: run(job[0], **job[1]), jobs)):
        words = " ".join(f"{k}={v}" for k, v in settings.items() if k != "LD_PRELOAD")
        checks.check(f"{program.name} on {'tine' if 'LD_PRELOAD' in settings else 'libomp'}, {words}", code == 0, f"exit code {code}\n{output}")
exports_for_clang()
for program in programs:
    if program.name in ("constructs", "entries", "loops"):
        binds_to_tine(program)
checks.end()
