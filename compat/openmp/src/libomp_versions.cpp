// The functions that libgomp and libomp both have. exported.map gives them the versions of libgomp. A program that was
// linked with libomp asks for libomp's only version, so each gets a second symbol here.
//
// It is a jump, because GNU ld drops one of two versions of a function that have one address. The jump leaves the stack
// alone, so an entry point still finds the program's return address.
#if defined(__x86_64__)
#define TINE_JUMP "jmp"
#elif defined(__aarch64__)
#define TINE_JUMP "b"
#elif defined(__riscv)
#define TINE_JUMP "tail"
#endif

#if defined(TINE_JUMP)
#define TINE_OF_LIBOMP(...)                                            \
  asm(".text\n.irp name, " #__VA_ARGS__                                \
      "\n.globl of_libomp.\\name\n.type of_libomp.\\name, %function\n" \
      "of_libomp.\\name: " TINE_JUMP                                   \
      " \\name\n.size of_libomp.\\name, . - of_libomp.\\name\n"        \
      ".symver of_libomp.\\name, \\name@VERSION, remove\n.endr")

TINE_OF_LIBOMP(
    GOMP_alloc, GOMP_atomic_end, GOMP_atomic_start, GOMP_barrier, GOMP_barrier_cancel, GOMP_cancel,
    GOMP_cancellation_point, GOMP_critical_end, GOMP_critical_name_end, GOMP_critical_name_start, GOMP_critical_start,
    GOMP_doacross_post, GOMP_doacross_ull_post, GOMP_doacross_ull_wait, GOMP_doacross_wait, GOMP_free,
    GOMP_loop_doacross_dynamic_start, GOMP_loop_doacross_guided_start, GOMP_loop_doacross_runtime_start,
    GOMP_loop_doacross_start, GOMP_loop_doacross_static_start, GOMP_loop_dynamic_next, GOMP_loop_dynamic_start,
    GOMP_loop_end, GOMP_loop_end_cancel, GOMP_loop_end_nowait, GOMP_loop_guided_next, GOMP_loop_guided_start,
    GOMP_loop_maybe_nonmonotonic_runtime_next, GOMP_loop_maybe_nonmonotonic_runtime_start,
    GOMP_loop_nonmonotonic_dynamic_next, GOMP_loop_nonmonotonic_dynamic_start, GOMP_loop_nonmonotonic_guided_next,
    GOMP_loop_nonmonotonic_guided_start, GOMP_loop_nonmonotonic_runtime_next, GOMP_loop_nonmonotonic_runtime_start,
    GOMP_loop_ordered_dynamic_next, GOMP_loop_ordered_dynamic_start, GOMP_loop_ordered_guided_next,
    GOMP_loop_ordered_guided_start, GOMP_loop_ordered_runtime_next, GOMP_loop_ordered_runtime_start,
    GOMP_loop_ordered_start, GOMP_loop_ordered_static_next, GOMP_loop_ordered_static_start, GOMP_loop_runtime_next,
    GOMP_loop_runtime_start, GOMP_loop_start, GOMP_loop_static_next, GOMP_loop_static_start,
    GOMP_loop_ull_doacross_dynamic_start, GOMP_loop_ull_doacross_guided_start, GOMP_loop_ull_doacross_runtime_start,
    GOMP_loop_ull_doacross_start, GOMP_loop_ull_doacross_static_start, GOMP_loop_ull_dynamic_next,
    GOMP_loop_ull_dynamic_start, GOMP_loop_ull_guided_next, GOMP_loop_ull_guided_start,
    GOMP_loop_ull_maybe_nonmonotonic_runtime_next, GOMP_loop_ull_maybe_nonmonotonic_runtime_start,
    GOMP_loop_ull_nonmonotonic_dynamic_next, GOMP_loop_ull_nonmonotonic_dynamic_start,
    GOMP_loop_ull_nonmonotonic_guided_next, GOMP_loop_ull_nonmonotonic_guided_start,
    GOMP_loop_ull_nonmonotonic_runtime_next, GOMP_loop_ull_nonmonotonic_runtime_start,
    GOMP_loop_ull_ordered_dynamic_next, GOMP_loop_ull_ordered_dynamic_start, GOMP_loop_ull_ordered_guided_next,
    GOMP_loop_ull_ordered_guided_start, GOMP_loop_ull_ordered_runtime_next, GOMP_loop_ull_ordered_runtime_start,
    GOMP_loop_ull_ordered_start, GOMP_loop_ull_ordered_static_next, GOMP_loop_ull_ordered_static_start,
    GOMP_loop_ull_runtime_next, GOMP_loop_ull_runtime_start, GOMP_loop_ull_start, GOMP_loop_ull_static_next,
    GOMP_loop_ull_static_start, GOMP_ordered_end, GOMP_ordered_start, GOMP_parallel, GOMP_parallel_end,
    GOMP_parallel_loop_dynamic, GOMP_parallel_loop_dynamic_start, GOMP_parallel_loop_guided,
    GOMP_parallel_loop_guided_start, GOMP_parallel_loop_maybe_nonmonotonic_runtime,
    GOMP_parallel_loop_nonmonotonic_dynamic, GOMP_parallel_loop_nonmonotonic_guided,
    GOMP_parallel_loop_nonmonotonic_runtime, GOMP_parallel_loop_runtime, GOMP_parallel_loop_runtime_start,
    GOMP_parallel_loop_static, GOMP_parallel_loop_static_start, GOMP_parallel_reductions, GOMP_parallel_sections,
    GOMP_parallel_sections_start, GOMP_parallel_start, GOMP_sections2_start, GOMP_sections_end,
    GOMP_sections_end_cancel, GOMP_sections_end_nowait, GOMP_sections_next, GOMP_sections_start, GOMP_single_copy_end,
    GOMP_single_copy_start, GOMP_single_start, GOMP_target, GOMP_target_data, GOMP_target_end_data, GOMP_target_update,
    GOMP_task, GOMP_task_reduction_remap, GOMP_taskgroup_end, GOMP_taskgroup_reduction_register,
    GOMP_taskgroup_reduction_unregister, GOMP_taskgroup_start, GOMP_taskloop, GOMP_taskloop_ull, GOMP_taskwait,
    GOMP_taskwait_depend, GOMP_taskyield, GOMP_teams, GOMP_teams_reg, GOMP_workshare_task_reduction_unregister);
