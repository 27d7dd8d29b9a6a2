"""Tables for run.py: the compilers, how programs end that have no cases, and the cases that other OpenMP libraries fail."""

import os

GCC, CLANG = "-12", "-19"

# A family of compilers, with the OpenMP library that its programs load. Programs of a family that doesn't preload tine
# run on their own library only.
FAMILIES = {
    "gcc": {"own": "libgomp", "preloads": True, "libraries": (),
            "compilers": {".c": ("gcc" + GCC, "gcc"), ".cpp": ("g++" + GCC, "g++"), ".f90": ("gfortran" + GCC, "gfortran")},
            "without": ()},
    "clang": {"own": "libomp", "preloads": True, "libraries": ("-latomic",),
              "compilers": {".c": ("clang" + CLANG, "clang"), ".cpp": ("clang++" + CLANG, "clang++")},
              "without": ("entries.c", "hostile.cpp", "environment.c", "forks.c")},
}

# Variables of the runs of a program, each with every number of threads and workers.
SETTINGS = {"cancel.c": [{"OMP_CANCELLATION": "true"}, {"OMP_CANCELLATION": "false"}],
            "loops.f90": [{"OMP_CANCELLATION": "true"}], "tasks.f90": [{"OMP_CANCELLATION": "true"}]}

# Cases that an OpenMP library fails, or the code of a family of compilers on any library.
SKIPPED = {
    # One team of a league leaves its control variables to the next one.
    # The event of a task that has ended by a cancellation is no event to libgomp.
    "libgomp": {"devices.c": ("teams_start_alike",), "cancel.c": ("events_fulfilled_after_a_cancel",)},
    "libomp": {
        # A chunk size that simd rounds up gives iterations to two threads.
        "spaces.c": ("simd_schedules",),
        # In a dynamic loop whose chunks threads steal, several of them believe to have the last iteration.
        "data.c": ("lastprivate_of_loops", "lastprivate_of_collapsed_loops", "allocate_clause"),
        "objects.cpp": ("lastprivate_objects",),
        # The loop after a cancelled one fails an assertion. A cancelled taskloop or detached task doesn't end.
        "cancel.c": ("events_of_cancelled_tasks", "taskloop", "loop_dynamic", "loop_dynamic_7", "loop_guided", "loop_runtime", "loop_of_a_combined_construct"),
        # Nested locks belong to threads.
        "locks.c": ("nested_belongs_to_task",),
        # Predefined allocators other than the default one are missing, and so are pools.
        "settings.c": ("memory", "memory_of_zeros_and_sizes", "memory_of_a_pool", "memory_with_a_fallback", "default_allocator_belongs_to_the_task"),
        # A league has at most as many teams as there are processors.
        "devices.c": ("league", "league_in_regions", "distribute", "teams_start_alike"),
    },
    "clang": {
        # A taskloop of no iterations runs until the end of its type.
        "spaces.c": ("int_empty_by_tasks", "int_empty_backwards_by_tasks", "int_empty_downwards_by_tasks", "ull_empty_by_tasks"),
        "reductions.c": ("scan_exclusive",),
        "data.c": ("conditional_lastprivate", "aligned_locals"),
        # The modifier strict isn't passed on, nor is the reduction of a taskloop that is combined with its region.
        "taskloops.c": ("strict_grainsize",),
        "regions.c": ("combined_taskloops",),
        # A target region is a call.
        "devices.c": ("target_is_outside",),
    },
}

# Programs that are also recorded and replayed, without the cases whose regions several threads start.
REPLAYED = {"schedules.c": (), "regions.c": ("regions_of_several_threads", "variables_of_several_threads"), "tasks.c": (), "depends.c": (), "cancel.c": ()}

# A program that breaks the rules: its exit code, or None if only its end counts, and its message.
HOSTILE = {
    "end_without_start": (1, "no region that GOMP_parallel_start has started"),
    "end_group_without_start": (1, "this task has started no taskgroup"),
    "leave_critical_without_entering": (0, "^end$"), "ordered_without_loop": (0, "^end$"),
    "barrier_in_task": (1, "barrier is in an explicit task"),
    "negative_threads": (1, "asks for 4294967294 threads"), "set_negative_threads": (0, "^end$"),
    "too_many_threads": (1, "asks for 100000 threads"), "set_too_many_threads": (1, "asks for 2147483647 threads"),
    "thousands_of_threads": (0, "^end$"), "chunks_of_no_size": (0, "^end$"), "loop_with_no_step": (0, "^end$"),
    "exit_from_region": (3, "^$"), "exit_from_task": (3, "^$"), "abort_in_region": (-6, "^$"),
    "regions_at_exit": (0, "^end$"), "stack_overflow": (None, "stack overflow"),
    "exception_leaves_region": (-6, "terminate called"), "exception_leaves_task": (-6, "terminate called"),
    "exception_leaves_critical": (-6, "terminate called"), "jump_inside_of_region": (0, "^end$"),
    "unset_lock_twice": (0, "^end$"), "unset_nested_lock_twice": (0, "^end$"), "destroy_held_lock": (0, "^end$"),
    "fulfil_null": (1, "the event handle is null"), "fulfil_twice": (1, "the event was fulfilled before"),
    "fork_in_region": (0, "^end$"), "region_in_child_of_region": (None, "a child of fork"),
}

