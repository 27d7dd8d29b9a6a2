// Stands in for libtine_omp.so where the command is built alone: it runs nothing, and can be preloaded.
extern "C" [[gnu::visibility("default")]] int omp_get_max_threads() { return 42; }
