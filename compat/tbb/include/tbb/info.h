#include <oneapi/tbb/info.h>  // IWYU pragma: export
