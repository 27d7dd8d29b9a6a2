// enumerable_thread_specific: a variable of which each thread has its own copy, e.g. a buffer or a counter. Any thread
// may ask for its copy.
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/cache_aligned_allocator.h>
#include <oneapi/tbb/tine/copies_by_thread.hpp>
#include <oneapi/tbb/tine/flattened2d.hpp>
#include <oneapi/tbb/tine/split.hpp>

#include <compare>
#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tbb {
namespace detail {
namespace on_tine {

/// How oneTBB finds the copy of a thread. We find it in one way, which takes some nanoseconds.
enum ets_key_usage_type { ets_key_per_instance, ets_no_key };

template <class T, class Allocator, ets_key_usage_type Usage>
class enumerable_thread_specific;

template <class>
inline constexpr bool is_thread_specific = false;
template <class T, class Allocator, ets_key_usage_type Usage>
inline constexpr bool is_thread_specific<enumerable_thread_specific<T, Allocator, Usage>> = true;

/// Goes through the copies in the order in which they were made.
template <class Copies, class Value>
class copy_iterator {
 public:
  using value_type = Value;  // const for const_iterator, as in oneTBB
  using difference_type = std::ptrdiff_t;
  using pointer = Value*;
  using reference = Value&;
  using iterator_category = std::random_access_iterator_tag;

  copy_iterator() noexcept = default;
  copy_iterator(const Copies& of, std::size_t at) noexcept : of_{&of}, at_{static_cast<difference_type>(at)} {}
  /// An iterator to const copies, from one that may change them; or back, as in oneTBB: programs go through a const
  /// object by `iterator`.
  template <class Other>
    requires std::is_same_v<const Other, const Value>
  copy_iterator(const copy_iterator<Copies, Other>& other) noexcept : of_{other.of_}, at_{other.at_} {}

  reference operator*() const { return (*of_)[static_cast<std::size_t>(at_)]; }
  pointer operator->() const { return std::addressof(**this); }
  reference operator[](difference_type n) const { return *(*this + n); }
  copy_iterator& operator+=(difference_type n) noexcept { return at_ += n, *this; }
  copy_iterator& operator-=(difference_type n) noexcept { return at_ -= n, *this; }
  copy_iterator& operator++() noexcept { return ++at_, *this; }
  copy_iterator& operator--() noexcept { return --at_, *this; }
  copy_iterator operator++(int) noexcept { return {*of_, static_cast<std::size_t>(at_++)}; }
  copy_iterator operator--(int) noexcept { return {*of_, static_cast<std::size_t>(at_--)}; }
  friend copy_iterator operator+(copy_iterator i, difference_type n) noexcept { return i += n; }
  friend copy_iterator operator+(difference_type n, copy_iterator i) noexcept { return i += n; }
  friend copy_iterator operator-(copy_iterator i, difference_type n) noexcept { return i -= n; }
  template <class Other>
  difference_type operator-(const copy_iterator<Copies, Other>& other) const noexcept {
    return at_ - other.at_;
  }
  template <class Other>
  bool operator==(const copy_iterator<Copies, Other>& other) const noexcept {
    return at_ == other.at_ && of_ == other.of_;
  }
  template <class Other>
  std::strong_ordering operator<=>(const copy_iterator<Copies, Other>& other) const noexcept {
    return at_ <=> other.at_;
  }

 private:
  template <class, class>
  friend class copy_iterator;

  const Copies* of_ = nullptr;
  difference_type at_ = 0;
};

/// A range of copies, for parallel loops over them.
template <class Iterator>
class copy_range : public d1::blocked_range<Iterator> {
  using base = d1::blocked_range<Iterator>;

 public:
  using value_type = typename std::iterator_traits<Iterator>::value_type;
  using reference = typename std::iterator_traits<Iterator>::reference;
  using const_reference = const value_type&;
  using iterator = Iterator;
  using difference_type = std::ptrdiff_t;

  copy_range(Iterator begin, Iterator end, std::size_t grainsize = 1) : base(begin, end, grainsize) {}
  template <class Other>
  copy_range(const copy_range<Other>& other) : base(other.begin(), other.end(), other.grainsize()) {}
  copy_range(copy_range& other, split tag) : base(other, tag) {}
  copy_range(copy_range& other, proportional_split& shares) : base(other, shares) {}
};

/// A `T` for each thread that calls `local`. Copies that no thread has asked for don't exist.
///
///     tbb::enumerable_thread_specific<histogram> parts;
///     tbb::parallel_for(0, n, [&](int i) { parts.local().add(x[i]); });
///     const histogram all = parts.combine(std::plus<>{});
///
/// The key is the thread, as in oneTBB, and strands keep their thread over forks and waits
/// (tine/copies_by_thread.hpp). `local` throws std::logic_error in a pool whose strands don't.
///
/// Thread-safety: any number of threads may call `local`. The other functions must not run beside it.
template <class T, class Allocator = d1::cache_aligned_allocator<T>, ets_key_usage_type Usage = ets_no_key>
class enumerable_thread_specific {
  // our own memory is aligned as oneTBB's is, and needs nothing of oneTBB's library
  using own_allocator =
      std::conditional_t<std::is_same_v<Allocator, d1::cache_aligned_allocator<T>>, std::allocator<T>, Allocator>;
  using copies = copies_by_thread<T, own_allocator>;

 public:
  using allocator_type = Allocator;
  using value_type = T;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using const_pointer = const T*;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using iterator = copy_iterator<copies, T>;
  using const_iterator = copy_iterator<copies, const T>;
  using range_type = copy_range<iterator>;
  using const_range_type = copy_range<const_iterator>;

