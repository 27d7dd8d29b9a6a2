! Smooths a field on all cores, from Fortran.
module tine
  use, intrinsic :: iso_c_binding
  implicit none

  interface
    function tine_par_for_chunks(first, last, body, data) bind(c) result(status)
      import :: c_int, c_int64_t, c_funptr, c_ptr
      integer(c_int64_t), value :: first, last ! last is behind the end
      type(c_funptr), value :: body
      type(c_ptr), value :: data
      integer(c_int) :: status
    end function
  end interface
end module

module fields
  use, intrinsic :: iso_c_binding
  implicit none

  type :: step
    real(c_double), pointer :: before(:, :), after(:, :)
  end type

contains

  ! Several workers run it at once: recursive, so that no local variable is shared.
  recursive function smooth(data, first, last) bind(c) result(status)
    type(c_ptr), value :: data
    integer(c_int64_t), value :: first, last
    integer(c_int) :: status
    type(step), pointer :: s
    integer(c_int64_t) :: j
    call c_f_pointer(data, s)
    do j = first, last - 1
      s%after(2:999, j) = 0.25 * (s%before(1:998, j) + s%before(3:1000, j) + &
                                  s%before(2:999, j - 1) + s%before(2:999, j + 1))
    end do
    status = 0
  end function
end module

program heat
  use, intrinsic :: iso_c_binding
  use tine
  use fields
  implicit none
  real(c_double), allocatable, target :: a(:, :), b(:, :)
  type(step), target :: there, back
  integer(c_int64_t), parameter :: first = 2, last = 1000
  integer :: i

  allocate(a(1000, 1000), source=0.0_c_double)
  a(:, 1) = 100
  b = a
  there = step(a, b)
  back = step(b, a)
  do i = 1, 50
    if (tine_par_for_chunks(first, last, c_funloc(smooth), c_loc(there)) /= 0) error stop 'a chunk has failed'
    if (tine_par_for_chunks(first, last, c_funloc(smooth), c_loc(back)) /= 0) error stop 'a chunk has failed'
  end do
  print '(f8.4)', a(500, 2), a(500, 10), sum(a) / size(a)
end program
