// The computations of the programs of the border's test: forks with many live values, loops, coroutines, exceptions, an
// analysis and a replay, each compared with its serial answer. A Part has functions of its own, so that the linker
// takes no other file's instead.
#pragma once

#include <tine/augment.hpp>
#include <tine/replay.hpp>
#include <tine/tine.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace border {

using word = std::uint64_t;

inline word mix(word x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  return x ^ x >> 29;
}

/// Values that live over a fork, in general and in vector registers.
struct values {
  word a, b, c, d, e;
  double x, y;
  word sum() const { return mix(a + b * 3 + c * 5 + d * 7 + e * 11 + static_cast<word>(x * 3 + y)); }
  values first() const { return {mix(a), b, mix(c), d, mix(e), x + 1.5, y}; }
  values second() const { return {a, mix(b), c, mix(d), e, x, y + 0.25}; }
};

struct serially {
  template <class F, class G>
  static auto both(F f, G g) {
    const auto first = f();
    return std::pair{first, g()};
  }
};
struct in_parallel {
  template <class F, class G>
  static auto both(F f, G g) {
    return tine::par(f, g);
  }
};

template <class Part, class How>
__attribute__((noinline)) word tree(int depth, word a, word b, word c, word d, word e, double x, double y) {
  if (depth == 0) return values{a, b, c, d, e, x, y}.sum();
  const word a2 = mix(a), b2 = mix(b), c2 = mix(c), d2 = mix(d), e2 = mix(e);
  const double x2 = x + 1.5, y2 = y + 0.25;
  auto [l, r] = How::both([&] { return tree<Part, How>(depth - 1, a2, b, c2, d, e2, x2, y); },
                          [&] { return tree<Part, How>(depth - 1, a, b2, c, d2, e, x, y2); });
  return mix(l + 3 * r + a2 + b2 + c2 + d2 + e2 + static_cast<word>(x2) + static_cast<word>(y2) + a + b + c + d + e);
}

template <class Part>
tine::task<word> grow(int depth, values v) {
  if (depth == 0) co_return v.sum();
  word l = 0;
  const values first = v.first(), second = v.second();
  co_await tine::fork(&l, grow<Part>, depth - 1, first);
  const word r = co_await tine::call(grow<Part>, depth - 1, second);
  co_await tine::join;
  co_return mix(l + 3 * r + first.sum() + second.sum() + v.sum());
}
template <class Part>
word grown(int depth, values v) {
  if (depth == 0) return v.sum();
  const values first = v.first(), second = v.second();
  const word l = grown<Part>(depth - 1, first), r = grown<Part>(depth - 1, second);
  return mix(l + 3 * r + first.sum() + second.sum() + v.sum());
}

/// Returns true if the first branch's exception arrives.
template <class Part>
bool throws(int depth) {
  try {
    tine::par(
        [&] {
          if (depth == 0) throw std::runtime_error{"first"};
          if (throws<Part>(depth - 1)) throw std::runtime_error{"first"};
        },
        [&] {
          if (depth % 2 == 0) throw std::runtime_error{"second"};
        });
  } catch (const std::runtime_error& e) {
    return e.what()[0] == 'f';
  }
  return false;
}

template <class Part>
class checks {
 public:
  int run() {
    for (auto policy : {tine::promotion::on_demand(), tine::promotion::eager(), tine::promotion::heartbeat(20, 30)}) {
      tine::pool p{{.workers = 4, .promote = policy, .pin = tine::affinity::none}};
      for (word k = 0; k < 4; ++k) p.run([&] { all(k); });
      p.run([&] { analyse(); });
    }
    return wrong_;
  }

 private:
  void is_right(bool right, const char* what) {
    if (!right) std::printf("wrong: %s\n", what);
    wrong_ += !right;
  }

  void all(word k) {
    is_right(tree<Part, in_parallel>(12, k, 2, 3, 4, 5, 1, 2) == tree<Part, serially>(12, k, 2, 3, 4, 5, 1, 2),
             "forks");
    const values v{k, 2, 3, 4, 5, 1, 2};
    is_right(tine::run(grow<Part>, 11, v) == grown<Part>(11, v), "coroutines");
    const auto sum = [](word a, word b) { return a + b; };
    const auto body = [k](int i) { return mix(static_cast<word>(i) + k); };
    word serial = 0;
    for (int i = 0; i < 100000; ++i) serial += body(i);
    is_right(tine::par_reduce(0, 100000, word{0}, body, sum) == serial, "loops");
    is_right(throws<Part>(7), "exceptions");
  }

  void analyse() {
    word observed = 0;
    const auto ws = tine::augment<tine::work_span>([&] { observed = tree<Part, in_parallel>(6, 1, 2, 3, 4, 5, 1, 2); });
    const word right = tree<Part, serially>(6, 1, 2, 3, 4, 5, 1, 2);
    is_right(observed == right && ws.forks == 63, "analysis");
    word recorded = 0, replayed = 0;
    const tine::schedule s = tine::record([&] { recorded = tree<Part, in_parallel>(6, 1, 2, 3, 4, 5, 1, 2); });
    tine::replay(s, tine::replay_mode::relaxed, [&] { replayed = tree<Part, in_parallel>(6, 1, 2, 3, 4, 5, 1, 2); });
    is_right(recorded == right && replayed == right, "replay");
  }

  int wrong_ = 0;
};

/// Functions of the other file.
int check_second();
tine::task<word> grow_in_second(int depth, values v);
void print_layouts_of_second();

/// Sizes and offsets that the library and the files of a program have to agree on.
template <class Part>
void print_layouts(const char* file) {
  namespace sched = tine::sched;
  namespace detail = tine::detail;
  std::printf("layout of %s:", file);
  std::printf(" hot_words %zu %zu", sizeof(sched::hot_words), alignof(sched::hot_words));
  std::printf(" task %zu descriptor %zu splittable_range %zu promoted_subrange %zu", sizeof(sched::task),
              sizeof(sched::descriptor), sizeof(sched::splittable_range), sizeof(sched::promoted_subrange));
  std::printf(" observer %zu completion %zu", sizeof(sched::observer), sizeof(sched::completion));
  std::printf(" frame %zu %zu %zu %zu promise %zu %zu", sizeof(detail::frame), alignof(detail::frame),
              offsetof(detail::frame, stack), offsetof(detail::frame, error), sizeof(detail::promise<int>),
              sizeof(detail::promise<void>));
  std::printf(" eventually %zu stacklet %zu", sizeof(tine::eventually<Part>), sizeof(detail::stacklet));
  std::printf(" options %zu counters %zu pool %zu", sizeof(tine::options), sizeof(tine::counters), sizeof(tine::pool));
  std::printf(" schedule %zu work_span %zu node %zu\n", sizeof(tine::schedule), sizeof(tine::work_span),
              sizeof(detail::vertex_node));
}

}  // namespace border
