#include <oneapi/tbb/blocked_rangeNd.h>  // IWYU pragma: export
