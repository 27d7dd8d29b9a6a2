! Fortran: the functions of the module omp_lib, with arguments of both kinds of integers and logicals.
#include "cases.inc"

module library_cases
  use cases
  use iso_c_binding
  implicit none
contains
  subroutine threads
    call omp_set_num_threads(3_8)
    CHECK(omp_get_max_threads() == 3)
    call omp_set_num_threads(-2_8**40)
    CHECK(omp_get_max_threads() == 1)
    call omp_set_num_threads(5_4)
    CHECK(omp_get_max_threads() == 5 .and. omp_get_num_threads() == 1 .and. omp_get_thread_num() == 0)
    CHECK(.not. omp_in_parallel() .and. .not. omp_in_final() .and. omp_get_num_procs() > 0)
    CHECK(omp_get_thread_limit() >= threads_asked())
  end subroutine

  subroutine truths
    call omp_set_dynamic(.true._4)
    CHECK(omp_get_dynamic())
    call omp_set_dynamic(.false._8)
    CHECK(.not. omp_get_dynamic())
    call omp_set_nested(.true._8)
    CHECK(omp_get_nested() .and. omp_get_max_active_levels() > 1)
    call omp_set_nested(.false._4)
    CHECK(.not. omp_get_nested() .and. omp_get_max_active_levels() == 1)
  end subroutine

  subroutine levels
    integer :: bad
    bad = 0
    call omp_set_max_active_levels(2_8)
    CHECK(omp_get_max_active_levels() == 2)
    call omp_set_max_active_levels(2_4)
    !$omp parallel num_threads(2) reduction(+: bad)
    !$omp parallel num_threads(3) reduction(+: bad)
    bad = bad + merge(0, 1, omp_get_level() == 2 .and. omp_get_active_level() == 2 .and. omp_get_team_size(1_4) == 2)
    bad = bad + merge(0, 1, omp_get_team_size(2_8) == 3 .and. omp_get_team_size(7) == -1)
    bad = bad + merge(0, 1, omp_get_ancestor_thread_num(2_8) == omp_get_thread_num())
    bad = bad + merge(0, 1, omp_get_ancestor_thread_num(1_4) < 2 .and. omp_get_ancestor_thread_num(0) == 0)
    bad = bad + merge(0, 1, omp_in_parallel())
    !$omp end parallel
    !$omp end parallel
    CHECK(bad == 0 .and. omp_get_supported_active_levels() > 2)
  end subroutine

  subroutine schedules
    integer(omp_sched_kind) :: kind
    integer(4) :: chunk
    integer(8) :: wide
    call omp_set_schedule(omp_sched_dynamic, 4_4)
    call omp_get_schedule(kind, chunk)
    CHECK(iand(kind, 15) == omp_sched_dynamic .and. chunk == 4)
    call omp_set_schedule(omp_sched_static, 9_8)
    call omp_get_schedule(kind, wide)
    CHECK(iand(kind, 15) == omp_sched_static .and. wide == 9)
    call omp_set_schedule(omp_sched_guided, huge(wide))
    call omp_get_schedule(kind, wide)
    CHECK(iand(kind, 15) == omp_sched_guided .and. wide == huge(chunk))
  end subroutine

  subroutine times
    real(8) :: start
    start = omp_get_wtime()
    CHECK(omp_get_wtick() > 0 .and. omp_get_wtime() >= start)
  end subroutine

  subroutine locks
    integer(omp_lock_kind) :: simple
    integer(omp_nest_lock_kind) :: nested
    call omp_init_lock(simple)
    CHECK(omp_test_lock(simple))
    CHECK(.not. omp_test_lock(simple))
    call omp_unset_lock(simple)
    call omp_set_lock(simple)
    call omp_unset_lock(simple)
    call omp_destroy_lock(simple)
    call omp_init_nest_lock(nested)
    call omp_set_nest_lock(nested)
    CHECK(omp_test_nest_lock(nested) == 2)
    call omp_unset_nest_lock(nested)
    call omp_unset_nest_lock(nested)
    CHECK(omp_test_nest_lock(nested) == 1)
    call omp_unset_nest_lock(nested)
    call omp_destroy_nest_lock(nested)
  end subroutine

  subroutine devices
    CHECK(omp_get_num_devices() == 0 .and. omp_is_initial_device() .and. omp_get_initial_device() == 0)
    call omp_set_default_device(0_8)
    CHECK(omp_get_default_device() == 0 .and. omp_get_device_num() == 0)
    CHECK(omp_get_num_teams() == 1 .and. omp_get_team_num() == 0)
    call omp_set_num_teams(2)
    CHECK(omp_get_max_teams() == 2)
    call omp_set_num_teams(0_8)
    call omp_set_teams_thread_limit(3)
    CHECK(omp_get_teams_thread_limit() == 3)
    call omp_set_teams_thread_limit(0_8)
  end subroutine

  subroutine of_the_process
    CHECK(omp_get_max_task_priority() >= 0 .and. omp_get_num_places() >= 0 .and. omp_get_place_num() >= -1)
    CHECK(omp_get_proc_bind() >= omp_proc_bind_false)
    CHECK(omp_pause_resource_all(omp_pause_soft) == 0 .or. omp_get_level() == 0)
    CHECK(openmp_version >= 201511)
  end subroutine

  subroutine affinity
    character(len=20) :: text
    character(len=64) :: before
    integer :: length
    length = omp_get_affinity_format(before)
    call omp_set_affinity_format("%n of %N")
    length = omp_get_affinity_format(text)
    CHECK(length == 8 .and. text == "%n of %N")
    length = omp_capture_affinity(text, "%0.3n|%L")
    CHECK(length == 5 .and. text == "000|0")
    call omp_set_affinity_format(before)
  end subroutine

  subroutine memory
    type(c_ptr) :: p
    integer, pointer :: a(:)
    integer(omp_allocator_handle_kind) :: allocator
    type(omp_alloctrait) :: traits(1)
    traits(1) = omp_alloctrait(omp_atk_alignment, 128)
    allocator = omp_init_allocator(omp_default_mem_space, 1, traits)
    CHECK(allocator /= omp_null_allocator)
    p = omp_calloc(10_c_size_t, 4_c_size_t, allocator)
    CHECK(mod(transfer(p, 0_c_intptr_t), 128_c_intptr_t) == 0)
    call c_f_pointer(p, a, [10])
    CHECK(all(a == 0))
    a = 5
    p = omp_realloc(p, 4000_c_size_t, allocator, allocator)
    call c_f_pointer(p, a, [1000])
    CHECK(all(a(1:10) == 5))
    call omp_free(p, allocator)
    call omp_destroy_allocator(allocator)
    call omp_set_default_allocator(omp_large_cap_mem_alloc)
    CHECK(omp_get_default_allocator() == omp_large_cap_mem_alloc)
    call omp_set_default_allocator(omp_default_mem_alloc)
  end subroutine
end module

program main
  use library_cases
  implicit none
  call start_cases
  CASE(threads)
  CASE(truths)
  CASE(levels)
  CASE(schedules)
  CASE(times)
  CASE(locks)
  CASE(devices)
  CASE(of_the_process)
  CASE(affinity)
  CASE(memory)
  call end_cases
end program
