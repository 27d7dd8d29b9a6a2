#include <oneapi/tbb/tick_count.h>  // IWYU pragma: export
