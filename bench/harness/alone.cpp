// Functions that the static hwloc and libcrypto expect from shared libraries, for a benchmark that is linked
// statically. Neither library needs them here, and both work without them.

extern "C" {

/// Takes the calls of dlopen, and loads nothing: then hwloc has no plugins, and libcrypto has no engines.
void* __wrap_dlopen(const char*, int) { return nullptr; }

// hwloc asks udev about disks if the program requests I/O devices, which tine never does. There is no static libudev.
struct udev;
struct udev_device;
udev* udev_new() { return nullptr; }
udev* udev_unref(udev*) { return nullptr; }
udev_device* udev_device_new_from_subsystem_sysname(udev*, const char*, const char*) { return nullptr; }
const char* udev_device_get_property_value(udev_device*, const char*) { return nullptr; }
udev_device* udev_device_unref(udev_device*) { return nullptr; }
}