  /// Each copy will be value-initialised.
  enumerable_thread_specific() : copies_{[](void* at) { ::new (at) T(); }} {}
  /// Each copy will be `T(init())`. Threads may call copies of `init` at the same time.
  template <class Init>
    requires std::is_invocable_v<std::decay_t<Init>&>
  explicit enumerable_thread_specific(Init init)
      : copies_{[f = std::move(init)](void* at) mutable { ::new (at) T(f()); }} {}
  /// Each copy will be a copy of `exemplar`.
  explicit enumerable_thread_specific(const T& exemplar) : copies_{[exemplar](void* at) { ::new (at) T(exemplar); }} {}
  explicit enumerable_thread_specific(T&& exemplar)
      : copies_{[kept = std::move(exemplar)](void* at) { ::new (at) T(kept); }} {}
  /// Each copy will be `T(args...)`.
  template <class First, class... More>
    requires(!std::is_invocable_v<std::decay_t<First>&> && !is_thread_specific<std::decay_t<First>> &&
             !std::is_same_v<T, std::decay_t<First>>)
  enumerable_thread_specific(First&& first, More&&... more)
      : copies_{[args = std::tuple<std::decay_t<First>, std::decay_t<More>...>(std::forward<First>(first),
                                                                               std::forward<More>(more)...)](void* at) {
          std::apply([at](const auto&... a) { ::new (at) T(a...); }, args);
        }} {}

  /// Copies the copies of all threads, for these threads.
  enumerable_thread_specific(const enumerable_thread_specific& other) : enumerable_thread_specific{copy_tag{}, other} {}
  template <class OtherAllocator, ets_key_usage_type OtherUsage>
  enumerable_thread_specific(const enumerable_thread_specific<T, OtherAllocator, OtherUsage>& other)
      : enumerable_thread_specific{copy_tag{}, other} {}
  /// Takes the copies over. `other` may only be destroyed, or assigned to.
  enumerable_thread_specific(enumerable_thread_specific&& other) noexcept : copies_{nullptr} {
    copies_.swap(other.copies_);
  }
  template <class OtherAllocator, ets_key_usage_type OtherUsage>
  enumerable_thread_specific(enumerable_thread_specific<T, OtherAllocator, OtherUsage>&& other)
      : copies_{other.copies_.how_to_make()} {
    copies_.add_all_of(other.copies_, [](void* at, T& object) { ::new (at) T(std::move(object)); });
    other.clear();
  }
  enumerable_thread_specific& operator=(const enumerable_thread_specific& other) {
    if (this != &other) *this = enumerable_thread_specific{other};
    return *this;
  }
  enumerable_thread_specific& operator=(enumerable_thread_specific&& other) noexcept {
    copies_.swap(other.copies_);
    return *this;
  }
  template <class OtherAllocator, ets_key_usage_type OtherUsage>
  enumerable_thread_specific& operator=(const enumerable_thread_specific<T, OtherAllocator, OtherUsage>& other) {
    return *this = enumerable_thread_specific{other};
  }
  template <class OtherAllocator, ets_key_usage_type OtherUsage>
  enumerable_thread_specific& operator=(enumerable_thread_specific<T, OtherAllocator, OtherUsage>&& other) {
    return *this = enumerable_thread_specific{std::move(other)};
  }

  /// Returns the copy of the calling thread, and makes it at the first call. Throws what the construction throws.
  reference local() {
    bool exists;
    return local(exists);
  }
  /// As `local`; `exists` tells whether the copy was there already.
  reference local(bool& exists) { return copies_.local(exists); }

  size_type size() const { return copies_.size(); }
  bool empty() const { return size() == 0; }
  /// Destroys all copies.
  void clear() { copies_.clear(); }

  iterator begin() { return {copies_, 0}; }
  iterator end() { return {copies_, size()}; }
  const_iterator begin() const { return {copies_, 0}; }
  const_iterator end() const { return {copies_, size()}; }
  range_type range(size_type grainsize = 1) { return {begin(), end(), grainsize}; }
  const_range_type range(size_type grainsize = 1) const { return {begin(), end(), grainsize}; }

  /// Returns `f(... f(f(first, second), third) ...)` over the copies, or a new copy if there are none.
  template <class F>
  T combine(F f) {
    if (empty()) return made();
    const_iterator i = std::as_const(*this).begin();
    T sum = *i;
    while (++i != std::as_const(*this).end()) sum = f(sum, *i);
    return sum;
  }
  /// Calls `f(copy)` for each copy.
  template <class F>
  void combine_each(F f) {
    for (T& copy : *this) f(copy);
  }

 private:
  template <class, class, ets_key_usage_type>
  friend class enumerable_thread_specific;
  struct copy_tag {};

  template <class Other>
  enumerable_thread_specific(copy_tag, const Other& other) : copies_{other.copies_.how_to_make()} {
    copies_.add_all_of(other.copies_, [](void* at, const T& object) { ::new (at) T(object); });
  }
  /// Returns an object made like a copy.
  T made() const {
    union storage {
      storage() {}
      ~storage() {}
      T value;
    } fresh;
    copies_.how_to_make()(std::addressof(fresh.value));
    const struct end {
      T& value;
      ~end() { std::destroy_at(std::addressof(value)); }
    } at_end{fresh.value};
    return std::move(fresh.value);
  }

  copies copies_;
};

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::enumerable_thread_specific;
using detail::on_tine::ets_key_per_instance;
using detail::on_tine::ets_key_usage_type;
using detail::on_tine::ets_no_key;
}  // namespace v1
}  // namespace tbb
