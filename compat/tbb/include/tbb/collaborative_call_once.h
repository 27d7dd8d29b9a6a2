#include <oneapi/tbb/collaborative_call_once.h>  // IWYU pragma: export
