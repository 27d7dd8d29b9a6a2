#include <oneapi/tbb/version.h>  // IWYU pragma: export
