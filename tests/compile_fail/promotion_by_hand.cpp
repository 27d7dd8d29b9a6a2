// A promotion policy is made by its named functions.
#include <tine/tine.hpp>

int main() {
#ifdef MISUSE
  const tine::promotion p{tine::promotion::kind::eager, 0, 0};
#else
  const tine::promotion p = tine::promotion::eager();
#endif
  return p.tokens();
}
