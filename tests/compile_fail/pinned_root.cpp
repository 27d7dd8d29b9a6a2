// The result of run comes from another stack, so it must be movable.
#include <tine/tine.hpp>

struct pinned {
  pinned() = default;
  pinned(const pinned&) = delete;
};

int main() {
  tine::pool p{{.workers = 1}};
#ifdef MISUSE
  p.run([] { return pinned{}; });
#else
  p.run([] { static_cast<void>(pinned{}); });
#endif
}
