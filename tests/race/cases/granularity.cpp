// Accesses of all sizes: neighbours that do not overlap, and parts of an object that do.
#include "../race_case.hpp"

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace {

using race_test::keep;

template <class T>
void write_neighbours(race_test::subject& its) {
  alignas(16) std::array<T, 4> a{};
  its.races_on(a[1]);
  tine::par([&] { a[1] = T(1); }, [&] { a[its.racy ? 1 : 2] = T(2); });
  keep(a);
}

RACE_CASE(neighbouring_chars) { write_neighbours<char>(its); }
RACE_CASE(neighbouring_shorts) { write_neighbours<short>(its); }
RACE_CASE(neighbouring_ints) { write_neighbours<int>(its); }
RACE_CASE(neighbouring_longs) { write_neighbours<long>(its); }
RACE_CASE(neighbouring_floats) { write_neighbours<float>(its); }
RACE_CASE(neighbouring_doubles) { write_neighbours<double>(its); }
TINE_CASE(neighbouring_long_doubles, always, never, "compilers report no accesses of ten bytes") {
  write_neighbours<long double>(its);
}
RACE_CASE(neighbouring_bools) { write_neighbours<bool>(its); }
RACE_CASE(neighbouring_complex_numbers) { write_neighbours<std::complex<double>>(its); }

__extension__ using wide = __int128;
RACE_CASE(neighbouring_int128s) { write_neighbours<wide>(its); }

// A strand reads both halves at once while another one writes the second, in memory whose smallest accesses are of type
// T.
template <class T, class Half, std::size_t Alignment>
void write_second_half(race_test::subject& its) {
  struct alignas(Alignment) halves {
    Half first, second;
  };
  alignas(4096) static struct {
    T smallest;
    std::array<halves, 2> of;
  } page;
  its.races_on(page.of[0].second);
  page.smallest = T(1);
  keep(page);
  tine::par([&] { page.of[0].second = 1; },
            [&] {
              using both [[gnu::may_alias]] = std::conditional_t<sizeof(Half) == 8, wide, std::uint64_t>;
              using both_aligned [[gnu::aligned(Alignment)]] = both;
              const both copy = *static_cast<const both_aligned*>(static_cast<const void*>(&page.of[its.racy ? 0 : 1]));
              keep(copy);
            });
}

RACE_CASE(second_half_of_a_word_among_chars) { write_second_half<char, std::uint32_t, 8>(its); }
RACE_CASE(second_half_of_a_word_among_ints) { write_second_half<int, std::uint32_t, 8>(its); }
RACE_CASE(second_half_of_an_unaligned_word) { write_second_half<int, std::uint32_t, 4>(its); }
RACE_CASE(second_half_of_two_words) { write_second_half<long, std::uint64_t, 16>(its); }

// Strands that each own one byte of a word.
CLEAN_CASE(bytes_of_one_word) {
  alignas(8) std::array<std::uint8_t, 64> a{};
  tine::par_for(std::size_t{0}, a.size(), [&](std::size_t i) { a[i] = static_cast<std::uint8_t>(i); });
  tine::par_for(std::size_t{0}, a.size(), [&](std::size_t i) { a[63 - i] += 1; });
  keep(a);
}

RACE_CASE(unaligned_accesses_overlap_by_one_byte) {
  alignas(16) std::array<std::uint8_t, 32> a{};
  its.races_on(a[8]);
  std::uint32_t x = 1, y = 2;
  keep(x);
  keep(y);
  tine::par([&] { std::memcpy(&a[5], &x, 4); }, [&] { std::memcpy(its.racy ? &a[8] : &a[9], &y, 4); });
  keep(a);
}

RACE_CASE(unaligned_access_across_a_page) {
  alignas(4096) static std::uint8_t pages[8192];
  its.races_on(pages[4099]);
  std::uint64_t x = 1;
  keep(x);
  tine::par([&] { std::memcpy(&pages[4093], &x, 8); }, [&] { pages[its.racy ? 4099 : 4101] = 1; });
  keep(pages);
}

RACE_CASE(word_of_two_ints_across_a_page) {
  alignas(4096) static std::array<std::uint32_t, 2048> pages;
  its.races_on(pages[1024]);
  pages[512] = pages[1536] = 1;  // both pages have been accessed, and their cells are as large as an int
  tine::par([&] { pages[its.racy ? 1024 : 1025] = 1; },
            [&] {
              using both [[gnu::may_alias, gnu::aligned(4)]] = std::uint64_t;
              const std::uint64_t copy = *static_cast<const both*>(static_cast<const void*>(&pages[1023]));
              keep(copy);
            });
}

// Writing a bit field reads and writes the byte that it shares with its neighbour.
struct bits {
  unsigned a : 3;
  unsigned b : 5;
  unsigned : 0;
  unsigned c : 8;
};

RACE_CASE(bit_fields_in_one_byte) {
  bits x{};
  its.races_in(&x, 4);
  tine::par([&] { x.a = 1; },
            [&] {
              if (its.racy)
                x.b = 2;
              else
                x.c = 2;
            });
  keep(x);
}

RACE_CASE(large_struct_assignment) {
  struct block {
    std::array<long, 100> of{};
  };
  block a, b, c;
  its.races_on(a.of[99]);
  tine::par([&] { b = a; }, [&] { (its.racy ? a : c).of[99] = 1; });
  keep(b);
}

// Rows whose lengths are no multiples of eight meet inside of a word.
RACE_CASE(rows_of_seven_bytes) {
  alignas(8) std::array<char, 7 * 9> a{};
  its.races_on(a);
  tine::par_for(std::size_t{0}, std::size_t{8}, [&](std::size_t i) { std::memset(&a[7 * i], 1, its.racy ? 8 : 7); });
  keep(a);
}

// One byte of a word is not checked, and the others are, also after an access to all of them.
RACE_CASE(ignored_byte_of_a_word) {
  alignas(8) std::array<unsigned char, 8> a{};
  keep(a);
  tine::ignore_races(&a[0], 1);
  its.races_on(a[2]);
  using word [[gnu::may_alias]] = std::uint64_t;
  tine::par(
      [&] {
        *reinterpret_cast<word*>(a.data()) = 1;
        keep(a);
      },
      [&] {
        a[0] = 2;
        keep(a);
        if (its.racy) a[2] = 3;
      });
  keep(a);
}

}  // namespace
