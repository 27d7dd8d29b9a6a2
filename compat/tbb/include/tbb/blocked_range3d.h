#include <oneapi/tbb/blocked_range3d.h>  // IWYU pragma: export
