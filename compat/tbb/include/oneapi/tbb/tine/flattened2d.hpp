// flattened2d: a container of containers, seen as one sequence. One thread at a time uses an iterator.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace tbb {
namespace detail {
namespace on_tine {

/// Goes through the items of the containers between two iterators of the outer container.
template <class Outer, class Value>
class segmented_iterator {
  using inner = std::remove_reference_t<decltype(*std::declval<Outer>())>;
  using position = decltype(std::begin(std::declval<inner&>()));

 public:
  using value_type = std::remove_const_t<Value>;
  using difference_type = std::ptrdiff_t;
  using pointer = Value*;
  using reference = Value&;
  using iterator_category = std::forward_iterator_tag;

  segmented_iterator() = default;
  segmented_iterator(Outer at, Outer end) : outer_{at}, end_{end} { find_item(); }
  /// An iterator to const items, from one that may change them; or back, as in oneTBB.
  template <class Other>
    requires std::is_same_v<const Other, const Value>
  segmented_iterator(const segmented_iterator<Outer, Other>& other)
      : outer_{other.outer_}, end_{other.end_}, inner_{other.inner_} {}

  reference operator*() const { return *inner_; }
  pointer operator->() const { return &*inner_; }
  segmented_iterator& operator++() {
    ++inner_;
    if (inner_ == std::end(*outer_)) {
      ++outer_;
      find_item();
    }
    return *this;
  }
  segmented_iterator operator++(int) {
    segmented_iterator before = *this;
    ++*this;
    return before;
  }
  template <class Other>
  bool operator==(const segmented_iterator<Outer, Other>& other) const {
    return outer_ == other.outer_ && (outer_ == end_ || inner_ == other.inner_);
  }

 private:
  template <class, class>
  friend class segmented_iterator;

  void find_item() {
    while (outer_ != end_ && std::begin(*outer_) == std::end(*outer_)) ++outer_;
    inner_ = outer_ != end_ ? std::begin(*outer_) : position{};
  }

  Outer outer_{};
  Outer end_{};
  position inner_{};
};

/// The items of all containers in `Container`, in their order. It refers to the container, which must not change.
template <class Container>
class flattened2d {
  using inner = typename Container::value_type;
  using outer = typename Container::iterator;
  using const_outer = typename Container::const_iterator;

 public:
  using size_type = typename inner::size_type;
  using difference_type = typename inner::difference_type;
  using allocator_type = typename inner::allocator_type;
  using value_type = typename inner::value_type;
  using reference = typename inner::reference;
  using const_reference = typename inner::const_reference;
  using pointer = typename inner::pointer;
  using const_pointer = typename inner::const_pointer;
  using iterator = segmented_iterator<outer, value_type>;
  using const_iterator = segmented_iterator<outer, const value_type>;

  explicit flattened2d(const Container& c) : flattened2d(c, c.begin(), c.end()) {}
  /// The items of the containers from `begin` up to `end`.
  flattened2d(const Container& c, const_outer begin, const_outer end)
      : container_{const_cast<Container*>(&c)}, first_{begin - c.begin()}, last_{end - c.begin()} {}

  iterator begin() { return {position(first_), position(last_)}; }
  iterator end() { return {position(last_), position(last_)}; }
  const_iterator begin() const { return {position(first_), position(last_)}; }
  const_iterator end() const { return {position(last_), position(last_)}; }
  size_type size() const {
    size_type sum = 0;
    for (outer i = position(first_); i != position(last_); ++i) sum += i->size();
    return sum;
  }

 private:
  outer position(difference_type at) const { return container_->begin() + at; }

  Container* container_;
  typename Container::difference_type first_, last_;
};

template <class Container>
flattened2d<Container> flatten2d(const Container& c) {
  return flattened2d<Container>(c);
}
template <class Container>
flattened2d<Container> flatten2d(const Container& c, const typename Container::const_iterator begin,
                                 const typename Container::const_iterator end) {
  return flattened2d<Container>(c, begin, end);
}

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::flatten2d;
using detail::on_tine::flattened2d;
}  // namespace v1
}  // namespace tbb
