// blocked_nd_range: the name that blocked_rangeNd has in later versions of oneTBB.
#pragma once

#include <oneapi/tbb/blocked_rangeNd.h>
