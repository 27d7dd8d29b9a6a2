// The vertices of a followed root, each with its level. They belong to the root's strand.
#pragma once

#include "augment/attached_check.hpp"
#include "augment/levels.hpp"

#include <tine/detail/base/object_at.hpp>

#include <cstddef>
#include <memory>
#include <new>

namespace tine::detail {

/// A vertex of a root, with its level.
template <vertex V>
class root_level {
 public:
  root_level() noexcept { ::new (head_.vertex()) V(); }
  ~root_level() { value().~V(); }
  root_level(const root_level&) = delete;
  root_level& operator=(const root_level&) = delete;

  /// Puts the level inside `outer`. Returns the innermost vertex node so far.
  vertex_node* open(const vertex_kind& kind, vertex_node* outer, const storage_head& in) noexcept {
    of_ = level_of(kind, outer != nullptr ? &outer->of() : nullptr);
    place_node(head_, of_, outer, &in);
    return &head_;
  }
  V& value() noexcept { return *base::object_at<V>(head_.vertex()); }

 private:
  level of_;
  vertex_node head_;
  alignas(16) std::byte vertex_[sizeof(V)];
};

/// As root_level, for the vertex of the registered check.
class checked_level {
 public:
  ~checked_level() {
    if (vertex_ != nullptr) registered_check->kind->destroy(head_->vertex());
  }
  vertex_node* open(const storage_head& in) {
    const vertex_kind& kind = *registered_check->kind;
    constexpr std::size_t alignment = alignof(vertex_node);
    vertex_.reset(new (std::align_val_t{alignment}) std::byte[sizeof(vertex_node) + kind.bytes]);
    head_ = base::object_at<vertex_node>(vertex_.get());
    of_ = level_of(kind, nullptr);
    place_node(*head_, of_, nullptr, &in);
    kind.create(head_->vertex());
    return head_;
  }

 private:
  struct free_memory {
    void operator()(std::byte* memory) const noexcept {
      ::operator delete[](memory, std::align_val_t{alignof(vertex_node)});
    }
  };
  level of_;
  std::unique_ptr<std::byte[], free_memory> vertex_;
  vertex_node* head_ = nullptr;
};

}  // namespace tine::detail
