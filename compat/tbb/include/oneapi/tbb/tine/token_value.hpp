// The value that a filter of a pipeline passes to the next one, without its type. One strand at a time uses it.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace tbb::detail::on_tine {

/// A small plain value lies in the object itself, and any other value on the heap.
class token_value {
  template <class T>
  static constexpr bool is_small = std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(void*);

 public:
  token_value() noexcept = default;
  template <class T>
  static token_value of(T&& value) {
    using stored = std::decay_t<T>;
    token_value v;
    if constexpr (is_small<stored>) {
      std::memcpy(&v.word_, &value, sizeof(stored));
    } else {
      v.word_ = new stored(std::forward<T>(value));
      v.destroy_ = [](void* p) noexcept { delete static_cast<stored*>(p); };
    }
    return v;
  }
  token_value(token_value&& other) noexcept
      : word_{std::exchange(other.word_, nullptr)}, destroy_{std::exchange(other.destroy_, nullptr)} {}
  token_value& operator=(token_value&& other) noexcept {
    std::swap(word_, other.word_);
    std::swap(destroy_, other.destroy_);
    return *this;
  }
  ~token_value() {
    if (destroy_ != nullptr) destroy_(word_);
  }

  /// Calls `f` with the value, which it may move from.
  template <class T, class F>
  decltype(auto) pass_to(const F& f) {
    if constexpr (is_small<T>) {
      alignas(T) std::byte bytes[sizeof(T)];
      return f(std::move(*static_cast<T*>(std::memcpy(bytes, &word_, sizeof(T)))));
    } else {
      return f(std::move(*static_cast<T*>(word_)));
    }
  }

 private:
  void* word_ = nullptr;
  void (*destroy_)(void*) noexcept = nullptr;
};

}  // namespace tbb::detail::on_tine
