#include <oneapi/tbb/concurrent_map.h>  // IWYU pragma: export
