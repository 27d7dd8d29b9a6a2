#include <oneapi/tbb/spin_mutex.h>  // IWYU pragma: export