TINE_OF_LIBOMP(
    omp_aligned_alloc, omp_aligned_calloc, omp_alloc, omp_calloc, omp_capture_affinity, omp_capture_affinity_,
    omp_destroy_allocator, omp_destroy_allocator_, omp_destroy_lock, omp_destroy_lock_, omp_destroy_nest_lock,
    omp_destroy_nest_lock_, omp_display_affinity, omp_display_affinity_, omp_display_env, omp_display_env_, omp_free,
    omp_fulfill_event, omp_fulfill_event_, omp_get_active_level, omp_get_active_level_, omp_get_affinity_format,
    omp_get_affinity_format_, omp_get_ancestor_thread_num, omp_get_ancestor_thread_num_, omp_get_cancellation,
    omp_get_cancellation_, omp_get_default_allocator, omp_get_default_allocator_, omp_get_default_device,
    omp_get_default_device_, omp_get_device_num, omp_get_device_num_, omp_get_dynamic, omp_get_dynamic_,
    omp_get_initial_device, omp_get_initial_device_, omp_get_level, omp_get_level_, omp_get_max_active_levels,
    omp_get_max_active_levels_, omp_get_max_task_priority, omp_get_max_task_priority_, omp_get_max_teams,
    omp_get_max_teams_, omp_get_max_threads, omp_get_max_threads_, omp_get_nested, omp_get_nested_, omp_get_num_devices,
    omp_get_num_devices_, omp_get_num_places, omp_get_num_places_, omp_get_num_procs, omp_get_num_procs_,
    omp_get_num_teams, omp_get_num_teams_, omp_get_num_threads, omp_get_num_threads_, omp_get_partition_num_places,
    omp_get_partition_num_places_, omp_get_partition_place_nums, omp_get_partition_place_nums_, omp_get_place_num,
    omp_get_place_num_, omp_get_place_num_procs, omp_get_place_num_procs_, omp_get_place_proc_ids,
    omp_get_place_proc_ids_, omp_get_proc_bind, omp_get_proc_bind_, omp_get_schedule, omp_get_schedule_,
    omp_get_supported_active_levels, omp_get_supported_active_levels_, omp_get_team_num, omp_get_team_num_,
    omp_get_team_size, omp_get_team_size_, omp_get_teams_thread_limit, omp_get_teams_thread_limit_,
    omp_get_thread_limit, omp_get_thread_limit_, omp_get_thread_num, omp_get_thread_num_, omp_get_wtick, omp_get_wtick_,
    omp_get_wtime, omp_get_wtime_, omp_in_explicit_task, omp_in_explicit_task_, omp_in_final, omp_in_final_,
    omp_in_parallel, omp_in_parallel_, omp_init_allocator, omp_init_allocator_, omp_init_lock, omp_init_lock_,
    omp_init_lock_with_hint, omp_init_lock_with_hint_, omp_init_nest_lock, omp_init_nest_lock_,
    omp_init_nest_lock_with_hint, omp_init_nest_lock_with_hint_, omp_is_initial_device, omp_is_initial_device_,
    omp_pause_resource, omp_pause_resource_, omp_pause_resource_all, omp_pause_resource_all_, omp_realloc,
    omp_set_affinity_format, omp_set_affinity_format_, omp_set_default_allocator, omp_set_default_allocator_,
    omp_set_default_device, omp_set_default_device_, omp_set_dynamic, omp_set_dynamic_, omp_set_lock, omp_set_lock_,
    omp_set_max_active_levels, omp_set_max_active_levels_, omp_set_nest_lock, omp_set_nest_lock_, omp_set_nested,
    omp_set_nested_, omp_set_num_teams, omp_set_num_teams_, omp_set_num_threads, omp_set_num_threads_, omp_set_schedule,
    omp_set_schedule_, omp_set_teams_thread_limit, omp_set_teams_thread_limit_, omp_test_lock, omp_test_lock_,
    omp_test_nest_lock, omp_test_nest_lock_, omp_unset_lock, omp_unset_lock_, omp_unset_nest_lock,
    omp_unset_nest_lock_);

#undef TINE_OF_LIBOMP
#undef TINE_JUMP
#endif
