#include <oneapi/tbb/parallel_scan.h>  // IWYU pragma: export