# Environment variables, and what the program environment prints then. libgomp and tine agree.
ENVIRONMENT = [
    ({}, "^threads 2, dynamic 0, levels 1, schedule 2 1, limit 2147483647, priority 0, cancellation 0, teams 0 0, allocator 1, device 0, nested 2 2$"),
    ({"OMP_NUM_THREADS": "4,2", "OMP_SCHEDULE": "guided,5", "OMP_MAX_ACTIVE_LEVELS": 3, "OMP_THREAD_LIMIT": 40, "OMP_MAX_TASK_PRIORITY": 7,
      "OMP_DYNAMIC": "false", "OMP_WAIT_POLICY": "passive", "OMP_STACKSIZE": "4M"},
     "^threads 4, dynamic 0, levels 3, schedule 3 5, limit 40, priority 7, .* nested 2 2$"),
    ({"OMP_NUM_THREADS": "4,3,2"}, "^threads 4, dynamic 0, levels 255, .* nested 3 2$"),
    ({"OMP_NUM_THREADS": " 5 , 4 "}, "^threads 5, .* nested 4 4$"),
    ({"OMP_NUM_THREADS": "0"}, "OMP_NUM_THREADS(.|\n)*, levels 1, "), ({"OMP_NUM_THREADS": "4,"}, "OMP_NUM_THREADS(.|\n)*, levels 1, "),
    ({"OMP_NUM_THREADS": "abc"}, "OMP_NUM_THREADS(.|\n)*, levels 1, "), ({"OMP_NUM_THREADS": ""}, "OMP_NUM_THREADS(.|\n)*, levels 1, "),
    ({"OMP_SCHEDULE": "static"}, " schedule 1 0"), ({"OMP_SCHEDULE": "static,7"}, " schedule 1 7"),
    ({"OMP_SCHEDULE": "monotonic:dynamic,3"}, " schedule 2 3 monotonic,"), ({"OMP_SCHEDULE": " nonmonotonic : guided , 4 "}, " schedule 3 4,"),
    ({"OMP_SCHEDULE": "auto"}, " schedule 4 "), ({"OMP_SCHEDULE": "DyNaMiC"}, " schedule 2 1,"), ({"OMP_SCHEDULE": "dynamic,0"}, " schedule 2 1,"),
    ({"OMP_SCHEDULE": "fast"}, "OMP_SCHEDULE(.|\n)* schedule 2 1,"), ({"OMP_SCHEDULE": "guided,x"}, "OMP_SCHEDULE(.|\n)* schedule [23] 1,"),
    ({"OMP_DYNAMIC": " TRUE "}, ", dynamic 1,"), ({"OMP_DYNAMIC": "1"}, "OMP_DYNAMIC(.|\n)*, dynamic 0,"),
    ({"OMP_NESTED": "true"}, ", levels 255,"), ({"OMP_NESTED": "false"}, ", levels 1,"),
    ({"OMP_MAX_ACTIVE_LEVELS": "0"}, ", levels 0,"), ({"OMP_MAX_ACTIVE_LEVELS": "-1"}, "OMP_MAX_ACTIVE_LEVELS(.|\n)*, levels 1,"),
    ({"OMP_MAX_ACTIVE_LEVELS": "5000"}, ", levels 255,"), ({"OMP_THREAD_LIMIT": "3"}, ", limit 3,"),
    ({"OMP_THREAD_LIMIT": "0"}, "OMP_THREAD_LIMIT(.|\n)*, limit 2147483647,"), ({"OMP_CANCELLATION": "true"}, ", cancellation 1,"),
    ({"OMP_NUM_TEAMS": "5", "OMP_TEAMS_THREAD_LIMIT": "6"}, ", teams 5 6,"), ({"OMP_MAX_TASK_PRIORITY": "9"}, ", priority 9,"),
    ({"OMP_ALLOCATOR": "omp_high_bw_mem_alloc"}, ", allocator 4,"), ({"OMP_ALLOCATOR": "x"}, "OMP_ALLOCATOR(.|\n)*, allocator 1,"),
    ({"OMP_DEFAULT_DEVICE": "2"}, ", device 2,"), ({"OMP_PROC_BIND": "spread,close"}, ", levels 255,"),
    # libgomp binds the initial thread to one processor then, but the team has a thread for each.
    *(({variable: value, "OMP_NUM_THREADS": None}, f"^threads {len(os.sched_getaffinity(0))},")
      for variable, value in (("OMP_PROC_BIND", "true"), ("OMP_PROC_BIND", "close"), ("OMP_PLACES", "threads"))),
]
