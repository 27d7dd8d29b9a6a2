// The header of tine::pstl comes before the standard library has chosen its back end.
#ifdef MISUSE
#include <execution>
#endif
#include <tine/pstl.hpp>

int main() {}
