#include <oneapi/tbb/partitioner.h>  // IWYU pragma: export
