// The standard streams of a program of Parallel ML.
#pragma once

namespace tine::ml {

/// Makes C's standard streams continue after interruptions by signals. To be called once, by main, before other threads
/// exist.
void take_standard_streams();

}  // namespace tine::ml
