// Stand-ins for the functions of libudev that Debian's libhwloc.a calls, because Debian has no libudev.a. hwloc asks
// udev for the names of disks only, and goes without if `udev_new` returns null; then it calls none of the others. The
// linker takes this file from libtine_omp.a only if no other library has these functions. It has no state.
extern "C" {

void* udev_new() { return nullptr; }
void* udev_unref(void*) { return nullptr; }
void* udev_device_new_from_subsystem_sysname(void*, const char*, const char*) { return nullptr; }
const char* udev_device_get_property_value(void*, const char*) { return nullptr; }
void* udev_device_unref(void*) { return nullptr; }

}  // extern "C"
