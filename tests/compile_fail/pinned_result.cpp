// The second branch's result comes from elsewhere, so it must be movable.
#include <tine/tine.hpp>

struct pinned {
  pinned() = default;
  pinned(const pinned&) = delete;
};

int main() {
#ifdef MISUSE
  tine::par([] {}, [] { return pinned{}; });
#else
  pinned p;
  tine::par([] {}, [&]() -> pinned& { return p; });
#endif
}
