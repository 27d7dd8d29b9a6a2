#include <oneapi/tbb/mutex.h>  // IWYU pragma: export
