// A result that has to be destroyed needs an eventually.
#include <tine/coro.hpp>

#include <string>

tine::task<std::string> child() { co_return "text"; }

tine::task<> parent() {
#ifdef MISUSE
  std::string result;
#else
  tine::eventually<std::string> result;
#endif
  co_await tine::fork(&result, child);
  co_await tine::join;
}

int main() {}
