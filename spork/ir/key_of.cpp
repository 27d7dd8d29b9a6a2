// Turns pools into keys: threads are written in the order of the tree, allocations in the order in which they are first
// met. Unreachable memory is left out, and so are constant data, which are the same in all pools.
#include "ir/key_of.hpp"

#include <bit>
#include <map>

namespace tine::spork {
namespace {

class writer {
 public:
  explicit writer(const pool& r) : r_{r} {}

  std::string run() {
    for (std::uint32_t i = 0; i < r_.memory.data(); ++i) meet(i);  // the code reaches all data
    write_thread(0);
    for (std::size_t i = 0; i < met_.size(); ++i) {  // met_ grows in this loop
      const heap::allocation& a = r_.memory.allocations()[met_[i]];
      if (a.constant) continue;
      number(a.freed ? ~std::uint64_t{0} : a.cells.size());
      key_ += a.numbers ? 'n' : 'v';
      for (const value& v : a.cells) write(v);
    }
    return std::move(key_) + r_.output;
  }

 private:
  void number(std::uint64_t n) {
    for (; n >= 0x80; n >>= 7) key_ += static_cast<char>(n | 0x80);
    key_ += static_cast<char>(n);
  }

  void write(const value& v) {
    key_ += static_cast<char>(v.of_type);
    if (v.of_type != type::ptr || v.bits == 0 || is_of_function(v.bits)) return number(v.bits);
    number(meet(heap::number_of(v)) + 1);
    number(v.bits & 0xffffffff);
  }

  // Returns the place of an allocation in the order in which they are met.
  std::size_t meet(std::uint32_t allocation) {
    const auto [found, is_new] = numbers_.try_emplace(allocation, met_.size());
    if (is_new) met_.push_back(allocation);
    return found->second;
  }

  void write_thread(thread_id t) {
    const thread& it = r_.threads[t];
    key_ += it.begun ? 'b' : 'n';
    number(it.stack.size());
    for (const frame& k : it.stack) {
      for (const std::uint64_t n : {std::uint64_t{k.in}, std::uint64_t{k.at}, std::uint64_t{k.next},
                                    std::uint64_t{k.promoted}, std::uint64_t{k.then}, std::uint64_t{k.deque.size()}}) {
        number(n);
      }
      for (const spork* s : k.deque) number(std::bit_cast<std::uintptr_t>(s));
      for (const value& v : k.temporaries) write(v);
    }
    number(it.children.size());
    for (const thread_id child : it.children) write_thread(child);
  }

  const pool& r_;
  std::string key_;
  std::map<std::uint32_t, std::size_t> numbers_;
  std::vector<std::uint32_t> met_;
};

}  // namespace

std::string key_of(const pool& r) { return writer{r}.run(); }

}  // namespace tine::spork
