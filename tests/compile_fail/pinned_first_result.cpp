// The first branch's result is returned along with the second's, so it must be movable too.
#include <tine/tine.hpp>

struct pinned {
  pinned() = default;
  pinned(const pinned&) = delete;
};

int main() {
#ifdef MISUSE
  tine::par([] { return pinned{}; }, [] {});
#else
  pinned p;
  tine::par([&]() -> pinned& { return p; }, [] {});
#endif
}
